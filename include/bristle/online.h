/// @file online.h
/// Friction estimation in a control loop: from wrench, twist and normal force of each sample it estimates the
/// coefficient, the remaining load capacity, and the probabilities of slip and of contact.
///
///     br_online_def def = br_online_def_default();
///     def.r = 0.006;
///     br_online online;
///     if (br_online_init(&def, &online, &why) != BR_OK) { ... }
///     each period:  br_online_value now = br_online_step(&online, twist, wrench, fn, h);
///
/// The coefficient is a recursive least-squares estimate (a Kalman filter with one state), from the power
/// of friction while the contact slips; while it sticks, the friction force is a lower bound. docs/explanation/equations.md, F-8.
/// The load is computed with the limit surface: the ellipsoid (22) of W&K or one of limit.h.
#ifndef BRISTLE_ONLINE_H
#define BRISTLE_ONLINE_H

#include <stdbool.h>

#include "bristle/fit.h"
#include "bristle/limit.h"
#include "bristle/math.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Parameters of the contact and of its sensors. Start from br_online_def_default(). All numbers but `memory` are at
/// most 1e50, and those that must be > 0 at least 1e-50.
typedef struct br_online_def {
    size_t size; ///< set by the default function; do not touch
    double r;    ///< mean distance of the patch from its CoP, br_patch_value.r [m], > 0
    /// limit surface, borrowed; its power determines mu while the contact slips and spins at once; NULL: the
    /// ellipsoid of r
    const br_limit* surface;
    double mu;           ///< initial estimate of the coefficient [-], > 0
    double mu_error;     ///< its standard deviation [-], > 0
    double force_noise;  ///< standard deviation of each force, fn included [N], > 0
    double torque_noise; ///< standard deviation of the torque [N m], > 0
    double speed_noise;  ///< standard deviation of each velocity [m/s], > 0
    double spin_noise;   ///< standard deviation of the spin [rad/s], > 0
    /// time constant with which old measurements lose weight [s], > 0; INFINITY: never
    double memory;
    double smoothing; ///< time over which twists are averaged to separate slip from noise [s], >= 0
} br_online_def;

/// State of the estimator. Plain numbers in the caller's memory; br_online_step() returns the results.
typedef struct br_online {
    br_online_def def; ///< as given
    double mu;         ///< estimate of the coefficient [-]
    double variance;   ///< variance of mu
    br_twist twist;    ///< smoothed twist
    double gain;       ///< share of the noise that remains after smoothing [-]
    bool is_slipping;  ///< current slip decision
} br_online;

/// Estimates at one sample.
typedef struct br_online_value {
    double mu;         ///< coefficient of friction [-]
    double mu_error;   ///< standard deviation of mu [-]
    double load;       ///< share of the friction limit that the wrench uses [-]: 1 where it slips
    double margin;     ///< reduction of fn that would lead to slip [N]: fn - (load fn)
    double slip_speed; ///< mean speed over the patch, smoothed [m/s]
    double slip;       ///< probability that it slips [-], 0 to 1
    bool is_slipping;  ///< true: it slips; starts above 0.999, ends below 0.9
    double contact;    ///< probability that it touches [-], 0 to 1
} br_online_value;

/// Default: mu 0.5 +- 0.3, r 5 mm, sensors of 20 mN, 0.2 mN m, 1 mm/s, 0.1 rad/s, memory 2 s, smoothing 5 ms.
BR_API br_online_def br_online_def_default(void);

/// Initialise an estimator. Never allocates.
/// @param[out] why  may be NULL; names the field when the result is not BR_OK
/// @return BR_OK or BR_ERR_DEF
BR_API br_status br_online_init(const br_online_def* def, br_online* out, br_reason* why);

/// Process one sample. Never allocates, never fails; below 2 us. Samples with a number that is
/// not finite or beyond 1e50 are ignored: mu, its error and the slip are those of the sample before.
/// @param v   twist of the body over the ground, at the CoP [m/s, m/s, rad/s]
/// @param f   wrench of the ground on the body, at the CoP [N, N, N m]
/// @param fn  normal force [N]
/// @param h   time since the last sample [s], > 0
BR_API br_online_value br_online_step(br_online* online, br_twist v, br_wrench f, double fn,
                                      double h);

#ifdef __cplusplus
}
#endif

#endif
