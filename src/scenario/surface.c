/*
 * Limit surfaces that live as long as a reading.
 */
#include "scenario/surface.h"

#include "scenario/made.h"

static void destroy(void* surface)
{
    br_limit_destroy(surface);
}

br_limit* bri_surface_create(const node* from, const br_patch* patch, double fn,
                             br_limit_method method, size_t n, size_t resolution)
{
    br_limit_def def = br_limit_def_default();
    def.patch = patch;
    def.fn = fn;
    def.method = method;
    def.n = n;
    def.resolution = resolution;
    br_limit* surface = bri_made_find_surface(from, &def);
    if (surface) {
        return surface;
    }
    br_reason why = {"", ""};
    pool* memory = &from->in->memory;
    const br_status status = br_limit_create(&def, &surface, &why);
    if (status == BR_ERR_MEMORY) {
        bri_no_memory(from->in);
    }
    if (status != BR_OK) {
        bri_node_fail(from, "%s%s%s", why.field, *why.field ? ": " : "", why.text);
        return NULL;
    }
    bri_pool_own(memory, surface, destroy);
    bri_made_note_surface(from, &def, surface);
    return surface;
}
