/*
 * Cells of a disc or ring that depends on the normal force: created once, updated for each force.
 *
 * W&K = Waltersson & Karayiannidis, section VI-C: (43), (44).
 */
#include "patch/growth.h"

#include <string.h>

#include "patch/cells_internal.h"
#include "patch/mesh.h"
#include "patch/power_law.h"

// A cell with less than this share of the mean force is rounding error or practically empty.
static const double empty_share = 1e-10;

// Weights that are computed repeatedly use fewer points: four Gauss points in each direction from
// one cell away from rim and centre, two from three cells away, and tables for the rest. The error
// is about 1e-5 of a cell's force.
static const double smooth_distance = 1.0, few_distance = 3.0;

// Below this exponent the centre is too steep for a table.
static const double min_table_k = 1.0;

// A disc smaller than this share of a cell is a point: its integrals might overflow.
static const double point_size = 1e-6;

// --- weights of the cells of a disc ------------------------------------------------------------------

// All force on the cells nearest to the disc's centre: it is a point, or between their centres.
static void weigh_middle(const br_cells* cells, double* weight)
{
    double nearest = HUGE_VAL;
    for (size_t i = 0; i < cells->count; i++) {
        nearest = fmin(nearest, hypot(cells->x[i], cells->y[i]));
    }
    const double reach = nearest + 1e-6 * cells->half_x; // absorbs rounding
    for (size_t i = 0; i < cells->count; i++) {
        weight[i] = hypot(cells->x[i], cells->y[i]) <= reach ? 1.0 : 0.0;
    }
}

// int p dA over each cell of a disc with these semi-axes, by the rules of one with the axes `like`; cells with a twin copy its value.
static void weigh_cells(const br_cells* cells, const size_t* twin, disc_pressure p, br_vec2 axes,
                        br_vec2 like, double* weight)
{
    const br_vec2 per = {1.0 / axes.x, 1.0 / axes.y}; // to the unit disc
    const br_vec2 half = {per.x * cells->half_x, per.y * cells->half_y};
    const br_vec2 per_like = {1.0 / like.x, 1.0 / like.y};
    const br_vec2 half_like = {per_like.x * cells->half_x, per_like.y * cells->half_y};
    for (size_t i = 0; i < cells->count; i++) {
        if (!twin || twin[i] == i) {
            const br_vec2 centre = {per.x * cells->x[i], per.y * cells->y[i]};
            const br_vec2 at = {per_like.x * cells->x[i], per_like.y * cells->y[i]};
            weight[i] = bri_disc_cell_mass_like(p, centre, half, at, half_like);
        }
    }
    for (size_t i = 0; twin && i < cells->count; i++) {
        weight[i] = weight[twin[i]];
    }
}

static double sum_of(const double* weight, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        sum += weight[i];
    }
    return sum;
}

// Shares that sum to 1; cells with less than a share of the mean get BR_CELLS_IDLE.
static void normalise(double* weight, size_t count, double least)
{
    const double sum = sum_of(weight, count), min_weight = least * sum / (double)count;
    for (size_t i = 0; i < count; i++) {
        weight[i] = weight[i] <= min_weight ? BR_CELLS_IDLE : weight[i] / sum;
    }
}

// Prepare the pressure for fast integration.
static void prepare(disc_pressure* p, power_law_table* table)
{
    p->away = smooth_distance;
    p->few = few_distance;
    if (!table || !(p->k >= min_table_k) || p->k == 2.0) { // k = 2: a closed form is faster
        return;
    }
    if (p->k != table->k) {
        bri_power_law_table_fill(table, p->k, p->norm);
    }
    p->table = table;
}

// rules_at: as in growth.
static void weigh(const br_patch_def* def, double fn, double rules_at, const br_cells* cells,
                  const size_t* twin, power_law_table* table, double* weight)
{
    disc_pressure p;
    const double radius = patch_radius(def, fn);
    const int has_extent =
        bri_disc_pressure_at(def, fn, &p) && !(radius < point_size * cells->half_x);
    prepare(&p, table);
    if (has_extent) {
        const double like = rules_at > 0.0 ? patch_radius(def, rules_at) : radius;
        weigh_cells(cells, twin, p, (br_vec2){radius, radius * def->ratio},
                    (br_vec2){like, like * def->ratio}, weight);
    }
    if (!has_extent || sum_of(weight, cells->count) == 0.0) {
        weigh_middle(cells, weight);
    }
    normalise(weight, cells->count, rules_at > 0.0 ? 0.0 : empty_share); // a threshold is a jump
    for (size_t i = 0; isnan(fn) && i < cells->count; i++) {
        weight[i] = fn;
    }
}

