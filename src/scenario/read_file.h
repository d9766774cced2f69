/*
 * Files that a YAML file names.
 */
#ifndef BRISTLE_SCENARIO_READ_FILE_H
#define BRISTLE_SCENARIO_READ_FILE_H

#include "scenario/node.h"

// The path of the file that `value` names: beside the YAML file, else in the current folder. NULL where it
// cannot be read, which is noted with the key.
const char* bri_read_file_name(const node* value);

#endif
