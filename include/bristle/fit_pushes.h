/// @file fit_pushes.h
/// Where a body bears and how its pusher rubs, from pushes alone: no force sensor.
///
/// A push is where the body was, where it came to, and the straight way of a round tip between. The weights of
/// candidate supports (as in fit_pressure.h) and the tip's friction are fitted to the end poses through the
/// quasi-static push (pushing.h), with derivatives that are carried along each push. SI units.
#ifndef BRISTLE_FIT_PUSHES_H
#define BRISTLE_FIT_PUSHES_H

#include "bristle/fit.h"
#include "bristle/math.h"
#include "bristle/patch.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One push, world frame.
typedef struct br_fit_push {
    br_pose start; ///< of the body frame [m, m, rad]
    br_pose end;   ///< [m, m, rad]
    br_vec2 from;  ///< the tip's centre at the start [m]
    br_vec2 to;    ///< and at the end of its straight way [m]
} br_fit_push;

/// What a fit of pushes starts from. Start from br_fit_pushes_def_default().
typedef struct br_fit_pushes_def {
    size_t size;             ///< set by the default function; do not touch
    const br_patch* outline; ///< what the tip touches, and where the body can bear, borrowed
    const br_patch* patch;   ///< the pressure that is expected, borrowed; NULL: the outline's own
    double tip_radius;       ///< [m], >= 0
    double mu_tip;           ///< friction of the tip on the body that is expected [-], >= 0
    int keeps_mu;            ///< 1: take mu_tip as known
    size_t resolution;       ///< cells of the grid across the outline, 2..40
    br_fit_watch watch;      ///< whom to tell; rms is that of the end poses, turns times r [m]
} br_fit_pushes_def;

/// What was found.
typedef struct br_fit_pushes {
    size_t count;                     ///< support points
    const br_support_point* points;   ///< body frame; weights > 0 that sum to 1 (count)
    const double* errors;             ///< standard errors of the weights [-] (count)
    br_fit_estimate mu_tip;           ///< friction of the tip on the body [-]
    br_fit_estimate cop[2];           ///< centre of pressure, x and y [m]
    br_fit_estimate r;                ///< mean distance from the CoP [m]
    double position_error;            ///< of the predicted ends, mean over the pushes [m]
    double angle_error;               ///< of the predicted ends, mean over the pushes [rad]
    double validation_position_error; ///< the same of pushes that were left out of the fit [m]
    double validation_angle_error;    ///< [rad]
    int keeps_patch; ///< 1: the expected pressure predicts as well, and was kept; only mu_tip is fitted
    double strength; ///< of what was expected; infinite: keeps_patch [-]
    size_t pushes;   ///< that the fit is made from
} br_fit_pushes;

/// mu_tip = 0.25 to be fitted, a tip without size, 9 cells across; `outline` is to be set.
BR_API br_fit_pushes_def br_fit_pushes_def_default(void);

/// Fit a pressure and the tip's friction to pushes. Takes some seconds for 100 pushes.
/// @param pushes    at least 6 in which the tip touches the body (count)
/// @param[out] out  the result, or NULL on failure; free it with br_fit_pushes_destroy()
/// @param[out] why  may be NULL
/// @return BR_OK; BR_ERR_ARG: what is wrong with the pushes; BR_ERR_DEF; BR_ERR_MEMORY; BR_ERR_STOPPED, with the
///         best so far in `out`, NULL where there is none yet
BR_API br_status br_fit_pushes_create(const br_fit_pushes_def* def, const br_fit_push* pushes,
                                      size_t count, br_fit_pushes** out, br_reason* why);

/// Free a result; NULL is allowed.
BR_API void br_fit_pushes_destroy(br_fit_pushes* fitted);

/// Where pushes end for a pressure and a tip as they are, by the exact limit surface and br_pushing_step().
/// @param pressure  of support points or any other; borrowed
/// @param[out] ends the body frame's pose at the end of each push [m, m, rad] (count)
/// @return BR_OK, BR_ERR_DEF or BR_ERR_MEMORY
BR_API br_status br_fit_pushes_predict(const br_fit_pushes_def* def, const br_patch* pressure,
                                       const br_fit_push* pushes, size_t count, br_pose* ends,
                                       br_reason* why);

#ifdef __cplusplus
}
#endif

#endif
