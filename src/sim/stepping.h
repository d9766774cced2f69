/*
 * Runs with a constant step size and rows at multiples of it.
 */
#ifndef BRISTLE_SIM_STEPPING_H
#define BRISTLE_SIM_STEPPING_H

#include "sim/run.h"

typedef struct stepping {
    double step;   // [s]
    size_t steps;  // of the run
    size_t stride; // steps per row
} stepping;

// Plan the steps of a run, which ends at the step nearest to the duration. Rejects rows between steps.
br_status bri_stepping_plan(const br_run_def* def, stepping* out, br_reason* why);

// Is there a row after this step? After every `stride` steps, and at the end.
int bri_stepping_has_row(const stepping* plan, size_t step);

// k times a step or an interval of rows [s]. For decimals of up to 12 places it is the double nearest to the decimal
// product, so that times print as expected: 3 times 0.05 is 0.15, not 0.15000000000000002.
double bri_stepping_time(size_t k, double step);

// Report an overflow of the motion.
br_status bri_stepping_overflow(double t, br_reason* why);

#endif
