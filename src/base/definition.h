/*
 * Definitions of callers that were compiled with an older header, see br_definition_read().
 */
#ifndef BRISTLE_BASE_DEFINITION_H
#define BRISTLE_BASE_DEFINITION_H

#include "bristle/base.h"

// Read a definition of that type over its defaults.
#define DEFINITION_READ(type, given, to, why)                                                      \
    br_definition_read(given, to, sizeof(type), #type, why)

#endif
