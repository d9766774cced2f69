// Worlds in lanes: floats, 4 at a time.
#define LANES 4
#define REAL_IS_FLOAT
#include "planar/worlds_lanes.inc"
