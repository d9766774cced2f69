/*
 * A friction law along measured motion as a model of the estimator.
 */
#include "fit/law_problem.h"

#include <math.h>
#include <string.h>

#include "fit/numbers.h"

#define NO_EFFECT .edge = -1.0, .reason = "the data do not depend on it"
#define GROWS     .edge = 0.0, .reason = "the data do not depend on it"
const fit_parameter bri_law_nuisances[] = {
    {"offset", "N", NO_EFFECT},         {"start", "-", NO_EFFECT},
    {"delay", "s", NO_EFFECT},          {"speed_offset", "m/s", NO_EFFECT},
    {"asymmetry", "-", NO_EFFECT},      {"load_gain", "1/unit of load", NO_EFFECT},
    {"load_c", "1/load", GROWS},        {"load_s", "1/load", GROWS},
    {"load_square", "1/load^2", GROWS}, {"load_direction", "1/load", NO_EFFECT}};

unsigned bri_law_own(br_fit_law_kind kind)
{
    return kind == BR_FIT_LAW_VISCOUS ? BIT(MU_C) | BIT(SIGMA2)
                                      : bri_parameters_of(br_fit_law_get_law(kind));
}

// --- the model ---------------------------------------------------------------------------------------

// Slower rows do not count for a law without bristles: at rest any force up to mu_s is possible. With bristles all
// rows count.
static double rest_of(const law_problem* q)
{
    return br_law_has_state(q->history.kind) && q->history.data.t ? -1.0 : q->rest;
}

// Project a derivative: without offset by position, 0 in rows that do not count.
static void project(estimator* e, double* column)
{
    const law_problem* q = (law_problem*)e;
    if (bri_position_is_on(&q->position)) {
        bri_position_project(&q->position, column, NULL, NULL);
    }
    const double rest = rest_of(q), *v = q->history.data.v;
    for (size_t i = 0; i < e->rows && rest >= 0.0; i++) {
        column[i] = fabs(v[i]) > rest ? column[i] : 0.0;
    }
}

static void eval(estimator* e, unsigned wanted)
{
    law_problem* q = (law_problem*)e;
    const double *f = q->history.data.f, *v = q->history.data.v, *column = q->jacobian;
    const double rest = rest_of(q);
    q->history.wanted = wanted;
    bri_law_history(&q->history, e->at.p, q->force, wanted ? q->jacobian : NULL);
    e->evaluations++;
    for (size_t i = 0; i < e->rows; i++) {
        e->residual[i] = q->force[i] - f[i];
    }
    if (bri_position_is_on(&q->position)) {
        bri_position_project(&q->position, e->residual, NULL, NULL);
    }
    for (size_t i = 0; i < e->rows; i++) {
        q->force[i] = e->residual[i] + f[i];
        e->residual[i] = fabs(v[i]) > rest ? e->residual[i] : 0.0;
    }
    for (int k = 0; k < BR_FIT_COUNT; k++) {
        e->d[k] = column;
        column += wanted >> k & 1 ? e->rows : 0;
    }
}

// --- limits of the data -----------------------------------------------------------------------------

static void set_defaults(law_problem* q)
{
    for (int k = 0; k < BR_FIT_COUNT; k++) {
        const br_law_parameter* own = k < BR_FIT_OFFSET ? br_law_get_parameter((size_t)k) : NULL;
        const double usual = !own ? 0.0 : own->is_required ? 1.0 : own->default_value;
        q->e.at.p[k] = q->def->fixed >> k & 1 ? q->def->values[k] : usual;
    }
    q->e.at.mu_is_tied = q->def->law == BR_FIT_LAW_VISCOUS;
}

