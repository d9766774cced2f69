/*
 * A table of g(v) from rows in steady sliding.
 *
 *   f = fn g(|v|) sgn v + offset                                                                (F-19)
 *
 * g: monotone cubics of br_law_set_curve() between nodes at quantiles of |v|, so that each piece has as many rows. Least
 * squares by Gauss and Newton; a node acts on four pieces.
 */
#include "fit/numbers.h"

#include <math.h>
#include <string.h>

#include "fit/law_problem.h"
#include "math/cholesky.h"

enum { MOST = BR_CURVE_NODES + 1, ROUNDS = 30, ROWS_PER_NODE = 4 };

// Blocks of rows, of which every other one is held out to choose the number of nodes: in a ramp the last half of the rows has
// other speeds than the first.
enum { BLOCKS = 20 };

// Weight of g(0) = g at the second node, in rows: it counts where no row is slower than that node.
static const double AT_REST = 1e-6;

static const double DIFFERENCE = 1e-6; // of the derivatives by nodes, over the largest coefficient

typedef struct table_fit {
    const br_fit_law_data* data;
    size_t block;               // rows of a block; 0: the rows are in their order
    size_t rows;                // of the fit, from the first
    double slowest;             // of its rows in motion [m/s]
    size_t count;               // nodes
    double v[BR_CURVE_NODES];   // of the nodes [m/s]
    double scale;               // mean |f|/fn
    br_curve* curve;            // the table, and with each node moved (1 + count)
    br_law* law;                // their laws
    double normal[MOST * MOST]; // J^T J, then its factor
    double right[MOST];         // J^T r
    double square;              // r^T r
    double follows;             // sum of products of neighbouring residuals
    size_t used;                // rows in motion
    int is_one_direction;       // the offset is then taken as 0
} table_fit;

// Index of row i in the data: with blocks first those with even numbers, then the others and what is left over.
static size_t row_at(const table_fit* t, size_t i)
{
    const size_t half = BLOCKS / 2 * t->block, j = i < half ? i : i - half;
    if (t->block == 0 || i >= 2 * half) {
        return i;
    }
    return (2 * (j / t->block) + (i >= half)) * t->block + j % t->block;
}

static double normal_force(const br_fit_law_data* d, size_t i)
{
    return d->fn ? d->fn[i] : 1.0;
}

static void set_law(table_fit* t, size_t which, const double* g)
{
    double positive[BR_CURVE_NODES];
    for (size_t k = 0; k < t->count; k++) {
        positive[k] = fmax(g[k], DIFFERENCE * t->scale);
    }
    t->law[which] = br_law_default(BR_LAW_STRIBECK);
    t->law[which].sigma2 = 0.0;
    br_law_set_curve(&t->law[which], &t->curve[which], t->count, t->v, positive, NULL, NULL);
}

static double residual_of(const table_fit* t, const double* p, size_t i)
{
    const br_fit_law_data* d = t->data;
    const double f =
        br_law_sliding(&t->law[0], d->v[i], copysign(1.0, d->v[i]), normal_force(d, i), NULL);
    return d->f[i] - f - p[t->count];
}

// Can node k act at this speed? Its slope and those of its neighbours do, on two pieces to each side.
static int acts_at(const table_fit* t, size_t k, double speed)
{
    return (k < 2 || speed >= t->v[k - 2]) && (k + 2 >= t->count || speed <= t->v[k + 2]);
}

// Derivatives of the force of a row by all nodes and the offset.
static void row_of(const table_fit* t, size_t i, double* row)
{
    const double v = t->data->v[i], fn = normal_force(t->data, i), g = br_law_g(&t->law[0], v);
    for (size_t k = 0; k < t->count; k++) {
        const double more = acts_at(t, k, fabs(v)) ? br_law_g(&t->law[1 + k], v) - g : 0.0;
        row[k] = copysign(fn, v) * more / (DIFFERENCE * t->scale);
    }
    row[t->count] = t->is_one_direction ? 0.0 : 1.0;
}

static double sum_of_squares(table_fit* t, const double* p)
{
    double sum = 0.0;
    set_law(t, 0, p);
    for (size_t n = 0; n < t->rows; n++) {
        const size_t i = row_at(t, n);
        const double r = t->data->v[i] != 0.0 ? residual_of(t, p, i) : 0.0;
        sum += r * r;
    }
    return sum;
}

