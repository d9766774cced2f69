// The kernel for one reduced contact at a time, for any processor.
#define LANES 1
#include "planar/kernel_reduced.inc"
