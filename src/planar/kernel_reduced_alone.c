// The kernel for few reduced contacts on processors with AVX-512, which has no use for eight lanes: four,
// with twice the registers and with numbers that instructions spread themselves.
#define LANES          4
#define REDUCED_KERNEL bri_kernel_reduced_alone
#include "planar/kernel_reduced.inc"
