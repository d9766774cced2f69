/*
 * What an integrator does with whole states, fast.
 */
#include "sim/states.h"

#include "sim/wide.h"

#include <math.h>

// With `terms` known to the compiler, one pass.
INLINE void combine(size_t n, int terms, const double* weight, const double* u, const double* base,
                    double* out)
{
    double w[5] = {0.0};
    for (int j = 0; j < terms; j++) {
        w[j] = weight[j];
    }
    INDEPENDENT
    for (size_t i = 0; i < n; i++) {
        double sum = base[i];
        for (int j = 0; j < terms; j++) {
            sum += w[j] * u[(size_t)j * n + i];
        }
        out[i] = sum;
    }
}

INLINE void combine_any(size_t n, int terms, const double* weight, const double* u,
                        const double* base, double* out)
{
    switch (terms) {
    case 1:
        combine(n, 1, weight, u, base, out);
        break;
    case 2:
        combine(n, 2, weight, u, base, out);
        break;
    case 3:
        combine(n, 3, weight, u, base, out);
        break;
    case 4:
        combine(n, 4, weight, u, base, out);
        break;
    default:
        combine(n, 5, weight, u, base, out);
    }
}

INLINE void combine_twice(size_t n, const double weight[2][5], const double* u, double* out)
{
    const double *a = weight[0], *b = weight[1];
    const double a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3], a4 = a[4];
    const double b0 = b[0], b1 = b[1], b2 = b[2], b3 = b[3], b4 = b[4];
    INDEPENDENT
    for (size_t i = 0; i < n; i++) {
        const double u0 = u[i], u1 = u[n + i], u2 = u[2 * n + i], u3 = u[3 * n + i],
                     u4 = u[4 * n + i];
        out[i] = a0 * u0 + a1 * u1 + a2 * u2 + a3 * u3 + a4 * u4;
        out[n + i] = b0 * u0 + b1 * u1 + b2 * u2 + b3 * u3 + b4 * u4;
    }
}

// x over its tolerance.
INLINE double scaled(double x, double y, double y1, double atol, double rtol)
{
    const double a = fabs(y), b = fabs(y1);
    return x / (atol + rtol * (a > b ? a : b));
}

INLINE double norm(size_t n, const double* x, const double* y, const double* y1, const double* atol,
                   double rtol)
{
    double sum = 0.0;
    INDEPENDENT
    for (size_t i = 0; i < n; i++) {
        const double ratio = scaled(x[i], y[i], y1[i], atol[i], rtol);
        sum += ratio * ratio;
    }
    return sqrt(sum / (double)n);
}

INLINE double close_all(size_t n, const double* x, const double* base, const double* y, double* y1,
                        const double* atol, double rtol)
{
    double sum = 0.0;
    INDEPENDENT
    for (size_t i = 0; i < n; i++) {
        const double end = base[i] + x[i], ratio = scaled(x[i], y[i], end, atol[i], rtol);
        y1[i] = end;
        sum += ratio * ratio;
    }
    return sqrt(sum / (double)n);
}

INLINE void between(size_t n, double x, const double* y0, const double* y1, const double* dense,
                    double* y)
{
    INDEPENDENT
    for (size_t i = 0; i < n; i++) {
        y[i] = (1.0 - x) * y0[i] + x * (y1[i] + (1.0 - x) * (dense[i] + x * dense[n + i]));
    }
}

// Each of them for the instructions that ATTRIBUTE names.
#define STATES(NAME, ATTRIBUTE)                                                                    \
    ATTRIBUTE static void combine_##NAME(size_t n, int terms, const double* weight,                \
                                         const double* u, const double* base, double* out)         \
    {                                                                                              \
        combine_any(n, terms, weight, u, base, out);                                               \
    }                                                                                              \
    ATTRIBUTE static void twice_##NAME(size_t n, const double weight[2][5], const double* u,       \
                                       double* out)                                                \
    {                                                                                              \
        combine_twice(n, weight, u, out);                                                          \
    }                                                                                              \
    ATTRIBUTE static double norm_##NAME(size_t n, const double* x, const double* y,                \
                                        const double* y1, const double* atol, double rtol)         \
    {                                                                                              \
        return norm(n, x, y, y1, atol, rtol);                                                      \
    }                                                                                              \
    ATTRIBUTE static double close_##NAME(size_t n, const double* x, const double* base,            \
                                         const double* y, double* y1, const double* atol,          \
                                         double rtol)                                              \
    {                                                                                              \
        return close_all(n, x, base, y, y1, atol, rtol);                                           \
    }                                                                                              \
    ATTRIBUTE static void between_##NAME(size_t n, double x, const double* y0, const double* y1,   \
                                         const double* dense, double* y)                           \
    {                                                                                              \
        between(n, x, y0, y1, dense, y);                                                           \
    }

STATES(narrow, )
STATES(wide, WIDE)

void bri_states_combine(size_t n, int terms, const double* weight, const double* u,
                        const double* base, double* out)
{
    (is_wide() ? combine_wide : combine_narrow)(n, terms, weight, u, base, out);
}

void bri_states_combine_twice(size_t n, const double weight[2][5], const double* u, double* out)
{
    (is_wide() ? twice_wide : twice_narrow)(n, weight, u, out);
}

double bri_states_norm(size_t n, const double* x, const double* y, const double* y1,
                       const double* atol, double rtol)
{
    return (is_wide() ? norm_wide : norm_narrow)(n, x, y, y1, atol, rtol);
}

double bri_states_close(size_t n, const double* x, const double* base, const double* y, double* y1,
                        const double* atol, double rtol)
{
    return (is_wide() ? close_wide : close_narrow)(n, x, base, y, y1, atol, rtol);
}

void bri_states_between(size_t n, double x, const double* y0, const double* y1, const double* dense,
                        double* y)
{
    (is_wide() ? between_wide : between_narrow)(n, x, y0, y1, dense, y);
}
