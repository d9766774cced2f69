/*
 * The kernel of all planar models: bundles of bristles, LANES of them at a time.
 *
 * A bundle is a few bristles that decay together. A cell of the distributed model is a bundle of two, a
 * block one of three, the reduced model one bundle of three whose motion comes from a limit surface. One
 * source, kernel_*.inc, is compiled for 1, 2, 4 and 8 lanes (kernel_1.c .. kernel_8.c);
 * bri_kernel_best() picks what suits the processor. The code that reads like the papers, bundle by
 * bundle, is the oracle of test/unit/test_kernel.c.
 *
 * Axes are the patch's, places and twists are taken at the CoP. Forces are resistances F = -f/fn.
 *
 * Arrays of a contact with n bundles of k = 2 or 3 bristles; none may overlap another:
 *   z, dz   (k n)      all x bristles, then all y, then all spins [m; m; m^2], their rates
 *   dz_z    (k k n)    d(dz_r)/dz_c of bundle i at (k r + c) n + i
 *   dz_v    (k 3 n)    d(dz_r)/dv_c of bundle i at (3 r + c) n + i; v is the twist at the CoP
 *   f_z     (3 k n)    df_r/dz_c of bundle i at (k r + c) n + i
 *   memo    (2 n)      of an implicit step: decay x = h kappa, f of each bundle
 * n is a multiple of KERNEL_PAD; what pads has weight 0 and finite x and y, its rates are 0.
 */
#ifndef BRISTLE_PLANAR_KERNEL_H
#define BRISTLE_PLANAR_KERNEL_H

#include "bristle/law.h"
#include "bristle/math.h"

#include <stddef.h>
#include <stdint.h>

enum {
    KERNEL_PAD = 8,      // n is a multiple of it
    KERNEL_GROUP = 4,    // cells of a lattice that share a row and follow each other in x
    KERNEL_LINES = 1024, // most columns, most rows of a lattice
    KERNEL_MEMO = 2      // doubles of memo for each bundle
};

static inline size_t kernel_padded(size_t n)
{
    return (n + KERNEL_PAD - 1) / KERNEL_PAD * KERNEL_PAD;
}

// A law, and numbers of it that would else be worked out at every call: bri_kernel_law().
typedef struct kernel_law {
    int plastic;              // 1: elasto-plastic, 0: LuGre
    double mu_c, drop;        // g = mu_c + drop exp(-(n/v_s)^gamma), drop = mu_s - mu_c  (2)
    double v_stribeck, gamma; //
    double per_v2;            // -1/v_s^2
    double sigma0, sigma1, sigma2, s_ba;
    double middle, per_band; // alpha = (1 + sin(pi (|z|/z_max - middle)/(1 - s_ba)))/2       (18)
    double elastic;          // (sigma0/s_ba)^2: elastic while elastic |z|^2 <= g^2
} kernel_law;

kernel_law bri_kernel_law(const br_law* law);

