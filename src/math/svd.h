/*
 * Singular values of a small dense matrix by one-sided Jacobi rotations of its rows, and products with
 * its pseudo-inverse. Any shape, any rank; no pivots, no tuning.
 *
 *   X (m x n) = R^T Y,   R orthogonal (m x m),   rows y_j of Y orthogonal,   |y_j| = sigma_j
 *
 *   X^+ v       = sum_j y_j (r_j . v)/sigma_j^2
 *   (X^T)^+ v   = sum_j r_j (y_j . v)/sigma_j^2
 *   (X X^T)^+ v = sum_j r_j (r_j . v)/sigma_j^2        over all sigma_j above the cut-off
 */
#ifndef BRISTLE_MATH_SVD_H
#define BRISTLE_MATH_SVD_H

#include <stddef.h>

// The factors; memory is the caller's.
typedef struct svd {
    size_t m, n;
    double* y;      // (m x n): holds X before, Y after
    double* r;      // (m x m)
    double* square; // sigma_j^2, 0 where cut off (m)
    size_t rank;    // how many are left
    double cut_off; // singular values below this share of the largest count as zero; default 1e-12
} svd;

// Doubles that an svd of this shape needs, and the svd over them.
size_t bri_svd_size(size_t m, size_t n);
svd bri_svd_over(double* memory, size_t m, size_t n);

// Factor the matrix in s->y. NaN in it propagates to everything below.
void bri_svd_factor(svd* s);

// Cut off again, at another cut_off that is not smaller than the last.
void bri_svd_cut_off(svd* s);

// X^+ v (n), for v (m).
void bri_svd_pseudo_inverse(const svd* s, const double* v, double* out);

// (X^T)^+ v (m), for v (n): how much of each row of X there is in v.
void bri_svd_transposed_inverse(const svd* s, const double* v, double* out);

// (X X^T)^+ v (m), for v (m): least-squares multipliers of minimum norm.
void bri_svd_gram_inverse(const svd* s, const double* v, double* out);

// The part of v (n) in the space of X's rows: X^+ X v.
void bri_svd_row_part(const svd* s, const double* v, double* out);

// The length of the part of v (m) outside the range of X.
double bri_svd_outside(const svd* s, const double* v);

#endif
