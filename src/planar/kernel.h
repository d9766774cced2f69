/*
 * The kernel of all planar models: bundles of bristles, LANES of them at a time.
 *
 * A bundle is a few bristles that decay together. A cell of the distributed model is a bundle of two, a
 * block one of three, the reduced model one bundle of three whose motion comes from a limit surface. One
 * source, kernel_*.inc, is compiled for 1, 2, 4 and 8 lanes (kernel_1.c .. kernel_8.c);
 * bri_kernel_best() picks the instance for the processor. The oracle of test/unit/test_kernel.c is plain
 * code written like the papers, bundle by bundle.
 *
 * Axes are the patch's, positions and twists are relative to the CoP. Forces are resistances F = -f/fn.
 *
 * Arrays of a contact with n bundles of k = 2 or 3 bristles; none may overlap another:
 *   z, dz   (k n)      all x bristles, then all y, then all spins [m; m; m^2], their rates
 *   dz_z    (k k n)    d(dz_r)/dz_c of bundle i at (k r + c) n + i
 *   dz_v    (k 3 n)    d(dz_r)/dv_c of bundle i at (3 r + c) n + i; v is the twist at the CoP
 *   f_z     (3 k n)    df_r/dz_c of bundle i at (k r + c) n + i
 *   decay_cache (3 n)  of an implicit step: decay x = h kappa, f, and 1 - e of each bundle, where the
 *                      share e of sigma1 is left at its speed; all three are 0 for a bundle at rest
 * n is a multiple of KERNEL_PAD; padding has weight 0, finite x and y, and rates 0.
 */
#ifndef BRISTLE_PLANAR_KERNEL_H
#define BRISTLE_PLANAR_KERNEL_H

#include "bristle/law.h"
#include "bristle/math.h"

#include <stddef.h>
#include <stdint.h>

#include "law/curve.h"
#include "math/dual.h"

enum {
    KERNEL_PAD = 8,      // n is a multiple of it
    KERNEL_GROUP = 4,    // cells of a lattice that share a row and follow each other in x
    KERNEL_LINES = 1024, // maximum number of columns and of rows of a lattice
    KERNEL_DECAYS = 3    // doubles in the decay_cache of each bundle
};

static inline size_t kernel_padded(size_t n)
{
    return (n + KERNEL_PAD - 1) / KERNEL_PAD * KERNEL_PAD;
}

// A law with precomputed numbers: bri_kernel_law().
typedef struct kernel_law {
    int plastic;              // 1: elasto-plastic, 0: LuGre
    double mu_c, drop;        // g = mu_c + drop exp(-(n/v_s)^gamma), drop = mu_s - mu_c  (2)
    double v_stribeck, gamma; //
    double per_v2;            // -1/v_s^2
    double sigma0, sigma1, sigma2, s_ba;
    double per_d2;           // e = 1/(1 + n^2/v_d^2): 1/v_d^2 > 0, or 0: constant damping     (D-1)
    double middle, per_band; // alpha = (1 + sin(pi (|z|/z_max - middle)/(1 - s_ba)))/2       (18)
    double elastic;          // (sigma0/s_ba)^2: elastic while elastic |z|^2 <= g^2
    const br_curve* curve;   // not NULL: g from a table, by the instance bri_kernel_for() returns
} kernel_law;

kernel_law bri_kernel_law(const br_law* law);

#define KERNEL_MOST_PER_D2 1e300 // upper bound: per_d2 is finite for any v_d > 0

// The largest 1 - e at which bundles count as sticking, with the damping at rest.
#define STICKING_LESS 0.01

// The bundles of a contact, which owns the arrays; the kernel only reads them.
typedef struct kernel_bundles {
    size_t count;               // n
    double *x, *y, *weight;     // (n); the weights sum to 1
    double one, mean_x, mean_y; // sums of w, w x, w y: 1, 0, 0 up to rounding
    double square;              // sum of w (|rho|^2 + t): u [m^2]

    // blocks; NULL for cells
    double *t, *per_t;    // trace of the covariance S [m^2], 1/t or 0 where t = 0 (n)
    double *xx, *xy, *yy; // S/t [-]; the unit matrix where t = 0 (n)
    double* turn;         // c0 = 3 - 4 det S/t^2 [-] (n)

    // cells on a lattice; columns = 0: none. Cells 4 j .. 4 j + 3 are in row[j], from column[j] on.
    size_t columns, rows;
    double* column_x;       // [m] (columns rounded up to KERNEL_PAD, + KERNEL_PAD)
    double* row_y;          // [m] (rows rounded up to KERNEL_PAD)
    uint32_t *column, *row; // (n/4)
} kernel_bundles;

