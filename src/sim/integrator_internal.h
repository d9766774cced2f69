/*
 * The inside of an integrator: one front (steps, events, dense output) over exchangeable methods.
 */
#ifndef BRISTLE_SIM_INTEGRATOR_INTERNAL_H
#define BRISTLE_SIM_INTEGRATOR_INTERNAL_H

#include "bristle/integrator.h"

#include "sim/stage.h"

// A method. It owns `data` in the integrator and keeps reach and reach_y up to date.
typedef struct integrator_method {
    br_status (*create)(br_integrator* integrator, br_reason* why);
    void (*destroy)(br_integrator* integrator);
    // begin at (reach, reach_y)
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
    const stage_passes* passes; // what BR_ROSENBROCK leaves to the system, or NULL

    double t;        // where the caller is, <= reach
    const double* y; // the caller's state (n), one of those below
    double reach;    // where the method is
    double* reach_y; // the method's state (n)
    size_t attempts; // since the last start

    double* g;       // event functions at t (events)
    double* g_trial; // scratch (events)
    double* y_trial; // state between the ends of a step (n)
    double* memory;  // the block that holds all of these arrays
};

extern const integrator_method bri_rosenbrock_method;
extern const integrator_method bri_cvode_method;
extern const integrator_method bri_fixed_method;

// Sum up why an integration stopped: "step size fell below ... at t = ...".
br_status bri_integrator_stuck(const br_integrator* integrator, const char* what, br_reason* why);

#endif
