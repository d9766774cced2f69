/*
 * A friction law from measured motion.
 *
 *   starts -> least squares -> edges (mu_s = mu_c, sigma >= 0, passivity) -> how sure -> what next
 */
#include "bristle/fit_law.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fit/law_problem.h"
#include "fit/law_sure.h"

static const struct {
    const char *name, *unit;
} nuisances[] = {{"offset", "N"},         {"start", "-"},     {"delay", "s"},
                 {"speed_offset", "m/s"}, {"asymmetry", "-"}, {"load_gain", "1/unit of load"}};

const char* br_fit_law_name(br_fit_law_kind kind)
{
    switch (kind) {
#define NAME_CASE(name, text, law)                                                                 \
    case name:                                                                                     \
        return text;
        BR_FIT_LAW_LIST(NAME_CASE)
#undef NAME_CASE
    case BR_FIT_LAW_COUNT:
        break;
    }
    return "unknown law";
}

br_law_kind br_fit_law_get_law(br_fit_law_kind kind)
{
    switch (kind) {
#define LAW_CASE(name, text, law)                                                                  \
    case name:                                                                                     \
        return law;
        BR_FIT_LAW_LIST(LAW_CASE)
#undef LAW_CASE
    case BR_FIT_LAW_COUNT:
        break;
    }
    return BR_LAW_COULOMB;
}

const char* br_fit_law_get_name(int k)
{
    if (k < 0 || k >= BR_FIT_COUNT) {
        return NULL;
    }
    return k < BR_FIT_OFFSET ? br_law_get_parameter((size_t)k)->name
                             : nuisances[k - BR_FIT_OFFSET].name;
}

static const char* unit_of(int k)
{
    return k < BR_FIT_OFFSET ? br_law_get_parameter((size_t)k)->unit
                             : nuisances[k - BR_FIT_OFFSET].unit;
}

br_fit_law_def br_fit_law_def_default(void)
{
    return (br_fit_law_def){.size = sizeof(br_fit_law_def),
                            .law = BR_FIT_LUGRE,
                            .free = 1u << BR_FIT_OFFSET | 1u << BR_FIT_START,
                            .level = 0.95,
                            .by_position = 1,
                            .profile = 1,
                            .starts = 3};
}

static br_status refuse(br_reason* why, const char* field, const char* text)
{
    br_reason_set(why, field, "%s", text);
    return BR_ERR_DEF;
}

static br_status check(const br_fit_law_def* def, br_reason* why)
{
    if (def->size != sizeof *def) {
        return refuse(why, "size", "start from br_fit_law_def_default()");
    }
    if ((int)def->law < 0 || def->law >= BR_FIT_LAW_COUNT) {
        return refuse(why, "law", "must be a br_fit_law_kind");
    }
    if (!(def->level > 0.0 && def->level < 1.0)) {
        return refuse(why, "level", "must be in (0, 1)");
    }
    if (def->starts < 1 || def->starts > 16) {
        return refuse(why, "starts", "must be 1 to 16");
    }
    if (!def->data.t && br_law_has_state(br_fit_law_get_law(def->law))) {
        return refuse(why, "t",
                      "is missing: a law with bristles needs the motion over time; steady "
                      "points tell coulomb, viscous and stribeck");
    }
    if (!def->data.t && (def->free | def->fixed) >> BR_FIT_DELAY & 1) {
        return refuse(why, "t", "is missing: a delay needs the motion over time");
    }
    if (!def->data.load && def->free >> BR_FIT_LOAD_GAIN & 1) {
        return refuse(why, "load", "is missing: load_gain needs it");
    }
    return br_fit_law_data_check(&def->data, why);
}

// The law of parameters p; what is not quite allowed by rounding becomes allowed.
static br_law law_of(br_fit_law_kind kind, const double* p)
{
    br_law law = br_law_default(br_fit_law_get_law(kind));
    for (int k = 0; br_law_get_parameter((size_t)k); k++) {
        const br_law_parameter* parameter = br_law_get_parameter((size_t)k);
        *(double*)((char*)&law + parameter->offset) = p[k];
    }
    law.mu_s = fmax(law.mu_s, law.mu_c);
    law.sigma1 = fmax(law.sigma1, 0.0);
    law.sigma2 = fmax(law.sigma2, 0.0);
    return law;
}

