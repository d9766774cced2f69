/*
 * An offset that depends on the position, from uncompensated gravity or ripple of a gear.
 *
 *   offset(x) = offset + sum c_j (hat_j(x) - its mean),   x: the displacement since the first row
 *
 * hats being linear between places that are at equal distances. It is linear in c, so c follows from the residual
 * r without it: c = M^-1 A^T r, M = A^T A + ridge (A: hats less their means), and the rest of a residual, and of each
 * of its derivatives, is P r = r - A c (variable projection). The ridge holds c near 0 where few rows are. (F-13)
 */
#include "fit/law_problem.h"

#include <math.h>
#include <string.h>

#include "fit/numbers.h"
#include "fit/supports.h"
#include "math/cholesky.h"

// Weight of a coefficient of 0, in rows: those of about a second count as one.
static const double ridge = 30.0;

// x in units of places, clamped to 0..count - 1.
static double at_of(const law_position* p, double x)
{
    const double last = (double)(p->count - 1);
    return fmax(0.0, fmin((x - p->from) / (p->to - p->from) * last, last));
}

// One more than places: a row at the last place has a share of 0 of the next one.
enum { SLOTS = BR_FIT_PLACES + 1 };

// Sums over rows: how many, r, hats, products of hats, hats times r.
typedef struct sums {
    double rows, r;
    double hat[SLOTS], square[SLOTS], next[SLOTS], hat_r[SLOTS];
} sums;

static void sum_row(double at, double r, sums* s)
{
    const size_t i = (size_t)at;
    const double b = at - (double)i, a = 1.0 - b;
    s->rows += 1.0;
    s->r += r;
    s->hat[i] += a;
    s->hat[i + 1] += b;
    s->square[i] += a * a;
    s->square[i + 1] += b * b;
    s->next[i] += a * b;
    s->hat_r[i] += a * r;
    s->hat_r[i + 1] += b * r;
}

// M = A^T A + ridge of hats less their means, and Cholesky's factor of it.
static void factorize(law_position* p, const sums* s)
{
    const size_t n = p->count;
    for (size_t i = 0; i < n; i++) {
        p->mean[i] = s->hat[i] / s->rows;
        for (size_t j = 0; j <= i; j++) {
            p->factor[i * n + j] = -s->hat[i] * p->mean[j] + (i == j       ? s->square[i] + ridge
                                                              : i == j + 1 ? s->next[j]
                                                                           : 0.0);
        }
    }
    cholesky_factor(p->factor, n);
}

// c = M^-1 A^T r, from the sums with r
static void solve(const law_position* p, const sums* s, double* c)
{
    for (size_t i = 0; i < p->count; i++) {
        c[i] = s->hat_r[i] - p->mean[i] * s->r;
    }
    cholesky_solve(p->factor, p->count, c);
}

static double mean_of(const law_position* p, const double* c)
{
    double sum = 0.0;
    for (size_t i = 0; i < p->count; i++) {
        sum += p->mean[i] * c[i];
    }
    return sum;
}

// sum c_j hat_j; c has SLOTS
static double hats_at(const double* c, double at)
{
    const size_t i = (size_t)at;
    const double b = at - (double)i;
    return (1.0 - b) * c[i] + b * c[i + 1];
}

static int lay_hats(law_position* p, const double* distance, size_t rows, size_t places)
{
    *p = (law_position){.count = places, .rows = rows, .from = distance[0], .to = distance[0]};
    for (size_t i = 0; i < rows; i++) {
        p->from = fmin(p->from, distance[i]);
        p->to = fmax(p->to, distance[i]);
    }
    return p->to > p->from && isfinite(p->to - p->from);
}

int bri_position_set(law_position* p, const double* distance, size_t rows, size_t places,
                     double* scratch)
{
    sums s = {.rows = 0.0};
    if (places == 0 || !lay_hats(p, distance, rows, places)) {
        *p = (law_position){.count = 0};
        return 0;
    }
    for (size_t i = 0; i < rows; i++) {
        scratch[i] = at_of(p, distance[i]);
        sum_row(scratch[i], 0.0, &s);
    }
    p->at = scratch;
    factorize(p, &s);
    return 1;
}

