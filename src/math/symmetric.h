/*
 * Eigenvalues of a small symmetric matrix by Jacobi's rotations, and its inverse from them.
 */
#ifndef BRISTLE_MATH_SYMMETRIC_H
#define BRISTLE_MATH_SYMMETRIC_H

#include <stddef.h>

enum { SYMMETRIC_MOST = 20 };

typedef struct symmetric {
    size_t n;                                      // at most SYMMETRIC_MOST
    double a[SYMMETRIC_MOST][SYMMETRIC_MOST];      // the matrix; diagonal after the rotations
    double vector[SYMMETRIC_MOST][SYMMETRIC_MOST]; // [j]: the eigenvector of eigenvalue a[j][j]
} symmetric;

// Diagonalise a.
void bri_symmetric_factor(symmetric* s);

// The inverse of a positive semidefinite matrix. Eigenvalues below `min_share` of the largest are raised to that,
// so that the inverse is large there, not infinite.
void bri_symmetric_invert(const symmetric* factored, double min_share,
                          double out[SYMMETRIC_MOST][SYMMETRIC_MOST]);

#endif
