// Worlds in lanes: floats, 8 at a time.
#define LANES 8
#define REAL_IS_FLOAT
#include "planar/worlds_lanes.inc"