// J^T J and J^T r at p.
static void linearize(table_fit* t, const double* p)
{
    const size_t n = t->count + 1;
    double moved[BR_CURVE_NODES], row[MOST], before = 0.0;
    memset(t->normal, 0, sizeof t->normal);
    memset(t->right, 0, sizeof t->right);
    t->square = t->follows = 0.0;
    t->used = 0;
    set_law(t, 0, p);
    for (size_t k = 0; k < t->count; k++) {
        memcpy(moved, p, t->count * sizeof *moved);
        moved[k] += DIFFERENCE * t->scale;
        set_law(t, 1 + k, moved);
    }
    for (size_t k = 0; k < t->rows; k++) {
        const size_t i = row_at(t, k);
        if (t->data->v[i] == 0.0) {
            continue; // friction at rest is any
        }
        const double r = residual_of(t, p, i);
        row_of(t, i, row);
        for (size_t a = 0; a < n; a++) {
            t->right[a] += row[a] * r;
            for (size_t b = 0; b <= a; b++) {
                t->normal[a * n + b] += row[a] * row[b];
            }
        }
        t->square += r * r;
        t->follows += r * before;
        before = r;
        t->used++;
    }
    t->normal[n * n - 1] += t->is_one_direction;
    const double weight = AT_REST * t->normal[n + 1];
    t->normal[0] += weight;
    t->normal[n] -= weight;
    t->normal[n + 1] += weight;
    t->right[0] += weight * (p[1] - p[0]);
    t->right[1] -= weight * (p[1] - p[0]);
}

// One step, halved until it improves. Returns its size over the scale; < 0: the nodes are not identifiable.
static double improve(table_fit* t, double* p)
{
    const size_t n = t->count + 1;
    linearize(t, p);
    if (!cholesky_factor_above(t->normal, n, -HUGE_VAL)) {
        return -1.0;
    }
    cholesky_solve(t->normal, n, t->right);
    for (double share = 1.0; share > 1e-3; share *= 0.5) {
        double trial[MOST] = {0.0}, size = 0.0;
        for (size_t k = 0; k < n; k++) {
            trial[k] = p[k] + share * t->right[k];
            size = fmax(size, fabs(share * t->right[k]));
        }
        if (sum_of_squares(t, trial) <= t->square) {
            memcpy(p, trial, n * sizeof *p);
            return size / t->scale;
        }
    }
    return 0.0;
}

// Nodes at 0 and at quantiles of the speeds; fewer than wanted where speeds repeat.
static void place_nodes(table_fit* t, size_t wanted, const double* sorted, size_t moving)
{
    t->count = 1;
    t->v[0] = 0.0;
    for (size_t k = 1; k < wanted; k++) {
        const double v = sorted[(moving - 1) * k / (wanted - 1)];
        if (v > t->v[t->count - 1]) {
            t->v[t->count++] = v;
        }
    }
}

static br_status solve(table_fit* t, double* p, br_reason* why)
{
    for (size_t k = 0; k <= t->count; k++) {
        p[k] = k < t->count ? t->scale : 0.0;
    }
    double size = 1.0;
    for (int round = 0; round < ROUNDS && size > 1e-9; round++) {
        size = improve(t, p);
    }
    if (size < 0.0) {
        return REFUSE(BR_ERR_DEF, why, "v",
                      "not all of %zu nodes can be identified: use fewer, or "
                      "measure in both directions at more speeds",
                      t->count);
    }
    linearize(t, p);
    return BR_OK;
}

// Standard errors from the inverse of J^T J, widened for residuals that are correlated from row to row.
static void set_errors(table_fit* t, const double* p, double level, br_fit_table* out)
{
    const size_t n = t->count + 1;
    const double left = (double)t->used - (double)n;
    const double lag = fmin(fmax(t->follows / t->square, 0.0), 0.99);
    const double variance = t->square / left * (1.0 + lag) / (1.0 - lag);
    const double wide = bri_student_quantile(level, left);
    cholesky_factor(t->normal, n);
    for (size_t k = 0; k < n; k++) {
        double column[MOST] = {0.0};
        column[k] = 1.0;
        cholesky_solve(t->normal, n, column);
        // without rows near rest g(0) is a continuation of the curve
        const int is_seen = k > 0 || t->slowest < 0.5 * t->v[1];
        const double error = is_seen ? sqrt(variance * column[k]) : HUGE_VAL;
        if (k == t->count) {
            out->offset = p[k];
            out->offset_error = t->is_one_direction ? HUGE_VAL : error;
            return;
        }
        out->v[k] = t->v[k];
        out->g[k] = fmax(p[k], DIFFERENCE * t->scale);
        out->error[k] = error;
        out->low[k] = out->g[k] - wide * error;
        out->high[k] = out->g[k] + wide * error;
    }
}

static double error_beyond(table_fit* t, const double* p)
{
    double sum = 0.0;
    size_t used = 0;
    set_law(t, 0, p);
    for (size_t n = t->rows; n < t->data->count; n++) {
        const size_t i = row_at(t, n);
        const double r = t->data->v[i] != 0.0 ? residual_of(t, p, i) : 0.0;
        sum += r * r;
        used += t->data->v[i] != 0.0;
    }
    return used > 0 ? sqrt(sum / (double)used) : (double)NAN;
}

// Absolute speeds of rows in motion, sorted, of the rows of the fit; their number.
static size_t sort_speeds(const table_fit* t, double* sorted)
{
    size_t moving = 0;
    for (size_t i = 0; i < t->rows; i++) {
        const double v = t->data->v[row_at(t, i)];
        if (v != 0.0) {
            sorted[moving++] = fabs(v);
        }
    }
    if (moving > 0) {
        bri_quantile(sorted, moving, 0); // sorts
    }
    return moving;
}

