// Worlds in lanes: doubles, 4 at a time.
#define LANES 4
#include "planar/worlds_lanes.inc"
