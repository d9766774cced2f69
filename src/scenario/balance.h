/*
 * Whether the energy of a run is in balance, and what would bring it there.
 */
#ifndef BRISTLE_SCENARIO_BALANCE_H
#define BRISTLE_SCENARIO_BALANCE_H

#include "bristle/run.h"
#include "scenario/pool.h"

// What to say of a run that misses `residual` [J] of its `turnover` [J], the most that its energies and the
// works on it came to; NULL: nothing, it is in balance.
char* bri_balance_judge(pool* memory, const br_run_def* run, double residual, double turnover);

#endif
