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

// The weights of cells with one factor.
void bri_field_scale(const br_cells* cells, double factor, double* weight);

#endif
