/*
 * Code shared by the methods of cells and blocks: both build their parts from the patch's cells, also when the
 * force or the pose changes. The arrays of the parts are contiguous, so that one copy includes all that depends on them.
 */
#include "planar/contact_internal.h"

#include "patch/patch_internal.h"
#include "planar/contact_some.h"

// Default numbers of blocks and of cells across. Blocks consist of cells: 120 across can be divided by 1, 2, 3, 4, 5,
// 6 and 8; fewer if their weights are computed again whenever the force changes.
enum {
    BLOCKS = 5,
    CELLS = 21,
    CELLS_OF_BLOCKS = 120,
    CELLS_OF_GROWING_BLOCKS = 40,
    CELLS_OF_PRESSED_BLOCKS = 60,
    MOST_MENDED = 16 // blocks across
};

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

// The cells as the parts are laid out: those of the distributed method without a lattice that friction stretches askew.
static br_cells cells_laid(const br_contact* c, const br_cells* all)
{
    br_cells cells = *all;
    if (c->size == 2 && !bri_contact_keeps_lattice(c)) {
        cells.columns = cells.rows = 0;
    }
    return cells;
}

// CoP, r and u, which are those of the pressure, without a field.
static void measure(br_contact* c, const br_cells* cells)
{
    c->value = br_cells_eval(cells);
    c->cop = c->value.cop;
    c->value.cop = br_pose_apply(c->pose, c->cop);
    if (c->size == 3) {
        bri_blocks_measure(c);
    }
    if (c->is_stretched) {
        bri_parts_measure(c, cells);
    }
}

// Fill the parts from the cells; `weight`: those with the field, or the cells' own.
static void fill(br_contact* c, const br_cells* cells, const double* weight)
{
    br_cells factored = cells_laid(c, cells);
    factored.weight = weight;
    if (c->size == 3) {
        bri_blocks_fill(c, &factored, c->cop);
    } else {
        bri_cells_fill(c, &factored, c->cop);
    }
    if (c->fix) {
        bri_blocks_mend(c);
    }
    if (c->is_stretched) {
        bri_parts_stretch(c);
    }
    sum_up(&c->parts);
}

// The patch frame on the surface where the contact frame is at `pose`.
static br_pose patch_on(const br_contact* c, br_pose pose)
{
    const br_vec2 at = br_pose_apply(pose, (br_vec2){c->pose.x, c->pose.y});
    return (br_pose){at.x, at.y, pose.theta + c->pose.theta};
}

// Fill the parts on a field with the contact frame at `pose`; nothing to do if only a uniform factor was and is there.
static void fill_on_field(br_contact* c, const br_cells* cells, br_pose pose, int cells_changed)
{
    if (cells_changed && !c->fix) {
        measure(c, cells);
    } else if (cells_changed && c->turns) {
        bri_parts_measure(c, cells);
    }
    if (cells_changed && c->growth && (c->growth->unit || c->growth->mesh)) {
        c->box = bri_field_box(cells); // a ring or triangles have moved their cells
    }
    if (c->holds && !cells_changed) {
        return;
    }
    if (c->holds) {
        bri_field_weigh_held(c->def.field, cells, c->held, c->factored);
        fill(c, cells, c->factored);
        return;
    }
    const double before = c->uniform;
    c->uniform = bri_field_weigh(c->def.field, patch_on(c, pose), cells, c->box, c->factored);
    if (c->uniform == before && !cells_changed) {
        return;
    }
    if (!isnan(c->uniform)) {
        bri_field_scale(cells, c->uniform, c->factored);
    }
    fill(c, cells, c->factored);
}

// Prepare the field's weights. 0: no memory.
static int own_factored(br_contact* c, const br_cells* cells)
{
    c->uniform = (double)NAN;
    c->box = bri_field_box(cells);
    c->factored = bri_contact_own(c, cells->count, sizeof *c->factored);
    const int jumps = c->on_pose && bri_field_jumps(c->def.field, cells);
    c->held = jumps ? bri_contact_own(c, cells->count, sizeof *c->held) : NULL;
    return c->factored && (c->held || !jumps);
}

// Blocks are cut at the force where the patch is largest, so that no block has a negligible weight there.
static br_status make_cells(br_contact* c, br_cells** out, br_reason* why)
{
    const br_patch* patch = c->def.patch;
    const int is_blocks = c->size == 3;
    if (br_patch_get_def(patch)->shape == BR_SHAPE_TRIANGLES) {
        const size_t across = is_blocks ? CELLS_OF_PRESSED_BLOCKS : c->def.resolution;
        const br_status status = bri_growth_create(patch, 1.0, across, &c->growth, why);
        *out = status == BR_OK ? c->growth->cells : NULL;
        return status;
    }
    if (!br_patch_depends_on_force(patch)) {
        return br_cells_create(patch, 1.0, is_blocks ? CELLS_OF_BLOCKS : c->def.resolution, out,
                               why);
    }
    const double fn = is_blocks ? bri_patch_table_force(patch) : 1.0;
    const size_t across = is_blocks ? CELLS_OF_GROWING_BLOCKS : c->def.resolution;
    const br_status status = bri_growth_create(patch, fn, across, &c->growth, why);
    *out = status == BR_OK ? c->growth->cells : NULL;
    return status;
}

