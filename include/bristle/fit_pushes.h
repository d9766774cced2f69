/// @file fit_pushes.h
/// Fits the pressure under a body and the friction of its pusher to pushes without a force sensor.
///
/// A push consists of the body's start and end pose and the straight path of a round tip. The weights of
/// candidate supports (as in fit_pressure.h) and the tip's friction are fitted to the end poses by the
/// quasi-static model (pushing.h), with derivatives propagated along each push. SI units.
///
/// Robot and tracker may measure in frames that are some millimetres apart: the tip is at its measured position plus
/// `tip_offset`, which is estimated, and used if it predicts left-out pushes better.
#ifndef BRISTLE_FIT_PUSHES_H
#define BRISTLE_FIT_PUSHES_H

#include <stdbool.h>

#include "bristle/fit.h"
#include "bristle/math.h"
#include "bristle/patch.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One push, world frame.
typedef struct br_fit_push {
    br_pose start; ///< start pose of the body frame [m, m, rad]
    br_pose end;   ///< end pose of the body frame [m, m, rad]
    br_vec2 from;  ///< start of the tip's centre [m]
    /// end of the tip's centre, on a straight path of up to 66 radii of the outline [m]
    br_vec2 to;
} br_fit_push;

/// Definition of a fit of pushes. Start from br_fit_pushes_def_default().
typedef struct br_fit_pushes_def {
    size_t size;             ///< set by the default function; do not touch
    const br_patch* outline; ///< what the tip touches, and the area of possible support, borrowed
    const br_patch* patch;   ///< prior of the pressure, borrowed; NULL: the outline's own
    double tip_radius;       ///< radius of the tip [m], >= 0
    double mu_tip;           ///< prior of the friction coefficient of tip and body [-], >= 0
    bool keeps_mu;           ///< true: mu_tip is known
    size_t resolution;       ///< cells of the grid across the outline, 2..40
    /// added to the tip's positions, world frame [m]; used by br_fit_pushes_predict(), and by a fit with keeps_offset
    br_vec2 tip_offset;
    bool keeps_offset;  ///< true: tip_offset is known; false: it is estimated, starting from 0
    bool fits_radius;   ///< true: estimate the tip's radius, starting from tip_radius
    br_fit_watch watch; ///< progress; rms is that of the end poses, angles times r [m]
} br_fit_pushes_def;

/// Result of a fit of pushes.
typedef struct br_fit_pushes {
    size_t count;                   ///< number of support points
    const br_support_point* points; ///< support points, body frame; weights > 0 with sum 1 (count)
    /// standard errors of the weights [-]; infinite: the fit was stopped before (count)
    const double* errors;
    br_fit_estimate mu_tip; ///< friction coefficient of tip and body [-]
    br_fit_estimate cop[2]; ///< centre of pressure, x and y [m]
    br_fit_estimate r;      ///< mean distance from the CoP [m]
    double position_error;  ///< mean position error of the predicted ends [m]
    double angle_error;     ///< mean angle error of the predicted ends [rad]
    /// position error of pushes that were left out of the fit [m]; NaN: the fit was stopped before
    double validation_position_error;
    /// angle error of pushes that were left out of the fit [rad]; NaN: the fit was stopped before
    double validation_angle_error;
    /// true: the prior of the pressure predicts as well and was kept; only mu_tip is fitted
    bool keeps_patch;
    double strength;               ///< strength of the prior; infinite: keeps_patch [-]
    size_t pushes;                 ///< number of fitted pushes
    br_fit_estimate tip_offset[2]; ///< offset of the tip's positions, x and y [m], used or not
    bool uses_offset; ///< true: the fit uses the offset, since it predicts left-out pushes better
    /// position error of left-out pushes without offset [m]; NaN: not tried
    double plain_position_error;
    /// angle error of left-out pushes without offset [rad]; NaN: not tried
    double plain_angle_error;
    /// position error of left-out pushes with offset [m]; NaN: not tried
    double offset_position_error;
    double offset_angle_error; ///< angle error of left-out pushes with offset [rad]; NaN: not tried
    br_fit_estimate tip_radius; ///< radius of the tip [m]; is_fixed unless it was estimated
    double end_gap; ///< mean absolute distance of the tip from the outline at the measured ends [m]
    double most_gap; ///< threshold: a tip farther from the outline does not touch it [m]
    /// number of pushes that end farther than that from the outline, outside or inside
    size_t apart;
    size_t first_apart; ///< index of the first of them, from 0
} br_fit_pushes;

/// Default definition: mu_tip = 0.25 to be fitted, a tip of radius 0, 9 cells across; `outline` must be set.
BR_API br_fit_pushes_def br_fit_pushes_def_default(void);

/// Fit a pressure and the tip's friction to pushes. Takes some seconds for 100 pushes.
/// @param pushes    at least 6 in which the tip touches the body (count)
/// @param[out] out  the result, or NULL on failure; free it with br_fit_pushes_destroy()
/// @param[out] why  may be NULL
/// @return BR_OK, BR_ERR_ARG (the pushes), BR_ERR_DEF, BR_ERR_MEMORY, or BR_ERR_STOPPED with the best so far in
///         `out`, NULL if there is none yet
BR_API br_status br_fit_pushes_create(const br_fit_pushes_def* def, const br_fit_push* pushes,
                                      size_t count, br_fit_pushes** out, br_reason* why);

/// Free a result; NULL is allowed.
BR_API void br_fit_pushes_destroy(br_fit_pushes* fitted);

/// Predict the ends of pushes for a given pressure and tip, with the exact limit surface and br_pushing_step().
/// @param def       outline, tip radius, mu_tip and tip_offset are used
/// @param pressure  a patch of support points or any other; borrowed
/// @param pushes    the pushes; `end` is not read (count)
/// @param[out] ends pose of the body frame at the end of each push [m, m, rad] (count)
/// @return BR_OK, BR_ERR_DEF or BR_ERR_MEMORY
BR_API br_status br_fit_pushes_predict(const br_fit_pushes_def* def, const br_patch* pressure,
                                       const br_fit_push* pushes, size_t count, br_pose* ends,
                                       br_reason* why);

#ifdef __cplusplus
}
#endif

#endif
