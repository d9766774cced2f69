/*
 * Friction cones, their polyhedra and wrench cones: bristle/cone.h, polyhedron.h, wrench_cone.h; polyhedra of
 * limit surfaces, limit_polyhedron.h; how hard to hold on, grasp.h.
 */
#include "bristle/cone.h"

#include <string.h>

#include "bristle/grasp.h"
#include "bristle/limit_polyhedron.h"
#include "bristle/wrench_cone.h"
#include "glue.h"

EXPORT(br_cone*, cone_make, double x, double y, double z, double mu)
{
    br_reason why = {"", ""};
    br_cone* cone = br_allocate(1, sizeof *cone);
    if (!cone) {
        return fail(BR_ERR_MEMORY, &why);
    }
    const br_status status = br_cone_init((const double[]){x, y, z}, mu, cone, &why);
    if (status != BR_OK) {
        br_release(cone);
        return fail(status, &why);
    }
    return cone;
}

// unit normal, two unit tangents
EXPORT(void, cone_axes, const br_cone* cone, double* out)
{
    memcpy(out, cone->n, sizeof cone->n);
    memcpy(out + 3, cone->t1, sizeof cone->t1);
    memcpy(out + 6, cone->t2, sizeof cone->t2);
}

EXPORT(void, cone_split, const br_cone* cone, size_t count, const double* f, double* out)
{
    for (size_t i = 0; i < count; i++) {
        br_cone_split(cone, f + 3 * i, out + 3 * i);
    }
}

EXPORT(void, cone_margin, const br_cone* cone, size_t count, const double* f, double* out)
{
    br_cone_margin_batch(cone, count, f, out);
}

EXPORT(void, cone_contains, const br_cone* cone, size_t count, const double* f, double* out)
{
    for (size_t i = 0; i < count; i++) {
        out[i] = br_cone_contains(cone, f + 3 * i);
    }
}

EXPORT(void, cone_project, const br_cone* cone, size_t count, const double* f, double* out)
{
    br_cone_project_batch(cone, count, f, out);
}

EXPORT(br_polyhedron*, polyhedron_make, const br_cone* cone, size_t faces, int outer, double phase,
       double f_min, double f_max)
{
    br_polyhedron_def def = br_polyhedron_def_default();
    def.cone = *cone;
    def.faces = faces;
    def.side = outer ? BR_POLYHEDRON_OUTER : BR_POLYHEDRON_INNER;
    def.phase = phase;
    def.f_min = f_min;
    def.f_max = f_max;
    br_reason why = {"", ""};
    br_polyhedron* polyhedron = br_allocate(1, sizeof *polyhedron);
    if (!polyhedron) {
        return fail(BR_ERR_MEMORY, &why);
    }
    const br_status status = br_polyhedron_init(&def, polyhedron, &why);
    if (status != BR_OK) {
        br_release(polyhedron);
        return fail(status, &why);
    }
    return polyhedron;
}

EXPORT(size_t, polyhedron_h_count, const br_polyhedron* polyhedron)
{
    return br_polyhedron_get_h_count(polyhedron);
}

EXPORT(void, polyhedron_h, const br_polyhedron* polyhedron, double* out)
{
    br_polyhedron_get_h(polyhedron, out);
}

EXPORT(size_t, polyhedron_v_count, const br_polyhedron* polyhedron)
{
    return br_polyhedron_get_v_count(polyhedron);
}

EXPORT(void, polyhedron_v, const br_polyhedron* polyhedron, double* out)
{
    br_polyhedron_get_v(polyhedron, out);
}

EXPORT(void, polyhedron_error, const br_polyhedron* polyhedron, double* out)
{
    const br_polyhedron_error error = br_polyhedron_get_error(polyhedron);
    out[0] = error.area;
    out[1] = error.angle;
}

EXPORT(void, polyhedron_margin, const br_polyhedron* polyhedron, size_t count, const double* f,
       double* out)
{
    for (size_t i = 0; i < count; i++) {
        out[i] = br_polyhedron_margin(polyhedron, f + 3 * i);
    }
}

EXPORT(void, polyhedron_contains, const br_polyhedron* polyhedron, size_t count, const double* f,
       double* out)
{
    for (size_t i = 0; i < count; i++) {
        out[i] = br_polyhedron_contains(polyhedron, f + 3 * i);
    }
}

// `places`: 3 of each support
EXPORT(br_wrench_cone*, wrench_cone_make, size_t count, const double* places,
       br_polyhedron* const* forces)
{
    br_reason why = {"", ""};
    br_support* supports = br_allocate(count, sizeof *supports);
    if (!supports) {
        return fail(BR_ERR_MEMORY, &why);
    }
    for (size_t i = 0; i < count; i++) {
        memcpy(supports[i].place, places + 3 * i, sizeof supports[i].place);
        supports[i].forces = *forces[i];
    }
    br_wrench_cone* cone;
    const br_status status = br_wrench_cone_create(supports, count, &cone, &why);
    br_release(supports);
    return status == BR_OK ? cone : fail(status, &why);
}

