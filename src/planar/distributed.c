/*
 * Distributed planar friction: making a model, and calling the twin that fits.
 *
 * Cells of a lattice are laid out row by row in vectors of four, so that the fast twin can share
 * what depends on the row or the column alone; gaps are padded with cells of no weight.
 */
#include "planar/distributed_internal.h"

#include <string.h>

br_distributed_def br_distributed_def_default(void)
{
    return (br_distributed_def){.size = sizeof(br_distributed_def),
                                .law = br_law_default(BR_LAW_ELASTO_PLASTIC),
                                .fn = 1.0,
                                .resolution = 21};
}

static br_status check(const br_distributed_def* def, br_reason* why)
{
    if (def->size != sizeof *def) {
        br_reason_set(why, "", "start from br_distributed_def_default()");
        return BR_ERR_DEF;
    }
    if (!def->patch) {
        br_reason_set(why, "patch", "is missing");
        return BR_ERR_DEF;
    }
    if (def->law.kind != BR_LAW_LUGRE && def->law.kind != BR_LAW_ELASTO_PLASTIC) {
        br_reason_set(why, "law.kind", "must be lugre or elasto-plastic, got %s",
                      br_law_name(def->law.kind));
        return BR_ERR_DEF;
    }
    return br_law_check(&def->law, why);
}

// Place of a cell on the lattice of its set.
typedef struct place {
    size_t column, row;
} place;

// The lattice that a set of cells lies on; columns = 0 if there is none.
typedef struct frame {
    double left, top; // centre of the first column, of the first row [m]
    size_t columns, rows;
} frame;

static frame find_frame(const br_cells* cells)
{
    frame f = {cells->x[0], cells->y[0], 0, 0};
    double right = cells->x[0], bottom = cells->y[0];
    for (size_t i = 0; i < cells->count; i++) {
        f.left = fmin(f.left, cells->x[i]);
        right = fmax(right, cells->x[i]);
        f.top = fmax(f.top, cells->y[i]);
        bottom = fmin(bottom, cells->y[i]);
    }
    if (cells->half_x > 0.0) {
        f.columns = (size_t)floor((right - f.left) / (2.0 * cells->half_x) + 1.5);
        f.rows =
            cells->half_y > 0.0 ? (size_t)floor((f.top - bottom) / (2.0 * cells->half_y) + 1.5) : 1;
    }
    return f;
}

static place place_of(const frame* f, const br_cells* cells, size_t i)
{
    const double column = (cells->x[i] - f->left) / (2.0 * cells->half_x);
    const double row = cells->half_y > 0.0 ? (f->top - cells->y[i]) / (2.0 * cells->half_y) : 0.0;
    return (place){(size_t)floor(column + 0.5), (size_t)floor(row + 0.5)};
}

static size_t round_up(size_t n)
{
    return (n + LANES - 1) / LANES * LANES;
}

// Where the cells of a set go: vector by vector.
typedef struct layout {
    size_t vectors;
    size_t* slot;     // of each cell: its place among the model's cells; NULL: only count
    uint32_t* column; // of each vector's first lane
    uint32_t* row;    // of each vector
} layout;

static void lay_cell(layout* out, size_t i, place here, place first, int begins)
{
    if (begins && out->slot) {
        out->column[out->vectors] = (uint32_t)here.column;
        out->row[out->vectors] = (uint32_t)here.row;
    }
    out->vectors += begins;
    if (out->slot) {
        out->slot[i] = (out->vectors - 1) * LANES + (here.column - first.column);
    }
}

// A new vector begins with a new row, or where the last one ends.
static void lay_out(const frame* f, const br_cells* cells, layout* out)
{
    place first = {0, 0};
    for (size_t i = 0; i < cells->count; i++) {
        const place here = place_of(f, cells, i);
        const int begins =
            out->vectors == 0 || here.row != first.row || here.column >= first.column + LANES;
        first = begins ? here : first;
        lay_cell(out, i, here, first, begins);
    }
}

// Cells without a lattice follow each other.
static void lay_out_list(const br_cells* cells, layout* out)
{
    for (size_t i = 0; out->slot && i < cells->count; i++) {
        out->slot[i] = i;
    }
    out->vectors = round_up(cells->count) / LANES;
}

