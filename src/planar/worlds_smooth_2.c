// Worlds of reduced contacts with smooth tables in lanes: doubles, 2 at a time.
#define LANES 2
#define WORLDS_SMOOTH
#include "planar/worlds_lanes.inc"
