/// @file limit_polyhedron.h
/// Limit surfaces with flat faces: linear bounds on fx, fy, tau of a patch, and their error.
///
/// The exact set of wrenches that a patch can hold follows from its dissipation D: all (fx, fy, tau)
/// at the centre of pressure (CoP) with f.v <= D(v) for every twist v. An inner polyhedron, with vertices
/// on the surface, and an outer one, with faces that touch it, enclose this surface. All are per mu fn, as
/// in limit.h: multiply vertices and b by mu fn. With -mu b fn on the left side,
///
///     ax fx + ay fy + at tau - mu b fn <= 0
///
/// is the cone of all (fx, fy, fn, tau) of a patch that does not depend on the force.
#ifndef BRISTLE_LIMIT_POLYHEDRON_H
#define BRISTLE_LIMIT_POLYHEDRON_H

#include "bristle/base.h"
#include "bristle/limit.h"
#include "bristle/polyhedron.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Inner and outer polyhedron of a surface. Immutable after creation; many threads may share one.
typedef struct br_limit_polyhedron br_limit_polyhedron;

/// Create the polyhedra of a surface: the next vertex (inner) or touching face (outer) is added where the
/// polyhedron is farthest from the surface, with its mirror image.
/// @param surface   the exact one or an ellipsoid; may be freed afterwards
/// @param points    vertices of the inner and faces of the outer one, 6..2048, rounded up to even;
///                  fewer are created if they are exact to 1e-12
/// @param[out] out  the polyhedra, or NULL on failure; free them with br_limit_polyhedron_destroy()
/// @param[out] why  may be NULL
/// @return BR_OK, BR_ERR_ARG (also for a surface without torque, a point) or BR_ERR_MEMORY
BR_API br_status br_limit_polyhedron_create(const br_limit* surface, size_t points,
                                            br_limit_polyhedron** out, br_reason* why);

/// Free polyhedra; NULL is allowed.
BR_API void br_limit_polyhedron_destroy(br_limit_polyhedron* polyhedra);

/// Number of faces.
BR_API size_t br_limit_polyhedron_get_h_count(const br_limit_polyhedron* polyhedra,
                                              br_polyhedron_side side);

/// Faces: rows ax, ay, at, b of ax fx + ay fy + at tau <= b [-, -, 1/m, -], of length 1 with the surface's
/// r: ax^2 + ay^2 + (r at)^2 = 1 (h count x 4). Owned by `polyhedra`.
BR_API const double* br_limit_polyhedron_get_h(const br_limit_polyhedron* polyhedra,
                                               br_polyhedron_side side);

/// Number of vertices.
BR_API size_t br_limit_polyhedron_get_v_count(const br_limit_polyhedron* polyhedra,
                                              br_polyhedron_side side);

/// Vertices: rows fx, fy, tau [-, -, m] (v count x 3). Owned by `polyhedra`.
BR_API const double* br_limit_polyhedron_get_v(const br_limit_polyhedron* polyhedra,
                                               br_polyhedron_side side);

/// Error: the smallest e for which the surface scaled by 1 + e contains the outer polyhedron, or the inner
/// one scaled by 1 + e contains the surface [-]. It is exact, not sampled: it is attained at the vertices
/// (outer, to 1e-9) and faces (inner).
BR_API double br_limit_polyhedron_get_error(const br_limit_polyhedron* polyhedra,
                                            br_polyhedron_side side);

/// Smallest b - a.wrench over the faces: >= 0 inside except for rounding. Never fails, never allocates.
/// @param wrench  at the CoP per mu fn [-, -, m]
BR_API double br_limit_polyhedron_margin(const br_limit_polyhedron* polyhedra,
                                         br_polyhedron_side side, br_wrench wrench);

/// Whether a wrench is inside or on the boundary, with the tolerance BR_CONE_ROUNDING, since surfaces per
/// mu fn have the size 1.
/// @param wrench  at the CoP per mu fn [-, -, m]
/// @return false for NaN
BR_API bool br_limit_polyhedron_contains(const br_limit_polyhedron* polyhedra,
                                         br_polyhedron_side side, br_wrench wrench);

#ifdef __cplusplus
}
#endif

#endif
