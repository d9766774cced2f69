/*
 * Non-negative least squares: Lawson and Hanson's active-set method on the normal equations.
 *
 *   least |A x - b|^2, x >= 0,   given as G = A^T A and c = A^T b
 *
 * The solution is the x >= 0 with gradient w = c - G x: w_j = 0 where x_j > 0, w_j <= 0 where x_j = 0.
 * Normal equations (Bro & de Jong's fast NNLS) let a fit add and leave out blocks of rows by adding and
 * subtracting their G and c, which is what cross-validation and the jackknife do. They square the
 * condition number: columns that depend on others to 1e-7 are left out.
 */
#ifndef BRISTLE_FIT_NNLS_H
#define BRISTLE_FIT_NNLS_H

#include "bristle/base.h"

// A workspace for problems of up to `most` unknowns.
typedef struct nnls nnls;

// NULL: no memory. Free it with bri_nnls_destroy(), which takes NULL, too.
nnls* bri_nnls_create(size_t most);
void bri_nnls_destroy(nnls* work);

// Solve for n <= most unknowns.
// gram: symmetric, positive semidefinite (n x n); rhs (n).
// x (n): positive entries say where to start; becomes the solution. Start from a near one or from zeros.
// Returns the rounds it took; the most there may be are 10 n, after which x is feasible, not optimal.
size_t bri_nnls_solve(nnls* work, size_t n, const double* gram, const double* rhs, double* x);

#endif
