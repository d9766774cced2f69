/*
 * W&K's way to a limit surface, plainly: cells, corner interpolation, nodes of a table.
 *
 * W&K = Waltersson & Karayiannidis, sections IV-D and V-D. Numbers in brackets are that paper's
 * equations.
 *
 *   twist -> CoR -> the four corners of the cell that holds it -> wrenches (19), (20) -> (21)
 *
 * The published code differs from the paper (GRID_PUBLISHED): it finds the cell by truncation
 * towards zero, so that a CoR up to one cell outside the left and lower border is extrapolated from
 * inside; and it adds 1e-10 to sigma0 |v|.
 */
#include "limit/cell_grid.h"

#include "limit/table.h"

// Where the published code stops interpolating [rad/s], and its 1e-10/sigma0 [m/s].
static const double published_least_spin = 1e-10;
static const double published_small_speed = 1e-10 / 1e5;

// f = -sum w v/|v|, tau = -sum w rho x v/|v|: Coulomb friction of every cell, (19) and (20), of a
// twist at the lattice's centre
static br_wrench cells_wrench(const cell_grid* grid, grid_rule rule, br_twist v)
{
    const double small = rule == GRID_PUBLISHED ? published_small_speed : 0.0;
    br_wrench sum = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < grid->rows; i++) {
        for (size_t j = 0; j < grid->columns; j++) {
            const double x = grid_x(grid, j), y = grid_y(grid, i);
            const double vx = v.vx - v.w * y, vy = v.vy + v.w * x;
            const double speed = sqrt(vx * vx + vy * vy) + small;
            const double p = speed > 0.0 ? grid->weight[i * grid->columns + j] / speed : 0.0;
            sum.fx -= p * vx;
            sum.fy -= p * vy;
            sum.tau -= p * (x * vy - y * vx);
        }
    }
    return sum;
}

// Index of the cell that holds a coordinate given in cells from the border; -1: none.
static int cell_index(grid_rule rule, double at, size_t count)
{
    if (rule == GRID_PUBLISHED) {
        return at > -1.0 && at < (double)count ? (int)at : -1; // truncates towards zero
    }
    if (!(at >= 0.0 && at <= (double)count)) {
        return -1;
    }
    return at < (double)count ? (int)at : (int)count - 1;
}

// Wrench of a rotation about a lattice corner.
static br_wrench corner_wrench(const cell_grid* grid, grid_rule rule, double w, int column, int row)
{
    const double x = (column - 0.5 * (double)grid->columns) * grid->size.x;
    const double y = (row - 0.5 * (double)grid->rows) * grid->size.y;
    return cells_wrench(grid, rule, (br_twist){w * y, -w * x, w});
}

static void add_scaled(br_wrench* sum, double s, br_wrench f)
{
    sum->fx += s * f.fx;
    sum->fy += s * f.fy;
    sum->tau += s * f.tau;
}

// The interpolation (21), of a twist at the lattice's centre, axes of the patch frame.
static br_wrench interpolated_wrench(const cell_grid* grid, grid_rule rule, br_twist v)
{
    const double least = rule == GRID_PUBLISHED ? published_least_spin : 0.0;
    const double x = -v.vy / v.w / grid->size.x + 0.5 * (double)grid->columns;
    const double y = v.vx / v.w / grid->size.y + 0.5 * (double)grid->rows;
    const int j = cell_index(rule, x, grid->columns), i = cell_index(rule, y, grid->rows);
    if (!(fabs(v.w) > least) || i < 0 || j < 0) {
        return cells_wrench(grid, rule, v);
    }
    // f = (1-dx)(1-dy) f_1 + (1-dx) dy f_2 + dx (1-dy) f_3 + dx dy f_4                      (21)
    const double dx = x - j, dy = y - i;
    br_wrench f = {0.0, 0.0, 0.0};
    add_scaled(&f, (1.0 - dx) * (1.0 - dy), corner_wrench(grid, rule, v.w, j, i));
    add_scaled(&f, (1.0 - dx) * dy, corner_wrench(grid, rule, v.w, j, i + 1));
    add_scaled(&f, dx * (1.0 - dy), corner_wrench(grid, rule, v.w, j + 1, i));
    add_scaled(&f, dx * dy, corner_wrench(grid, rule, v.w, j + 1, i + 1));
    return f;
}

br_wrench grid_wrench(const cell_grid* grid, grid_rule rule, br_twist v)
{
    const br_vec2 cop = grid->cop;
    const br_vec2 vt = grid_to_patch(grid, v.vx, v.vy);
    const br_twist centre = {vt.x + v.w * cop.y, vt.y - v.w * cop.x, v.w};
    const br_wrench f = interpolated_wrench(grid, rule, centre);
    const br_vec2 ft = grid_from_patch(grid, f.fx, f.fy);
    return (br_wrench){ft.x, ft.y, f.tau - (cop.x * f.fy - cop.y * f.fx)};
}

void grid_nodes_plain(const cell_grid* grid, grid_rule rule, double r, double force, double torque,
                      size_t n, double* h)
{
    for (size_t i_theta = 0; i_theta <= 4 * n; i_theta++) {
        for (size_t i_phi = 0; i_phi <= n; i_phi++) {
            const br_wrench f = grid_wrench(grid, rule, table_twist(r, n, i_theta, i_phi));
            double* node = table_node(h, n, i_theta, i_phi);
            node[0] = f.fx / force;
            node[1] = f.fy / force;
            node[2] = torque > 0.0 ? f.tau / torque : 0.0; //                                  (29)
        }
    }
}
