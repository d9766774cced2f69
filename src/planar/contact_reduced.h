/*
 * What the files of the reduced methods share: three bristles z = (z_x, z_y, z_tau) for a whole patch.
 *
 * The third state is z_tau itself. Where the patch changes with the normal force it is z_tau/u, the
 * angle by which the bristles are turned, which stays then as it does in cells: `turn` is u or 1.
 *
 * W&K = Waltersson & Karayiannidis, section V; numbers in brackets are that paper's equations.
 */
#ifndef BRISTLE_PLANAR_CONTACT_REDUCED_H
#define BRISTLE_PLANAR_CONTACT_REDUCED_H

#include "planar/contact_internal.h"

#include "math/vec3.h"

// A speed |v_S| that counts as rest, since its inverse is not a number any more [m/s].
#define REDUCED_REST 1e-300

// |v_S| = |S v|, S = diag(1, 1, r)                                                       (25), W-22
static inline double reduced_speed(const br_contact* c, br_twist v)
{
    return vec3_norm((const double[3]){v.vx, v.vy, c->value.r * v.w});
}

// zeta = S^-1 z [m, m, m] of a state; that of a point's spin is 0
static inline void reduced_zeta(const br_contact* c, const double z[3], double zeta[3])
{
    zeta[0] = z[0];
    zeta[1] = z[1];
    zeta[2] = c->look.turn * c->look.per_r * z[2];
}

// The twist that a surface is asked for: a point does not feel its spin. Told of it, a surface may take
// a pivot that creeps for one at rest, where it has no h.
static inline br_twist reduced_slip(const br_contact* c, br_twist v)
{
    return (br_twist){v.vx, v.vy, c->value.r == 0.0 ? 0.0 : v.w};
}

// The normalised limit surface h(r, v) of (29), against the motion; 0 at rest.
void bri_reduced_surface(const br_contact* c, br_twist v, double h[3]);

// How the bristles move, zeta as lengths: y = -h |v_S|, vn = |y|, rho = 1/|h|, with derivatives.
kernel_motion bri_reduced_motion(const br_contact* c, br_twist v);

// The motion along an axis of the twist at unit speed, without vn: as rates begin from rest there.
kernel_motion bri_reduced_motion_along(const br_contact* c, int axis);

// What br_contact_eval() and its like do for a reduced contact; load: how it slips, may be NULL.
br_wrench bri_reduced_eval(const br_contact* c, const double* z, const br_twist* v, double fn,
                           double* dz, kernel_load* load);
br_wrench bri_reduced_steady(const br_contact* c, br_twist v, double fn, double* z);
void bri_reduced_gradient(const br_contact* c, const double* z, br_twist v, double fn,
                          br_contact_gradient* out);
void bri_reduced_sensitivity(const br_contact* c, const double* z, br_twist v, double fn,
                             br_contact_sensitivity* out);
br_wrench bri_reduced_hold(const br_contact* c, double* z, br_twist v, double fn, double h,
                           br_step_energy* energy);

// The same of many that share one, REDUCED_MOST at most, with the same bits; `h` of the arrays is not used.
enum { REDUCED_MOST = 512 };
void bri_reduced_arrays_eval(const br_contact* c, const kernel_contacts* many);
void bri_reduced_arrays_hold(const br_contact* c, const kernel_contacts* many, double h);

// What a stage of a body's step needs of a reduced contact (step_stage.h).
enum { REDUCED_MEMO = 4 };
void bri_reduced_pass(const br_contact* c, const kernel_step* in, kernel_force* out);

#endif
