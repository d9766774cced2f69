/*
 * Fast loops over whole states for the integrators (CMakeLists.txt lets the compiler reorder the sums).
 */
#ifndef BRISTLE_SIM_STATES_H
#define BRISTLE_SIM_STATES_H

#include "math/processor.h"

#include <math.h>
#include <stddef.h>

// x divided by its tolerance.
INLINE double scaled(double x, double y, double y1, double atol, double rtol)
{
    const double a = fabs(y), b = fabs(y1);
    return x / (atol + rtol * (a > b ? a : b));
}

// Layout of several arrays of n states in one block: the first starts `lead` doubles after the start of the
// block, each next one `stride` doubles after the last. So state `apart` is at the start of a cache line.
enum { STATES_LINE = 8 };

static inline size_t states_stride(size_t n)
{
    return (n + STATES_LINE - 1) / STATES_LINE * STATES_LINE;
}

static inline size_t states_lead(size_t apart)
{
    return (STATES_LINE - apart % STATES_LINE) % STATES_LINE;
}

// The larger of two numbers; NaN if y is NaN.
static inline double larger_or_nan(double x, double y)
{
    return x < y || isnan(y) ? y : x;
}

// out = base + sum over j < terms of weight_j u_j, u_j = u + j stride (n); terms <= 5; out may be base
void bri_states_combine(size_t n, size_t stride, int terms, const double* weight, const double* u,
                        const double* base, double* out);

// Root mean square over n of x/(atol + rtol max(|y|, |y1|))
double bri_states_norm(size_t n, const double* x, const double* y, const double* y1,
                       const double* atol, double rtol);

// y1 = base + x; returns the same root mean square as bri_states_norm()
double bri_states_close(size_t n, const double* x, const double* base, const double* y, double* y1,
                        const double* atol, double rtol);

// y = (1-x) y0 + x y1 + sum over j < 5 of weight_j u_j
void bri_states_between(size_t n, size_t stride, double x, const double* y0, const double* y1,
                        const double weight[5], const double* u, double* y);

// Is any of n numbers not 0?
int bri_states_any(size_t n, const double* x);

#endif
