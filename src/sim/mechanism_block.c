/*
 * A block on a floor or a slope: the first example of H+, (37)-(40).
 */
#include "sim/path_frame.h"

#include <math.h>

static const double level = 0.0; // the slope in its own frame, y = 0
static const br_path line = {.kind = BR_PATH_POLYNOMIAL, .count = 1, .c = &level};
static const double unit[4] = {1.0, 0.0, 0.0, 1.0}; // J

static path_frame frame_at(const br_slope_block* block, const br_mechanism_at* at)
{
    return bri_path_frame(&block->motion, 2, block->angle, at);
}

static planar_point point_at(const br_mechanism_at* at)
{
    return (planar_point){{at->q[0], at->q[1]}, {at->qd[0], at->qd[1]}, {0.0, 0.0}, unit};
}

static void dynamics(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    const br_slope_block* block = user;
    const double force = br_profile_eval(&block->force, at->t, at->within, NULL);
    const path_frame f = frame_at(block, at);

    // M = diag(m, m),  Q = (F, -m g)                                                         (38)
    out->M[0] = out->M[3] = block->mass;
    out->Q[0] = force * f.c;
    out->Q[1] = force * f.s - block->mass * block->gravity;
    out->potential = block->mass * block->gravity * at->q[1];
    out->power = force * (f.c * at->qd[0] + f.s * at->qd[1]);
}

static void constraint(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    const path_frame f = frame_at(user, at);
    const planar_point point = point_at(at);
    bri_planar_constraint(&line, &f, &point, 2, out);
}

static void contact(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    const path_frame f = frame_at(user, at);
    const planar_point point = point_at(at);
    out->point[0] = at->q[0];
    out->point[1] = at->q[1];
    out->J[0] = out->J[3] = 1.0;
    bri_planar_surface(&line, &f, &point, out);
}

br_mechanism br_slope_block_mechanism(const br_slope_block* block)
{
    BR_ASSERT(block);
    br_mechanism out = {.n = 2,
                        .m = 1,
                        .d = 2,
                        .normals = 1,
                        .dynamics = dynamics,
                        .constraint = constraint,
                        .contact = contact,
                        .coordinates = BR_COORDINATES_POINT,
                        .profiles = {&block->force},
                        .user = (void*)block};
    bri_path_profiles(&block->motion, 2, &out, 1);
    return out;
}

void br_slope_block_start(const br_slope_block* block, double x, double* q)
{
    BR_ASSERT(block && q);
    q[0] = x;
    q[1] = x * tan(block->angle);
}
