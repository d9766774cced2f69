/*
 * Definitions of callers that were compiled with an older header, see br_definition_read().
 */
#ifndef BRISTLE_BASE_DEFINITION_H
#define BRISTLE_BASE_DEFINITION_H

#include "bristle/base.h"

// Read a definition of that type over its defaults. A module of WebAssembly is linked as a whole: no caller is older, and
// a copy keeps it small.
#ifdef __wasm__
#define DEFINITION_READ(type, given, to, why) (*(to) = *(given), (void)(why), BR_OK)
#else
#define DEFINITION_READ(type, given, to, why)                                                      \
    br_definition_read(given, to, sizeof(type), #type, why)
#endif

#endif
