/*
 * A contact under an imposed planar motion, from YAML.
 */
#ifndef CLI_READ_CONTACT_H
#define CLI_READ_CONTACT_H

#include "bristle/motion.h"
#include "node.h"

// Read `model`, `friction`, `contact` and `motion` of a scenario; mistakes end the command.
br_motion read_contact_motion(const node* root);

#endif