// --- creation ------------------------------------------------------------------------------------------

// The cells that the largest disc reaches; their weights are set later.
static br_status create_disc(const br_patch_def* def, size_t resolution, br_cells** out,
                             br_reason* why)
{
    br_patch_def largest = *def;
    largest.pressure = BR_PRESSURE_UNIFORM;
    largest.radius = br_by_force_constant(
        def->radius.exponent > 0.0 ? def->radius.max : br_by_force_eval(def->radius, 1.0));
    return bri_cells_of(&largest, 1.0, resolution, out, why);
}

br_status bri_growing_disc_cells(const br_patch_def* def, double fn, size_t resolution,
                                 br_cells** out, br_reason* why)
{
    const br_status status = create_disc(def, resolution, out, why);
    if (status == BR_OK) {
        weigh(def, fn, 0.0, *out, NULL, NULL, (double*)(*out)->weight);
    }
    return status;
}

// Positions of a ring's cells at radius 1, and their weights.
static br_status create_ring(const br_patch_def* def, size_t resolution, br_cells** out,
                             br_reason* why)
{
    br_patch_def unit = *def;
    unit.radius = br_by_force_constant(1.0);
    return bri_cells_of(&unit, 1.0, resolution, out, why);
}

// Index, on a lattice, of the equivalent cell in the first eighth of the disc or quarter of the ellipse.
static size_t equivalent(const br_cells* cells, size_t i, int is_disc)
{
    const size_t a = lattice_depth(cells->column[i], cells->columns);
    const size_t b = lattice_depth(cells->row[i], cells->rows);
    return is_disc && a < b ? a * cells->columns + b : b * cells->columns + a;
}

// Find for each cell the first one with the same weight. 0: no memory.
static int find_twins(growth* grown)
{
    const br_cells* cells = grown->cells;
    const size_t places = cells->columns * cells->rows;
    size_t* first = br_allocate(places, sizeof *first); // + 1; 0: none yet
    grown->twin = br_allocate(cells->count, sizeof *grown->twin);
    for (size_t i = 0; first && grown->twin && i < cells->count; i++) {
        size_t* of_place = &first[equivalent(cells, i, grown->def.ratio == 1.0)];
        *of_place = *of_place ? *of_place : i + 1;
        grown->twin[i] = *of_place - 1;
    }
    br_release(first);
    return first && grown->twin;
}

// Store the positions of a ring's cells at radius 1. 0: no memory.
static int store_unit(growth* grown)
{
    const size_t count = grown->cells->count;
    grown->unit = br_allocate(2 * count, sizeof *grown->unit);
    if (grown->unit) {
        memcpy(grown->unit, grown->cells->x, count * sizeof(double));
        memcpy(grown->unit + count, grown->cells->y, count * sizeof(double));
    }
    return grown->unit != NULL;
}

// The division of the triangles that bri_cells_of() used.
static br_status create_parts(growth* grown, size_t resolution, br_reason* why)
{
    grown->parts = br_allocate(grown->def.triangle_count, sizeof *grown->parts);
    if (!grown->parts) {
        return bri_cells_no_memory(why);
    }
    bri_mesh_divide(&grown->def, resolution, grown->parts);
    return BR_OK;
}

static br_status create_cells(growth* grown, size_t resolution, br_reason* why)
{
    const br_patch_def* def = &grown->def;
    const int is_ring = def->shape == BR_SHAPE_RING;
    const int is_symmetric = def->pressure != BR_PRESSURE_LINEAR;
    const int is_power = def->pressure == BR_PRESSURE_POWER;
    const br_status status = is_ring ? create_ring(def, resolution, &grown->cells, why)
                             : def->shape == BR_SHAPE_TRIANGLES
                                 ? bri_cells_of(def, 1.0, resolution, &grown->cells, why)
                                 : create_disc(def, resolution, &grown->cells, why);
    if (status != BR_OK) {
        return status;
    }
    if (def->shape == BR_SHAPE_TRIANGLES) {
        return create_parts(grown, resolution, why);
    }
    int has_memory = is_ring ? store_unit(grown) : !is_symmetric || find_twins(grown);
    if (has_memory && is_power && def->sampling == BR_SAMPLING_COVERED) {
        grown->table = br_allocate(1, sizeof *grown->table);
        has_memory = grown->table != NULL;
    }
    return has_memory ? BR_OK : bri_cells_no_memory(why);
}

