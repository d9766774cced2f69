/*
 * Derivatives of the bristles of one contact over an implicit step, for LANES bundles at a time.
 *
 * The end of a step depends on two twists: `at`, at which the decays x, f and the damping s were found, and `v` at its end,
 *   z1 = t/(1 + D x),   F = (sigma0 + s/h) z1 - (s/h) z0 + sigma2 y,   t = z0 + h y(v),   D = (1, 1, f)
 * Both are the same where Newton converged and the damping is the law's. Then `begin` and `end` are enough. Else
 * `close_begin` and `close_end` differentiate the end with decays that are given, `decays` these.
 *
 * Adjoints are named by a `b` at the end. Axes, twists and resistances as in kernel.h.
 */
#ifndef BRISTLE_PLANAR_GRADIENT_KERNEL_H
#define BRISTLE_PLANAR_GRADIENT_KERNEL_H

#include "bristle/gradient.h"

#include "planar/kernel.h"

// A pass over the bristles of a contact.
typedef struct gradient_pass {
    const double *z0, *z1; // states at both ends; z1 is the one that the twist `at` gives
    double at[3], v[3];    // `begin`, `end`, `forward`: the same
    double h;
    int limited;      // 1: the damping is limited
    const double* zb; // adjoint of the state at the end, NULL: 0
    double Fb[3];     // adjoint of F
    double*
        memo; // reduced contacts: `begin` leaves GRADIENT_MEMO doubles for `end` and `forward` with the same twist; NULL: none
} gradient_pass;

enum { GRADIENT_MEMO = 72 };

// Resistance, its slope with the twist v, and what the adjoints are for v.
typedef struct gradient_tangent {
    double F[3], F_v[3][3], vb[3];
    double heat; // per h
    int kinks;   // 1: a bundle is at rest where it has two slopes
} gradient_tangent;

// Adjoints of numbers that all bundles share.
typedef struct gradient_sums {
    double law[BR_BY_COUNT], h, length;
} gradient_sums;

// How a contact changes with its normal force: it at two forces nearby, and the difference of its parts over that of the forces.
struct br_contact_slopes {
    const br_contact *more, *less;
    double per;           // 1/(difference of the forces) [1/N]
    kernel_bundles parts; // slopes of x, y, weight; blocks: t, turn, xx, xy, yy
    br_patch_value value; // slopes of cop, r, u
    int kink;             // 1: the patch stops growing between the two
};

// A direction: of the twist at which the decays are found and the bristles move, h, lengths, law and state.
typedef struct gradient_direction {
    double v[3], h, length, law[BR_BY_COUNT];
    const double* z0;                // NULL: 0
    double fn;                       // of the normal force, as far as the patch follows it
    const br_contact_slopes* slopes; // how it does; NULL: it is held
    double* inner; // out: <zb, z1_dot> is added, zb that of the pass; NULL: skipped
} gradient_direction;

// Doubles in the decays' adjoints or directions of each bundle: x, f, s.
enum { GRADIENT_DECAYS = 3 };

// One instance; the contact's own law, or one without fading, is passed.
typedef struct gradient_kernel {
    void (*begin)(const kernel_bundles* b, const kernel_law* law, const gradient_pass* in,
                  gradient_tangent* out);
    // z0b may be in->zb; NULL: skipped. laws: `out` is needed, too.
    void (*end)(const kernel_bundles* b, const kernel_law* law, const gradient_pass* in,
                double* z0b, int laws, gradient_sums* out);
    // z1_dot may be NULL
    void (*forward)(const kernel_bundles* b, const kernel_law* law, const gradient_pass* in,
                    const gradient_direction* d, double* z1_dot, double F_dot[3]);

    // The end with given decays: F_v and vb are those of v alone.
    void (*close_begin)(const kernel_bundles* b, const kernel_law* law, const gradient_pass* in,
                        gradient_tangent* out);
    void (*close_end)(const kernel_bundles* b, const kernel_law* law, const gradient_pass* in,
                      double* z0b, double* decays, gradient_sums* out);
    // Of decays at in->at: vb; adds to z0b (may be NULL) and out.
    void (*decays)(const kernel_bundles* b, const kernel_law* law, const gradient_pass* in,
                   const double* decays, double vb[3], double* z0b, gradient_sums* out);
    // Forwards: d->v is the direction of `at`, then that of `v`
    void (*decays_forward)(const kernel_bundles* b, const kernel_law* law, const gradient_pass* in,
                           const gradient_direction* d, double* decays);
    void (*close_forward)(const kernel_bundles* b, const kernel_law* law, const gradient_pass* in,
                          const gradient_direction* d, const double* decays, double* z1_dot,
                          double F_dot[3]);
} gradient_kernel;

#endif
