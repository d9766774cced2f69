/*
 * The input of bristle sweep: its options, the scenario, the sweep.
 */
#ifndef CLI_SWEEP_PLAN_H
#define CLI_SWEEP_PLAN_H

#include "options.h"
#include "sweep_metadata.h"

typedef struct sweep_plan {
    const br_sweep* sweep;
    sweep_metadata metadata;
    size_t shard, shards; // from 1; 1 of 1: the whole sweep
    size_t threads;       // 0: not given
} sweep_plan;

// Read the input; errors end the command. The leader of several processes prints warnings.
sweep_plan sweep_plan_read(const options* o, bool is_leader);

#endif
