/*
 * Where a law's fit starts: the Stribeck curve of binned rows, then bristles of many stiffnesses.
 */
#include <math.h>
#include <string.h>

#include "fit/law_problem.h"

enum { BINS = 24, MOST_STARTS = 16, DECADES = 4 }; // bins of speed, over so many decades

// Mean resistance over speed, both directions together.
typedef struct curve {
    double fastest; // [m/s]
    double v[BINS], f[BINS];
    size_t rows[BINS];
    double offset; // half the difference of both directions at speed
} curve;

static void bin_rows(const br_fit_law_data* d, curve* c)
{
    double side[2] = {0.0, 0.0}, rows[2] = {0.0, 0.0};
    for (size_t i = 0; i < d->count; i++) {
        const double speed = fabs(d->v[i]), fn = d->fn ? d->fn[i] : 1.0;
        const double place = BINS * (1.0 + log10(speed / c->fastest) / DECADES);
        if (!(place >= 0.0)) {
            continue; // at rest, or nearly
        }
        const int forward = d->v[i] > 0.0, bin = place >= BINS ? BINS - 1 : (int)place;
        c->v[bin] += speed;
        c->f[bin] += (forward ? d->f[i] : -d->f[i]) / fn;
        c->rows[bin]++;
        if (speed > 0.3 * c->fastest) {
            side[forward] += d->f[i];
            rows[forward]++;
        }
    }
    for (int b = 0; b < BINS; b++) {
        const double n = c->rows[b] ? (double)c->rows[b] : 1.0;
        c->v[b] /= n;
        c->f[b] /= n;
    }
    if (rows[0] > 0.0 && rows[1] > 0.0) {
        c->offset = 0.5 * (side[0] / rows[0] + side[1] / rows[1]);
    }
}

static curve curve_of(const br_fit_law_data* d)
{
    curve c = {.fastest = 0.0};
    for (size_t i = 0; i < d->count; i++) {
        c.fastest = fmax(c.fastest, fabs(d->v[i]));
    }
    bin_rows(d, &c);
    return c;
}

// A straight line through the fast bins: mu_c and sigma2.
static void line_through(const curve* c, double* mu_c, double* sigma2)
{
    double n = 0.0, v = 0.0, f = 0.0, vv = 0.0, vf = 0.0;
    for (int b = 0; b < BINS; b++) {
        if (c->rows[b] > 0 && c->v[b] > 0.2 * c->fastest) {
            n += 1.0;
            v += c->v[b];
            f += c->f[b];
            vv += c->v[b] * c->v[b];
            vf += c->v[b] * c->f[b];
        }
    }
    const double spread = n * vv - v * v;
    *sigma2 = spread > 1e-9 * n * vv ? fmax((n * vf - v * f) / spread, 0.0) : 0.0;
    *mu_c = (f - *sigma2 * v) / fmax(n, 1.0);
    const double mean = fabs(f) / fmax(n, 1.0);
    if (!(*mu_c > 0.05 * mean)) {
        *mu_c = fmax(0.5 * mean, 1e-12);
    }
}

// Guess of the sliding law: what the bins say.
static void guess_sliding(law_problem* q, const curve* c)
{
    double mu_c, sigma2;
    line_through(c, &mu_c, &sigma2);
    double mu_s = 1.05 * mu_c, v_s = c->fastest / 20.0;
    for (int b = 0; b < BINS; b++) {
        if (c->rows[b] > 0) {
            mu_s = fmax(mu_s, c->f[b] - sigma2 * c->v[b]);
        }
    }
    for (int b = 0; b < BINS; b++) {
        if (c->rows[b] > 0 && c->f[b] - sigma2 * c->v[b] > mu_c + 0.4 * (mu_s - mu_c)) {
            v_s = c->v[b];
        }
    }
    const double guess[BR_FIT_COUNT] = {
        [BR_FIT_MU_C] = mu_c, [BR_FIT_MU_S] = mu_s,  [BR_FIT_V_S] = v_s,
        [BR_FIT_GAMMA] = 2.0, [BR_FIT_SIGMA0] = 1.0, [BR_FIT_SIGMA2] = sigma2,
        [BR_FIT_S_BA] = 0.5,  [BR_FIT_ALPHA] = 1.0,  [BR_FIT_OFFSET] = c->offset};
    for (int k = 0; k < BR_FIT_COUNT; k++) {
        if (q->estimated >> k & 1) {
            q->p[k] = guess[k];
        }
    }
}

