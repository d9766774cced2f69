/*
 * What the files of this room share: the constrained system factored.
 */
#ifndef BRISTLE_CONSTRAINED_INTERNAL_H
#define BRISTLE_CONSTRAINED_INTERNAL_H

#include "bristle/constrained.h"

#include "math/svd.h"
#include "math/vector.h"

#include <math.h>
#include <string.h>

// M = L L^T and B = X L^-T with its singular values, X being A or what stands in its place. The
// paper has M^(1/2) where we have L; they differ by a rotation, which (8) and (9) do not see.
typedef struct factored {
    size_t n, rows;
    double* L; // (n x n)
    svd B;     // (rows x n)
} factored;

// The largest number of rows that any factored system has: A's or, held, J's and A's.
static inline size_t most_rows(size_t m, size_t d)
{
    return m + d;
}

// Lay a factored system over the scratch memory; gives what is left of it.
factored bri_factored_over(double** work, size_t n, size_t rows);

// Factor M. 0, and NaN in L, if it is not positive definite.
int bri_factored_mass(factored* f, const double* M);

// Factor the rows X (rows x n), no more than there is room for; M first.
void bri_factored_rows(factored* f, size_t rows, const double* X);

// Both, with as many rows as there is room for.
int bri_factored_set(factored* f, const double* M, const double* X);

// x = L^-1 x and x = L^-T x.
void bri_lower_solve(const factored* f, double* x);
void bri_upper_solve(const factored* f, double* x);

// out = L x
void bri_lower_times(const factored* f, const double* x, double* out);

// r = b - X M^-1 Q (rows): what the constraints have to add to the free acceleration. x is scratch (n).
void bri_constrained_missing(const factored* f, const double* X, const double* b, const double* Q,
                             double* x, double* r);

// M^-1 x, in place.
static inline void mass_solve(const factored* f, double* x)
{
    bri_lower_solve(f, x);
    bri_upper_solve(f, x);
}

#endif
