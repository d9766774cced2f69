/*
 * The kernel for four bundles at a time (AVX2 and FMA).
 */
#include "planar/kernel_instances.h"

#ifdef KERNEL_HAS_X86

#define LANES          4
#define KERNEL         bri_kernel_4
#define REDUCED_KERNEL bri_kernel_reduced_4
#define KERNEL_NAME    "avx2"
#include "planar/kernel.inc"

#endif
