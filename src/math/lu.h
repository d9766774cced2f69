/*
 * Small dense linear systems: LU with row exchange, in place. Row-major. Header only, because both
 * libraries use it and neither exports it.
 */
#ifndef BRISTLE_MATH_LU_H
#define BRISTLE_MATH_LU_H

#include <math.h>
#include <stddef.h>

// The row at or below k with the largest entry in column k.
static inline size_t lu_pivot_row(const double* a, size_t n, size_t k)
{
    size_t best = k;
    for (size_t i = k + 1; i < n; i++) {
        if (fabs(a[i * n + k]) > fabs(a[best * n + k])) {
            best = i;
        }
    }
    return best;
}

// Factor a (n x n) into L U with the row exchanges in pivot (n). 0 if a is singular or not finite; the rest of the rows
// then stays in its order, so that lu_solve() gives NaN or infinity, and reads nothing else.
static inline int lu_factor(double* a, size_t n, size_t* pivot)
{
    for (size_t k = 0; k < n; k++) {
        pivot[k] = k;
    }
    for (size_t k = 0; k < n; k++) {
        const size_t p = lu_pivot_row(a, n, k);
        pivot[k] = p;
        for (size_t j = 0; p != k && j < n; j++) {
            const double swap = a[k * n + j];
            a[k * n + j] = a[p * n + j];
            a[p * n + j] = swap;
        }
        if (!(fabs(a[k * n + k]) > 0.0) || !isfinite(a[k * n + k])) {
            return 0;
        }
        const double inverse = 1.0 / a[k * n + k];
        for (size_t i = k + 1; i < n; i++) {
            const double l = a[i * n + k] *= inverse;
            for (size_t j = k + 1; j < n; j++) {
                a[i * n + j] -= l * a[k * n + j];
            }
        }
    }
    return 1;
}

// Solve with the factors; b (n) becomes the solution.
static inline void lu_solve(const double* a, size_t n, const size_t* pivot, double* b)
{
    for (size_t k = 0; k < n; k++) {
        const double swap = b[pivot[k]];
        b[pivot[k]] = b[k];
        b[k] = swap;
    }
    for (size_t i = 1; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            b[i] -= a[i * n + j] * b[j];
        }
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t j = i + 1; j < n; j++) {
            b[i] -= a[i * n + j] * b[j];
        }
        b[i] /= a[i * n + i];
    }
}

// Solve a^T x = b with the factors of a: U^T, then L^T, then the row exchanges, the last one first.
static inline void lu_solve_transposed(const double* a, size_t n, const size_t* pivot, double* b)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            b[i] -= a[j * n + i] * b[j];
        }
        b[i] /= a[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t j = i + 1; j < n; j++) {
            b[i] -= a[j * n + i] * b[j];
        }
    }
    for (size_t k = n; k-- > 0;) {
        const double swap = b[pivot[k]];
        b[pivot[k]] = b[k];
        b[k] = swap;
    }
}

// Solve a x = b (n) once: b becomes the solution, a is lost. Not finite if a is singular.
static inline void lu_solve_once(double* a, size_t n, double* b)
{
    for (size_t k = 0; k < n; k++) {
        const size_t p = lu_pivot_row(a, n, k);
        for (size_t j = k; p != k && j < n; j++) {
            const double swap = a[k * n + j];
            a[k * n + j] = a[p * n + j];
            a[p * n + j] = swap;
        }
        const double kept = b[k];
        b[k] = b[p];
        b[p] = kept;
        for (size_t i = k + 1; i < n; i++) {
            const double l = a[i * n + k] / a[k * n + k];
            for (size_t j = k + 1; j < n; j++) {
                a[i * n + j] -= l * a[k * n + j];
            }
            b[i] -= l * b[k];
        }
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t j = i + 1; j < n; j++) {
            b[i] -= a[i * n + j] * b[j];
        }
        b[i] /= a[i * n + i];
    }
}

#endif
