// Derivatives of steps for 8 bundles at a time.
#define LANES 8
#include "planar/gradient_kernel.inc"
