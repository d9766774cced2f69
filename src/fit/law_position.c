/*
 * Offset and friction that depend on the position: gravity or ripple of a gear that was not compensated, and bearings,
 * teeth or a load that change with the angle.
 *
 *   f = F(1 + sum d_j hat_j(x)) + offset + sum c_j hat_j(x),   F: friction of the law       (F-13), (F-20)
 *
 * x is the displacement since the first row; hats are linear between places at equal distances, less their means over
 * the rows. With F of the last round it is linear in the coefficients, so these follow from the residual r without
 * them: (c, d) = M^-1 A^T r, M = A^T A + ridge (A: hats, then hats times F), and the rest of a residual, and of each of
 * its derivatives, is P r = r - A (c, d) (variable projection). The ridge holds coefficients near 0 where few rows are.
 */
#include "fit/law_problem.h"

#include <math.h>
#include <string.h>

#include "fit/numbers.h"
#include "fit/supports.h"
#include "math/cholesky.h"

// Weight of a coefficient of 0, in rows: those of about a second count as one.
static const double ridge = 30.0;

// The first of the two hats at x, a share of the range, and the weight of the second.
static size_t hat_at(size_t places, double x, double* second)
{
    const double at = x * (double)(places - 1);
    const size_t i = at < (double)(places - 1) ? (size_t)at : places - 2;
    *second = at - (double)i;
    return i;
}

// A displacement as a share of the range; the first and the last place continue beyond it.
static double share_of(double from, double to, double x)
{
    return fmax(0.0, fmin((x - from) / (to - from), 1.0));
}

// sum c_j hat_j, without means
static double hats_at(const double* c, size_t places, double x)
{
    double b;
    const size_t i = places > 0 ? hat_at(places, x, &b) : 0;
    return places > 0 ? (1.0 - b) * c[i] + b * c[i + 1] : 0.0;
}

// --- normal equations --------------------------------------------------------------------------------

// The entries of a row of A that are not 0, without means; columns ascend.
typedef struct entries {
    size_t count, column[4];
    double hat[4], value[4];
} entries;

static void add_hats(entries* e, size_t first, size_t places, double x, double weight)
{
    double b;
    const size_t i = hat_at(places, x, &b);
    for (int k = 0; k < 2; k++) {
        e->column[e->count] = first + i + (size_t)k;
        e->hat[e->count] = k ? b : 1.0 - b;
        e->value[e->count] = weight * e->hat[e->count];
        e->count++;
    }
}

// Rows at rest do not count where the law has no bristles.
static int counts(const law_position* p, size_t i)
{
    return fabs(p->v[i]) > p->rest;
}

static entries row_of(const law_position* p, size_t i)
{
    entries e = {.count = 0};
    if (!counts(p, i)) {
        return e;
    }
    if (p->count > 0) {
        add_hats(&e, 0, p->count, p->at[i], 1.0);
    }
    if (p->gains > 0) {
        add_hats(&e, p->count, p->gains, p->at[i], p->friction[i]);
    }
    return e;
}

// Add `sign` times the rows first..last - 1 to sums.
static void sum_rows(const law_position* p, const double* r, size_t first, size_t last, double sign,
                     position_sums* s)
{
    const size_t n = p->count + p->gains;
    for (size_t i = first; i < last; i++) {
        if (!counts(p, i)) {
            continue;
        }
        const entries e = row_of(p, i);
        const double weight = p->gains > 0 ? p->friction[i] : 0.0;
        s->rows += sign;
        s->r += sign * r[i];
        s->square += sign * weight * weight;
        for (size_t a = 0; a < e.count; a++) {
            const double value = sign * e.value[a];
            s->hat[e.column[a]] += sign * e.hat[a];
            s->by_r[e.column[a]] += value * r[i];
            for (size_t b = 0; b <= a; b++) {
                s->product[e.column[a] * n + e.column[b]] += value * e.value[b];
            }
        }
    }
}

// Block of a column: 0 the offset, 1 the friction.
static size_t block_of(const law_position* p, size_t column)
{
    return column >= p->count;
}

// b becomes C^T b; C takes from each column its mean times the sum of its block.
static void center(const law_position* p, double* b)
{
    double sum[2] = {0.0, 0.0};
    for (size_t i = 0; i < p->count + p->gains; i++) {
        sum[block_of(p, i)] += b[i];
    }
    for (size_t i = 0; i < p->count + p->gains; i++) {
        b[i] -= p->mean[i] * sum[block_of(p, i)];
    }
}

