/*
 * The lattice of a patch: its own for a grid, br_cells for the other shapes.
 */
#include "limit/cell_grid.h"

static br_status no_memory(br_reason* why)
{
    br_reason_set(why, "", "no memory for the cells of the limit surface");
    return BR_ERR_MEMORY;
}

static br_status allocate_weights(cell_grid* grid, br_reason* why)
{
    grid->weight = br_allocate(grid->columns * grid->rows, sizeof *grid->weight);
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

// A pressure grid as it is, empty cells included: they count for where the CoR is inside.
static br_status lay_grid(const br_patch_def* def, cell_grid* out, br_reason* why)
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

static double least(const double* x, size_t count)
{
    double value = x[0];
    for (size_t i = 1; i < count; i++) {
        value = fmin(value, x[i]);
    }
    return value;
}

static double largest(const double* x, size_t count)
{
    double value = x[0];
    for (size_t i = 1; i < count; i++) {
        value = fmax(value, x[i]);
    }
    return value;
}

// Number of the cell at x, in a row of cells of this size that starts at `first`.
static size_t number(double x, double first, double size)
{
    return size > 0.0 ? (size_t)floor((x - first) / size + 0.5) : 0;
}

// The lattice around the cells. `centre` becomes its centre in the patch frame.
static br_status lay_cells(const br_cells* cells, cell_grid* out, br_vec2* centre, br_reason* why)
{
    const size_t count = cells->count;
    const double x0 = least(cells->x, count), x1 = largest(cells->x, count);
    const double y0 = least(cells->y, count), y1 = largest(cells->y, count);
    *centre = (br_vec2){0.5 * (x0 + x1), 0.5 * (y0 + y1)};
    out->size = (br_vec2){2.0 * cells->half_x, 2.0 * cells->half_y};
    out->columns = number(x1, x0, out->size.x) + 1;
    out->rows = number(y1, y0, out->size.y) + 1;
    const br_status status = allocate_weights(out, why);
    for (size_t i = 0; status == BR_OK && i < count; i++) {
        const size_t row = number(cells->y[i], y0, out->size.y);
        const size_t column = number(cells->x[i], x0, out->size.x);
        out->weight[row * out->columns + column] = cells->weight[i];
    }
    // the cells of a line are as high as they are long, as W&K's are
    out->size.y = out->size.y > 0.0 ? out->size.y : out->size.x;
    return status;
}

static br_status lay_shape(const br_patch* patch, double fn, size_t resolution, cell_grid* out,
                           br_vec2* centre, br_reason* why)
{
    br_cells* cells = NULL;
    br_status status = br_cells_create(patch, fn, resolution, &cells, why);
    if (status == BR_OK && !(cells->half_x > 0.0)) {
        br_reason_set(why, "patch", "must have an extent at this normal force");
        status = BR_ERR_DEF;
    }
    if (status == BR_OK) {
        status = lay_cells(cells, out, centre, why);
    }
    br_cells_destroy(cells);
    return status;
}

br_status cell_grid_init(const br_patch* patch, double fn, size_t resolution, br_vec2 cop,
                         cell_grid* out, br_reason* why)
{
    const br_patch_def* def = br_patch_get_def(patch);
    *out = (cell_grid){.axis = {cos(def->angle), sin(def->angle)}};
    if (def->shape == BR_SHAPE_POINTS || def->shape == BR_SHAPE_RING) {
        br_reason_set(why, "method", "must not be grid or published for a patch of shape %s",
                      br_shape_name(def->shape));
        return BR_ERR_DEF;
    }
    br_vec2 centre = {0.0, 0.0};
    const br_status status = def->shape == BR_SHAPE_GRID
                                 ? lay_grid(def, out, why)
                                 : lay_shape(patch, fn, resolution, out, &centre, why);
    if (status == BR_OK) {
        normalise(out);
        const br_vec2 local = br_vec2_rotate(br_vec2_sub(cop, def->centre), -def->angle);
        out->cop = br_vec2_sub(local, centre);
    }
    return status;
}

void cell_grid_clear(cell_grid* grid)
{
    br_release(grid->weight);
    grid->weight = NULL;
}
