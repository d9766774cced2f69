/*
 * Mirror symmetries of a pressure about the axes of the patch frame. D is even, so a mirror
 * symmetry about the y axis (x -> -x, which reverses vx and w) means D(vx, vy, w) = D(vx, -vy, w),
 * and one about the x axis means D(vx, vy, w) = D(-vx, vy, w).
 */
#ifndef BRISTLE_LIMIT_MIRRORS_H
#define BRISTLE_LIMIT_MIRRORS_H

#include "bristle/patch.h"

typedef struct mirrors {
    int x; // about the y axis: x -> -x
    int y; // about the x axis: y -> -y
} mirrors;

// Symmetries of the cells of a lattice (rows x columns).
mirrors bri_mirrors_of_cells(const double* cells, size_t columns, size_t rows);

// Symmetries of a patch; none where the definition does not show them.
mirrors bri_mirrors_of_patch(const br_patch_def* def);

#endif