// Bounds far beyond the range of the data: a parameter that is not identifiable stops there.              (F-16)
static void set_bounds(law_problem* q)
{
    const br_fit_law_data* d = &q->history.data;
    double mu = 0.0, unit = 1.0, *lower = q->e.lower, *upper = q->e.upper;
    for (size_t i = 0; i < d->count; i++) {
        const double fn = d->fn ? d->fn[i] : 1.0;
        mu = fmax(mu, fabs(d->f[i]) / fn);
        unit = q->history.kind == BR_LAW_DAHL && d->fn ? fmax(unit, fn) : unit;
    }
    const double stroke = bri_stroke(d), fastest = q->motion.fastest;
    const double length = stroke > 0.0 ? stroke : 1.0;
    for (int k = 0; k < BR_FIT_COUNT; k++) {
        lower[k] = -HUGE_VAL;
        upper[k] = HUGE_VAL;
    }
    for (int k = BR_FIT_LOAD_C; k <= BR_FIT_LOAD_SQUARE; k++) {
        lower[k] = 0.0;
    }
    upper[BR_FIT_MU_C] = upper[BR_FIT_MU_S] = 3.0 * mu;
    lower[BR_FIT_V_S] =
        fmax(1e-4 * fastest, br_law_has_state(q->history.kind) ? 0.0 : 0.5 * q->rest);
    upper[BR_FIT_V_S] = 10.0 * fastest;
    lower[BR_FIT_GAMMA] = lower[BR_FIT_ALPHA] = 0.1;
    upper[BR_FIT_GAMMA] = upper[BR_FIT_ALPHA] = 20.0;
    lower[BR_FIT_SIGMA0] = 1e-2 * mu / length;
    upper[BR_FIT_SIGMA0] = 1e7 * mu * unit / length;
    upper[BR_FIT_SIGMA2] = 10.0 * mu / fastest;
    upper[BR_FIT_START] = 3.0 * mu * unit;
    lower[BR_FIT_START] = -upper[BR_FIT_START];
    q->e.mu_c_edge = 1e-3 * mu; // smaller ones count as 0
}

// One direction and one normal force: an offset has the effect of mu_c, an asymmetry that of a factor of all.
static void hold_in_one_direction(law_problem* q)
{
    const unsigned with_mu = BIT(OFFSET) | BIT(ASYMMETRY);
    if (q->motion.is_one_direction &&
        bri_is_constant(q->history.data.fn, q->history.data.count, 0.02) &&
        q->e.at.estimated & BIT(MU_C)) {
        q->inseparable = q->e.at.estimated & with_mu;
        q->e.at.estimated &= ~with_mu;
    }
}

// One speed: the Stribeck curve is one number there. Reversals show sigma2, where there are bristles.
static void hold_at_one_speed(law_problem* q)
{
    fit_point* at = &q->e.at;
    unsigned held = BIT(MU_S) | BIT(V_S) | BIT(GAMMA);
    held |= br_law_has_state(q->history.kind) ? 0u : BIT(SIGMA2);
    if (q->motion.is_one_speed && at->estimated & BIT(MU_C) && at->estimated & held) {
        q->one_speed = at->estimated & held;
        at->estimated &= ~held;
        at->mu_is_tied |= (q->one_speed & BIT(MU_S)) != 0;
        at->p[BR_FIT_V_S] = q->one_speed & BIT(V_S) ? q->motion.speed : at->p[BR_FIT_V_S];
        at->p[BR_FIT_SIGMA2] = q->one_speed & BIT(SIGMA2) ? 0.0 : at->p[BR_FIT_SIGMA2];
    }
}

// The slowest tenth of the moving rows are below this speed: narrower peaks of the Stribeck curve are not visible.
static double slow_speed(law_problem* q)
{
    size_t n = 0;
    for (size_t i = 0; i < q->history.data.count; i++) {
        if (q->history.data.v[i] != 0.0) {
            q->jacobian[n++] = fabs(q->history.data.v[i]);
        }
    }
    return n > 0 ? bri_quantile(q->jacobian, n, n / 10) : 0.0;
}

static br_status set_motion(law_problem* q, br_reason* why)
{
    const br_fit_law_data* d = &q->history.data;
    q->speed_noise = q->def->speed_noise;
    if (isnan(q->speed_noise) &&
        bri_sample_noise(d->t, d->v, d->count, &q->speed_noise, why) != BR_OK) {
        return BR_ERR_MEMORY;
    }
    q->motion = bri_law_motion(d, q->speed_noise);
    // slower rows may have the other sign, by noise or by rounding
    q->rest = fmax(fmin(3.0 * q->speed_noise, 0.3 * q->motion.fastest), 1e-5 * q->motion.fastest);
    q->e.slow_speed = slow_speed(q);
    set_bounds(q);
    hold_in_one_direction(q);
    hold_at_one_speed(q);
    q->e.unknown = q->e.at.estimated;
    for (size_t i = 0; i < d->count; i++) {
        q->e.used += fabs(d->v[i]) > rest_of(q);
    }
    q->position.v = d->v;
    q->position.rest = rest_of(q);
    return BR_OK;
}

