// The kernel for four reduced contacts at a time (AVX2 and FMA).
#define LANES 4
#include "planar/kernel_reduced.inc"
