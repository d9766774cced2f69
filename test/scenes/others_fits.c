/*
 * Random friction laws: simulated by an integration of their own, with noise, fitted; the intervals must hold the
 * truth about as often as they state.
 *
 *   dz = v - sigma0 |v| z/g(v),  f = sigma0 z + sigma1 dz + sigma2 v,  g = mu_c + (mu_s - mu_c) exp(-(v/v_s)^2)
 */
#include <math.h>
#include <stdlib.h>

#include "bristle/fit_law.h"
#include "others.h"

enum { ROWS = 500 };

typedef struct truth {
    br_fit_law_kind kind;
    double value[BR_FIT_COUNT];
} truth;

static truth draw_truth(uint64_t* state)
{
    static const br_fit_law_kind kinds[] = {BR_FIT_LAW_COULOMB, BR_FIT_LAW_VISCOUS,
                                            BR_FIT_LAW_STRIBECK, BR_FIT_LAW_LUGRE};
    truth out = {.kind = kinds[(int)draw(state, 0, 4)]};
    out.value[BR_FIT_MU_C] = draw(state, 0.3, 2);
    out.value[BR_FIT_MU_S] = out.value[BR_FIT_MU_C];
    out.value[BR_FIT_V_S] = 0.01;
    if (out.kind >= BR_FIT_LAW_STRIBECK) {
        out.value[BR_FIT_MU_S] *= draw(state, 1.2, 1.6);
        out.value[BR_FIT_V_S] = draw(state, 0.004, 0.012);
    }
    out.value[BR_FIT_SIGMA2] = out.kind == BR_FIT_LAW_COULOMB ? 0 : draw(state, 0.5, 4);
    out.value[BR_FIT_SIGMA0] = draw(state, 2e3, 1e4);
    out.value[BR_FIT_SIGMA1] = draw(state, 5, 20);
    return out;
}

static double strength(const truth* of, double v)
{
    const double share = v / of->value[BR_FIT_V_S];
    return of->value[BR_FIT_MU_C] +
           (of->value[BR_FIT_MU_S] - of->value[BR_FIT_MU_C]) * exp(-share * share);
}

// dz of the bristle; its force by f
static double bristle_rate(const truth* of, double z, double v, double* f)
{
    const double dz = v - of->value[BR_FIT_SIGMA0] * fabs(v) * z / strength(of, v);
    *f =
        of->value[BR_FIT_SIGMA0] * z + of->value[BR_FIT_SIGMA1] * dz + of->value[BR_FIT_SIGMA2] * v;
    return dz;
}

// speed over time: slow turns, fast sliding, small reversals
static double speed(double t)
{
    return 0.05 * sin(3.7 * t) * sin(0.86 * t) + 0.004 * cos(20.3 * t);
}

// z at the next row, the speed linear between rows: Runge and Kutta's midpoint in 400 steps
static double next_z(const truth* of, double z, double from, double to, double dt)
{
    enum { STEPS = 400 };
    const double h = dt / STEPS;
    for (int i = 0; i < STEPS; i++) {
        double f;
        const double a = from + (to - from) * i / STEPS, b = from + (to - from) * (i + 0.5) / STEPS;
        const double half = z + h / 2 * bristle_rate(of, z, a, &f);
        z += h * bristle_rate(of, half, b, &f);
    }
    return z;
}

static double normal(uint64_t* state)
{
    return sqrt(-2 * log(1 - draw(state, 0, 1))) * cos(draw(state, 0, 6.283185307179586));
}

static void simulate(const truth* of, uint64_t* state, double* t, double* v, double* f)
{
    const double dt = 0.004, noise = 0.01 * of->value[BR_FIT_MU_C];
    double z = 0;
    for (int i = 0; i < ROWS; i++) {
        t[i] = dt * i;
        v[i] = speed(t[i]);
        if (of->kind == BR_FIT_LAW_LUGRE) {
            z = i > 0 ? next_z(of, z, v[i - 1], v[i], dt) : 0;
            bristle_rate(of, z, v[i], &f[i]);
        } else {
            f[i] = copysign(strength(of, v[i]), v[i]) + of->value[BR_FIT_SIGMA2] * v[i];
        }
        f[i] += noise * normal(state);
    }
}

// intervals of a fit, and how many hold the truth
static bool fit_one(const truth* of, uint64_t* state, size_t* all, size_t* held)
{
    static double t[ROWS], v[ROWS], f[ROWS];
    simulate(of, state, t, v, f);
    br_fit_law_def def = br_fit_law_def_default();
    def.law = of->kind;
    def.data = (br_fit_law_data){.count = ROWS, .t = t, .v = v, .f = f};
    def.speed_noise = 0;
    br_fit_law_result fit;
    if (br_fit_law(&def, NULL, &fit, NULL) != BR_OK) {
        return false;
    }
    for (int k = BR_FIT_MU_C; k <= BR_FIT_SIGMA2; k++) {
        if (k != BR_FIT_GAMMA && fit.estimated >> k & 1) {
            (*all)++;
            *held += fit.estimates[k].low <= of->value[k] && of->value[k] <= fit.estimates[k].high;
        }
    }
    return true;
}

/* Oracle: the law that made the data. 95 % intervals hold it in 95 %, up to four standard deviations of the
   count: 86 of 100 intervals are enough. */
size_t check_fits(uint64_t seed, size_t count)
{
    size_t failed = 0, all = 0, held = 0;
    for (size_t index = 0; index < count; index++) {
        uint64_t state = seed * 1000039 + index;
        const truth of = draw_truth(&state);
        failed += is_off("a fit is done", index, fit_one(&of, &state, &all, &held), 1, 0);
    }
    const double scatter = 4 * sqrt(0.95 * 0.05 * (double)all);
    printf("fits: %zu of %zu intervals of 95 %% hold the truth\n", held, all);
    return failed + is_off("intervals that hold the truth, if fewer", count,
                           fmin((double)held, 0.95 * (double)all), 0.95 * (double)all, scatter);
}
