/*
 * The kernel for eight bundles at a time (AVX-512).
 */
#include "planar/kernel_instances.h"

#ifdef KERNEL_HAS_X86

#define LANES          8
#define KERNEL         bri_kernel_8
#define REDUCED_KERNEL bri_kernel_reduced_8
#define KERNEL_NAME    "avx512"
#include "planar/kernel.inc"

#endif
