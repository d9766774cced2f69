/// @file fit_pressure.h
/// Fits the pressure under a body to wrenches and twists of slow pushes.
///
/// In a quasi-static push the pusher's wrench balances friction, so it is on the limit surface of the
/// pressure under the body, and the body moves along the surface's normal. br_fit_pressure_create() turns such
/// pairs into weights >= 0 of candidate supports: the grid and the rim of an outline, known supports, or a
/// parametric pressure. Cross-validation chooses between them, and the strength of the prior. The result is a
/// patch of points that can be used wherever a patch is needed. SI units, body frame.
#ifndef BRISTLE_FIT_PRESSURE_H
#define BRISTLE_FIT_PRESSURE_H

#include "bristle/fit.h"
#include "bristle/math.h"
#include "bristle/patch.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A measurement at one instant of a slow push.
typedef struct br_fit_pair {
    br_wrench f; ///< wrench of the pusher on the body, at the frame's origin [N, N, N m]
    br_twist v;  ///< twist of the body, at the frame's origin, of any size [m/s, m/s, rad/s]
} br_fit_pair;

/// The list of pressure models: enumerator, name in commands.
#define BR_FIT_CHOICE_LIST(X)                                                                      \
    X(BR_FIT_CHOICE_UNIFORM, "uniform")                                                            \
    X(BR_FIT_CHOICE_GRID, "grid")                                                                  \
    X(BR_FIT_CHOICE_SUPPORTS, "supports")                                                          \
    X(BR_FIT_CHOICE_LINEAR, "linear")                                                              \
    X(BR_FIT_CHOICE_RING, "ring")                                                                  \
    X(BR_FIT_CHOICE_HERTZ, "hertz")

/// Model of a pressure.
typedef enum br_fit_choice {
#define BR_FIT_CHOICE_ENUM(choice, name) choice, ///< see BR_FIT_CHOICE_LIST
    BR_FIT_CHOICE_LIST(BR_FIT_CHOICE_ENUM)
#undef BR_FIT_CHOICE_ENUM
        BR_FIT_CHOICE_COUNT ///< number of models
} br_fit_choice;

/// Name of a pressure model in commands, e.g. "grid"; static, never NULL.
BR_API const char* br_fit_choice_get_name(br_fit_choice choice);

/// Definition of a pressure fit. Start from br_fit_pressure_def_default().
typedef struct br_fit_pressure_def {
    size_t size;              ///< set by the default function; do not touch
    const br_patch* outline;  ///< area of possible support, borrowed; its pressure is the prior
    const br_patch* supports; ///< known supports (a points patch), borrowed; NULL: none
    double tolerance;         ///< tolerance of the positions of known supports [m], >= 0
    size_t resolution;        ///< cells of the grid across the outline, 2..40
    unsigned choices;   ///< bits 1 << br_fit_choice of the models to try; 0: uniform, grid, and
                        ///< supports if there are any
    br_fit_watch watch; ///< progress; rms is the validation error [rad]
} br_fit_pressure_def;

/// A fitted pressure.
typedef struct br_fit_pressure {
    size_t count;                   ///< number of support points
    const br_support_point* points; ///< support points, body frame; weights > 0 with sum 1 (count)
    /// standard errors of the weights [-]; infinite: the fit was stopped before (count)
    const double* errors;
    br_fit_estimate mu_fn;  ///< friction coefficient times normal force [N]
    br_fit_estimate cop[2]; ///< centre of pressure, x and y [m]
    br_fit_estimate r;      ///< mean distance from the CoP [m]
    /// mean angle between measured twists and those predicted from the wrenches by the exact surface, spin times r
    /// [rad]; NaN: the fit was stopped before
    double angle_error;
    double
        validation_angle_error; ///< the same for pairs that were left out of the fit [rad]; NaN: stopped before
    br_fit_choice choice; ///< the chosen model
    double strength; ///< strength of the prior: 0 none; infinite: the data had no influence [-]
    double tried[BR_FIT_CHOICE_COUNT]; ///< validation error of each model [rad]; NaN: not tried
    double radius;                     ///< ring, hertz: its radius [m]; else 0
    size_t pairs;                      ///< number of fitted pairs
    size_t repeated;                   ///< pairs left out because they repeat another one exactly
    size_t ignored;                    ///< pairs left out because wrench . twist <= 0
} br_fit_pressure;

/// Default definition: uniform and grid of 11 cells across, no supports, no tolerance; `outline` must be set.
BR_API br_fit_pressure_def br_fit_pressure_def_default(void);

/// Fit a pressure to pairs. Takes some 0.1 s for 500 pairs.
/// @param pairs     at least 8; those with wrench . twist <= 0 are left out (count)
/// @param[out] out  the pressure, or NULL on failure; free it with br_fit_pressure_destroy()
/// @param[out] why  may be NULL
/// @return BR_OK, BR_ERR_ARG (the pairs), BR_ERR_DEF, BR_ERR_MEMORY, or BR_ERR_STOPPED with the best so far in
///         `out`
BR_API br_status br_fit_pressure_create(const br_fit_pressure_def* def, const br_fit_pair* pairs,
                                        size_t count, br_fit_pressure** out, br_reason* why);

/// Free a pressure; NULL is allowed.
BR_API void br_fit_pressure_destroy(br_fit_pressure* pressure);

#ifdef __cplusplus
}
#endif

#endif
