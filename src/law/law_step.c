/*
 * Steps of any size with the velocity held.
 *
 * With v held, LuGre's bristle is linear and Dahl's force separable: both have closed forms. The
 * elasto-plastic bristle is exact while elastic; in the plastic band it is stepped by implicit Euler,
 * which is bounded and passive for any step. Numbers in brackets as in law.c.
 */
#include "law/law_internal.h"

#include <float.h>

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
    return (law->sigma0 * mean + law->sigma1 * change / h + law->sigma2 * v) * fn;
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
        return (dahl_decay){0.0, 1.0}; // so near to Fc that a large exponent lets nothing change
    }
    if (e > 1.0 && e * s > 1e300) {
        // so far from it that 1 + e s is e s, and perhaps only its logarithm a number
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
        *z = v == 0.0 ? *z : 0.0; // the limit fn -> 0: any motion wears it off at once
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

// In the angle a of alpha = sin^2(a/2), q = s_ba + a (1 - s_ba)/pi, where neither end of the band is
// flat and both keep their digits at the lower end, also where that is 0: A alpha - (T/q - 1) = 0, whose
// left side increases.
double bri_plastic_root(double A, double T, double s_ba)
{
    if (A <= 0.0) {
        return T; // nothing flows; a cosine of -1 may leave A below 0 by rounding
    }
    // q is at most T, at least T/(1 + A); where even alpha(T) lets nothing flow it is T
    const double per_angle = (1.0 - s_ba) / BR_PI;
    double low = fmax((T / (1.0 + A) - s_ba) / per_angle, 0.0);
    double high = fmin((T - s_ba) / per_angle, BR_PI);
    const double most = sin(0.5 * high);
    if (A * most * most <= 0.25 * DBL_EPSILON) {
        return T;
    }
    // begin where alpha would be with q at the lower end, which is not far off if A is large; or with
    // alpha = a^2/4 and all of q above that end
    const double guess = (T / s_ba - 1.0) / A;
    double angle = guess < 1.0 ? 2.0 * asin(sqrt(guess)) : cbrt(4.0 * T / (A * per_angle));
    angle = fmin(fmax(angle, low), high);

    // bisection halves the bracket where Newton leaves it, so this ends for any A, T
    for (int i = 0; i < 60; i++) {
        const double q = s_ba + per_angle * angle, ratio = T / q, sine = sin(0.5 * angle);
        const double residual = A * sine * sine - (ratio - 1.0), bend = sin(angle);
        const double step = -residual / (0.5 * A * bend + ratio / q * per_angle);
        *(residual > 0.0 ? &high : &low) = angle;
        const double next = angle + step, change = per_angle * step / q;
        const int inside = next >= low && next <= high;
        angle = inside ? next : 0.5 * (low + high);

        // what Newton leaves is about step^2/(2 bend), and change^2 of q
        if (inside && step * step <= DBL_EPSILON * bend && change * change <= DBL_EPSILON) {
            break;
        }
    }
    return s_ba + per_angle * angle;
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
        const double q = T >= 1.0 + A ? T / (1.0 + A) : bri_plastic_root(A, T, law->s_ba);
        scale = q / T;
    }
    const double rate = (scale * elastic - *z) / h;
    *z = scale * elastic;
    return (law->sigma0 * *z + law->sigma1 * rate + law->sigma2 * v) * fn;
}

double br_law_step(const br_law* law, double* z, double v, double fn, double h)
{
    BR_ASSERT(h > 0.0);
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
