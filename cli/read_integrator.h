/*
 * How to integrate in time, from YAML.
 */
#ifndef CLI_READ_INTEGRATOR_H
#define CLI_READ_INTEGRATOR_H

#include "bristle/run.h"
#include "node.h"

// Put what `map` (may be NULL: nothing) says into `def`; mistakes end the command.
void read_integrator(const node* map, bool may_be_fixed, br_run_def* def);

#endif
