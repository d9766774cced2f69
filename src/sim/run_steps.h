/*
 * Internal header: steps of an adaptive run that are recorded or repeated, see br_run_steps.
 */
#ifndef BRISTLE_SIM_RUN_STEPS_H
#define BRISTLE_SIM_RUN_STEPS_H

#include "bristle/run.h"

// A step, or an event that restarted the integration.
typedef struct run_mark {
    double h;     // size of the step [s]
    bool is_last; // it ended at the end of a smooth piece
    int event;    // index of the event function; -1: a step
} run_mark;

struct br_run_steps {
    run_mark* marks; // (count)
    size_t count, capacity;
    size_t next; // to be repeated
    size_t n;    // states of the run
};

// Start to record or to repeat, for a run of n states. Returns BR_OK or BR_ERR_CONVERGENCE: the recorded run had others.
br_status bri_run_steps_start(br_run_steps* steps, bool repeats, size_t n, br_reason* why);

// Record. Returns BR_OK or BR_ERR_MEMORY.
br_status bri_run_steps_add(br_run_steps* steps, run_mark mark, br_reason* why);

// The next step of a run that repeats, `left` before the end of its smooth piece [s]; false: it takes another course.
bool bri_run_steps_take(br_run_steps* steps, double left, double* h, bool* is_last);

// An event of a run that repeats; false: it takes another course.
bool bri_run_steps_take_event(br_run_steps* steps, int event);

// BR_ERR_CONVERGENCE with its reason.
br_status bri_run_steps_another_course(double t, br_reason* why);

#endif
