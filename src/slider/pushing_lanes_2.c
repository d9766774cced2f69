// Pushes in lanes: 2 at a time.
#define LANES 2
#include "slider/pushing_lanes.inc"
