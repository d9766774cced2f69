/*
 * A sequence of random numbers, for noise that is the same for the same seed.
 */
#ifndef BRISTLE_MATH_RANDOM_H
#define BRISTLE_MATH_RANDOM_H

#include "bristle/math.h"

#include <math.h>
#include <stdint.h>

// 64 random bits: Steele's splitmix64.
static inline uint64_t random_bits(uint64_t* state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

// Uniform in (0, 1).
static inline double random_uniform(uint64_t* state)
{
    return ((double)(random_bits(state) >> 11) + 0.5) * 0x1p-53;
}

// Standard normal, Box and Muller's method.
static inline double random_normal(uint64_t* state)
{
    const double radius = sqrt(-2.0 * log(random_uniform(state)));
    return radius * cos(2.0 * BR_PI * random_uniform(state));
}

#endif