// --- memory ------------------------------------------------------------------------------------------

// All arrays, and -f where the definition has the force on the body.
static br_status allocate(law_problem* q, br_reason* why)
{
    const size_t n = q->history.data.count;
    const int has_delay = (q->e.at.estimated | q->def->fixed) >> BR_FIT_DELAY & 1;
    const int by_position = q->def->by_position && q->def->data.t;
    const size_t of_position =
        by_position ? POSITION_MOST * POSITION_MOST + sizeof(position_sums) / sizeof(double) : 0;
    double* at = q->memory = br_allocate(n * (BR_FIT_COUNT + 8) + of_position, sizeof *at);
    if (!at) {
        return bri_out_of_memory(why);
    }
    q->force = at;
    q->e.residual = at + n;
    q->history.speed = has_delay ? at + 2 * n : NULL;
    q->distance = by_position ? at + 4 * n : NULL;
    q->jacobian = at + 8 * n;
    double* rest = q->jacobian + n * BR_FIT_COUNT;
    q->position = (law_position){.rows = n,
                                 .at = at + 5 * n,
                                 .friction = at + 7 * n,
                                 .factor = rest,
                                 .work = (position_sums*)(rest + POSITION_MOST * POSITION_MOST)};
    for (size_t i = 0; i < n && q->def->flip_force; i++) {
        at[6 * n + i] = -q->history.data.f[i];
    }
    q->history.data.f = q->def->flip_force ? at + 6 * n : q->history.data.f;
    return BR_OK;
}

br_status bri_law_problem_create(law_problem* q, const br_fit_law_def* def,
                                 const br_fit_watch* watch, br_reason* why)
{
    const size_t count =
        def->train > 0 && def->train < def->data.count ? def->train : def->data.count;
    const unsigned own = bri_law_own(def->law), nuisances = ~0u << BR_FIT_OFFSET;
    const unsigned known = BR_FIT_EXPONENTS | BIT(V_DAMPING);
    *q = (law_problem){.def = def,
                       .history = {.kind = br_fit_law_get_law(def->law), .data = def->data},
                       .e = {.own = bri_law_nuisances,
                             .count = BR_FIT_COUNT,
                             .kind = br_fit_law_get_law(def->law),
                             .rows = count,
                             .columns = def->data.t != NULL,
                             .eval = eval,
                             .project = project,
                             .tolerance = 1e-10,
                             .most_solutions = 60,
                             .is_passive = def->passive,
                             .level = def->level,
                             .profile = def->profile,
                             .watch = watch,
                             .at.cost = HUGE_VAL,
                             .best_rms = HUGE_VAL}};
    q->history.data.count = count;
    q->e.at.estimated = (own & ~known) | (def->free & (own | nuisances));
    q->e.at.estimated &= br_law_has_state(q->history.kind) ? ~0u : ~BIT(START);
    q->e.at.estimated &= own >> BR_FIT_MU_S & 1 ? ~0u : ~(BIT(LOAD_S) | BIT(LOAD_SQUARE));
    q->e.at.estimated &= ~def->fixed;
    set_defaults(q);
    br_status status = allocate(q, why);
    status = status ? status : set_motion(q, why);
    if (status != BR_OK) {
        return status;
    }
    q->distance = bri_is_estimated(&q->e, BR_FIT_OFFSET) ? q->distance : NULL;
    if (q->distance) {
        q->distance[0] = 0.0;
        for (size_t i = 1; i < count; i++) {
            q->distance[i] = q->distance[i - 1] + bri_moved(&q->history.data, i);
        }
    }
    if (q->e.used < 2 * bri_unknowns(&q->e)) {
        return REFUSE(BR_ERR_DEF, why, "data",
                      "too few rows: %zu that move, for %zu parameters; at least twice as many",
                      q->e.used, bri_unknowns(&q->e));
    }
    return BR_OK;
}
