/*
 * A constrained system at one instant, from YAML.
 */
#ifndef BRISTLE_SCENARIO_READ_CONSTRAINED_H
#define BRISTLE_SCENARIO_READ_CONSTRAINED_H

#include "bristle/constrained.h"
#include "scenario/node.h"

// A system and the scratch memory for it; checked.
typedef struct constrained_input {
    br_constrained system;
    double* work;
} constrained_input;

// Read a system; mistakes are noted, and leave one without coordinates.
constrained_input bri_read_constrained(const node* root);

#endif
