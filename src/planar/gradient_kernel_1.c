// Derivatives of steps for one bundle at a time.
#define LANES 1
#include "planar/gradient_kernel.inc"
