/*
 * The distributed method: a bundle of two bristles in every cell of the patch.
 *
 * Cells of a lattice are laid out row by row in groups of four, so that the kernel can share what
 * depends on the row or the column alone; gaps are padded with cells of no weight.
 */
#include "planar/contact_internal.h"

static size_t round_up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

// Where the cells of a set go: group by group.
typedef struct layout {
    size_t groups;
    size_t* home;     // of each cell: its place among the parts; NULL: only count
    uint32_t* column; // of each group's first cell
    uint32_t* row;    // of each group
} layout;

// A new group begins with a new row, or where the last one ends.
static void lay_lattice(const br_cells* cells, layout* out)
{
    uint32_t first = 0, row = 0;
    for (size_t i = 0; i < cells->count; i++) {
        const uint32_t column = cells->column[i];
        if (i == 0 || cells->row[i] != row || column >= first + KERNEL_GROUP) {
            first = column;
            row = cells->row[i];
            out->groups++;
            if (out->home) {
                out->column[out->groups - 1] = first;
                out->row[out->groups - 1] = row;
            }
        }
        if (out->home) {
            out->home[i] = (out->groups - 1) * (size_t)KERNEL_GROUP + (column - first);
        }
    }
}

// Cells without a lattice follow each other.
static void lay_list(const br_cells* cells, layout* out)
{
    for (size_t i = 0; out->home && i < cells->count; i++) {
        out->home[i] = i;
    }
    out->groups = round_up(cells->count, KERNEL_GROUP) / KERNEL_GROUP;
}

static void lay_out(const br_cells* cells, layout* out)
{
    out->groups = 0;
    if (cells->columns > 0) {
        lay_lattice(cells, out);
    } else {
        lay_list(cells, out);
    }
}

// Numbers that hold the places of a lattice's columns and rows.
static size_t column_room(size_t columns)
{
    return round_up(columns, KERNEL_PAD) + KERNEL_PAD;
}

static size_t row_room(size_t rows)
{
    return round_up(rows, KERNEL_PAD);
}

static void sum_parts(br_contact* c)
{
    const part_arrays* a = &c->arrays;
    kernel_bundles* b = &c->parts;
    b->one = b->mean_x = b->mean_y = b->square = 0.0;
    for (size_t i = 0; i < b->count; i++) {
        b->one += a->weight[i];
        b->mean_x += a->weight[i] * a->x[i];
        b->mean_y += a->weight[i] * a->y[i];
        b->square += a->weight[i] * (a->x[i] * a->x[i] + a->y[i] * a->y[i]);
    }
}

// Places of all cells of the groups, padding included, from the lattice.
static void fill_lattice(br_contact* c, const br_cells* cells, br_vec2 cop)
{
    const part_arrays* a = &c->arrays;
    const kernel_bundles* b = &c->parts;
    for (size_t i = 0; i < column_room(cells->columns); i++) {
        a->column_x[i] = cells->corner.x + 2.0 * cells->half_x * (double)i - cop.x;
    }
    for (size_t i = 0; i < row_room(cells->rows); i++) {
        a->row_y[i] = cells->corner.y - 2.0 * cells->half_y * (double)i - cop.y;
    }
    for (size_t i = 0; i < b->count; i++) {
        a->x[i] = a->column_x[b->column[i / KERNEL_GROUP] + i % KERNEL_GROUP];
        a->y[i] = a->row_y[b->row[i / KERNEL_GROUP]];
    }
}

// The lattice of (21): that of the cells.
static lattice grid_of_cells(const br_cells* cells, br_vec2 cop)
{
    const br_vec2 half = {cells->half_x, cells->half_y};
    if (half.x <= 0.0 || half.y <= 0.0) {
        return (lattice){0}; // a line or points
    }
    const br_vec2 middle = {cells->corner.x + ((double)cells->columns - 1.0) * half.x,
                            cells->corner.y - ((double)cells->rows - 1.0) * half.y};
    return (lattice){cells->columns, cells->rows, br_vec2_scale(2.0, half),
                     br_vec2_sub(middle, cop)};
}

// A pressure grid's own, empty cells included.
static lattice grid_of_patch(const br_patch_def* patch, br_vec2 cop)
{
    const br_vec2 cell = {patch->size_x / (double)patch->columns,
                          patch->size_y / (double)patch->rows};
    return (lattice){patch->columns, patch->rows, cell, {-cop.x, -cop.y}};
}

