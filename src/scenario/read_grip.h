/*
 * A grip controller from YAML: `normal_force: {kind: control, ...}`.
 */
#ifndef BRISTLE_SCENARIO_READ_GRIP_H
#define BRISTLE_SCENARIO_READ_GRIP_H

#include "bristle/grip.h"
#include "scenario/node.h"

// Is the normal force of a body's contact one that is controlled? An unknown kind is noted.
bool bri_is_grip(const node* force);

// Read it, and the force of its start [N]; mistakes are noted. Freed with the reading.
const br_grip* bri_read_grip(const node* map, double* start);

#endif
