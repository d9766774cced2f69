/*
 * W&K's corner interpolation (21): a wrench between those of rotations about the four corners of the
 * cell that holds the centre of rotation (CoR).
 */
#ifndef BRISTLE_LIMIT_CORNERS_H
#define BRISTLE_LIMIT_CORNERS_H

#include "bristle/math.h"

#include <stddef.h>

// Which of W&K's two ways.
typedef enum grid_rule {
    GRID_RIGHT,    // as the paper says
    GRID_PUBLISHED // as the published code does
} grid_rule;

// The spin below which the published code does not interpolate [rad/s].
#define CORNERS_PUBLISHED_SPIN 1e-10

// Where the cells lie.
typedef struct lattice {
    size_t columns, rows; // 0: no lattice, so nothing is interpolated
    br_vec2 size;         // of one cell [m]
    br_vec2 centre;       // of the lattice, from the point that twists are taken at [m]
} lattice;

// The wrench that is interpolated.
typedef br_wrench (*twist_wrench_fn)(const void* user, br_twist v);

// The interpolation of `wrench` at a twist; the wrench itself where the CoR is outside the lattice.
br_wrench bri_interpolate_corners(const lattice* cells, grid_rule rule, br_twist v,
                                  twist_wrench_fn wrench, const void* user);

#endif
