// Worlds of reduced contacts with smooth tables in lanes: doubles, 4 at a time.
#define LANES 4
#define WORLDS_SMOOTH
#include "planar/worlds_lanes.inc"
