/// @file modes.h
/// Vibration modes of a planar rigid body on the bristles of its sticking contacts.
///
/// Sticking bristles are springs and dampers. This module computes the frequencies and damping
/// ratios of a body for given sigma0, sigma1, sigma2, as a help to choose them. A body whose slow
/// mode has a damping ratio far below 1 vibrates whenever it sticks. SI units.
#ifndef BRISTLE_MODES_H
#define BRISTLE_MODES_H

#include "bristle/law.h"
#include "bristle/math.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Stiffness and damping of a sticking contact.
typedef struct br_mode_contact {
    br_vec2 arm; ///< position of the CoP from the centre of mass [m]
    double u;    ///< u of the patch, br_patch_value [m^2], >= 0
    double k;    ///< stiffness, sigma0 fn count [N/m], >= 0
    double c;    ///< damping, (sigma1 + sigma2) fn count [N s/m], >= 0
    /// Anisotropic friction: k and c are ratio^2 times as large along its first axis, u is that of the stretched patch
    /// (br_contact_get_patch_value()); 0 and 1: isotropic [-]
    double ratio;
    double angle; ///< of that axis [rad]
} br_mode_contact;

/// A vibration mode.
typedef struct br_mode {
    double omega; ///< undamped angular frequency [rad/s]
    double ratio; ///< damping ratio [-]: 1 is critical; damping that couples modes is neglected
} br_mode;

/// The slowest and the fastest of the three vibration modes. Modes without stiffness (a body turns freely on
/// one point) are left out; both are 0 if there is none.
typedef struct br_modes {
    br_mode slow; ///< mostly rotation
    br_mode fast; ///< mostly translation
} br_modes;

/// Stiffness and damping of a contact with a given law.
/// @param fn     normal force of one contact [N], >= 0
/// @param count  number of identical contacts that share the motion
/// @param u      u of the patch [m^2], >= 0
/// @param arm    position of the CoP from the centre of mass [m]
BR_API br_mode_contact br_mode_contact_from_law(const br_law* law, double fn, size_t count,
                                                double u, br_vec2 arm);

/// Vibration modes of a body. Never allocates, never fails.
/// @param mass      [kg], > 0
/// @param inertia   about the centre of mass [kg m^2], > 0
/// @param contacts  (count)
BR_API br_modes br_modes_eval(double mass, double inertia, const br_mode_contact* contacts,
                              size_t count);

/// Frequency for br_law_damping_time() [rad/s]: the geometric mean of slow and fast, so that rotation is
/// underdamped by the same factor by which translation is overdamped.
BR_API double br_modes_get_mean(const br_modes* modes);

#ifdef __cplusplus
}
#endif

#endif
