/*
 * The patch of a pair, from its contact points.
 */
#ifndef BRISTLE_RIGID_OUTLINE_H
#define BRISTLE_RIGID_OUTLINE_H

#include "bristle/patch.h"

enum { OUTLINE_MOST = 32 }; // maximum number of points; at most 8 for two boxes, more for meshes

// Contact area of a pair: convex hull of the points, its moments, and the centre of their forces.
typedef struct outline {
    br_vec2 vertex[OUTLINE_MOST]; // of the hull, counterclockwise; two for a line, one for a point
    size_t count;
    br_vec2 centroid;  // [m]
    double xx, xy, yy; // mean squares about the centroid [m^2]
    br_vec2 cop;       // centre of pressure [m]
} outline;

// Outline of n points with forces `force`, in any frame.
outline brgi_outline_from_points(const br_vec2* points, const double* force, size_t n);

// Distance of two outlines over their size: 0 the same, 1 different. `min_length`: smallest size [m], for points.
double brgi_outline_distance(const outline* a, const outline* b, double min_length);

// Patch of points over the hull, a line, or a disc of `radius` for a single point. Its pressure varies linearly so
// that its CoP is that of the forces, as far as no pressure becomes negative. NULL without memory.
br_patch* brgi_outline_patch(const outline* o, double radius);

#endif
