/*
 * Patches cut into cells: the cells' centres and their shares of the normal force.
 *
 * W&K = Waltersson & Karayiannidis; numbers in brackets are that paper's equations.
 *
 * Shapes with an area get a lattice over their box, and each cell the force on its covered part
 * (cells_disc.c, cells_polygon.c). A line and a grid are lattices too; a ring and points are lists.
 */
#include "bristle/patch.h"

#include "patch/cells_internal.h"
#include "patch/mesh.h"
#include "patch/power_law.h"

enum { MAX_RESOLUTION = 4096 };

// A cell with less than this share of the mean force is rounding error or practically empty.
static const double empty_share = 1e-10;

// Cells this many cell sizes away from rim and centre see a smooth power law. There four Gauss
// points in each direction (nearer cells: twenty per side) keep the error of a cell's force below
// 1e-10 of the mean force of a cell, for any k >= 0.2.
static const double smooth_distance = 6.0;

// Below this exponent a power law's r is less than 1e-14 of the radius: a point.
static const double point_k = 0.01;

br_status bri_cells_no_memory(br_reason* why)
{
    br_reason_set(why, "", "no memory for the cells");
    return BR_ERR_MEMORY;
}

// The arrays of cells under construction.
typedef struct cell_arrays {
    double *x, *y, *weight;
    uint32_t *column, *row; // of cells on a lattice
} cell_arrays;

// Cells without a lattice, and their arrays, which are one block that starts at x. NULL: no memory.
static br_cells* allocate_cells(size_t count, cell_arrays* to)
{
    br_cells* cells = br_allocate(1, sizeof *cells);
    double* block = cells ? br_allocate(count, 3 * sizeof *block + 2 * sizeof *to->row) : NULL;
    if (!block) {
        br_release(cells);
        return NULL;
    }
    *to = (cell_arrays){.x = block, .y = block + count, .weight = block + 2 * count};
    to->column = (uint32_t*)(block + 3 * count);
    to->row = to->column + count;
    *cells = (br_cells){.count = count, .x = to->x, .y = to->y, .weight = to->weight};
    return cells;
}

// Sum in four parts, which do not wait for each other.
static double sum_of(const double* x, size_t count)
{
    double part[4] = {0.0, 0.0, 0.0, 0.0};
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        for (size_t k = 0; k < 4; k++) {
            part[k] += x[i + k];
        }
    }
    for (; i < count; i++) {
        part[0] += x[i];
    }
    return (part[0] + part[1]) + (part[2] + part[3]);
}

static void normalise(double* weight, size_t count)
{
    const double sum = sum_of(weight, count);
    for (size_t i = 0; i < count; i++) {
        weight[i] /= sum;
    }
}

// The cells of a lattice with a share above `min_share`, and the range of its lines they are on.
typedef struct filled {
    size_t count;
    size_t left, right, top, bottom; // first and last column, first and last row
} filled;

// Masses count from `least` on, in the direction of `sign`: all are negative for a clockwise polygon.
typedef struct enough {
    double sign, least;
} enough;

static int is_filled(enough e, double mass)
{
    return e.sign * mass > e.least;
}

static filled find_filled(const lattice* grid, const double* mass, enough e)
{
    filled f = {.left = grid->columns, .top = grid->rows};
    for (size_t row = 0; row < grid->rows; row++, mass += grid->columns) {
        const size_t before = f.count;
        for (size_t column = 0; column < grid->columns; column++) {
            if (is_filled(e, mass[column])) {
                f.count++;
                f.left = column < f.left ? column : f.left;
                f.right = column > f.right ? column : f.right;
            }
        }
        if (f.count > before) {
            f.top = row < f.top ? row : f.top;
            f.bottom = row;
        }
    }
    return f;
}

// Store the lattice in the cells, without the lines that are empty; a point has none.
static void set_lattice(br_cells* cells, const lattice* grid, const filled* f,
                        const cell_arrays* arrays)
{
    cells->half_x = grid->half.x;
    cells->half_y = grid->half.y;
    if (grid->half.x > 0.0) {
        cells->columns = f->right - f->left + 1;
        cells->rows = f->bottom - f->top + 1;
        cells->corner = (br_vec2){grid->centre.x + lattice_x(grid, f->left),
                                  grid->centre.y + lattice_y(grid, f->top)};
        cells->column = arrays->column;
        cells->row = arrays->row;
    }
}

