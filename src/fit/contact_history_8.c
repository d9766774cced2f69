// The history of a contact, 8 parts at a time.
#include "fit/contact_history_lanes.h"

#if HISTORY_LANES & 8
#define LANES 8
#include "math/lanes.h"

#include "fit/contact_history.inc"
#endif
