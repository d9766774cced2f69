// Pushes in lanes: 4 at a time.
#define LANES 4
#include "slider/pushing_lanes.inc"
