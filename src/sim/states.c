/*
 * Fast loops over whole states for the integrators.
 */
#include "sim/states.h"

// One pass, because the compiler knows `terms`.
SPECIAL void combine(size_t n, size_t stride, int terms, const double* weight, const double* u,
                     const double* base, double* out)
{
    double w[5];
    for (int j = 0; j < terms; j++) {
        w[j] = weight[j];
    }
    INDEPENDENT
    for (size_t i = 0; i < n; i++) {
        double sum = base[i];
        for (int j = 0; j < terms; j++) {
            sum += w[j] * u[(size_t)j * stride + i];
        }
        out[i] = sum;
    }
}

INLINE void combine_any(size_t n, size_t stride, int terms, const double* weight, const double* u,
                        const double* base, double* out)
{
    switch (terms) {
    case 1:
        combine(n, stride, 1, weight, u, base, out);
        break;
    case 2:
        combine(n, stride, 2, weight, u, base, out);
        break;
    case 3:
        combine(n, stride, 3, weight, u, base, out);
        break;
    case 4:
        combine(n, stride, 4, weight, u, base, out);
        break;
    default:
        combine(n, stride, 5, weight, u, base, out);
    }
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

INLINE void between(size_t n, size_t stride, double x, const double* y0, const double* y1,
                    const double weight[5], const double* u, double* y)
{
    const double w0 = weight[0], w1 = weight[1], w2 = weight[2], w3 = weight[3], w4 = weight[4];
    const double *u1 = u + stride, *u2 = u1 + stride, *u3 = u2 + stride, *u4 = u3 + stride;
    INDEPENDENT
    for (size_t i = 0; i < n; i++) {
        y[i] = (1.0 - x) * y0[i] + x * y1[i] +
               (w0 * u[i] + w1 * u1[i] + w2 * u2[i] + w3 * u3[i] + w4 * u4[i]);
    }
}

INLINE int any(size_t n, const double* x)
{
    double count = 0.0;
    for (size_t i = 0; i < n; i++) {
        count += x[i] == 0.0 ? 0.0 : 1.0;
    }
    return count > 0.0;
}

// All functions for the instruction set of ATTRIBUTE.
#define STATES(NAME, ATTRIBUTE)                                                                    \
    ATTRIBUTE static void combine_##NAME(size_t n, size_t stride, int terms, const double* weight, \
                                         const double* u, const double* base, double* out)         \
    {                                                                                              \
        combine_any(n, stride, terms, weight, u, base, out);                                       \
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
    ATTRIBUTE static void between_##NAME(size_t n, size_t stride, double x, const double* y0,      \
                                         const double* y1, const double weight[5],                 \
                                         const double* u, double* y)                               \
    {                                                                                              \
        between(n, stride, x, y0, y1, weight, u, y);                                               \
    }                                                                                              \
    ATTRIBUTE static int any_##NAME(size_t n, const double* x)                                     \
    {                                                                                              \
        return any(n, x);                                                                          \
    }

STATES(narrow, )
STATES(wide, FOR_4)

void bri_states_combine(size_t n, size_t stride, int terms, const double* weight, const double* u,
                        const double* base, double* out)
{
    (processor_has(4) ? combine_wide : combine_narrow)(n, stride, terms, weight, u, base, out);
}

double bri_states_norm(size_t n, const double* x, const double* y, const double* y1,
                       const double* atol, double rtol)
{
    return (processor_has(4) ? norm_wide : norm_narrow)(n, x, y, y1, atol, rtol);
}

double bri_states_close(size_t n, const double* x, const double* base, const double* y, double* y1,
                        const double* atol, double rtol)
{
    return (processor_has(4) ? close_wide : close_narrow)(n, x, base, y, y1, atol, rtol);
}

void bri_states_between(size_t n, size_t stride, double x, const double* y0, const double* y1,
                        const double weight[5], const double* u, double* y)
{
    (processor_has(4) ? between_wide : between_narrow)(n, stride, x, y0, y1, weight, u, y);
}

int bri_states_any(size_t n, const double* x)
{
    return (processor_has(4) ? any_wide : any_narrow)(n, x);
}
