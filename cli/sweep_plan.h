/*
 * What bristle sweep is asked to do: its options, the scenario, the sweep.
 */
#ifndef CLI_SWEEP_PLAN_H
#define CLI_SWEEP_PLAN_H

#include "options.h"
#include "sweep_story.h"

typedef struct sweep_plan {
    const br_sweep* sweep;
    sweep_story story;
    size_t shard, shards; // from 1; 1 of 1: all of it
    size_t threads;       // 0: not said
} sweep_plan;

// Read all of it; mistakes end the command.
sweep_plan sweep_plan_read(const options* o);

#endif
