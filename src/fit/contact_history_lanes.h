/*
 * The instances of a contact's history in this program, with their number of lanes at the end of the name. A module
 * of WebAssembly, which is to be small, has that of one lane alone.
 */
#ifndef BRISTLE_FIT_CONTACT_HISTORY_LANES_H
#define BRISTLE_FIT_CONTACT_HISTORY_LANES_H

#include "fit/contact_history.h"
#include "math/processor.h"

#ifdef __wasm__
#define HISTORY_LANES 1
#else
#define HISTORY_LANES (VECTOR_LANES | 1)
#endif

#define HISTORY_JOIN(name, lanes)  name##lanes
#define HISTORY_NAMED(name, lanes) HISTORY_JOIN(name, lanes)

contact_history_fn bri_contact_history_1, bri_contact_history_2, bri_contact_history_4,
    bri_contact_history_8;

#endif
