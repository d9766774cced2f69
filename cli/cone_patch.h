/*
 * bristle cone --patch-wrench: the wrenches that a contact patch can carry.
 */
#ifndef CLI_CONE_PATCH_H
#define CLI_CONE_PATCH_H

#include "options.h"

// Run the command; errors end it.
void cone_patch_main(const options* o);

#endif
