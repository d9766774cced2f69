// The kernel for laws whose g is a table: as narrow as there is one, since tables are read lane by lane.
#include "math/processor.h"
#if VECTOR_LANES & 1
#define LANES 1
#else
#define LANES 2
#endif
#define LAW_CURVE
#define KERNEL         bri_kernel_curve
#define KERNEL_REDUCED bri_kernel_reduced_curve
#include "planar/kernel.inc"
