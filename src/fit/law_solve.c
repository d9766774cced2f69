/*
 * How a law's fit is solved:
 *
 *   starts -> least squares -> edges (mu_s = mu_c, sigma >= 0, passivity) -> offset by position -> starts on edges
 *
 * Starts come from the Stribeck curve of binned rows, then from bristles of many stiffnesses.
 */
#include <math.h>
#include <string.h>

#include "fit/law_problem.h"
#include "fit/numbers.h"

// --- starts -------------------------------------------------------------------------------------------

enum { BINS = 24, DECADES = 4, MOST_STARTS = 16 }; // bins of speed over decades of it

// Mean resistance over speed, both directions together.
typedef struct curve {
    double fastest; // [m/s]
    double v[BINS], f[BINS];
    size_t rows[BINS];
    double offset; // half the difference of both directions at speed
} curve;

static curve curve_of(const br_fit_law_data* d)
{
    curve c = {.fastest = bri_largest(d->v, d->count)};
    double side[2] = {0.0, 0.0}, rows[2] = {0.0, 0.0};
    for (size_t i = 0; i < d->count; i++) {
        const double speed = fabs(d->v[i]), fn = d->fn ? d->fn[i] : 1.0;
        const double at = BINS * (1.0 + log10(speed / c.fastest) / DECADES);
        if (!(at >= 0.0)) {
            continue; // at rest, or nearly
        }
        const int forward = d->v[i] > 0.0, bin = at >= BINS ? BINS - 1 : (int)at;
        c.v[bin] += speed;
        c.f[bin] += (forward ? d->f[i] : -d->f[i]) / fn;
        c.rows[bin]++;
        if (speed > 0.3 * c.fastest) {
            side[forward] += d->f[i];
            rows[forward]++;
        }
    }
    for (int b = 0; b < BINS; b++) {
        const double n = c.rows[b] ? (double)c.rows[b] : 1.0;
        c.v[b] /= n;
        c.f[b] /= n;
    }
    if (rows[0] > 0.0 && rows[1] > 0.0) {
        c.offset = 0.5 * (side[0] / rows[0] + side[1] / rows[1]);
    }
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
    const double determinant = n * vv - v * v;
    *sigma2 = determinant > 1e-9 * n * vv ? fmax((n * vf - v * f) / determinant, 0.0) : 0.0;
    *mu_c = (f - *sigma2 * v) / fmax(n, 1.0);
    const double mean = fabs(f) / fmax(n, 1.0);
    if (!(*mu_c > 0.05 * mean)) {
        *mu_c = fmax(0.5 * mean, 1e-12);
    }
}

// Guess of the sliding law from the bins.
static void guess_sliding(law_problem* q, const curve* c)
{
    double mu_c, sigma2;
    line_through(c, &mu_c, &sigma2);
    double mu_s = 1.05 * mu_c, v_s = c->fastest / 20.0;
    for (int b = 0; b < BINS; b++) {
        mu_s = fmax(mu_s, c->f[b] - sigma2 * c->v[b]); // empty bins have 0
    }
    for (int b = 0; b < BINS; b++) {
        if (c->f[b] - sigma2 * c->v[b] > mu_c + 0.4 * (mu_s - mu_c)) {
            v_s = c->v[b];
        }
    }
    const double guess[BR_FIT_COUNT] = {
        [BR_FIT_MU_C] = mu_c, [BR_FIT_MU_S] = mu_s,  [BR_FIT_V_S] = v_s,
        [BR_FIT_GAMMA] = 2.0, [BR_FIT_SIGMA0] = 1.0, [BR_FIT_SIGMA2] = sigma2,
        [BR_FIT_S_BA] = 0.5,  [BR_FIT_ALPHA] = 1.0,  [BR_FIT_OFFSET] = c->offset};
    for (int k = 0; k < BR_FIT_COUNT; k++) {
        bri_set_unknown(&q->e, k, guess[k]);
    }
}

// Starting points, the best first.
typedef struct starts {
    size_t count, max; // max <= MOST_STARTS
    double cost[MOST_STARTS + 1];
    double p[MOST_STARTS + 1][BR_FIT_COUNT]; // one more, for the point that drops out
} starts;

