/*
 * The kernel for one bundle at a time, for any processor.
 */
#include "planar/kernel_instances.h"

#ifdef KERNEL_HAS_ONE

#define LANES          1
#define KERNEL         bri_kernel_1
#define REDUCED_KERNEL bri_kernel_reduced_1
#define KERNEL_NAME    "plain"
#include "planar/kernel.inc"

#endif
