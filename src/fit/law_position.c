/*
 * An offset that depends on the position: see law_position.h.
 */
#include "fit/law_position.h"

#include <math.h>
#include <string.h>

#include "fit/left_out.h"

// As many rows would have to speak against a coefficient of 0: those of a second or so are like one.
static const double ridge = 30.0;

void bri_position_way(const br_fit_law_data* d, double* way)
{
    way[0] = 0.0;
    for (size_t i = 1; i < d->count; i++) {
        way[i] = way[i - 1] + 0.5 * (d->v[i] + d->v[i - 1]) * (d->t[i] - d->t[i - 1]);
    }
}

// x counted in places, from 0 to count - 1; beyond them the last.
static double at_of(const law_position* p, double x)
{
    const double last = (double)(p->count - 1);
    return fmax(0.0, fmin((x - p->from) / (p->to - p->from) * last, last));
}

// One more than places: a row at the last place has a share of 0 of one behind it.
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

static void sums_add(sums* to, const sums* from, double factor)
{
    double* x = (double*)to;
    const double* y = (const double*)from;
    for (size_t i = 0; i < sizeof *to / sizeof *x; i++) {
        x[i] += factor * y[i];
    }
}

// M = A^T A + ridge of hats less their means, and Cholesky's factor of it.
static void factorize(law_position* p, const sums* s)
{
    for (size_t i = 0; i < p->count; i++) {
        p->mean[i] = s->hat[i] / s->rows;
    }
    for (size_t i = 0; i < p->count; i++) {
        for (size_t j = 0; j <= i; j++) {
            double sum = -s->hat[i] * p->mean[j];
            sum += i == j ? s->square[i] + ridge : i == j + 1 ? s->next[j] : 0.0;
            for (size_t k = 0; k < j; k++) {
                sum -= p->factor[i][k] * p->factor[j][k];
            }
            p->factor[i][j] = i == j ? sqrt(sum) : sum / p->factor[j][j];
        }
    }
}

