/*
 * A patch cut into parts: see contact_parts.h.
 */
#include "fit/contact_parts.h"

#include <math.h>
#include <string.h>

#include "bristle/contact.h"

#include "patch/cell_spread.h"

// Fine cells across: blocks are cut from these; cells of the distributed model are so many times as large.
enum { FINE_ACROSS = 60, FINE_IN_CELL = 4 };

static by_k product(by_k a, by_k b)
{
    return (by_k){a.v * b.v, a.k * b.v + a.v * b.k};
}

static by_k quotient(by_k a, by_k b)
{
    return (by_k){a.v / b.v, (a.k - a.v / b.v * b.k) / b.v};
}

static by_k difference(by_k a, by_k b)
{
    return (by_k){a.v - b.v, a.k - b.k};
}

static void add(by_k* to, by_k a)
{
    to->v += a.v;
    to->k += a.k;
}

// --- weights ------------------------------------------------------------------------------------------

// (1 - rho^k)^(1/k), and its derivative by k
static by_k pressure(double rho, double k)
{
    const double power = pow(rho, k), rest = 1.0 - power, p = pow(rest, 1.0 / k);
    const double log_rho = rho > 0.0 ? log(rho) : 0.0;
    return (by_k){p, p * (-log(rest) / (k * k) - power * log_rho / (k * rest))};
}

static by_k weight_of(const contact_parts* p, size_t i, double k)
{
    if (!p->is_power) {
        return (by_k){p->weight[i], 0.0};
    }
    const by_k at = pressure(p->rho[i], k);
    return (by_k){p->weight[i] * at.v, p->weight[i] * at.k};
}

// Sums of weight, weight x, ... of a part; then means and covariances.
static void sum_cell(const contact_parts* p, contact_part* to, by_k w, double x, double y)
{
    add(&to->weight, w);
    add(&to->x, (by_k){w.v * x, w.k * x});
    add(&to->y, (by_k){w.v * y, w.k * y});
    add(&to->xx, (by_k){w.v * x * x + w.v * p->xx, w.k * x * x + w.k * p->xx});
    add(&to->xy, (by_k){w.v * x * y + w.v * p->xy, w.k * x * y + w.k * p->xy});
    add(&to->yy, (by_k){w.v * y * y + w.v * p->yy, w.k * y * y + w.k * p->yy});
}

static by_k covariance(by_k sum, by_k weight, by_k x, by_k y)
{
    return difference(quotient(sum, weight), product(x, y));
}

static void finish_part(const contact_parts* p, contact_part* c, by_k total)
{
    c->x = quotient(c->x, c->weight);
    c->y = quotient(c->y, c->weight);
    const by_k xx = covariance(c->xx, c->weight, c->x, c->x);
    const by_k xy = covariance(c->xy, c->weight, c->x, c->y);
    const by_k yy = covariance(c->yy, c->weight, c->y, c->y);
    const by_k trace = {xx.v + yy.v, xx.k + yy.k};
    c->weight = quotient(c->weight, total);
    c->extent = c->xx = c->xy = c->yy = c->turn = (by_k){0.0, 0.0};
    if (p->has_extent && trace.v > 1e-12 * (c->x.v * c->x.v + c->y.v * c->y.v)) {
        c->extent = (by_k){sqrt(trace.v), 0.5 * trace.k / sqrt(trace.v)};
        c->xx = quotient(xx, trace);
        c->xy = quotient(xy, trace);
        c->yy = quotient(yy, trace);

        // c0 = 3 - 4 det S/t^2
        const by_k det = difference(product(c->xx, c->yy), product(c->xy, c->xy));
        c->turn = (by_k){3.0 - 4.0 * det.v, -4.0 * det.k};
    }
}

void bri_parts_set(contact_parts* p, double k)
{
    by_k total = {0.0, 0.0};
    memset(p->part, 0, p->count * sizeof *p->part);
    for (size_t i = 0; i < p->fine; i++) {
        const by_k w = weight_of(p, i, k);
        add(&total, w);
        sum_cell(p, &p->part[p->home[i]], w, p->x[i], p->y[i]);
    }
    for (size_t i = 0; i < p->count; i++) {
        finish_part(p, &p->part[i], total);
    }
}

// --- the cut ------------------------------------------------------------------------------------------

// Cells of the distributed model, empty ones included: so many fine ones each way, where these lie on a lattice.
static size_t count_cells(const br_cells* cells)
{
    return cells->columns == 0
               ? cells->count
               : (cells->columns / FINE_IN_CELL + 1) * (cells->rows / FINE_IN_CELL + 1);
}

