/*
 * Steps of any size at constant velocity.
 *
 * At constant v, LuGre's bristle is linear and Dahl's force separable: both have closed forms. The
 * elasto-plastic bristle is exact while elastic; in the plastic band it is stepped by implicit Euler,
 * which is bounded and passive for any step. Numbers in brackets as in law.c.
 */
#include "law/law_internal.h"

#include <float.h>

#include "math/scalar.h"

#include "law/law_formulas.inc"

// log(1 + e s)/e, and its limit s at e = 0.
static double log1p_over(double e, double s)
{
    return e == 0.0 ? s : log1p(e * s) / e;
}

// (1 - exp(-e s))/e, and its limit s at e = 0.
static double one_minus_exp_over(double e, double s)
{
    return e == 0.0 ? s : -expm1(-e * s) / e;
}

static double lugre_step(const br_law* law, double* z, double v, double fn, double h)
{
    const double g = br_law_g(law, v);
    const double x = law->sigma0 * fabs(v) / g * h; // step over relaxation time
    const double steady = sign(v) * g / law->sigma0;

    // z1 = z* + (z0 - z*) e^-x,  mean z = z* + (z0 - z*) (1 - e^-x)/x
    const double gone = -expm1(-x);
    const double z0 = *z;
    const double change = gone * (steady - z0);
    const double mean = x > 0.0 ? z0 + (steady - z0) * (1.0 - gone / x) : z0;
    *z = z0 + change;

    // mean force: mean z, and the mean rate (z1 - z0)/h
    const double s = law->sigma1 * bri_damping_share(law, v, NULL);
    return (law->sigma0 * mean + s * change / h + br_law_f_v(law, v, NULL)) * fn;
}

// How the distance w from Fc falls over a step.
typedef struct dahl_decay {
    double fall; // log(w/w1)
    double mean; // mean w over w
} dahl_decay;

static dahl_decay dahl_decay_of(double w, double e, double tau)
{
    // dw/dtau = -w^(1 + e)  ->  w1 = w (1 + e s)^(-1/e), s = w^e tau; for e < 0 it ends at s = -1/e
    const double s = pow(w, e) * tau;
    if (s < DBL_MIN) {
        return (dahl_decay){0.0, 1.0}; // so near to Fc that with a large exponent nothing changes
    }
    if (e > 1.0 && e * s > 1e300) {
        // so far from Fc that 1 + e s is e s, which may overflow: use its logarithm
        const double log_s = e * log(w) + log(tau), fall = (log(e) + log_s) / e;
        return (dahl_decay){fall, exp((e - 1.0) * fall - log_s) / (e - 1.0)};
    }
    // mean w = w^(2 - alpha) (1 - (w1/w)^(2 - alpha))/(2 - alpha)/tau
    const double fall = 1.0 + e * s > 0.0 ? log1p_over(e, s) : HUGE_VAL;
    return (dahl_decay){fall, one_minus_exp_over(1.0 - e, fall) / s};
}

static double dahl_step(const br_law* law, double* z, double v, double fn, double h)
{
    if (fn <= 0.0) {
        *z = v == 0.0 ? *z : 0.0; // the limit fn -> 0: any motion removes it at once
        return 0.0;
    }
    const double fc = law->mu_c * fn;
    const double w = 1.0 - law->sigma0 * *z * sign(v) / fc; // distance from Fc along the motion
    if (v == 0.0 || w == 0.0) {
        return law->sigma0 * *z; // at rest, or sliding steadily
    }
    const double tau = law->sigma0 * fabs(v) * h / fc;
    const dahl_decay decay = dahl_decay_of(fabs(w), law->alpha - 1.0, tau);
    const double w1 = w * exp(-decay.fall), mean = w * decay.mean;
    *z = sign(v) * fc * (1.0 - w1) / law->sigma0;
    return sign(v) * fc * (1.0 - mean);
}

double bri_plastic_root(double A, double T, double s_ba)
{
    return plastic_root(A, T, s_ba);
}

static double elasto_plastic_step(const br_law* law, double* z, double v, double fn, double h)
{
    const double z_max = br_law_g(law, v) / law->sigma0;
    const double elastic = *z + h * v; // where the bristle would be without plastic flow
    const double T = fabs(elastic) / z_max;
    const double A = h * fabs(v) / z_max; // step over relaxation time

    // z1 = (z0 + h v)/(1 + A alpha(|z1|/z_max)), alpha = 0 while z returns                  (4)-(6)
    double scale = 1.0;
    if (v * elastic > 0.0 && T > law->s_ba) {
        scale = bri_plastic_root(A, T, law->s_ba) / T;
    }
    const double rate = (scale * elastic - *z) / h;
    *z = scale * elastic;
    const double s = law->sigma1 * bri_damping_share(law, v, NULL);
    return (law->sigma0 * *z + s * rate + br_law_f_v(law, v, NULL)) * fn;
}

double br_law_step(const br_law* law, double* z, double v, double fn, double h)
{
    BR_ASSERT(!(h <= 0.0));
    switch (law->kind) {
    case BR_LAW_DAHL:
        return dahl_step(law, z, v, fn, h);
    case BR_LAW_LUGRE:
        return lugre_step(law, z, v, fn, h);
    case BR_LAW_ELASTO_PLASTIC:
        return elasto_plastic_step(law, z, v, fn, h);
    default:
        return br_law_eval(law, 0.0, v, fn).f;
    }
}