// Fill in the cells that are filled.
static void fill_cells(const lattice* of, const double* mass, enough e, filled f, cell_arrays to)
{
    const lattice grid = *of; // a copy: the arrays do not change it
    size_t n = 0;
    for (size_t row = 0; row < grid.rows; row++, mass += grid.columns) {
        const double y = grid.centre.y + lattice_y(&grid, row);
        for (size_t column = 0; column < grid.columns; column++) {
            if (is_filled(e, mass[column])) {
                to.x[n] = grid.centre.x + lattice_x(&grid, column);
                to.y[n] = y;
                to.column[n] = (uint32_t)(column - f.left);
                to.row[n] = (uint32_t)(row - f.top);
                to.weight[n++] = mass[column];
            }
        }
    }
    normalise(to.weight, n);
}

// The cells of a lattice whose share of the force is above `min_share`.
static br_status collect(const lattice* grid, const double* mass, double min_share, br_cells** out,
                         br_reason* why)
{
    const double total = sum_of(mass, grid->columns * grid->rows);
    if (total == 0.0) { // exact: nothing was added
        br_reason_set(why, "resolution", "must be larger: no cell's centre is within the patch");
        return BR_ERR_ARG;
    }
    const enough e = {copysign(1.0, total), min_share * fabs(total)};
    const filled f = find_filled(grid, mass, e);
    cell_arrays to;
    br_cells* cells = allocate_cells(f.count, &to);
    if (!cells) {
        return bri_cells_no_memory(why);
    }
    set_lattice(cells, grid, &f, &to);
    fill_cells(grid, mass, e, f, to);
    *out = cells;
    return BR_OK;
}

// Collect the cells of a lattice except for rounding error, and free its masses.
static br_status collect_and_free(const lattice* grid, double* mass, br_cells** out, br_reason* why)
{
    const double mean = 1.0 / ((double)grid->columns * (double)grid->rows);
    const br_status status = collect(grid, mass, empty_share * mean, out, why);
    br_release(mass);
    return status;
}

// Number of cells of about this size that cover an extent. The small number absorbs rounding.
static size_t cells_along(double extent, double step)
{
    const double number = ceil(extent / step - 1e-9);
    return number > 1.0 ? (size_t)number : 1;
}

lattice bri_cells_lattice(patch_box box, size_t resolution)
{
    const double step = fmax(box.half.x, box.half.y) / (double)resolution;
    lattice grid = {box.centre, box.half, cells_along(box.half.x, step),
                    cells_along(box.half.y, step)};
    grid.half.x /= (double)grid.columns;
    grid.half.y /= (double)grid.rows;
    return grid;
}

// A single cell: a shape that has shrunk to its centre.
static br_status point_cells(br_cells** out, br_reason* why)
{
    const lattice one = {{0.0, 0.0}, {0.0, 0.0}, 1, 1};
    const double mass = 1.0;
    return collect(&one, &mass, 0.0, out, why);
}

int bri_disc_pressure_at(const br_patch_def* def, double fn, disc_pressure* out)
{
    *out = (disc_pressure){.by_centre = def->sampling == BR_SAMPLING_CENTRE,
                           .is_power = def->pressure == BR_PRESSURE_POWER,
                           .g = bri_round_slope(def),
                           .away = smooth_distance,
                           .few = HUGE_VAL};
    if (out->is_power) {
        out->k = br_by_force_eval(def->k, fn);
        out->norm = bri_power_law_norm(out->k);
    }
    return !out->is_power || !(out->k < point_k);
}

static br_status disc_cells(const br_patch_def* def, double fn, double radius, size_t resolution,
                            br_cells** out, br_reason* why)
{
    disc_pressure p;
    if (!bri_disc_pressure_at(def, fn, &p)) {
        return point_cells(out, why);
    }
    // the masses are those of the unit disc, which is stretched to the ellipse afterwards
    lattice grid = bri_cells_lattice((patch_box){{0.0, 0.0}, {1.0, def->ratio}}, resolution);
    grid.half.y = 1.0 / (double)grid.rows;
    double* mass = br_allocate(grid.columns * grid.rows, sizeof *mass);
    if (!mass) {
        return bri_cells_no_memory(why);
    }
    bri_disc_masses(&grid, p, mass);
    grid.half = br_vec2_scale(radius, (br_vec2){grid.half.x, def->ratio * grid.half.y});
    return collect_and_free(&grid, mass, out, why);
}

static br_status polygon_cells(const br_patch_def* def, const br_vec2* vertices, size_t count,
                               size_t resolution, br_cells** out, br_reason* why)
{
    const lattice grid = bri_cells_lattice(bri_patch_box_of(vertices, count), resolution);
    double* mass = br_allocate(grid.columns * grid.rows, sizeof *mass);
    if (!mass) {
        return bri_cells_no_memory(why);
    }
    const double g = bri_pressure_gradient(def);
    if (def->sampling == BR_SAMPLING_CENTRE) {
        bri_polygon_samples(&grid, vertices, count, g, mass);
    } else {
        bri_polygon_masses(&grid, vertices, count, g, mass);
    }
    return collect_and_free(&grid, mass, out, why);
}

