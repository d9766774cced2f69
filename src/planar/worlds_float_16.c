// Worlds in lanes: floats, 16 at a time.
#define LANES 16
#define REAL_IS_FLOAT
#include "planar/worlds_lanes.inc"
