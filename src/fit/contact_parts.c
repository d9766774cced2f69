/*
 * A patch cut into parts: see contact_history.h.
 */
#include "fit/contact_history.h"

#include <string.h>

#include "bristle/contact.h"

#include "fit/numbers.h"

#include "math/scalar.h"

#define DUAL_SEEDS 1
#define DUAL_TYPE  by_k
#include "math/dual.h"

#include "law/law_formulas.inc"
#include "patch/cell_spread.h"
#include "patch/patch_internal.h"

// Fine cells across, of which blocks consist; fine cells in each direction in a cell of the distributed model.
enum { FINE_ACROSS = 60, FINE_IN_CELL = 4 };

static void add(by_k* to, by_k a)
{
    *to = dual_sum(*to, a);
}

// --- weights ------------------------------------------------------------------------------------------

// (1 - rho^k)^(1/k), and its derivative by k
static by_k pressure(double rho, double k)
{
    const double power = pow(rho, k), rest = 1.0 - power, p = pow(rest, 1.0 / k);
    const double log_rho = rho > 0.0 ? log(rho) : 0.0;
    return dual_seed(p, 0, p * (-log(rest) / (k * k) - power * log_rho / (k * rest)));
}

static by_k weight_of(const contact_parts* p, size_t i, double k)
{
    by_k w = dual_constant(p->weight[i]);
    if (p->is_power) {
        w = dual_scale(p->weight[i], pressure(p->rho[i], k));
    }
    return p->map && p->map->by_this ? dual_constant(w.v) : w;
}

// Sums of weight, weight x, ... of a part; then means and covariances.
static void sum_cell(const contact_parts* p, contact_part* to, by_k w, double x, double y)
{
    add(&to->weight, w);
    add(&to->x, dual_scale(x, w));
    add(&to->y, dual_scale(y, w));
    add(&to->xx, dual_scale(x * x + p->xx, w));
    add(&to->xy, dual_scale(x * y + p->xy, w));
    add(&to->yy, dual_scale(y * y + p->yy, w));
}

static by_k covariance(by_k sum, by_k weight, by_k x, by_k y)
{
    return dual_difference(dual_quotient(sum, weight), dual_product(x, y));
}

// a x + b y
static by_k combine(by_k a, by_k x, by_k b, by_k y)
{
    return dual_sum(dual_product(a, x), dual_product(b, y));
}

// rho' = B rho and the covariance C' = B C B^T, B = cof(A)                                              
static void stretch(const contact_map* m, contact_part* c)
{
    const map2 b = map2_cofactors(m->a), d = map2_cofactors(m->slope);
    const double on = m->by_this ? 1.0 : 0.0;
    const by_k bxx = dual_seed(b.xx, 0, on * d.xx), bxy = dual_seed(b.xy, 0, on * d.xy);
    const by_k byx = dual_seed(b.yx, 0, on * d.yx), byy = dual_seed(b.yy, 0, on * d.yy);
    const by_k x = c->x, y = c->y;
    c->x = combine(bxx, x, bxy, y);
    c->y = combine(byx, x, byy, y);
    const by_k first_x = combine(bxx, c->xx, bxy, c->xy), // first row of B C
        first_y = combine(bxx, c->xy, bxy, c->yy), second_x = combine(byx, c->xx, byy, c->xy),
               second_y = combine(byx, c->xy, byy, c->yy);
    c->xx = combine(first_x, bxx, first_y, bxy);
    c->xy = combine(first_x, byx, first_y, byy);
    c->yy = combine(second_x, byx, second_y, byy);
}

// From the covariance of a block: its extent, the covariance over its trace, and c0.
static void finish_block(contact_part* c)
{
    const by_k trace = dual_sum(c->xx, c->yy);
    c->extent = dual_root(trace);
    c->xx = dual_quotient(c->xx, trace);
    c->xy = dual_quotient(c->xy, trace);
    c->yy = dual_quotient(c->yy, trace);
    const by_k det = dual_difference(dual_product(c->xx, c->yy), dual_square(c->xy));
    c->turn = dual_chain(det, block_turn(det.v), BLOCK_TURN_SLOPE);
}

static void finish_part(const contact_parts* p, contact_part* c, by_k total)
{
    c->x = dual_quotient(c->x, c->weight);
    c->y = dual_quotient(c->y, c->weight);
    c->xx = covariance(c->xx, c->weight, c->x, c->x);
    c->xy = covariance(c->xy, c->weight, c->x, c->y);
    c->yy = covariance(c->yy, c->weight, c->y, c->y);
    c->weight = dual_quotient(c->weight, total);
    const double distance2 = c->x.v * c->x.v + c->y.v * c->y.v;
    const int is_block = p->has_extent && c->xx.v + c->yy.v > 1e-12 * distance2;
    if (p->map) {
        stretch(p->map, c);
    }
    if (is_block) {
        finish_block(c);
    } else {
        c->extent = c->xx = c->xy = c->yy = c->turn = dual_constant(0.0);
    }
}

void bri_parts_set(contact_parts* p, double k)
{
    by_k total = dual_constant(0.0);
    memset(p->part, 0, p->count * sizeof *p->part);
    for (size_t i = 0; i < p->fine; i++) {
        const by_k w = weight_of(p, i, k);
        add(&total, w);
        sum_cell(p, &p->part[p->part_of_cell[i]], w, p->x[i], p->y[i]);
    }
    for (size_t i = 0; i < p->count; i++) {
        finish_part(p, &p->part[i], total);
    }
}

