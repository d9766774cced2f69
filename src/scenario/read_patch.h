/*
 * A contact patch from YAML.
 */
#ifndef BRISTLE_SCENARIO_READ_PATCH_H
#define BRISTLE_SCENARIO_READ_PATCH_H

#include "bristle/patch.h"
#include "scenario/node.h"

// A patch and what the file says about cutting it.
typedef struct patch_input {
    br_patch* patch;   // of the reading; NULL where there was a mistake
    size_t resolution; // cells across
} patch_input;

// Read and create a patch; mistakes are noted. `map` may be NULL: it is missing, and that is told.
patch_input bri_read_patch(const node* map);

#endif
