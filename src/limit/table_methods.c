/*
 * The three methods that are tables h(r, v). Their nodes come from the exact surface, from W&K's
 * grid, or from the algorithm of the published code.
 *
 * W&K = Waltersson & Karayiannidis, section V-D. Numbers in brackets are that paper's equations.
 *
 * (29) divides each component by its maximum: mu fn and mu fn r (W-29 in docs/explanation/equations.md). The
 * exact table and the corrected grid use these, so the table stores the wrench unchanged. The
 * published code divides by the force of (1, 0, 0) and the torque of (0, 0, 1) on its grid.
 *
 * A table depends on the form of the pressure, not on its size: if the force changes only the size,
 * h stays and r (and u) change, as in W&K's section VI-C.
 */
#include "limit/cell_grid.h"
#include "limit/methods.h"
#include "limit/table.h"
#include "patch/growth.h"

// A table and, for a patch that depends on the force, the cells from which its nodes are computed.
typedef struct table_data {
    limit_table table; // must be first: a reduced model reads it directly
    growth* growth;    // NULL: none
    cell_grid grid;    // of these cells
} table_data;

static void no_memory(br_reason* why)
{
    br_reason_set(why, "", "no memory for the table of a limit surface");
}

// A table with its nodes empty, in one block. NULL: no memory.
static table_data* allocate(const br_limit* surface, br_reason* why)
{
    const size_t n = surface->def.n;
    table_data* data = br_allocate(1, sizeof *data + table_length(n) * sizeof(double));
    if (!data) {
        no_memory(why);
        return NULL;
    }
    data->table = (limit_table){n, surface->value.r, (double*)(data + 1)};
    return data;
}

static void destroy(void* surface_data)
{
    table_data* data = surface_data;
    bri_growth_destroy(data->growth);
    bri_cell_grid_clear(&data->grid);
    br_release(data);
}

static void* copy(const void* data, arena* to)
{
    const table_data* from = data;
    table_data* out = arena_copy(to, from, sizeof *from);
    double* h = arena_copy(to, from->table.h, table_length(from->table.n) * sizeof *h);
    growth* grown = from->growth ? bri_growth_copy(from->growth, to) : NULL;
    const size_t columns = from->growth ? from->grid.columns : 0, rows = from->grid.rows;
    double* weight = arena_take(to, bri_cell_grid_room(columns, rows) * sizeof *weight);
    if (out && weight) {
        out->table.h = h;
        out->growth = grown;
        out->grid.weight = weight;
        out->grid.scratch = weight + columns * rows;
        if (columns > 0) { // else there is no grid to copy
            memcpy(weight, from->grid.weight, columns * rows * sizeof *weight);
        }
    }
    return out;
}

// --- nodes from the exact surface ----------------------------------------------------------------------

static void fill_exact(const br_limit* surface, limit_table* table)
{
    const size_t n = table->n;
    const double r = table->r;
    const double sampled = r > 0.0 ? r : 1.0; // for a point only phi = pi/2 is ever looked up
    const br_patch_def* patch = br_patch_get_def(surface->def.patch);
    const mirrors none = {0, 0}, has = patch->angle == 0.0 ? bri_mirrors_of_patch(patch) : none;
    const table_columns some = table_columns_of(has, n);
    for (size_t i_theta = some.first; i_theta <= some.last; i_theta++) {
        for (size_t i_phi = 0; i_phi <= n; i_phi++) {
            // the last row is sliding with exactly no spin
            br_twist v = table_twist(sampled, n, i_theta, i_phi);
            v.w = i_phi == n ? 0.0 : v.w;
            const br_wrench f = bri_exact_eval(surface->exact, v, NULL).wrench;
            double* h = table_node(table->h, n, i_theta, i_phi);
            h[0] = f.fx;
            h[1] = f.fy;
            h[2] = r > 0.0 ? f.tau / r : 0.0; //                                               (29)
        }
    }
    bri_table_mirror(has, n, table->h);
}

static br_status create_bilinear(br_limit* surface, br_reason* why)
{
    table_data* data = allocate(surface, why);
    if (!data) {
        return BR_ERR_MEMORY;
    }
    fill_exact(surface, &data->table);
    surface->data = data;
    return BR_OK;
}

static void update_bilinear(br_limit* surface)
{
    table_data* data = surface->data;
    data->table.r = surface->value.r;
    if (bri_limit_changes_form(surface)) {
        fill_exact(surface, &data->table);
    }
}

// --- nodes from cells ----------------------------------------------------------------------------------

// Store the cells of a disc that depends on the force, for updates of the table.
static br_status store_cells(const br_limit* surface, table_data* data, br_reason* why)
{
    const br_limit_def* def = &surface->def;
    const int is_ring = br_patch_get_def(def->patch)->shape == BR_SHAPE_RING;
    if (is_ring || !br_patch_depends_on_force(def->patch)) {
        return BR_OK;
    }
    return bri_growth_create(def->patch, def->fn, def->resolution, &data->growth, why);
}

static br_status fill_grid(const br_limit* surface, table_data* data, br_reason* why)
{
    const br_limit_def* def = &surface->def;
    const br_vec2 cop = surface->value.cop;
    return data->growth
               ? bri_cell_grid_from(def->patch, data->growth->cells, cop, &data->grid, why)
               : bri_cell_grid_init(def->patch, def->fn, def->resolution, cop, &data->grid, why);
}