static void lay_out_any(const frame* f, const br_cells* cells, layout* out)
{
    out->vectors = 0;
    if (f->columns > 0) {
        lay_out(f, cells, out);
    } else {
        lay_out_list(cells, out);
    }
}

static void take_moments(br_distributed* m)
{
    m->sums = (moments){0.0, 0.0, 0.0, 0.0};
    for (size_t i = 0; i < m->count; i++) {
        m->sums.one += m->weight[i];
        m->sums.x += m->weight[i] * m->x[i];
        m->sums.y += m->weight[i] * m->y[i];
        m->sums.square += m->weight[i] * (m->x[i] * m->x[i] + m->y[i] * m->y[i]);
    }
}

// Positions of all cells of the vectors, padding included, from the lattice.
static void fill_lattice(br_distributed* m, const frame* f, const br_cells* cells, br_vec2 cop)
{
    for (size_t i = 0; i < f->columns + LANES; i++) {
        m->column_x[i] = f->left + 2.0 * cells->half_x * (double)i - cop.x;
    }
    for (size_t i = 0; i < round_up(f->rows); i++) {
        m->row_y[i] = f->top - 2.0 * cells->half_y * (double)i - cop.y;
    }
    for (size_t i = 0; i < m->count; i++) {
        m->x[i] = m->column_x[m->column[i / LANES] + i % LANES];
        m->y[i] = m->row_y[m->row[i / LANES]];
    }
}

// The lattice of (21): that of the cells.
static lattice grid_of_cells(const frame* f, const br_cells* cells, br_vec2 cop)
{
    const br_vec2 half = {cells->half_x, cells->half_y};
    if (half.x <= 0.0 || half.y <= 0.0) {
        return (lattice){0}; // a line or points
    }
    const br_vec2 middle = {f->left + ((double)f->columns - 1.0) * half.x,
                            f->top - ((double)f->rows - 1.0) * half.y};
    return (lattice){f->columns, f->rows, br_vec2_scale(2.0, half), br_vec2_sub(middle, cop)};
}

// A pressure grid's own, empty cells included.
static lattice grid_of_patch(const br_patch_def* patch, br_vec2 cop)
{
    const br_vec2 cell = {patch->size_x / (double)patch->columns,
                          patch->size_y / (double)patch->rows};
    return (lattice){patch->columns, patch->rows, cell, {-cop.x, -cop.y}};
}

// Everything that depends on where the cells are and what they carry.
static void fill(br_distributed* m, const br_cells* cells, const size_t* slot)
{
    const frame f = find_frame(cells);
    m->value = br_cells_eval(cells);
    const br_vec2 cop = m->value.cop;
    m->value.cop = br_pose_apply(m->pose, cop);
    if (f.columns > 0) {
        fill_lattice(m, &f, cells, cop);
    }
    for (size_t i = 0; i < cells->count; i++) {
        m->x[slot[i]] = cells->x[i] - cop.x;
        m->y[slot[i]] = cells->y[i] - cop.y;
        m->weight[slot[i]] = cells->weight[i];
    }
    m->columns = f.columns;
    m->rows = f.rows;
    m->grid = grid_of_cells(&f, cells, cop);
    take_moments(m);
}

// All arrays of a model in one block.
static int allocate_arrays(br_distributed* m, const frame* f, size_t vectors)
{
    const size_t n = m->count = vectors * LANES;
    const size_t doubles = 3 * n + f->columns + LANES + round_up(f->rows);
    double* block = br_allocate(doubles + vectors, sizeof(double)); // + two uint32_t a vector
    if (!block) {
        return 0;
    }
    m->memory = block;
    m->x = block;
    m->y = m->x + n;
    m->weight = m->y + n;
    m->column_x = m->weight + n;
    m->row_y = m->column_x + f->columns + LANES;
    m->column = (uint32_t*)(block + doubles);
    m->row = m->column + vectors;
    return 1;
}

