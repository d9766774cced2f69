/*
 * --set key.path=value: override a value of a YAML tree.
 */
#ifndef BRISTLE_SCENARIO_SET_H
#define BRISTLE_SCENARIO_SET_H

#include "scenario/node.h"

// Apply one "key.path=value"; missing maps are made. A path that cannot be is a mistake.
void bri_set_apply(node* root, const char* assignment);

#endif
