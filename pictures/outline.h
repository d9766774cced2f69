/*
 * Shapes as polygons, for pictures.
 */
#ifndef PICTURES_OUTLINE_H
#define PICTURES_OUTLINE_H

#include "bristle/patch.h"

// Corners in turn; the last one is joined to the first.
typedef struct polygon {
    br_vec2* points; // [m] (count)
    size_t count;
} polygon;

// A rectangle and a circle about the origin [m].
polygon outline_rectangle(double size_x, double size_y);
polygon outline_circle(double radius);

// What a patch looks like at a normal force [N]: its rim, or the cells that carry something.
typedef struct outline {
    polygon* parts; // in the contact frame (count); a single point for each support point
    size_t count;
} outline;

outline outline_patch(const br_patch* patch, double fn);

// The polygon, given in the frame `pose`, in the frame that `pose` is given in.
polygon outline_move(polygon shape, br_pose pose);

#endif
