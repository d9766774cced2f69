// Worlds in lanes: doubles, 2 at a time.
#define LANES 2
#include "planar/worlds_lanes.inc"
