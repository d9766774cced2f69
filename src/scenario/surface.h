/*
 * Limit surfaces that live as long as a reading.
 */
#ifndef BRISTLE_SCENARIO_SURFACE_H
#define BRISTLE_SCENARIO_SURFACE_H

#include "bristle/limit.h"
#include "scenario/node.h"

// Create a surface; NULL where it cannot be, which is a mistake of `from`.
br_limit* bri_surface_create(const node* from, const br_patch* patch, double fn,
                             br_limit_method method, size_t n, size_t resolution);

#endif
