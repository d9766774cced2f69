/*
 * Shared by the files of the reduced methods: three bristles z = (z_x, z_y, z_tau) for a whole patch.
 *
 * The third state is z_tau itself. If the patch depends on the normal force, the third state is the angle
 * z_tau/u by which the bristles are turned: like cells, it stays the same when the patch changes. `turn` is 1 or u.
 *
 * W&K = Waltersson & Karayiannidis, section V; numbers in brackets are that paper's equations.
 */
#ifndef BRISTLE_PLANAR_CONTACT_REDUCED_H
#define BRISTLE_PLANAR_CONTACT_REDUCED_H

#include "planar/contact_internal.h"

#include "math/vec3.h"

// Lower speeds |v_S| count as rest, since their inverse would overflow [m/s].
#define REDUCED_REST 1e-300

// |v_S| = |S v|, S = diag(1, 1, r)                                                       (25), W-22
static inline double reduced_speed(const br_contact* c, br_twist v)
{
    return vec3_norm((const double[3]){v.vx, v.vy, c->value.r * v.w});
}

// zeta = S^-1 z [m, m, m] of a state; 0 for the spin of a point
static inline void reduced_zeta(const br_contact* c, const double z[3], double zeta[3])
{
    zeta[0] = z[0];
    zeta[1] = z[1];
    zeta[2] = c->look.turn * c->look.per_r * z[2];
}

// The twist at which the surface is evaluated: without spin for a point. With it, a surface may take a
// spinning point that creeps for one at rest, where it has no h.
static inline br_twist reduced_slip(const br_contact* c, br_twist v)
{
    return (br_twist){v.vx, v.vy, c->value.r == 0.0 ? 0.0 : v.w};
}

// The normalised limit surface h(r, v) of (29), opposite to the motion; 0 at rest.
void bri_reduced_surface(const br_contact* c, br_twist v, double h[3]);

// The motion of the bristles, zeta as lengths: y = -h |v_S|, vn = |y|, rho = 1/|h|, with derivatives.
kernel_motion bri_reduced_motion(const br_contact* c, br_twist v);

// The motion at unit speed along an axis of the twist, with vn = 0: gives the rates at the start from rest.
kernel_motion bri_reduced_motion_along(const br_contact* c, int axis);

// br_contact_eval() and similar functions for a reduced contact; load: sums for stick and slip, may be NULL.
br_wrench bri_reduced_eval(const br_contact* c, const double* z, const br_twist* v, double fn,
                           double* dz, kernel_load* load);
br_wrench bri_reduced_steady(const br_contact* c, br_twist v, double fn, double* z);
void bri_reduced_gradient(const br_contact* c, const double* z, br_twist v, double fn,
                          br_contact_gradient* out);
br_wrench bri_reduced_hold(const br_contact* c, double* z, br_twist v, double fn, double h,
                           br_step_energy* energy);

// The same for up to REDUCED_MOST contacts that share one br_contact, with the same bits; many->h is not used.
enum { REDUCED_MOST = 512 };
void bri_reduced_arrays_eval(const br_contact* c, const kernel_contacts* many);
void bri_reduced_arrays_hold(const br_contact* c, const kernel_contacts* many, double h);

// May the arrays of a step be interleaved? Not if the surface or the twist is computed outside of the kernel.
static inline int reduced_interleaves(const br_contact* c)
{
    return c->look.lookup != KERNEL_GIVEN && !c->is_stretched;
}

// A pass over a reduced contact in a stage of a body's step (step_stage.h).
enum { REDUCED_MEMO = 5 };
void bri_reduced_pass(const br_contact* c, const kernel_step* in, kernel_force* out);

// Do the bristles of an ellipsoid not decay in a step to the twist in->v? 0 for other surfaces, whose bristles do not
// follow the body even if they stick. The cache is 0 before.
int bri_reduced_sticks(const br_contact* c, const kernel_step* in);

// Make the bristles in the cache follow the body, y = S v, as those of an ellipsoid do.
void bri_reduced_follow_body(double* decay_cache);

#endif
