/*
 * Nodes of a table by W&K's grid method, fast.
 *
 * W&K = Waltersson & Karayiannidis, sections IV-D and V-D; numbers in brackets are that paper's
 * equations. Same result as bri_grid_nodes_plain(), by three observations:
 *
 *   1. A rotation about a lattice corner moves a cell in a direction that depends on the offset from
 *      corner to cell only. So the wrenches of all corners are correlations of the pressure with
 *      one kernel (-dy/d, dx/d, d), and (21) needs no sum over cells.
 *   2. Where the CoR is outside the lattice the cells are summed, for many twists at a time.
*   3. A symmetric pressure gives a symmetric table, except for the truncation of the published
 *      code.
 *
 * The published code adds s = 1e-15 m/s to the speed |w| d of a cell that rotates about a corner.
 * To first order in s this subtracts s/(|w| d) times the kernel, so one more correlation, with the
 * kernel over d, accounts for it.
 */
#include "limit/cell_grid.h"

#include <string.h>

#include "limit/table.h"

enum {
    BATCH = 32 // twists summed at a time: their numbers fit the first-level cache
};

// Input and working memory for the nodes of a table.
typedef struct job {
    const cell_grid* grid;
    grid_rule rule;
    double small;            // added to speeds [m/s]
    double r, force, torque; // of the table
    double* kernel;          // by offset; 3 x (2 rows) x (2 columns)
    // fx, fy, tau of rotations about the corners; 3 x (rows+1) x (columns+1)
    double* corner;
    double* over_d; // the same for the kernel over d
} job;

static size_t kernel_length(const cell_grid* grid)
{
    return 4 * grid->rows * grid->columns;
}

static size_t corner_length(const cell_grid* grid)
{
    return (grid->rows + 1) * (grid->columns + 1);
}

size_t bri_cell_grid_room(size_t columns, size_t rows)
{
    const cell_grid grid = {.columns = columns, .rows = rows};
    return columns * rows + 3 * kernel_length(&grid) + 6 * corner_length(&grid);
}

// (-dy/d, dx/d, d), or that over d. Offset index a: (a + 1/2 - count) cells from cell to corner.
static void fill_kernel(const cell_grid* grid, int over_d, double* kernel)
{
    const size_t columns = 2 * grid->columns, rows = 2 * grid->rows, length = rows * columns;
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++) {
            // from the corner to the cell
            const double dx = -((double)j + 0.5 - (double)grid->columns) * grid->size.x;
            const double dy = -((double)i + 0.5 - (double)grid->rows) * grid->size.y;
            const double d = sqrt(dx * dx + dy * dy), scale = over_d ? d : 1.0;
            kernel[i * columns + j] = -dy / d / scale;
            kernel[length + i * columns + j] = dx / d / scale;
            kernel[2 * length + i * columns + j] = d / scale;
        }
    }
}

// row[j] -= w kernel[j]
static void subtract_scaled(double* restrict row, double w, const double* restrict kernel,
                            size_t count)
{
    for (size_t j = 0; j < count; j++) {
        row[j] -= w * kernel[j];
    }
}

// The same for four neighbouring cells in one pass: the next cell's kernel is shifted by one.
static void subtract_four(double* restrict row, const double* restrict w,
                          const double* restrict kernel, size_t count)
{
    const double *k1 = kernel - 1, *k2 = kernel - 2, *k3 = kernel - 3;
    for (size_t j = 0; j < count; j++) {
        row[j] -= w[0] * kernel[j] + w[1] * k1[j] + w[2] * k2[j] + w[3] * k3[j];
    }
}

// Add the contribution of a row of cells to a row of corners; `kernel` is that of the first cell.
static void add_row(const double* weight, size_t columns, const double* kernel, double* corner)
{
    size_t j = 0;
    for (; j + 4 <= columns; j += 4) {
        if (weight[j] + weight[j + 1] + weight[j + 2] + weight[j + 3] > 0.0) {
            subtract_four(corner, weight + j, kernel - j, columns + 1);
        }
    }
    for (; j < columns; j++) {
        subtract_scaled(corner, weight[j], kernel - j, columns + 1);
    }
}

// Force, and torque about the corner itself, of the rows of corners up to `last`.
static void correlate(const cell_grid* grid, const double* kernels, size_t last, double* corners)
{
    memset(corners, 0, 3 * corner_length(grid) * sizeof *corners);
    const size_t columns = grid->columns, rows = grid->rows;
    for (size_t part = 0; part < 3; part++) {
        const double* kernel = kernels + part * kernel_length(grid) + columns - 1;
        double* corner = corners + part * corner_length(grid);
        for (size_t i = 0; i <= last; i++) {
            for (size_t row = 0; row < rows; row++) { // corner i is i - row - 1/2 cells above it
                add_row(grid->weight + row * columns, columns,
                        kernel + (i + rows - 1 - row) * 2 * columns, corner + i * (columns + 1));
            }
        }
    }
}

