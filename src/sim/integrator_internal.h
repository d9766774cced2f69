/*
 * Internal header of the integrators: a common front end (steps, events, dense output) over several methods.
 */
#ifndef BRISTLE_SIM_INTEGRATOR_INTERNAL_H
#define BRISTLE_SIM_INTEGRATOR_INTERNAL_H

#include "bristle/integrator.h"

#include "sim/run_steps.h"
#include "sim/stage.h"

// A method. It owns `data` in the integrator and updates reach and reach_y.
typedef struct integrator_method {
    br_status (*create)(br_integrator* integrator, br_reason* why);
    void (*destroy)(br_integrator* integrator);
    // start at (reach, reach_y)
    void (*start)(br_integrator* integrator);
    // one accepted step from reach, not beyond t_end
    br_status (*step)(br_integrator* integrator, double t_end, br_reason* why);
    // state at a time within the method's last step
    void (*at)(const br_integrator* integrator, double t, double* y);
} integrator_method;

struct br_integrator {
    br_ode ode;
    br_integrator_def def; // its atol points to our copy
    br_integrator_cost cost;
    const integrator_method* method;
    void* data;                 // the method's own
    const stage_passes* passes; // stages by the system, for BR_INTEGRATOR_ROSENBROCK, or NULL

    br_run_steps* steps; // to record or to repeat, of BR_INTEGRATOR_ROSENBROCK, or NULL
    bool repeats_steps;

    double t;        // time of the caller, <= reach
    const double* y; // the caller's state (n), one of those below
    double reach;    // time of the method
    double* reach_y; // the method's state (n)
    size_t attempts; // since the last start

    double start;    // of the method's last step
    int cuts;        // events in that step so far
    int is_at_event; // the last step of the caller ended at an event
    int* switched;   // event functions that changed sign there (events)
    double* g;       // event functions at t (events)
    double* g_trial; // scratch (events)
    double* y_trial; // state between the ends of a step (n)
    double* memory;  // the block that holds all of these arrays
};

extern const integrator_method bri_rosenbrock_method;
extern const integrator_method bri_cvode_method;
extern const integrator_method bri_fixed_method;

// Report why an integration stopped: "step size fell below ... at t = ...".
br_status bri_integrator_stuck(const br_integrator* integrator, const char* what, br_reason* why);

#endif
