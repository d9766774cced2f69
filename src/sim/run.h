/*
 * How a scenario runs: from break to break of its profiles, a row at every time asked for.
 */
#ifndef BRISTLE_SIM_RUN_H
#define BRISTLE_SIM_RUN_H

#include "bristle/law.h"
#include "bristle/profile.h"
#include "bristle/run.h"

#include "sim/stage.h"

// What a scenario tells its run; `system` is handed to all of them.
typedef struct run_system {
    void* system;
    size_t n;                          // states
    double* y;                         // start, then the state at the end (n)
    const double* atol;                // per state (n)
    br_ode ode;                        // its equations
    const stage_passes* passes;        // how it takes stages by itself, or NULL
    const br_profile* const* profiles; // all that it depends on, NULL at the end

    // a new smooth piece around the time `within` begins at t; may change y
    void (*enter)(void* system, double t, double within, double* y);
    // an event happened at t; 1 if that changes the system or y: the integration is then started
    // anew. NULL: no events
    int (*switched)(void* system, double t, double* y, int event);
    // the run has passed to (t, y), a row or the end of a step; the states on the way there are those
    // of br_integrator_at(). NULL: nobody asks
    void (*passed)(void* system, const br_integrator* integrator, double t, const double* y);
    // tell the row of time t
    void (*emit)(void* system, double t, const double* y);
} run_system;

// The rows of br_run_rows, in their order.
typedef enum run_rows {
    RUN_ROWS_RIG,
    RUN_ROWS_MOTION,
    RUN_ROWS_BODY,
    RUN_ROWS_SLIDING,
    RUN_ROWS_PUSHED,
    RUN_ROWS_MECHANISM,
    RUN_ROWS_COUNT
} run_rows;

// What a kind of run can honour.
typedef struct run_kind {
    run_rows rows;
    int is_adaptive, is_fixed; // which methods it has
    int has_events;            // it may tell some
    double rtol, atol,
        atol_z; // its tolerances where none are asked for; 0: it has no such tolerance
} run_kind;

// Check what does not depend on the scenario. `full` gets the definition with all defaults filled in.
br_status bri_run_check(const run_kind* kind, const br_run_def* def, const br_run_watch* watch,
                        br_run_def* full, br_reason* why);

// Run a system; `def` is one that bri_run_check() filled in.
br_status bri_run_all(const run_system* system, const br_run_def* def, const br_run_watch* watch,
                      br_integrator_cost* cost, br_reason* why);

// Tell how far a run is, and ask whether it shall stop: BR_OK or BR_ERR_STOPPED.
br_status bri_run_tell(const br_run_watch* watch, double t, double end, br_reason* why);

// Second derivative of a profile in time on its smooth piece; see br_profile_eval().
double bri_profile_second(const br_profile* profile, double t, double within);

// Longest step that follows every swing of a profile; INFINITY where it has none.
double bri_profile_longest_step(const br_profile* profile);

// Longest step from the elastic side that cannot pass over the plastic band of a bristle unseen.
double bri_law_longest_step(const br_law* law, double z, double v);

// Longest step over which an imposed speed, changing at this rate [m/s^2], may be taken as one: the
// bristle's relaxation rate is proportional to the speed and dies with it, which no error estimate at
// the ends of a step sees.
double bri_imposed_longest_step(const br_law* law, double speed, double acceleration);

// Check a profile; names it `field` in `why`.
br_status bri_check_profile(const br_profile* profile, const char* field, br_reason* why);

// The same of a normal force, which may not be negative within `duration` [s], finite.
br_status bri_check_normal_force(const br_profile* profile, double duration, const char* field,
                                 br_reason* why);

#endif
