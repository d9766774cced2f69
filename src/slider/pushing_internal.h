/*
 * Internal header for pushing at an instant and pushing along a path.
 */
#ifndef BRISTLE_SLIDER_PUSHING_INTERNAL_H
#define BRISTLE_SLIDER_PUSHING_INTERNAL_H

#include "bristle/pushing.h"

// Friction below a body, divided by mu N. The twist is at the centre of friction.
br_limit_value bri_pushing_friction(const br_pushing* pushing, br_twist v);

#endif
