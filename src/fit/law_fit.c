/*
 * A friction law from measured motion.
 *
 *   starts -> least squares -> edges (mu_s = mu_c, sigma >= 0, passivity) -> how sure -> what next
 */
#include "bristle/fit_law.h"

#include <math.h>
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

// Has the fit left an edge? Then go on along it.
static int take_edge(law_problem* q)
{
    const double* p = q->p;
    if (q->estimated >> BR_FIT_MU_S & 1 && p[BR_FIT_MU_S] < p[BR_FIT_MU_C]) {
        q->mu_is_tied = 1;
        q->estimated &= ~(1u << BR_FIT_MU_S | 1u << BR_FIT_V_S | 1u << BR_FIT_GAMMA);
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

static int compare(const void* a, const void* b)
{
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

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

static br_status solve(law_problem* q, double* cost, int* is_converged, br_reason* why)
{
    br_status status = bri_law_start(q, cost, is_converged, why);
    if (q->def->robust && status == BR_OK) {
        status = solve_robust(q, cost, is_converged, why);
    }
    return status == BR_OK ? solve_with_edges(q, cost, is_converged, why) : status;
}

// --- results -------------------------------------------------------------------------------------------

static void describe(const law_problem* q, br_fit_law_result* out)
{
    const unsigned own = bri_law_own(q->def->law);
    out->kind = q->def->law;
    out->law = law_of(q->def->law, q->p);
    out->estimated = q->estimated;
    out->count = q->used;
    out->evaluations = q->evaluations;
    out->passivity_margin = br_law_passivity_margin(&out->law);
    out->next.parameter = -1;
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

// What an edge says of the parameters on it.
static void describe_edges(const law_problem* q, br_fit_law_result* out)
{
    static const int flat[] = {BR_FIT_MU_S, BR_FIT_V_S};
    const unsigned own = bri_law_own(q->def->law) & ~q->def->fixed;
    for (size_t i = 0; i < 2 && q->mu_is_tied && own >> BR_FIT_MU_S & 1; i++) {
        br_fit_estimate* e = &out->estimates[flat[i]];
        e->is_told = e->is_fixed = 0;
        e->low = i == 0 ? e->value : 0.0;
        e->high = HUGE_VAL;
        br_reason text;
        br_reason_set(&text, "", "%s",
                      i == 0 ? "no more friction at rest than in motion: mu_s = mu_c"
                             : "mu_s = mu_c: there is no Stribeck speed");
        memcpy(e->words, text.text, sizeof e->words - 1);
    }
    for (int k = BR_FIT_SIGMA1; k <= BR_FIT_S_BA; k++) {
        br_fit_estimate* e = &out->estimates[k];
        if (own >> k & 1 && !(q->estimated >> k & 1) &&
            !(k == BR_FIT_SIGMA2 && q->is_at_passivity)) {
            e->is_told = e->is_fixed = 0;
            e->high = k == BR_FIT_S_BA ? 1.0 : HUGE_VAL;
            strcpy(e->words, "not told apart from 0: the best value is at its edge");
        }
    }
    if (q->is_at_passivity) {
        strcpy(out->estimates[BR_FIT_SIGMA2].words,
               "held at the edge of passivity, sigma1 (mu_s - mu_c)/mu_c");
    }
}

// How large sigma1 and sigma2 may be that are best at 0.
static br_status bound_edges(law_problem* q, const law_sureness* sure, double cost,
                             br_fit_law_result* out, br_reason* why)
{
    br_status status = BR_OK;
    for (int k = BR_FIT_SIGMA1; k <= BR_FIT_SIGMA2 && status == BR_OK; k++) {
        const br_fit_estimate* e = &out->estimates[k];
        if (!e->is_told && !(q->estimated >> k & 1) && e->value == 0.0) {
            status = bri_law_bound(q, sure, k, cost, out, why);
        }
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
    return n * log(rms * rms) + (double)bri_law_unknowns(q) * log(n);
}

// How sure it is. A profile may come upon a better fit: then again from there.
static br_status judge(law_problem* q, double* cost, br_fit_law_result* out, law_sureness* sure,
                       br_reason* why)
{
    enum { MOST_ROUNDS = 4 };
    br_status status = BR_OK;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        describe(q, out);
        bri_law_cost(q);
        bri_law_judge_residuals(q, *cost, out);
        status = bri_law_estimate(q, *cost, out, sure, why);
        if (status != BR_OK || !sure->is_surpassed) {
            break;
        }
        status = solve_with_edges(q, cost, &out->is_converged, why);
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
    br_status status = solve(q, &cost, &out->is_converged, why);
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

br_status br_fit_law_eval(const br_fit_law_result* result, const br_fit_law_data* data, double* f,
                          br_reason* why)
{
    double p[BR_FIT_COUNT];
    for (int k = 0; k < BR_FIT_COUNT; k++) {
        p[k] = result->estimates[k].value;
    }
    law_history h = {.kind = br_fit_law_get_law(result->kind), .data = *data};
    if (br_law_has_state(h.kind) && !data->t) {
        br_reason_set(why, "t", "is missing: a law with bristles needs the motion over time");
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
    const double steady = unit * (result->law.kind == BR_LAW_DAHL ? result->law.mu_c
                                                                   : br_law_g(&result->law, v));
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
    sure.unit = cost / fmax((double)q.used - (double)sure.n, 1.0);
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
