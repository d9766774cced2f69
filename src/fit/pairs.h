/*
 * Pairs of wrench and twist as rows of a least-squares problem in the weights of a footprint.
 *
 * A quasi-static pair has f = mu fn grad D(v), linear in the weights; sizes of f and v say nothing but mu fn. So
 * each pair gives its error across v, the part of grad D(v) = sum w_j g_j that f does not explain once it is
 * scaled to the same dissipation,
 *
 *   rho = B^T (grad D - f D/(f.v)),   B: two unit vectors across v            homogeneous in the weights
 *
 * Both f and v are measured. An error df of the wrench's direction moves rho by df, an error dv of the twist's by
 * H dv, H = B^T Hess D B; with equal errors the covariance of rho is  1 + H^2, which whitens the rows (orthogonal
 * regression to first order). H comes from the weights, so rows are made anew as the weights settle; so are weights
 * of rows that fit badly (Cauchy's loss).
 */
#ifndef BRISTLE_FIT_PAIRS_H
#define BRISTLE_FIT_PAIRS_H

#include "bristle/fit_pressure.h"
#include "fit/left_out.h"

typedef struct pair_rows {
    const footprint* feet;
    size_t count;   // pairs
    size_t blocks;  // min(BLOCKS, count)
    double* v;      // unit twists (count x 3)
    double* f;      // wrenches, as measured over `unit` (count x 3)
    double* power;  // f.v (count)
    double* across; // B, two vectors (count x 6)
    double* rho;    // columns of rho, x row then y row (count x 2 x feet->count)
    double* gram;   // of each block (blocks x m x m)
    double* memory;
} pair_rows;

br_status bri_pairs_create(const br_fit_pair* pairs, size_t count, const footprint* feet,
                           pair_rows* out, br_reason* why);
void bri_pairs_destroy(pair_rows* rows);

// Make the block's Gram matrices of the rows whitened at these weights.
void bri_pairs_weigh(pair_rows* rows, const double* weights, double* four); // four: room for 4 m

// The block that a pair belongs to.
size_t bri_pairs_block(const pair_rows* rows, size_t pair);

// Angle between the twist that pair i's wrench predicts and its own [rad]. v: see bri_footprint_slide().
double bri_pairs_angle(const pair_rows* rows, const double* weights, size_t pair, double v[3]);

#endif
