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

INLINE double norm(size_t n, const double* x, const double* y, const double* y1, const double* atol,
                   double rtol)
{
    double sum = 0.0;
    INDEPENDENT
    for (size_t i = 0; i < n; i++) {
        const double a = fabs(y[i]), b = fabs(y1[i]);
        const double ratio = x[i] / (atol[i] + rtol * (a > b ? a : b));
        sum += ratio * ratio;
    }
    return sqrt(sum / (double)n);
}

static void combine_narrow(size_t n, int terms, const double* weight, const double* u,
                           const double* base, double* out)
{
    combine_any(n, terms, weight, u, base, out);
}

WIDE static void combine_wide(size_t n, int terms, const double* weight, const double* u,
                              const double* base, double* out)
{
    combine_any(n, terms, weight, u, base, out);
}

static double norm_narrow(size_t n, const double* x, const double* y, const double* y1,
                          const double* atol, double rtol)
{
    return norm(n, x, y, y1, atol, rtol);
}

WIDE static double norm_wide(size_t n, const double* x, const double* y, const double* y1,
                             const double* atol, double rtol)
{
    return norm(n, x, y, y1, atol, rtol);
}

void bri_states_combine(size_t n, int terms, const double* weight, const double* u,
                        const double* base, double* out)
{
    (is_wide() ? combine_wide : combine_narrow)(n, terms, weight, u, base, out);
}

double bri_states_norm(size_t n, const double* x, const double* y, const double* y1,
                       const double* atol, double rtol)
{
    return (is_wide() ? norm_wide : norm_narrow)(n, x, y, y1, atol, rtol);
}
