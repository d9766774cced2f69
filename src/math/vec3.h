/*
 * Vectors in space as three doubles: the few products that cones, sliders and bristles need.
 */
#ifndef BRISTLE_MATH_VEC3_H
#define BRISTLE_MATH_VEC3_H

#include <math.h>

static inline double vec3_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// out = a x b
static inline void vec3_cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

// out = s a + t b
static inline void vec3_combine(double s, const double a[3], double t, const double b[3],
                                double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = s * a[i] + t * b[i];
    }
}

// |a|; by hypot(), which is slower, if squares overflow or underflow
static inline double vec3_norm(const double a[3])
{
    const double square = vec3_dot(a, a);
    return square >= 1e-280 && square <= 1e300 ? sqrt(square) : hypot(hypot(a[0], a[1]), a[2]);
}

#endif
