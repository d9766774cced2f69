/*
 * The instances of the kernel that this program was built with.
 */
#ifndef BRISTLE_PLANAR_KERNEL_INSTANCES_H
#define BRISTLE_PLANAR_KERNEL_INSTANCES_H

#include "planar/kernel.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define KERNEL_HAS_X86
extern const kernel bri_kernel_8, bri_kernel_4;
extern const kernel_reduced bri_kernel_reduced_8, bri_kernel_reduced_4, bri_kernel_reduced_alone;
#endif
#if defined(KERNEL_HAS_X86) || defined(__aarch64__) || defined(__wasm_simd128__)
#define KERNEL_HAS_PAIRS
extern const kernel bri_kernel_2;
extern const kernel_reduced bri_kernel_reduced_2;
#endif
#if !defined(__wasm_simd128__) // a module for browsers is to be small: its pairs serve for all
#define KERNEL_HAS_ONE
extern const kernel bri_kernel_1;
extern const kernel_reduced bri_kernel_reduced_1;
#endif

#endif
