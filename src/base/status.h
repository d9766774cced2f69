/*
 * Statuses that are passed on from an inner call to an outer one.
 */
#ifndef BRISTLE_BASE_STATUS_H
#define BRISTLE_BASE_STATUS_H

#include "bristle/base.h"

// An argument that an inner call rejects is a member of the outer call's definition.
static inline br_status status_of_definition(br_status inner)
{
    return inner == BR_ERR_ARG ? BR_ERR_DEF : inner;
}

#endif
