/*
 * One lane in plain C: what lanes.h and real_lanes.h do with the compiler's vector types, for a single number. A mask is
 * 0 or 1. Define REAL_IS_FLOAT for floats.
 */
#ifndef BRISTLE_MATH_ONE_LANE_H
#define BRISTLE_MATH_ONE_LANE_H

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "math/processor.h"

#ifdef REAL_IS_FLOAT
typedef float vec;
typedef uint32_t bits;
#else
typedef double vec;
typedef uint64_t bits;
#endif
typedef int mask; // combined by & and |, as masks of vectors are
#ifdef __clang__
#pragma clang diagnostic ignored "-Wunknown-warning-option"
#pragma clang diagnostic ignored "-Wbitwise-instead-of-logical"
#endif
typedef int32_t node_places;

#define SHARED INLINE

INLINE vec load(const vec* from)
{
    return *from;
}

INLINE void store(vec* to, vec a)
{
    *to = a;
}

INLINE vec all(vec a)
{
    return a;
}

INLINE vec lane_of(vec a, int lane)
{
    (void)lane;
    return a;
}

INLINE void set_lane(vec* a, int lane, vec value)
{
    (void)lane;
    *a = value;
}

// The number with these bits, and back.
INLINE vec from_bits(bits a)
{
    vec number;
    memcpy(&number, &a, sizeof number);
    return number;
}

INLINE bits bits_of(vec a)
{
    bits of;
    memcpy(&of, &a, sizeof of);
    return of;
}

// A number without the excess digits of x87: adding 2^52 rounds a number only without them.
INLINE vec rounded(vec a)
{
#if FLT_EVAL_METHOD == 0
    return a;
#else
    volatile vec stored = a;
    return stored;
#endif
}

INLINE mask no(mask m)
{
    return !m;
}

// yes where the mask is set, else `otherwise`
INLINE vec pick(mask m, vec yes, vec otherwise)
{
    return m ? yes : otherwise;
}

// a where the mask is set, else 0
INLINE vec only(mask m, vec a)
{
    return m ? a : (vec)0;
}

// 0 where the mask is set, else a
INLINE vec unless(mask m, vec a)
{
    return m ? (vec)0 : a;
}

INLINE int any(mask m)
{
    return m;
}

// Bit 0: the mask.
INLINE unsigned lanes_of(mask m)
{
    return (unsigned)m;
}

INLINE bool is_set(mask m, int lane)
{
    (void)lane;
    return m != 0;
}

INLINE vec total(vec a)
{
    return a;
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

INLINE int all_at_most(vec a, vec b)
{
    return a <= b;
}

INLINE vec fused(vec a, vec b, vec c)
{
    return a * b + c;
}

#ifdef REAL_IS_FLOAT

INLINE vec root(vec a)
{
    return sqrtf(a);
}

INLINE vec magnitude(vec a)
{
    return fabsf(a);
}

#else

INLINE vec root(vec a)
{
    return sqrt(a);
}

INLINE vec magnitude(vec a)
{
    return fabs(a);
}

INLINE vec per_root(vec a)
{
    return 1.0 / root(a);
}

INLINE vec root_over(vec a, vec b)
{
    return root(a) / b;
}

// Change the sign where the mask is set.
INLINE vec turned(mask m, vec a)
{
    return m ? -a : a;
}

INLINE void load_triples(const double* from, vec to[3])
{
    for (int j = 0; j < 3; j++) {
        to[j] = from[j];
    }
}

INLINE void store_triples(double* to, const vec from[3])
{
    for (int j = 0; j < 3; j++) {
        to[j] = from[j];
    }
}

// A whole number as an index; NaN becomes 0.
INLINE node_places index_of(vec a)
{
    return (node_places)most(a, 0.0);
}

INLINE int32_t place_of(node_places index, int lane)
{
    (void)lane;
    return index;
}

INLINE vec gather(const double* base, node_places index, const int alone)
{
    (void)alone;
    return base[index];
}

INLINE void gather_four(const double* base, node_places index, const int alone, vec to[4])
{
    (void)alone;
    for (int j = 0; j < 4; j++) {
        to[j] = base[index + j];
    }
}

#endif

#endif
