/*
 * The patch of a pair, from its contact points.
 */
#ifndef BRISTLE_MUJOCO_OUTLINE_H
#define BRISTLE_MUJOCO_OUTLINE_H

#include "bristle/patch.h"

enum { OUTLINE_MOST = 32 }; // points; MuJoCo gives at most 8 for a pair of boxes, more for meshes

// Where a pair touches: hull of the points, its moments, and the centre of their forces.
typedef struct outline {
    br_vec2 vertex[OUTLINE_MOST]; // of the hull, counterclockwise; two for a line, one for a point
    size_t count;
    br_vec2 centroid;  // [m]
    double xx, xy, yy; // mean squares about it [m^2]
    br_vec2 cop;       // [m]
} outline;

// The outline of n points that press with `force`; centres of pressure in any frame.
outline brmi_outline_of(const br_vec2* points, const double* force, size_t n);

// How far two outlines are apart, over their size: 0 the same, 1 another one. `least` [m]: a size that a point has.
double brmi_outline_distance(const outline* a, const outline* b, double least);

// A patch of points over the hull, a line, or a disc of `radius` where there is one point; its pressure varies linearly
// so that its CoP is that of the forces, as far as there is pressure everywhere. NULL without memory.
br_patch* brmi_outline_patch(const outline* o, double radius);

#endif
