/*
 * The kernel for one reduced contact at a time, for any processor.
 */
#include "planar/kernel_instances.h"

#ifdef KERNEL_HAS_ONE

#define LANES          1
#define REDUCED_KERNEL bri_kernel_reduced_1
#include "planar/kernel_reduced.inc"

#endif
