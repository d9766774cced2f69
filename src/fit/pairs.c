/*
 * Rows of pairs: see pairs.h.
 */
#include "fit/pairs.h"

#include <string.h>

// Over the size of whitened errors: beyond it a pair counts less and less [rad].
static const double tolerated = 0.3;

static double dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross3(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

// Two unit vectors across the unit vector v.
static void set_across(const double v[3], double b[6])
{
    // the axis least along v makes the best conditioned cross product
    size_t least = 0;
    for (size_t i = 1; i < 3; i++) {
        least = fabs(v[i]) < fabs(v[least]) ? i : least;
    }
    double axis[3] = {0.0, 0.0, 0.0};
    axis[least] = 1.0;
    cross3(v, axis, b);
    const double norm = sqrt(dot3(b, b));
    for (int i = 0; i < 3; i++) {
        b[i] /= norm;
    }
    cross3(v, b, b + 3);
}

// rho of pair i, a column for each candidate.
static void set_rho(pair_rows* rows, size_t i)
{
    const size_t m = rows->feet->count;
    const double *v = rows->v + 3 * i, *f = rows->f + 3 * i, *b = rows->across + 6 * i;
    const double along[2] = {dot3(b, f) / rows->power[i], dot3(b + 3, f) / rows->power[i]};
    double *x = rows->rho + 2 * i * m, *y = x + m;
    for (size_t j = 0; j < m; j++) {
        double g[3];
        const double s = bri_footprint_column(rows->feet, j, v, g);
        x[j] = dot3(b, g) - along[0] * s;
        y[j] = dot3(b + 3, g) - along[1] * s;
    }
}

static void set_pair(pair_rows* rows, size_t i, const br_fit_pair* pair)
{
    const double unit = rows->feet->unit;
    double *v = rows->v + 3 * i, *f = rows->f + 3 * i;
    v[0] = pair->v.vx, v[1] = pair->v.vy, v[2] = pair->v.w * unit;
    f[0] = pair->f.fx, f[1] = pair->f.fy, f[2] = pair->f.tau / unit;
    const double norm = sqrt(dot3(v, v));
    for (int k = 0; k < 3; k++) {
        v[k] /= norm;
    }
    rows->power[i] = dot3(f, v);
    set_across(v, rows->across + 6 * i);
    set_rho(rows, i);
}

void bri_pairs_destroy(pair_rows* rows)
{
    br_release(rows->memory);
    *rows = (pair_rows){0};
}

br_status bri_pairs_create(const br_fit_pair* pairs, size_t count, const footprint* feet,
                           pair_rows* out, br_reason* why)
{
    const size_t m = feet->count, blocks = count < BLOCKS ? count : BLOCKS;
    *out = (pair_rows){.feet = feet, .count = count, .blocks = blocks};
    double* at = out->memory = br_allocate(count * (13 + 2 * m) + blocks * m * m, sizeof *at);
    if (!at) {
        br_reason_set(why, "", "no memory for %zu pairs and %zu candidate supports", count, m);
        return BR_ERR_MEMORY;
    }
    out->v = at, at += 3 * count;
    out->f = at, at += 3 * count;
    out->power = at, at += count;
    out->across = at, at += 6 * count;
    out->rho = at, at += 2 * count * m;
    out->gram = at;
    for (size_t i = 0; i < count; i++) {
        set_pair(out, i, &pairs[i]);
    }
    return BR_OK;
}

size_t bri_pairs_block(const pair_rows* rows, size_t pair)
{
    return bri_block_of(pair, rows->count, rows->blocks);
}

// H = B^T Hess D B (11, 12, 22)
static void bend_across(const double b[6], const double h[6], double out[3])
{
    double hb[2][3];
    for (int k = 0; k < 2; k++) {
        const double* e = b + 3 * k;
        hb[k][0] = h[0] * e[0] + h[1] * e[1] + h[2] * e[2];
        hb[k][1] = h[1] * e[0] + h[3] * e[1] + h[4] * e[2];
        hb[k][2] = h[2] * e[0] + h[4] * e[1] + h[5] * e[2];
    }
    out[0] = dot3(b, hb[0]);
    out[1] = dot3(b, hb[1]);
    out[2] = dot3(b + 3, hb[1]);
}

// The lower triangle W of the whitening: W (1 + H^2) W^T = 1, W = L^-1.
static void whiten(const double h[3], double w[3])
{
    const double c11 = 1.0 + h[0] * h[0] + h[1] * h[1], c12 = h[1] * (h[0] + h[2]);
    const double c22 = 1.0 + h[1] * h[1] + h[2] * h[2];
    const double l11 = sqrt(c11), l21 = c12 / l11, l22 = sqrt(c22 - l21 * l21);
    w[0] = 1.0 / l11;
    w[1] = -l21 / (l11 * l22);
    w[2] = 1.0 / l22;
}

// Whitened rows of pair i at these weights (2 x m), times the square root of its weight.
static void weigh_pair(const pair_rows* rows, size_t i, const double* weights, double* to)
{
    const size_t m = rows->feet->count;
    const double *x = rows->rho + 2 * i * m, *y = x + m;
    const footprint_value at = bri_footprint_eval(rows->feet, weights, rows->v + 3 * i);
    double h[3], w[3], e[2] = {0.0, 0.0};
    bend_across(rows->across + 6 * i, at.bend, h);
    whiten(h, w);
    for (size_t j = 0; j < m; j++) {
        to[j] = w[0] * x[j];
        to[m + j] = w[1] * x[j] + w[2] * y[j];
        e[0] += to[j] * weights[j];
        e[1] += to[m + j] * weights[j];
    }
    // Cauchy's loss, c^2/2 log(1 + |e|^2/c^2), by its weights
    const double weight = 1.0 / sqrt(1.0 + (e[0] * e[0] + e[1] * e[1]) / (tolerated * tolerated));
    for (size_t j = 0; j < 2 * m; j++) {
        to[j] *= weight;
    }
}

// gram += rows^T rows, its upper triangle, for four rows of m.
static void add_gram(const double* four, size_t m, double* gram)
{
    const double *a = four, *b = a + m, *c = b + m, *d = c + m;
    for (size_t i = 0; i < m; i++) {
        const double ai = a[i], bi = b[i], ci = c[i], di = d[i];
        double* row = gram + i * m;
        for (size_t j = i; j < m; j++) {
            row[j] += (ai * a[j] + bi * b[j]) + (ci * c[j] + di * d[j]);
        }
    }
}

void bri_pairs_weigh(pair_rows* rows, const double* weights, double* four)
{
    const size_t m = rows->feet->count;
    memset(rows->gram, 0, rows->blocks * m * m * sizeof *rows->gram);
    for (size_t i = 0, next; i < rows->count; i = next) {
        const size_t block = bri_pairs_block(rows, i);
        next = i + 1;
        weigh_pair(rows, i, weights, four);
        if (next < rows->count && bri_pairs_block(rows, next) == block) {
            weigh_pair(rows, next++, weights, four + 2 * m);
        } else {
            memset(four + 2 * m, 0, 2 * m * sizeof *four);
        }
        add_gram(four, m, rows->gram + block * m * m);
    }
}

double bri_pairs_angle(const pair_rows* rows, const double* weights, size_t i, double v[3])
{
    if (!bri_footprint_slide(rows->feet, weights, rows->f + 3 * i, v)) {
        v[0] = v[1] = v[2] = 0.0;
        return 0.5 * BR_PI; // a load that no twist answers tells nothing
    }
    const double* measured = rows->v + 3 * i;
    double c[3];
    cross3(v, measured, c);
    return atan2(sqrt(dot3(c, c)), dot3(v, measured));
}
