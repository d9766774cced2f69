/*
 * The three methods that are tables h(r, v): nodes from the exact surface, from W&K's grid, and as
 * the published code computes them.
 *
 * W&K = Waltersson & Karayiannidis, section V-D. Numbers in brackets are that paper's equations.
 *
 * Deviation from print, W-29: (29) divides each component by its own maximum. The exact table and
 * the grid done right divide the force by mu fn and the torque by mu fn r, which are the maxima of
 * the exact surface; so a wrench does not change by being put into the table. The published code
 * divides by the force of (1, 0, 0) and the torque of (0, 0, 1).
 */
#include "limit/cell_grid.h"
#include "limit/methods.h"
#include "limit/table.h"

static void no_memory(br_reason* why)
{
    br_reason_set(why, "", "no memory for the table of a limit surface");
}

// A table with its nodes empty, in one block. NULL: no memory.
static limit_table* allocate_table(const br_limit* surface, br_reason* why)
{
    const size_t n = surface->def.n;
    limit_table* table = br_allocate(1, sizeof *table + table_length(n) * sizeof(double));
    if (!table) {
        no_memory(why);
        return NULL;
    }
    *table = (limit_table){n, surface->value.r, (double*)(table + 1)};
    return table;
}

static void fill_exact(const br_limit* surface, limit_table* table)
{
    const size_t n = table->n;
    const double r = table->r;
    const double sampled = r > 0.0 ? r : 1.0; // of a point only phi = pi/2 is ever looked up
    for (size_t i_theta = 0; i_theta <= 4 * n; i_theta++) {
        for (size_t i_phi = 0; i_phi <= n; i_phi++) {
            // the last column is the first, and the last row slides without spin: exactly
            br_twist v = table_twist(sampled, n, i_theta % (4 * n), i_phi);
            v.w = i_phi == n ? 0.0 : v.w;
            const br_wrench f = exact_eval(surface->exact, v).wrench;
            double* h = table_node(table->h, n, i_theta, i_phi);
            h[0] = f.fx;
            h[1] = f.fy;
            h[2] = r > 0.0 ? f.tau / r : 0.0; //                                               (29)
        }
    }
}

static br_status create_bilinear(br_limit* surface, br_reason* why)
{
    limit_table* table = allocate_table(surface, why);
    if (!table) {
        return BR_ERR_MEMORY;
    }
    fill_exact(surface, table);
    surface->data = table;
    return BR_OK;
}

static br_status fill_grid(br_limit* surface, const cell_grid* grid, br_reason* why)
{
    limit_table* table = allocate_table(surface, why);
    if (!table) {
        return BR_ERR_MEMORY;
    }
    const br_status status = grid_nodes(grid, table->r, table->n, table->h);
    if (status != BR_OK) {
        no_memory(why);
        br_release(table);
        return status;
    }
    surface->data = table;
    return BR_OK;
}

static br_status create_grid(br_limit* surface, br_reason* why)
{
    const br_limit_def* def = &surface->def;
    cell_grid grid;
    br_status status =
        cell_grid_init(def->patch, def->fn, def->resolution, surface->value.cop, &grid, why);
    if (status == BR_OK) {
        status = fill_grid(surface, &grid, why);
    }
    cell_grid_clear(&grid);
    return status;
}

// CoP, r (by (21)) and u of the published code: sums over the cells.
static br_status published_value(br_limit* surface, br_reason* why)
{
    const br_limit_def* def = &surface->def;
    const br_patch_def* patch = br_patch_get_def(def->patch);
    br_cells* cells = NULL;
    const br_status status = br_cells_create(def->patch, def->fn, def->resolution, &cells, why);
    if (status == BR_OK) {
        const br_patch_value sums = br_cells_eval(cells);
        const br_pose placed = {patch->centre.x, patch->centre.y, patch->angle};
        surface->value.cop = br_pose_apply(placed, sums.cop);
        surface->value.u = sums.u;
    }
    br_cells_destroy(cells);
    return status;
}

static br_status fill_published(br_limit* surface, const cell_grid* grid, br_reason* why)
{
    const double force = fabs(grid_wrench(grid, GRID_PUBLISHED, (br_twist){1.0, 0.0, 0.0}).fx);
    const double torque = fabs(grid_wrench(grid, GRID_PUBLISHED, (br_twist){0.0, 0.0, 1.0}).tau);
    surface->value.r = torque;
    limit_table* table = allocate_table(surface, why);
    if (!table) {
        return BR_ERR_MEMORY;
    }
    grid_nodes_plain(grid, GRID_PUBLISHED, torque, force, torque, table->n, table->h);
    surface->data = table;
    return BR_OK;
}

static br_status create_published(br_limit* surface, br_reason* why)
{
    const br_limit_def* def = &surface->def;
    br_status status = published_value(surface, why);
    if (status != BR_OK) {
        return status;
    }
    cell_grid grid;
    status = cell_grid_init(def->patch, def->fn, def->resolution, surface->value.cop, &grid, why);
    if (status == BR_OK) {
        status = fill_published(surface, &grid, why);
    }
    cell_grid_clear(&grid);
    return status;
}

static br_limit_value eval(const br_limit* surface, br_twist v)
{
    const limit_table* table = surface->data;
    double h[3];
    table_lookup(table, v, h);
    const br_wrench f = {h[0], h[1], table->r * h[2]};
    return (br_limit_value){-(f.fx * v.vx + f.fy * v.vy + f.tau * v.w), f, 0};
}

static void jacobian(const br_limit* surface, br_twist v, double out[3][3])
{
    table_jacobian(surface->data, v, out);
}

const limit_method limit_bilinear = {create_bilinear, NULL, eval, jacobian};
const limit_method limit_grid = {create_grid, NULL, eval, jacobian};
const limit_method limit_published = {create_published, NULL, eval, jacobian};
