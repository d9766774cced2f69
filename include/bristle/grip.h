/// @file grip.h
/// A digital grip controller: it adjusts the normal force to the smallest that the load needs.
///
/// At every sampling instant it reads the contact's load (the share of the friction limit that is used,
/// br_contact_load_eval()) and its slip rate, and keeps the next normal force constant until the following instant:
///
///     demand = max(load, slip rate/slip_limit),    wanted = fn demand/aim
///
/// If the load is proportional to 1/fn, it reaches `aim` in one period. A force that is too small
/// grows to the wanted one, at most by a factor of 2 per period. One that is too large decreases
/// with the time constant `release`. So the force follows the peaks of an oscillating load and does
/// not oscillate. SI units.
#ifndef BRISTLE_GRIP_H
#define BRISTLE_GRIP_H

#include "bristle/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A grip controller. Start from br_grip_default().
typedef struct br_grip {
    double period;     ///< sampling period [s], > 0
    double aim;        ///< target load [-], in (0, 1): 1 would slip, 0.8 leaves a quarter to spare
    double slip_limit; ///< slip rate that counts as a full load [m/s], > 0
    double release;    ///< time constant of a decreasing force [s], >= 0; 0: at once
    double least;      ///< minimum force [N], > 0
    double most;       ///< maximum force [N], >= least, may be INFINITY
} br_grip;

/// Default controller: 100 Hz, target load 0.8, slip limit 1 mm/s, release 0.1 s, minimum force 0.01 N, no maximum.
BR_API br_grip br_grip_default(void);

/// Check that all numbers are in their ranges.
/// @param[out] why  may be NULL; names the field
/// @return BR_OK or BR_ERR_DEF
BR_API br_status br_grip_check(const br_grip* grip, br_reason* why);

/// Normal force until the next sampling instant [N]. Never allocates, never fails; NaN in gives NaN or `most` out.
/// @param fn         present force [N], > 0
/// @param load       of the contact at the instant [-], in [0, 1]
/// @param slip_rate  of the contact at the instant, br_contact_slip_eval() [m/s], >= 0
BR_API double br_grip_eval(const br_grip* grip, double fn, double load, double slip_rate);

#ifdef __cplusplus
}
#endif

#endif