static br_status build(br_distributed* m, const br_patch_def* patch, const br_cells* cells,
                       br_reason* why)
{
    const frame f = find_frame(cells);
    layout plan = {0};
    lay_out_any(&f, cells, &plan);
    size_t* slot = br_allocate(cells->count, sizeof *slot);
    if (!slot || !allocate_arrays(m, &f, plan.vectors)) {
        br_release(slot);
        br_reason_set(why, "", "no memory for %zu cells", cells->count);
        return BR_ERR_MEMORY;
    }
    plan = (layout){0, slot, m->column, m->row};
    lay_out_any(&f, cells, &plan);
    fill(m, cells, slot);
    if (patch->shape == BR_SHAPE_GRID) {
        m->grid = grid_of_patch(patch, br_cells_eval(cells).cop);
    }
    if (m->growth) {
        m->slot = slot;
    } else {
        br_release(slot);
    }
    return BR_OK;
}

static br_status build_growing(br_distributed* m, const br_distributed_def* def, br_reason* why)
{
    const br_status status = growth_create(def->patch, def->fn, def->resolution, &m->growth, why);
    return status == BR_OK ? build(m, br_patch_get_def(def->patch), m->growth->cells, why) : status;
}

static br_status build_from(br_distributed* m, const br_distributed_def* def, br_reason* why)
{
    const br_patch_def* patch = br_patch_get_def(def->patch);
    m->law = def->law;
    m->pose = (br_pose){patch->centre.x, patch->centre.y, patch->angle};
    m->numbers = law_numbers_of(&def->law);
    m->axes = axes_of(patch->angle);
    if (br_patch_depends_on_force(def->patch)) {
        return build_growing(m, def, why);
    }
    br_cells* cells;
    br_status status = br_cells_create(def->patch, def->fn, def->resolution, &cells, why);
    if (status == BR_OK) {
        status = build(m, patch, cells, why);
        br_cells_destroy(cells);
    }
    return status;
}

br_status br_distributed_create(const br_distributed_def* def, br_distributed** out, br_reason* why)
{
    BR_ASSERT(def && out);
    *out = NULL;
    br_status status = check(def, why);
    if (status != BR_OK) {
        return status;
    }
    br_distributed* m = br_allocate(1, sizeof *m);
    if (!m) {
        br_reason_set(why, "", "no memory for a distributed model");
        return BR_ERR_MEMORY;
    }
    status = build_from(m, def, why);
    if (status != BR_OK) {
        br_distributed_destroy(m);
        return status;
    }
    const distributed_eval_fn fast = def->plain ? NULL : distributed_fast_path(m);
    m->eval = fast ? fast : distributed_eval_plain;
    const distributed_gradient_fn gradient = def->plain ? NULL : distributed_fast_gradient(m);
    m->gradient = gradient ? gradient : distributed_gradient_plain;
    m->pass = def->plain ? distributed_pass_plain : distributed_fast_pass(m);
    *out = m;
    return BR_OK;
}

void br_distributed_destroy(br_distributed* m)
{
    if (m) {
        growth_destroy(m->growth);
        br_release(m->slot);
        br_release(m->memory);
        br_release(m);
    }
}

int br_distributed_depends_on_force(const br_distributed* m)
{
    return m->growth != NULL;
}

void br_distributed_spread(br_distributed* m, double fn)
{
    BR_ASSERT(m);
    if (m->growth && growth_spread(m->growth, fn)) {
        fill(m, m->growth->cells, m->slot);
    }
}

size_t br_distributed_get_count(const br_distributed* m)
{
    return m->count;
}

br_distributed_cell br_distributed_get_cell(const br_distributed* m, size_t index)
{
    BR_ASSERT(index < m->count);
    return (br_distributed_cell){{m->x[index], m->y[index]}, m->weight[index]};
}

br_patch_value br_distributed_get_patch_value(const br_distributed* m)
{
    return m->value;
}

double br_distributed_get_angle(const br_distributed* m)
{
    return atan2(m->axes.sine, m->axes.cosine);
}

const br_law* br_distributed_get_law(const br_distributed* m)
{
    return &m->law;
}

br_wrench br_distributed_eval(const br_distributed* m, const double* z, br_twist v, double fn,
                              double* dz)
{
    BR_ASSERT(m && z && dz && z != dz);

    // into the patch's axes and back
    const br_twist turned = axes_enter(m->axes, v);
    const br_wrench f = m->eval(m, z, turned, fn, dz);
    return axes_leave(m->axes, f);
}
