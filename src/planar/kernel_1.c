// The kernel for one bundle at a time, for any processor.
#define LANES 1
#include "planar/kernel.inc"
