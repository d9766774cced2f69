/*
 * The distributed method: a bundle of two bristles in every cell of the patch.
 *
 * Cells of a lattice are laid out row by row in groups of four, so that the kernel can share values that
 * depend on the row or the column alone; gaps are padded with cells of weight 0.
 */
#include "planar/contact_internal.h"

// Number the cells as parts, group by group; returns how many numbers that takes. A new group starts with a
// new row, or where the last group ends. Cells without a lattice keep their order.
static size_t lay_out(const br_cells* cells, size_t* part_of_cell)
{
    size_t groups = 0;
    uint32_t first = 0;
    for (size_t i = 0; i < cells->count; i++) {
        if (cells->columns == 0) {
            part_of_cell[i] = i;
            continue;
        }
        const uint32_t column = cells->column[i];
        if (i == 0 || cells->row[i] != cells->row[i - 1] || column >= first + KERNEL_GROUP) {
            first = column;
            groups++;
        }
        part_of_cell[i] = (groups - 1) * KERNEL_GROUP + (column - first);
    }
    return cells->columns == 0 ? cells->count : groups * KERNEL_GROUP;
}

br_status bri_cells_lay(br_contact* c, const br_cells* cells, br_reason* why)
{
    kernel_bundles* b = &c->parts;
    const size_t count = lay_out(cells, c->part_of_cell),
                 groups = kernel_padded(count) / KERNEL_GROUP;
    b->columns = cells->columns;
    b->rows = cells->rows;
    b->column = bri_contact_own(c, 2 * groups, sizeof *b->column);
    if (!b->column) {
        br_reason_set(why, "", "no memory for %zu cells", cells->count);
        return BR_ERR_MEMORY;
    }
    b->row = b->column + groups;
    for (size_t i = 0; cells->columns > 0 && i < cells->count; i++) {
        const size_t group = c->part_of_cell[i] / KERNEL_GROUP,
                     offset = c->part_of_cell[i] % KERNEL_GROUP;
        b->column[group] = cells->column[i] - (uint32_t)offset;
        b->row[group] = cells->row[i];
    }
    return bri_parts_allocate(c, count, why);
}

// Positions of all cells of the groups, padding included, from the lattice.
static void fill_lattice(const kernel_bundles* b, const br_cells* cells, br_vec2 cop)
{
    for (size_t i = 0; i < kernel_padded(b->columns) + KERNEL_PAD; i++) {
        b->column_x[i] = cells->corner.x + 2.0 * cells->half_x * (double)i - cop.x;
    }
    for (size_t i = 0; i < kernel_padded(b->rows); i++) {
        b->row_y[i] = cells->corner.y - 2.0 * cells->half_y * (double)i - cop.y;
    }
    for (size_t i = 0; i < b->count; i++) {
        b->x[i] = b->column_x[b->column[i / KERNEL_GROUP] + i % KERNEL_GROUP];
        b->y[i] = b->row_y[b->row[i / KERNEL_GROUP]];
    }
}

// The lattice of (21): that of the cells; for a pressure grid the grid, empty cells included.
static cell_lattice grid_of(const br_contact* c, const br_cells* cells, br_vec2 cop)
{
    const br_patch_def* patch = c->growth ? NULL : br_patch_get_def(c->def.patch);
    if (patch && patch->shape == BR_SHAPE_GRID) {
        const br_vec2 cell = {patch->size_x / (double)patch->columns,
                              patch->size_y / (double)patch->rows};
        return (cell_lattice){patch->columns, patch->rows, cell, {-cop.x, -cop.y}};
    }
    const br_vec2 half = {cells->half_x, cells->half_y};
    if (half.x <= 0.0 || half.y <= 0.0) {
        return (cell_lattice){0}; // a line or points
    }
    const br_vec2 middle = {cells->corner.x + ((double)cells->columns - 1.0) * half.x,
                            cells->corner.y - ((double)cells->rows - 1.0) * half.y};
    return (cell_lattice){cells->columns, cells->rows, br_vec2_scale(2.0, half),
                          br_vec2_sub(middle, cop)};
}

void bri_cells_fill(br_contact* c, const br_cells* cells, br_vec2 cop)
{
    const kernel_bundles* b = &c->parts;
    if (cells->columns > 0) {
        fill_lattice(b, cells, cop);
    }
    for (size_t i = 0; i < cells->count; i++) {
        const size_t at = c->part_of_cell[i];
        b->x[at] = cells->x[i] - cop.x;
        b->y[at] = cells->y[i] - cop.y;
        b->weight[at] = cells->weight[i];
    }
    if (c->growth || c->def.patch) { // else the cells are where they were at creation
        c->grid = grid_of(c, cells, cop);
    }
}