// Derivatives of rates and, optionally, of the resistance.
typedef struct kernel_gradient {
    double *dz_z, *dz_v; // caller's, may be NULL
    double* decay;       // not NULL: only k, dk/dz, dk/dv of cells (5 x n); caller's
    int force;           // 1: f_z, f_v and f, too
    double scale;        // factor of f_z and f_v: -fn turns resistances into wrenches
    double* f_z;         // caller's, may be NULL
    double f_v[3][3];    // out
    double f[3];         // out: F itself, not scaled
} kernel_gradient;

// Sums for stick and slip of a contact, per fn; explained in contact_load.c.
typedef struct kernel_load {
    double speed;  // mean speed of its bundles [m/s]
    double most;   // power if all slide [m/s]
    double resist; // power against the bristles, sigma0 sum w z.v [m/s]
    double slip;   // power lost in their decay, over g [m/s]
} kernel_load;

// Input of a pass over the bristles in an implicit step.
typedef struct kernel_step {
    const double* z;     // at the start
    double v[3];         // at the end
    double h;            // [s]
    double* decay_cache; // a pass writes x, f and 1 - e
} kernel_step;

// Result of a pass: resistance at the end of the step and its derivatives by the twist.
typedef struct kernel_force {
    double f[3];
    double f_v[3][3];
    int elastic; // 1: no bristle decays, and the damping is nearly that at rest
    int follows; // 1: bristles that do not decay follow the body; 0: only as a limit surface lets them
} kernel_force;

// A number and its derivatives by the twist.
typedef DUAL_OF(double, 3) kernel_number;

// Motion of a bundle of three bristles that decay alike, as those of a reduced contact do.
typedef struct kernel_motion {
    kernel_number y[3]; // velocity of the bristles [m/s]
    kernel_number vn;   // |y| [m/s]
    kernel_number rho;  // sigma0 |z| rho/g = |z|/z_max [-]
    kernel_number g;    // [-]
    kernel_number less; // 1 - e [-]: 0 for constant damping
} kernel_motion;

// Rates of such a bundle, and their derivatives by its bristles and by the twist.
typedef struct kernel_slopes {
    double rate[3], by_z[3][3], by_v[3][3];
} kernel_slopes;

// With decays frozen F = slope v + rest.
typedef struct kernel_linear {
    double slope[3][3];
    double rest[3];
} kernel_linear;

// Result of a step, per fn.
typedef struct kernel_closed {
    double f[3];
    double heat;          // energy turned into heat, per h
    double before, after; // energy stored at the start and at the end
} kernel_closed;

// How the limit surface of a reduced contact is computed.
typedef enum kernel_lookup {
    KERNEL_ROUND,  // the ellipsoid (22)
    KERNEL_TABLE,  // bilinear in a table of h, (33)-(42)
    KERNEL_SMOOTH, // the smooth table of the dissipation, limit/smooth.c
    KERNEL_GIVEN   // the caller passes h
} kernel_lookup;

typedef struct kernel_surface {
    kernel_lookup lookup;
    double r, per_r;       // of S = diag(1, 1, r) [m], 1/r or 0 for a point
    double turn, per_turn; // z_tau over the third state, and its inverse
    double u;              // of U = diag(1, 1, u) [m^2]
    size_t n;              // table: N_ls; smooth: cells along a face
    const double* nodes;   // table: h_x, h_y, h_tau, 0 of each ((4 n + 1) x (n + 1) x 4);
                           // smooth: G, G_a, G_b, G_ab of each (3 x (n + 1) x (n + 1) x 4)
    double cosine, sine;   // smooth: of the patch frame's x axis in the contact frame
    double length;         // smooth: l [m]
} kernel_surface;

// Reduced contacts of one model, as arrays (count). Results may not overlap inputs.
typedef struct kernel_contacts {
    size_t count;
    const double *z[3], *v[3], *fn; // [m, m, m^2; m/s, m/s, rad/s; N]
    const double* h[3];             // of the surface for KERNEL_GIVEN, else NULL
    double *dz[3], *f[3]; // out: rates, or z after a step; wrench on the body, contact frame
    double* energy[3]; // out of a step: stored at its end, work of the body, heat [J]; may be NULL
    int interleaved;   // in a step: z, v, dz, f and energy are arrays of triples, each at [0]
} kernel_contacts;

