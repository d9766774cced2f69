/*
 * How to integrate in time, from YAML.
 */
#ifndef BRISTLE_SCENARIO_READ_INTEGRATOR_H
#define BRISTLE_SCENARIO_READ_INTEGRATOR_H

#include "bristle/run.h"
#include "scenario/node.h"

// Put what `map` (may be NULL: nothing) says into `def`; mistakes are noted.
void bri_read_integrator(const node* map, bool may_be_fixed, br_run_def* def);

#endif
