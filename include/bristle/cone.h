/// @file cone.h
/// Friction cones: the forces that a dry contact can carry, and the projection of a force onto them.
///
/// The second-order cone of a contact with unit normal n, pointing into the body that the force
/// acts on, and friction coefficient mu:
///
///     K = {f : |f - (n.f) n| <= mu n.f}
///
/// S = Savin, "Friction Cone" (lecture); numbers in brackets are its equations. SI units. Forces
/// are three numbers x, y, z in any right-handed frame; lists of forces are stored one after another (count x 3).
#ifndef BRISTLE_CONE_H
#define BRISTLE_CONE_H

#include "bristle/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Rounding tolerance relative to the size of a force. The boundary counts as inside, but few
/// forces on it can be represented in doubles. So all checks accept a force up to this fraction of
/// its size (for a cone |f| (1 + mu)) beyond the boundary. This is some 20 units in the last place.
/// Margins are as computed, without this tolerance.
#define BR_CONE_ROUNDING 4e-15

/// Largest condition number (largest over smallest eigenvalue) of the mass matrix of a br_cone_metric. Up to it the
/// projection is inside of the cone, and its distance is that of the nearest force to 1e-6.
#define BR_CONE_CONDITION 1e8

/// A friction cone, filled by br_cone_init(); read-only.
typedef struct br_cone {
    double n[3];  ///< unit normal
    double t1[3]; ///< unit tangent: e_k - (e_k.n) n normalised, k = argmin |n_k|, the first on ties
    double t2[3]; ///< n x t1
    double mu;    ///< friction coefficient [-], > 0
} br_cone;

/// Initialise a cone. Its tangents are in closed form, and jump only where two |n_k| are equal.
/// @param normal    normal, finite, any length but 0; normalised here
/// @param mu        friction coefficient [-], > 0, finite
/// @param[out] out  the cone; all 0 on failure
/// @param[out] why  may be NULL; `field` is "normal" or "mu"
/// @return BR_OK or BR_ERR_ARG
BR_API br_status br_cone_init(const double normal[3], double mu, br_cone* out, br_reason* why);

/// Normal and tangential parts of a force, (3)-(6).
/// @param[out] parts  f_n, f_t1, f_t2 [N]
BR_API void br_cone_split(const br_cone* cone, const double f[3], double parts[3]);

/// Margin of a force before it slips, mu f_n - |f_t| [N], (13): >= 0 inside the cone except for
/// rounding, see br_cone_contains(). NaN in gives NaN out.
/// @param f  force [N]
BR_API double br_cone_margin(const br_cone* cone, const double f[3]);

/// Whether a force is inside the cone or on its boundary, with the tolerance BR_CONE_ROUNDING.
/// @param f  force [N]
/// @return false for NaN
BR_API bool br_cone_contains(const br_cone* cone, const double f[3]);

/// Margins of many forces [N]. Uses vectors of four if the processor has them; the results equal
/// br_cone_margin() to the last bit.
/// @param f            forces [N] (count x 3)
/// @param[out] margin  [N] (count)
BR_API void br_cone_margin_batch(const br_cone* cone, size_t count, const double* f,
                                 double* margin);

/// br_cone_contains() of many forces.
/// @param f            forces [N] (count x 3)
/// @param[out] inside  1 inside or on the boundary, 0 outside or NaN (count)
BR_API void br_cone_check_batch(const br_cone* cone, size_t count, const double* f,
                                unsigned char* inside);

/// Dual cone {g : g.f >= 0 for all f in K}: the same normal, coefficient 1/mu.
BR_API br_cone br_cone_dual(const br_cone* cone);

/// Projection of a force onto the cone: the nearest force in it, in closed form. Never fails, never allocates.
/// @param f                force [N]
/// @param[out] nearest     [N]; may be f itself
/// @param[out] derivative  may be NULL: d nearest_i/d f_j [-], symmetric. On the cone's boundary it
///                         is that of the interior, on the boundary of the polar cone that of its interior
BR_API void br_cone_project(const br_cone* cone, const double f[3], double nearest[3],
                            double derivative[3][3]);

/// br_cone_project() of many forces, without derivatives.
/// @param f             forces [N] (count x 3)
/// @param[out] nearest  [N] (count x 3); may be f itself
BR_API void br_cone_project_batch(const br_cone* cone, size_t count, const double* f,
                                  double* nearest);

/// A cone for projections in the metric of a mass matrix M, which minimise (x-f)^T M (x-f). Filled by
/// br_cone_metric_init(); private except for `cone`.
typedef struct br_cone_metric {
    br_cone cone;      ///< the cone
    double to[3][3];   ///< transform to axes in which M is a multiple of 1 and the cone is upright
    double back[3][3]; ///< inverse of `to`
    double kappa[2]; ///< in those axes the cone is kappa_1 y_1^2 + kappa_2 y_2^2 <= y_3^2, y_3 >= 0
} br_cone_metric;

/// Initialise a cone for weighted projections.
/// @param cone      the cone, copied
/// @param M         mass matrix, symmetric positive definite, of any scale, row by row (3 x 3); its condition
///                  number at most BR_CONE_CONDITION
/// @param[out] out  all 0 on failure
/// @param[out] why  may be NULL; `field` is "M"
/// @return BR_OK or BR_ERR_ARG
BR_API br_status br_cone_metric_init(const br_cone* cone, const double* M, br_cone_metric* out,
                                     br_reason* why);

/// The force x of the cone that minimises (x-f)^T M (x-f): the root of one convex equation, by Newton's
/// method started on the side where it cannot overshoot. Never fails, never allocates.
/// @param f                force [N]
/// @param[out] nearest     [N]; may be f itself
/// @param[out] derivative  may be NULL: d nearest_i/d f_j [-], as br_cone_project()
BR_API void br_cone_metric_project(const br_cone_metric* metric, const double f[3],
                                   double nearest[3], double derivative[3][3]);

/// br_cone_metric_project() of many forces, without derivatives.
/// @param f             forces [N] (count x 3)
/// @param[out] nearest  [N] (count x 3); may be f itself
BR_API void br_cone_metric_project_batch(const br_cone_metric* metric, size_t count,
                                         const double* f, double* nearest);

#ifdef __cplusplus
}
#endif

#endif
