/*
 * Internals of a field of friction: the weights of cells on it.
 */
#ifndef BRISTLE_PATCH_FIELD_H
#define BRISTLE_PATCH_FIELD_H

#include "bristle/field.h"
#include "bristle/patch.h"

#include "patch/patch_internal.h"

// Add an owner of the field, who must call br_field_destroy() later; NULL for NULL.
const br_field* bri_field_share(const br_field* field);

// The box of cells, their extent included, in their frame.
patch_box bri_field_box(const br_cells* cells);

// Weights of cells whose frame is at `pose` on the field's surface: weight times the mean factor over the cell, at least
// BR_CELLS_IDLE. Returns the factor if it is the same all over `box`, and sets no weights then; else NaN.
double bri_field_weigh(const br_field* field, br_pose pose, const br_cells* cells, patch_box box,
                       double* weight);

// Points jump where constant cells meet. A run locates these positions: the grid's cell of each point is held until the
// first point comes to its edge.
int bri_field_jumps(const br_field* field, const br_cells* cells);

// Find the grid's cell of each point, into `held` (count); and the weights in these cells.
void bri_field_hold(const br_field* field, br_pose pose, const br_cells* cells, size_t* held);
void bri_field_weigh_held(const br_field* field, const br_cells* cells, const size_t* held,
                          double* weight);

// Smallest distance of a point inside its held cell to the cell's edges [m]; < 0: outside. Infinite if there are none.
double bri_field_to_edge(const br_field* field, br_pose pose, const br_cells* cells,
                         const size_t* held);

// Sides of the grid's cells [m].
br_vec2 bri_field_cell(const br_field* field);

// A patch with the pressure of `patch` times the field, which is in the contact frame: points, or a grid of cells. `factor`
// is its force over that of `patch`; 0: no friction, and the same patch. BR_OK, BR_ERR_ARG or BR_ERR_MEMORY.
br_status bri_field_fold(const br_field* field, const br_patch* patch, br_patch** out,
                         double* factor, br_reason* why);

// The weights of cells with one factor.
void bri_field_scale(const br_cells* cells, double factor, double* weight);

#endif
