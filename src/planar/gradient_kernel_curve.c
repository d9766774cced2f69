// Derivatives of steps for laws whose g is a table (kernel_curve.c).
#include "math/processor.h"
#if VECTOR_LANES & 1
#define LANES 1
#else
#define LANES 2
#endif
#define LAW_CURVE
#define GRADIENT_KERNEL bri_gradient_curve
#include "planar/gradient_kernel.inc"
