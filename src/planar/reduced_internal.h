/*
 * The inside of a reduced model.
 */
#ifndef BRISTLE_PLANAR_REDUCED_INTERNAL_H
#define BRISTLE_PLANAR_REDUCED_INTERNAL_H

#include "bristle/reduced.h"
#include "math/vec3.h"

#include "planar/law_numbers.h"

// How the fast path finds h.
typedef enum reduced_lookup {
    LOOKUP_ROUND, // the ellipsoid (22)
    LOOKUP_TABLE, // (33)-(42) from `nodes`
    LOOKUP_ANY    // asks the surface
} reduced_lookup;

typedef br_wrench (*reduced_eval_fn)(const br_reduced*, const double*, br_twist, double, double*);

struct br_reduced {
    br_law law;
    const br_limit* surface; // borrowed; NULL: ellipsoid (22)
    double fn;               // at which the surface was taken over, if it depends on it [N]
    br_patch_value value;    // r, u as the surface has them
    double inverse_r;        // of S^-1 [1/m]; 0 for a point, whose z_tau stays 0
    int guard;

    reduced_eval_fn eval; // one contact
    reduced_lookup lookup;
    size_t n;      // N_ls of the table
    double* nodes; // the table's h, padded: (4 n + 1) x (n + 1) x 4; NULL without table

    // for the fast twins
    double per_angle; // 2 n/pi: cells per radian
    law_numbers numbers;
};

// The plain twins, which read like the paper.
br_wrench reduced_eval_plain(const br_reduced* model, const double z[3], br_twist v, double fn,
                             double dz[3]);

// |v_S| = |S v|, S = diag(1, 1, r)                                                       (25), W-22
static inline double reduced_speed(const br_reduced* m, br_twist v)
{
    return vec3_norm((const double[3]){v.vx, v.vy, m->value.r * v.w});
}

// zeta = S^-1 z [m, m, m]
static inline void reduced_zeta(const br_reduced* m, const double z[3], double zeta[3])
{
    zeta[0] = z[0];
    zeta[1] = z[1];
    zeta[2] = m->inverse_r * z[2];
}

// The twist that a surface is asked for: a point does not feel its spin. Told of it, a surface may take
// a pivot that creeps for one at rest, where it has no h.
static inline br_twist reduced_felt(const br_reduced* m, br_twist v)
{
    return (br_twist){v.vx, v.vy, m->value.r == 0.0 ? 0.0 : v.w};
}

// A speed |v_S| that counts as rest, since its inverse is not a number any more [m/s].
#define REDUCED_REST 1e-300

// The normalised limit surface h(r, v) of (29), against the motion; 0 at rest.
void reduced_surface(const br_reduced* model, br_twist v, double h[3]);

// beta(zeta, -h |v_S|), (16)-(18): how plastic the bristles are. g is that of |v_S|.
double reduced_beta(const br_law* law, const double zeta[3], const double h[3], double g);

// |v_S| dh/dv for v that is not 0, h as reduced_surface() gives it.
void reduced_surface_slopes(const br_reduced* model, br_twist v, const double h[3],
                            double out[3][3]);

// f = -(sigma0 z + sigma1 dz + sigma2 U v) fn,  U = diag(1, 1, u)                       (26), (27)
br_wrench reduced_wrench(const br_reduced* model, const double z[3], const double dz[3], br_twist v,
                         double fn);

#endif
