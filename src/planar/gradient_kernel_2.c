// Derivatives of steps for 2 bundles at a time.
#define LANES 2
#include "planar/gradient_kernel.inc"
