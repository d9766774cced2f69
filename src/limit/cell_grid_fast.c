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
 *   3. A pressure that is its own mirror image gives a table that is.
 */
#include "limit/cell_grid.h"

#include <string.h>

#include "limit/table.h"

enum {
    BATCH = 32 // twists summed at a time: their numbers stay in the first-level cache
};

// Which mirror images of the pressure are the pressure itself.
typedef struct mirrors {
    int x; // about the y axis: x -> -x
    int y; // about the x axis: y -> -y
} mirrors;

static mirrors find_mirrors(const cell_grid* grid)
{
    const size_t columns = grid->columns, rows = grid->rows;
    mirrors found = {1, 1};
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++) {
            const double w = grid->weight[i * columns + j];
            found.x = found.x && w == grid->weight[i * columns + columns - 1 - j];
            found.y = found.y && w == grid->weight[(rows - 1 - i) * columns + j];
        }
    }
    return found;
}

// Scratch memory, one block.
typedef struct scratch {
    double* memory;
    double* kernel; // -dy/d, dx/d, d by offset; 3 x (2 rows) x (2 columns)
    // fx, fy, tau about the corner, then about the centre; 3 x (rows+1) x (columns+1)
    double* corner;
} scratch;

static size_t kernel_length(const cell_grid* grid)
{
    return 4 * grid->rows * grid->columns;
}

static size_t corner_length(const cell_grid* grid)
{
    return (grid->rows + 1) * (grid->columns + 1);
}

static br_status allocate_scratch(const cell_grid* grid, scratch* out)
{
    out->memory = br_allocate(3 * kernel_length(grid) + 3 * corner_length(grid), sizeof(double));
    if (!out->memory) {
        return BR_ERR_MEMORY;
    }
    out->kernel = out->memory;
    out->corner = out->memory + 3 * kernel_length(grid);
    return BR_OK;
}

// Offset index a stands for (a + 1/2 - count) cells from cell to corner.
static void fill_kernel(const cell_grid* grid, double* kernel)
{
    const size_t columns = 2 * grid->columns, rows = 2 * grid->rows, length = rows * columns;
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++) {
            // from the corner to the cell
            const double dx = -((double)j + 0.5 - (double)grid->columns) * grid->size.x;
            const double dy = -((double)i + 0.5 - (double)grid->rows) * grid->size.y;
            const double d = sqrt(dx * dx + dy * dy);
            kernel[i * columns + j] = -dy / d;
            kernel[length + i * columns + j] = dx / d;
            kernel[2 * length + i * columns + j] = d;
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

// The same for four cells side by side, in one pass: the next cell's kernel is one place back.
static void subtract_four(double* restrict row, const double* restrict w,
                          const double* restrict kernel, size_t count)
{
    const double *k1 = kernel - 1, *k2 = kernel - 2, *k3 = kernel - 3;
    for (size_t j = 0; j < count; j++) {
        row[j] -= w[0] * kernel[j] + w[1] * k1[j] + w[2] * k2[j] + w[3] * k3[j];
    }
}

// What a row of cells does to a row of corners; `kernel` is that of the first cell.
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

// Force and torque about themselves of the rows of corners up to `last`.
static void correlate(const cell_grid* grid, const scratch* s, size_t last)
{
    const size_t columns = grid->columns, rows = grid->rows;
    for (size_t part = 0; part < 3; part++) {
        const double* kernel = s->kernel + part * kernel_length(grid) + columns - 1;
        double* corner = s->corner + part * corner_length(grid);
        for (size_t i = 0; i <= last; i++) {
            for (size_t row = 0; row < rows; row++) { // corner i is i - row - 1/2 cells above it
                add_row(grid->weight + row * columns, columns,
                        kernel + (i + rows - 1 - row) * 2 * columns, corner + i * (columns + 1));
            }
        }
    }
}

// The rows of corners above the middle as mirror images of those below: fx changes sign.
static void mirror_corners(const cell_grid* grid, const scratch* s, size_t last)
{
    const size_t width = grid->columns + 1;
    for (size_t part = 0; part < 3; part++) {
        double* corner = s->corner + part * corner_length(grid);
        for (size_t i = last + 1; i <= grid->rows; i++) {
            for (size_t j = 0; j < width; j++) {
                const double image = corner[(grid->rows - i) * width + j];
                corner[i * width + j] = part == 0 ? -image : image;
            }
        }
    }
}

// Torques about the corners, moved to the lattice's centre.
static void move_to_centre(const cell_grid* grid, double* corner)
{
    const size_t length = corner_length(grid), width = grid->columns + 1;
    for (size_t i = 0; i < length; i++) {
        const double x = ((double)(i % width) - 0.5 * (double)grid->columns) * grid->size.x;
        const double y = ((double)(i / width) - 0.5 * (double)grid->rows) * grid->size.y;
        corner[2 * length + i] += x * corner[length + i] - y * corner[i];
    }
}

static void sum_corners(const cell_grid* grid, const scratch* s, mirrors has)
{
    const size_t last = has.y ? grid->rows / 2 : grid->rows;
    fill_kernel(grid, s->kernel);
    correlate(grid, s, last);
    mirror_corners(grid, s, last);
    move_to_centre(grid, s->corner);
}

// The interpolation (21) of w = 1 between corners, (x, y) in cells from the lattice's lower left.
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

// Twists at the lattice's centre and their wrenches, waiting to be summed.
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

// Coulomb friction of one cell under every twist, (19) and (20); all BATCH, so that the compiler
// knows the length.
static void sum_cell(batch* restrict b, double x, double y, double weight)
{
    for (size_t k = 0; k < BATCH; k++) {
        const double vx = b->vx[k] - b->w[k] * y, vy = b->vy[k] + b->w[k] * x;
        const double p = weight / sqrt(vx * vx + vy * vy);
        b->fx[k] -= p * vx;
        b->fy[k] -= p * vy;
        b->tau[k] -= p * (x * vy - y * vx);
    }
}

// h at a node from a wrench at the lattice's centre, axes of the patch frame.
static void store(const cell_grid* grid, double r, br_wrench f, double* node)
{
    const br_vec2 ft = grid_from_patch(grid, f.fx, f.fy);
    node[0] = ft.x;
    node[1] = ft.y;
    node[2] = (f.tau - (grid->cop.x * f.fy - grid->cop.y * f.fx)) / r; //                      (29)
}

static void finish_batch(const cell_grid* grid, double r, batch* b)
{
    for (size_t k = b->count; k < BATCH; k++) { // fill up with a twist that does no harm
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
                sum_cell(b, grid_x(grid, j), grid_y(grid, i), weight);
            }
        }
    }
    for (size_t k = 0; k < b->count; k++) {
        store(grid, r, (br_wrench){b->fx[k], b->fy[k], b->tau[k]}, b->node[k]);
    }
    b->count = 0;
}

