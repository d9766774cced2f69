/*
 * `output` of a scenario: which columns it has besides.
 */
#ifndef BRISTLE_SCENARIO_READ_OUTPUT_H
#define BRISTLE_SCENARIO_READ_OUTPUT_H

#include "scenario/node.h"

// A key of `output` that is true or false (false).
bool bri_read_output_flag(const node* root, const char* key);

#endif
