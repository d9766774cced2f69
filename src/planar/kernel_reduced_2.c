// The kernel for two reduced contacts at a time, for every x86-64, aarch64 and wasm with simd128.
#define LANES 2
#include "planar/kernel_reduced.inc"