static br_status rectangle_cells(const br_patch_def* def, size_t resolution, br_cells** out,
                                 br_reason* why)
{
    br_vec2 corners[4];
    bri_rectangle_corners(def->size_x, def->size_y, corners);
    return polygon_cells(def, corners, 4, resolution, out, why);
}

// Equal segments; the mean of a linear pressure is its value at the segment's middle.
static br_status line_cells(const br_patch_def* def, size_t resolution, br_cells** out,
                            br_reason* why)
{
    const double half = 0.5 * def->length / (double)resolution;
    const lattice grid = {{0.0, 0.0}, {half, 0.0}, resolution, 1};
    double* mass = br_allocate(resolution, sizeof *mass);
    if (!mass) {
        return bri_cells_no_memory(why);
    }
    const double g = bri_pressure_gradient(def);
    for (size_t i = 0; i < resolution; i++) {
        mass[i] = 1.0 + g * lattice_x(&grid, i) / (0.5 * def->length);
    }
    return collect_and_free(&grid, mass, out, why);
}

// Angle of a ring's first point: symmetric about the slope, and no point where a linear pressure is 0.
static double ring_start(size_t count, br_vec2 g)
{
    const double to = g.y == 0.0 ? (g.x < 0.0 ? BR_PI : 0.0) : atan2(g.y, g.x); // 0: along x
    return to + (count % 2 == 0 ? BR_PI / (double)count : 0.0);
}

// Points at equal angles with the pressure there: sums over them are exact for the CoP and u.
static br_status ring_cells(const br_patch_def* def, double radius, size_t resolution,
                            br_cells** out, br_reason* why)
{
    const size_t around = (size_t)floor(BR_PI * (double)resolution + 0.5); // at least 3
    cell_arrays to;
    br_cells* cells = allocate_cells(around, &to);
    if (!cells) {
        return bri_cells_no_memory(why);
    }
    const br_vec2 g = bri_round_slope(def);
    const double start = ring_start(around, g);
    for (size_t i = 0; i < around; i++) {
        const double angle = start + 2.0 * BR_PI * (double)i / (double)around;
        to.x[i] = radius * cos(angle);
        to.y[i] = radius * def->ratio * sin(angle);
        to.weight[i] = 1.0 + g.x * cos(angle) + g.y * sin(angle);
    }
    normalise(to.weight, around);
    *out = cells;
    return BR_OK;
}

static br_status points_cells(const br_patch_def* def, br_cells** out, br_reason* why)
{
    cell_arrays to;
    br_cells* cells = allocate_cells(def->count, &to);
    if (!cells) {
        return bri_cells_no_memory(why);
    }
    for (size_t i = 0; i < def->count; i++) {
        to.x[i] = def->points[i].x;
        to.y[i] = def->points[i].y;
        to.weight[i] = def->points[i].weight;
    }
    normalise(to.weight, def->count);
    *out = cells;
    return BR_OK;
}

// Cells that carry nothing are kept, so that each triangle has its own whatever its pressure.
void bri_mesh_weights(double* weight, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        sum += weight[i];
    }
    for (size_t i = 0; i < count; i++) {
        weight[i] = weight[i] == 0.0 ? BR_CELLS_IDLE : weight[i] / sum;
    }
}

static br_status mesh_cells(const br_patch_def* def, size_t resolution, br_cells** out,
                            br_reason* why)
{
    uint32_t* parts = br_allocate(def->triangle_count, sizeof *parts);
    cell_arrays to;
    br_cells* cells = parts ? allocate_cells(bri_mesh_divide(def, resolution, parts), &to) : NULL;
    if (cells) {
        bri_mesh_cells(def, parts, def->vertices, def->pressures, to.x, to.y, to.weight);
        bri_mesh_weights(to.weight, cells->count);
    }
    br_release(parts);
    *out = cells;
    return cells ? BR_OK : bri_cells_no_memory(why);
}

static br_status grid_cells(const br_patch_def* def, br_cells** out, br_reason* why)
{
    const lattice grid = {{0.0, 0.0}, bri_grid_half(def), def->columns, def->rows};
    return collect(&grid, def->cells, 0.0, out, why);
}

