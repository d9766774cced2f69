/*
 * Statuses that pass from an inner call to an outer one.
 */
#ifndef BRISTLE_BASE_STATUS_H
#define BRISTLE_BASE_STATUS_H

#include "bristle/base.h"

// What an inner call refuses as its parameter was a member of the outer call's definition.
static inline br_status status_of_definition(br_status inner)
{
    return inner == BR_ERR_ARG ? BR_ERR_DEF : inner;
}

#endif
