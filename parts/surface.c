/*
 * Limit surfaces of the command.
 */
#include "surface.h"

#include "memory.h"
#include "message.h"
#include "text.h"

static const char* const method_names[] = {"exact",     "table",     "bilinear", "grid",
                                           "published", "ellipsoid", "fitted",   NULL};
static const br_limit_method methods[] = {BR_LIMIT_EXACT, BR_LIMIT_SMOOTH,    BR_LIMIT_BILINEAR,
                                          BR_LIMIT_GRID,  BR_LIMIT_PUBLISHED, BR_LIMIT_ELLIPSOID,
                                          BR_LIMIT_FITTED};

br_limit_method surface_method(const char* name)
{
    return name ? methods[text_choose("--method", name, method_names)] : BR_LIMIT_EXACT;
}

static void destroy(void* surface)
{
    br_limit_destroy(surface);
}

br_limit* surface_create(const br_patch* patch, double fn, br_limit_method method, size_t n,
                         size_t resolution)
{
    const br_anisotropy none = br_anisotropy_default();
    return surface_create_with(patch, &none, fn, method, n, resolution);
}

br_limit* surface_create_with(const br_patch* patch, const br_anisotropy* anisotropy, double fn,
                              br_limit_method method, size_t n, size_t resolution)
{
    br_limit_def def = br_limit_def_default();
    def.patch = patch;
    def.anisotropy = *anisotropy;
    def.fn = fn;
    def.method = method;
    def.n = n;
    def.resolution = resolution;
    br_limit* surface;
    br_reason why = {"", ""};
    const br_status status = br_limit_create(&def, &surface, &why);
    if (status == BR_ERR_MEMORY) {
        message_fail(EXIT_COMPUTATION, "%s", why.text);
    }
    if (status != BR_OK) {
        message_fail(EXIT_USAGE, "%s%s%s", why.field, *why.field ? ": " : "", why.text);
    }
    memory_own(surface, destroy);
    return surface;
}
