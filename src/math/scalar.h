/*
 * The functions of lanes.h for a single double, with those of the C library: code for `vec` is compiled with
 * either header.
 */
#ifndef BRISTLE_MATH_SCALAR_H
#define BRISTLE_MATH_SCALAR_H

#include <math.h>

#include "bristle/math.h"

#include "math/processor.h"

typedef double vec;
typedef int mask;

#define SHARED INLINE

INLINE vec all(double a)
{
    return a;
}

INLINE vec pick(mask m, vec yes, vec no)
{
    return m ? yes : no;
}

INLINE vec only(mask m, vec a)
{
    return m ? a : 0.0;
}

INLINE vec unless(mask m, vec a)
{
    return m ? 0.0 : a;
}

INLINE int any(mask m)
{
    return m;
}

INLINE vec magnitude(vec a)
{
    return fabs(a);
}

// b where one of the two is NaN
INLINE vec least(vec a, vec b)
{
    return a < b ? a : b;
}

INLINE vec most(vec a, vec b)
{
    return a > b ? a : b;
}

INLINE vec root(vec a)
{
    return sqrt(a);
}

INLINE vec exp_of(vec x)
{
    return exp(x);
}

INLINE vec log_of(vec a)
{
    return log(a);
}

INLINE vec fused(vec a, vec b, vec c)
{
    return a * b + c;
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
