/*
 * Vectors of any length and the few products that dense linear algebra needs; matrices are row-major.
 */
#ifndef BRISTLE_MATH_VECTOR_H
#define BRISTLE_MATH_VECTOR_H

#include <math.h>
#include <stddef.h>

static inline double dot(const double* a, const double* b, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static inline double norm(const double* a, size_t n)
{
    return sqrt(dot(a, a, n));
}

// |a|, without overflow
static inline double length_of(const double* a, size_t n)
{
    double largest = 0.0, sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        largest = fabs(a[i]) <= largest ? largest : fabs(a[i]);
    }
    if (!(largest > 0.0) || !isfinite(largest)) {
        return largest;
    }
    for (size_t i = 0; i < n; i++) {
        sum += (a[i] / largest) * (a[i] / largest);
    }
    return largest * sqrt(sum);
}

// out = a; a may be NULL where n is 0, which memcpy() does not allow
static inline void copy(double* out, const double* a, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = a[i];
    }
}

// out += factor a
static inline void add(double* out, double factor, const double* a, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        out[i] += factor * a[i];
    }
}

// out = X v, X (m x n)
static inline void times(const double* X, const double* v, size_t m, size_t n, double* out)
{
    for (size_t i = 0; i < m; i++) {
        out[i] = dot(X + i * n, v, n);
    }
}

// out += X^T f, X (m x n)
static inline void add_transposed(const double* X, const double* f, size_t m, size_t n, double* out)
{
    for (size_t i = 0; i < m; i++) {
        add(out, f[i], X + i * n, n);
    }
}

#endif
