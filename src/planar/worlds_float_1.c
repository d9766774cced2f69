// Worlds in lanes: floats, 1 at a time.
#define LANES 1
#define REAL_IS_FLOAT
#include "planar/worlds_lanes.inc"
