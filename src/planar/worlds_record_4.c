// Recorded worlds in lanes and their derivatives: doubles, 4 at a time.
#define LANES 4
#define WORLDS_RECORD
#include "planar/worlds_lanes.inc"
