/*
 * The kernel for eight reduced contacts at a time (AVX-512).
 */
#include "planar/kernel_instances.h"

#ifdef KERNEL_HAS_X86

#define LANES          8
#define REDUCED_KERNEL bri_kernel_reduced_8
#include "planar/kernel_reduced.inc"

#endif
