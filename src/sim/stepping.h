/*
 * Runs that take steps of one size and have their rows at steps.
 */
#ifndef BRISTLE_SIM_STEPPING_H
#define BRISTLE_SIM_STEPPING_H

#include "sim/run.h"

typedef struct stepping {
    double step;   // [s]
    size_t steps;  // of the run
    size_t stride; // steps per row
} stepping;

// The steps of a run; refuses rows that are not at steps. The last row may lie beyond the duration by less
// than a row's time, and the run goes on to it.
br_status bri_stepping_plan(const br_run_def* def, stepping* out, br_reason* why);

// A motion that has left the range of numbers.
br_status bri_stepping_overflow(double t, br_reason* why);

#endif