static br_status lay(br_contact* c, const br_cells* all, br_reason* why)
{
    const br_cells laid = cells_laid(c, all), *cells = &laid;
    c->part_of_cell = br_allocate(cells->count, sizeof *c->part_of_cell);
    if (!c->part_of_cell) {
        br_reason_set(why, "", "no memory for %zu cells", cells->count);
        return BR_ERR_MEMORY;
    }
    return c->size == 3 ? bri_blocks_lay(c, cells, why) : bri_cells_lay(c, cells, why);
}

// Free the parts of a trial.
static void release_parts(br_contact* c)
{
    br_release(c->part_of_cell);
    br_release(c->memory[0]);
}

// The blocks of a contact that owns no memory, without a field: a trial, measured and then unstretched, from the CoP of
// `like` (NULL: its own). Free with release_parts(), also on failure.
static br_status make_plain(const br_contact* c, const br_cells* cells, const br_contact* like,
                            br_contact* out, br_reason* why)
{
    *out = *c;
    const br_status status = lay(out, cells, why);
    if (status == BR_OK) {
        measure(out, cells);
        out->cop = like ? like->cop : out->cop;
        out->is_stretched = 0;
        fill(out, cells, cells->weight);
    }
    return status;
}

// Replace `cells` by fewer, if their blocks are the same as those of `many`.
static br_status try_fewer(br_contact* c, const br_contact* many, size_t across, br_cells** cells,
                           br_reason* why)
{
    br_cells* fewer = NULL;
    br_contact few = {.size = 0};
    br_status status = br_cells_create(c->def.patch, 1.0, across, &fewer, why);
    status = status == BR_OK ? make_plain(c, fewer, many, &few, why) : status;
    block_fix* fix = status == BR_OK ? br_allocate(few.parts.count, sizeof *fix) : NULL;
    if (status == BR_OK && !fix) {
        br_reason_set(why, "field", "no memory for %zu blocks", few.parts.count);
        status = BR_ERR_MEMORY;
    }
    if (fix && bri_blocks_compare(&few, many, fix)) {
        br_cells_destroy(*cells);
        *cells = fewer;
        c->fix = c->memory[CONTACT_BLOCKS - 1] = fix;
        c->value = many->value;
        c->cop = many->cop;
    } else {
        br_release(fix);
        br_cells_destroy(fewer);
    }
    release_parts(&few);
    return status;
}

// Fewer cells for blocks whose weights follow a field: 1/9 or 1/4 of the usual ones, or as many. They come with what takes
// their blocks to those of the usual cells, so that a uniform field gives exactly these. Where so many blocks are requested
// that they have hardly a few cells each, cells are few all the same.
static br_status use_fewer_cells(br_contact* c, br_cells** cells, br_reason* why)
{
    static const size_t across[] = {CELLS_OF_GROWING_BLOCKS, CELLS_OF_PRESSED_BLOCKS,
                                    CELLS_OF_BLOCKS};
    if (c->def.resolution > MOST_MENDED) {
        br_cells_destroy(*cells);
        *cells = NULL;
        return br_cells_create(c->def.patch, 1.0, CELLS_OF_GROWING_BLOCKS, cells, why);
    }
    br_contact plain = *c, many;
    plain.on_pose = 0; // cells with the extent that they have without a field
    br_status status = make_plain(&plain, *cells, NULL, &many, why);
    for (size_t i = 0; status == BR_OK && !c->fix && i < sizeof across / sizeof *across; i++) {
        status = try_fewer(c, &many, across[i], cells, why);
    }
    release_parts(&many);
    return status;
}

// Triangles follow given pressures (br_contact_at_pressure()), which have no pose.
static br_status check_triangles(const br_contact* c, br_reason* why)
{
    if (br_patch_get_def(c->def.patch)->shape != BR_SHAPE_TRIANGLES || !(c->on_pose || c->turns)) {
        return BR_OK;
    }
    br_reason_set(why, c->on_pose ? "field" : "anisotropy.axes",
                  "must be fixed to the body where the patch is triangles");
    return BR_ERR_DEF;
}

