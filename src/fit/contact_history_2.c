// The history of a contact, 2 parts at a time.
#include "fit/contact_history_lanes.h"

#if HISTORY_LANES & 2
#define LANES 2
#include "math/lanes.h"

#include "fit/contact_history.inc"
#endif
