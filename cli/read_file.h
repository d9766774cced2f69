/*
 * Files that a YAML file names.
 */
#ifndef CLI_READ_FILE_H
#define CLI_READ_FILE_H

#include "node.h"

// The path of the file that `value` names: beside the YAML file, else in the current folder. One
// that is not there ends the command, with the key.
const char* read_file_name(const node* value);

#endif