br_status bri_parts_make(br_contact* c, br_reason* why)
{
    const br_patch_def* patch = br_patch_get_def(c->def.patch);
    const int is_blocks = c->def.method == BR_METHOD_BLOCKS;
    const size_t usual = is_blocks ? BLOCKS : CELLS;
    c->pose = (br_pose){patch->centre.x, patch->centre.y, patch->angle};
    c->axes = axes_of(patch->angle);
    c->size = is_blocks ? 3 : 2;
    bri_contact_set_map(c, 0.0);
    c->def.resolution = c->def.resolution ? c->def.resolution : usual;
    c->on_pose = c->def.field && c->def.field_moves;
    br_cells* cells = NULL;
    br_status status = check_triangles(c, why);
    status = status == BR_OK ? make_cells(c, &cells, why) : status;
    if (status == BR_OK && is_blocks && c->on_pose && !c->growth) {
        status = use_fewer_cells(c, &cells, why);
    }
    status = status == BR_OK ? lay(c, cells, why) : status;
    if (status == BR_OK && c->growth) {
        bri_growth_at_force(c->growth, 1.0);
    }
    if (status == BR_OK && c->def.field && !own_factored(c, cells)) {
        br_reason_set(why, "field", "no memory for the weights of %zu cells", cells->count);
        status = BR_ERR_MEMORY;
    }
    if (status == BR_OK && c->def.field) {
        fill_on_field(c, cells, (br_pose){0.0, 0.0, 0.0}, 1);
    } else if (status == BR_OK) {
        measure(c, cells);
        fill(c, cells, cells->weight);
    }
    if (!c->growth && c->on_pose) {
        c->cells = cells;
    } else if (!c->growth) {
        br_cells_destroy(cells);
        br_release(c->part_of_cell); // only needed at creation
        c->part_of_cell = NULL;
    }
    c->def.patch = NULL; // only needed at creation
    return status;
}

// The cells of a contact that depends on force or pose.
static const br_cells* cells_of(const br_contact* c)
{
    return c->growth ? c->growth->cells : c->cells;
}

void bri_parts_copy(br_contact* c, arena* to)
{
    point_arrays(c, arena_copy(to, c->parts.x, numbers_of(c) * sizeof(double)));
    const br_cells* cells = cells_of(c);
    if (c->def.field && cells) {
        c->factored = arena_copy(to, c->factored, cells->count * sizeof *c->factored);
        c->held = c->held ? arena_copy(to, c->held, cells->count * sizeof *c->held) : NULL;
    }
    c->growth = c->growth ? bri_growth_copy(c->growth, to) : NULL;
}

void bri_parts_press(br_contact* c, const br_vec2* vertices, const double* pressures)
{
    bri_growth_at_pressure(c->growth, vertices, pressures);
    const br_cells* cells = c->growth->cells;
    if (c->def.field) {
        fill_on_field(c, cells, (br_pose){0.0, 0.0, 0.0}, 1);
    } else {
        measure(c, cells);
        fill(c, cells, cells->weight);
    }
}

void bri_parts_follow(br_contact* c, const br_contact* of, double fn, br_pose pose)
{
    const int cells_changed = c->growth && bri_growth_at_force(c->growth, fn);
    const int turned = bri_contact_turn(c, pose.theta);
    const br_cells* cells = cells_of(c);
    if (c->def.field && cells) {
        const br_pose on = c->on_pose ? pose : (br_pose){0.0, 0.0, 0.0};
        fill_on_field(c, cells, on, cells_changed || turned);
    } else if (cells && (cells_changed || turned)) {
        measure(c, cells);
        fill(c, cells, cells->weight);
    } else if (turned) {
        memcpy(c->parts.x, of->parts.x, numbers_of(c) * sizeof *c->parts.x);
        bri_parts_turn(c, of);
        sum_up(&c->parts);
    }
}

// --- a field under a run (contact_some.h) -----------------------------------------------------------------

int bri_contact_jumps(const br_contact* c)
{
    return c->held != NULL;
}

int bri_contact_is_on_uniform(const br_contact* c)
{
    return !c->turns && (!c->on_pose || c->holds || !isnan(c->uniform));
}

double bri_contact_field_length(const br_contact* c)
{
    const br_vec2 cell = c->on_pose ? bri_field_cell(c->def.field) : (br_vec2){HUGE_VAL, HUGE_VAL};
    return fmin(cell.x, cell.y);
}

void bri_contact_hold_cells(const br_contact* at, br_pose pose)
{
    br_contact* c = (br_contact*)at; // in the caller's memory
    const br_cells* cells = cells_of(c);
    bri_field_hold(c->def.field, patch_on(c, pose), cells, c->held);
    c->holds = 1;
    bri_field_weigh_held(c->def.field, cells, c->held, c->factored);
    fill(c, cells, c->factored);
}

double bri_contact_to_edge(const br_contact* c, br_pose pose)
{
    return bri_field_to_edge(c->def.field, patch_on(c, pose), cells_of(c), c->held);
}
