/*
 * Eigenvalues of a small symmetric matrix by Jacobi's rotations, and its inverse from them.
 */
#ifndef BRISTLE_FIT_SYMMETRIC_H
#define BRISTLE_FIT_SYMMETRIC_H

#include <stddef.h>

enum { SYMMETRIC_MOST = 16 };

typedef struct symmetric {
    size_t n;                                      // at most SYMMETRIC_MOST
    double a[SYMMETRIC_MOST][SYMMETRIC_MOST];      // the matrix; after the rotations diagonal
    double vector[SYMMETRIC_MOST][SYMMETRIC_MOST]; // [j]: of eigenvalue a[j][j]
} symmetric;

// Diagonalize.
void bri_symmetric_factor(symmetric* s);

// The inverse of a positive semidefinite matrix. Eigenvalues below `least` of the largest count as that much:
// what they belong to comes out large, not infinite.
void bri_symmetric_invert(const symmetric* factored, double least,
                          double out[SYMMETRIC_MOST][SYMMETRIC_MOST]);

#endif