// --- edges ------------------------------------------------------------------------------------------

static int compare(const void* a, const void* b)
{
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// The speed that a tenth of the rows that move are below: narrower peaks of the Stribeck curve would not show.
static double slow_speed(law_problem* q)
{
    size_t n = 0;
    for (size_t i = 0; i < q->history.data.count; i++) {
        if (q->history.data.v[i] != 0.0) {
            q->jacobian[n++] = fabs(q->history.data.v[i]);
        }
    }
    qsort(q->jacobian, n, sizeof *q->jacobian, compare);
    return q->jacobian[n / 10];
}

// Hold a parameter at 0 from now on.
static int hold_at_zero(law_problem* q, int k)
{
    if (!(q->estimated >> k & 1) || q->p[k] >= 0.0) {
        return 0;
    }
    q->estimated &= ~(1u << k);
    q->p[k] = 0.0;
    return 1;
}

// The least mu_c that is one: a thousandth of the largest f/fn.
static double least_mu_c(const br_fit_law_data* d)
{
    double most = 0.0;
    for (size_t i = 0; i < d->count; i++) {
        most = fmax(most, fabs(d->f[i]) / (d->fn ? d->fn[i] : 1.0));
    }
    return 1e-3 * most;
}

// Has the fit left an edge? Then go on along it.
static int take_edge(law_problem* q)
{
    const double* p = q->p;
    const double least = least_mu_c(&q->history.data);
    if (q->estimated >> BR_FIT_MU_C & 1 && p[BR_FIT_MU_C] < least) {
        q->estimated &= ~(1u << BR_FIT_MU_C);
        q->p[BR_FIT_MU_C] = least;
        return 1;
    }
    if (q->estimated >> BR_FIT_MU_S & 1 && p[BR_FIT_MU_S] < p[BR_FIT_MU_C]) {
        q->mu_is_tied = 1;
        q->estimated &= ~(1u << BR_FIT_MU_S | 1u << BR_FIT_V_S | 1u << BR_FIT_GAMMA);
        q->p[BR_FIT_V_S] = q->def->fixed >> BR_FIT_V_S & 1 ? p[BR_FIT_V_S] : slow_speed(q);
        return 1;
    }
    if (q->estimated >> BR_FIT_S_BA & 1 && p[BR_FIT_S_BA] < 1e-4) {
        q->estimated &= ~(1u << BR_FIT_S_BA);
        q->p[BR_FIT_S_BA] = 0.0;
        return 1;
    }
    if (hold_at_zero(q, BR_FIT_SIGMA1) || hold_at_zero(q, BR_FIT_SIGMA2)) {
        return 1;
    }
    const br_law law = law_of(q->def->law, p);
    if (q->def->passive && q->estimated >> BR_FIT_SIGMA2 & 1 && !q->is_at_passivity &&
        br_law_passivity_margin(&law) < 0.0) {
        q->is_at_passivity = 1;
        q->estimated &= ~(1u << BR_FIT_SIGMA2);
        return 1;
    }
    return 0;
}

static br_status solve_with_edges(law_problem* q, double* cost, int* is_converged, br_reason* why)
{
    br_status status = bri_law_solve(q, 1e-10, cost, is_converged, why);
    while (status == BR_OK && take_edge(q)) {
        status = bri_law_solve(q, 1e-10, cost, is_converged, why);
    }
    return status;
}

// --- outliers -----------------------------------------------------------------------------------------

// Huber's corner: 1.345 standard deviations of the noise, which are 1.4826 medians of |r|.
static void set_huber(law_problem* q)
{
    const size_t n = q->history.data.count;
    q->huber = 0.0;
    bri_law_cost(q);
    for (size_t i = 0; i < n; i++) {
        q->jacobian[i] = fabs(q->force[i] - q->history.data.f[i]);
    }
    qsort(q->jacobian, n, sizeof *q->jacobian, compare);
    q->huber = 1.345 * 1.4826 * q->jacobian[n / 2];
}

// The corner depends on the fit and the fit on the corner: in turns, until it stays.
static br_status solve_robust(law_problem* q, double* cost, int* is_converged, br_reason* why)
{
    enum { MOST_ROUNDS = 12 };
    br_status status = BR_OK;
    for (int round = 0; status == BR_OK && round < MOST_ROUNDS; round++) {
        const double last = q->huber;
        set_huber(q);
        if (round > 1 && fabs(q->huber - last) < 0.01 * last) {
            break;
        }
        // outliers may have led the first starts astray
        status = round == 0 ? bri_law_start(q, cost, is_converged, why)
                            : bri_law_solve(q, 1e-6, cost, is_converged, why);
    }
    return status;
}

// What of a fit edges change, and its parameters.
typedef struct edges {
    unsigned estimated;
    int mu_is_tied, is_at_passivity;
    double p[BR_FIT_COUNT];
} edges;

static edges edges_of(const law_problem* q)
{
    edges e = {q->estimated, q->mu_is_tied, q->is_at_passivity, {0}};
    memcpy(e.p, q->p, sizeof e.p);
    return e;
}

static void set_edges(law_problem* q, const edges* e)
{
    q->estimated = e->estimated;
    q->mu_is_tied = e->mu_is_tied;
    q->is_at_passivity = e->is_at_passivity;
    memcpy(q->p, e->p, sizeof q->p);
}

// From mu_s = mu_c to a peak at the slowest speeds, which may be better although wider ones were not.
static br_status start_at_peak(law_problem* q, const edges* none, double* cost, int* is_converged,
                               br_reason* why)
{
    const unsigned v_s = 1u << BR_FIT_V_S | 1u << BR_FIT_GAMMA;
    q->mu_is_tied = 0;
    q->estimated |= none->estimated & 1u << BR_FIT_MU_S;
    q->p[BR_FIT_MU_S] = 1.2 * q->p[BR_FIT_MU_C];
    br_status status = bri_law_solve(q, 1e-6, cost, is_converged, why);
    if (status == BR_OK && q->p[BR_FIT_MU_S] > q->p[BR_FIT_MU_C]) {
        q->estimated |= none->estimated & v_s;
    }
    return status == BR_OK ? solve_with_edges(q, cost, is_converged, why) : status;
}

// The better of what was found before and what the problem holds now.
static void keep_better(law_problem* q, const edges* found, double other, int converged,
                        double* cost, int* is_converged)
{
    if (other < *cost) {
        *cost = other;
        *is_converged = converged;
    } else {
        set_edges(q, found);
    }
}

// Along its edges a fit has other ends than the one that it came from: start there, too.
static br_status start_on_edges(law_problem* q, const edges* none, double* cost, int* is_converged,
                                br_reason* why)
{
    const edges first = edges_of(q);
    double other = HUGE_VAL;
    int converged = 0;
    br_status status = bri_law_start(q, &other, &converged, why);
    if (status == BR_OK) {
        status = solve_with_edges(q, &other, &converged, why);
    }
    keep_better(q, &first, other, converged, cost, is_converged);
    if (status == BR_OK && q->mu_is_tied && none->estimated >> BR_FIT_MU_S & 1) {
        const edges second = edges_of(q);
        status = start_at_peak(q, none, &other, &converged, why);
        keep_better(q, &second, other, converged, cost, is_converged);
    }
    return status;
}

static br_status solve(law_problem* q, double* cost, int* is_converged, br_reason* why)
{
    br_status status = bri_law_start(q, cost, is_converged, why);
    if (q->def->robust && status == BR_OK) {
        status = solve_robust(q, cost, is_converged, why);
    }
    return status == BR_OK ? solve_with_edges(q, cost, is_converged, why) : status;
}

// May the offset depend on the position? The residuals of a fit where it does not say so.
static int set_position(law_problem* q)
{
    const size_t rows = q->history.data.count;
    if (!q->way) {
        return 0;
    }
    bri_law_cost(q);
    for (size_t i = 0; i < rows; i++) {
        q->jacobian[i] = q->history.data.f[i] - q->force[i];
    }
    const size_t places = bri_position_choose(q->way, q->history.data.v, q->jacobian, rows);
    return bri_position_set(&q->position, q->way, rows, places, q->way + rows);
}

static br_status solve_all(law_problem* q, double* cost, int* is_converged, br_reason* why)
{
    const edges none = edges_of(q);
    br_status status = solve(q, cost, is_converged, why);
    if (status == BR_OK && set_position(q)) {
        set_edges(q, &none);
        status = solve(q, cost, is_converged, why);
    }
    if (status == BR_OK && (q->estimated != none.estimated || q->mu_is_tied != none.mu_is_tied)) {
        status = start_on_edges(q, &none, cost, is_converged, why);
    }
    return status;
}

// --- results -------------------------------------------------------------------------------------------

// The offset by position of the fit at q->p.
static void describe_map(law_problem* q, br_fit_law_result* out)
{
    double c[BR_FIT_PLACES];
    const size_t places = q->position.count;
    out->map = (br_fit_offset_map){.count = 0};
    if (places > 0) {
        q->position.count = 0;
        bri_law_cost(q);
        q->position.count = places;
        for (size_t i = 0; i < q->position.rows; i++) {
            q->force[i] = q->history.data.f[i] - q->force[i];
        }
        bri_position_project(&q->position, q->force, c);
        bri_position_map(&q->position, c, &out->map);
    }
}

static void describe(law_problem* q, br_fit_law_result* out)
{
    const unsigned own = bri_law_own(q->def->law);
    out->kind = q->def->law;
    out->law = law_of(q->def->law, q->p);
    out->estimated = q->estimated;
    out->count = q->used;
    out->evaluations = q->evaluations;
    out->passivity_margin = br_law_passivity_margin(&out->law);
    out->next.parameter = -1;
    describe_map(q, out);
    for (int k = 0; k < BR_FIT_COUNT; k++) {
        br_fit_estimate* e = &out->estimates[k];
        const int is_fixed = !((own | ~0u << BR_FIT_OFFSET) >> k & 1) || !(q->estimated >> k & 1);
        *e =
            (br_fit_estimate){.name = br_fit_law_get_name(k), .unit = unit_of(k), .value = q->p[k]};
        e->low = e->high = e->value;
        e->is_fixed = is_fixed;
        e->is_told = 1;
    }
}

// A parameter that its edge holds, in words.
static void describe_held(br_fit_estimate* e, double low, double high, const char* words)
{
    e->is_told = e->is_fixed = 0;
    e->low = low;
    e->high = high;
    snprintf(e->words, sizeof e->words, "%s", words);
}

// What an edge says of the parameters on it.
static void describe_edges(const law_problem* q, br_fit_law_result* out)
{
    const unsigned own = bri_law_own(q->def->law) & ~q->def->fixed;
    if (q->mu_is_tied && own >> BR_FIT_MU_S & 1) {
        describe_held(&out->estimates[BR_FIT_MU_S], out->law.mu_c, HUGE_VAL,
                      "no more friction at rest than in motion: mu_s = mu_c");
        describe_held(&out->estimates[BR_FIT_V_S], 0.0, HUGE_VAL,
                      "mu_s = mu_c: there is no Stribeck speed");
    }
    for (int k = BR_FIT_SIGMA1; k <= BR_FIT_S_BA; k++) {
        if ((own & ~q->estimated) >> k & 1 && !(k == BR_FIT_SIGMA2 && q->is_at_passivity)) {
            describe_held(&out->estimates[k], 0.0, k == BR_FIT_S_BA ? 1.0 : HUGE_VAL,
                          "not told apart from 0: the best value is at its edge");
        }
    }
    if (q->is_at_passivity) {
        strcpy(out->estimates[BR_FIT_SIGMA2].words,
               "held at the edge of passivity, sigma1 (mu_s - mu_c)/mu_c");
    }
}

// How much worse the fit is with mu_s = mu_c + peak, all others fitted anew, in standard deviations.
static br_status peak_profile(law_problem* q, const law_sureness* sure, double peak, double cost,
                              double* out, br_reason* why)
{
    double held = HUGE_VAL;
    int is_converged;
    q->mu_peak = peak;
    const br_status status = bri_law_solve(q, 1e-5, &held, &is_converged, why);
    *out = sqrt(fmax(held - cost, 0.0) / sure->unit);
    return status;
}

// The highest peak that the data allow at the Stribeck speed as it is; infinite where there is none.
static br_status find_peak(law_problem* q, const law_sureness* sure, double cost, double* out,
                           br_reason* why)
{
    enum { MOST_TRIES = 24 };
    double low = 0.0, high = HUGE_VAL, peak = 0.02 * q->p[BR_FIT_MU_C], away = 0.0;
    const double most = 1e3 * q->p[BR_FIT_MU_C];
    br_status status = BR_OK;
    for (int i = 0; i < MOST_TRIES && status == BR_OK && peak < most; i++) {
        status = peak_profile(q, sure, peak, cost, &away, why);
        if (fabs(away - sure->quantile) < 0.01 * sure->quantile) {
            break;
        }
        low = away > sure->quantile ? low : peak;
        high = away > sure->quantile ? peak : high;
        peak = isinf(high) ? 3.0 * peak : 0.5 * (low + high);
    }
    *out = peak < most && !isinf(high) ? peak : HUGE_VAL;
    return status;
}

// How large mu_s may be that is best at mu_c: at the narrowest peak that would show.
static br_status bound_mu_s(law_problem* q, const law_sureness* sure, double cost,
                            br_fit_law_result* out, br_reason* why)
{
    br_fit_estimate* e = &out->estimates[BR_FIT_MU_S];
    const edges best = edges_of(q);
    double peak;
    const br_status status = find_peak(q, sure, cost, &peak, why);
    q->mu_peak = 0.0;
    set_edges(q, &best);
    e->low = out->estimates[BR_FIT_MU_C].low;
    e->high = fmax(out->estimates[BR_FIT_MU_C].high, e->value + peak);
    e->error = out->widening * peak / sure->quantile;
    snprintf(e->words, sizeof e->words,
             isfinite(peak)
                 ? "mu_s = mu_c is best; bounded for v_s >= %.3g: a narrower peak would not show"
                 : "mu_s = mu_c is best; no bound above: nothing as slow as v_s = %.3g counts",
             q->p[BR_FIT_V_S]);
    return status;
}

// How large parameters may be that are best at their lower edges.
static br_status bound_edges(law_problem* q, const law_sureness* sure, double cost,
                             br_fit_law_result* out, br_reason* why)
{
    static const int at_zero[] = {BR_FIT_SIGMA1, BR_FIT_SIGMA2, BR_FIT_S_BA};
    const unsigned own = bri_law_own(q->def->law) & ~q->def->fixed;
    br_status status = BR_OK;
    for (size_t i = 0; i < sizeof at_zero / sizeof *at_zero && status == BR_OK; i++) {
        const int k = at_zero[i];
        if ((own & ~q->estimated) >> k & 1 && !(k == BR_FIT_SIGMA2 && q->is_at_passivity)) {
            status = bri_law_bound(q, sure, k, cost, out, why);
        }
    }
    if (status == BR_OK && q->mu_is_tied && own >> BR_FIT_MU_S & 1) {
        status = bound_mu_s(q, sure, cost, out, why);
    }
    return status;
}

// Root mean square of what a fit leaves of the rows from `first` on.
static br_status error_from(const br_fit_law_result* fit, const br_fit_law_data* data, size_t first,
                            double* rms, br_reason* why)
{
    double* f = br_allocate(data->count, sizeof *f);
    if (!f) {
        br_reason_set(why, "", "%s", br_status_text(BR_ERR_MEMORY));
        return BR_ERR_MEMORY;
    }
    const br_status status = br_fit_law_eval(fit, data, f, why);
    double sum = 0.0;
    for (size_t i = first; status == BR_OK && i < data->count; i++) {
        sum += (f[i] - data->f[i]) * (f[i] - data->f[i]);
    }
    *rms = sqrt(sum / (double)(data->count - first));
    br_release(f);
    return status;
}

// The same beyond the rows that were fitted to.
static br_status judge_held_out(const br_fit_law_def* def, br_fit_law_result* out, br_reason* why)
{
    out->rms_held_out = NAN;
    if (def->train == 0 || def->train >= def->data.count) {
        return BR_OK;
    }
    return error_from(out, &def->data, def->train, &out->rms_held_out, why);
}

// Schwarz's criterion of the plain residuals.
static double bic_of(const law_problem* q, double rms)
{
    const double n = (double)q->used;
    return n * log(rms * rms) + (n - bri_law_freedom(q)) * log(n);
}

// Errors know a mu_c near 0, which others share something with; profiles keep it there.
static void free_at_edge(law_problem* q)
{
    q->at_edge = 1u << BR_FIT_MU_C & ~q->def->fixed & ~q->estimated;
    q->estimated |= q->at_edge;
}

static br_status judge_once(law_problem* q, double cost, br_fit_law_result* out, law_sureness* sure,
                            br_reason* why)
{
    free_at_edge(q);
    describe(q, out);
    bri_law_cost(q);
    bri_law_judge_residuals(q, cost, out);
    return bri_law_estimate(q, cost, out, sure, why);
}

// How sure it is. A profile may come upon a better fit: then again from there; in the end without profiles.
static br_status judge(law_problem* q, double* cost, br_fit_law_result* out, law_sureness* sure,
                       br_reason* why)
{
    enum { MOST_ROUNDS = 4 };
    const br_fit_law_def* def = q->def;
    br_fit_law_def plain = *def;
    br_status status = judge_once(q, *cost, out, sure, why);
    for (int round = 0; round < MOST_ROUNDS && status == BR_OK && sure->is_surpassed; round++) {
        q->estimated &= ~q->at_edge;
        status = solve_with_edges(q, cost, &out->is_converged, why);
        status = status == BR_OK ? judge_once(q, *cost, out, sure, why) : status;
    }
    if (status == BR_OK && sure->is_surpassed) {
        plain.profile = 0;
        q->def = &plain;
        status = judge_once(q, *cost, out, sure, why);
        q->def = def;
    }
    return status;
}

// A fit that was stopped may know its values, but not how sure they are.
static void describe_stopped(br_fit_law_result* out)
{
    for (int k = 0; k < BR_FIT_COUNT; k++) {
        br_fit_estimate* e = &out->estimates[k];
        if (out->estimated >> k & 1 && e->low == e->high) {
            e->error = e->high = HUGE_VAL;
            e->low = bri_law_is_log(k) || k == BR_FIT_S_BA ? 0.0 : -HUGE_VAL;
            e->is_told = 0;
            strcpy(e->words, "stopped before it was known how sure this is");
        }
    }
}

static br_status fit(law_problem* q, br_fit_law_result* out, br_reason* why)
{
    double cost = HUGE_VAL;
    law_sureness sure;
    br_status status = solve_all(q, &cost, &out->is_converged, why);
    if (status == BR_OK) {
        q->fraction = 0.6;
        status = judge(q, &cost, out, &sure, why);
    } else if (status == BR_ERR_STOPPED && cost < HUGE_VAL) {
        describe(q, out);
        bri_law_cost(q);
        bri_law_judge_residuals(q, cost, out);
    }
    if ((status != BR_OK && status != BR_ERR_STOPPED) || cost == HUGE_VAL) {
        return status;
    }
    out->bic = bic_of(q, out->rms);
    describe_edges(q, out);
    if (status == BR_OK) {
        bri_law_next(q, &sure, out);
        status = bound_edges(q, &sure, cost, out, why);
    } else {
        describe_stopped(out);
    }
    out->evaluations = q->evaluations;
    const br_status held_out = judge_held_out(q->def, out, why);
    return status == BR_OK ? held_out : status;
}

br_status br_fit_law(const br_fit_law_def* def, const br_fit_watch* watch, br_fit_law_result* out,
                     br_reason* why)
{
    memset(out, 0, sizeof *out);
    br_status status = check(def, why);
    if (status != BR_OK) {
        return status;
    }
    law_problem problem;
    status = bri_law_problem_begin(&problem, def, watch, why);
    if (status == BR_OK) {
        status = fit(&problem, out, why);
    }
    bri_law_problem_end(&problem);
    return status;
}

// The offset by position, along the way since the first row.
static void add_map(const br_fit_offset_map* map, const br_fit_law_data* d, double* f)
{
    double x = 0.0;
    for (size_t i = 0; map->count > 0 && i < d->count; i++) {
        const double last = (double)(map->count - 1);
        x += i > 0 ? 0.5 * (d->v[i] + d->v[i - 1]) * (d->t[i] - d->t[i - 1]) : 0.0;
        const double at = fmax(0.0, fmin((x - map->from) / (map->to - map->from) * last, last));
        const size_t place = at >= last ? map->count - 2 : (size_t)at;
        const double share = at - (double)place;
        f[i] += (1.0 - share) * map->offset[place] + share * map->offset[place + 1];
    }
}

br_status br_fit_law_eval(const br_fit_law_result* result, const br_fit_law_data* data, double* f,
                          br_reason* why)
{
    double p[BR_FIT_COUNT];
    for (int k = 0; k < BR_FIT_COUNT; k++) {
        p[k] = result->estimates[k].value;
    }
    law_history h = {.kind = br_fit_law_get_law(result->kind), .data = *data};
    if ((br_law_has_state(h.kind) || result->map.count > 0) && !data->t) {
        br_reason_set(why, "t", "is missing: this fit needs the motion over time");
        return BR_ERR_DEF;
    }
    if (p[BR_FIT_DELAY] != 0.0) {
        h.speed = br_allocate(2 * data->count, sizeof *h.speed);
        if (!h.speed) {
            br_reason_set(why, "", "%s", br_status_text(BR_ERR_MEMORY));
            return BR_ERR_MEMORY;
        }
    }
    bri_law_history(&h, p, f, NULL);
    br_release(h.speed);
    add_map(&result->map, data, f);
    return BR_OK;
}

br_status br_fit_law_validate(const br_fit_law_result* result, const br_fit_law_data* data,
                              double* rms, br_reason* why)
{
    br_fit_law_result there = *result;
    const br_status status = br_fit_law_data_check(data, why);
    if (status != BR_OK) {
        return status;
    }
    const double v = data->v[0] - result->estimates[BR_FIT_SPEED_OFFSET].value;
    const double unit = result->law.kind == BR_LAW_DAHL && data->fn ? data->fn[0] : 1.0;
    const double steady =
        unit * (result->law.kind == BR_LAW_DAHL ? result->law.mu_c : br_law_g(&result->law, v));
    there.map.count = 0;
    there.estimates[BR_FIT_START].value = v == 0.0 ? 0.0 : copysign(steady, v);
    return error_from(&there, data, 0, rms, why);
}

br_status br_fit_law_profile(const br_fit_law_def* def, const br_fit_law_result* result,
                             int parameter, const double* value, size_t count, double* out,
                             br_reason* why)
{
    if (parameter < 0 || parameter >= BR_FIT_COUNT || !(result->estimated >> parameter & 1)) {
        br_reason_set(why, "parameter", "must be one that was estimated");
        return BR_ERR_ARG;
    }
    law_problem q;
    br_status status = check(def, why);
    status = status ? status : bri_law_problem_begin(&q, def, NULL, why);
    if (status != BR_OK) {
        return status;
    }
    q.estimated = result->estimated;
    if (q.way) {
        bri_position_set(&q.position, q.way, q.history.data.count, result->map.count,
                         q.way + q.history.data.count);
    }
    q.mu_is_tied = def->law == BR_FIT_VISCOUS ||
                   result->estimates[BR_FIT_MU_S].value == result->estimates[BR_FIT_MU_C].value;
    for (int k = 0; k < BR_FIT_COUNT; k++) {
        q.p[k] = result->estimates[k].value;
    }
    if (def->robust) {
        set_huber(&q);
    }
    law_sureness sure;
    const double cost = bri_law_cost(&q);
    bri_law_inform(&q, &sure);
    sure.unit = cost / bri_law_freedom(&q);
    size_t index = 0;
    while (sure.parameter[index] != parameter) {
        index++;
    }
    for (size_t i = 0; i < count && status == BR_OK; i++) {
        double from[BR_FIT_COUNT];
        memcpy(from, sure.theta, sizeof from);
        status = bri_law_profile(&q, &sure, index, bri_law_to_theta(parameter, value[i]), cost,
                                 from, &out[i], why);
        out[i] /= fmax(result->widening, 1.0);
    }
    bri_law_problem_end(&q);
    return status;
}
