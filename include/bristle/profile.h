/// @file profile.h
/// Numbers that change in time: constant, sine, steps, table, polynomial, move, accelerate. Each may be sampled and held
/// as by a digital controller.
///
/// A profile is smooth between its *breaks* (jumps and kinks). An integrator steps from break to
/// break and passes, with every evaluation, a time strictly inside the present piece, so that the
/// value at the end of a piece is the one before the jump.
#ifndef BRISTLE_PROFILE_H
#define BRISTLE_PROFILE_H

#include "bristle/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Kind of profile.
typedef enum br_profile_kind {
    BR_PROFILE_CONSTANT, ///< mean
    BR_PROFILE_SINE,     ///< mean + amplitude sin(2 pi frequency t + phase); mean before start
    BR_PROFILE_STEPS,    ///< value[i] from t[i] on, value[0] before
    BR_PROFILE_TABLE,    ///< linear between (t[i], value[i]), constant outside
    /// from mean to mean + amplitude with minimum jerk: with s = (t - start)/duration in [0, 1]
    /// mean + amplitude (10 s^3 - 15 s^4 + 6 s^5). Slope and second derivative are 0 at both ends
    BR_PROFILE_MOVE,
    /// mean until start, then the slope grows to amplitude and stays there: with s as above the slope
    /// is amplitude (3 s^2 - 2 s^3), the largest second derivative 1.5 amplitude/duration
    BR_PROFILE_ACCELERATE,
    BR_PROFILE_POLYNOMIAL ///< value[0] + value[1] t + value[2] t^2 + ...
} br_profile_kind;

/// Maximum number of coefficients of a polynomial.
#define BR_PROFILE_MOST_COEFFICIENTS 16

/// A number over time. Its arrays are borrowed and must outlive it.
typedef struct br_profile {
    br_profile_kind kind; ///< kind; it decides which of the following are used
    double mean;          ///< constant, sine; move, accelerate: the value until start
    double amplitude;     ///< sine; move: the distance; accelerate: the final slope [1/s]
    double frequency;     ///< sine [Hz]
    double phase;         ///< sine [rad]
    double start;         ///< sine, move, accelerate [s]
    size_t count;         ///< steps, table: number of entries, >= 1; polynomial: of coefficients
    const double* t;      ///< steps, table: times, increasing [s] (count)
    const double* value;  ///< steps, table, polynomial (count)
    double duration;      ///< move, accelerate: duration of the change [s], > 0
    double hold; ///< sampling period [s], > 0: the value at i hold is held until the next; 0: none
} br_profile;

/// Create a constant profile.
BR_API br_profile br_profile_constant(double value);

/// Check that all numbers are finite, times increase and arrays are set.
/// @param[out] why  may be NULL
/// @return BR_OK or BR_ERR_DEF
BR_API br_status br_profile_check(const br_profile* profile, br_reason* why);

/// Value at time t. Never fails, never allocates.
/// @param t           time [s]
/// @param within      a time inside the smooth piece to evaluate (on a break: the piece after it)
/// @param[out] slope  time derivative on that piece, may be NULL
BR_API double br_profile_eval(const br_profile* profile, double t, double within, double* slope);

/// Second time derivative at time t, on the smooth piece of `within`; see br_profile_eval().
BR_API double br_profile_second(const br_profile* profile, double t, double within);

/// The first break after t [s], INFINITY if there is none.
BR_API double br_profile_next_break(const br_profile* profile, double t);

/// The first time in (0, duration) at which the value or its slope jumps [s]; INFINITY if neither does. For a
/// profile with a hold the first sample at which its value may jump.
/// @param duration  [s], finite
BR_API double br_profile_jump(const br_profile* profile, double duration);

/// Maximum number of samples of a hold in a run: a step ends at each, and doubles cannot resolve more.
#define BR_PROFILE_MOST_INSTANTS 1e7

/// Whether the samples of the profile's hold in a run of `duration` [s] are within this maximum; true without hold.
BR_API bool br_profile_has_instants(const br_profile* profile, double duration);

/// The time in [0, duration) from which the value is first negative [s]; INFINITY if it never is.
/// @param profile   valid for br_profile_check()
/// @param duration  [s], finite
BR_API double br_profile_negative_from(const br_profile* profile, double duration);

/// The largest value at any time; for BR_PROFILE_ACCELERATE until the end of the change.
/// @param profile  valid for br_profile_check()
BR_API double br_profile_get_largest(const br_profile* profile);

#ifdef __cplusplus
}
#endif

#endif
