/*
 * Spread (covariance) within the cells of a pressure grid or of triangles, for blocks built from such cells.
 *
 * A cell of sides a, b has the covariance diag(a^2, b^2)/12 about its centre. Shapes are cut into
 * cells so small that they count as points. Cells of a grid may be large and need their spread.
 */
#ifndef BRISTLE_PATCH_CELL_SPREAD_H
#define BRISTLE_PATCH_CELL_SPREAD_H

#include "bristle/patch.h"

// Cells that contribute a smaller part of u are points: the blocks have this error anyway.
static const double min_cell_spread = 0.01;

static inline br_vec2 cell_covariance(const br_cells* cells)
{
    return (br_vec2){cells->half_x * cells->half_x / 3.0, cells->half_y * cells->half_y / 3.0};
}

// The spread to use for the cells of a fixed patch, along the patch axes [m^2].
static inline br_vec2 cell_spread_of(const br_patch* patch, const br_cells* cells)
{
    if (br_patch_get_def(patch)->shape == BR_SHAPE_TRIANGLES) {
        const double lost = br_patch_eval(patch, 1.0).u - br_cells_eval(cells).u;
        return (br_vec2){0.5 * fmax(lost, 0.0), 0.5 * fmax(lost, 0.0)}; // on average
    }
    const br_vec2 own = cell_covariance(cells);
    const int is_grid = br_patch_get_def(patch)->shape == BR_SHAPE_GRID;
    const int counts = is_grid && own.x + own.y > min_cell_spread * br_cells_eval(cells).u;
    return counts ? own : (br_vec2){0.0, 0.0};
}

#endif
