/// @file run.h
/// Definition of a run in time (duration, rows and columns, method, tolerances), and its callbacks.
///
/// Every run of libbristle-sim uses the same two structs:
/// - rig.h: a law's imposed motion, and a rig
/// - motion.h: a contact's imposed motion
/// - body.h: a body
/// - sliding.h: a slider and a pushed body
/// - mechanism.h: a mechanism
///
/// A run refuses fields that it does not support, with the reason; it ignores none.
#ifndef BRISTLE_RUN_H
#define BRISTLE_RUN_H

#include <stdbool.h>

#include "bristle/column.h"
#include "bristle/integrator.h"

#ifdef __cplusplus
extern "C" {
#endif

// Default tolerances of adaptive runs, used for 0 in br_run_def. With those of bodies the position error is some
// 1e-7 m (docs/explanation/precision.md); mechanisms share BR_ATOL_Z.
#define BR_RTOL           1e-6  ///< relative tolerance of laws and imposed motions [-]
#define BR_ATOL           1e-8  ///< absolute tolerance of laws and imposed motions [m, m/s]
#define BR_ATOL_Z         1e-10 ///< absolute tolerance of their bristles [m]
#define BR_BODY_RTOL      2e-6  ///< relative tolerance of bodies [-]
#define BR_BODY_ATOL      2e-8  ///< absolute tolerance of bodies [m, m/s]
#define BR_BODY_ATOL_Z    2e-10 ///< absolute tolerance of the bristles of bodies [m]
#define BR_MECHANISM_RTOL 1e-11 ///< relative tolerance of mechanisms [-]
#define BR_MECHANISM_ATOL 1e-12 ///< absolute tolerance of mechanisms [m, m/s]

/// The sizes of the steps of an adaptive run, recorded by that run and repeated by others. The
/// results of these are then a smooth function of their parameters: derivatives by differences have
/// neither noise nor jumps of the error control (sensitivity.h). A run that repeats steps fails
/// with BR_ERR_CONVERGENCE where it takes another course: its events come in another order, or
/// differ by more than a step. Not shared between threads.
typedef struct br_run_steps br_run_steps;

/// Create an empty record of steps.
/// @param[out] out  the record, or NULL; free it with br_run_steps_destroy()
/// @param[out] why  may be NULL
/// @return BR_OK or BR_ERR_MEMORY
BR_API br_status br_run_steps_create(br_run_steps** out, br_reason* why);

/// Free a record; NULL is allowed.
BR_API void br_run_steps_destroy(br_run_steps* steps);

/// Number of recorded steps.
BR_API size_t br_run_steps_get_count(const br_run_steps* steps);

/// Definition of a run. Start from br_run_def_default().
typedef struct br_run_def {
    size_t size;     ///< set by the default function; do not touch
    double duration; ///< [s], > 0
    /// interval of the rows from the start on [s], > 0; another row at the end of the run if the duration is no
    /// multiple of it; 0: duration/200, for sliders and pushed bodies each step
    double every;
    /// if not NULL: times of the rows instead [s], increasing, within the run (from its start, which is 0 or
    /// br_body.from's t, to start + duration); `every` must be 0; not for sliders and pushed bodies
    const double* at;
    size_t at_count; ///< length of `at`
    /// BR_INTEGRATOR_FIXED: for bodies, and the only one of sliders and pushed bodies
    br_integrator_kind method;
    /// step of BR_INTEGRATOR_FIXED [s], > 0, at least 1e-9 of the duration; 0 for adaptive methods
    double step;

    /// adaptive: relative tolerance [-], in [1e-14, 1); 0: default of the run, BR_RTOL, ...
    double rtol;
    /// adaptive: absolute tolerance of positions and velocities [m, m/s], > 0; 0: default of the
    /// run (BR_ATOL, ...). For a body's angle and spin it is divided by the distance from its CoM
    /// to the farthest rim of its contacts [rad, rad/s]. A contact's imposed motion integrates
    /// neither: 0 only
    double atol;
    double atol_z;    ///< adaptive: absolute tolerance of bristles [m], > 0; 0: BR_ATOL_Z, ...
    double max_step;  ///< adaptive: largest step [s], > 0; INFINITY: no limit
    unsigned columns; ///< columns of the rows, sum of br_column_set; BR_COLUMNS_WORLD is for bodies
    /// bodies: true: only the first and the last row are computed, and most_load is NaN
    bool ends_only;
    /// BR_INTEGRATOR_ROSENBROCK: record of the run's steps, borrowed; NULL: none
    br_run_steps* steps;
    bool
        repeats_steps; ///< true: take the recorded steps, without error control; false: record them
} br_run_def;

/// Default definition: 1 s, 200 rows and the first, all columns, Rosenbrock with the run's default tolerances.
BR_API br_run_def br_run_def_default(void);

/// Number of rows of a run, first and last included; for sliders and pushed bodies only if `every` is set. Never fails.
/// @param def  a definition with duration > 0 and every >= 0
BR_API size_t br_run_def_get_row_count(const br_run_def* def);

/// The list of events of runs: enumerator, and its name by br_event_get_name().
#define BR_EVENT_LIST(X)                                                                           \
    X(STICK, "stick")                                                                              \
    X(SLIP, "slip")                                                                                \
    X(OPEN, "open")                                                                                \
    X(LEAVE, "leave")                                                                              \
    X(OVERHANG, "overhang")                                                                        \
    X(REVERSE, "reverse")                                                                          \
    X(FOLD, "fold")                                                                                \
    X(TOPPLE, "topple")                                                                            \
    X(TIP_STICK, "tip sticks")                                                                     \
    X(TIP_LEFT, "tip slides left")                                                                 \
    X(TIP_RIGHT, "tip slides right")                                                               \
    X(TIP_BREAK, "tip breaks away")

/// Kind of event. STICK, SLIP, OPEN: a contact or a law starts to stick, to slip, to be open (fn = 0). LEAVE: a patch has
/// left its body for good. OVERHANG: a part of it is off the body, reported once. REVERSE: a mechanism's contact stops and
/// slides back at once. FOLD: it turns back because the mechanism can reach no further. TOPPLE: a slider's contact point
/// leaves its patch, reported once. TIP_...: the tip of a pusher sticks, slides to a side or does not push.
typedef enum br_event_kind {
#define BR_EVENT_ENUM(name, text) BR_EVENT_##name, ///< see BR_EVENT_LIST
    BR_EVENT_LIST(BR_EVENT_ENUM)
#undef BR_EVENT_ENUM
        BR_EVENT_COUNT ///< number of kinds
} br_event_kind;

/// Name of a kind of event: "stick", "tip slides left"; static. NULL if it is out of range.
BR_API const char* br_event_get_name(br_event_kind kind);

/// An event.
typedef struct br_run_event {
    double t;           ///< time [s]
    br_event_kind kind; ///< kind of event
    size_t contact;     ///< index of the body's contact; 0 in all other runs
} br_run_event;

/// Callbacks of a run. Every run needs them (not NULL), with `row`; all other callbacks may be NULL. Start from
/// br_run_watch_default(), or from {.size = sizeof(br_run_watch)}.
typedef struct br_run_watch {
    size_t size; ///< sizeof(br_run_watch)
    /// Called once before the first row, with the columns of all rows; valid until the run ends.
    void (*start)(const br_column* columns, size_t count, void* user);
    /// Called for each row in order: one number per column; valid during the call.
    void (*row)(const double* row, void* user);
    /// Called for each event; not for imposed motions, which have none.
    void (*event)(const br_run_event* event, void* user);
    /// Called after every step, and after 4096 rows within one, with the share of the run that is done [-].
    void (*progress)(double fraction, void* user);
    /// Called where `progress` is, at time t [s]: true ends the run, with BR_ERR_STOPPED.
    bool (*stop)(double t, void* user);
    void* user; ///< passed to all of them, borrowed
} br_run_watch;

/// Default callbacks: none; `row` must be set.
BR_API br_run_watch br_run_watch_default(void);

#ifdef __cplusplus
}
#endif

#endif
