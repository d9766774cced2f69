/*
 * Whether the energy of a run is in balance, and what would bring it there.
 */
#ifndef CLI_BALANCE_H
#define CLI_BALANCE_H

#include "bristle/run.h"

// What to say of a run that misses `residual` [J] of its `turnover` [J], the most that its energies and the
// works on it came to; NULL: nothing, it is in balance.
char* balance_judge(const br_run_def* run, double residual, double turnover);

#endif
