/// @file anisotropy.h
/// Friction that depends on the direction of sliding: grained wood, a brushed sheet, a file, a carpet.
///
/// The friction force of a point is bounded by an ellipse, and it is the force in it that dissipates most:
///
///     |A^-1 f| <= g fn,     f = -g fn A^2 v/|A v|,     A = R(angle) diag(ratio, 1) R(angle)^T
///
/// So mu holds along the second principal axis, ratio times mu along the first. With u = A v and f = A f' friction is
/// isotropic in u and f'. A contact with anisotropy is therefore the isotropic contact of a stretched patch,
/// rho' = det(A) A^-1 rho, at the twist (A v, w), whose force is A f' and whose torque is the same: docs/explanation/models.md.
///
/// What follows for the other parameters of a law: stiffness sigma0, damping sigma1 and viscous friction sigma2 are
/// ratio^2 times as large along the first axis; v_stribeck and v_damping are compared with |A v|.
#ifndef BRISTLE_ANISOTROPY_H
#define BRISTLE_ANISOTROPY_H

#include <stdbool.h>

#include "bristle/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The list of axes: enumerator, name as in scenario files.
#define BR_AXES_LIST(X)                                                                            \
    X(BR_AXES_BODY, "body")                                                                        \
    X(BR_AXES_GROUND, "ground")

/// What the principal axes of friction are fixed to.
typedef enum br_axes {
#define BR_AXES_ENUM(axes, name) axes, ///< see BR_AXES_LIST
    BR_AXES_LIST(BR_AXES_ENUM)
#undef BR_AXES_ENUM
} br_axes;

#define BR_ANISOTROPY_MIN 1e-3 ///< smallest ratio of an anisotropy [-]
#define BR_ANISOTROPY_MAX 1e3  ///< largest ratio of an anisotropy [-]

/// Anisotropy of friction. Start from br_anisotropy_default().
typedef struct br_anisotropy {
    double
        ratio; ///< friction along the first axis over that along the second [-], 1e-3..1e3; 1: isotropic
    double angle; ///< of the first axis from x of the contact frame, or of the ground [rad], finite
    br_axes axes; ///< what the axes are fixed to: the contact frame (of the body), or the ground
} br_anisotropy;

/// Isotropic friction: ratio 1, angle 0, axes of the body.
BR_API br_anisotropy br_anisotropy_default(void);

/// Check an anisotropy.
/// @param[out] why  may be NULL; names the field ("anisotropy.ratio") when the result is not BR_OK
/// @return BR_OK or BR_ERR_DEF
BR_API br_status br_anisotropy_check(const br_anisotropy* anisotropy, br_reason* why);

/// Name of axes in scenario files, "body" or "ground"; static, never NULL.
BR_API const char* br_axes_get_name(br_axes axes);

/// The matrix A, symmetric and positive definite. Never fails.
/// @param turned   angle of the contact frame over the ground [rad]; ignored with BR_AXES_BODY
/// @param[out] a   A in the axes of the contact frame [-]
BR_API void br_anisotropy_get_matrix(const br_anisotropy* anisotropy, double turned,
                                     double a[2][2]);

#ifdef __cplusplus
}
#endif

#endif
