/*
 * Which mirror images of a pressure are the pressure itself, along the axes of the patch frame. D is even,
 * so that the one about the y axis (x -> -x, which turns vx and w) is D(vx, vy, w) = D(vx, -vy, w), the
 * one about the x axis D(vx, vy, w) = D(-vx, vy, w).
 */
#ifndef BRISTLE_LIMIT_MIRRORS_H
#define BRISTLE_LIMIT_MIRRORS_H

#include "bristle/patch.h"

typedef struct mirrors {
    int x; // about the y axis: x -> -x
    int y; // about the x axis: y -> -y
} mirrors;

// Of the cells of a lattice (rows x columns).
mirrors bri_mirrors_of_cells(const double* cells, size_t columns, size_t rows);

// Of a patch; none where it is not known at a glance.
mirrors bri_mirrors_of_patch(const br_patch_def* def);

#endif