// Everything that depends on where the cells are and what they carry.
static void fill(br_contact* c, const br_cells* cells)
{
    const part_arrays* a = &c->arrays;
    c->value = br_cells_eval(cells);
    const br_vec2 cop = c->value.cop;
    c->value.cop = br_pose_apply(c->pose, cop);
    if (cells->columns > 0) {
        fill_lattice(c, cells, cop);
    }
    for (size_t i = 0; i < cells->count; i++) {
        const size_t at = c->home[i];
        a->x[at] = cells->x[i] - cop.x;
        a->y[at] = cells->y[i] - cop.y;
        a->weight[at] = cells->weight[i];
    }
    c->grid = grid_of_cells(cells, cop);
    sum_parts(c);
}

// Room for the parts and the lattice's lines: from the contact's own memory.
static int allocate(br_contact* c, const br_cells* cells, size_t groups, layout* plan)
{
    const size_t n = c->parts.count = round_up(groups * KERNEL_GROUP, KERNEL_PAD);
    const size_t lines = column_room(cells->columns) + row_room(cells->rows);
    double* block = bri_contact_own(c, 3 * n + lines, sizeof *block);
    uint32_t* places = bri_contact_own(c, n / 2, sizeof *places);
    c->home = br_allocate(cells->count, sizeof *c->home);
    if (!block || !places || !c->home) {
        return 0;
    }
    c->arrays = (part_arrays){.x = block, .y = block + n, .weight = block + 2 * n};
    c->arrays.column_x = block + 3 * n;
    c->arrays.row_y = c->arrays.column_x + column_room(cells->columns);
    *plan = (layout){0, c->home, places, places + n / 4};
    c->parts.column = plan->column;
    c->parts.row = plan->row;
    c->parts.columns = cells->columns;
    c->parts.rows = cells->rows;
    contact_show(c);
    return 1;
}

static br_status build(br_contact* c, const br_cells* cells, br_reason* why)
{
    layout plan = {0};
    lay_out(cells, &plan);
    if (!allocate(c, cells, plan.groups, &plan)) {
        br_reason_set(why, "", "no memory for %zu cells", cells->count);
        return BR_ERR_MEMORY;
    }
    lay_out(cells, &plan);
    fill(c, cells);
    return BR_OK;
}

br_status bri_cells_make(br_contact* c, br_reason* why)
{
    enum { CELLS_ACROSS = 21 };
    const br_patch* patch = c->def.patch;
    const size_t across = c->def.resolution = c->def.resolution ? c->def.resolution : CELLS_ACROSS;
    c->size = 2;
    if (br_patch_depends_on_force(patch)) {
        const br_status status = bri_growth_create(patch, 1.0, across, &c->growth, why);
        return status == BR_OK ? build(c, c->growth->cells, why) : status;
    }
    br_cells* cells;
    br_status status = br_cells_create(patch, 1.0, across, &cells, why);
    if (status == BR_OK) {
        status = build(c, cells, why);
        if (status == BR_OK && br_patch_get_def(patch)->shape == BR_SHAPE_GRID) {
            c->grid = grid_of_patch(br_patch_get_def(patch), br_cells_eval(cells).cop);
        }
        br_cells_destroy(cells);
        br_release(c->home); // which cell is where is not asked again
        c->home = NULL;
    }
    return status;
}

void bri_cells_copy(br_contact* c, arena* to)
{
    const size_t n = c->parts.count;
    part_arrays* a = &c->arrays;
    a->x = arena_copy(to, a->x, n * sizeof(double));
    a->y = arena_copy(to, a->y, n * sizeof(double));
    a->weight = arena_copy(to, a->weight, n * sizeof(double));
    a->column_x = arena_copy(to, a->column_x, column_room(c->parts.columns) * sizeof(double));
    a->row_y = arena_copy(to, a->row_y, row_room(c->parts.rows) * sizeof(double));
    c->growth = bri_growth_copy(c->growth, to);
    contact_show(c);
}

void bri_cells_follow(br_contact* c, double fn)
{
    if (bri_growth_spread(c->growth, fn)) {
        fill(c, c->growth->cells);
    }
}
