/// @file polyhedron.h
/// Friction cones with flat faces, inside or around the second-order cone, and their error.
///
/// N rays V_i = n + rho (cos phi_i t1 + sin phi_i t2), phi_i = phase + 2 pi i/N. With rho = mu the rays are
/// on the cone (inner), with rho = mu/cos(pi/N) the faces touch it (outer): no other N faces around
/// the normal are closer. Caps bound the normal force: f_min <= n.f <= f_max.
///
/// H-representation: rows ax, ay, az, b of a.f <= b [-, -, -, N], a of length 1 pointing out of the
/// set; first the N faces (V_i, V_i+1), then a.f <= f_max if there is a cap, then the one of f_min if f_min > 0.
///
/// V-representation: rows x, y, z, w; w = 1: a vertex [N], w = 0: a ray on n.f = 1 [-]. The set is the
/// convex hull of the vertices, plus all multiples >= 0 of the rays:
///
///     no caps         N rays (from the origin, which is not listed)
///     f_max           the origin, then N vertices f_max V_i
///     f_min, f_max    N vertices f_min V_i, then N vertices f_max V_i
///     f_min > 0       N vertices f_min V_i, then N rays
///
/// S = Savin, "Friction Cone" (lecture); numbers in brackets are its equations.
#ifndef BRISTLE_POLYHEDRON_H
#define BRISTLE_POLYHEDRON_H

#include "bristle/base.h"
#include "bristle/cone.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    BR_POLYHEDRON_MOST_FACES = 1000000 ///< maximum number of faces
};

/// Side of the second-order cone on which a polyhedron is.
typedef enum br_polyhedron_side {
    BR_POLYHEDRON_INNER, ///< inside: every force of the polyhedron is in the cone
    BR_POLYHEDRON_OUTER  ///< around: every force of the cone is in the polyhedron
} br_polyhedron_side;

/// Definition of a polyhedron. Start from br_polyhedron_def_default().
typedef struct br_polyhedron_def {
    size_t size;             ///< set by the default function; do not touch
    br_cone cone;            ///< the cone that is approximated
    size_t faces;            ///< N, 3..BR_POLYHEDRON_MOST_FACES
    br_polyhedron_side side; ///< inner or outer
    double phase;            ///< angle of the first ray, from t1 towards t2 [rad], finite
    double f_min;            ///< smallest normal force [N], finite; <= 0: no cap
    double f_max;            ///< largest normal force [N], > 0 and >= f_min; INFINITY: no cap
} br_polyhedron_def;

/// A polyhedron, filled by br_polyhedron_init(); read-only.
typedef struct br_polyhedron {
    br_polyhedron_def def; ///< its definition
    double rho;            ///< distance of the rays from the normal, on n.f = 1 [-]
} br_polyhedron;

/// Error of a polyhedron against the cone.
typedef struct br_polyhedron_error {
    double area;  ///< difference of the areas of the two sections n.f = 1, over the cone's [-]
    double angle; ///< largest angle between a force of the larger set and the smaller set [rad]
} br_polyhedron_error;

/// Default definition: four faces, inner, phase 0, no caps; `cone` must be set.
BR_API br_polyhedron_def br_polyhedron_def_default(void);

/// Initialise a polyhedron.
/// @param[out] out  the polyhedron; all 0 on failure
/// @param[out] why  may be NULL; `field` is the name of the member
/// @return BR_OK or BR_ERR_DEF
BR_API br_status br_polyhedron_init(const br_polyhedron_def* def, br_polyhedron* out,
                                    br_reason* why);

/// Number of rows of the H-representation: N, N + 1 or N + 2.
BR_API size_t br_polyhedron_get_h_count(const br_polyhedron* polyhedron);

/// Number of rows of the V-representation: N, N + 1 or 2 N.
BR_API size_t br_polyhedron_get_v_count(const br_polyhedron* polyhedron);

/// Write the H-representation. Never allocates.
/// @param[out] h  rows ax, ay, az, b (h count x 4)
BR_API void br_polyhedron_get_h(const br_polyhedron* polyhedron, double* h);

/// Write the V-representation. Never allocates.
/// @param[out] v  rows x, y, z, w (v count x 4)
BR_API void br_polyhedron_get_v(const br_polyhedron* polyhedron, double* v);

/// Ray i on n.f = 1, without caps.
/// @param i         0..N - 1
/// @param[out] ray  [-]
BR_API void br_polyhedron_get_ray(const br_polyhedron* polyhedron, size_t i, double ray[3]);

/// Smallest distance of a force from the planes of faces and caps [N]: >= 0 inside except for rounding,
/// < 0 outside. Takes the same time for any N; never fails, never allocates; NaN in gives NaN out.
BR_API double br_polyhedron_margin(const br_polyhedron* polyhedron, const double f[3]);

/// Whether a force is inside or on the boundary, with the tolerance BR_CONE_ROUNDING times its size.
/// @return false for NaN
BR_API bool br_polyhedron_contains(const br_polyhedron* polyhedron, const double f[3]);

/// Error of a polyhedron without caps, in closed form.
BR_API br_polyhedron_error br_polyhedron_get_error(const br_polyhedron* polyhedron);

/// Smallest N for which both errors are at most `wanted`.
/// @param wanted  both > 0; INFINITY: no limit
/// @return N >= 3, or 0 where more than BR_POLYHEDRON_MOST_FACES would be needed
BR_API size_t br_polyhedron_get_faces_for(const br_cone* cone, br_polyhedron_side side,
                                          br_polyhedron_error wanted);

/// V-representation from the H-representation of such a polyhedron, (15) for the planes. The faces
/// may be of any size, but must be in order around `n`; caps follow them as described above.
/// @param n       unit normal: the direction that caps bound
/// @param faces   N, >= 3
/// @param count   rows of h, N..N + 2
/// @param h       rows ax, ay, az, b (count x 4)
/// @param[out] v  rows x, y, z, w; an array of (2 N x 4)
/// @return rows of v, or 0 if h is not of this form
BR_API size_t br_polyhedron_v_from_h(const double n[3], size_t faces, size_t count, const double* h,
                                     double* v);

/// H-representation from the V-representation of such a polyhedron, (15) and (16). Rays may be of
/// any lengths, but must be in order around `n`.
/// @param n       unit normal: the direction that caps bound
/// @param faces   N, >= 3
/// @param count   rows of v, N, N + 1 or 2 N
/// @param v       rows x, y, z, w (count x 4)
/// @param[out] h  rows ax, ay, az, b; an array of ((N + 2) x 4)
/// @return rows of h, or 0 if v is not of this form
BR_API size_t br_polyhedron_h_from_v(const double n[3], size_t faces, size_t count, const double* v,
                                     double* h);

#ifdef __cplusplus
}
#endif

#endif
