/*
 * The smooth table of the dissipation, see smooth.c.
 */
#ifndef BRISTLE_LIMIT_SMOOTH_H
#define BRISTLE_LIMIT_SMOOTH_H

#include "bristle/math.h"

#include <stddef.h>

// Numbers stored per node.
enum { VALUE, BY_A, BY_B, BY_AB, PARTS };

// Maximum number of cells along a face, as br_limit_def.n allows.
enum { SMOOTH_MAX = 512 };

typedef struct smooth {
    size_t n;      // cells along a face
    double length; // l, the patch's r; 1 [m] while the table of a point is built
    br_vec2 axis;  // direction of the patch frame's x axis in the contact frame
    double* node;  // 3 faces x (n+1) x (n+1) x PARTS, b along the rows
} smooth;

static inline double* node_at(const smooth* table, size_t face, size_t i, size_t j)
{
    const size_t width = table->n + 1;
    return table->node + ((face * width + i) * width + j) * PARTS;
}

// Change slopes and mixed derivatives at the edges of the cube so that D is C1 across them.
void bri_smooth_seams(smooth* table);

#endif
