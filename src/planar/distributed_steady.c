/*
 * Steady state of the distributed model.
 *
 * W&K's equations (11), (12), (19), (20), and the interpolation (21) between rotations about the
 * corners of a cell, which takes out the noise of the cell that holds the centre of rotation.
 */
#include "planar/distributed_internal.h"

#include "planar/lever.h"

#include <float.h>

// The published code adds this to sigma0 |v| [1/s].
static const double published_small = 1e-10;

// A model at steady state: what interpolate_corners() needs.
typedef struct steady {
    const br_distributed* model;
    double small; // added to |v| [m/s]
} steady;

// What is slower has no direction [m/s]; the twist is in patch axes.
static double noise_of(const br_distributed* m, br_twist v)
{
    return 4.0 * DBL_EPSILON * (fabs(v.vx) + fabs(v.vy) + fabs(v.w) * m->value.r);
}

// Per normal force; twist and wrench in patch axes.
static br_wrench steady_wrench(const void* user, br_twist v)
{
    const steady* it = user;
    const br_distributed* m = it->model;
    const double noise = noise_of(m, v);
    br_wrench sum = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < m->count; i++) {
        const br_twist here = lever_twist(v, m->x[i], m->y[i]);
        const double speed = hypot(here.vx, here.vy);

        // z* = g v/(sigma0 |v|),  l* = (sigma0 z* + sigma2 v) p                         (11), (12)
        const double along = speed > noise ? br_law_g(&m->law, speed) / (speed + it->small) : 0.0;
        const double p = m->weight[i] * (along + m->law.sigma2);
        const br_wrench l = {-p * here.vx, -p * here.vy, 0.0};
        lever_add(&sum, 1.0, lever_wrench(l, m->x[i], m->y[i])); //                      (19), (20)
    }
    return sum;
}

void br_distributed_steady_state_eval(const br_distributed* m, br_twist v, double* z)
{
    BR_ASSERT(m && z);
    const br_twist u = axes_enter(m->axes, v);
    const double noise = noise_of(m, u);
    for (size_t i = 0; i < m->count; i++) {
        const br_twist here = lever_twist(u, m->x[i], m->y[i]);
        const double speed = hypot(here.vx, here.vy);

        // z* = g v/(sigma0 |v|)                                                               (11)
        const int counts = m->weight[i] > 0.0 && speed > noise;
        const double along = counts ? br_law_g(&m->law, speed) / (m->law.sigma0 * speed) : 0.0;
        z[i] = along * here.vx;
        z[m->count + i] = along * here.vy;
    }
}

static br_wrench scaled(br_wrench f, double s)
{
    return (br_wrench){s * f.fx, s * f.fy, s * f.tau};
}

br_wrench br_distributed_steady_eval(const br_distributed* m, br_twist v, double fn)
{
    BR_ASSERT(m);
    const steady it = {m, 0.0};
    return axes_leave(m->axes, scaled(steady_wrench(&it, axes_enter(m->axes, v)), fn));
}

br_wrench br_distributed_steady_bilinear_eval(const br_distributed* m, br_twist v, double fn,
                                              int published)
{
    BR_ASSERT(m);
    const steady it = {m, published ? published_small / m->law.sigma0 : 0.0};
    const grid_rule rule = published ? GRID_PUBLISHED : GRID_RIGHT;
    const br_wrench f =
        interpolate_corners(&m->grid, rule, axes_enter(m->axes, v), steady_wrench, &it);
    return axes_leave(m->axes, scaled(f, fn));
}
