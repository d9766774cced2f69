// The kernel for reduced contacts whose g is a table, one at a time.
#include "math/processor.h"
#if VECTOR_LANES & 1
#define LANES 1
#else
#define LANES 2
#endif
#define LAW_CURVE
#define REDUCED_KERNEL bri_kernel_reduced_curve
#include "planar/kernel_reduced.inc"
