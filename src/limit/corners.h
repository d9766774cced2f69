/*
 * W&K's corner interpolation (21): a wrench interpolated between those of rotations about the four
 * corners of the cell that contains the centre of rotation (CoR).
 */
#ifndef BRISTLE_LIMIT_CORNERS_H
#define BRISTLE_LIMIT_CORNERS_H

#include "bristle/math.h"

#include <stddef.h>

// The two variants of W&K's method.
typedef enum grid_rule {
    GRID_RIGHT,    // as in the paper
    GRID_PUBLISHED // as in the published code
} grid_rule;

// The spin below which the published code does not interpolate [rad/s].
#define CORNERS_PUBLISHED_SPIN 1e-10

// Size and position of the cells.
typedef struct cell_lattice {
    size_t columns, rows; // 0: no lattice, so nothing is interpolated
    br_vec2 size;         // of one cell [m]
    br_vec2 centre;       // of the lattice, from the reference point of twists [m]
} cell_lattice;

// The wrench function to interpolate.
typedef br_wrench (*twist_wrench_fn)(const void* user, br_twist v);

// The interpolation of `wrench` at a twist; the wrench itself where the CoR is outside the lattice.
br_wrench bri_interpolate_corners(const cell_lattice* cells, grid_rule rule, br_twist v,
                                  twist_wrench_fn wrench, const void* user);

#endif