// Insert the present point by its cost; the worst drops out of a full list.
static void offer(starts* s, law_problem* q)
{
    const double cost = bri_cost(&q->e);
    size_t rank = s->count;
    s->count += s->count < s->max;
    for (; rank > 0 && cost < s->cost[rank - 1]; rank--) {
        s->cost[rank] = s->cost[rank - 1];
        memcpy(s->p[rank], s->p[rank - 1], sizeof s->p[rank]);
    }
    s->cost[rank] = cost;
    memcpy(s->p[rank], q->e.at.p, sizeof s->p[rank]);
}

// Bristles that break away over 3e-5 to 1 of the stroke, with and without damping, with the present sliding law.
// Those of an elasto-plastic law start as LuGre's.
static void try_bristles(law_problem* q, starts* s)
{
    enum { STIFFNESSES = 10, DAMPINGS = 3 };
    const br_law_kind kind = q->history.kind;
    q->history.kind = kind == BR_LAW_ELASTO_PLASTIC ? BR_LAW_LUGRE : kind;
    const br_fit_law_data* d = &q->history.data;
    const double stroke = bri_stroke(d), dt = (d->t[d->count - 1] - d->t[0]) / (double)d->count;
    const double unit = q->history.kind == BR_LAW_DAHL && d->fn ? d->fn[0] : 1.0;
    const double strength = q->e.at.p[BR_FIT_MU_C] * unit;
    for (int i = 0; i < STIFFNESSES; i++) {
        const double sigma0 = strength / (stroke * pow(10.0, -0.5 * i));
        bri_set_unknown(&q->e, BR_FIT_SIGMA0, sigma0);
        for (int j = 0; j < (q->e.at.estimated >> BR_FIT_SIGMA1 & 1 ? DAMPINGS : 1); j++) {
            // damping times of none, 3 rows, 30 rows
            bri_set_unknown(&q->e, BR_FIT_SIGMA1, j ? sigma0 * dt * (j == 1 ? 3.0 : 30.0) : 0.0);
            bri_set_unknown(&q->e, BR_FIT_START,
                            fmax(-strength, fmin(d->f[0] / (d->fn ? d->fn[0] : 1.0), strength)));
            offer(s, q);
            bri_set_unknown(&q->e, BR_FIT_START, 0.0);
            offer(s, q);
        }
    }
    q->history.kind = kind;
}

// The Stribeck speed of a sliding law, from several guesses.
static void try_speeds(law_problem* q, starts* s)
{
    static const double factors[] = {1.0, 0.3, 3.0, 0.1};
    const double v_s = q->e.at.p[BR_FIT_V_S];
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        bri_set_unknown(&q->e, BR_FIT_V_S, factors[i] * v_s);
        offer(s, q);
    }
}

// The sliding law alone, as if there were no bristles: a good start.
static br_status solve_sliding(law_problem* q, br_reason* why)
{
    const unsigned estimated = q->e.at.estimated;
    const br_law_kind kind = q->history.kind;
    q->history.kind = kind == BR_LAW_DAHL ? BR_LAW_COULOMB : BR_LAW_STRIBECK;
    q->e.at.estimated &= ~(BIT(SIGMA0) | BIT(SIGMA1) | BIT(S_BA) | BIT(ALPHA) | BIT(START));
    const br_status status = bri_solve(&q->e, 1e-4, why);
    q->e.at.estimated = estimated;
    q->history.kind = kind;
    if (q->e.at.p[BR_FIT_MU_S] < q->e.at.p[BR_FIT_MU_C] && (estimated >> BR_FIT_MU_S & 1)) {
        q->e.at.p[BR_FIT_MU_S] = 1.05 * q->e.at.p[BR_FIT_MU_C];
    }
    q->e.at.p[BR_FIT_SIGMA2] = fmax(q->e.at.p[BR_FIT_SIGMA2], 0.0);
    return status;
}

// Solve from each starting point and keep the best.
static br_status follow(law_problem* q, const starts* s, br_reason* why)
{
    br_status status = BR_OK;
    fit_point best = q->e.at;
    best.cost = HUGE_VAL;
    for (size_t i = 0; i < s->count && status == BR_OK; i++) {
        q->e.fraction = 0.5 * (double)i / (double)s->count;
        q->e.at.cost = HUGE_VAL;
        memcpy(q->e.at.p, s->p[i], sizeof s->p[i]);
        status = bri_solve(&q->e, 1e-6, why);
        best = q->e.at.cost < best.cost ? q->e.at : best;
    }
    q->e.at = best;
    return status;
}

