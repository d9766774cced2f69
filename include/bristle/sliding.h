/// @file sliding.h
/// Sliders in time, and bodies that a slow tip pushes: steps of slider.h and pushing.h, one after the other.
///
/// Both take fixed steps of br_run_def.step, round(duration/step) of them, and have their rows at steps.
#ifndef BRISTLE_SLIDING_H
#define BRISTLE_SLIDING_H

#include "bristle/outline.h"
#include "bristle/profile.h"
#include "bristle/pushing.h"
#include "bristle/run.h"
#include "bristle/slider.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How a slider takes its steps.
typedef enum br_sliding_model {
    BR_SLIDING_QUADRATIC,   ///< br_slider_step()
    BR_SLIDING_NCP,         ///< br_slider_ncp_step(), as X&C solve it (papers.h)
    BR_SLIDING_TRANSLATION, ///< br_slider_translation_step()
    BR_SLIDING_SUPPORTS     ///< br_slider_supports_step()
} br_sliding_model;

/// A slider that slides, sticks and topples, and what pushes it. Start from br_sliding_default().
typedef struct br_sliding {
    size_t size;            ///< set by the default function; do not touch
    br_slider slider;       ///< what moves
    br_sliding_model model; ///< how
    br_slider_state start;  ///< at t = 0
    br_vec2 point;          ///< of the push, body frame, from the CoM [m]
    br_vec2 direction;      ///< of the push, body frame, a unit vector; (0, 0): none
    br_profile push;        ///< [N]; over a step the value and the orientation at its start count
    double lift;            ///< height of the push above the CoM [m], >= -height
    const br_outline*
        hull;    ///< what the contact point must not leave, body frame, from the CoM; borrowed;
                 ///< NULL: not known
    int goes_on; ///< 1: a slider that topples slides on; 0: its run ends there, well
    const br_support_point* supports; ///< of BR_SLIDING_SUPPORTS, borrowed (support_count)
    size_t support_count;             ///< >= 3 for that model, else 0
} br_sliding;

/// A row of the result: the state at t, and friction over the step that led there.
typedef struct br_sliding_row {
    double t;              ///< [s]
    br_slider_state at;    ///< pose and velocity
    br_slider_value value; ///< friction; at t = 0 no impulse, and whether it moves
    int topples;           ///< 1: the contact point is outside the hull
} br_sliding_row;

/// What a run gave, besides its rows.
typedef struct br_sliding_report {
    size_t steps;      ///< taken
    size_t iterations; ///< of the solver
    double topple_t;   ///< when it toppled first [s]; NAN: it did not
    br_vec2 edge
        [2]; ///< over which edge of the hull, body frame; of a round one the nearest point twice [m]
} br_sliding_report;

/// The slider of br_slider_default() at rest at the origin, quadratic, no push, no hull.
BR_API br_sliding br_sliding_default(void);

/// Run a slider.
/// @param def          duration, rows, BR_FIXED and its step
/// @param[out] report  may be NULL
/// @param[out] why     may be NULL
/// @return BR_OK, BR_ERR_DEF, BR_ERR_MEMORY, BR_ERR_STOPPED or BR_ERR_CONVERGENCE
BR_API br_status br_sliding_run(const br_sliding* sliding, const br_run_def* def,
                                const br_run_watch* watch, br_sliding_report* report,
                                br_reason* why);

/// A body that a tip pushes slowly, from pose to pose. Start from br_pushed_default().
typedef struct br_pushed {
    size_t size;        ///< set by the default function; do not touch
    br_pushing pushing; ///< body, friction below it, tip
    br_pose pose;       ///< at t = 0, of the body frame in the world [m, m, rad]
    int sticks; ///< 1: the tip sticks at `point` whatever the force and moves with `velocity`; 0: its
                ///< centre goes along (x, y) and may slide, which needs the body's outline
    br_vec2 point;    ///< body frame [m]
    br_vec2 velocity; ///< world frame [m/s]
    br_profile x; ///< of the tip's centre, world frame [m]: straight ways between breaks and steps
    br_profile y; ///< [m]
} br_pushed;

/// A row of the result.
typedef struct br_pushed_row {
    double t; ///< [s]
    br_slider_state
        at; ///< pose and velocity of the body frame's origin, world [m, m, rad; m/s, m/s, rad/s]
    br_wrench friction; ///< on the body at its centre of friction, world axes, over mu N [-, -, m]
    double sigma;       ///< dissipation over mu N; for an ellipsoid the e-weighted slip speed [m/s]
    br_vec2 centre;     ///< of friction, world [m]
    br_push_mode tip;   ///< what the tip does
} br_pushed_row;

/// Ellipsoid and tip of br_pushing_default(), the body at the origin, a tip that sticks there and rests.
BR_API br_pushed br_pushed_default(void);

/// Where the tip is at a time, world frame [m]; one that sticks: by its velocity from where it starts.
BR_API br_vec2 br_pushed_tip(const br_pushed* pushed, double t);

/// Push a body.
/// @param def          duration, rows, BR_FIXED and its step
/// @param[out] steps   number of steps taken; may be NULL
/// @param[out] why     may be NULL
/// @return BR_OK, BR_ERR_DEF, BR_ERR_STOPPED or BR_ERR_CONVERGENCE
BR_API br_status br_pushed_run(const br_pushed* pushed, const br_run_def* def,
                               const br_run_watch* watch, size_t* steps, br_reason* why);

#ifdef __cplusplus
}
#endif

#endif
