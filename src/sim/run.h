/*
 * Run of a scenario: from break to break of its profiles, with a row at every requested time.
 */
#ifndef BRISTLE_SIM_RUN_H
#define BRISTLE_SIM_RUN_H

#include "bristle/law.h"
#include "bristle/profile.h"
#include "bristle/run.h"

#include "sim/rows.h"
#include "sim/stage.h"

// Definition of a scenario for its run; `system` is passed to all callbacks.
typedef struct run_system {
    void* system;
    double start;                      // time at which the run starts [s]
    size_t n;                          // states
    double* y;                         // initial state, then the state at the end (n)
    const double* atol;                // per state (n)
    br_ode ode;                        // its equations
    const stage_passes* passes;        // the system's own stages, or NULL
    const br_profile* const* profiles; // all that it depends on, NULL at the end

    // a new smooth piece, which contains the time `within`, starts at t; may change y
    void (*enter)(void* system, double t, double within, double* y);
    // event function `event` changed sign at t; returns 1 if that changes the system or y, and the
    // integration restarts. Called once per function that changed sign. NULL: no events
    int (*switched)(void* system, double t, double* y, int event);
    // the run has advanced to (t, y), a row or the end of a step; br_integrator_at() gives the states
    // before it. NULL: skipped
    void (*passed)(void* system, const br_integrator* integrator, double t, const double* y);
    // report the row of time t
    void (*emit)(void* system, double t, const double* y);
    const int*
        fails; // 1: the system cannot go on, and the run ends with BR_ERR_DEF; NULL: it always can
} run_system;

// Options that a kind of run supports.
typedef struct run_kind {
    int is_adaptive, is_fixed; // which methods it has
    int has_events;            // it may report some
    int is_body;               // of a body: supports world axes and ends_only
    double rtol, atol, atol_z; // default tolerances; 0: it has no such tolerance
    double start;              // time at which the run starts [s]
} run_kind;

// Check what is common to all runs. `full` gets the definition with all defaults filled in, `watch` the callbacks; the
// given ones may be of older callers.
br_status bri_run_check(const run_kind* kind, const br_run_def* def,
                        const br_run_watch* given_watch, br_run_def* full, br_run_watch* watch,
                        br_reason* why);

// Run a system; `def` is one that bri_run_check() filled in.
br_status bri_run_all(const run_system* system, const br_run_def* def, const br_run_watch* watch,
                      br_integrator_cost* cost, br_reason* why);

// A run that has started: bri_run_create(), then any number of bri_run_to().
typedef struct run_progress {
    const run_system* system;
    const br_run_def* def;
    const br_run_watch* watch;
    br_integrator* integrator;
    double end;       // end of the current bri_run_to() [s]
    double t;         // [s]
    double piece_end; // of the smooth piece around t [s]; t: a new piece starts there
    size_t rows;      // to be written
    size_t next_row;  // first not yet written
    double mark;      // time of the last progress, to detect a stall [s]
    size_t steps;     // steps since then, some of which end at events
    size_t events;    // events since then
} run_progress;

// Start a run without rows; bri_run_release() frees what it has, after a failure, too.
br_status bri_run_create(run_progress* r, const run_system* system, const br_run_def* def,
                         const br_run_watch* watch, br_reason* why);
void bri_run_release(run_progress* r);

// Continue from (r->t, y of the system) to `end` [s]; the caller may have changed y.
br_status bri_run_to(run_progress* r, double end, br_reason* why);

// Report the progress of a run, and call `stop`. Returns BR_OK or BR_ERR_STOPPED.
br_status bri_run_report(const br_run_watch* watch, double t, double fraction, br_reason* why);

// Longest step that resolves the oscillation of a profile; INFINITY where it has none.
double bri_profile_longest_step(const br_profile* profile);

// Longest step from the elastic range of a bristle that cannot skip its plastic band.
double bri_law_longest_step(const br_law* law, double z, double v);

// Longest step over which an imposed speed that changes at this rate [m/s^2] is nearly constant. A
// bristle's relaxation rate is proportional to the speed and vanishes with it, which error estimates at
// the ends of a step do not detect.
double bri_imposed_longest_step(const br_law* law, double speed, double acceleration);

// Check a profile, called `field` in `why`.
br_status bri_check_profile(const br_profile* profile, const char* field, br_reason* why);

// The same for a normal force, which must not be negative within a finite `duration` [s].
br_status bri_check_normal_force(const br_profile* profile, double duration, const char* field,
                                 br_reason* why);

#endif
