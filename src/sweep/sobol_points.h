/*
 * Sobol' points: numbers in (0, 1) that fill a cube uniformly.
 */
#ifndef BRISTLE_SWEEP_SOBOL_POINTS_H
#define BRISTLE_SWEEP_SOBOL_POINTS_H

#include <stdint.h>

enum { SOBOL_DIMENSIONS = 64, SOBOL_BITS = 32 };

// Direction numbers of a dimension, 0..SOBOL_DIMENSIONS-1.
void bri_sobol_directions(unsigned dimension, uint32_t directions[SOBOL_BITS]);

// Point `index` in this dimension, over 2^32, in Gray-code order.
uint32_t bri_sobol_point(const uint32_t directions[SOBOL_BITS], uint64_t index);

// The same with random scrambling; the points are as uniform as before.
uint32_t bri_sobol_scramble(uint32_t point, uint32_t seed);

#endif
