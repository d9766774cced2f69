/*
 * Numbers that know their derivatives with respect to the three components of a motion.
 */
#ifndef BRISTLE_PLANAR_BY_TWIST_H
#define BRISTLE_PLANAR_BY_TWIST_H

#include <math.h>

// A number and its derivatives with respect to V.
typedef struct by_twist {
    double value;
    double d[3];
} by_twist;

// a x + b y, with derivatives
static inline by_twist mix(double a, by_twist x, double b, by_twist y)
{
    by_twist sum = {.value = a * x.value + b * y.value};
    for (int i = 0; i < 3; i++) {
        sum.d[i] = a * x.d[i] + b * y.d[i];
    }
    return sum;
}

static inline by_twist times(by_twist x, by_twist y)
{
    by_twist product = mix(y.value, x, x.value, y);
    product.value = x.value * y.value;
    return product;
}

// A function of x, from its value and slope there
static inline by_twist of(by_twist x, double value, double slope)
{
    return (by_twist){value, {slope * x.d[0], slope * x.d[1], slope * x.d[2]}};
}

static inline by_twist root(by_twist x)
{
    const double r = sqrt(x.value);
    return of(x, r, r > 0.0 ? 0.5 / r : 0.0);
}

static inline by_twist over(by_twist x)
{
    return of(x, 1.0 / x.value, -1.0 / (x.value * x.value));
}

#endif
