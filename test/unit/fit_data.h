/*
 * Measurements computed from a known law: an oracle of its own, fine steps of br_law_eval() along a smooth motion,
 * and normal noise.
 */
#ifndef BRISTLE_TEST_FIT_DATA_H
#define BRISTLE_TEST_FIT_DATA_H

#include <math.h>
#include <stdlib.h>

#include "bristle/fit_law.h"
#include "bristle/math.h"
#include "check.h"

// Standard normal, by Box and Muller.
static inline double normal(uint64_t* seed)
{
    const double u = uniform(seed, 0, 1), angle = uniform(seed, 0, 2 * BR_PI);
    return sqrt(-2 * log(1 - u)) * cos(angle);
}

typedef struct record {
    size_t count;
    double *t, *v, *f, *clean;
} record;

static inline record record_create(size_t count)
{
    double* memory = malloc(4 * count * sizeof *memory);
    return (record){count, memory, memory + count, memory + 2 * count, memory + 3 * count};
}

static inline void record_destroy(record* r)
{
    free(r->t);
}

// Slow turns, fast sliding, small reversals.
static inline double motion_mixed(double t)
{
    return 0.05 * sin(2 * BR_PI * t / 1.7) * sin(2 * BR_PI * t / 7.3) +
           0.004 * cos(2 * BR_PI * t / 0.31);
}

// z over a step h with the speed from v to v + slope h, by Runge and Kutta's method of order 4.
static inline double bristle_step(const br_law* law, double z, double v, double slope, double h)
{
    const double half = v + 0.5 * slope * h;
    const double a = br_law_eval(law, z, v, 1).dz;
    const double b = br_law_eval(law, z + 0.5 * h * a, half, 1).dz;
    const double c = br_law_eval(law, z + 0.5 * h * b, half, 1).dz;
    const double d = br_law_eval(law, z + h * c, v + slope * h, 1).dz;
    return z + h / 6 * (a + 2 * b + 2 * c + d);
}

// Fill clean forces, rows every dt, speed linear between rows, 200 steps of the law in each interval.
static inline void record_simulate(record* r, const br_law* law, double dt,
                                   double (*motion)(double))
{
    enum { STEPS = 200 };
    const double h = dt / STEPS;
    double z = 0;
    for (size_t i = 0; i < r->count; i++) {
        r->t[i] = dt * (double)i;
        r->v[i] = motion(r->t[i]);
        const double slope = i > 0 ? (r->v[i] - r->v[i - 1]) / dt : 0;
        for (int k = 0; k < STEPS && i > 0; k++) {
            z = bristle_step(law, z, r->v[i - 1] + k * h * slope, slope, h);
        }
        r->clean[i] = br_law_eval(law, z, r->v[i], 1).f;
    }
}

static inline void record_add_noise(record* r, double noise, uint64_t* seed)
{
    for (size_t i = 0; i < r->count; i++) {
        r->f[i] = r->clean[i] + noise * normal(seed);
    }
}

static inline br_fit_law_data record_data(const record* r)
{
    return (br_fit_law_data){.count = r->count, .t = r->t, .v = r->v, .f = r->f};
}

// A law that the mixed motion identifies well.
static inline br_law known_law(br_fit_law_kind kind)
{
    br_law law = br_law_default(br_fit_law_get_law(kind));
    law.mu_c = 0.3;
    law.mu_s = kind == BR_FIT_LAW_VISCOUS ? 0.3 : 0.45;
    law.v_stribeck = 0.01;
    law.sigma0 = 1500;
    law.sigma1 = 4;
    law.sigma2 = 2.5;
    law.s_ba = 0.4;
    return law;
}

static inline double known_parameter(const br_law* law, int k)
{
    const br_law_parameter* parameter = br_law_get_parameter((size_t)k);
    return parameter ? *(const double*)((const char*)law + parameter->offset) : 0.0;
}

#endif
