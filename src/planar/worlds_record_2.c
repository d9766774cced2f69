// Recorded worlds in lanes and their derivatives: doubles, 2 at a time.
#define LANES 2
#define WORLDS_RECORD
#include "planar/worlds_lanes.inc"
