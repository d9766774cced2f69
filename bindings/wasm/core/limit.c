/*
 * Limit surfaces: bristle/limit.h.
 */
#include "bristle/limit.h"

#include "glue.h"

EXPORT(br_limit*, limit_make, const br_patch* patch, double fn, int method, size_t nodes,
       size_t resolution)
{
    br_limit_def def = br_limit_def_default();
    def.patch = patch;
    def.fn = fn;
    def.method = (br_limit_method)method;
    def.n = nodes;
    def.resolution = resolution;
    br_limit* surface;
    br_reason why = {"", ""};
    const br_status status = br_limit_create(&def, &surface, &why);
    return status == BR_OK ? surface : fail(status, &why);
}

EXPORT(void, limit_destroy, br_limit* surface)
{
    br_limit_destroy(surface);
}

// cop (2), r, u, spin centre (2), torque of a pure spin about it
EXPORT(void, limit_value, const br_limit* surface, double* out)
{
    const br_patch_value value = br_limit_get_patch_value(surface);
    const br_vec2 spin = br_limit_get_spin_centre(surface, &out[6]);
    out[0] = value.cop.x;
    out[1] = value.cop.y;
    out[2] = value.r;
    out[3] = value.u;
    out[4] = spin.x;
    out[5] = spin.y;
}

EXPORT(void, limit_wrench, const br_limit* surface, size_t count, const double* v, double* f)
{
    for (size_t i = 0; i < count; i++) {
        put_wrench(f, i, br_limit_eval(surface, twist_at(v, i)).wrench);
    }
}

EXPORT(void, limit_dissipation, const br_limit* surface, size_t count, const double* v, double* d)
{
    for (size_t i = 0; i < count; i++) {
        d[i] = br_limit_eval(surface, twist_at(v, i)).dissipation;
    }
}

EXPORT(void, limit_jacobian, const br_limit* surface, size_t count, const double* v, double* out)
{
    for (size_t i = 0; i < count; i++) {
        br_limit_jacobian_eval(surface, twist_at(v, i), (double(*)[3])(out + 9 * i));
    }
}

EXPORT(void, limit_gauge, const br_limit* surface, size_t count, const double* f, double* gauge)
{
    for (size_t i = 0; i < count; i++) {
        gauge[i] = br_limit_gauge(surface, wrench_at(f, i), NULL);
    }
}

EXPORT(void, limit_twist, const br_limit* surface, size_t count, const double* f, double* v)
{
    for (size_t i = 0; i < count; i++) {
        br_twist slide;
        br_limit_gauge(surface, wrench_at(f, i), &slide);
        put_three(v, i, slide.vx, slide.vy, slide.w);
    }
}

// max, rms, max_angle, max_size
EXPORT(void, limit_error, const br_limit* surface, double* out)
{
    const br_limit_error error = br_limit_get_error(surface);
    out[0] = error.max;
    out[1] = error.rms;
    out[2] = error.max_angle;
    out[3] = error.max_size;
}
