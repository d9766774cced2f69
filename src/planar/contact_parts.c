/*
 * Code shared by the methods of cells and blocks: both build their parts from the patch's cells, also when the
 * force changes. The arrays of the parts are contiguous, so that one copy includes all that depends on the force.
 */
#include "planar/contact_internal.h"

#include "patch/patch_internal.h"

// Default numbers of blocks and of cells across. Blocks consist of cells: 120 across can be divided by 1, 2, 3, 4, 5,
// 6 and 8; fewer if their weights are computed again whenever the force changes.
enum { BLOCKS = 5, CELLS = 21, CELLS_OF_BLOCKS = 120, CELLS_OF_GROWING_BLOCKS = 40 };

// Length of the array of column positions; a vector may start at the last column.
static size_t column_length(const kernel_bundles* b)
{
    return kernel_padded(b->columns) + KERNEL_PAD;
}

static size_t numbers_of(const br_contact* c)
{
    const kernel_bundles* b = &c->parts;
    return c->size == 3 ? BLOCK_ARRAYS * b->count
                        : CELL_ARRAYS * b->count + column_length(b) + kernel_padded(b->rows);
}

static void point_arrays(br_contact* c, double* at)
{
    kernel_bundles* b = &c->parts;
    double** const arrays[BLOCK_ARRAYS] = {&b->x,    &b->y,  &b->weight, &b->t, &b->per_t,
                                           &b->turn, &b->xx, &b->xy,     &b->yy};
    for (size_t i = 0; i < (c->size == 3 ? BLOCK_ARRAYS : CELL_ARRAYS); i++) {
        *arrays[i] = at + i * b->count;
    }
    if (c->size == 2) {
        b->column_x = at + CELL_ARRAYS * b->count;
        b->row_y = b->column_x + column_length(b);
    }
}

br_status bri_parts_allocate(br_contact* c, size_t count, br_reason* why)
{
    c->parts.count = kernel_padded(count);
    double* numbers = bri_contact_own(c, numbers_of(c), sizeof *numbers);
    if (!numbers) {
        br_reason_set(why, "resolution", "no memory for %zu cells or blocks", count);
        return BR_ERR_MEMORY;
    }
    point_arrays(c, numbers);
    return BR_OK;
}

static void sum_up(kernel_bundles* b)
{
    b->one = b->mean_x = b->mean_y = b->square = 0.0;
    for (size_t i = 0; i < b->count; i++) {
        const double t = b->t ? b->t[i] : 0.0;
        b->one += b->weight[i];
        b->mean_x += b->weight[i] * b->x[i];
        b->mean_y += b->weight[i] * b->y[i];
        b->square += b->weight[i] * (b->x[i] * b->x[i] + b->y[i] * b->y[i] + t);
    }
}

// Set all that depends on the positions and weights of the cells.
static void fill(br_contact* c, const br_cells* cells)
{
    c->value = br_cells_eval(cells);
    const br_vec2 cop = c->value.cop; // patch frame
    c->value.cop = br_pose_apply(c->pose, cop);
    if (c->size == 3) {
        bri_blocks_fill(c, cells, cop);
    } else {
        bri_cells_fill(c, cells, cop);
    }
    sum_up(&c->parts);
}

// Blocks are cut at the force where the patch is largest, so that no block has a negligible weight there.
static br_status make_cells(br_contact* c, br_cells** out, br_reason* why)
{
    const br_patch* patch = c->def.patch;
    const int is_blocks = c->size == 3;
    if (!br_patch_depends_on_force(patch)) {
        const size_t across = is_blocks ? CELLS_OF_BLOCKS : c->def.resolution;
        return br_cells_create(patch, 1.0, across, out, why);
    }
    const double fn = is_blocks ? bri_patch_table_force(patch) : 1.0;
    const size_t across = is_blocks ? CELLS_OF_GROWING_BLOCKS : c->def.resolution;
    const br_status status = bri_growth_create(patch, fn, across, &c->growth, why);
    *out = status == BR_OK ? c->growth->cells : NULL;
    return status;
}

static br_status lay(br_contact* c, const br_cells* cells, br_reason* why)
{
    c->part_of_cell = br_allocate(cells->count, sizeof *c->part_of_cell);
    if (!c->part_of_cell) {
        br_reason_set(why, "", "no memory for %zu cells", cells->count);
        return BR_ERR_MEMORY;
    }
    return c->size == 3 ? bri_blocks_lay(c, cells, why) : bri_cells_lay(c, cells, why);
}

br_status bri_parts_make(br_contact* c, br_reason* why)
{
    const br_patch_def* patch = br_patch_get_def(c->def.patch);
    const int is_blocks = c->def.method == BR_METHOD_BLOCKS;
    const size_t usual = is_blocks ? BLOCKS : CELLS;
    c->pose = (br_pose){patch->centre.x, patch->centre.y, patch->angle};
    c->axes = axes_of(patch->angle);
    c->size = is_blocks ? 3 : 2;
    c->def.resolution = c->def.resolution ? c->def.resolution : usual;
    br_cells* cells = NULL;
    br_status status = make_cells(c, &cells, why);
    status = status == BR_OK ? lay(c, cells, why) : status;
    if (status == BR_OK && c->growth) {
        bri_growth_at_force(c->growth, 1.0);
    }
    if (status == BR_OK) {
        fill(c, cells);
    }
    if (!c->growth) {
        br_cells_destroy(cells);
        br_release(c->part_of_cell); // only needed at creation
        c->part_of_cell = NULL;
    }
    c->def.patch = NULL; // only needed at creation
    return status;
}

void bri_parts_copy(br_contact* c, arena* to)
{
    point_arrays(c, arena_copy(to, c->parts.x, numbers_of(c) * sizeof(double)));
    c->growth = bri_growth_copy(c->growth, to);
}

void bri_parts_follow(br_contact* c, double fn)
{
    if (bri_growth_at_force(c->growth, fn)) {
        fill(c, c->growth->cells);
    }
}