// c = M^-1 A^T r, from the sums with r
static void solve(const law_position* p, const sums* s, double* c)
{
    for (size_t i = 0; i < p->count; i++) {
        c[i] = s->hat_r[i] - p->mean[i] * s->r;
        for (size_t k = 0; k < i; k++) {
            c[i] -= p->factor[i][k] * c[k];
        }
        c[i] /= p->factor[i][i];
    }
    for (size_t i = p->count; i-- > 0;) {
        for (size_t k = i + 1; k < p->count; k++) {
            c[i] -= p->factor[k][i] * c[k];
        }
        c[i] /= p->factor[i][i];
    }
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

static int spread(law_position* p, const double* way, size_t rows, size_t places)
{
    *p = (law_position){.count = places, .rows = rows, .from = way[0], .to = way[0]};
    for (size_t i = 0; i < rows; i++) {
        p->from = fmin(p->from, way[i]);
        p->to = fmax(p->to, way[i]);
    }
    return p->to > p->from && isfinite(p->to - p->from);
}

int bri_position_set(law_position* p, const double* way, size_t rows, size_t places, double* room)
{
    sums s = {.rows = 0.0};
    if (places == 0 || !spread(p, way, rows, places)) {
        *p = (law_position){.count = 0};
        return 0;
    }
    for (size_t i = 0; i < rows; i++) {
        room[i] = at_of(p, way[i]);
        sum_row(room[i], 0.0, &s);
    }
    p->at = room;
    factorize(p, &s);
    return 1;
}

void bri_position_project(const law_position* p, double* column, double* c)
{
    double own[SLOTS] = {0.0};
    sums s = {.rows = 0.0};
    for (size_t i = 0; i < p->rows; i++) {
        const size_t at = (size_t)p->at[i];
        const double r = column[i], b = p->at[i] - (double)at;
        s.r += r;
        s.hat_r[at] += (1.0 - b) * r;
        s.hat_r[at + 1] += b * r;
    }
    solve(p, &s, own);
    const double mean = mean_of(p, own);
    for (size_t i = 0; i < p->rows; i++) {
        column[i] -= hats_at(own, p->at[i]) - mean;
    }
    if (c) {
        memcpy(c, own, p->count * sizeof *c);
    }
}

// --- choice ------------------------------------------------------------------------------------------

enum { BLOCKS_LEFT_OUT = 10, LEAST_ROWS = 20 * BLOCKS_LEFT_OUT };

// Of the mean square, below which nobody would miss it.
static const double least_gain = 0.01;

static double mean_square(const double* r, size_t rows)
{
    double sum = 0.0;
    for (size_t i = 0; i < rows; i++) {
        sum += r[i] * r[i];
    }
    return sum / (double)rows;
}

// How much less the mean square of a block is when the other blocks predict it, with these sums of each.
static double gain_of(law_position* p, const sums* blocks, size_t block, const double* way,
                      const double* residual)
{
    sums s = {.rows = 0.0};
    double c[SLOTS] = {0.0}, gain = 0.0, rows = 0.0;
    for (size_t b = 0; b < BLOCKS_LEFT_OUT; b++) {
        sums_add(&s, &blocks[b], b == block ? 0.0 : 1.0);
    }
    factorize(p, &s);
    solve(p, &s, c);
    const double offset = s.r / s.rows, mean = mean_of(p, c);
    for (size_t i = 0; i < p->rows; i++) {
        if (bri_block_of(i, p->rows, BLOCKS_LEFT_OUT) == block) {
            const double before = residual[i] - offset;
            const double after = before - (hats_at(c, at_of(p, way[i])) - mean);
            gain += before * before - after * after;
            rows += 1.0;
        }
    }
    return gain / rows;
}

// Are most rows where it passes in both directions? Only there friction is not an offset.
static int goes_both_ways(const law_position* p, const double* way, const double* v, size_t rows)
{
    size_t passed[SLOTS][2] = {{0, 0}}, both = 0;
    for (size_t i = 0; i < rows; i++) {
        passed[(size_t)at_of(p, way[i])][v[i] > 0.0] += v[i] != 0.0;
    }
    for (size_t i = 0; i < p->count; i++) {
        const size_t fewer = passed[i][0] < passed[i][1] ? passed[i][0] : passed[i][1];
        both += 10 * fewer > passed[i][0] + passed[i][1] ? passed[i][0] + passed[i][1] : 0;
    }
    return 2 * both > rows;
}

size_t bri_position_choose(const double* way, const double* v, const double* residual, size_t rows)
{
    size_t best = 0;
    if (rows < LEAST_ROWS) {
        return 0;
    }
    double most = least_gain * BLOCKS_LEFT_OUT * mean_square(residual, rows);
    law_position p;
    for (size_t places = 2; places <= BR_FIT_PLACES && spread(&p, way, rows, places); places *= 2) {
        sums blocks[BLOCKS_LEFT_OUT] = {{.rows = 0.0}};
        double sum = 0.0, square = 0.0;
        for (size_t i = 0; i < rows; i++) {
            sum_row(at_of(&p, way[i]), residual[i],
                    &blocks[bri_block_of(i, rows, BLOCKS_LEFT_OUT)]);
        }
        for (size_t b = 0; b < BLOCKS_LEFT_OUT; b++) {
            const double gain = gain_of(&p, blocks, b, way, residual);
            sum += gain;
            square += gain * gain;
        }
        if (sum > most && goes_both_ways(&p, way, v, rows) &&
            bri_is_gain(sum, square, BLOCKS_LEFT_OUT, 1.0)) {
            most = sum;
            best = places;
        }
    }
    return best;
}

void bri_position_map(const law_position* p, const double* c, br_fit_offset_map* out)
{
    *out = (br_fit_offset_map){.count = p->count, .from = p->from, .to = p->to};
    const double mean = p->count ? mean_of(p, c) : 0.0;
    for (size_t i = 0; i < p->count; i++) {
        out->offset[i] = c[i] - mean;
    }
}
