/*
 * A constrained system at one instant, from YAML.
 */
#ifndef CLI_READ_CONSTRAINED_H
#define CLI_READ_CONSTRAINED_H

#include "bristle/constrained.h"
#include "node.h"

// A system and the scratch memory for it; checked.
typedef struct constrained_input {
    br_constrained system;
    double* work;
} constrained_input;

// Read a system; mistakes end the command.
constrained_input read_constrained(const node* root);

#endif
