/// @file outline.h
/// Outlines of bodies and supports: distance of a point from the edge, and the nearest edge.
///
/// A disc or a simple polygon in the body's frame. The convex hull of a contact patch is the
/// outline that the equivalent contact point must not leave; the body's own outline is what a pusher touches.
#ifndef BRISTLE_OUTLINE_H
#define BRISTLE_OUTLINE_H

#include "bristle/base.h"
#include "bristle/math.h"
#include "bristle/patch.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An outline. Immutable after creation; many threads may share one.
typedef struct br_outline br_outline;

/// Position of a point relative to an outline.
typedef struct br_outline_place {
    double distance; ///< to the edge [m]; < 0 inside
    br_vec2 nearest; ///< point of the edge [m]
    br_vec2 normal;  ///< outward unit normal there, along the shortest distance [-]
    size_t edge;     ///< index of the nearest edge, from vertex `edge` to the next; 0 for a disc
} br_outline_place;

/// Create the outline of a shape: a polygon unchanged, a disc for discs and rings, and the convex
/// hull of all others; points and lines may have outlines without area.
/// @param shape     a contact patch, or any other shape defined as one; its pressure is ignored, except
///                  that the empty cells of grids are left out
/// @param fn        normal force [N], >= 0, for a patch that depends on it
/// @param hull      nonzero: the convex hull also for polygons; no centre of pressure can leave it
/// @param[out] out  the outline, or NULL on failure; free it with br_outline_destroy()
/// @param[out] why  may be NULL
/// @return BR_OK or BR_ERR_MEMORY
BR_API br_status br_outline_create(const br_patch* shape, double fn, int hull, br_outline** out,
                                   br_reason* why);

/// Free an outline; NULL is allowed.
BR_API void br_outline_destroy(br_outline* outline);

/// Vertices, counter-clockwise [m] (count).
/// @param[out] count  0 for a disc
BR_API const br_vec2* br_outline_get_vertices(const br_outline* outline, size_t* count);

/// Centre of the disc, or of the polygon's bounding box [m].
BR_API br_vec2 br_outline_get_centre(const br_outline* outline);

/// Radius of the disc, or half the diagonal of the polygon's bounding box [m].
BR_API double br_outline_get_radius(const br_outline* outline);

/// Enclosed area [m^2]; 0 for a line or a point.
BR_API double br_outline_get_area(const br_outline* outline);

/// Position of a point relative to the outline. Never fails, never allocates; NaN in gives NaN out.
/// @param point  body frame [m]
BR_API br_outline_place br_outline_eval(const br_outline* outline, br_vec2 point);

#ifdef __cplusplus
}
#endif

#endif
