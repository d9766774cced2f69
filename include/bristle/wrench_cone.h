/// @file wrench_cone.h
/// Wrench cones: the forces and torques that a set of support points can carry together.
///
/// A wrench is fx, fy, fz, tx, ty, tz [N, N, N, N m, N m, N m] on the body, at the origin of the frame
/// that the supports are given in. Rows of an H-representation have length 1 as plain numbers.
/// The pressure is free here: any share of the load on any support. If it is known, the limit surface is
/// tighter: limit_polyhedron.h.
#ifndef BRISTLE_WRENCH_CONE_H
#define BRISTLE_WRENCH_CONE_H

#include "bristle/base.h"
#include "bristle/polyhedron.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Rounding tolerance relative to the length of a wrench, mostly from the computation of the faces.
/// The boundary counts as inside up to this fraction beyond it, or up to twice the error of the
/// cone's own rays if that is larger.
#define BR_WRENCH_CONE_ROUNDING 1e-12

/// A point that carries force.
typedef struct br_support {
    double place[3];      ///< position [m], at most 1e100
    br_polyhedron forces; ///< forces that it can carry; caps are ignored
} br_support;

/// The cone of all wrenches of some supports. Immutable after creation; many threads may share one.
typedef struct br_wrench_cone br_wrench_cone;

/// The wrench cone of a rectangular sole on z = 0 with its centre at the origin, in closed form
/// (Caron et al. 2015, "Stability of surface contacts for humanoid robots"). It has four rows of
/// friction (|fx|, |fy| <= mu fz), four of the centre of pressure, eight of the torque about z.
/// @param X,Y     half sizes along x and y [m], > 0
/// @param mu      friction coefficient [-], > 0
/// @param[out] h  rows a of a.w <= 0
BR_API void br_wrench_cone_rectangle(double X, double Y, double mu, double h[16][6]);

/// Create the wrench cone of any supports: its rays are exact, its faces are computed by the double
/// description method (error some 1e-12).
/// @param supports  copied (count)
/// @param count     1..1024
/// @param[out] out  the cone, or NULL on failure; free it with br_wrench_cone_destroy()
/// @param[out] why  may be NULL
/// @return BR_OK, BR_ERR_ARG (count; more than 50,000 faces), BR_ERR_DEF (supports), BR_ERR_MEMORY, or BR_ERR_CONVERGENCE for
///         supports so near to each other (some 1e-5 of their distances and less, but not at one position), or
///         so far away that numbers overflow, that their faces miss the cone's own rays by 1e-9
BR_API br_status br_wrench_cone_create(const br_support* supports, size_t count,
                                       br_wrench_cone** out, br_reason* why);

/// Free a cone; NULL is allowed.
BR_API void br_wrench_cone_destroy(br_wrench_cone* cone);

/// Number of rays: the faces of all supports' polyhedra.
BR_API size_t br_wrench_cone_get_v_count(const br_wrench_cone* cone);

/// The rays (f, place x f), support by support, f as of br_polyhedron_get_v() without caps; some may be
/// inside the cone (v count x 6). Owned by `cone`.
BR_API const double* br_wrench_cone_get_v(const br_wrench_cone* cone);

/// Number of faces. A flat cone (e.g. supports on a line) has its equations as pairs of faces.
BR_API size_t br_wrench_cone_get_h_count(const br_wrench_cone* cone);

/// The faces: rows a of a.w <= 0 (h count x 6). Owned by `cone`.
BR_API const double* br_wrench_cone_get_h(const br_wrench_cone* cone);

/// Smallest -a.w over the faces: >= 0 inside except for rounding, < 0 outside. INFINITY if the supports can carry every
/// wrench. Never fails, never allocates; NaN in gives NaN out.
BR_API double br_wrench_cone_margin(const br_wrench_cone* cone, const double w[6]);

/// Whether a wrench is inside or on the boundary, with the tolerance BR_WRENCH_CONE_ROUNDING, as the cone's own rays are.
/// @return false for NaN
BR_API bool br_wrench_cone_contains(const br_wrench_cone* cone, const double w[6]);

#ifdef __cplusplus
}
#endif

#endif
