/*
 * Random numbers by index: number i is the same in any order, thread or process.
 */
#ifndef BRISTLE_SWEEP_RANDOM_H
#define BRISTLE_SWEEP_RANDOM_H

#include <stdint.h>

// Philox4x32-10: 128 random bits of a counter and a key.
void bri_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

// Uniform in (0, 1) [-]: number `index` of stream `stream` of a seed; never 0 or 1.
double bri_random_uniform(uint64_t seed, uint32_t stream, uint64_t index);

// Number `index` of a random permutation of 0..count-1; each `stream` of a seed has its own.
uint64_t bri_random_permute(uint64_t seed, uint32_t stream, uint64_t index, uint64_t count);

// The quantile of the standard normal distribution at p in (0, 1) [-].
double bri_normal_quantile(double p);

#endif