// M = C^T A^T A C + ridge, and Cholesky's factor of it. Returns 0 if M is not positive definite.
static int factorize(law_position* p, const position_sums* s)
{
    const size_t n = p->count + p->gains;
    double *m = p->factor, column[POSITION_MOST];
    for (size_t i = 0; i < n; i++) {
        p->mean[i] = s->hat[i] / s->rows;
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            m[i * n + j] = i >= j ? s->product[i * n + j] : s->product[j * n + i];
        }
    }
    for (size_t i = 0; i < n; i++) {
        center(p, m + i * n); // A^T A C
    }
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < n; i++) {
            column[i] = m[i * n + j];
        }
        center(p, column);
        column[j] += ridge * (block_of(p, j) ? s->square / s->rows : 1.0);
        for (size_t i = 0; i < n; i++) {
            m[i * n + j] = column[i];
        }
    }
    return cholesky_factor(m, n);
}

// Coefficients from A^T r, in place, and their means over the rows.
static void solve(const law_position* p, double* c, double mean[2])
{
    const size_t n = p->count + p->gains;
    center(p, c);
    cholesky_solve(p->factor, n, c);
    mean[0] = mean[1] = 0.0;
    for (size_t i = 0; i < n; i++) {
        mean[block_of(p, i)] += p->mean[i] * c[i];
    }
}

// The part of row i that the coefficients describe.
static double described(const law_position* p, const double* c, const double mean[2], size_t i)
{
    const double offset = hats_at(c, p->count, p->at[i]) - mean[0];
    const double gain = hats_at(c + p->count, p->gains, p->at[i]) - mean[1];
    return offset + (p->gains > 0 ? p->friction[i] * gain : 0.0);
}

// Clear the sums that places use.
static void clear(const law_position* p, position_sums* s)
{
    const size_t n = p->count + p->gains;
    s->rows = s->r = s->square = 0.0;
    memset(s->hat, 0, sizeof s->hat);
    memset(s->by_r, 0, sizeof s->by_r);
    memset(s->product, 0, n * n * sizeof *s->product);
}

// --- a fit -------------------------------------------------------------------------------------------

static int find_range(law_position* p, const double* distance)
{
    p->from = p->to = distance[0];
    for (size_t i = 0; i < p->rows; i++) {
        p->from = fmin(p->from, distance[i]);
        p->to = fmax(p->to, distance[i]);
    }
    if (!(p->to > p->from) || !isfinite(p->to - p->from)) {
        return 0;
    }
    for (size_t i = 0; i < p->rows; i++) {
        p->at[i] = share_of(p->from, p->to, distance[i]);
    }
    return 1;
}

int bri_position_set(law_position* p, const double* distance, size_t places, size_t gains)
{
    p->count = p->gains = 0;
    if (places + gains == 0 || !find_range(p, distance)) {
        return 0;
    }
    p->count = places;
    p->gains = gains;
    position_sums* s = p->work;
    clear(p, s);
    sum_rows(p, p->at, 0, p->rows, 1.0, s); // of any r: it is not used
    if (!factorize(p, s)) {
        p->count = p->gains = 0;
    }
    return p->count + p->gains > 0;
}

// Places with the values of their coefficients.
static void fill(const law_position* p, const double* c, size_t places, double mean,
                 br_fit_offset_map* map)
{
    *map = (br_fit_offset_map){.count = places, .from = p->from, .to = p->to};
    for (size_t i = 0; i < places; i++) {
        map->offset[i] = c[i] - mean;
    }
}

void bri_position_project(const law_position* p, double* column, br_fit_offset_map* offset,
                          br_fit_offset_map* friction)
{
    double c[POSITION_MOST] = {0.0}, mean[2];
    for (size_t i = 0; i < p->rows; i++) {
        const entries e = row_of(p, i);
        for (size_t a = 0; a < e.count; a++) {
            c[e.column[a]] += e.value[a] * column[i];
        }
    }
    solve(p, c, mean);
    for (size_t i = 0; i < p->rows; i++) {
        column[i] -= described(p, c, mean, i);
    }
    if (offset && friction) {
        fill(p, c, p->count, mean[0], offset);
        fill(p, c + p->count, p->gains, mean[1], friction);
    }
}

// --- choice ------------------------------------------------------------------------------------------

enum { BLOCKS_LEFT_OUT = 20, LEAST_ROWS = 10 * BLOCKS_LEFT_OUT };

// A smaller share of the mean square is not worth places.
static const double least_gain = 0.01;

