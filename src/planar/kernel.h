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
 * n is a multiple of KERNEL_PAD; what pads has weight 0 and finite x and y, its rates are 0.
 */
#ifndef BRISTLE_PLANAR_KERNEL_H
#define BRISTLE_PLANAR_KERNEL_H

#include "bristle/law.h"

#include <stddef.h>
#include <stdint.h>

enum {
    KERNEL_PAD = 8,     // n is a multiple of it
    KERNEL_GROUP = 4,   // cells of a lattice that share a row and follow each other in x
    KERNEL_LINES = 1024 // most columns, most rows of a lattice
};

// A law, and numbers of it that would else be worked out at every call: bri_kernel_law().
typedef struct kernel_law {
    int plastic;              // 1: elasto-plastic, 0: LuGre
    double mu_c, drop;        // g = mu_c + drop exp(-(n/v_s)^gamma), drop = mu_s - mu_c  (2)
    double v_stribeck, gamma; //
    double per_v2;            // -1/v_s^2
    double sigma0, sigma1, sigma2, s_ba, band; // band = 1 - s_ba
    double elastic; // (sigma0/s_ba)^2: elastic while elastic |z|^2 <= g^2
} kernel_law;

kernel_law bri_kernel_law(const br_law* law);

// The bundles of a contact. All arrays are borrowed.
typedef struct kernel_bundles {
    size_t count;                 // n
    const double *x, *y, *weight; // (n); the weights sum to 1
    double one, mean_x, mean_y;   // sums of w, w x, w y: 1, and 0 but for rounding
    double square;                // sum of w (|rho|^2 + t): u [m^2]

    // blocks; NULL for cells
    const double *t, *per_t;    // trace of the covariance S [m^2], 1/t or 0 where t = 0 (n)
    const double *xx, *xy, *yy; // S/t [-]; the unit matrix where t = 0 (n)
    const double* turn;         // c0 = 3 - 4 det S/t^2 [-] (n)

    // cells on a lattice; columns = 0: none. Cells 4 j .. 4 j + 3 are in row[j], from column[j] on.
    size_t columns, rows;
    const double* column_x;       // [m] (columns rounded up to KERNEL_PAD, + KERNEL_PAD)
    const double* row_y;          // [m] (rows rounded up to KERNEL_PAD)
    const uint32_t *column, *row; // (n/4)
} kernel_bundles;

// One instance.
typedef struct kernel {
    const char* name; // "plain", "sse2", "avx2" ...
    int lanes;

    // rates, and F (19), (20)
    void (*eval)(const kernel_bundles* b, const kernel_law* law, const double* z, const double v[3],
                 double* dz, double f[3]);
} kernel;

// The best instance for this processor; and the one with so many lanes, NULL where it has none.
const kernel* bri_kernel_best(void);
const kernel* bri_kernel_with(int lanes);

#endif