// Starting points, the best first.
typedef struct starts {
    size_t count;
    double cost[MOST_STARTS];
    double p[MOST_STARTS][BR_FIT_COUNT];
} starts;

static void offer(starts* s, size_t most, const law_problem* q, double cost)
{
    size_t place = s->count < most ? s->count++ : most;
    while (place > 0 && cost < s->cost[place - 1]) {
        if (place < most) {
            s->cost[place] = s->cost[place - 1];
            memcpy(s->p[place], s->p[place - 1], sizeof s->p[place]);
        }
        place--;
    }
    if (place < most) {
        s->cost[place] = cost;
        memcpy(s->p[place], q->p, sizeof s->p[place]);
    }
}

// How far the motion goes from end to end [m].
static double stroke_of(const br_fit_law_data* d)
{
    double x = 0.0, low = 0.0, high = 0.0;
    for (size_t i = 1; i < d->count; i++) {
        x += 0.5 * (d->v[i] + d->v[i - 1]) * (d->t[i] - d->t[i - 1]);
        low = fmin(low, x);
        high = fmax(high, x);
    }
    return high - low;
}

static void set_if_estimated(law_problem* q, int k, double value)
{
    if (q->estimated >> k & 1) {
        q->p[k] = value;
    }
}

// Bristles that break away over 3e-5 to 1 of the stroke, with and without damping, with the sliding law as it is
// or with mu_s half as far above mu_c.
static void try_bristles(law_problem* q, starts* s, size_t most)
{
    enum { STIFFNESSES = 10, DAMPINGS = 3 };
    const br_fit_law_data* d = &q->history.data;
    const double stroke = stroke_of(d), dt = (d->t[d->count - 1] - d->t[0]) / (double)d->count;
    const double unit = q->history.kind == BR_LAW_DAHL && d->fn ? d->fn[0] : 1.0;
    const double strength = q->p[BR_FIT_MU_C] * unit;
    for (int i = 0; i < STIFFNESSES; i++) {
        const double sigma0 = strength / (stroke * pow(10.0, -0.5 * i));
        set_if_estimated(q, BR_FIT_SIGMA0, sigma0);
        for (int j = 0; j < (q->estimated >> BR_FIT_SIGMA1 & 1 ? DAMPINGS : 1); j++) {
            // damping times of none, 3 rows, 30 rows
            set_if_estimated(q, BR_FIT_SIGMA1, j ? sigma0 * dt * (j == 1 ? 3.0 : 30.0) : 0.0);
            set_if_estimated(q, BR_FIT_START,
                             fmax(-strength, fmin(d->f[0] / (d->fn ? d->fn[0] : 1.0), strength)));
            offer(s, most, q, bri_law_cost(q));
            set_if_estimated(q, BR_FIT_START, 0.0);
            offer(s, most, q, bri_law_cost(q));
        }
    }
}

// The Stribeck speed of a sliding law, from several guesses.
static void try_speeds(law_problem* q, starts* s, size_t most)
{
    static const double factors[] = {1.0, 0.3, 3.0, 0.1};
    const double v_s = q->p[BR_FIT_V_S];
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        set_if_estimated(q, BR_FIT_V_S, factors[i] * v_s);
        offer(s, most, q, bri_law_cost(q));
    }
}

// The sliding law alone, as if there were no bristles: what it says is good to start from.
static br_status solve_sliding(law_problem* q, br_reason* why)
{
    const unsigned estimated = q->estimated;
    const br_law_kind kind = q->history.kind;
    double cost;
    int is_converged;
    q->history.kind = kind == BR_LAW_DAHL ? BR_LAW_COULOMB : BR_LAW_STRIBECK;
    q->estimated &= ~(1u << BR_FIT_SIGMA0 | 1u << BR_FIT_SIGMA1 | 1u << BR_FIT_S_BA |
                      1u << BR_FIT_ALPHA | 1u << BR_FIT_START);
    const br_status status = bri_law_solve(q, 1e-4, &cost, &is_converged, why);
    q->estimated = estimated;
    q->history.kind = kind;
    if (q->p[BR_FIT_MU_S] < q->p[BR_FIT_MU_C] && (estimated >> BR_FIT_MU_S & 1)) {
        q->p[BR_FIT_MU_S] = 1.05 * q->p[BR_FIT_MU_C];
    }
    q->p[BR_FIT_SIGMA2] = fmax(q->p[BR_FIT_SIGMA2], 0.0);
    return status;
}