static void gather_cells(const br_cells* cells, size_t* home)
{
    const size_t wide = cells->columns / FINE_IN_CELL + 1;
    for (size_t i = 0; i < cells->count; i++) {
        home[i] = cells->columns == 0
                      ? i
                      : cells->row[i] / FINE_IN_CELL * wide + cells->column[i] / FINE_IN_CELL;
    }
}

// Number the parts that have cells; `rank` has room for `count`.
static size_t drop_empty(size_t* home, size_t fine, size_t* rank, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        rank[i] = 0;
    }
    for (size_t i = 0; i < fine; i++) {
        rank[home[i]] = 1;
    }
    for (size_t i = 0; i < count; i++) {
        kept += rank[i];
        rank[i] = kept - rank[i];
    }
    for (size_t i = 0; i < fine; i++) {
        home[i] = rank[home[i]];
    }
    return kept;
}

static int make_room(contact_parts* p, const br_cells* cells)
{
    const size_t n = p->fine;
    double* at = p->memory = br_allocate(4 * n, sizeof *at);
    p->home = br_allocate(n + count_cells(cells), sizeof *p->home);
    p->x = at;
    p->y = at + n;
    p->weight = at + 2 * n;
    p->rho = at + 3 * n;
    return at && p->home;
}

// Places from the centre of pressure, in the axes of the contact frame.
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
        p->rho[i] = fmin(hypot(x, y) / p->unit, 1.0 - 1e-6); // on the rim there is no pressure
    }
    const br_vec2 own = cell_spread_of(patch, cells);
    p->xx = c * c * own.x + s * s * own.y;
    p->xy = c * s * (own.x - own.y);
    p->yy = s * s * own.x + c * c * own.y;
}

static br_status cut(contact_parts* p, const br_cells* cells, br_method method, size_t resolution,
                     br_reason* why)
{
    if (method == BR_METHOD_BLOCKS) {
        return br_cells_cut(cells, resolution, p->home, &p->count, why);
    }
    gather_cells(cells, p->home);
    p->count = drop_empty(p->home, p->fine, p->home + p->fine, count_cells(cells));
    return BR_OK;
}

static br_status no_memory(contact_parts* p, br_reason* why)
{
    bri_parts_destroy(p);
    br_reason_set(why, "", "%s", br_status_text(BR_ERR_MEMORY));
    return BR_ERR_MEMORY;
}

static br_status fill(contact_parts* p, const br_cells* cells, const br_patch* patch,
                      br_method method, size_t resolution, br_reason* why)
{
    p->fine = cells->count;
    if (!make_room(p, cells)) {
        return no_memory(p, why);
    }
    place_cells(p, cells, patch);
    const br_status status = cut(p, cells, method, resolution, why);
    if (status != BR_OK) {
        bri_parts_destroy(p);
        return status;
    }
    p->part = br_allocate(p->count, sizeof *p->part);
    if (!p->part) {
        return no_memory(p, why);
    }
    bri_parts_set(p, p->is_power ? br_by_force_eval(br_patch_get_def(patch)->k, 1.0) : 1.0);
    return BR_OK;
}

// The areas of a patch under a power pressure, which is laid over them.
static br_status make_even(const br_patch_def* def, br_patch** out, br_reason* why)
{
    br_patch_def even = *def;
    even.pressure = def->pressure == BR_PRESSURE_POWER ? BR_PRESSURE_UNIFORM : def->pressure;
    return br_patch_create(&even, out, why);
}

br_status bri_parts_create(const br_patch* patch, br_method method, size_t resolution,
                           contact_parts* out, br_reason* why)
{
    const br_patch_def* def = br_patch_get_def(patch);
    const int is_round = def->shape == BR_SHAPE_DISC || def->shape == BR_SHAPE_RING;
    const size_t fine =
        method == BR_METHOD_BLOCKS ? (size_t)FINE_ACROSS : FINE_IN_CELL * resolution;
    br_patch* even = NULL;
    br_cells* cells = NULL;
    *out = (contact_parts){.is_power = def->pressure == BR_PRESSURE_POWER,
                           .has_extent = method == BR_METHOD_BLOCKS,
                           .unit = is_round ? br_by_force_eval(def->radius, 1.0) : 1.0};
    br_status status = make_even(def, &even, why);
    status = status ? status : br_cells_create(even, 1.0, fine, &cells, why);
    status = status ? status : fill(out, cells, patch, method, resolution, why);
    br_cells_destroy(cells);
    br_patch_destroy(even);
    return status;
}

void bri_parts_destroy(contact_parts* p)
{
    br_release(p->memory);
    br_release(p->home);
    br_release(p->part);
    *p = (contact_parts){.count = 0};
}
