/*
 * Made-up contacts for the tests of the kernel: bundles at random positions, a lattice with gaps.
 */
#ifndef BRISTLE_TEST_KERNEL_CONTACTS_H
#define BRISTLE_TEST_KERNEL_CONTACTS_H

#include "check.h"

#include "planar/kernel.h"

#include <float.h>
#include <string.h>

enum { BUNDLES = 64, COLUMNS = 11, ROWS = 13 };

// How many of so many samples: long double is slow where it is not the processor's own.
static inline int samples(int count)
{
    return LDBL_MANT_DIG == 64 ? count : (count + 49) / 50;
}

// The patches below the bundles.
typedef enum form { FORM_CELLS, FORM_LATTICE, FORM_BLOCKS, FORMS } form;

typedef struct made_contact {
    kernel_bundles b;
    int bristles; // of a bundle
    double x[BUNDLES], y[BUNDLES], weight[BUNDLES];
    double t[BUNDLES], per_t[BUNDLES], xx[BUNDLES], xy[BUNDLES], yy[BUNDLES], turn[BUNDLES];
    double column_x[32], row_y[16];
    uint32_t column[BUNDLES / 4], row[BUNDLES / 4];
    double z[3 * BUNDLES];
} made_contact;

// A piece with any covariance: straight, round, a point.
static inline void make_block(made_contact* c, size_t i, uint64_t* seed)
{
    const double size = pow(10.0, uniform(seed, -4.0, -1.0)), share = uniform(seed, 0.0, 1.0);
    const double angle = uniform(seed, 0.0, 3.14), cosine = cos(angle), sine = sin(angle);
    const int is_point = i % 9 == 0, is_line = i % 5 == 0;
    const double a = is_line ? 1.0 : share, d = 1.0 - a;
    c->t[i] = is_point ? 0.0 : size * size;
    c->per_t[i] = is_point ? 0.0 : 1.0 / c->t[i];
    c->xx[i] = is_point ? 1.0 : a * cosine * cosine + d * sine * sine;
    c->xy[i] = is_point ? 0.0 : (a - d) * cosine * sine;
    c->yy[i] = is_point ? 1.0 : a * sine * sine + d * cosine * cosine;
    c->turn[i] = 3.0 - 4.0 * (c->xx[i] * c->yy[i] - c->xy[i] * c->xy[i]);
}

// Groups of four in rows, some of them with gaps.
static inline void make_lattice(made_contact* c, uint64_t* seed)
{
    const double pitch = 1e-3;
    for (size_t i = 0; i < sizeof c->column_x / sizeof *c->column_x; i++) {
        c->column_x[i] = pitch * ((double)i - 5.2);
    }
    for (size_t i = 0; i < sizeof c->row_y / sizeof *c->row_y; i++) {
        c->row_y[i] = pitch * (6.3 - (double)i);
    }
    for (size_t j = 0; j < BUNDLES / 4; j++) {
        c->row[j] = (uint32_t)(j * ROWS / (BUNDLES / 4));
        c->column[j] = (uint32_t)uniform(seed, 0.0, COLUMNS - 3.0);
    }
    for (size_t i = 0; i < BUNDLES; i++) {
        c->x[i] = c->column_x[c->column[i / 4] + i % 4];
        c->y[i] = c->row_y[c->row[i / 4]];
    }
}

