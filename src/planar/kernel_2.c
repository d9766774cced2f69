// The kernel for two bundles at a time: what every x86-64, aarch64 and wasm with simd128 has.
#define LANES 2
#include "planar/kernel.inc"