// Give the data to the surface or, after a failure, free it.
static br_status finish(br_limit* surface, table_data* data, br_status status)
{
    if (status != BR_OK) {
        destroy(data);
        return status;
    }
    if (!data->growth) {
        bri_cell_grid_clear(&data->grid);
    }
    surface->data = data;
    return BR_OK;
}

static br_status create_grid(br_limit* surface, br_reason* why)
{
    table_data* data = allocate(surface, why);
    if (!data) {
        return BR_ERR_MEMORY;
    }
    limit_table* table = &data->table;
    br_status status = store_cells(surface, data, why);
    if (status == BR_OK) {
        status = fill_grid(surface, data, why);
    }
    if (status == BR_OK) {
        bri_grid_nodes(&data->grid, GRID_RIGHT, table->r, 1.0, table->r, table->n, table->h);
    }
    return finish(surface, data, status);
}

// Set the weights for the surface's force.
static void weigh_grid(const br_limit* surface, table_data* data)
{
    const br_limit_def* def = &surface->def;
    bri_growth_at_force(data->growth, def->fn);
    bri_cell_grid_weigh(&data->grid, def->patch, data->growth->cells, surface->value.cop);
}

static void update_grid(br_limit* surface)
{
    table_data* data = surface->data;
    limit_table* table = &data->table;
    const double r = table->r = surface->value.r;
    if (bri_limit_changes_form(surface)) {
        weigh_grid(surface, data);
        bri_grid_nodes(&data->grid, GRID_RIGHT, r, 1.0, r, table->n, table->h);
    }
}

// CoP and u as in the published code: sums over the cells.
static void set_cop_and_u(br_limit* surface, const br_cells* cells)
{
    const br_patch_def* patch = br_patch_get_def(surface->def.patch);
    const br_patch_value sums = br_cells_eval(cells);
    const br_pose placed = {patch->centre.x, patch->centre.y, patch->angle};
    surface->value.cop = br_pose_apply(placed, sums.cop);
    surface->value.u = sums.u;
}

static br_status published_value(br_limit* surface, const table_data* data, br_reason* why)
{
    if (data->growth) {
        set_cop_and_u(surface, data->growth->cells);
        return BR_OK;
    }
    const br_limit_def* def = &surface->def;
    br_cells* cells = NULL;
    const br_status status = br_cells_create(def->patch, def->fn, def->resolution, &cells, why);
    if (status == BR_OK) {
        set_cop_and_u(surface, cells);
    }
    br_cells_destroy(cells);
    return status;
}

// r as in the published code, by (21).
static void published_r(br_limit* surface, table_data* data)
{
    const br_wrench spin = bri_grid_wrench(&data->grid, GRID_PUBLISHED, (br_twist){0.0, 0.0, 1.0});
    surface->value.r = data->table.r = fabs(spin.tau);
}

static void published_nodes(table_data* data)
{
    const br_wrench slide = bri_grid_wrench(&data->grid, GRID_PUBLISHED, (br_twist){1.0, 0.0, 0.0});
    limit_table* table = &data->table;
    bri_grid_nodes(&data->grid, GRID_PUBLISHED, table->r, fabs(slide.fx), table->r, table->n,
                   table->h);
}

static br_status create_published(br_limit* surface, br_reason* why)
{
    table_data* data = allocate(surface, why);
    if (!data) {
        return BR_ERR_MEMORY;
    }
    br_status status = store_cells(surface, data, why);
    if (status == BR_OK) {
        status = published_value(surface, data, why);
    }
    if (status == BR_OK) {
        status = fill_grid(surface, data, why);
    }
    if (status == BR_OK) {
        published_r(surface, data);
        published_nodes(data);
    }
    return finish(surface, data, status);
}

// As the published code: for k = 2 it updates r (we update u, too, which it forgets); for k = 2 fn
// it computes everything again.
static void update_published(br_limit* surface)
{
    table_data* data = surface->data;
    bri_growth_at_force(data->growth, surface->def.fn);
    set_cop_and_u(surface, data->growth->cells);
    weigh_grid(surface, data);
    published_r(surface, data);
    if (bri_limit_changes_form(surface)) {
        published_nodes(data);
    }
}

static br_limit_value eval(const br_limit* surface, br_twist v)
{
    const limit_table* table = &((const table_data*)surface->data)->table;
    double h[3];
    bri_table_lookup(table, v, h);
    const br_wrench f = {h[0], h[1], table->r * h[2]};
    return (br_limit_value){-(f.fx * v.vx + f.fy * v.vy + f.tau * v.w), f, 0};
}

static void jacobian(const br_limit* surface, br_twist v, double out[3][3])
{
    bri_table_jacobian(&((const table_data*)surface->data)->table, v, out);
}

const limit_method bri_limit_bilinear = {create_bilinear, destroy, eval,
                                         jacobian,        copy,    update_bilinear};
const limit_method bri_limit_grid = {create_grid, destroy, eval, jacobian, copy, update_grid};
const limit_method bri_limit_published = {create_published, destroy, eval,
                                          jacobian,         copy,    update_published};
