/*
 * What to measure next: of a list of experiments the one that would shrink the widest interval most, by the
 * Jacobians that they would have at the law as it is known.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bristle/math.h"
#include "fit/law_sure.h"

// Experiments have as many rows as the data, at their times.
typedef struct planner {
    law_problem* problem;
    const law_sureness* sure;
    size_t widest;  // unknown
    double error;   // of it now, over the noise
    double *v, *fn; // (count) of the experiment at hand
    br_fit_experiment best;
} planner;

// The widest interval of the law's own parameters, in theta.
static size_t find_widest(const law_sureness* s)
{
    size_t widest = s->n;
    double most = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        const int k = s->parameter[i];
        const double scale = bri_law_is_log(k) || k == BR_FIT_S_BA ? 1.0 : fabs(s->theta[i]);
        const double size = sqrt(s->inverse[i][i]) / fmax(scale, 1e-300);
        if (k < BR_FIT_OFFSET && size > most) {
            most = size;
            widest = i;
        }
    }
    return widest;
}

// The error of the widest with the experiment besides, over that now.
static double shrinkage_of(planner* plan, const br_fit_law_data* data)
{
    law_problem* q = plan->problem;
    const law_history measured = q->history;
    const size_t places = q->position.count;
    law_sureness more;
    double sum[SYMMETRIC_MOST][SYMMETRIC_MOST], inverse[SYMMETRIC_MOST][SYMMETRIC_MOST];
    q->history.data = *data;
    q->history.data.count = measured.data.count;
    q->position.count = 0; // these rows are elsewhere
    bri_law_inform(q, &more);
    q->history = measured;
    q->position.count = places;
    for (size_t i = 0; i < more.n; i++) {
        for (size_t j = 0; j < more.n; j++) {
            sum[i][j] = plan->sure->information[i][j] + more.information[i][j];
        }
    }
    bri_law_invert(sum, more.n, inverse);
    return sqrt(inverse[plan->widest][plan->widest]) / plan->error;
}

static void try_experiment(planner* plan, const br_fit_law_data* data, const char* words)
{
    const double shrinkage = shrinkage_of(plan, data);
    if (shrinkage < plan->best.shrinkage) {
        plan->best.shrinkage = shrinkage;
        snprintf(plan->best.words, sizeof plan->best.words, "%s", words);
    }
}

static void try_faster(planner* plan, double factor, const char* words)
{
    br_fit_law_data data = plan->problem->history.data;
    for (size_t i = 0; i < data.count; i++) {
        plan->v[i] = factor * data.v[i];
    }
    data.v = plan->v;
    try_experiment(plan, &data, words);
}

// v = size cos(2 pi t/period)
static void try_reversals(planner* plan, double size, double rows, const char* words)
{
    br_fit_law_data data = plan->problem->history.data;
    for (size_t i = 0; i < data.count; i++) {
        plan->v[i] = size * cos(2.0 * BR_PI * (double)i / rows);
    }
    data.v = plan->v;
    try_experiment(plan, &data, words);
}

static void try_load(planner* plan)
{
    br_fit_law_data data = plan->problem->history.data;
    for (size_t i = 0; i < data.count; i++) {
        plan->fn[i] = 2.0 * (data.fn ? data.fn[i] : 1.0);
    }
    data.fn = plan->fn;
    try_experiment(plan, &data, "the same motion at twice the load");
}

static void try_all(planner* plan)
{
    const law_problem* q = plan->problem;
    const br_fit_law_data* d = &q->history.data;
    const double* p = q->p;
    char words[160];
    const double dt = d->t ? (d->t[d->count - 1] - d->t[0]) / (double)(d->count - 1) : 1.0;
    try_experiment(plan, d, "the same motion again");
    try_faster(plan, 0.1, "the same motion ten times slower");
    try_faster(plan, 10.0, "the same motion ten times faster");
    try_load(plan);
    if (br_law_has_state(q->history.kind) && d->t) {
        // amplitudes of half a break-away deflection and of three, 25 and 200 rows for each turn to and fro
        for (int i = 0; i < 4; i++) {
            const double rows = i & 1 ? 25.0 : 200.0, period = rows * dt;
            const double unit = q->history.kind == BR_LAW_DAHL && d->fn ? d->fn[0] : 1.0;
            const double amplitude = (i & 2 ? 3.0 : 0.5) * p[BR_FIT_MU_C] * unit / p[BR_FIT_SIGMA0];
            snprintf(words, sizeof words,
                     "reversals at a small amplitude, %.2g of way, %.2g times a second", amplitude,
                     1.0 / period);
            try_reversals(plan, 2.0 * BR_PI * amplitude / period, rows, words);
        }
    }
    if (bri_law_own(q->def->law) >> BR_FIT_V_S & 1) {
        snprintf(words, sizeof words, "slow sweeps through the Stribeck speed, up to %.2g",
                 4.0 * p[BR_FIT_V_S]);
        try_reversals(plan, 4.0 * p[BR_FIT_V_S], (double)d->count / 4.0, words);
    }
}

void bri_law_next(law_problem* q, const law_sureness* s, br_fit_law_result* out)
{
    planner plan = {.problem = q, .sure = s, .widest = find_widest(s), .best = {"", -1, 1.0}};
    const size_t count = q->history.data.count;
    if (plan.widest == s->n) {
        return;
    }
    plan.v = br_allocate(count, sizeof *plan.v);
    plan.fn = br_allocate(count, sizeof *plan.fn);
    if (plan.v && plan.fn) {
        plan.error = sqrt(s->inverse[plan.widest][plan.widest]);
        plan.best.parameter = s->parameter[plan.widest];
        try_all(&plan);
        out->next = plan.best;
    }
    br_release(plan.v);
    br_release(plan.fn);
}
