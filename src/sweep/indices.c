/*
 * Sobol' indices from sums over samples.
 *
 * A sample has cases A, AB_1 .. AB_k, B: A and B are two independent draws of all inputs, AB_j is A with input j as in
 * B. With f - c for f, c a centre:
 *
 *   first order   S_j = E[f(B) (f(AB_j) - f(A))] / V         Saltelli et al. 2010, Comput. Phys. Commun. 181, Table 2 (b)
 *   total         T_j = E[(f(A) - f(AB_j))^2] / 2 V          Jansen 1999, Comput. Phys. Commun. 117
 *   V = E[((f(A) - c)^2 + (f(B) - c)^2)/2], c the mean
 *
 * Intervals: a ratio R = E[p]/E[v] has the variance (var p - 2 R cov(p, v) + R^2 var v) / (n E[v]^2) (delta method),
 * for independent samples; Latin and Sobol' samples are more precise than that.
 */
#include <math.h>

#include "bristle/sweep.h"

static int all_finite(const double* f, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(f[i])) {
            return 0;
        }
    }
    return 1;
}

void br_sobol_add(br_sobol_sums* sums, size_t inputs, const double* f, double centre)
{
    if (!all_finite(f, inputs + 2)) {
        return;
    }
    const double a = f[0] - centre, b = f[inputs + 1] - centre;
    const double v = 0.5 * (a * a + b * b);
    for (size_t j = 0; j < inputs; j++) {
        br_sobol_sums* s = &sums[j];
        const double change = f[1 + j] - f[0];
        const double first = b * change, total = 0.5 * change * change;
        s->n += 1;
        s->v += v;
        s->vv += v * v;
        s->first += first;
        s->first_2 += first * first;
        s->first_v += first * v;
        s->total += total;
        s->total_2 += total * total;
        s->total_v += total * v;
    }
}

// Half of the 95 % interval of the ratio p/v, from sums.
static double half_width(const br_sobol_sums* s, double p, double p_2, double p_v)
{
    static const double NORMAL_975 = 1.959963984540054;
    const double n = s->n, mean_v = s->v / n, mean_p = p / n, ratio = mean_p / mean_v;
    const double var_p = p_2 / n - mean_p * mean_p, var_v = s->vv / n - mean_v * mean_v;
    const double cov = p_v / n - mean_p * mean_v;
    const double variance =
        (var_p - 2 * ratio * cov + ratio * ratio * var_v) / (n * mean_v * mean_v);
    return NORMAL_975 * sqrt(fmax(variance, 0));
}

br_sobol_index br_sobol_eval(const br_sobol_sums* sums)
{
    if (!(sums->n > 0 && sums->v > 0)) {
        const double none = (double)NAN;
        return (br_sobol_index){none, none, none, none, none, none};
    }
    const double first = sums->first / sums->v, total = sums->total / sums->v;
    const double dfirst = half_width(sums, sums->first, sums->first_2, sums->first_v);
    const double dtotal = half_width(sums, sums->total, sums->total_2, sums->total_v);
    return (br_sobol_index){first, first - dfirst, first + dfirst,
                            total, total - dtotal, total + dtotal};
}
