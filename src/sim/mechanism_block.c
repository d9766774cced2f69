/*
 * A block on a floor or a slope: the first example of H+, (37)-(40).
 */
#include "bristle/mechanism.h"

#include <math.h>

static void dynamics(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    const br_slope_block* block = user;
    const double force = br_profile_eval(&block->force, at->t, at->within, NULL);
    const double c = cos(block->angle), s = sin(block->angle);

    // M = diag(m, m),  Q = (F, -m g)                                                         (38)
    out->M[0] = out->M[3] = block->mass;
    out->Q[0] = force * c;
    out->Q[1] = force * s - block->mass * block->gravity;
    out->potential = block->mass * block->gravity * at->q[1];
    out->power = force * (c * at->qd[0] + s * at->qd[1]);
}

static void constraint(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    const br_slope_block* block = user;
    out->A[0] = -sin(block->angle);
    out->A[1] = cos(block->angle);
    out->gap[0] = out->A[0] * at->q[0] + out->A[1] * at->q[1];
}

static void contact(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    const br_slope_block* block = user;
    out->point[0] = at->q[0];
    out->point[1] = at->q[1];
    out->J[0] = out->J[3] = 1.0;
    out->normal[0] = -sin(block->angle);
    out->normal[1] = cos(block->angle);
}

br_mechanism br_slope_block_mechanism(const br_slope_block* block)
{
    BR_ASSERT(block);
    return (br_mechanism){.n = 2,
                          .m = 1,
                          .d = 2,
                          .normals = 1,
                          .dynamics = dynamics,
                          .constraint = constraint,
                          .contact = contact,
                          .profiles = {&block->force},
                          .user = (void*)block};
}

void br_slope_block_start(const br_slope_block* block, double x, double* q)
{
    BR_ASSERT(block && q);
    q[0] = x;
    q[1] = x * tan(block->angle);
}
