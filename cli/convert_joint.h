/*
 * bristle convert: the law of a joint for a physics engine.
 */
#ifndef CLI_CONVERT_JOINT_H
#define CLI_CONVERT_JOINT_H

#include "bristle/scenario.h"
#include "options.h"

// Is this file a law, and not a patch? Then its errors end the command.
bool convert_is_joint(const br_scenario* file);

// Print the law of a file as a joint's friction. `name`: for XML; returns the exit status.
int convert_joint(const options* o, const br_scenario* file, const char* name);

#endif
