/*
 * Non-negative least squares: Lawson and Hanson's active-set method on the normal equations.
 *
 *   min |A x - b|^2, x >= 0,   given as G = A^T A and c = A^T b
 *
 * The solution is the x >= 0 with gradient w = c - G x: w_j = 0 where x_j > 0, w_j <= 0 where x_j = 0.
 * With normal equations (Bro & de Jong's fast NNLS) a fit can add and leave out blocks of rows by adding
 * and subtracting their G and c, as cross-validation and the jackknife do. They square the condition
 * number: columns that depend on others to 1e-7 are left out.
 */
#ifndef BRISTLE_MATH_NNLS_H
#define BRISTLE_MATH_NNLS_H

#include <stddef.h>

// A workspace for problems of up to `most` unknowns; memory is the caller's.
typedef struct nnls {
    size_t most, n;
    const double *gram, *rhs;
    size_t count;            // unknowns in the passive set
    size_t* order;           // which (most)
    double* factor;          // rows of L, L L^T = G of the passive set (most x most)
    double* trial;           // solution on the passive set (most)
    char *inside, *out;      // is in the passive set; was rejected since x last changed (most)
    int (*stop)(void* user); // asked before each step of up to n^2 operations; NULL: never stops
    void* user;
    int is_stopped; // the last solution is not complete
} nnls;

// Doubles that a workspace needs, and the workspace over them.
size_t bri_nnls_size(size_t most);
nnls bri_nnls_over(double* memory, size_t most);

// Solve for n <= most unknowns.
// gram: symmetric, positive semidefinite (n x n); rhs (n).
// x (n): in: a start, near the solution or zeros, whose positive entries are the first passive set; out: the solution.
// Returns the number of rounds, at most 10 n, after which x is feasible, not optimal; so it is where it was stopped.
size_t bri_nnls_solve(nnls* work, size_t n, const double* gram, const double* rhs, double* x);

#endif
