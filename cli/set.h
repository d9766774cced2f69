/*
 * --set key.path=value: override a value of a YAML tree.
 */
#ifndef CLI_SET_H
#define CLI_SET_H

#include "node.h"

// Apply one "key.path=value"; missing maps are made. A path that cannot be ends the command.
void set_apply(node* root, const char* assignment);

#endif
