/*
 * How large a body is, from YAML: its inertia and its outline.
 */
#ifndef CLI_READ_EXTENT_H
#define CLI_READ_EXTENT_H

#include "scenario_body.h"

// Read size, radius or inertia, and the outline; the mass is known. Mistakes end the command.
void read_extent(const node* map, body_input* got);

#endif
