/*
 * W&K's limit surface, direct implementation: cells, corner interpolation, nodes of a table.
 *
 * W&K = Waltersson & Karayiannidis, sections IV-D and V-D. Numbers in brackets are that paper's
 * equations.
 *
 *   twist -> CoR -> the four corners of the cell that holds it -> wrenches (19), (20) -> (21)
 *
 * The published code differs from the paper (GRID_PUBLISHED): it finds the cell in another manner
 * (corners.c) and adds 1e-10 to sigma0 |v|.
 */
#include "limit/cell_grid.h"

#include "limit/table.h"

// f = -sum w v/|v|, tau = -sum w rho x v/|v|: Coulomb friction of every cell, (19) and (20), for a
// twist at the lattice's centre
static br_wrench cells_wrench(const cell_grid* grid, grid_rule rule, br_twist v)
{
    const double small = grid_small_speed(rule);
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

// A grid and the rule that evaluates its cells.
typedef struct ruled_grid {
    const cell_grid* grid;
    grid_rule rule;
} ruled_grid;

static br_wrench ruled_wrench(const void* user, br_twist v)
{
    const ruled_grid* it = user;
    return cells_wrench(it->grid, it->rule, v);
}

br_wrench bri_grid_wrench(const cell_grid* grid, grid_rule rule, br_twist v)
{
    const br_vec2 cop = grid->cop;
    const br_vec2 vt = grid_to_patch(grid, v.vx, v.vy);
    const br_twist centre = {vt.x + v.w * cop.y, vt.y - v.w * cop.x, v.w};
    const cell_lattice cells = {grid->columns, grid->rows, grid->size, {0.0, 0.0}};
    const ruled_grid user = {grid, rule};
    const br_wrench f = bri_interpolate_corners(&cells, rule, centre, ruled_wrench, &user);
    const br_vec2 ft = grid_from_patch(grid, f.fx, f.fy);
    return (br_wrench){ft.x, ft.y, f.tau - (cop.x * f.fy - cop.y * f.fx)};
}

void bri_grid_nodes_plain(const cell_grid* grid, grid_rule rule, double r, double force,
                          double torque, size_t n, double* h)
{
    for (size_t i_theta = 0; i_theta <= 4 * n; i_theta++) {
        for (size_t i_phi = 0; i_phi <= n; i_phi++) {
            const br_wrench f = bri_grid_wrench(grid, rule, table_twist(r, n, i_theta, i_phi));
            double* node = table_node(h, n, i_theta, i_phi);
            node[0] = f.fx / force;
            node[1] = f.fy / force;
            node[2] = torque > 0.0 ? f.tau / torque : 0.0; //                                  (29)
        }
    }
}
