/// @file sliding.h
/// Runs of sliders, and of bodies that a slow tip pushes: sequences of steps of slider.h and pushing.h.
///
/// Both use fixed steps of br_run_def.step, round(duration/step) of them; rows are at ends of steps.
#ifndef BRISTLE_SLIDING_H
#define BRISTLE_SLIDING_H

#include <stdbool.h>

#include "bristle/outline.h"
#include "bristle/profile.h"
#include "bristle/pushing.h"
#include "bristle/run.h"
#include "bristle/slider.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Step function of a slider.
typedef enum br_sliding_model {
    BR_SLIDING_QUADRATIC,   ///< br_slider_step()
    BR_SLIDING_NCP,         ///< br_slider_ncp_step(), as X&C solve it (papers.h)
    BR_SLIDING_TRANSLATION, ///< br_slider_translation_step()
    BR_SLIDING_SUPPORTS     ///< br_slider_supports_step()
} br_sliding_model;

/// A slider and the force that pushes it. Start from br_sliding_default().
typedef struct br_sliding {
    size_t size;            ///< set by the default function; do not touch
    br_slider slider;       ///< the slider
    br_sliding_model model; ///< step function
    br_slider_state start;  ///< state at t = 0
    br_vec2 point;          ///< point where the push acts, body frame, from the CoM [m]
    br_vec2 direction;      ///< direction of the push, body frame, a unit vector; (0, 0): none
    br_profile push; ///< force [N]; each step uses the value and the orientation at its start
    double lift;     ///< height of the push above the CoM [m], >= -height
    /// hull that the contact point must not leave, body frame, from the CoM; borrowed; NULL: not known
    const br_outline* hull;
    /// true: a slider that topples continues to slide; false: its run ends there, with BR_OK
    bool goes_on;
    const br_support_point* supports; ///< supports of BR_SLIDING_SUPPORTS, borrowed (support_count)
    size_t support_count;             ///< >= 3 for that model, else 0
} br_sliding;

/// Columns of the rows of a slider:
/// - t: time [s]
/// - x, y, theta: pose [m, m, rad]
/// - vx, vy, w: velocity [m/s, m/s, rad/s]
/// - pt, po, pr: friction impulses over the step that led there [N s, N s, N m s], 0 at t = 0
/// - sigma: slip speed [m/s]
/// - ax, ay: contact point [m]
/// - mode: slide, stick or topple (the contact point is outside the hull)
/// @param sets      sum of br_column_set
/// @param[out] out  the columns; may be NULL
/// @return number of columns
BR_API size_t br_sliding_get_columns(unsigned sets, br_column* out);

/// Summary of a run.
typedef struct br_sliding_report {
    size_t steps;      ///< number of steps
    size_t iterations; ///< iterations of the solver
    double topple_t;   ///< time at which it first toppled [s]; NAN: it did not
    /// edge of the hull over which it toppled, body frame; of a disc the nearest point twice [m]
    br_vec2 edge[2];
} br_sliding_report;

/// Default: the slider of br_slider_default() at rest at the origin, quadratic, no push, no hull.
BR_API br_sliding br_sliding_default(void);

/// Run a slider.
/// @param def          duration, rows, BR_INTEGRATOR_FIXED and its step
/// @param[out] report  may be NULL
/// @param[out] why     may be NULL
/// @return BR_OK, BR_ERR_DEF, BR_ERR_MEMORY, BR_ERR_STOPPED or BR_ERR_CONVERGENCE
BR_API br_status br_sliding_run(const br_sliding* sliding, const br_run_def* def,
                                const br_run_watch* watch, br_sliding_report* report,
                                br_reason* why);

/// A body that a tip pushes slowly (quasi-static). Start from br_pushed_default().
typedef struct br_pushed {
    size_t size;        ///< set by the default function; do not touch
    br_pushing pushing; ///< body, friction under it, tip
    br_pose pose;       ///< pose of the body frame in the world at t = 0 [m, m, rad]
    /// true: the tip sticks at `point` with any force and moves with `velocity`; false: its centre follows (x, y) and
    /// may slide, which needs the body's outline
    bool sticks;
    br_vec2 point;    ///< contact point of a sticking tip, body frame [m]
    br_vec2 velocity; ///< velocity of a sticking tip, world frame [m/s]
    /// x of the tip's centre, world frame [m]; its path is straight between breaks and steps
    br_profile x;
    br_profile y; ///< y of the tip's centre, world frame [m]
} br_pushed;

/// Columns of the rows of a pushed body:
/// - t: time [s]
/// - x, y, theta: pose of the body frame's origin, world [m, m, rad]
/// - vx, vy, w: velocity of that origin, world [m/s, m/s, rad/s]
/// - pt, po, pr: friction on the body at its centre of friction, world axes, over mu N [-, -, m]
/// - sigma: dissipation over mu N, for an ellipsoid the e-weighted slip speed [m/s]
/// - ax, ay: centre of friction, world [m]
/// - mode: slide or stick
///
/// BR_COLUMNS_MORE: tip, what the tip does, as br_push_mode.
/// @param sets      sum of br_column_set
/// @param[out] out  the columns; may be NULL
/// @return number of columns
BR_API size_t br_pushed_get_columns(unsigned sets, br_column* out);

/// Default: ellipsoid and tip of br_pushing_default(), the body at the origin, a tip that sticks there at rest.
BR_API br_pushed br_pushed_default(void);

/// Position of the tip at a time, world frame [m]; for a sticking tip from its start and velocity.
BR_API br_vec2 br_pushed_tip(const br_pushed* pushed, double t);

/// Run a pushed body.
/// @param def          duration, rows, BR_INTEGRATOR_FIXED and its step
/// @param[out] steps   number of steps taken; may be NULL
/// @param[out] why     may be NULL
/// @return BR_OK, BR_ERR_DEF, BR_ERR_MEMORY, BR_ERR_STOPPED or BR_ERR_CONVERGENCE
BR_API br_status br_pushed_run(const br_pushed* pushed, const br_run_def* def,
                               const br_run_watch* watch, size_t* steps, br_reason* why);

#ifdef __cplusplus
}
#endif

#endif