// Rates and wrench of one reduced contact; h: only read for KERNEL_GIVEN; out: sums for stick and slip, may
// be NULL.
typedef br_wrench kernel_one(const kernel_surface* s, const kernel_law* law, const double z[3],
                             const br_twist* v, double fn, const double h[3], double dz[3],
                             kernel_load* out);

// Functions for one reduced contact and for many. One contact gives the same bits as in a batch.
typedef struct kernel_reduced {
    const struct kernel_reduced* few; // the best instance for single contacts: this one or another
    kernel_one* one[4][2][2]; // by kernel_lookup, plastic, gamma = 2; only in the instance `few`
    void (*batch)(const kernel_surface* s, const kernel_law* law, const kernel_contacts* c);
    // one implicit step [s] at constant twist, in place where dz is z; `guard`: never creates energy
    void (*hold)(const kernel_surface* s, const kernel_law* law, const kernel_contacts* c,
                 double step, int guard);
    // one contact in a step of a body, after a pass that wrote x, y - S v (3) and 1 - e to the cache
    void (*linear)(const kernel_surface* s, const kernel_law* law, const kernel_step* in,
                   int limited, kernel_linear* out);
    void (*close)(const kernel_surface* s, const kernel_law* law, const kernel_step* in,
                  int limited, double z1[3], kernel_closed* out);
} kernel_reduced;

static inline kernel_one* kernel_one_of(const kernel_reduced* few, const kernel_surface* s,
                                        const kernel_law* law)
{
    return few->one[s->lookup][law->plastic][law->gamma == 2.0];
}

// One instance. `limited`: with sigma1 so small that it cannot create energy.
typedef struct kernel {
    int lanes;

    // rates, and F (19), (20)
    void (*eval)(const kernel_bundles* b, const kernel_law* law, const double* z, const double v[3],
                 double* dz, double f[3]);
    // the same, and the sums for stick and slip; dz may be NULL
    void (*load)(const kernel_bundles* b, const kernel_law* law, const double* z, const double v[3],
                 double* dz, double f[3], kernel_load* out);
    // H(n) = sum w g(v) B^T B/|B n|, |B n| at least `least_speed`
    void (*form)(const kernel_bundles* b, const kernel_law* law, const double v[3],
                 const double n[3], double least_speed, double form[3][3]);
    // sum w B^T z: elastic force and torque of the bristles, over sigma0
    void (*elastic)(const kernel_bundles* b, const double* z, double f[3]);
    void (*gradient)(const kernel_bundles* b, const kernel_law* law, const double* z,
                     const double v[3], kernel_gradient* out);

    // one implicit step of a body: does no bundle decay? then the cache, zeroed before, has 1 - e as a pass writes it
    int (*sticks)(const kernel_bundles* b, const kernel_law* law, const kernel_step* in);
    // trial, linear solve with known decays, end
    void (*pass)(const kernel_bundles* b, const kernel_law* law, const kernel_step* in,
                 kernel_force* out);
    void (*linear)(const kernel_bundles* b, const kernel_law* law, const kernel_step* in,
                   int limited, kernel_linear* out);
    void (*close)(const kernel_bundles* b, const kernel_law* law, const kernel_step* in,
                  int limited, double* z1, kernel_closed* out);

    // One bundle whose motion the caller passes, z (3) as lengths: a pass over it, without sigma2 (cache: x;
    // `v` is not read); its rates and their derivatives. Only in `lone`, the best instance for one bundle.
    const struct kernel* lone;
    void (*moved)(const kernel_motion* m, const kernel_law* law, const kernel_step* in,
                  kernel_force* out);
    void (*moved_slopes)(const kernel_motion* m, const kernel_law* law, const double z[3],
                         kernel_slopes* out);

    // one implicit step at constant twist, in place; `limited` if it would create energy
    void (*hold)(const kernel_bundles* b, const kernel_law* law, double* z, const double v[3],
                 double h, kernel_closed* out);

    const kernel_reduced* reduced;
} kernel;

// The best instance for this processor; and the one with `lanes` lanes, NULL if the processor lacks them.
const kernel* bri_kernel_best(void);
const kernel* bri_kernel_with(int lanes);

// The instance for a law: that with tables, which is one lane wide, the best one, or for `plain` that of one lane.
const kernel* bri_kernel_for(const kernel_law* law, int plain);

#endif