// Fit the law without elastic band first, which has fewer local minima; then try narrow and wide bands.
static br_status try_bands(law_problem* q, starts* s, br_reason* why)
{
    static const double bands[] = {0.2, 0.5, 0.8};
    const unsigned estimated = q->e.at.estimated;
    q->history.kind = BR_LAW_LUGRE;
    q->e.at.estimated &= ~(BIT(S_BA));
    const br_status status = follow(q, s, why);
    q->history.kind = BR_LAW_ELASTO_PLASTIC;
    q->e.at.estimated = estimated;
    *s = (starts){.max = MOST_STARTS};
    for (size_t i = 0; i < sizeof bands / sizeof *bands; i++) {
        bri_set_unknown(&q->e, BR_FIT_S_BA, bands[i]);
        offer(s, q);
    }
    return status;
}

// Starts of a law with bristles, on the sliding law of the bins and on a fitted one.
static br_status start_bristles(law_problem* q, starts* s, br_reason* why)
{
    const fit_point guess = q->e.at;
    try_bristles(q, s);
    q->e.at = guess;
    const br_status status = solve_sliding(q, why);
    if (status != BR_OK) {
        return status;
    }
    try_bristles(q, s);
    return q->history.kind == BR_LAW_ELASTO_PLASTIC ? try_bands(q, s, why) : BR_OK;
}

// From several starts, of the law's own parameters, offset and start alone.
static br_status start_plain(law_problem* q, br_reason* why)
{
    const curve c = curve_of(&q->history.data);
    starts s = {.max = q->def->starts};
    br_status status = BR_OK;
    guess_sliding(q, &c);
    if (br_law_has_state(q->history.kind) && q->history.data.t) {
        status = start_bristles(q, &s, why);
    } else {
        try_speeds(q, &s);
    }
    if (status == BR_ERR_STOPPED) {
        // the best start is the best so far
        if (s.count > 0) {
            memcpy(q->e.at.p, s.p[0], sizeof s.p[0]);
        }
        q->e.at.cost = bri_cost(&q->e);
    }
    return status ? status : follow(q, &s, why);
}

// Exponents, delay and other free parameters join when these are near, since they have local minima far off.
static br_status find_start(law_problem* q, br_reason* why)
{
    const unsigned later = BR_FIT_EXPONENTS | ~0u << BR_FIT_DELAY, estimated = q->e.at.estimated;
    q->e.at.estimated &= ~later;
    for (int k = 0; k < BR_FIT_COUNT; k++) {
        if (estimated & later & 1u << k) {
            q->e.at.p[k] = k == BR_FIT_GAMMA ? 2.0 : k == BR_FIT_ALPHA ? 1.0 : 0.0;
        }
    }
    br_status status = start_plain(q, why);
    q->e.at.estimated = estimated;
    if (status == BR_OK && estimated & later) {
        status = bri_solve(&q->e, 1e-6, why);
    }
    return status;
}

// --- solution -----------------------------------------------------------------------------------------

// Huber's corner: 1.345 standard deviations of the noise, which are 1.4826 medians of |r|.
void bri_law_set_huber(law_problem* q)
{
    const size_t n = q->history.data.count;
    q->e.huber = 0.0;
    bri_cost(&q->e);
    for (size_t i = 0; i < n; i++) {
        q->jacobian[i] = fabs(q->force[i] - q->history.data.f[i]);
    }
    q->e.huber = 1.345 * 1.4826 * bri_quantile(q->jacobian, n, n / 2);
}

// The corner and the fit depend on each other: update both in turns until the corner converges.
static br_status solve_robust(law_problem* q, br_reason* why)
{
    enum { MOST_ROUNDS = 12 };
    br_status status = BR_OK;
    for (int round = 0; status == BR_OK && round < MOST_ROUNDS; round++) {
        const double last = q->e.huber;
        bri_law_set_huber(q);
        if (round > 1 && fabs(q->e.huber - last) < 0.01 * last) {
            break;
        }
        // outliers may have misled the first starts
        status = round == 0 ? find_start(q, why) : bri_solve(&q->e, 1e-6, why);
    }
    return status;
}

static br_status solve(law_problem* q, br_reason* why)
{
    br_status status = find_start(q, why);
    if (q->def->robust && status == BR_OK) {
        status = solve_robust(q, why);
    }
    return status == BR_OK ? bri_solve_with_edges(&q->e, why) : status;
}

// The friction of the law at the estimator's point, for friction by position.
static void set_friction(law_problem* q)
{
    bri_law_history(&q->history, q->e.at.p, q->position.friction, NULL);
    for (size_t i = 0; i < q->position.rows; i++) {
        q->position.friction[i] -= q->e.at.p[BR_FIT_OFFSET];
    }
}

