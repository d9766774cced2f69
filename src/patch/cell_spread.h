/*
 * The spread within the cells of a pressure grid, for blocks that are made of them.
 *
 * A cell of sides a, b has the covariance diag(a^2, b^2)/12 about its centre. The cells that shapes are cut into
 * are so small that they count as points. Those of a grid may be large: one cell alone would not resist spin.
 */
#ifndef BRISTLE_PATCH_CELL_SPREAD_H
#define BRISTLE_PATCH_CELL_SPREAD_H

#include "bristle/patch.h"

// Cells that add less of u than this are points: blocks err by as much, and W&K's masks of 21 x 21 are points.
static const double least_cell_spread = 0.01;

static inline br_vec2 cell_covariance(const br_cells* cells)
{
    return (br_vec2){cells->half_x * cells->half_x / 3.0, cells->half_y * cells->half_y / 3.0};
}

// What counts of a fixed patch's cells, patch axes [m^2].
static inline br_vec2 cell_spread_of(const br_patch* patch, const br_cells* cells)
{
    const br_vec2 own = cell_covariance(cells);
    const int is_grid = br_patch_get_def(patch)->shape == BR_SHAPE_GRID;
    const int counts = is_grid && own.x + own.y > least_cell_spread * br_cells_eval(cells).u;
    return counts ? own : (br_vec2){0.0, 0.0};
}

#endif
