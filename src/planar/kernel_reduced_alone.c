// The kernel for few reduced contacts on processors with AVX-512. They do not fill eight lanes; four lanes
// profit from twice the registers and from instructions that broadcast numbers.
#define LANES          4
#define REDUCED_KERNEL bri_kernel_reduced_alone
#include "planar/kernel_reduced.inc"
