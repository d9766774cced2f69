// Derivatives of steps for 4 bundles at a time.
#define LANES 4
#include "planar/gradient_kernel.inc"