// --- the cut ------------------------------------------------------------------------------------------

// Cells of the distributed model, empty ones included: FINE_IN_CELL fine ones in each direction on a lattice.
static size_t count_cells(const br_cells* cells)
{
    return cells->columns == 0
               ? cells->count
               : (cells->columns / FINE_IN_CELL + 1) * (cells->rows / FINE_IN_CELL + 1);
}

// The part of each fine cell. Parts are numbered in the order of the coarse cells, without the empty ones; returns
// their number. `rank` has space for count_cells().
static size_t gather_cells(const br_cells* cells, size_t* part_of_cell, size_t* rank)
{
    const size_t wide = cells->columns / FINE_IN_CELL + 1, count = count_cells(cells);
    size_t kept = 0;
    memset(rank, 0, count * sizeof *rank);
    for (size_t i = 0; i < cells->count; i++) {
        part_of_cell[i] = cells->columns == 0 ? i
                                              : cells->row[i] / FINE_IN_CELL * wide +
                                                    cells->column[i] / FINE_IN_CELL;
        rank[part_of_cell[i]] = 1;
    }
    for (size_t i = 0; i < count; i++) {
        kept += rank[i];
        rank[i] = kept - rank[i];
    }
    for (size_t i = 0; i < cells->count; i++) {
        part_of_cell[i] = rank[part_of_cell[i]];
    }
    return kept;
}

static int allocate(contact_parts* p, const br_cells* cells)
{
    const size_t n = p->fine;
    double* at = p->memory = br_allocate(4 * n, sizeof *at);
    p->part_of_cell = br_allocate(n + count_cells(cells), sizeof *p->part_of_cell);
    if (!at || !p->part_of_cell) {
        return 0;
    }
    p->x = at;
    p->y = at + n;
    p->weight = at + 2 * n;
    p->rho = at + 3 * n;
    return 1;
}

// Positions from the centre of pressure, in the axes of the contact frame.
static void place_cells(contact_parts* p, const br_cells* cells, const br_patch* patch)
{
    const br_patch_def* def = br_patch_get_def(patch);
    const br_vec2 cop = br_cells_eval(cells).cop;
    const double c = cos(def->angle), s = sin(def->angle);
    for (size_t i = 0; i < p->fine; i++) {
        const double x = cells->x[i], y = cells->y[i];
        p->x[i] = c * (x - cop.x) - s * (y - cop.y);
        p->y[i] = s * (x - cop.x) + c * (y - cop.y);
        p->weight[i] = cells->weight[i];
        p->rho[i] =
            fmin(hypot(x, y / def->ratio) / p->unit, 1.0 - 1e-6); // on the rim there is none
    }
    const br_vec2 own = cell_spread_of(patch, cells);
    p->xx = c * c * own.x + s * s * own.y;
    p->xy = c * s * (own.x - own.y);
    p->yy = s * s * own.x + c * c * own.y;
}

static br_status fill(contact_parts* p, const br_cells* cells, const br_patch* patch,
                      br_method method, size_t resolution, br_reason* why)
{
    br_status status = BR_OK;
    p->fine = cells->count;
    if (!allocate(p, cells)) {
        return bri_out_of_memory(why);
    }
    place_cells(p, cells, patch);
    if (method == BR_METHOD_BLOCKS) {
        status = br_cells_cut(cells, resolution, p->part_of_cell, &p->count, why);
    } else {
        p->count = gather_cells(cells, p->part_of_cell, p->part_of_cell + p->fine);
    }
    p->part = status ? NULL : br_allocate(p->count, sizeof *p->part);
    if (!p->part) {
        return status ? status : bri_out_of_memory(why);
    }
    bri_parts_set(p, p->is_power ? br_by_force_eval(br_patch_get_def(patch)->k, 1.0) : 1.0);
    return BR_OK;
}

br_status bri_parts_create(const br_patch* patch, br_method method, size_t resolution,
                           contact_parts* out, br_reason* why)
{
    const br_patch_def* def = br_patch_get_def(patch);
    const int is_round = patch_is_round(def);
    const size_t fine =
        method == BR_METHOD_BLOCKS ? (size_t)FINE_ACROSS : FINE_IN_CELL * resolution;
    br_patch_def areas = *def;
    areas.pressure = def->pressure == BR_PRESSURE_POWER ? BR_PRESSURE_UNIFORM : def->pressure;
    br_patch* area = NULL;
    br_cells* cells = NULL;
    *out = (contact_parts){.is_power = def->pressure == BR_PRESSURE_POWER,
                           .has_extent = method == BR_METHOD_BLOCKS,
                           .unit = is_round ? br_by_force_eval(def->radius, 1.0) : 1.0};
    br_status status = br_patch_create(&areas, &area, why);
    status = status ? status : br_cells_create(area, 1.0, fine, &cells, why);
    status = status ? status : fill(out, cells, patch, method, resolution, why);
    if (status) {
        bri_parts_destroy(out);
    }
    br_cells_destroy(cells);
    br_patch_destroy(area);
    return status;
}

void bri_parts_destroy(contact_parts* p)
{
    br_release(p->memory);
    br_release(p->part_of_cell);
    br_release(p->part);
    *p = (contact_parts){.count = 0};
}
