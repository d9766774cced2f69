/// @file hertz.h
/// Hertz contact of general bodies: an ellipse whose size follows from radii of curvature and moduli.
///
/// Both bodies are smooth and elastic, much larger than the
/// contact, and touch in a point without load. Under the normal force fn
///
///     semi-axes ~ fn^(1/3),   approach ~ fn^(2/3),   peak pressure ~ fn^(1/3),
///     p = p0 (1 - (x/a)^2 - (y/b)^2)^(1/2)
///
/// Friction does not change these (equal bodies, or a small mismatch of their elasticity). SI units.
#ifndef BRISTLE_HERTZ_H
#define BRISTLE_HERTZ_H

#include "bristle/patch.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Two elastic bodies. Start from br_hertz_def_default().
typedef struct br_hertz_def {
    size_t size; ///< set by the default function; do not touch
    double
        radius_x; ///< of curvature of the body along x of the patch frame [m]; INFINITY: flat, < 0: concave
    double radius_y;     ///< the same along y [m]
    double ground_x;     ///< the same of the ground along its own axes [m]
    double ground_y;     ///< the same across [m]
    double ground_angle; ///< of the ground's axes from those of the body [rad]
    double modulus;      ///< E* of both bodies [Pa], > 0, see br_hertz_modulus()
} br_hertz_def;

/// The contact at one normal force.
typedef struct br_hertz_value {
    double a;         ///< semi-axis along x of the ellipse [m]
    double b;         ///< semi-axis along y of the ellipse [m]
    double angle;     ///< of the ellipse's x from that of the body [rad], in (-pi/4, pi/4]
    double depth;     ///< approach of the bodies [m]
    double pressure;  ///< at the centre, the largest [Pa]; two thirds of it is the mean
    double stiffness; ///< d fn/d depth [N/m]
} br_hertz_value;

/// Default definition: a sphere of 10 mm radius on a flat ground, E* = 1 GPa.
BR_API br_hertz_def br_hertz_def_default(void);

/// E* of two isotropic bodies [Pa]: 1/E* = (1 - nu1^2)/E1 + (1 - nu2^2)/E2.
/// @param e1, e2    Young's moduli [Pa], > 0; INFINITY: rigid
/// @param nu1, nu2  Poisson's ratios [-], in -1..0.5
BR_API double br_hertz_modulus(double e1, double nu1, double e2, double nu2);

/// The contact at a normal force.
/// @param fn        [N], >= 0
/// @param[out] out  the numbers; zeros after a failure
/// @param[out] why  may be NULL
/// @return BR_OK; BR_ERR_DEF for bodies that touch in no point (a cylinder that lies on a plane touches along a
///         line, a ball in a narrower groove at two points) or for ellipses thinner than 1e-6; BR_ERR_ARG for fn
BR_API br_status br_hertz_eval(const br_hertz_def* def, double fn, br_hertz_value* out,
                               br_reason* why);

/// The patch of the contact: an ellipse that grows with the force, with the pressure of Hertz. Its `angle` is added
/// to that of `out`; its centre and sampling stay.
/// @param max_force    the largest normal force [N], > 0: the ellipse does not grow beyond it, and cells and blocks
///                     cover this extent; may be INFINITY for reduced contacts
/// @param[in,out] out  start from br_patch_def_default()
/// @param[out] why     may be NULL
/// @return BR_OK, BR_ERR_DEF or BR_ERR_ARG
BR_API br_status br_hertz_patch(const br_hertz_def* def, double max_force, br_patch_def* out,
                                br_reason* why);

#ifdef __cplusplus
}
#endif

#endif
