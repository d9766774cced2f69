/*
 * Create the lattice of a patch: its own cells for a grid, br_cells for the other shapes.
 */
#include "limit/cell_grid.h"

static br_status no_memory(br_reason* why)
{
    br_reason_set(why, "", "no memory for the cells of the limit surface");
    return BR_ERR_MEMORY;
}

static br_status allocate_weights(cell_grid* grid, br_reason* why)
{
    const size_t count = bri_cell_grid_room(grid->columns, grid->rows);
    grid->weight = br_allocate(count, sizeof *grid->weight);
    grid->scratch = grid->weight ? grid->weight + grid->columns * grid->rows : NULL;
    return grid->weight ? BR_OK : no_memory(why);
}

static void normalise(cell_grid* grid)
{
    const size_t count = grid->columns * grid->rows;
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        sum += grid->weight[i];
    }
    for (size_t i = 0; i < count; i++) {
        grid->weight[i] /= sum;
    }
}

// A pressure grid with all its cells: empty ones matter for whether the CoR is inside.
static br_status create_grid_cells(const br_patch_def* def, cell_grid* out, br_reason* why)
{
    out->columns = def->columns;
    out->rows = def->rows;
    out->size = (br_vec2){def->size_x / (double)def->columns, def->size_y / (double)def->rows};
    const br_status status = allocate_weights(out, why);
    for (size_t i = 0; status == BR_OK && i < def->rows; i++) {
        for (size_t j = 0; j < def->columns; j++) {
            out->weight[(def->rows - 1 - i) * def->columns + j] = def->cells[i * def->columns + j];
        }
    }
    return status;
}

static br_vec2 middle_of(const br_cells* cells)
{
    return (br_vec2){cells->corner.x + ((double)cells->columns - 1.0) * cells->half_x,
                     cells->corner.y - ((double)cells->rows - 1.0) * cells->half_y};
}

// The CoP from the centre of a lattice; `centre` is that centre in the patch frame.
static br_vec2 local_cop(const br_patch_def* def, br_vec2 cop, br_vec2 centre)
{
    const br_vec2 local = br_vec2_rotate(br_vec2_sub(cop, def->centre), -def->angle);
    return br_vec2_sub(local, centre);
}

void bri_cell_grid_weigh(cell_grid* grid, const br_patch* patch, const br_cells* cells, br_vec2 cop)
{
    for (size_t i = 0; i < cells->count; i++) {
        const size_t row = cells->rows - 1 - cells->row[i];
        grid->weight[row * grid->columns + cells->column[i]] = cells->weight[i];
    }
    normalise(grid);
    grid->cop = local_cop(br_patch_get_def(patch), cop, middle_of(cells));
}

static br_vec2 axis_of(const br_patch_def* def)
{
    return (br_vec2){cos(def->angle), sin(def->angle)};
}

// The lattice of these cells.
br_status bri_cell_grid_from(const br_patch* patch, const br_cells* cells, br_vec2 cop,
                             cell_grid* out, br_reason* why)
{
    *out = (cell_grid){.axis = axis_of(br_patch_get_def(patch))};
    if (cells->columns == 0) {
        br_reason_set(why, "patch", "must have an extent at this normal force");
        return BR_ERR_DEF;
    }
    out->size = (br_vec2){2.0 * cells->half_x, 2.0 * cells->half_y};
    out->columns = cells->columns;
    out->rows = cells->rows;
    const br_status status = allocate_weights(out, why);
    if (status == BR_OK) {
        bri_cell_grid_weigh(out, patch, cells, cop);
    }
    // the cells of a line are as high as they are long, as W&K's are
    out->size.y = out->size.y > 0.0 ? out->size.y : out->size.x;
    return status;
}

static br_status create_shape_cells(const br_patch* patch, double fn, size_t resolution,
                                    br_vec2 cop, cell_grid* out, br_reason* why)
{
    br_cells* cells = NULL;
    br_status status = br_cells_create(patch, fn, resolution, &cells, why);
    if (status == BR_OK) {
        status = bri_cell_grid_from(patch, cells, cop, out, why);
    }
    br_cells_destroy(cells);
    return status;
}

br_status bri_cell_grid_init(const br_patch* patch, double fn, size_t resolution, br_vec2 cop,
                             cell_grid* out, br_reason* why)
{
    const br_patch_def* def = br_patch_get_def(patch);
    *out = (cell_grid){.axis = axis_of(def)};
    if (def->shape == BR_SHAPE_POINTS || def->shape == BR_SHAPE_RING ||
        def->shape == BR_SHAPE_TRIANGLES) {
        br_reason_set(why, "method", "must not be grid or published for a patch of shape %s",
                      br_shape_get_name(def->shape));
        return BR_ERR_DEF;
    }
    if (def->shape != BR_SHAPE_GRID) {
        return create_shape_cells(patch, fn, resolution, cop, out, why);
    }
    const br_status status = create_grid_cells(def, out, why);
    if (status == BR_OK) {
        normalise(out);
        out->cop = local_cop(def, cop, (br_vec2){0.0, 0.0});
    }
    return status;
}

void bri_cell_grid_clear(cell_grid* grid)
{
    br_release(grid->weight);
    grid->weight = grid->scratch = NULL;
}
