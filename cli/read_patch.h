/*
 * A contact patch from YAML.
 */
#ifndef CLI_READ_PATCH_H
#define CLI_READ_PATCH_H

#include "bristle/patch.h"
#include "node.h"

// A patch and what the file says about cutting it.
typedef struct patch_input {
    br_patch* patch;   // freed when the command ends
    size_t resolution; // cells across
} patch_input;

// Read and create a patch; mistakes end the command.
patch_input read_patch(const node* map);

#endif
