/*
 * Exact integrals of a linear pressure over a polygon, edge by edge.
 */
#ifndef BRISTLE_PATCH_POLYGON_H
#define BRISTLE_PATCH_POLYGON_H

#include <stddef.h>

#include "bristle/math.h"

// Axes for the integrals over a polygon: its own frame or, if it is thin, axes along the polygon.
typedef struct polygon_frame {
    br_vec2 from; // its origin
    br_vec2 e;    // its x axis
    int is_thin;
} polygon_frame;

polygon_frame bri_polygon_frame_of(const br_vec2* vertices, size_t count);

// A point in the frame. Sums and products are free of rounding (Knuth, Dekker), so that a position
// across a thin polygon is accurate to the last digits of the width.
br_vec2 bri_polygon_local(const polygon_frame* frame, br_vec2 point);

// The x axis of the patch, in the frame.
static inline br_vec2 polygon_axis_x(const polygon_frame* frame)
{
    return (br_vec2){frame->e.x, -frame->e.y};
}

// Pressure at + slope . rho, rho from the apex, in the frame.
typedef struct apex_pressure {
    double at;     // at the apex
    br_vec2 slope; // [1/m]
} apex_pressure;

// Integrals of the pressure over a polygon, rho from the apex; negative if it is clockwise.
typedef struct polygon_moments {
    double area;     // int dA
    double mass;     // int p dA
    br_vec2 first;   // int p rho dA
    double distance; // int p |rho| dA
    double second;   // int p |rho|^2 dA
} polygon_moments;

// Apex and first moment are in the frame.
polygon_moments bri_polygon_integrate(const br_vec2* vertices, size_t count,
                                      const polygon_frame* frame, br_vec2 apex, apex_pressure p);

// int |rho| dA over the upright rectangle with opposite corners `low` and `high`, rho from the
// origin.
double bri_rectangle_distance(br_vec2 low, br_vec2 high);

#endif