void bri_position_project(const law_position* p, double* column, br_fit_offset_map* map)
{
    double c[SLOTS] = {0.0};
    sums s = {.rows = 0.0};
    for (size_t i = 0; i < p->rows; i++) {
        const size_t at = (size_t)p->at[i];
        const double r = column[i], b = p->at[i] - (double)at;
        s.r += r;
        s.hat_r[at] += (1.0 - b) * r;
        s.hat_r[at + 1] += b * r;
    }
    solve(p, &s, c);
    const double mean = mean_of(p, c);
    for (size_t i = 0; i < p->rows; i++) {
        column[i] -= hats_at(c, p->at[i]) - mean;
    }
    if (map) {
        *map = (br_fit_offset_map){.count = p->count, .from = p->from, .to = p->to};
        for (size_t i = 0; i < p->count; i++) {
            map->offset[i] = c[i] - mean;
        }
    }
}

// --- choice ------------------------------------------------------------------------------------------

enum { BLOCKS_LEFT_OUT = 10, LEAST_ROWS = 20 * BLOCKS_LEFT_OUT };

// A smaller share of the mean square is not worth an offset by position.
static const double least_gain = 0.01;

// Decrease of the mean square of a block that the other blocks predict, from the sums of each.
static double gain_of(law_position* p, const sums* blocks, size_t block, const double* distance,
                      const double* residual)
{
    sums s = {.rows = 0.0};
    double c[SLOTS] = {0.0}, gain = 0.0, rows = 0.0;
    for (size_t b = 0; b < BLOCKS_LEFT_OUT; b++) {
        const double* of_block = (const double*)&blocks[b];
        for (size_t i = 0; b != block && i < sizeof s / sizeof(double); i++) {
            // sums consists of doubles alone, all set to 0 above
            // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign)
            ((double*)&s)[i] += of_block[i];
        }
    }
    factorize(p, &s);
    solve(p, &s, c);
    const double offset = s.r / s.rows, mean = mean_of(p, c);
    for (size_t i = 0; i < p->rows; i++) {
        if (i * BLOCKS_LEFT_OUT / p->rows == block) {
            const double before = residual[i] - offset;
            const double after = before - (hats_at(c, at_of(p, distance[i])) - mean);
            gain += before * before - after * after;
            rows += 1.0;
        }
    }
    return gain / rows;
}

// Are most rows at places that are passed in both directions? Only there an offset differs from friction.
static int is_passed_twice(const law_position* p, const double* distance, const double* v,
                           size_t rows)
{
    size_t passed[SLOTS][2] = {{0, 0}}, both = 0;
    for (size_t i = 0; i < rows; i++) {
        passed[(size_t)at_of(p, distance[i])][v[i] > 0.0] += v[i] != 0.0;
    }
    for (size_t i = 0; i < p->count; i++) {
        const size_t fewer = passed[i][0] < passed[i][1] ? passed[i][0] : passed[i][1];
        both += 10 * fewer > passed[i][0] + passed[i][1] ? passed[i][0] + passed[i][1] : 0;
    }
    return 2 * both > rows;
}

size_t bri_position_choose(const double* distance, const double* v, const double* residual,
                           size_t rows)
{
    size_t best = 0;
    if (rows < LEAST_ROWS) {
        return 0;
    }
    double total = 0.0;
    for (size_t i = 0; i < rows; i++) {
        total += residual[i] * residual[i];
    }
    double best_gain = least_gain * BLOCKS_LEFT_OUT * (total / (double)rows);
    law_position p;
    for (size_t places = 2; places <= BR_FIT_PLACES && lay_hats(&p, distance, rows, places);
         places *= 2) {
        sums blocks[BLOCKS_LEFT_OUT] = {{.rows = 0.0}};
        double sum = 0.0, square = 0.0;
        for (size_t i = 0; i < rows; i++) {
            sum_row(at_of(&p, distance[i]), residual[i], &blocks[i * BLOCKS_LEFT_OUT / rows]);
        }
        for (size_t b = 0; b < BLOCKS_LEFT_OUT; b++) {
            const double gain = gain_of(&p, blocks, b, distance, residual);
            sum += gain;
            square += gain * gain;
        }
        if (sum > best_gain && is_passed_twice(&p, distance, v, rows) &&
            bri_is_gain(sum, square, BLOCKS_LEFT_OUT, 1.0)) {
            best_gain = sum;
            best = places;
        }
    }
    return best;
}

void bri_position_add(const br_fit_offset_map* map, const br_fit_law_data* d, double* f)
{
    const law_position p = {.count = map->count, .from = map->from, .to = map->to};
    double x = 0.0, offset[SLOTS] = {0.0};
    memcpy(offset, map->offset, map->count * sizeof *offset);
    for (size_t i = 0; map->count > 0 && i < d->count; i++) {
        x += i > 0 ? bri_moved(d, i) : 0.0;
        f[i] += hats_at(offset, at_of(&p, x));
    }
}
