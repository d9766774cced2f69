/*
 * W&K's slip-stick experiment with k = 2 as the published code runs its reduced model.
 */
#ifndef STUDIES_WK_STALE_H
#define STUDIES_WK_STALE_H

#include "wk_grip.h"

// Run it; freed when the command ends. Only times, poses and forces are set.
wk_grip_result* wk_run_stale_grip(const wk_grip* grip);

#endif
