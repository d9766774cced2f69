/*
 * How large a body is, from YAML: its inertia and its outline.
 */
#ifndef BRISTLE_SCENARIO_READ_EXTENT_H
#define BRISTLE_SCENARIO_READ_EXTENT_H

#include "scenario/read_body.h"

// Read size, radius or inertia, and the outline; the mass is known. Mistakes end the command.
void bri_read_extent(const node* map, body_input* got);

#endif