static br_status check(const br_patch_def* def, double fn, size_t resolution, br_reason* why)
{
    if (bri_cells_check(fn, resolution, why) != BR_OK) {
        return BR_ERR_ARG;
    }
    const int is_endless = def->radius.exponent > 0.0 && isinf(def->radius.max);
    if (def->shape != BR_SHAPE_RING && is_endless) {
        br_reason_set(why, "radius.max",
                      "must be given: the cells of a growing %s cover its largest "
                      "extent",
                      br_shape_get_name(def->shape));
        return BR_ERR_DEF;
    }
    return BR_OK;
}

br_status bri_growth_create(const br_patch* patch, double fn, size_t resolution, growth** out,
                            br_reason* why)
{
    *out = NULL;
    br_status status = check(&patch->def, fn, resolution, why);
    if (status != BR_OK) {
        return status;
    }
    growth* grown = br_allocate(1, sizeof *grown);
    if (!grown) {
        return bri_cells_no_memory(why);
    }
    grown->def = patch->def;
    grown->mesh = patch->def.shape == BR_SHAPE_TRIANGLES ? bri_patch_share(patch) : NULL;
    status = create_cells(grown, resolution, why);
    if (status != BR_OK) {
        bri_growth_destroy(grown);
        return status;
    }
    grown->fn = (double)NAN; // so that the first update is not skipped
    bri_growth_at_force(grown, fn);
    *out = grown;
    return BR_OK;
}

void bri_growth_destroy(growth* grown)
{
    if (grown) {
        br_cells_destroy(grown->cells);
        br_release(grown->twin);
        br_release(grown->table);
        br_release(grown->unit);
        br_release(grown->parts);
        br_patch_destroy((br_patch*)grown->mesh);
        br_release(grown);
    }
}

growth* bri_growth_copy(const growth* grown, arena* to)
{
    growth copy = *grown;
    br_cells cells = *grown->cells;
    if (grown->mesh) {
        cells.x = arena_copy(to, cells.x, 3 * cells.count * sizeof(double)); // all are one block
        cells.y = cells.x + cells.count;
        cells.weight = cells.y + cells.count;
    } else if (grown->unit) {
        cells.x =
            arena_copy(to, cells.x, 2 * cells.count * sizeof(double)); // x and y are one block
        cells.y = cells.x + cells.count;
    } else {
        cells.weight = arena_copy(to, cells.weight, cells.count * sizeof(double));
    }
    copy.table = grown->table ? arena_copy(to, grown->table, sizeof *grown->table) : NULL;
    br_cells* own_cells = arena_take(to, sizeof cells);
    growth* out = arena_take(to, sizeof copy);
    if (own_cells && out) {
        *own_cells = cells;
        copy.cells = own_cells;
        *out = copy;
    }
    return out;
}

void bri_growth_at_pressure(growth* grown, const br_vec2* vertices, const double* pressures)
{
    const br_patch_def* def = &grown->def;
    const br_cells* cells = grown->cells;
    if (!bri_mesh_has_force(def, vertices, pressures)) {
        return;
    }
    // the arrays are ours
    bri_mesh_cells(def, grown->parts, vertices, pressures, (double*)cells->x, (double*)cells->y,
                   (double*)cells->weight);
    bri_mesh_weights((double*)cells->weight, cells->count);
}

int bri_growth_at_force(growth* grown, double fn)
{
    if (fn == grown->fn || grown->mesh) {
        return 0;
    }
    const br_cells* cells = grown->cells;
    if (grown->unit) {
        const double radius = patch_radius(&grown->def, fn);
        double* x = (double*)cells->x; // x and y are one block, which we own
        for (size_t i = 0; i < 2 * cells->count; i++) {
            x[i] = radius * grown->unit[i];
        }
    } else {
        weigh(&grown->def, fn, grown->rules_at, cells, grown->twin, grown->table,
              (double*)cells->weight);
    }
    grown->fn = fn;
    return 1;
}
