/*
 * Steady state of cells by W&K's interpolation (21) between rotations about the corners of a cell, which
 * removes the noise of the cell that contains the centre of rotation.
 */
#include "bristle/papers.h"

#include <float.h>

#include "math/lever.h"
#include "planar/contact_internal.h"

// The published code adds this to sigma0 |v| [1/s].
static const double published_small = 1e-10;

// A contact at steady state, the user data of bri_interpolate_corners().
typedef struct steady {
    const br_contact* contact;
    double small; // added to |v| [m/s]
} steady;

// Per normal force; twist and wrench in patch axes.
static br_wrench steady_wrench(const void* user, br_twist v)
{
    const steady* it = user;
    const br_contact* c = it->contact;
    const br_law* law = &c->def.law;
    const double noise = // slower cells have no direction
        4.0 * DBL_EPSILON * (fabs(v.vx) + fabs(v.vy) + fabs(v.w) * c->value.r);
    br_wrench sum = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < c->parts.count; i++) {
        const double x = c->parts.x[i], y = c->parts.y[i];
        const br_twist here = lever_twist(v, x, y);
        const double speed = hypot(here.vx, here.vy);

        // z* = g v/(sigma0 |v|),  l* = (sigma0 z* + sigma2 v) p                         (11), (12)
        const double along = speed > noise ? br_law_g(law, speed) / (speed + it->small) : 0.0;
        const double p = c->parts.weight[i] * (along + law->sigma2);
        const br_wrench l = {-p * here.vx, -p * here.vy, 0.0};
        lever_add(&sum, 1.0, lever_wrench(l, x, y)); //                                  (19), (20)
    }
    return sum;
}

br_wrench br_papers_steady_eval(const br_contact* c, br_twist v, double fn, int published)
{
    BR_ASSERT(c && c->def.method == BR_METHOD_DISTRIBUTED);
    const steady it = {c, published ? published_small / c->def.law.sigma0 : 0.0};
    const grid_rule rule = published ? GRID_PUBLISHED : GRID_RIGHT;
    const br_wrench f =
        bri_interpolate_corners(&c->grid, rule, map2_enter(c->map, v), steady_wrench, &it);
    return map2_leave(c->map, (br_wrench){fn * f.fx, fn * f.fy, fn * f.tau});
}
