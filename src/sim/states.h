/*
 * What an integrator does with whole states, fast (CMakeLists.txt lets the compiler reorder the sums).
 */
#ifndef BRISTLE_SIM_STATES_H
#define BRISTLE_SIM_STATES_H

#include "sim/wide.h"

#include <math.h>
#include <stddef.h>

// x over its tolerance.
INLINE double scaled(double x, double y, double y1, double atol, double rtol)
{
    const double a = fabs(y), b = fabs(y1);
    return x / (atol + rtol * (a > b ? a : b));
}

// How arrays of n states lie one behind the other: each begins `stride` doubles behind the last, and the
// first `lead` doubles behind the begin of a block, so that states from `apart` on begin a cache line.
enum { STATES_LINE = 8 };

static inline size_t states_stride(size_t n)
{
    return (n + STATES_LINE - 1) / STATES_LINE * STATES_LINE;
}

static inline size_t states_lead(size_t apart)
{
    return (STATES_LINE - apart % STATES_LINE) % STATES_LINE;
}

// NaN is larger than all.
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

// y1 = base + x, and that root mean square
double bri_states_close(size_t n, const double* x, const double* base, const double* y, double* y1,
                        const double* atol, double rtol);

// y = (1-x) y0 + x y1 + sum over j < 5 of weight_j u_j
void bri_states_between(size_t n, size_t stride, double x, const double* y0, const double* y1,
                        const double weight[5], const double* u, double* y);

// Is any of n numbers not 0?
int bri_states_any(size_t n, const double* x);

#endif
