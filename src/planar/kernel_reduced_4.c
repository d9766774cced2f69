/*
 * The kernel for four reduced contacts at a time (AVX2 and FMA).
 */
#include "planar/kernel_instances.h"

#ifdef KERNEL_HAS_X86

#define LANES          4
#define REDUCED_KERNEL bri_kernel_reduced_4
#include "planar/kernel_reduced.inc"

#endif
