/*
 * The kernel for two reduced contacts at a time: what every x86-64, aarch64 and wasm with simd128 has.
 */
#include "planar/kernel_instances.h"

#ifdef KERNEL_HAS_PAIRS

#define LANES          2
#define REDUCED_KERNEL bri_kernel_reduced_2
#include "planar/kernel_reduced.inc"

#endif
