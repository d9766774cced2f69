// Worlds in lanes: doubles, 8 at a time.
#define LANES 8
#include "planar/worlds_lanes.inc"
