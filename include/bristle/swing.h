/// @file swing.h
/// How a planar rigid body swings on the bristles of its contacts while they stick.
///
/// Stuck bristles are springs and dampers. This tells the frequencies and damping ratios that a choice
/// of sigma0, sigma1, sigma2 gives a body, so that one can choose them: a body whose slow swing has a
/// damping ratio far below 1 rings whenever it sticks. SI units.
#ifndef BRISTLE_SWING_H
#define BRISTLE_SWING_H

#include "bristle/law.h"
#include "bristle/math.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A contact that sticks, as its body feels it.
typedef struct br_swing_contact {
    br_vec2 arm; ///< CoP from the centre of mass [m]
    double u;    ///< of the patch, br_patch_value [m^2], >= 0
    double k;    ///< stiffness, sigma0 fn count [N/m], >= 0
    double c;    ///< damping, (sigma1 + sigma2) fn count [N s/m], >= 0
} br_swing_contact;

/// One way of swinging.
typedef struct br_swing_mode {
    double omega; ///< without damping [rad/s]
    double ratio; ///< damping ratio [-]: 1 is critical; damping that couples modes is left out
} br_swing_mode;

/// The slowest and the fastest of the three ways of swinging. Those that nothing holds (a body turns
/// freely on one point) are left out; both are 0 where there is none.
typedef struct br_swing {
    br_swing_mode slow; ///< mostly turning
    br_swing_mode fast; ///< mostly sliding
} br_swing;

/// A contact with that law.
/// @param fn     normal force of one contact [N], >= 0
/// @param count  identical contacts that share the motion
BR_API br_swing_contact br_swing_contact_from_law(const br_law* law, double fn, size_t count,
                                                  double u, br_vec2 arm);

/// How the body swings. Never allocates, never fails.
/// @param mass      [kg], > 0
/// @param inertia   about the centre of mass [kg m^2], > 0
/// @param contacts  (count)
BR_API br_swing br_swing_eval(double mass, double inertia, const br_swing_contact* contacts,
                              size_t count);

/// The frequency that br_law_damping_time() takes: the geometric mean of slow and fast, so that turning
/// is damped as much too little as sliding is damped too much [rad/s].
BR_API double br_swing_get_mean(const br_swing* swing);

#ifdef __cplusplus
}
#endif

#endif
