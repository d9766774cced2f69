/*
 * Internal header of this module: the factored constrained system.
 */
#ifndef BRISTLE_CONSTRAINED_INTERNAL_H
#define BRISTLE_CONSTRAINED_INTERNAL_H

#include "bristle/constrained.h"

#include "math/svd.h"
#include "math/vector.h"

#include <math.h>
#include <string.h>

// M = L L^T and B = X L^-T with its singular values. X is A, or the rows used instead of A. The paper
// has M^(1/2) where we have L; they differ by a rotation, which cancels in (8) and (9).
typedef struct factored {
    size_t n, rows;
    double* L; // (n x n)
    svd B;     // (rows x n)
} factored;

// Largest number of rows of a factored system: those of A, and of J where the point is held.
static inline size_t max_rows(size_t m, size_t d)
{
    return m + d;
}

// Place a factored system in the scratch memory; advances `work` past it.
factored bri_factored_over(double** work, size_t n, size_t rows);

// Factor M. 0, and NaN in L, if it is not positive definite.
int bri_factored_mass(factored* f, const double* M);

// Factor the rows X (rows x n), at most as many as were reserved. Call bri_factored_mass() first.
void bri_factored_rows(factored* f, size_t rows, const double* X);

// Factor M, then all reserved rows X. Returns what bri_factored_mass() does.
int bri_factored_set(factored* f, const double* M, const double* X);

// x = L^-1 x and x = L^-T x.
void bri_lower_solve(const factored* f, double* x);
void bri_upper_solve(const factored* f, double* x);

// out = L x
void bri_lower_times(const factored* f, const double* x, double* out);

// r = b - X M^-1 Q (rows): acceleration that the constraints add to the free motion. x is scratch (n).
void bri_constrained_missing(const factored* f, const double* X, const double* b, const double* Q,
                             double* x, double* r);

// The part of a vector at the contact point along its normals; 0 without normals.
void bri_constrained_normal_part(const br_constrained* s, const double* vector, double* out);

// M^-1 x, in place.
static inline void mass_solve(const factored* f, double* x)
{
    bri_lower_solve(f, x);
    bri_upper_solve(f, x);
}

#endif
