/*
 * --set key.path=value: override a value of a YAML tree.
 */
#ifndef BRISTLE_SCENARIO_SET_H
#define BRISTLE_SCENARIO_SET_H

#include "scenario/node.h"

// Apply one "key.path=value"; missing maps are made. A path that cannot be is a mistake.
void bri_set_apply(node* root, const char* assignment);

// Put a number or a word where a key says, the same way. For cases: what is above it counts as changed.
void bri_set_value(node* root, const br_override* value);

#endif