// The rows of corners above the middle as mirror images of those below: fx changes sign.
static void mirror_corners(const cell_grid* grid, size_t last, double* corners)
{
    const size_t width = grid->columns + 1;
    for (size_t part = 0; part < 3; part++) {
        double* corner = corners + part * corner_length(grid);
        for (size_t i = last + 1; i <= grid->rows; i++) {
            for (size_t j = 0; j < width; j++) {
                const double image = corner[(grid->rows - i) * width + j];
                corner[i * width + j] = part == 0 ? -image : image;
            }
        }
    }
}

// Move the torques from the corners to the lattice's centre.
static void move_to_centre(const cell_grid* grid, double* corner)
{
    const size_t length = corner_length(grid), width = grid->columns + 1;
    for (size_t i = 0; i < length; i++) {
        const double x = ((double)(i % width) - 0.5 * (double)grid->columns) * grid->size.x;
        const double y = ((double)(i / width) - 0.5 * (double)grid->rows) * grid->size.y;
        corner[2 * length + i] += x * corner[length + i] - y * corner[i];
    }
}

static void sum_corners(const job* it, mirrors has, int over_d, double* corners)
{
    const cell_grid* grid = it->grid;
    const size_t last = has.y ? grid->rows / 2 : grid->rows;
    fill_kernel(grid, over_d, it->kernel);
    correlate(grid, it->kernel, last, corners);
    mirror_corners(grid, last, corners);
    move_to_centre(grid, corners);
}

// The interpolation (21) for w = 1 between corners; (x, y) in cells from the lattice's lower left.
static br_wrench between_corners(const cell_grid* grid, const double* corner, double x, double y)
{
    const size_t j = (size_t)fmin(x, (double)grid->columns - 1.0);
    const size_t i = (size_t)fmin(y, (double)grid->rows - 1.0);
    const size_t width = grid->columns + 1, at = i * width + j, length = corner_length(grid);
    const double dx = x - (double)j, dy = y - (double)i;
    double f[3];
    for (size_t part = 0; part < 3; part++) {
        const double* c = corner + part * length + at;
        f[part] = (1.0 - dx) * (1.0 - dy) * c[0] + (1.0 - dx) * dy * c[width] +
                  dx * (1.0 - dy) * c[1] + dx * dy * c[width + 1];
    }
    return (br_wrench){f[0], f[1], f[2]};
}

// The same for spin w, with the speed that the published code adds.
static br_wrench interpolated(const job* it, double w, double x, double y)
{
    br_wrench f = between_corners(it->grid, it->corner, x, y);
    if (it->small > 0.0) {
        const br_wrench less = between_corners(it->grid, it->over_d, x, y);
        const double share = it->small / fabs(w);
        f.fx -= share * less.fx;
        f.fy -= share * less.fy;
        f.tau -= share * less.tau;
    }
    return f;
}

// Twists at the lattice's centre that wait to be summed, and their wrenches.
typedef struct batch {
    size_t count;
    double vx[BATCH], vy[BATCH], w[BATCH];
    double fx[BATCH], fy[BATCH], tau[BATCH];
    double* node[BATCH];
} batch;

static void add_to_batch(batch* b, br_twist v, double* node)
{
    b->vx[b->count] = v.vx;
    b->vy[b->count] = v.vy;
    b->w[b->count] = v.w;
    b->node[b->count++] = node;
}

// Coulomb friction of one cell for every twist, (19) and (20). Always all BATCH twists, so that the
// compiler knows the length.
static void sum_cell(batch* restrict b, double x, double y, double weight, double small)
{
    for (size_t k = 0; k < BATCH; k++) {
        const double vx = b->vx[k] - b->w[k] * y, vy = b->vy[k] + b->w[k] * x;
        const double p = weight / (sqrt(vx * vx + vy * vy) + small);
        b->fx[k] -= p * vx;
        b->fy[k] -= p * vy;
        b->tau[k] -= p * (x * vy - y * vx);
    }
}

// h at a node from a wrench at the lattice's centre, axes of the patch frame.
static void store(const job* it, br_wrench f, double* node)
{
    const cell_grid* grid = it->grid;
    const br_vec2 ft = grid_from_patch(grid, f.fx, f.fy);
    node[0] = ft.x / it->force;
    node[1] = ft.y / it->force;
    node[2] = (f.tau - (grid->cop.x * f.fy - grid->cop.y * f.fx)) / it->torque; //             (29)
}

