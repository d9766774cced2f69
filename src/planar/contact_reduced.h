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

// zeta = S^-1 z [m, m, m] of a state
static inline void reduced_zeta(const br_contact* c, const double z[3], double zeta[3])
{
    zeta[0] = z[0];
    zeta[1] = z[1];
    zeta[2] = c->zeta_per_z * z[2];
}

// and the state of a zeta
static inline void reduced_z(const br_contact* c, const double zeta[3], double z[3])
{
    z[0] = zeta[0];
    z[1] = zeta[1];
    z[2] = c->z_per_zeta * zeta[2];
}

// The twist that a surface is asked for: a point does not feel its spin. Told of it, a surface may take
// a pivot that creeps for one at rest, where it has no h.
static inline br_twist reduced_slip(const br_contact* c, br_twist v)
{
    return (br_twist){v.vx, v.vy, c->value.r == 0.0 ? 0.0 : v.w};
}

// The normalised limit surface h(r, v) of (29), against the motion; 0 at rest.
void bri_reduced_surface(const br_contact* c, br_twist v, double h[3]);

// |v_S| dh/dv for v that is not 0, h as bri_reduced_surface() gives it.
void bri_reduced_surface_slopes(const br_contact* c, br_twist v, const double h[3],
                                double out[3][3]);

// f = -(sigma0 z + sigma1 dz + sigma2 U v) fn,  U = diag(1, 1, u)                       (26), (27)
br_wrench bri_reduced_wrench(const br_contact* c, const double z[3], const double dz[3], br_twist v,
                             double fn);

// beta(S^-1 z, -h |v_S|): how plastic the bristles are                                   (16)-(18)
double bri_reduced_beta(const br_law* law, const double zeta[3], const double h[3], double g);

// What br_contact_eval() and its like do for a reduced contact; load: how it slips, may be NULL.
br_wrench bri_reduced_eval(const br_contact* c, const double* z, const br_twist* v, double fn,
                           double* dz, kernel_load* load);
kernel_load bri_reduced_load(const br_contact* c, const double* z, br_twist v);
br_wrench bri_reduced_steady(const br_contact* c, br_twist v, double fn, double* z);
void bri_reduced_gradient(const br_contact* c, const double* z, br_twist v, double fn,
                          br_contact_gradient* out);
void bri_reduced_sensitivity(const br_contact* c, const double* z, br_twist v, double fn,
                             br_contact_sensitivity* out);
br_wrench bri_reduced_hold(const br_contact* c, double* z, br_twist v, double fn, double h,
                           br_step_energy* energy);

// The same of many that share one, with the same bits; `h` of the arrays is not used.
void bri_reduced_arrays_eval(const br_contact* c, const kernel_contacts* many);
void bri_reduced_arrays_hold(const br_contact* c, const kernel_contacts* many, double h);

// What a stage of a body's step needs of a reduced contact (step_stage.h).
enum { REDUCED_MEMO = 4 };
void bri_reduced_pass(const br_contact* c, const kernel_step* in, kernel_force* out);
void bri_reduced_linear(const br_contact* c, const kernel_step* in, int limited,
                        kernel_linear* out);
void bri_reduced_close(const br_contact* c, const kernel_step* in, int limited, double* z1,
                       kernel_closed* out);

#endif