// The bundles of a contact. The arrays are the contact's; the kernel only reads them.
typedef struct kernel_bundles {
    size_t count;               // n
    double *x, *y, *weight;     // (n); the weights sum to 1
    double one, mean_x, mean_y; // sums of w, w x, w y: 1, and 0 but for rounding
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

// Derivatives of rates and, if asked for, of the resistance.
typedef struct kernel_gradient {
    double *dz_z, *dz_v; // caller's, may be NULL
    double* decay;       // cells: k, dk/dz, dk/dv (5 x n), and nothing else; caller's, or NULL
    int force;           // 1: the rest, too
    double scale;        // of f_z and f_v: -fn makes wrenches of resistances
    double* f_z;         // caller's, may be NULL
    double f_v[3][3];    // out
    double f[3];         // out: F itself, not scaled
} kernel_gradient;

// Derivatives by the parameters of the law, BR_BY_MU_C..; dz: (BR_BY_COUNT k n), may be NULL.
typedef struct kernel_sensitivity {
    double f[BR_BY_COUNT][3]; // out
    double* dz;
} kernel_sensitivity;

// How a contact slips, per fn; what the sums mean: contact_load.c.
typedef struct kernel_load {
    double speed;  // mean speed of its bundles [m/s]
    double most;   // power where all slide [m/s]
    double resist; // power against the bristles, sigma0 sum w z.v [m/s]
    double slip;   // power lost in their decay, over g [m/s]
} kernel_load;

// A pass over the bristles in an implicit step: what is asked.
typedef struct kernel_step {
    const double* z; // at the begin
    double v[3];     // at the end
    double h;        // [s]
    double* memo;    // a pass leaves x and f there
} kernel_step;

// What a pass gives: resistance at the end of the step and its slope with the twist.
typedef struct kernel_force {
    double f[3];
    double f_v[3][3];
    int elastic; // 1: no bristle decays
} kernel_force;

// A number and its derivatives by the twist.
typedef struct kernel_number {
    double value, d[3];
} kernel_number;

// How a bundle of three moves whose bristles decay alike, as those of a reduced contact do.
typedef struct kernel_motion {
    kernel_number y[3]; // velocity that the bristles feel [m/s]
    kernel_number vn;   // |y| [m/s]
    kernel_number rho;  // sigma0 |z| rho/g is how far they yield [-]
    kernel_number g;    // [-]
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

// What a step did, per fn.
typedef struct kernel_closed {
    double f[3];
    double heat;          // per h: energy turned into heat
    double before, after; // stored at both ends
} kernel_closed;

// How the limit surface of a reduced contact is found.
typedef enum kernel_lookup {
    KERNEL_ROUND,  // the ellipsoid (22)
    KERNEL_TABLE,  // bilinear in a table of h, (33)-(42)
    KERNEL_SMOOTH, // the smooth table of the dissipation, limit/smooth.c
    KERNEL_GIVEN   // the caller has h
} kernel_lookup;

typedef struct kernel_surface {
    kernel_lookup lookup;
    double r, per_r;       // of S = diag(1, 1, r) [m], 1/r or 0 for a point
    double turn, per_turn; // z_tau over the third state, and back
    double u;              // of U = diag(1, 1, u) [m^2]
    size_t n;              // table: N_ls; smooth: cells along a face
    const double* nodes;   // table: h_x, h_y, h_tau, 0 of each ((4 n + 1) x (n + 1) x 4);
                           // smooth: G, G_a, G_b, G_ab of each (3 x (n + 1) x (n + 1) x 4)
    double cosine, sine;   // smooth: of the patch frame's x axis in the contact frame
    double length;         // smooth: l [m]
} kernel_surface;

// Reduced contacts of one model: arrays of each number (count). Results may not overlap the rest.
typedef struct kernel_contacts {
    size_t count;
    const double *z[3], *v[3], *fn; // [m, m, m^2; m/s, m/s, rad/s; N]
    const double* h[3];             // of the surface, if it is given; else NULL
    double *dz[3],
        *f[3];         // out: rates, or z at the end of a step; wrench on the body, contact frame
    double* energy[3]; // out of a step: stored at its end, heat, work of the body [J]
} kernel_contacts;

// Rates and wrench of one reduced contact; h: only for a surface that is given, else NULL; out: how it
// slips, may be NULL.
typedef br_wrench kernel_one(const kernel_surface* s, const kernel_law* law, const double z[3],
                             const br_twist* v, double fn, const double h[3], double dz[3],
                             kernel_load* out);

// Reduced contacts, one and many. One of them gives the same bits as in a batch.
typedef struct kernel_reduced {
    const struct kernel_reduced* few; // what serves single contacts best: it itself, or another
    kernel_one* one[4][2][2]; // by kernel_lookup, plastic, gamma = 2; only in an instance for few
    void (*batch)(const kernel_surface* s, const kernel_law* law, const kernel_contacts* c);
    // one implicit step [s] with the twist held; `guard`: never gives energy back
    void (*hold)(const kernel_surface* s, const kernel_law* law, const kernel_contacts* c,
                 double step, int guard);
    // one contact in a step of a body, after a pass that left x and y - S v (3) in the memo
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

// One instance. `limited`: with sigma1 so small that it cannot give energy back.
typedef struct kernel {
    int lanes;

    // rates, and F (19), (20)
    void (*eval)(const kernel_bundles* b, const kernel_law* law, const double* z, const double v[3],
                 double* dz, double f[3]);
    // the same, and how they slip; dz may be NULL
    void (*load)(const kernel_bundles* b, const kernel_law* law, const double* z, const double v[3],
                 double* dz, double f[3], kernel_load* out);
    // H(n) = sum w g(v) B^T B/|B n|, |B n| at least `least_speed`
    void (*form)(const kernel_bundles* b, const kernel_law* law, const double v[3],
                 const double n[3], double least_speed, double form[3][3]);
    // sum w B^T z: what the bristles hold, over sigma0
    void (*elastic)(const kernel_bundles* b, const double* z, double f[3]);
    void (*gradient)(const kernel_bundles* b, const kernel_law* law, const double* z,
                     const double v[3], kernel_gradient* out);
    void (*sensitivity)(const kernel_bundles* b, const kernel_law* law, const double* z,
                        const double v[3], kernel_sensitivity* out);

    // one implicit step of a body: trial, closing solve, end
    void (*pass)(const kernel_bundles* b, const kernel_law* law, const kernel_step* in,
                 kernel_force* out);
    void (*linear)(const kernel_bundles* b, const kernel_law* law, const kernel_step* in,
                   int limited, kernel_linear* out);
    void (*close)(const kernel_bundles* b, const kernel_law* law, const kernel_step* in,
                  int limited, double* z1, kernel_closed* out);

    // One bundle whose motion the caller knows, z (3) as lengths: a pass over it, without sigma2 (memo: x;
    // `v` is not read); its rates and their derivatives; its decay k by the parameters of the law, from n^2
    // of (2). Only in `lone`, the instance that serves one bundle best.
    const struct kernel* lone;
    void (*moved)(const kernel_motion* m, const kernel_law* law, const kernel_step* in,
                  kernel_force* out);
    void (*moved_slopes)(const kernel_motion* m, const kernel_law* law, const double z[3],
                         kernel_slopes* out);
    void (*moved_sensitivity)(const kernel_motion* m, const kernel_law* law, const double z[3],
                              double n2, double k_by[BR_BY_COUNT]);

    // one implicit step with the twist held, in place; limited if it would give energy back
    void (*hold)(const kernel_bundles* b, const kernel_law* law, double* z, const double v[3],
                 double h, kernel_closed* out);

    const kernel_reduced* reduced;
} kernel;

// The best instance for this processor; and the one with so many lanes, NULL where it has none.
const kernel* bri_kernel_best(void);
const kernel* bri_kernel_with(int lanes);

#endif
