/*
 * Cholesky's factor of symmetric matrices, row-major: of positive definite ones in place, of
 * semidefinite ones with pivots, which gives their rank.
 */
#ifndef BRISTLE_MATH_CHOLESKY_H
#define BRISTLE_MATH_CHOLESKY_H

#include "math/vector.h"

// Factor a (n x n) into c c^T; c is the lower triangle of a then. Reads the lower half. `least`: what the pivots of a are
// known to be at least; those that rounding leaves below it become it, NaN stays. Returns 0 if one is not positive.
static inline int cholesky_factor_above(double* a, size_t n, double least)
{
    int positive = 1;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) {
            double rest = a[i * n + j] - dot(a + i * n, a + j * n, j);
            rest = i == j && rest < least ? least : rest;
            positive &= i != j || rest > 0.0;
            a[i * n + j] = i == j ? sqrt(rest) : rest / a[j * n + j];
        }
    }
    return positive;
}

// The same of any matrix. 0 if a is not positive definite; c holds NaN then.
static inline int cholesky_factor(double* a, size_t n)
{
    return cholesky_factor_above(a, n, -HUGE_VAL);
}

// Solve with the factor; b (n) becomes the solution.
static inline void cholesky_solve(const double* c, size_t n, double* b)
{
    for (size_t i = 0; i < n; i++) {
        b[i] = (b[i] - dot(c + i * n, b, i)) / c[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++) {
            b[i] -= c[k * n + i] * b[k];
        }
        b[i] /= c[i * n + i];
    }
}

// The row whose diagonal has the largest share left, if that is more than `limit`; else n.
static inline size_t cholesky_pivot(const double* a, size_t n, const double* rest, double limit)
{
    size_t best = n;
    double max_share = limit;
    for (size_t i = 0; i < n; i++) {
        const double diagonal = a[i * n + i];
        if (!(rest[i] <= max_share * diagonal)) { // a row with NaN is picked: NaN propagates
            max_share = rest[i] / diagonal;
            best = i;
        }
    }
    return best;
}

// Factor a (n x n) into g g^T with r columns of g, its rank; g (n x n) has rows of n, of which the first
// r are used. Pivots are compared to the diagonal of a itself, for its units differ, and end at `limit`.
// Uses the mean of both halves of a. `rest` (n) is scratch.
static inline size_t cholesky_semi(const double* a, size_t n, double limit, double* g, double* rest)
{
    for (size_t i = 0; i < n; i++) {
        rest[i] = a[i * n + i];
    }
    for (size_t r = 0; r < n; r++) {
        const size_t best = cholesky_pivot(a, n, rest, limit);
        if (best == n) {
            return r;
        }
        const double root = sqrt(rest[best]);
        for (size_t i = 0; i < n; i++) {
            const double mean = 0.5 * (a[i * n + best] + a[best * n + i]);
            const double x = mean - dot(g + i * n, g + best * n, r);
            // a row that is used up stays as it is
            g[i * n + r] = i == best ? root : rest[i] <= 0.0 ? 0.0 : x / root;
            rest[i] -= g[i * n + r] * g[i * n + r];
        }
        rest[best] = 0.0;
    }
    return n;
}

#endif
