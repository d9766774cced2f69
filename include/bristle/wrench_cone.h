/// @file wrench_cone.h
/// Wrench cones: which forces and torques a set of support points can carry together.
///
/// A wrench is fx, fy, fz, tx, ty, tz [N, N, N, N m, N m, N m] on the body, at the origin of the frame
/// that the supports are given in. Rows of an H-representation have length 1 as plain numbers.
/// The pressure is free here: any share of the load on any support. Where it is known, the limit
/// surface tells more: limit_polyhedron.h.
#ifndef BRISTLE_WRENCH_CONE_H
#define BRISTLE_WRENCH_CONE_H

#include "bristle/base.h"
#include "bristle/polyhedron.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What rounding does over the length of a wrench at least, mostly in finding the faces: the boundary counts
/// as inside up to this share beyond it, or up to twice what the cone's own rays are, if that is more.
#define BR_WRENCH_CONE_ROUNDING 1e-12

/// A point that carries force.
typedef struct br_support {
    double place[3];      ///< where [m]
    br_polyhedron forces; ///< what it can carry; its caps do not count
} br_support;

/// The cone of all wrenches of some supports. Immutable after creation; may serve many threads.
typedef struct br_wrench_cone br_wrench_cone;

/// The wrench cone of a rectangular sole on z = 0 with its centre at the origin, in closed form
/// (Caron et al. 2015, "Stability of surface contacts for humanoid robots"): four rows of friction
/// (|fx|, |fy| <= mu fz), four of the centre of pressure, eight of the torque about z.
/// @param X,Y     half sizes along x and y [m], > 0
/// @param mu      friction coefficient [-], > 0
/// @param[out] h  rows a of a.w <= 0
BR_API void br_wrench_cone_rectangle(double X, double Y, double mu, double h[16][6]);

/// Create the wrench cone of any supports: its rays are exact, its faces come from the double
/// description method (error some 1e-12).
/// @param supports  copied (count)
/// @param count     1..1024
/// @param[out] out  the cone, or NULL on failure; free it with br_wrench_cone_destroy()
/// @param[out] why  may be NULL
/// @return BR_OK, BR_ERR_ARG (count; more than 50,000 faces), BR_ERR_DEF (supports), BR_ERR_MEMORY, or BR_ERR_CONVERGENCE for
///         supports so near to each other (some 1e-5 of their distances and less, but not at one place) that
///         their faces miss the cone's own rays by 1e-9
BR_API br_status br_wrench_cone_create(const br_support* supports, size_t count,
                                       br_wrench_cone** out, br_reason* why);

/// Free a cone; NULL is allowed.
BR_API void br_wrench_cone_destroy(br_wrench_cone* cone);

/// Number of rays: the faces of all supports' polyhedra.
BR_API size_t br_wrench_cone_get_v_count(const br_wrench_cone* cone);

/// The rays (f, place x f), support by support, f as br_polyhedron_get_v() has them without caps;
/// some may lie within the cone. (v count x 6)
BR_API const double* br_wrench_cone_get_v(const br_wrench_cone* cone);

/// Number of faces. A flat cone (supports on a line, say) has its equations as pairs of faces.
BR_API size_t br_wrench_cone_get_h_count(const br_wrench_cone* cone);

/// The faces: rows a of a.w <= 0 (h count x 6)
BR_API const double* br_wrench_cone_get_h(const br_wrench_cone* cone);

/// Least -a.w over the faces: >= 0 inside but for rounding, < 0 outside. INFINITY if the supports can carry every
/// wrench. Never fails, never allocates; NaN in gives NaN out.
BR_API double br_wrench_cone_margin(const br_wrench_cone* cone, const double w[6]);

/// Is a wrench inside, or at the boundary but for rounding (BR_WRENCH_CONE_ROUNDING)? The cone's own rays are.
/// @return 1 or 0; 0 for NaN
BR_API int br_wrench_cone_contains(const br_wrench_cone* cone, const double w[6]);

#ifdef __cplusplus
}
#endif

#endif
