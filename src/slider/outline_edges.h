/*
 * Edges of an outline with the quotients that the distance of a point needs, computed once.
 */
#ifndef BRISTLE_SLIDER_OUTLINE_EDGES_H
#define BRISTLE_SLIDER_OUTLINE_EDGES_H

#include "bristle/outline.h"

typedef struct outline_edge {
    br_vec2 from, side; // first vertex, vector to the next [m]
    br_vec2 over;       // side/|side|^2 [1/m]; 0 for an edge of length 0
    br_vec2 normal;     // outward unit normal [-]
    double top;         // y of the next vertex [m]
    double lean;        // side.x/side.y [-]; not used where side.y = 0
} outline_edge;

// Edges, counter-clockwise; NULL for a disc.
const outline_edge* bri_outline_get_edges(const br_outline* outline);

#endif
