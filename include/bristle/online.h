/// @file online.h
/// Friction in a control loop: from wrench, twist and normal force of each instant, what the coefficient
/// is, how much load the contact can still take, whether it slips, whether it touches at all.
///
///     br_online_def def = br_online_def_default();
///     def.r = 0.006;
///     br_online online;
///     if (br_online_init(&def, &online, &why) != BR_OK) { ... }
///     each period:  br_online_value now = br_online_step(&online, twist, wrench, fn, h);
///
/// A recursive least-squares estimate (a Kalman filter of one number) of the coefficient, from the power
/// of friction while it slips; between, the force that it holds is a lower bound. docs/equations.md, F-8.
/// The load is judged on the limit surface, the ellipsoid (22) of W&K or one of limit.h.
#ifndef BRISTLE_ONLINE_H
#define BRISTLE_ONLINE_H

#include "bristle/fit.h"
#include "bristle/limit.h"
#include "bristle/math.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What is known of the contact and of its sensors. Start from br_online_def_default().
typedef struct br_online_def {
    size_t size; ///< set by the default function; do not touch
    double r;    ///< mean distance of the patch from its CoP, br_patch_value.r [m], > 0
    const br_limit*
        surface;         ///< borrowed; its power says what mu is where it slips and spins at once;
                         ///< NULL: the ellipsoid of r
    double mu;           ///< the coefficient before anything is measured [-], > 0
    double mu_error;     ///< its standard deviation [-], > 0
    double force_noise;  ///< standard deviation of each force of the sensor, fn included [N], > 0
    double torque_noise; ///< [N m], > 0
    double speed_noise;  ///< of each velocity [m/s], > 0
    double spin_noise;   ///< [rad/s], > 0
    double memory; ///< what was measured longer ago counts less and less [s], > 0; INFINITY: never
    double smoothing; ///< time over which twists are averaged to tell slip from noise [s], >= 0
} br_online_def;

/// An estimate that goes on. Plain numbers in the caller's memory; read it by br_online_step()'s value.
typedef struct br_online {
    br_online_def def; ///< as given
    double mu;         ///< estimate [-]
    double variance;   ///< of it
    br_twist twist;    ///< smoothed
    double gain;       ///< share of noise that smoothing leaves [-]
    int is_slipping;   ///< state of the decision
} br_online;

/// What an instant tells.
typedef struct br_online_value {
    double mu;       ///< coefficient of friction [-]
    double mu_error; ///< standard deviation of it [-]
    double load;     ///< share of what friction can hold that the wrench uses [-]: 1 where it slips
    double margin;   ///< how much of fn could go before it slips [N]: fn - (load fn)
    double slip_speed; ///< mean speed over the patch [m/s], smoothed
    double slip;       ///< how sure it is that it slips [-], 0 to 1
    int is_slipping;   ///< 1: it slips; begins above 0.999, ends below 0.9
    double contact;    ///< how sure it is that it touches [-], 0 to 1
} br_online_value;

/// mu 0.5 +- 0.3, r 5 mm, sensors of 20 mN, 0.2 mN m, 1 mm/s, 0.1 rad/s, memory 2 s, smoothing 5 ms.
BR_API br_online_def br_online_def_default(void);

/// Begin. Never allocates.
/// @param[out] why  may be NULL; names the field when the result is not BR_OK
/// @return BR_OK or BR_ERR_DEF
BR_API br_status br_online_init(const br_online_def* def, br_online* out, br_reason* why);

/// Take in an instant. Never allocates, never fails; below 2 us. What is not finite is passed over.
/// @param v   twist of the body over the ground, at the CoP [m/s, m/s, rad/s]
/// @param f   wrench of the ground on the body, at the CoP [N, N, N m]
/// @param fn  normal force [N]
/// @param h   time since the last instant [s], > 0
BR_API br_online_value br_online_step(br_online* online, br_twist v, br_wrench f, double fn,
                                      double h);

#ifdef __cplusplus
}
#endif

#endif
