/*
 * Limit surfaces of physics engines: the set K of admissible wrenches, by its form.
 *
 * In f = (fx, fy, tau/r), x = (vx, vy, r w), a sliding body has the wrench of K with maximum
 * dissipation, and a load is held up to gauge 1:
 *
 *   D(x) = max {-f.x : f in K},   wrench = its f,   gauge(f) = min {s : f in s K}
 *
 *               D                            gauge
 *   ellipsoid   |x|                          |f|
 *   pyramid     max |x_i|                    |fx| + |fy| + |tau|/r
 *   cylinder    |(vx, vy)| + |r w|           max (|(fx, fy)|, |tau|/r)
 *   box         |vx| + |vy| + |r w|          max |f_i|
 *
 * D and gauge are dual norms. Faces are support points, whose exact limit surface is used.
 */
#include "limit/engine_internal.h"

static double sign(double x)
{
    return (double)((x > 0.0) - (x < 0.0));
}

static br_limit_value ellipsoid(const double x[3])
{
    const double size = hypot(hypot(x[0], x[1]), x[2]);
    return (br_limit_value){size, {-x[0] / size, -x[1] / size, -x[2] / size}, 0};
}

// All power goes to the largest component; equal components share it.
static br_limit_value pyramid(const double x[3])
{
    const double largest = fmax(fmax(fabs(x[0]), fabs(x[1])), fabs(x[2]));
    double f[3];
    int equals = 0;
    for (int i = 0; i < 3; i++) {
        f[i] = fabs(x[i]) < largest ? 0.0 : -sign(x[i]);
        equals += f[i] != 0.0;
    }
    return (br_limit_value){largest, {f[0] / equals, f[1] / equals, f[2] / equals}, equals > 1};
}

static br_limit_value cylinder(const double x[3])
{
    const double speed = hypot(x[0], x[1]), share = speed > 0.0 ? 1.0 / speed : 0.0;
    return (br_limit_value){speed + fabs(x[2]),
                            {-x[0] * share, -x[1] * share, -sign(x[2])},
                            !(speed > 0.0) || x[2] == 0.0};
}

static br_limit_value box(const double x[3])
{
    return (br_limit_value){fabs(x[0]) + fabs(x[1]) + fabs(x[2]),
                            {-sign(x[0]), -sign(x[1]), -sign(x[2])},
                            x[0] == 0.0 || x[1] == 0.0 || x[2] == 0.0};
}

static br_limit_value by_form(br_engine_form form, const double x[3])
{
    return form == BR_ENGINE_FORM_ELLIPSOID  ? ellipsoid(x)
           : form == BR_ENGINE_FORM_PYRAMID  ? pyramid(x)
           : form == BR_ENGINE_FORM_CYLINDER ? cylinder(x)
                                             : box(x);
}

// Vector from the patch's CoP to that of the faces. They differ if the faces are coarse.
static br_vec2 away(const br_engine* engine)
{
    return br_vec2_sub(br_limit_get_patch_value(engine->faces).cop, engine->value.cop);
}

static br_limit_value eval_faces(const br_engine* engine, br_twist v)
{
    const br_vec2 d = away(engine);
    br_limit_value value =
        br_limit_eval(engine->faces, (br_twist){v.vx - v.w * d.y, v.vy + v.w * d.x, v.w});
    value.wrench.tau += d.x * value.wrench.fy - d.y * value.wrench.fx;
    return value;
}

br_limit_value br_engine_eval(const br_engine* engine, br_twist v)
{
    BR_ASSERT(engine);
    const double r = engine->value.r, x[3] = {v.vx, v.vy, r * v.w};
    const double size = fabs(x[0]) + fabs(x[1]) + fabs(x[2]);
    if (isnan(size)) {
        return (br_limit_value){size, {size, size, size}, 0};
    }
    if (!(size > 0.0)) {
        return (br_limit_value){0.0, {0.0, 0.0, 0.0}, 1};
    }
    if (engine->form == BR_ENGINE_FORM_FACES) {
        return eval_faces(engine, v);
    }
    br_limit_value value = by_form(engine->form, x);
    value.wrench.tau *= r;
    return value;
}

static double gauge_of_faces(const br_engine* engine, br_wrench load)
{
    const br_vec2 d = away(engine);
    load.tau -= d.x * load.fy - d.y * load.fx;
    return br_limit_gauge(engine->faces, load, NULL);
}

double br_engine_gauge(const br_engine* engine, br_wrench load)
{
    BR_ASSERT(engine);
    const double force = hypot(load.fx, load.fy), sum = load.fx + load.fy + load.tau;
    const double torque = load.tau != 0.0 ? fabs(load.tau) / engine->value.r : 0.0;
    if (isnan(sum)) {
        return sum;
    }
    switch (engine->form) {
    case BR_ENGINE_FORM_ELLIPSOID:
        return hypot(force, torque);
    case BR_ENGINE_FORM_PYRAMID:
        return fabs(load.fx) + fabs(load.fy) + torque;
    case BR_ENGINE_FORM_CYLINDER:
        return fmax(force, torque);
    case BR_ENGINE_FORM_BOX:
        return fmax(fmax(fabs(load.fx), fabs(load.fy)), torque);
    case BR_ENGINE_FORM_FACES:
        break;
    }
    return gauge_of_faces(engine, load);
}