// One node: interpolated at once if the CoR is within the lattice, else put into the batch.
static void fill_node(const cell_grid* grid, const scratch* s, double r, br_twist v, batch* b,
                      double* node)
{
    const br_vec2 vt = grid_to_patch(grid, v.vx, v.vy);
    const br_twist centre = {vt.x + v.w * grid->cop.y, vt.y - v.w * grid->cop.x, v.w};
    const double x = -centre.vy / v.w / grid->size.x + 0.5 * (double)grid->columns;
    const double y = centre.vx / v.w / grid->size.y + 0.5 * (double)grid->rows;
    if (x >= 0.0 && x <= (double)grid->columns && y >= 0.0 && y <= (double)grid->rows) {
        store(grid, r, between_corners(grid, s->corner, x, y), node);
        return;
    }
    if (b->count == BATCH) {
        finish_batch(grid, r, b);
    }
    add_to_batch(b, centre, node);
}

// A column of nodes from its mirror image.
static void mirror_column(double* h, size_t n, size_t from, size_t to, double sign_x, double sign_y)
{
    for (size_t i_phi = 0; i_phi <= n; i_phi++) {
        const double* a = table_node(h, n, from, i_phi);
        double* b = table_node(h, n, to, i_phi);
        b[0] = sign_x * a[0];
        b[1] = sign_y * a[1];
        b[2] = a[2];
    }
}

// The columns that were not computed. A mirror image of the twist with w kept is theta -> -theta
// for the mirror x -> -x (v -> -v included), and theta -> pi - theta for y -> -y.
static void fill_mirrored(mirrors has, size_t n, double* h)
{
    for (size_t i = 0; has.x && has.y && i < n; i++) {
        mirror_column(h, n, i, 2 * n - i, -1.0, 1.0);
    }
    for (size_t i = 0; has.x && i < 2 * n; i++) {
        mirror_column(h, n, i, 4 * n - i, 1.0, -1.0);
    }
    for (size_t i = 0; has.y && !has.x && i < 2 * n; i++) { // computed: n to 3 n
        const size_t from = i < n ? 2 * n - i : i + n + 1;
        mirror_column(h, n, from, from <= 2 * n ? 2 * n - from : 6 * n - from, -1.0, 1.0);
    }
}

static void fill_nodes(const cell_grid* grid, const scratch* s, mirrors has, double r, size_t n,
                       double* h)
{
    const size_t first = has.y && !has.x ? n : 0;
    const size_t last = has.x && has.y ? n : has.x ? 2 * n : has.y ? 3 * n : 4 * n - 1;
    batch b = {.count = 0};
    for (size_t i_theta = first; i_theta <= last; i_theta++) {
        for (size_t i_phi = 0; i_phi < n; i_phi++) {
            fill_node(grid, s, r, table_twist(r, n, i_theta, i_phi), &b,
                      table_node(h, n, i_theta, i_phi));
        }
        // pure sliding, phi = pi/2: all cells move alike
        const double theta = (double)i_theta * BR_PI / (2.0 * (double)n);
        double* node = table_node(h, n, i_theta, n);
        node[0] = -cos(theta);
        node[1] = -sin(theta);
        node[2] = 0.0;
    }
    finish_batch(grid, r, &b);
    fill_mirrored(has, n, h);
    mirror_column(h, n, 0, 4 * n, 1.0, 1.0);
}

br_status bri_grid_nodes(const cell_grid* grid, double r, size_t n, double* h)
{
    scratch s;
    const br_status status = allocate_scratch(grid, &s);
    if (status == BR_OK) {
        const mirrors of_cells = find_mirrors(grid), none = {0, 0};
        const int upright = grid->axis.y == 0.0; // the table's mirror images are about the axes
        sum_corners(grid, &s, of_cells);
        fill_nodes(grid, &s, upright ? of_cells : none, r, n, h);
        br_release(s.memory);
    }
    return status;
}
