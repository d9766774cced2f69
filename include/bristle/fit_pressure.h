/// @file fit_pressure.h
/// Where a body bears: its pressure from wrenches and twists of slow pushes.
///
/// In a quasi-static push the pusher's wrench balances friction, so it lies on the limit surface of the
/// pressure under the body, and the body moves along the surface's normal. br_fit_pressure() turns such pairs
/// into weights >= 0 of candidate supports: the grid and the rim of an outline, supports that are known, or a
/// family of pressures. Which of them, and how strongly the fit is held to what was expected, is chosen by
/// cross-validation. The result is a patch of points for everything that takes a patch. SI units, body frame.
#ifndef BRISTLE_FIT_PRESSURE_H
#define BRISTLE_FIT_PRESSURE_H

#include "bristle/fit.h"
#include "bristle/math.h"
#include "bristle/patch.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What was measured at one instant of a slow push.
typedef struct br_fit_pair {
    br_wrench f; ///< what pushes the body, at the frame's origin [N, N, N m]
    br_twist v;  ///< of the body, at the frame's origin; its size does not count [m/s, m/s, rad/s]
} br_fit_pair;

/// What a pressure is made of, written once: enumerator, name as the command spells it.
#define BR_FIT_CHOICE_LIST(X)                                                                      \
    X(BR_FIT_UNIFORM, "uniform")                                                                   \
    X(BR_FIT_GRID, "grid")                                                                         \
    X(BR_FIT_SUPPORTS, "supports")                                                                 \
    X(BR_FIT_LINEAR, "linear")                                                                     \
    X(BR_FIT_RING, "ring")                                                                         \
    X(BR_FIT_HERTZ, "hertz")

/// What a pressure is made of.
typedef enum br_fit_choice {
#define BR_FIT_CHOICE_ENUM(choice, name) choice, ///< see BR_FIT_CHOICE_LIST
    BR_FIT_CHOICE_LIST(BR_FIT_CHOICE_ENUM)
#undef BR_FIT_CHOICE_ENUM
        BR_FIT_CHOICE_COUNT ///< how many there are
} br_fit_choice;

/// The name the command uses for a choice, e.g. "grid"; never NULL.
BR_API const char* br_fit_choice_name(br_fit_choice choice);

/// What a fit of the pressure starts from. Start from br_fit_pressure_def_default().
typedef struct br_fit_pressure_def {
    size_t size; ///< set by the default function; do not touch
    const br_patch*
        outline; ///< where the body can bear, borrowed; its pressure is what is expected
    const br_patch* supports; ///< known supports (a points patch), borrowed; NULL: none
    double tolerance;         ///< of the places of known supports [m], >= 0
    size_t resolution;        ///< cells of the grid across the outline, 2..40
    unsigned choices;   ///< bits 1 << br_fit_choice of what is to be tried; 0: uniform, grid, and
                        ///< supports where there are any
    br_fit_watch watch; ///< whom to tell; rms is the validation error [rad]
} br_fit_pressure_def;

/// The pressure that was found.
typedef struct br_fit_pressure {
    size_t count;                   ///< support points
    const br_support_point* points; ///< body frame; weights > 0 that sum to 1 (count)
    const double* errors;           ///< standard errors of the weights [-] (count)
    br_fit_estimate mu_fn;          ///< friction coefficient times normal force [N]
    br_fit_estimate cop[2];         ///< centre of pressure, x and y [m]
    br_fit_estimate r;              ///< mean distance from the CoP [m]
    double angle_error; ///< between twists predicted from the wrenches by the exact surface and
                        ///< those measured, spin times r: mean over the pairs [rad]
    double validation_angle_error; ///< the same for pairs that were left out of the fit [rad]
    br_fit_choice choice;          ///< what it is made of
    double strength; ///< of what was expected: 0 none; infinite: the data changed nothing [-]
    double tried[BR_FIT_CHOICE_COUNT]; ///< validation error of each choice [rad]; NaN: not tried
    double radius;                     ///< ring, hertz: its radius [m]; else 0
    size_t pairs;                      ///< that the fit is made from
    size_t repeated;                   ///< the same as another to the last bit, and left out
    size_t ignored;                    ///< against which friction would push: wrench . twist <= 0
} br_fit_pressure;

/// Uniform and grid of 11 cells across, no supports, no tolerance; `outline` is to be set.
BR_API br_fit_pressure_def br_fit_pressure_def_default(void);

/// Fit a pressure to pairs. Takes some 0.1 s for 500 pairs.
/// @param pairs     at least 8; those with wrench . twist <= 0 are left out (count)
/// @param[out] out  the pressure, or NULL on failure; free it with br_fit_pressure_destroy()
/// @param[out] why  may be NULL
/// @return BR_OK; BR_ERR_ARG: what is wrong with the pairs; BR_ERR_DEF; BR_ERR_MEMORY; BR_ERR_STOPPED, with the
///         best so far in `out`
BR_API br_status br_fit_pressure_create(const br_fit_pressure_def* def, const br_fit_pair* pairs,
                                        size_t count, br_fit_pressure** out, br_reason* why);

/// Free a pressure; NULL is allowed.
BR_API void br_fit_pressure_destroy(br_fit_pressure* pressure);

#ifdef __cplusplus
}
#endif

#endif
