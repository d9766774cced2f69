// The history of a contact, 4 parts at a time.
#include "fit/contact_history_lanes.h"

#if HISTORY_LANES & 4
#define LANES 4
#include "math/lanes.h"

#include "fit/contact_history.inc"
#endif
