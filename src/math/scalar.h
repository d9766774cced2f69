/*
 * The functions of lanes.h for a single double, with those of the C library: code for `vec` is compiled with
 * either header.
 */
#ifndef BRISTLE_MATH_SCALAR_H
#define BRISTLE_MATH_SCALAR_H

#include <math.h>

#include "bristle/math.h"

#include "math/one_lane.h"

INLINE vec exp_of(vec x)
{
    return exp(x);
}

INLINE vec log_of(vec a)
{
    return log(a);
}

// That of the C library, or, where SIN_PI_BY_SERIES is defined, the series of lanes.h, which takes a quarter of the time.
#ifdef SIN_PI_BY_SERIES
#include "math/sin_pi.inc"
#else
INLINE vec sin_pi(vec x)
{
    return sin(BR_PI * x);
}
#endif

// a^b of a >= 0 and b > 0; the square root first is exact where a is a rounded square
INLINE vec raised(vec a, vec b)
{
    return pow(sqrt(a), 2.0 * b);
}

#endif
