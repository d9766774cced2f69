// The kernel for two bundles at a time, for every x86-64, aarch64 and wasm with simd128.
#define LANES 2
#include "planar/kernel.inc"
