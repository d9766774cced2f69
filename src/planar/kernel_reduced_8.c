// The kernel for eight reduced contacts at a time (AVX-512).
#define LANES 8
#include "planar/kernel_reduced.inc"