// Mean square of each block of rows, predicted from the others.
static void predict_blocks(law_position* p, const double* r, double square[BLOCKS_LEFT_OUT])
{
    position_sums* s = p->work;
    clear(p, s);
    sum_rows(p, r, 0, p->rows, 1.0, s);
    for (size_t b = 0; b < BLOCKS_LEFT_OUT; b++) {
        // rows i with i BLOCKS_LEFT_OUT/rows == b
        const size_t first = (b * p->rows + BLOCKS_LEFT_OUT - 1) / BLOCKS_LEFT_OUT;
        const size_t last = ((b + 1) * p->rows + BLOCKS_LEFT_OUT - 1) / BLOCKS_LEFT_OUT;
        double c[POSITION_MOST], mean[2];
        sum_rows(p, r, first, last, -1.0, s);
        const int is_solved = factorize(p, s);
        memcpy(c, s->by_r, sizeof c);
        solve(p, c, mean);
        square[b] = is_solved ? 0.0 : HUGE_VAL;
        for (size_t i = first; i < last; i++) {
            const double rest = r[i] - s->r / s->rows - described(p, c, mean, i);
            square[b] += counts(p, i) ? rest * rest / (double)(last - first) : 0.0;
        }
        sum_rows(p, r, first, last, 1.0, s);
    }
}

// Are most rows at places that are passed in both directions? Only there an offset differs from friction.
static int is_passed_twice(const law_position* p, size_t places)
{
    size_t passed[BR_FIT_PLACES + 1][2] = {{0, 0}}, both = 0;
    for (size_t i = 0; i < p->rows; i++) {
        passed[(size_t)(p->at[i] * (double)(places - 1))][p->v[i] > 0.0] +=
            p->v[i] != 0.0 && counts(p, i);
    }
    for (size_t i = 0; i < places; i++) {
        const size_t fewer = passed[i][0] < passed[i][1] ? passed[i][0] : passed[i][1];
        both += 10 * fewer > passed[i][0] + passed[i][1] ? passed[i][0] + passed[i][1] : 0;
    }
    return 2 * both > p->rows;
}

// The number of places, up to `most`, that predicts blocks best; 0 where it is not better by a standard error. *places
// is that of the offset or of the friction.
static size_t choose(law_position* p, size_t* places, size_t most, const double* r)
{
    double before[BLOCKS_LEFT_OUT], after[BLOCKS_LEFT_OUT], total = 0.0;
    size_t best = 0;
    predict_blocks(p, r, before);
    for (size_t i = 0; i < BLOCKS_LEFT_OUT; i++) {
        total += before[i];
    }
    double best_gain = least_gain * total;
    for (*places = 2; *places <= most; *places *= 2) {
        double sum = 0.0, square = 0.0;
        predict_blocks(p, r, after);
        for (size_t i = 0; i < BLOCKS_LEFT_OUT; i++) {
            sum += before[i] - after[i];
            square += (before[i] - after[i]) * (before[i] - after[i]);
        }
        if (sum > best_gain && is_passed_twice(p, *places) &&
            bri_is_gain(sum, square, BLOCKS_LEFT_OUT, 1.0)) {
            best_gain = sum;
            best = *places;
        }
    }
    return *places = best;
}

size_t bri_position_choose(law_position* p, const double* distance, const double* residual)
{
    p->count = p->gains = 0;
    return p->rows >= LEAST_ROWS && find_range(p, distance)
               ? choose(p, &p->count, BR_FIT_PLACES, residual)
               : 0;
}

size_t bri_position_choose_gains(law_position* p, const double* residual)
{
    p->gains = 0;
    return p->rows >= LEAST_ROWS && p->to > p->from ? choose(p, &p->gains, POSITION_GAINS, residual)
                                                    : 0;
}

void bri_position_add(const br_fit_law_result* fit, const br_fit_law_data* d, double* f)
{
    const br_fit_offset_map *offset = &fit->map, *friction = &fit->friction_map;
    const double constant = fit->estimates[BR_FIT_OFFSET].value;
    double x = 0.0;
    for (size_t i = 0; offset->count + friction->count > 0 && i < d->count; i++) {
        x += i > 0 ? bri_moved(d, i) : 0.0;
        f[i] += hats_at(offset->offset, offset->count, share_of(offset->from, offset->to, x)) +
                (f[i] - constant) * hats_at(friction->offset, friction->count,
                                            share_of(friction->from, friction->to, x));
    }
}
