/*
 * Declarations shared by the files of this module.
 */
#ifndef BRISTLE_LAW_INTERNAL_H
#define BRISTLE_LAW_INTERNAL_H

#include "bristle/law.h"

#include "bristle/math.h"

#include "law/curve.h"

// -1, 0 or 1; NaN for NaN.
static inline double sign(double x)
{
    return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x;
}

// Regularisation of Dahl's law: the distance 1 - r from sliding below which the power with an exponent < 1,
// whose slope is infinite at 0, is a straight line. The force error is at most that share of Fc; smaller
// distances make integrators bounce at the kink. And the smallest normal force [N] that it divides by.
static const double dahl_least_distance = 1e-6;
static const double dahl_least_fn = 1e-12;

// sgn(x) |x|^alpha: Dahl's factor with the guard of docs/explanation/equations.md, H-36; slope may be NULL.
static inline double dahl_factor(double x, double alpha, double* slope)
{
    const int straight = alpha < 1.0 && fabs(x) < dahl_least_distance;
    const double size = straight ? dahl_least_distance : fabs(x);
    const double steep = pow(size, alpha - 1.0); // |x|^alpha/|x|
    if (slope) {
        *slope = straight ? steep : alpha * steep;
    }
    return alpha == 1.0 ? x : straight ? x * steep : copysign(pow(size, alpha), x);
}

// Does the damping fade with speed? 0 and INFINITY: it is constant.
static inline int damping_fades(const br_law* law)
{
    return law->v_damping != 0.0 && law->v_damping != HUGE_VAL;
}

// e = s/sigma1, the share of the damping that is left at the speed v, and de/dv; slope may be NULL.   (D-1)
double bri_damping_share(const br_law* law, double v, double* slope);

// Plastic share (6) of q = |z|/z_max, 0 up to s_ba, 1 from q = 1 on; slope may be NULL.
double bri_plastic_share(double q, double s_ba, double* slope);

// The root q of q (1 + A alpha(q)) = T, for A, T >= 0: T up to s_ba, T/(1 + A) from 1 + A on, else in the band.
double bri_plastic_root(double A, double T, double s_ba);

// Does the law take g, f_v from a table?
static inline int has_table_of_g(const br_law* law)
{
    return law->curve && law->curve->has_g;
}

static inline int has_table_of_f_v(const br_law* law)
{
    return law->curve && law->curve->has_f_v;
}

// Bodies that are slower start at rest: v_s, but at most 1 mm/s with a table, whose v_s may be its last speed [m/s].
static inline double law_rest_speed(const br_law* law)
{
    return has_table_of_g(law) ? fmin(law->v_stribeck, 1e-3) : law->v_stribeck;
}

// The smallest f_v/v - sigma1 (mu_s - g)/g over v of a law with tables [s/m].
double bri_curve_margin(const br_law* law);

// dg/dv of (2) or of the table.
double bri_g_slope(const br_law* law, double v);

#endif
