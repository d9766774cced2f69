// Recorded worlds in lanes and their derivatives: doubles, 8 at a time.
#define LANES 8
#define WORLDS_RECORD
#include "planar/worlds_lanes.inc"
