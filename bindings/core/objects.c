/*
 * Kinds of objects: their destructors and sizes.
 */
#include "objects.h"

#include <string.h>

#ifndef __wasm__
#include "bristle/engine.h"
#endif

size_t whole_of(double number)
{
    const double most = 2147483647.0;
    return number >= 1.0 ? (size_t)(number < most ? number : most) : 0;
}

br_status make_copy(br_status status, const void* object, size_t bytes, void** made)
{
    if (status == BR_OK) {
        *made = br_allocate(1, bytes);
        status = *made ? BR_OK : BR_ERR_MEMORY;
    }
    if (status == BR_OK) {
        memcpy(*made, object, bytes);
    }
    return status;
}

static void destroy_patch(void* patch)
{
    br_patch_destroy(patch);
}

static void destroy_field(void* field)
{
    br_field_destroy(field);
}

static void destroy_limit(void* surface)
{
    br_limit_destroy(surface);
}

static void destroy_contact(void* object)
{
    contact_object* c = object;
    if (c->pressed) {
        br_release(c->pressed);
    } else {
        br_contact_destroy(c->contact);
    }
    br_release(c);
}

static binding_sizes contact_sizes(const void* object)
{
    const contact_object* c = object;
    return (binding_sizes){c->states, c->parts, c->memory};
}

static binding_sizes polyhedron_sizes(const void* object)
{
    return (binding_sizes){br_polyhedron_get_h_count(object), br_polyhedron_get_v_count(object), 0};
}

static void destroy_wrench_cone(void* cone)
{
    br_wrench_cone_destroy(cone);
}

static binding_sizes wrench_cone_sizes(const void* cone)
{
    return (binding_sizes){br_wrench_cone_get_h_count(cone), br_wrench_cone_get_v_count(cone), 0};
}

static void destroy_limit_polyhedron(void* object)
{
    br_limit_polyhedron_destroy(((limit_polyhedron_object*)object)->polyhedra);
    br_release(object);
}

static binding_sizes limit_polyhedron_sizes(const void* object)
{
    const limit_polyhedron_object* p = object;
    return (binding_sizes){br_limit_polyhedron_get_h_count(p->polyhedra, p->side),
                           br_limit_polyhedron_get_v_count(p->polyhedra, p->side), 0};
}

static void destroy_pushing(void* object)
{
    br_outline_destroy(((pushing_object*)object)->outline);
    br_release(object);
}

static binding_sizes pushing_sizes(const void* object)
{
    size_t corners;
    br_outline_get_vertices(((const pushing_object*)object)->outline, &corners);
    return (binding_sizes){corners, 0, 0};
}

#ifndef __wasm__
static void destroy_engine(void* engine)
{
    br_engine_destroy(engine);
}
#endif

const char* const binding_kind_names[KIND_COUNT] = {
    [KIND_NONE] = "",
    [KIND_LAW] = "law",
    [KIND_PATCH] = "patch",
    [KIND_LIMIT] = "limit",
    [KIND_CONTACT] = "contact",
    [KIND_CONE] = "cone",
    [KIND_POLYHEDRON] = "polyhedron",
    [KIND_WRENCH_CONE] = "wrench_cone",
    [KIND_LIMIT_POLYHEDRON] = "limit_polyhedron",
    [KIND_GRASP] = "grasp",
    [KIND_SLIDER] = "slider",
    [KIND_PUSHING] = "pushing",
    [KIND_PROFILE] = "profile",
    [KIND_GRIP] = "grip",
    [KIND_ENGINE] = "engine",
    [KIND_HERTZ] = "hertz",
    [KIND_FIELD] = "field",
};

const binding_kind_facts binding_kinds[KIND_COUNT] = {
    [KIND_LAW] = {br_release, NULL},
    [KIND_PATCH] = {destroy_patch, NULL},
    [KIND_LIMIT] = {destroy_limit, NULL},
    [KIND_CONTACT] = {destroy_contact, contact_sizes},
    [KIND_CONE] = {br_release, NULL},
    [KIND_POLYHEDRON] = {br_release, polyhedron_sizes},
    [KIND_WRENCH_CONE] = {destroy_wrench_cone, wrench_cone_sizes},
    [KIND_LIMIT_POLYHEDRON] = {destroy_limit_polyhedron, limit_polyhedron_sizes},
    [KIND_GRASP] = {br_release, NULL},
    [KIND_SLIDER] = {br_release, NULL},
    [KIND_PUSHING] = {destroy_pushing, pushing_sizes},
    [KIND_PROFILE] = {br_release, NULL},
    [KIND_GRIP] = {br_release, NULL},
    [KIND_HERTZ] = {br_release, NULL},
#ifndef __wasm__
    [KIND_ENGINE] = {destroy_engine, NULL},
#endif
    [KIND_FIELD] = {destroy_field, NULL},
};
