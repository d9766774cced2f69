/*
 * Shapes as polygons, for pictures.
 */
#ifndef PICTURES_OUTLINE_H
#define PICTURES_OUTLINE_H

#include "bristle/outline.h"
#include "bristle/patch.h"

// Corners in order; the last one is joined to the first.
typedef struct polygon {
    br_vec2* points; // [m] (count)
    size_t count;
} polygon;

// A rectangle and a circle about the origin [m].
polygon outline_rectangle(double size_x, double size_y);
polygon outline_circle(double radius);

// The outline of a patch at a normal force [N]: its rim, or its cells under pressure.
typedef struct outline {
    polygon* parts; // in the contact frame (count); a single point for each support point
    size_t count;
} outline;

outline outline_patch(const br_patch* patch, double fn);

// Transform a polygon from the frame `pose` into the frame in which `pose` is given.
polygon outline_move(polygon shape, br_pose pose);

// The shape of a body, in its frame; no points if it is unknown (NULL).
polygon outline_body(const br_outline* shape);

#endif