static br_status round_cells(const br_patch_def* def, double fn, size_t resolution, br_cells** out,
                             br_reason* why)
{
    const double radius = patch_radius(def, fn);
    const int by_radius = def->radius.exponent > 0.0;
    const int by_k = def->pressure == BR_PRESSURE_POWER && def->k.exponent > 0.0;
    const int is_endless = by_radius && isinf(def->radius.max);
    if (def->shape != BR_SHAPE_RING && (by_radius || by_k) && !is_endless) {
        return bri_growing_disc_cells(def, fn, resolution, out, why);
    }
    if (!isfinite(radius)) {
        br_reason_set(why, "fn", "must leave the radius finite, got fn = %g", fn);
        return BR_ERR_ARG;
    }
    if (!(radius > 0.0)) {
        return point_cells(out, why);
    }
    if (def->shape == BR_SHAPE_RING) {
        return ring_cells(def, radius, resolution, out, why);
    }
    return disc_cells(def, fn, radius, resolution, out, why);
}

br_status bri_cells_of(const br_patch_def* def, double fn, size_t resolution, br_cells** out,
                       br_reason* why)
{
    switch (def->shape) {
    case BR_SHAPE_DISC:
    case BR_SHAPE_RING:
    case BR_SHAPE_ELLIPSE:
        return round_cells(def, fn, resolution, out, why);
    case BR_SHAPE_RECTANGLE:
        return rectangle_cells(def, resolution, out, why);
    case BR_SHAPE_LINE:
        return line_cells(def, resolution, out, why);
    case BR_SHAPE_POLYGON:
        return polygon_cells(def, def->vertices, def->count, resolution, out, why);
    case BR_SHAPE_POINTS:
        return points_cells(def, out, why);
    case BR_SHAPE_TRIANGLES:
        return mesh_cells(def, resolution, out, why);
    case BR_SHAPE_GRID:
        break;
    }
    return grid_cells(def, out, why);
}

br_status bri_cells_check(double fn, size_t resolution, br_reason* why)
{
    if (!(isfinite(fn) && fn >= 0.0)) {
        br_reason_set(why, "fn", "must be >= 0 and finite, got %g", fn);
        return BR_ERR_ARG;
    }
    if (resolution < 1 || resolution > MAX_RESOLUTION) {
        br_reason_set(why, "resolution", "must be 1 to %d, got %zu", MAX_RESOLUTION, resolution);
        return BR_ERR_ARG;
    }
    return BR_OK;
}

br_status br_cells_create(const br_patch* patch, double fn, size_t resolution, br_cells** out,
                          br_reason* why)
{
    BR_ASSERT(patch && out);
    *out = NULL;
    const br_status status = bri_cells_check(fn, resolution, why);
    return status == BR_OK ? bri_cells_of(&patch->def, fn, resolution, out, why) : status;
}

void br_cells_destroy(br_cells* cells)
{
    if (cells) {
        br_release((void*)cells->x); // the block that holds all arrays
        br_release(cells);
    }
}

// |rho|; by its square where that neither overflows nor loses digits
static double length_of(double x, double y)
{
    const double square = x * x + y * y;
    return square > 1e-290 && square < 1e290 ? sqrt(square) : hypot(x, y);
}

enum { PARTS = 4 }; // of sums, which do not wait for each other

// sum w x, sum w y
static br_vec2 centre_of(const br_cells* c)
{
    double x[PARTS] = {0.0}, y[PARTS] = {0.0};
    size_t i = 0;
    for (; i + PARTS <= c->count; i += PARTS) {
        for (size_t k = 0; k < PARTS; k++) {
            x[k] += c->weight[i + k] * c->x[i + k];
            y[k] += c->weight[i + k] * c->y[i + k];
        }
    }
    for (; i < c->count; i++) {
        x[0] += c->weight[i] * c->x[i];
        y[0] += c->weight[i] * c->y[i];
    }
    return (br_vec2){sum_of(x, PARTS), sum_of(y, PARTS)};
}

// r and u about the CoP, of `count` <= PARTS cells from i on, each to its own part of the sums
static void add_arms(const br_cells* c, br_vec2 cop, size_t i, size_t count, double* r, double* u)
{
    for (size_t k = 0; k < count; k++) {
        const double w = c->weight[i + k],
                     rho = length_of(c->x[i + k] - cop.x, c->y[i + k] - cop.y);
        r[k] += w * rho;       // r = sum w |rho|                                               (23)
        u[k] += w * rho * rho; // u = sum w |rho|^2                                             (27)
    }
}

br_patch_value br_cells_eval(const br_cells* cells)
{
    BR_ASSERT(cells);
    const br_vec2 cop = centre_of(cells);
    double r[PARTS] = {0.0}, u[PARTS] = {0.0};
    const size_t whole = cells->count / PARTS * PARTS;
    for (size_t i = 0; i < whole; i += PARTS) {
        add_arms(cells, cop, i, PARTS, r, u);
    }
    add_arms(cells, cop, whole, cells->count - whole, r, u);
    return (br_patch_value){.cop = cop, .r = sum_of(r, PARTS), .u = sum_of(u, PARTS)};
}
