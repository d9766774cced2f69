/// @file profile.h
/// Numbers that change in time: constant, sine, steps, table; each may be held as a digital
/// controller holds it.
///
/// A profile is smooth between its *breaks* (jumps and kinks). An integrator goes from break to
/// break and names, with every evaluation, a time strictly inside the piece it is on, so that the
/// value at the end of a piece is the one before the jump.
#ifndef BRISTLE_PROFILE_H
#define BRISTLE_PROFILE_H

#include "bristle/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Which profile.
typedef enum br_profile_kind {
    BR_PROFILE_CONSTANT, ///< mean
    BR_PROFILE_SINE,     ///< mean + amplitude sin(2 pi frequency t + phase); the mean before start
    BR_PROFILE_STEPS,    ///< value[i] from t[i] on, value[0] before
    BR_PROFILE_TABLE     ///< linear between (t[i], value[i]), constant outside
} br_profile_kind;

/// A number over time. Its arrays are borrowed and must outlive it.
typedef struct br_profile {
    br_profile_kind kind; ///< which of the following count
    double mean;          ///< constant, sine
    double amplitude;     ///< sine
    double frequency;     ///< sine [Hz]
    double phase;         ///< sine [rad]
    double start;         ///< sine [s]
    size_t count;         ///< steps, table: entries, >= 1
    const double* t;      ///< steps, table: increasing [s] (count)
    const double* value;  ///< steps, table (count)
    double hold;          ///< [s], > 0: the value of instant i hold is held until the next; 0: none
} br_profile;

/// A profile that is always `value`.
BR_API br_profile br_profile_constant(double value);

/// Are all numbers finite, times increasing, arrays there?
/// @param[out] why  may be NULL
/// @return BR_OK or BR_ERR_DEF
BR_API br_status br_profile_check(const br_profile* profile, br_reason* why);

/// Value at time t. Never fails, never allocates.
/// @param t           time [s]
/// @param within      a time inside the smooth piece that counts (on a break: the piece after it)
/// @param[out] slope  time derivative on that piece, may be NULL
BR_API double br_profile_eval(const br_profile* profile, double t, double within, double* slope);

/// The first break after t [s], INFINITY if there is none.
BR_API double br_profile_next_break(const br_profile* profile, double t);

/// Instants that a hold may have in a run: a step ends at each of them, and doubles tell no more apart.
#define BR_PROFILE_MOST_INSTANTS 1e7

/// Can a run of this duration [s] take all instants of the profile's hold? Yes, where there is none.
BR_API int br_profile_has_instants(const br_profile* profile, double duration);

/// The time in [0, duration) from which on the value is negative first [s]; INFINITY if it never is.
/// @param profile   one that br_profile_check() finds good
/// @param duration  [s], finite
BR_API double br_profile_negative_from(const br_profile* profile, double duration);

#ifdef __cplusplus
}
#endif

#endif
