/*
 * Results of a law's fit: estimates, bounds at edges, notes on parameters that are not identifiable, the next experiment.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bristle/math.h"
#include "fit/law_problem.h"
#include "fit/numbers.h"

// --- the peak of the Stribeck curve ------------------------------------------------------------------

// The highest peak mu_s - mu_c that the data allow at the present Stribeck speed; infinite where there is none.
static br_status find_peak(estimator* e, const information* s, double* out, br_reason* why)
{
    enum { MOST_TRIES = 24 };
    double low = 0.0, high = HUGE_VAL, peak = 0.02 * e->at.p[BR_FIT_MU_C];
    const double highest = 1e3 * e->at.p[BR_FIT_MU_C];
    br_status status = BR_OK;
    for (int i = 0; i < MOST_TRIES && status == BR_OK && peak < highest; i++) {
        e->mu_peak = peak;
        status = bri_solve(e, 1e-5, why);
        // how much worse the fit is, in standard deviations
        const double away = sqrt(fmax(e->at.cost - s->cost, 0.0) / s->unit);
        if (fabs(away - s->quantile) < 0.01 * s->quantile) {
            break;
        }
        low = away > s->quantile ? low : peak;
        high = away > s->quantile ? peak : high;
        peak = isinf(high) ? 3.0 * peak : 0.5 * (low + high);
    }
    *out = peak < highest && !isinf(high) ? peak : HUGE_VAL;
    return status;
}

// Upper bound of mu_s where mu_s = mu_c is best: that of the narrowest visible peak.
static br_status bound_mu_s(law_problem* q, const information* s, br_reason* why)
{
    br_fit_estimate *out = &q->e.estimates[BR_FIT_MU_S], *mu_c = &q->e.estimates[BR_FIT_MU_C];
    const fit_point best = q->e.at;
    double peak;
    const br_status status = find_peak(&q->e, s, &peak, why);
    q->e.mu_peak = 0.0;
    q->e.at = best;
    out->low = mu_c->low;
    out->high = fmax(mu_c->high, out->value + peak);
    out->error = q->e.widening * peak / s->quantile;
    snprintf(out->words, sizeof out->words,
             isfinite(peak)
                 ? "mu_s = mu_c is best; bounded for v_s >= %.3g: a narrower peak would not show"
                 : "mu_s = mu_c is best; no bound above: nothing as slow as v_s = %.3g counts",
             q->e.at.p[BR_FIT_V_S]);
    return status;
}

// --- parameters that are not identifiable ------------------------------------------------------------

// Those of the parameters in `bits` that are identifiable so far.
static unsigned identifiable(const estimator* e, unsigned bits)
{
    for (int k = 0; k < e->count; k++) {
        bits &= e->estimates[k].is_identifiable ? ~0u : ~(1u << k);
    }
    return bits;
}

static void describe_motion(law_problem* q)
{
    estimator* e = &q->e;
    const unsigned own = bri_law_own(q->def->law) & ~q->def->fixed;
    const unsigned mu = own & (BIT(MU_C) | BIT(MU_S));
    const unsigned start = e->at.estimated & BIT(START);
    const unsigned bristles = own & (BIT(SIGMA0) | BIT(SIGMA1));
    bri_unbounded(e, e->at.at_bound & ~e->at.estimated,
                  "not identifiable: it ran into its bound, nothing holds it");
    if (e->at.at_bound >> BR_FIT_START & 1) {
        bri_unbounded(e, identifiable(e, bristles),
                      "only together with start, which ran into its bound");
    }
    if (q->one_speed) {
        bri_unbounded(e, q->one_speed | mu,
                      q->motion.is_noisy
                          ? "not identifiable: the speeds differ by no more than their noise"
                          : "not identifiable: one speed only, where the sum of friction is known");
    }
    if (q->inseparable) {
        // sigma0/mu_c is known, not sigma0; sigma1 and start change the same exponential
        bri_unbounded(
            e, mu | identifiable(e, bristles | start),
            "only together with offset, taken as 0: the motion slides in one direction only");
        bri_unbounded(
            e, q->inseparable,
            "only together with mu_c, taken as 0: the motion slides in one direction only");
    }
}

// --- what to measure next -----------------------------------------------------------------------------

// Choose from a list of experiments the one that shrinks the widest interval most, by their Jacobians at the fitted
// law. Experiments have as many rows as the data, at the same times.
typedef struct planner {
    law_problem* problem;
    const information* fit;
    size_t widest;  // unknown with the widest interval
    double *v, *fn; // (count) of the experiment that is tried
    br_fit_experiment best;
} planner;

// The widest interval of the law's own parameters, in theta.
static size_t find_widest(const estimator* e, const information* s)
{
    size_t widest = s->n;
    double largest = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        const int k = s->parameter[i];
        const double scale = bri_parameter(e, k)->scale != LINEAR ? 1.0 : fabs(s->theta[i]);
        const double size = sqrt(s->inverse[i][i]) / fmax(scale, 1e-300);
        if (k < BR_FIT_OFFSET && size > largest) {
            largest = size;
            widest = i;
        }
    }
    return widest;
}

// Try v = size cos(2 pi i/rows) in row i, or with rows = 0 `size` times the measured speed; load: over the measured
// normal force. Shrinkage: the error of the widest interval with this experiment added, over the present one.
static void try_experiment(planner* plan, double size, double rows, double load, const char* words)
{
    law_problem* q = plan->problem;
    const law_history measured = q->history;
    const size_t places = q->position.count, gains = q->position.gains, widest = plan->widest;
    information more;
    for (size_t i = 0; i < measured.data.count; i++) {
        const double wave = cos(2.0 * BR_PI * (double)i / fmax(rows, 1.0));
        plan->v[i] = size * (rows > 0.0 ? wave : measured.data.v[i]);
        plan->fn[i] = load * (measured.data.fn ? measured.data.fn[i] : 1.0);
    }
    q->history.data.v = plan->v;
    q->history.data.fn = plan->fn;
    q->position.count = q->position.gains = 0; // these rows are elsewhere
    bri_inform(&q->e, &more);
    q->history = measured;
    q->position.count = places;
    q->position.gains = gains;
    for (size_t i = 0; i < more.n * more.n; i++) {
        more.matrix[i / more.n][i % more.n] += plan->fit->matrix[i / more.n][i % more.n];
    }
    bri_invert(more.matrix, more.n, more.inverse);
    const double shrinkage =
        sqrt(more.inverse[widest][widest]) / sqrt(plan->fit->inverse[widest][widest]);
    if (shrinkage < plan->best.shrinkage) {
        plan->best.shrinkage = shrinkage;
        snprintf(plan->best.words, sizeof plan->best.words, "%s", words);
    }
}

static void try_all(planner* plan)
{
    const law_problem* q = plan->problem;
    const br_fit_law_data* d = &q->history.data;
    const double* p = q->e.at.p;
    char words[160];
    const double dt = d->t ? (d->t[d->count - 1] - d->t[0]) / (double)(d->count - 1) : 1.0;
    try_experiment(plan, 1.0, 0.0, 1.0, "the same motion again");
    try_experiment(plan, 0.1, 0.0, 1.0, "the same motion ten times slower");
    try_experiment(plan, 10.0, 0.0, 1.0, "the same motion ten times faster");
    try_experiment(plan, 1.0, 0.0, 2.0, "the same motion at twice the load");
    if (br_law_has_state(q->history.kind) && d->t) {
        // amplitudes of half a break-away deflection and of three, 25 and 200 rows for each period
        for (int i = 0; i < 4; i++) {
            const double rows = i & 1 ? 25.0 : 200.0, period = rows * dt;
            const double unit = q->history.kind == BR_LAW_DAHL && d->fn ? d->fn[0] : 1.0;
            const double amplitude = (i & 2 ? 3.0 : 0.5) * p[BR_FIT_MU_C] * unit / p[BR_FIT_SIGMA0];
            snprintf(words, sizeof words,
                     "reversals at a small amplitude, %.2g to each side, %.2g times a second",
                     amplitude, 1.0 / period);
            try_experiment(plan, 2.0 * BR_PI * amplitude / period, rows, 1.0, words);
        }
    }
    if (bri_law_own(q->def->law) >> BR_FIT_V_S & 1) {
        snprintf(words, sizeof words, "slow sweeps through the Stribeck speed, up to %.2g",
                 4.0 * p[BR_FIT_V_S]);
        try_experiment(plan, 4.0 * p[BR_FIT_V_S], (double)d->count / 4.0, 1.0, words);
    }
}

static void choose_next(law_problem* q, const information* s, br_fit_law_result* out)
{
    planner plan = {.problem = q, .fit = s, .widest = find_widest(&q->e, s), .best = {"", -1, 1.0}};
    const size_t count = q->history.data.count;
    if (plan.widest == s->n) {
        return;
    }
    plan.v = br_allocate(2 * count, sizeof *plan.v);
    if (plan.v) {
        plan.fn = plan.v + count;
        plan.best.parameter = s->parameter[plan.widest];
        try_all(&plan);
        out->next = plan.best;
    }
    q->e.lacks_memory |= !plan.v;
    br_release(plan.v);
}

// --- results -----------------------------------------------------------------------------------------

// Offset and friction by position of the fit.
static void describe_maps(law_problem* q, br_fit_law_result* out)
{
    const size_t places = q->position.count, gains = q->position.gains;
    if (bri_position_is_on(&q->position)) {
        q->position.count = q->position.gains = 0;
        bri_cost(&q->e);
        q->position.count = places;
        q->position.gains = gains;
        for (size_t i = 0; i < q->position.rows; i++) {
            q->force[i] = q->history.data.f[i] - q->force[i];
        }
        bri_position_project(&q->position, q->force, &out->map, &out->friction_map);
    }
}

// Noise, outliers and Schwarz's criterion of the plain residuals.
static void judge_residuals(law_problem* q, br_fit_law_result* out)
{
    enum { FAR = 4 }; // standard deviations: one in 16,000 rows of normal noise
    estimator* e = &q->e;
    const double n = (double)e->used, free = bri_freedom(e);
    double square = 0.0;
    bri_cost(e);
    for (size_t i = 0; i < e->rows; i++) {
        square += e->residual[i] * e->residual[i];
    }
    out->rms = sqrt(square / n);
    out->noise = e->huber > 0.0 ? e->huber / 1.345 : sqrt(e->at.cost / free);
    out->bic = n * log(out->rms * out->rms) + (n - free) * log(n);
    for (size_t i = e->rows; i-- > 0;) {
        if (fabs(e->residual[i]) > FAR * out->noise) {
            out->outliers++;
            out->first_outlier = i;
        }
    }
}

static void describe(law_problem* q, br_fit_law_result* out)
{
    out->kind = q->def->law;
    out->law = bri_fitted_law(&q->e);
    out->estimated = q->e.at.estimated;
    out->count = q->e.used;
    out->passivity_margin = br_law_passivity_margin(&out->law);
    out->flip_force = q->def->flip_force;
    out->speed_noise = q->speed_noise;
    out->is_converged = q->e.at.is_converged;
    out->lag_correlation = q->e.lag;
    out->is_white = q->e.is_white;
    out->widening = q->e.widening;
    out->next.parameter = -1;
    judge_residuals(q, out);
    describe_maps(q, out);
}

br_status bri_law_fit(law_problem* q, br_fit_law_result* out, br_reason* why)
{
    estimator* e = &q->e;
    information s;
    e->estimates = out->estimates;
    e->correlation = out->correlation[0];
    br_status status = bri_law_solve(q, why);
    if (status == BR_OK) {
        status = bri_judge(e, &s, why);
    } else if (status == BR_ERR_STOPPED && e->at.cost < HUGE_VAL) {
        bri_describe(e);
        bri_cost(e);
        bri_judge_residuals(e);
    }
    if ((status != BR_OK && status != BR_ERR_STOPPED) || e->at.cost == HUGE_VAL) {
        return status;
    }
    describe(q, out);
    const int is_whole = status == BR_OK;
    const br_status edges = bri_bound_edges(e, is_whole ? &s : NULL, why);
    status = status ? status : edges;
    if (is_whole) {
        choose_next(q, &s, out);
    } else {
        bri_describe_stopped(e);
    }
    if (status == BR_OK && e->at.mu_is_tied && e->unknown >> BR_FIT_MU_S & 1) {
        status = bound_mu_s(q, &s, why);
    }
    status = status ? status : bri_law_widen_for_noise(q, &s, out, why);
    describe_motion(q);
    out->evaluations = e->evaluations;
    return e->lacks_memory ? bri_out_of_memory(why) : status;
}
