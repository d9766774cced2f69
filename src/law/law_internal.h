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

// sgn(x) |x|^alpha: Dahl's factor with the guard of docs/equations.md, H-36.
static inline double signed_power(double x, double alpha)
{
    return copysign(pow(fabs(x), alpha), x);
}

// Share of plastic deflection (6) over q = |z|/z_max, 0 up to s_ba, 1 from 1 on; slope may be NULL.
double plastic_share(double q, double s_ba, double* slope);

// dg/dv of (2).
double g_slope(const br_law* law, double v);

#endif
