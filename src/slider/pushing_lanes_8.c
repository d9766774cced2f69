// Pushes in lanes: 8 at a time.
#define LANES 8
#include "slider/pushing_lanes.inc"
