/*
 * What cells and blocks share: they are made of the patch's cells and follow the force with them.
 *
 * Their arrays lie one behind the other, so that what a force changes is copied at once.
 */
#include "planar/contact_internal.h"

// Blocks across, cells across. Cells that blocks are made of: 120 are cut evenly by 1, 2, 3, 4, 5, 6 and 8;
// fewer where they are weighed anew as the force changes.
enum { BLOCKS = 5, CELLS = 21, CELLS_OF_BLOCKS = 120, CELLS_OF_GROWING_BLOCKS = 40 };

// Numbers that hold the places of a lattice's columns; a vector may begin at the last.
static size_t column_room(const kernel_bundles* b)
{
    return kernel_padded(b->columns) + KERNEL_PAD;
}

static size_t numbers_of(const br_contact* c)
{
    const kernel_bundles* b = &c->parts;
    return c->size == 3 ? BLOCK_ARRAYS * b->count
                        : CELL_ARRAYS * b->count + column_room(b) + kernel_padded(b->rows);
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
        b->row_y = b->column_x + column_room(b);
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

// Everything that depends on where the cells are and what they carry.
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

// Blocks are cut where the patch is at its largest, so that none is too light to be worth it then.
static br_status make_cells(br_contact* c, br_cells** out, br_reason* why)
{
    const br_patch* patch = c->def.patch;
    const int is_blocks = c->size == 3;
    if (!br_patch_depends_on_force(patch)) {
        const size_t across = is_blocks ? CELLS_OF_BLOCKS : c->def.resolution;
        return br_cells_create(patch, 1.0, across, out, why);
    }
    const double full = br_patch_get_full_force(patch);
    const double fn = is_blocks && full > 0.0 && isfinite(full) ? full : 1.0;
    const size_t across = is_blocks ? CELLS_OF_GROWING_BLOCKS : c->def.resolution;
    const br_status status = bri_growth_create(patch, fn, across, &c->growth, why);
    *out = status == BR_OK ? c->growth->cells : NULL;
    return status;
}

static br_status lay(br_contact* c, const br_cells* cells, br_reason* why)
{
    c->home = br_allocate(cells->count, sizeof *c->home);
    if (!c->home) {
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
        bri_growth_spread(c->growth, 1.0);
    }
    if (status == BR_OK) {
        fill(c, cells);
    }
    if (!c->growth) {
        br_cells_destroy(cells);
        br_release(c->home); // which cell is whose is not asked again
        c->home = NULL;
    }
    c->def.patch = NULL; // was for creation only
    return status;
}

void bri_parts_copy(br_contact* c, arena* to)
{
    point_arrays(c, arena_copy(to, c->parts.x, numbers_of(c) * sizeof(double)));
    c->growth = bri_growth_copy(c->growth, to);
}

void bri_parts_follow(br_contact* c, double fn)
{
    if (bri_growth_spread(c->growth, fn)) {
        fill(c, c->growth->cells);
    }
}
