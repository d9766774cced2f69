/// @file grip.h
/// A digital controller of a normal force: it holds an object with the least force that its load needs.
///
/// At every instant, period by period, it is told the contact's load (the share of what friction can hold
/// that is carried, br_contact_load_eval()) and its slip rate, and holds the next normal force until the
/// following instant:
///
///     demand = max(load, slip rate/slip_limit),    wanted = fn demand/aim
///
/// A load in proportion to 1/fn comes to `aim` at once. A force that is too small grows to what is wanted,
/// at most twofold; one that is too large comes down with the time constant `release`, so that a load which
/// swings is gripped by its largest and the force does not swing with it. SI units.
#ifndef BRISTLE_GRIP_H
#define BRISTLE_GRIP_H

#include "bristle/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A grip controller. Start from br_grip_default().
typedef struct br_grip {
    double period; ///< between two instants [s], > 0
    double aim; ///< load that it keeps: 1 would slip, 0.8 leaves a quarter to spare [-], in (0, 1)
    double slip_limit; ///< slip rate that counts as a full load [m/s], > 0
    double release;    ///< time constant with which the force comes down [s], >= 0; 0: at once
    double least;      ///< force that it keeps at least [N], > 0
    double most;       ///< force that the fingers can give [N], >= least, may be INFINITY
} br_grip;

/// 100 times a second to 0.8 of what friction can hold, slip below 1 mm/s, release within 0.1 s, at least
/// 0.01 N.
BR_API br_grip br_grip_default(void);

/// Are all numbers in their ranges?
/// @param[out] why  may be NULL; names the field
/// @return BR_OK or BR_ERR_DEF
BR_API br_status br_grip_check(const br_grip* grip, br_reason* why);

/// The normal force from an instant on [N]. Never allocates, never fails; NaN in gives NaN or `most` out.
/// @param fn         the force so far [N], > 0
/// @param load       of the contact at the instant [-], in [0, 1]
/// @param slip_rate  of the contact at the instant, br_contact_slip_eval() [m/s], >= 0
BR_API double br_grip_eval(const br_grip* grip, double fn, double load, double slip_rate);

#ifdef __cplusplus
}
#endif

#endif
