// Worlds in lanes: doubles, 1 at a time.
#define LANES 1
#include "planar/worlds_lanes.inc"
