// Worlds of reduced contacts with smooth tables in lanes: doubles, 8 at a time.
#define LANES 8
#define WORLDS_SMOOTH
#include "planar/worlds_lanes.inc"
