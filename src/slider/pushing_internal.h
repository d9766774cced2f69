/*
 * What pushing at an instant and pushing along a way share.
 */
#ifndef BRISTLE_SLIDER_PUSHING_INTERNAL_H
#define BRISTLE_SLIDER_PUSHING_INTERNAL_H

#include "bristle/pushing.h"

// Friction below a body that moves with a twist at its centre of friction, over mu N.
br_limit_value bri_pushing_friction(const br_pushing* pushing, br_twist v);

#endif