static void finish_batch(const job* it, batch* b)
{
    const cell_grid* grid = it->grid;
    for (size_t k = b->count; k < BATCH; k++) { // fill up with a harmless twist
        b->vx[k] = 1.0;
        b->vy[k] = b->w[k] = 0.0;
    }
    memset(b->fx, 0, sizeof b->fx);
    memset(b->fy, 0, sizeof b->fy);
    memset(b->tau, 0, sizeof b->tau);
    for (size_t i = 0; i < grid->rows; i++) {
        for (size_t j = 0; j < grid->columns; j++) {
            const double weight = grid->weight[i * grid->columns + j];
            if (weight > 0.0) {
                sum_cell(b, grid_x(grid, j), grid_y(grid, i), weight, it->small);
            }
        }
    }
    for (size_t k = 0; k < b->count; k++) {
        store(it, (br_wrench){b->fx[k], b->fy[k], b->tau[k]}, b->node[k]);
    }
    b->count = 0;
}

// Does a rule interpolate a twist whose CoR is at (x, y)? As in corners.c.
static int is_within(const job* it, double w, double x, double y)
{
    const double columns = (double)it->grid->columns, rows = (double)it->grid->rows;
    if (it->rule == GRID_PUBLISHED) {
        return fabs(w) > CORNERS_PUBLISHED_SPIN && x > -1.0 && x < columns && y > -1.0 && y < rows;
    }
    return x >= 0.0 && x <= columns && y >= 0.0 && y <= rows;
}

// One node: interpolated at once if the CoR is within the lattice, else added to the batch.
static void fill_node(const job* it, br_twist v, batch* b, double* node)
{
    const cell_grid* grid = it->grid;
    const br_vec2 vt = grid_to_patch(grid, v.vx, v.vy);
    const br_twist centre = {vt.x + v.w * grid->cop.y, vt.y - v.w * grid->cop.x, v.w};
    const double x = -centre.vy / v.w / grid->size.x + 0.5 * (double)grid->columns;
    const double y = centre.vx / v.w / grid->size.y + 0.5 * (double)grid->rows;
    if (is_within(it, v.w, x, y)) {
        store(it, interpolated(it, v.w, x, y), node);
        return;
    }
    if (b->count == BATCH) {
        finish_batch(it, b);
    }
    add_to_batch(b, centre, node);
}

// Pure sliding, phi = pi/2: all cells have the same velocity.
static void slide_node(const job* it, size_t n, size_t i_theta, double* node)
{
    const double theta = (double)i_theta * BR_PI / (2.0 * (double)n);
    node[0] = -cos(theta) / it->force;
    node[1] = -sin(theta) / it->force;
    node[2] = 0.0;
}

static void fill_nodes(const job* it, mirrors has, size_t n, double* h)
{
    const table_columns some = table_columns_of(has, n);
    batch b = {.count = 0};
    for (size_t i_theta = some.first; i_theta <= some.last; i_theta++) {
        for (size_t i_phi = 0; i_phi < n + (it->rule == GRID_PUBLISHED); i_phi++) {
            fill_node(it, table_twist(it->r, n, i_theta, i_phi), &b,
                      table_node(h, n, i_theta, i_phi));
        }
        if (it->rule == GRID_RIGHT) {
            slide_node(it, n, i_theta, table_node(h, n, i_theta, n));
        }
    }
    finish_batch(it, &b);
    bri_table_mirror(has, n, h);
}

// Is the neglected second order term, (small/(|w| d))^2, below rounding at every node?
static int is_small(const job* it, size_t n)
{
    const double min_spin = cos((double)(n - 1) * BR_PI / (2.0 * (double)n));
    const double min_d = 0.5 * hypot(it->grid->size.x, it->grid->size.y);
    return it->small <= 1e-8 * min_spin * min_d;
}

void bri_grid_nodes(const cell_grid* grid, grid_rule rule, double r, double force, double torque,
                    size_t n, double* h)
{
    job it = {.grid = grid, .rule = rule, .small = grid_small_speed(rule), .r = r};
    it.force = force;
    it.torque = torque;
    it.kernel = grid->scratch;
    it.corner = it.kernel + 3 * kernel_length(grid);
    it.over_d = it.corner + 3 * corner_length(grid);
    if (!(torque > 0.0) || !is_small(&it, n)) { // a tiny patch
        bri_grid_nodes_plain(grid, rule, r, force, torque, n, h);
        return;
    }
    const mirrors of_cells = bri_mirrors_of_cells(grid->weight, grid->columns, grid->rows),
                  none = {0, 0};
    const int upright = grid->axis.y == 0.0; // the table's symmetries are about the axes
    sum_corners(&it, of_cells, 0, it.corner);
    if (it.small > 0.0) {
        sum_corners(&it, of_cells, 1, it.over_d);
    }
    fill_nodes(&it, upright && rule == GRID_RIGHT ? of_cells : none, n, h);
}
