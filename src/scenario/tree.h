/*
 * Trees that the caller builds.
 */
#ifndef BRISTLE_SCENARIO_TREE_H
#define BRISTLE_SCENARIO_TREE_H

#include "scenario/node.h"

// The same as a tree of nodes, all of it copied; NULL where something is wrong with it.
node* bri_tree_read(reading* in, const char* name, const br_tree* tree);

#endif