EXPORT(void, wrench_cone_destroy, br_wrench_cone* cone)
{
    br_wrench_cone_destroy(cone);
}

EXPORT(size_t, wrench_cone_h_count, const br_wrench_cone* cone)
{
    return br_wrench_cone_get_h_count(cone);
}

EXPORT(const double*, wrench_cone_h, const br_wrench_cone* cone)
{
    return br_wrench_cone_get_h(cone);
}

EXPORT(size_t, wrench_cone_v_count, const br_wrench_cone* cone)
{
    return br_wrench_cone_get_v_count(cone);
}

EXPORT(const double*, wrench_cone_v, const br_wrench_cone* cone)
{
    return br_wrench_cone_get_v(cone);
}

EXPORT(void, wrench_cone_rectangle, double x, double y, double mu, double* out)
{
    br_wrench_cone_rectangle(x, y, mu, (double(*)[6])out);
}

EXPORT(void, wrench_cone_margin, const br_wrench_cone* cone, size_t count, const double* w,
       double* out)
{
    for (size_t i = 0; i < count; i++) {
        out[i] = br_wrench_cone_margin(cone, w + 6 * i);
    }
}

EXPORT(void, wrench_cone_contains, const br_wrench_cone* cone, size_t count, const double* w,
       double* out)
{
    for (size_t i = 0; i < count; i++) {
        out[i] = br_wrench_cone_contains(cone, w + 6 * i);
    }
}

EXPORT(br_limit_polyhedron*, limit_polyhedron_make, const br_limit* surface, size_t points)
{
    br_limit_polyhedron* polyhedra;
    br_reason why = {"", ""};
    const br_status status = br_limit_polyhedron_create(surface, points, &polyhedra, &why);
    return status == BR_OK ? polyhedra : fail(status, &why);
}

EXPORT(void, limit_polyhedron_destroy, br_limit_polyhedron* polyhedra)
{
    br_limit_polyhedron_destroy(polyhedra);
}

static br_polyhedron_side side_of(int outer)
{
    return outer ? BR_POLYHEDRON_OUTER : BR_POLYHEDRON_INNER;
}

EXPORT(size_t, limit_polyhedron_h_count, const br_limit_polyhedron* p, int outer)
{
    return br_limit_polyhedron_get_h_count(p, side_of(outer));
}

EXPORT(const double*, limit_polyhedron_h, const br_limit_polyhedron* p, int outer)
{
    return br_limit_polyhedron_get_h(p, side_of(outer));
}

EXPORT(size_t, limit_polyhedron_v_count, const br_limit_polyhedron* p, int outer)
{
    return br_limit_polyhedron_get_v_count(p, side_of(outer));
}

EXPORT(const double*, limit_polyhedron_v, const br_limit_polyhedron* p, int outer)
{
    return br_limit_polyhedron_get_v(p, side_of(outer));
}

EXPORT(double, limit_polyhedron_error, const br_limit_polyhedron* p, int outer)
{
    return br_limit_polyhedron_get_error(p, side_of(outer));
}

EXPORT(void, grip_surface, const br_limit* surface, double mu, size_t count, const double* load,
       double* out)
{
    for (size_t i = 0; i < count; i++) {
        out[i] = br_grasp_one_patch(surface, mu, wrench_at(load, i));
    }
}

// of a patch that depends on the force; 1: found, 0: last_error() says why not
EXPORT(int, grip_patch, const br_patch* patch, double mu, size_t count, const double* load,
       double* out)
{
    br_reason why = {"", ""};
    br_status status = BR_OK;
    for (size_t i = 0; status == BR_OK && i < count; i++) {
        status = br_grasp_patch_get_force(patch, mu, wrench_at(load, i), &out[i], &why);
    }
    if (status != BR_OK) {
        fail(status, &why);
    }
    return status == BR_OK;
}

// fn (2 each), wrench (2 x 3 each)
EXPORT(void, grasp_eval, const br_limit* first, const br_limit* second, double mu_first,
       double mu_second, double half_gap, size_t count, const double* load, double* fn,
       double* wrench)
{
    const br_grasp grasp = {
        .surface = {first, second}, .mu = {mu_first, mu_second}, .half_gap = half_gap};
    for (size_t i = 0; i < count; i++) {
        const br_grasp_value value = br_grasp_eval(&grasp, load + 6 * i);
        memcpy(fn + 2 * i, value.fn, sizeof value.fn);
        put_wrench(wrench, 2 * i, value.wrench[0]);
        put_wrench(wrench, 2 * i + 1, value.wrench[1]);
    }
}
