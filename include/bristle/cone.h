/// @file cone.h
/// Friction cones: which forces a dry contact can carry, and the nearest one that it can.
///
/// The second-order cone of a contact with unit normal n, pointing into the body that the force
/// acts on, and friction coefficient mu:
///
///     K = {f : |f - (n.f) n| <= mu n.f}
///
/// S = Savin, "Friction Cone" (lecture); numbers in brackets are its equations. SI units. Forces
/// are three numbers x, y, z in any right-handed frame; lists of forces are stored one after
/// another (count x 3).
#ifndef BRISTLE_CONE_H
#define BRISTLE_CONE_H

#include "bristle/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What rounding may do, over the size of a force. The boundary counts as inside, but few forces
/// on it have coordinates that are doubles: all checks take a force for inside up to this share of
/// its size (for a cone |f| (1 + mu)) beyond the boundary, some 20 units in the last place. Margins
/// are as computed, without it.
#define BR_CONE_ROUNDING 4e-15

/// A friction cone, filled by br_cone_init(); read it, do not write it.
typedef struct br_cone {
    double n[3];  ///< unit normal
    double t1[3]; ///< unit tangent: e_k - (e_k.n) n normalised, k = argmin |n_k|, the first on ties
    double t2[3]; ///< n x t1
    double mu;    ///< friction coefficient [-], > 0
} br_cone;

/// Fill a cone. Its tangents need no decomposition, and jump only where two |n_k| tie.
/// @param normal    any length but 0, finite; is normalised
/// @param mu        friction coefficient [-], > 0, finite
/// @param[out] out  the cone; all 0 on failure
/// @param[out] why  may be NULL; `field` is "normal" or "mu"
/// @return BR_OK or BR_ERR_ARG
BR_API br_status br_cone_init(const double normal[3], double mu, br_cone* out, br_reason* why);

/// Normal and tangential parts of a force, (3)-(6).
/// @param[out] parts  f_n, f_t1, f_t2 [N]
BR_API void br_cone_split(const br_cone* cone, const double f[3], double parts[3]);

/// How far a force is from slipping: mu f_n - |f_t| [N], (13). Inside the cone it is >= 0, but for
/// rounding: br_cone_contains(). The other three descriptions of S give the same number but for
/// rounding. None of them fails or allocates; NaN in gives NaN out.
/// @param f  force [N]
BR_API double br_cone_margin(const br_cone* cone, const double f[3]);

/// The same from the parts f_n, f_t1, f_t2, element by element (7) [N].
BR_API double br_cone_margin_elements(const br_cone* cone, const double parts[3]);

/// The same with the tangents of the cone (8) [N].
BR_API double br_cone_margin_vector(const br_cone* cone, const double f[3]);

/// The same with any orthonormal basis of the null space of n^T (9) [N].
/// @param T  its columns are the basis, row by row (3 x 2)
BR_API double br_cone_margin_null_space(const br_cone* cone, const double* T, const double f[3]);

/// Is a force inside, or at the boundary but for rounding (BR_CONE_ROUNDING)?
/// @param f  force [N]
/// @return 1 or 0; 0 for NaN
BR_API int br_cone_contains(const br_cone* cone, const double f[3]);

/// The margins of many forces [N]. Vectors of four where the processor has them, with the same
/// result to the last bit as br_cone_margin().
/// @param f            forces [N] (count x 3)
/// @param[out] margin  [N] (count)
BR_API void br_cone_margin_batch(const br_cone* cone, size_t count, const double* f,
                                 double* margin);

/// Which of many forces are inside: br_cone_contains() of each.
/// @param f            forces [N] (count x 3)
/// @param[out] inside  1 inside or on the boundary, 0 outside or NaN (count)
BR_API void br_cone_check_batch(const br_cone* cone, size_t count, const double* f,
                                unsigned char* inside);

/// The dual cone {g : g.f >= 0 for all f in K}: the same normal, 1/mu for mu.
BR_API br_cone br_cone_dual(const br_cone* cone);

/// The nearest force of the cone, in closed form. Never fails, never allocates.
/// @param f                force [N]
/// @param[out] nearest     [N]; may be f itself
/// @param[out] derivative  may be NULL: d nearest_i/d f_j [-], symmetric. On the cone's boundary it
///                         is that of the inside, at the edge of the polar cone that of its inside
BR_API void br_cone_project(const br_cone* cone, const double f[3], double nearest[3],
                            double derivative[3][3]);

/// The nearest forces of many.
/// @param f             forces [N] (count x 3)
/// @param[out] nearest  [N] (count x 3); may be f itself
BR_API void br_cone_project_batch(const br_cone* cone, size_t count, const double* f,
                                  double* nearest);

/// A cone seen through a mass matrix: what is near is what costs little (x-f)^T M (x-f). Filled by
/// br_cone_metric_init(); private but for `cone`.
typedef struct br_cone_metric {
    br_cone cone;      ///< the cone
    double to[3][3];   ///< to the axes in which M is 1 and the cone upright
    double back[3][3]; ///< back from them
    double kappa[2];   ///< there the cone is kappa_1 y_1^2 + kappa_2 y_2^2 <= y_3^2, y_3 >= 0
} br_cone_metric;

/// Prepare weighted projections.
/// @param M         mass matrix, symmetric positive definite, of any scale, row by row (3 x 3)
/// @param[out] out  all 0 on failure
/// @param[out] why  may be NULL; `field` is "M"
/// @return BR_OK or BR_ERR_ARG
BR_API br_status br_cone_metric_init(const br_cone* cone, const double* M, br_cone_metric* out,
                                     br_reason* why);

/// The force x of the cone with the least (x-f)^T M (x-f): by the root of one convex equation, found
/// by Newton's method from the side on which it cannot overshoot. Never fails, never allocates.
/// @param f                force [N]
/// @param[out] nearest     [N]; may be f itself
/// @param[out] derivative  may be NULL: d nearest_i/d f_j [-], as br_cone_project()
BR_API void br_cone_metric_project(const br_cone_metric* metric, const double f[3],
                                   double nearest[3], double derivative[3][3]);

/// The nearest forces of many.
/// @param f             forces [N] (count x 3)
/// @param[out] nearest  [N] (count x 3); may be f itself
BR_API void br_cone_metric_project_batch(const br_cone_metric* metric, size_t count,
                                         const double* f, double* nearest);

#ifdef __cplusplus
}
#endif

#endif
