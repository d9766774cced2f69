/*
 * What the files of this room share.
 */
#ifndef BRISTLE_LAW_INTERNAL_H
#define BRISTLE_LAW_INTERNAL_H

#include "bristle/law.h"

#include "bristle/math.h"

// -1, 0 or 1; NaN for NaN.
static inline double sign(double x)
{
    return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x;
}

// Where Dahl's law is made regular: a distance 1 - r from sliding below which an exponent < 1, whose
// slope is infinite at 0, goes on as a straight line, so the force is off by at most that part of Fc
// (smaller ones make integrators bounce at the kink); and the least normal force [N] it divides by.
static const double dahl_least_distance = 1e-6;
static const double dahl_least_fn = 1e-12;

// sgn(x) |x|^alpha: Dahl's factor with the guard of docs/equations.md, H-36; slope may be NULL.
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

// Share of plastic deflection (6) over q = |z|/z_max, 0 up to s_ba, 1 from 1 on; slope may be NULL.
double bri_plastic_share(double q, double s_ba, double* slope);

// The root q in (s_ba, 1) of q (1 + A alpha(q)) = T, for s_ba < T < 1 + A, by Newton kept in a
// bracket.
double bri_plastic_root(double A, double T, double s_ba);

// dg/dv of (2).
double bri_g_slope(const br_law* law, double v);

#endif
