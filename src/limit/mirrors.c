/*
 * Mirror symmetries of a pressure.
 */
#include "limit/mirrors.h"

#include "patch/patch_internal.h"

mirrors bri_mirrors_of_cells(const double* cells, size_t columns, size_t rows)
{
    mirrors found = {1, 1};
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++) {
            const double w = cells[i * columns + j];
            found.x = found.x && w == cells[i * columns + columns - 1 - j];
            found.y = found.y && w == cells[(rows - 1 - i) * columns + j];
        }
    }
    return found;
}

mirrors bri_mirrors_of_patch(const br_patch_def* def)
{
    switch (def->shape) {
    case BR_SHAPE_GRID:
        return bri_mirrors_of_cells(def->cells, def->columns, def->rows);
    case BR_SHAPE_POLYGON:
    case BR_SHAPE_POINTS:
    case BR_SHAPE_TRIANGLES:
        return (mirrors){0, 0};
    case BR_SHAPE_DISC:
    case BR_SHAPE_RING:
    case BR_SHAPE_ELLIPSE: {
        const br_vec2 slope = bri_round_slope(def);
        return (mirrors){slope.x == 0.0, slope.y == 0.0};
    }
    default:
        return (mirrors){bri_pressure_gradient(def) == 0.0, 1}; // a slope is along x
    }
}