// A contact; every seventh bundle is padding.
static inline void make_contact(made_contact* c, form on, uint64_t* seed)
{
    memset(c, 0, sizeof *c);
    for (size_t i = 0; i < BUNDLES; i++) {
        c->x[i] = uniform(seed, -0.01, 0.01);
        c->y[i] = uniform(seed, -0.01, 0.01);
        c->weight[i] = i % 7 ? uniform(seed, 0.001, 0.03) : 0.0;
        make_block(c, i, seed);
    }
    c->b = (kernel_bundles){.count = BUNDLES, .x = c->x, .y = c->y, .weight = c->weight};
    c->bristles = on == FORM_BLOCKS ? 3 : 2;
    if (on == FORM_LATTICE) {
        make_lattice(c, seed);
        c->b.columns = COLUMNS;
        c->b.rows = ROWS;
        c->b.column_x = c->column_x;
        c->b.row_y = c->row_y;
        c->b.column = c->column;
        c->b.row = c->row;
    }
    if (on == FORM_BLOCKS) {
        c->b.t = c->t;
        c->b.per_t = c->per_t;
        c->b.xx = c->xx;
        c->b.xy = c->xy;
        c->b.yy = c->yy;
        c->b.turn = c->turn;
    }
    for (size_t i = 0; i < BUNDLES; i++) {
        const double w = c->weight[i], t = c->b.t ? c->t[i] : 0.0;
        c->b.one += w;
        c->b.mean_x += w * c->x[i];
        c->b.mean_y += w * c->y[i];
        c->b.square += w * (c->x[i] * c->x[i] + c->y[i] * c->y[i] + t);
    }
}

// Bristles of any direction up to `size` long, some of them relaxed; padding is relaxed.
static inline void make_state(made_contact* c, double size, uint64_t* seed)
{
    for (size_t i = 0; i < BUNDLES; i++) {
        const double angle = uniform(seed, 0.0, 6.2832), up = uniform(seed, -1.0, 1.0);
        const double length = c->weight[i] > 0.0 && i % 11 ? size * uniform(seed, 0.0, 1.0) : 0.0;
        const double flat = c->bristles == 3 && c->t[i] > 0.0 ? sqrt(1.0 - up * up) : 1.0;
        c->z[i] = length * flat * cos(angle);
        c->z[BUNDLES + i] = length * flat * sin(angle);
        c->z[2 * BUNDLES + i] = c->bristles == 3 ? length * up * sqrt(c->t[i]) : 0.0;
    }
}

// A law of either kind with any parameters; now and then an edge of their range. Half of them have damping that fades.
static inline br_law make_law(int which, uint64_t* seed)
{
    br_law law = br_law_default(which % 2 ? BR_LAW_ELASTO_PLASTIC : BR_LAW_LUGRE);
    const double edges[] = {0.0, 0.5, 0.9, 0.999};
    law.mu_c = uniform(seed, 0.1, 2.0);
    law.mu_s = which % 5 ? law.mu_c * uniform(seed, 1.0, 2.0) : law.mu_c;
    law.v_stribeck = pow(10.0, uniform(seed, -4.0, -1.0));
    law.gamma = which % 3 ? 2.0 : uniform(seed, 0.5, 3.0);
    law.sigma0 = pow(10.0, uniform(seed, 3.0, 7.0));
    law.sigma1 = pow(10.0, uniform(seed, 0.0, 3.0));
    law.s_ba = which % 4 ? uniform(seed, 0.0, 0.95) : edges[which / 4 % 4];
    const double v_damping[] = {0.0, 0.3 * law.v_stribeck, HUGE_VAL, 20.0 * law.v_stribeck};
    law.v_damping = v_damping[which / 8 % 4];
    return law;
}

// A twist whose speed at the rim is about `speed`; now and then a pure slide, turn, or rest.
static inline void make_twist(int which, double speed, uint64_t* seed, double v[3])
{
    v[0] = which % 7 == 1 ? 0.0 : speed * uniform(seed, -1.0, 1.0);
    v[1] = which % 7 == 1 ? 0.0 : speed * uniform(seed, -1.0, 1.0);
    v[2] = which % 7 == 2 ? 0.0 : speed / 0.01 * uniform(seed, -1.0, 1.0);
    if (which % 31 == 30) {
        v[0] = v[1] = v[2] = 0.0;
    }
}

// The instances, widest first.
static inline int instances(const kernel* out[4])
{
    int count = 0;
    for (int lanes = 8; lanes > 0; lanes /= 2) {
        const kernel* k = bri_kernel_with(lanes);
        if (k) {
            out[count++] = k;
        }
    }
    return count;
}

// The bristles of bundle i.
static inline void bundle_z(const made_contact* c, size_t i, long double z[3])
{
    for (size_t j = 0; j < 3; j++) {
        z[j] = (int)j < c->bristles ? c->z[j * BUNDLES + i] : 0.0;
    }
}

#endif
