// The kernel for four bundles at a time (AVX2 and FMA).
#define LANES 4
#include "planar/kernel.inc"
