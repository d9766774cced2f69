/*
 * Limit surfaces as the command makes them.
 */
#include "surface.h"

#include "memory.h"
#include "message.h"
#include "scenario/text.h"

static const char* const method_names[] = {"exact",     "table",     "bilinear", "grid",
                                           "published", "ellipsoid", "fitted",   NULL};
static const br_limit_method methods[] = {BR_LIMIT_EXACT, BR_LIMIT_SMOOTH,    BR_LIMIT_BILINEAR,
                                          BR_LIMIT_GRID,  BR_LIMIT_PUBLISHED, BR_LIMIT_ELLIPSOID,
                                          BR_LIMIT_FITTED};

br_limit_method surface_method(const char* name)
{
    if (!name) {
        return BR_LIMIT_EXACT;
    }
    const int place = bri_text_find(name, method_names);
    if (place < 0) {
        message_fail(EXIT_USAGE, "--method %s: must be one of %s%s", name,
                     bri_text_join(memory_pool(), method_names),
                     bri_text_suggest(memory_pool(), name, method_names, ""));
    }
    return methods[place];
}

static void destroy(void* surface)
{
    br_limit_destroy(surface);
}

br_limit* surface_create(const br_patch* patch, double fn, br_limit_method method, size_t n,
                         size_t resolution)
{
    br_limit_def def = br_limit_def_default();
    def.patch = patch;
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