int bri_law_set_position(law_problem* q, size_t places, size_t gains)
{
    if (gains > 0) {
        set_friction(q);
    }
    const int is_on = bri_position_set(&q->position, q->distance, places, gains);
    q->e.eliminated = (q->position.count > 0 ? q->position.count - 1 : 0) +
                      (q->position.gains > 0 ? q->position.gains - 1 : 0);
    return is_on;
}

// What the law leaves at the estimator's point, without what depends on the position; into the Jacobian's memory.
static const double* rest_of_law(law_problem* q)
{
    set_friction(q);
    for (size_t i = 0; i < q->position.rows; i++) {
        q->jacobian[i] = q->history.data.f[i] - q->position.friction[i] - q->e.at.p[BR_FIT_OFFSET];
    }
    return q->jacobian;
}

// Choose the places of an offset by position from the residuals of a fit without it.
static int choose_position(law_problem* q)
{
    const double* rest = rest_of_law(q);
    const size_t places = bri_position_choose(&q->position, q->distance, rest);
    return bri_law_set_position(q, places, 0);
}

// Friction by position, beside the offset: chosen in the same manner. It takes the law's friction as known, so solve
// again with that of the solution until both agree.
static br_status solve_with_friction(law_problem* q, br_reason* why)
{
    enum { MOST_ROUNDS = 6 };
    br_status status = BR_OK;
    const double* rest = rest_of_law(q);
    const size_t gains = bri_position_choose_gains(&q->position, rest);
    bri_law_set_position(q, q->position.count, gains);
    for (int round = 0; round < MOST_ROUNDS && q->position.gains > 0 && status == BR_OK; round++) {
        const double last = q->e.at.cost;
        bri_law_set_position(q, q->position.count, gains);
        q->e.at.cost = HUGE_VAL;
        status = bri_solve_with_edges(&q->e, why);
        if (fabs(q->e.at.cost - last) < 1e-4 * last) {
            break;
        }
    }
    return status;
}

// Keep the better of a point that was found before and the present one.
static void keep_better(law_problem* q, const fit_point* found)
{
    if (!(q->e.at.cost < found->cost)) {
        q->e.at = *found;
    }
}

// From mu_s = mu_c to a peak at the slowest speeds, which may be better than wider ones.
static br_status start_at_peak(law_problem* q, unsigned estimated, br_reason* why)
{
    double* p = q->e.at.p;
    q->e.at.mu_is_tied = 0;
    q->e.at.estimated |= estimated & BIT(MU_S);
    p[BR_FIT_MU_S] = 1.2 * p[BR_FIT_MU_C];
    const br_status status = bri_solve(&q->e, 1e-6, why);
    if (status == BR_OK && p[BR_FIT_MU_S] > p[BR_FIT_MU_C]) {
        q->e.at.estimated |= estimated & (BIT(V_S) | BIT(GAMMA));
    }
    return status == BR_OK ? bri_solve_with_edges(&q->e, why) : status;
}

// Start again on the edges, where a fit has other local minima.
static br_status start_on_edges(law_problem* q, unsigned estimated, br_reason* why)
{
    fit_point found = q->e.at;
    q->e.at.cost = HUGE_VAL;
    br_status status = find_start(q, why);
    status = status ? status : bri_solve_with_edges(&q->e, why);
    keep_better(q, &found);
    if (status == BR_OK && q->e.at.mu_is_tied && estimated >> BR_FIT_MU_S & 1) {
        found = q->e.at;
        status = start_at_peak(q, estimated, why);
        keep_better(q, &found);
    }
    return status;
}

br_status bri_law_solve(law_problem* q, br_reason* why)
{
    const fit_point none = q->e.at;
    br_status status = solve(q, why);
    const fit_point found = q->e.at;
    if (status == BR_OK && q->distance && choose_position(q)) {
        q->e.at = none;
        status = solve(q, why);
    }
    if (status == BR_OK && q->distance) {
        status = solve_with_friction(q, why);
    }
    if (status == BR_ERR_STOPPED && bri_position_is_on(&q->position)) {
        keep_better(q, &found);
    }
    const fit_point* at = &q->e.at;
    const int is_on_edge = at->estimated != none.estimated || at->mu_is_tied != none.mu_is_tied;
    return status == BR_OK && is_on_edge ? start_on_edges(q, none.estimated, why) : status;
}
