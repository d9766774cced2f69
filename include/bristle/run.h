/// @file run.h
/// A run in time: how long, which rows, by which method and how exactly, and whom to tell.
///
/// The same two structs serve every run of libbristle-sim: a law's imposed motion and a rig (rig.h), a
/// contact's imposed motion (motion.h), a body (body.h), a slider and a pushed body (sliding.h), a mechanism
/// (mechanism.h). A run refuses what it cannot honour, with the reason; no field is passed over in silence.
#ifndef BRISTLE_RUN_H
#define BRISTLE_RUN_H

#include "bristle/integrator.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What to compute. Start from br_run_def_default().
typedef struct br_run_def {
    size_t size;      ///< set by the default function; do not touch
    double duration;  ///< [s], > 0
    double every;     ///< rows at t = k every, k = 0..round(duration/every) [s], > 0; 0:
                      ///< duration/200, of sliders and pushed bodies each step
    const double* at; ///< if not NULL: rows at these times instead, increasing, in
                      ///< [0, duration], and `every` is 0; not for sliders and pushed bodies
    size_t at_count;  ///< length of `at`
    br_integrator_kind
        method; ///< BR_FIXED: bodies, and sliders and pushed bodies, which have no other
    double
        step; ///< of BR_FIXED [s], > 0, at least 1e-9 of the duration; 0 for the adaptive methods

    double
        rtol; ///< adaptive: relative tolerance [-], in [1e-14, 1); 0: 1e-6, of bodies 2e-6 (a place
              ///< off by some 1e-7 m, docs/precision.md), of mechanisms 1e-11
    double
        atol; ///< adaptive: absolute tolerance of positions and velocities [m, m/s], > 0; of a body's
              ///< angle and spin that over the distance from its CoM to the farthest rim of its
              ///< contacts [rad, rad/s]; 0: 1e-8, of bodies 2e-8, of mechanisms 1e-12. A contact's
              ///< imposed motion integrates neither and takes 0 alone
    double atol_z; ///< adaptive: absolute tolerance of bristles [m], > 0; 0: 1e-10, of bodies 2e-10
    double max_step; ///< adaptive [s], > 0; INFINITY: no limit
    int ends_only;   ///< bodies: 1: the first and the last row alone are computed, and most_load is
                     ///< not followed: NaN; nothing else changes
} br_run_def;

/// 1 s, 200 rows and the first, Rosenbrock with each run's own tolerances.
BR_API br_run_def br_run_def_default(void);

/// What may happen in a run: enumerator, and what br_event_name() calls it.
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

/// What happens, BR_EVENT_STICK and so on: a contact or a law begins to stick, to slip, to be open (fn = 0); a
/// body's patch has left the body for good, or a part of it is off the body from now on, told once; a mechanism's
/// contact stops and slides back at once, or turns back because the mechanism can reach no further; a slider's
/// contact point leaves its patch, told once; the tip of a pusher sticks, slides to a side or does not push.
typedef enum br_event_kind {
#define BR_EVENT_ENUM(name, text) BR_EVENT_##name, ///< see BR_EVENT_LIST
    BR_EVENT_LIST(BR_EVENT_ENUM)
#undef BR_EVENT_ENUM
        BR_EVENT_COUNT ///< how many there are
} br_event_kind;

/// What it is called: "stick", "tip slides left". NULL for none of them.
BR_API const char* br_event_name(br_event_kind kind);

/// Something that happens at an instant.
typedef struct br_run_event {
    double t;           ///< [s]
    br_event_kind kind; ///< what
    size_t contact;     ///< index of the body's contact; 0 in all other runs
} br_run_event;

struct br_rig_row;
struct br_motion_row;
struct br_body_row;
struct br_sliding_row;
struct br_pushed_row;
struct br_mechanism_row;

/// Told each row in turn; rows and what they point to are valid during the call. A run has rows of one kind: that
/// one is to be set, and no other.
typedef struct br_run_rows {
    void (*rig)(const struct br_rig_row* row, void* user);       ///< br_imposed_run(), br_rig_run()
    void (*motion)(const struct br_motion_row* row, void* user); ///< br_motion_run()
    void (*body)(const struct br_body_row* row, void* user);     ///< br_body_run()
    void (*sliding)(const struct br_sliding_row* row, void* user);     ///< br_sliding_run()
    void (*pushed)(const struct br_pushed_row* row, void* user);       ///< br_pushed_run()
    void (*mechanism)(const struct br_mechanism_row* row, void* user); ///< br_mechanism_run()
} br_run_rows;

/// Whom to tell: every run needs one (not NULL), with the row of its kind; all else may be NULL.
typedef struct br_run_watch {
    br_run_rows row; ///< each row in turn
    /// Each event; not for imposed motions, which have none.
    void (*event)(const br_run_event* event, void* user);
    /// After every step, with the share of the run that is done [-].
    void (*progress)(double fraction, void* user);
    /// Asked after every step, at time t [s]: nonzero ends the run, with BR_ERR_STOPPED.
    int (*stop)(double t, void* user);
    void* user; ///< handed to all of them, borrowed
} br_run_watch;

#ifdef __cplusplus
}
#endif

#endif