// Follow starting points to their ends; the best of these.
static br_status follow(law_problem* q, const starts* s, double* cost, int* is_converged,
                        br_reason* why)
{
    double best[BR_FIT_COUNT];
    br_status status = BR_OK;
    *cost = HUGE_VAL;
    memcpy(best, q->p, sizeof best);
    for (size_t i = 0; i < s->count && status == BR_OK; i++) {
        double end = HUGE_VAL;
        int converged = 0;
        q->fraction = 0.5 * (double)i / (double)s->count;
        memcpy(q->p, s->p[i], sizeof q->p);
        status = bri_law_solve(q, 1e-6, &end, &converged, why);
        if (end < *cost) {
            *cost = end;
            *is_converged = converged;
            memcpy(best, q->p, sizeof best);
        }
    }
    memcpy(q->p, best, sizeof q->p);
    return status;
}

// A law without elastic band first, which has fewer wrong ends; then with narrow and wide ones.
static br_status try_bands(law_problem* q, starts* s, br_reason* why)
{
    static const double bands[] = {0.2, 0.5, 0.8};
    const unsigned estimated = q->estimated;
    double cost;
    int is_converged;
    q->history.kind = BR_LAW_LUGRE;
    q->estimated &= ~(1u << BR_FIT_S_BA);
    const br_status status = follow(q, s, &cost, &is_converged, why);
    q->history.kind = BR_LAW_ELASTO_PLASTIC;
    q->estimated = estimated;
    s->count = 0;
    for (size_t i = 0; i < sizeof bands / sizeof *bands; i++) {
        set_if_estimated(q, BR_FIT_S_BA, bands[i]);
        offer(s, MOST_STARTS, q, bri_law_cost(q));
    }
    return status;
}

// Several starts of a law with bristles: the sliding law by the bins, and by a fit of its own.
static br_status start_bristles(law_problem* q, starts* s, br_reason* why)
{
    const size_t most = q->def->starts;
    double guess[BR_FIT_COUNT];
    memcpy(guess, q->p, sizeof guess);
    const br_law_kind kind = q->history.kind;
    q->history.kind = kind == BR_LAW_ELASTO_PLASTIC ? BR_LAW_LUGRE : kind;
    try_bristles(q, s, most);
    q->history.kind = kind;
    memcpy(q->p, guess, sizeof guess);
    br_status status = solve_sliding(q, why);
    if (status == BR_OK) {
        q->history.kind = kind == BR_LAW_ELASTO_PLASTIC ? BR_LAW_LUGRE : kind;
        try_bristles(q, s, most);
        q->history.kind = kind;
    }
    return status == BR_OK && kind == BR_LAW_ELASTO_PLASTIC ? try_bands(q, s, why) : status;
}

// From several starts, of the law's own parameters, offset and start alone.
static br_status start_plain(law_problem* q, double* cost, int* is_converged, br_reason* why)
{
    const curve c = curve_of(&q->history.data);
    starts s = {.count = 0};
    guess_sliding(q, &c);
    if (br_law_has_state(q->history.kind) && q->history.data.t) {
        const br_status status = start_bristles(q, &s, why);
        if (status == BR_ERR_STOPPED) {
            // the best start is the best so far
            memcpy(q->p, s.count > 0 ? s.p[0] : q->p, sizeof q->p);
            *cost = bri_law_cost(q);
        }
        if (status != BR_OK) {
            return status;
        }
    } else {
        try_speeds(q, &s, q->def->starts);
    }
    return follow(q, &s, cost, is_converged, why);
}

// What else is free joins when these are near: exponents, delay and others have optima of their own far off.
br_status bri_law_start(law_problem* q, double* cost, int* is_converged, br_reason* why)
{
    const unsigned later = BR_FIT_EXPONENTS | ~0u << BR_FIT_DELAY, estimated = q->estimated;
    q->estimated &= ~later;
    for (int k = 0; k < BR_FIT_COUNT; k++) {
        if (estimated & later & 1u << k) {
            q->p[k] = k == BR_FIT_GAMMA ? 2.0 : k == BR_FIT_ALPHA ? 1.0 : 0.0;
        }
    }
    br_status status = start_plain(q, cost, is_converged, why);
    q->estimated = estimated;
    if (status == BR_OK && estimated & later) {
        status = bri_law_solve(q, 1e-6, cost, is_converged, why);
    }
    return status;
}