// Fit `wanted` nodes to the first `rows`.
static br_status fit_nodes(table_fit* t, size_t wanted, size_t rows, double level, double* sorted,
                           br_fit_table* out, br_reason* why)
{
    double p[MOST] = {0.0};
    t->rows = rows;
    const size_t moving = sort_speeds(t, sorted);
    if (moving < ROWS_PER_NODE * (wanted + 1)) {
        return REFUSE(BR_ERR_DEF, why, "data",
                      "%zu rows in motion for %zu nodes: at least %d for each", moving, wanted,
                      ROWS_PER_NODE);
    }
    place_nodes(t, wanted, sorted, moving);
    t->slowest = sorted[0];
    if (t->count < 2) {
        return REFUSE(BR_ERR_DEF, why, "v", "must have several speeds");
    }
    const br_status status = solve(t, p, why);
    if (status != BR_OK) {
        return status;
    }
    *out = (br_fit_table){.count = t->count, .rows = t->used};
    out->rms = sqrt(t->square / (double)t->used);
    out->rms_held_out = error_beyond(t, p);
    set_errors(t, p, level, out);
    return BR_OK;
}

// The number of nodes, smallest first, whose error on held-out rows is within 1 % of the smallest; 0: none can be fitted.
static size_t choose_nodes(table_fit* t, size_t rows, double* sorted, br_fit_table* out,
                           br_reason* why)
{
    static const size_t counts[] = {2, 3, 4, 6, 8, 12, 16, 24};
    enum { COUNTS = sizeof counts / sizeof *counts };
    double error[COUNTS], best = HUGE_VAL;
    for (size_t i = 0; i < COUNTS; i++) {
        const br_status status = fit_nodes(t, counts[i], rows, 0.95, sorted, out, why);
        error[i] = status == BR_OK ? out->rms_held_out : HUGE_VAL;
        best = fmin(best, error[i]);
    }
    for (size_t i = 0; i < COUNTS; i++) {
        if (error[i] < HUGE_VAL && error[i] <= 1.01 * best) {
            return counts[i];
        }
    }
    return 0;
}

static br_status fit_table(table_fit* t, size_t nodes, double hold_out, double level,
                           double* sorted, br_fit_table* out, br_reason* why)
{
    const size_t all = t->data->count;
    const int in_blocks = nodes == 0 && hold_out == 0.0;
    t->block = in_blocks ? all / BLOCKS : 0;
    const size_t rows = in_blocks ? BLOCKS / 2 * t->block : all - (size_t)(hold_out * (double)all);
    for (size_t i = 0; i < all; i++) {
        t->scale += fabs(t->data->f[i]) / normal_force(t->data, i) / (double)all;
    }
    double noise;
    const br_status status_of_noise = bri_sample_noise(t->data->t, t->data->v, all, &noise, why);
    if (status_of_noise != BR_OK) {
        return status_of_noise;
    }
    t->is_one_direction = bri_law_motion(t->data, noise).is_one_direction;
    const br_status sign = bri_law_check_sign(t->data, 1.0, 0.0, why);
    if (sign != BR_OK) {
        return sign;
    }
    nodes = nodes ? nodes : choose_nodes(t, rows, sorted, out, why);
    if (nodes == 0) {
        return BR_ERR_DEF; // with the reason of the last
    }
    double held_out = (double)NAN;
    br_status status = fit_nodes(t, nodes, rows, level, sorted, out, why);
    if (status == BR_OK && rows < all) {
        held_out = out->rms_held_out;
        status = fit_nodes(t, nodes, all, level, sorted, out, why);
    }
    out->rms_held_out = held_out;
    return status;
}

br_status br_fit_law_table(const br_fit_law_data* data, size_t nodes, double hold_out, double level,
                           br_fit_table* out, br_reason* why)
{
    BR_ASSERT(data && out);
    if (nodes == 1 || nodes > BR_CURVE_NODES) {
        return REFUSE(BR_ERR_ARG, why, "nodes", "must be 0 or 2..%d, got %zu", BR_CURVE_NODES,
                      nodes);
    }
    if (!(hold_out >= 0.0 && hold_out <= 0.9) || !(level > 0.0 && level < 1.0)) {
        return REFUSE(BR_ERR_ARG, why, "hold_out", "must be in 0..0.9, and level in (0, 1)");
    }
    const br_status status = br_fit_law_data_check(data, why);
    if (status != BR_OK) {
        return status;
    }
    const size_t most = (nodes ? nodes : 24) + 1;
    table_fit t = {.data = data,
                   .curve = br_allocate(most, sizeof *t.curve),
                   .law = br_allocate(most, sizeof *t.law)};
    double* sorted = br_allocate(data->count, sizeof *sorted);
    const br_status found = t.curve && t.law && sorted
                                ? fit_table(&t, nodes, hold_out, level, sorted, out, why)
                                : bri_out_of_memory(why);
    br_release(sorted);
    br_release(t.law);
    br_release(t.curve);
    return found;
}
