/*
 * Internal header: sensitivities whose caller sees the changed runs, too.
 */
#ifndef BRISTLE_SWEEP_SENSITIVITY_H
#define BRISTLE_SWEEP_SENSITIVITY_H

#include "bristle/sensitivity.h"

// Called after the runs on both sides of a key, with the run itself, the position of the key, and its two values.
typedef struct sensitivity_pairs {
    void (*see)(const br_table* own, size_t key, const double values[2],
                const br_table* const pair[2], void* user);
    void* user;
} sensitivity_pairs;

// br_sensitivity_create() with `pairs`, which may be NULL.
br_status bri_sensitivity_create(const br_scenario* scenario, const char* const* keys,
                                 const br_scenario_watch* watch, const sensitivity_pairs* pairs,
                                 br_sensitivity** out, br_reason* why);

#endif
