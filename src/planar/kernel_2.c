/*
 * The kernel for two bundles at a time: what every x86-64, aarch64 and wasm with simd128 has.
 */
#include "planar/kernel_instances.h"

#ifdef KERNEL_HAS_PAIRS

#define LANES          2
#define KERNEL         bri_kernel_2
#define REDUCED_KERNEL bri_kernel_reduced_2
#if defined(__x86_64__)
#define KERNEL_NAME "sse2"
#elif defined(__aarch64__)
#define KERNEL_NAME "neon"
#else
#define KERNEL_NAME "simd128"
#endif
#include "planar/kernel.inc"

#endif
