// The kernel for eight bundles at a time (AVX-512).
#define LANES 8
#include "planar/kernel.inc"
