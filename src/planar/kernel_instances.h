/*
 * The instances of the kernel that this program was built with: one for each number of lanes in KERNEL_LANES,
 * a sum of 1, 2, 4, 8. An instance for LANES lanes is named by it.
 */
#ifndef BRISTLE_PLANAR_KERNEL_INSTANCES_H
#define BRISTLE_PLANAR_KERNEL_INSTANCES_H

#include "planar/kernel.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define KERNEL_LANES 15
#elif defined(__aarch64__)
#define KERNEL_LANES 3
#elif defined(__wasm_simd128__) // a module for browsers is to be small: its pairs serve for all
#define KERNEL_LANES 2
#else
#define KERNEL_LANES 1
#endif

#define KERNEL_JOIN(name, lanes)  name##lanes
#define KERNEL_NAMED(name, lanes) KERNEL_JOIN(name, lanes)

extern const kernel bri_kernel_1, bri_kernel_2, bri_kernel_4, bri_kernel_8;
extern const kernel_reduced bri_kernel_reduced_1, bri_kernel_reduced_2, bri_kernel_reduced_4,
    bri_kernel_reduced_8, bri_kernel_reduced_alone;

#endif
