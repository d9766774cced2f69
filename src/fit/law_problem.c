/*
 * A law's fit as least squares.
 */
#include "fit/law_problem.h"

#include <math.h>
#include <string.h>

enum {
    BIT_MU_C = 1 << BR_FIT_MU_C,
    BIT_MU_S = 1 << BR_FIT_MU_S,
    BIT_V_S = 1 << BR_FIT_V_S,
    BIT_GAMMA = 1 << BR_FIT_GAMMA,
    BIT_SIGMA2 = 1 << BR_FIT_SIGMA2,
    BIT_START = 1 << BR_FIT_START
};

// What a law has: br_law_get_parameter() says it, but of Coulomb and viscous friction.
unsigned bri_law_own(br_fit_law_kind kind)
{
    if (kind == BR_FIT_VISCOUS) {
        return BIT_MU_C | BIT_SIGMA2;
    }
    const br_law_kind law = br_fit_law_get_law(kind);
    unsigned own = 0;
    for (int k = 0; br_law_get_parameter((size_t)k); k++) {
        if (br_law_get_parameter((size_t)k)->laws >> law & 1) {
            own |= 1u << k;
        }
    }
    return own;
}

int bri_law_is_log(int k)
{
    return k <= BR_FIT_SIGMA0 || k == BR_FIT_ALPHA;
}

// so far out that nothing depends on it any more, and nothing overflows
static double clamp(double x, double most)
{
    return fmax(-most, fmin(x, most));
}

double bri_law_from_theta(int k, double theta)
{
    if (k == BR_FIT_S_BA) {
        return 1.0 / (1.0 + exp(-clamp(theta, 30.0)));
    }
    return bri_law_is_log(k) ? exp(clamp(theta, 60.0)) : theta;
}

double bri_law_to_theta(int k, double p)
{
    if (k == BR_FIT_S_BA) {
        return clamp(log(p / (1.0 - p)), 30.0);
    }
    return bri_law_is_log(k) ? log(p) : p;
}

double bri_law_slope(int k, double p)
{
    if (k == BR_FIT_S_BA) {
        return p * (1.0 - p);
    }
    return bri_law_is_log(k) ? p : 1.0;
}

size_t bri_law_unknowns(const law_problem* q)
{
    size_t count = 0;
    for (int k = 0; k < BR_FIT_COUNT; k++) {
        count += q->estimated >> k & 1;
    }
    return count;
}

double bri_law_freedom(const law_problem* q)
{
    const size_t places = q->position.count > 0 ? q->position.count - 1 : 0;
    return fmax((double)q->used - (double)(bri_law_unknowns(q) + places), 1.0);
}

void bri_law_theta(const law_problem* q, double* theta)
{
    for (int k = 0; k < BR_FIT_COUNT; k++) {
        if (q->estimated >> k & 1) {
            *theta++ = bri_law_to_theta(k, q->p[k]);
        }
    }
}

// What follows from others on an edge.
static void follow_edges(law_problem* q)
{
    double* p = q->p;
    if (q->mu_is_tied) {
        p[BR_FIT_MU_S] = p[BR_FIT_MU_C] + q->mu_peak;
    }
    if (q->is_at_passivity) {
        p[BR_FIT_SIGMA2] = p[BR_FIT_SIGMA1] * (p[BR_FIT_MU_S] - p[BR_FIT_MU_C]) / p[BR_FIT_MU_C];
    }
}

void bri_law_parameters(law_problem* q, const double* theta)
{
    for (int k = 0; k < BR_FIT_COUNT; k++) {
        if (q->estimated >> k & 1) {
            q->p[k] = bri_law_from_theta(k, *theta++);
        }
    }
    follow_edges(q);
}

// Derivatives by what follows from others go to those.
static void follow_derivatives(const law_problem* q, double* d[BR_FIT_COUNT], size_t i)
{
    const double* p = q->p;
    if (q->is_at_passivity && d[BR_FIT_SIGMA2]) {
        const double by_sigma2 = d[BR_FIT_SIGMA2][i], per = 1.0 / p[BR_FIT_MU_C];
        d[BR_FIT_SIGMA1][i] += by_sigma2 * (p[BR_FIT_MU_S] * per - 1.0);
        d[BR_FIT_MU_S][i] += by_sigma2 * p[BR_FIT_SIGMA1] * per;
        d[BR_FIT_MU_C][i] -= by_sigma2 * p[BR_FIT_SIGMA1] * p[BR_FIT_MU_S] * per * per;
    }
    if (q->mu_is_tied && d[BR_FIT_MU_S]) {
        d[BR_FIT_MU_C][i] += d[BR_FIT_MU_S][i];
    }
}

// What the history must give: the unknowns, and what follows from them.
static unsigned wanted_of(const law_problem* q)
{
    const unsigned own = bri_law_own(q->def->law);
    unsigned wanted = q->estimated;
    if (q->mu_is_tied || q->is_at_passivity) {
        wanted |= (BIT_MU_C | BIT_MU_S | BIT_SIGMA2 | 1u << BR_FIT_SIGMA1) &
                  (own | (q->mu_is_tied ? (unsigned)BIT_MU_S : 0u));
    }
    return wanted;
}

static void fill_jacobian(law_problem* q, double* out)
{
    const size_t n = q->history.data.count;
    double *d[BR_FIT_COUNT] = {NULL}, *column = q->jacobian;
    for (int k = 0; k < BR_FIT_COUNT; k++) {
        if (q->history.wanted >> k & 1) {
            d[k] = column;
            column += n;
        }
    }
    for (size_t i = 0; i < n && (q->mu_is_tied || q->is_at_passivity); i++) {
        follow_derivatives(q, d, i);
    }
    for (int k = 0; k < BR_FIT_COUNT; k++) {
        if (!(q->estimated >> k & 1)) {
            continue;
        }
        const double slope = bri_law_slope(k, q->p[k]);
        for (size_t i = 0; i < n; i++) {
            out[i] = slope * d[k][i];
        }
        if (q->position.count > 0) {
            bri_position_project(&q->position, out, NULL);
        }
        out += n;
    }
}

// Rows at rest tell nothing of a law without bristles: any force up to mu_s may hold it.
static int counts(const law_problem* q, size_t i)
{
    return (br_law_has_state(q->history.kind) && q->history.data.t) || q->history.data.v[i] != 0.0;
}

// Huber's loss as a residual: r, and beyond the corner c its root sgn(r) sqrt(2 c |r| - c^2). Its slope, too.
static double huber(double r, double c, double* slope)
{
    if (c == 0.0 || fabs(r) <= c) {
        *slope = 1.0;
        return r;
    }
    const double root = sqrt(2.0 * c * fabs(r) - c * c);
    *slope = c / root;
    return copysign(root, r);
}

// The force of the law and of an offset by position.
static void history_eval(law_problem* q, double* jacobian)
{
    const double* f = q->history.data.f;
    bri_law_history(&q->history, q->p, q->force, jacobian);
    q->evaluations++;
    if (q->position.count == 0) {
        return;
    }
    for (size_t i = 0; i < q->position.rows; i++) {
        q->force[i] -= f[i];
    }
    bri_position_project(&q->position, q->force, NULL);
    for (size_t i = 0; i < q->position.rows; i++) {
        q->force[i] += f[i];
    }
}

static int is_asked_to_stop(law_problem* q)
{
    const br_fit_watch* w = q->watch;
    if (w && w->progress) {
        w->progress(q->fraction, q->best_rms, w->user);
    }
    q->is_stopped |= w && w->stop && w->stop(w->user);
    return q->is_stopped;
}

int bri_law_eval(const double* theta, double* residual, double* jacobian, void* user)
{
    law_problem* q = user;
    const size_t n = q->history.data.count;
    bri_law_parameters(q, theta);
    q->history.wanted = wanted_of(q);
    history_eval(q, jacobian ? q->jacobian : NULL);
    if (jacobian) {
        fill_jacobian(q, jacobian);
    }
    const size_t columns = jacobian ? bri_law_unknowns(q) : 0;
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        double slope;
        const double r = q->force[i] - q->history.data.f[i];
        const double weight = counts(q, i);
        const double loss = weight * huber(isfinite(r) ? r : 1e100, q->huber, &slope);
        sum += loss * loss;
        if (!jacobian) {
            residual[i] = loss;
        }
        for (size_t k = 0; k < columns && weight * slope != 1.0; k++) {
            jacobian[k * n + i] *= weight * slope;
        }
    }
    q->best_rms = fmin(q->best_rms, sqrt(sum / (double)q->used));
    return is_asked_to_stop(q);
}

double bri_law_cost(law_problem* q)
{
    double sum = 0.0;
    follow_edges(q);
    q->history.wanted = 0;
    history_eval(q, NULL);
    for (size_t i = 0; i < q->history.data.count; i++) {
        double slope;
        const double r = huber(q->force[i] - q->history.data.f[i], q->huber, &slope);
        sum += counts(q, i) ? r * r : 0.0;
    }
    return sum;
}

br_status bri_law_solve(law_problem* q, double tolerance, double* cost, int* is_converged,
                        br_reason* why)
{
    double theta[BR_FIT_COUNT];
    const least_squares problem = {.m = q->history.data.count,
                                   .n = bri_law_unknowns(q),
                                   .eval = bri_law_eval,
                                   .user = q,
                                   .tolerance = tolerance,
                                   .evaluations = 60};
    if (problem.n == 0) {
        *cost = bri_law_cost(q);
        *is_converged = 1;
        return BR_OK;
    }
    least_squares_end end = {HUGE_VAL, 0, 0};
    bri_law_theta(q, theta);
    const br_status status = bri_least_squares(&problem, theta, &end, why);
    if (status == BR_OK || status == BR_ERR_STOPPED) {
        bri_law_parameters(q, theta);
        *is_converged = end.is_converged;
        if (end.cost < HUGE_VAL) { // else stopped before it began
            *cost = end.cost;
        }
    }
    return status;
}

static void set_otherwise(law_problem* q)
{
    for (int k = 0; br_law_get_parameter((size_t)k); k++) {
        const br_law_parameter* parameter = br_law_get_parameter((size_t)k);
        q->p[k] = parameter->is_required ? 1.0 : parameter->otherwise;
    }
    for (int k = 0; k < BR_FIT_COUNT; k++) {
        if (q->def->fixed >> k & 1) {
            q->p[k] = q->def->values[k];
        }
    }
    q->mu_is_tied = q->def->law == BR_FIT_VISCOUS;
}

static size_t count_used(const law_problem* q)
{
    size_t used = 0;
    for (size_t i = 0; i < q->history.data.count; i++) {
        used += (size_t)counts(q, i);
    }
    return used;
}

static br_status refuse_few(const law_problem* q, br_reason* why)
{
    br_reason_set(why, "data",
                  "too few rows: %zu that move, for %zu parameters; at least twice as many",
                  q->used, bri_law_unknowns(q));
    return BR_ERR_DEF;
}

br_status bri_law_problem_begin(law_problem* q, const br_fit_law_def* def,
                                const br_fit_watch* watch, br_reason* why)
{
    const size_t count =
        def->train > 0 && def->train < def->data.count ? def->train : def->data.count;
    const unsigned own = bri_law_own(def->law);
    const unsigned nuisances = ~0u << BR_FIT_OFFSET;
    *q = (law_problem){.def = def, .watch = watch, .best_rms = HUGE_VAL};
    q->history = (law_history){.kind = br_fit_law_get_law(def->law), .data = def->data};
    q->history.data.count = count;
    q->estimated = (own & ~BR_FIT_EXPONENTS) | (def->free & (own | nuisances));
    if (!br_law_has_state(q->history.kind)) {
        q->estimated &= ~(unsigned)BIT_START;
    }
    q->estimated &= ~def->fixed;
    q->used = count_used(q);
    if (q->used < 2 * bri_law_unknowns(q)) {
        return refuse_few(q, why);
    }
    set_otherwise(q);
    const int has_delay = (q->estimated | def->fixed) >> BR_FIT_DELAY & 1;
    q->force = br_allocate(count, sizeof *q->force);
    q->jacobian = br_allocate(count * BR_FIT_COUNT, sizeof *q->jacobian);
    q->history.speed = has_delay ? br_allocate(2 * count, sizeof(double)) : NULL;
    const int by_position = def->by_position && def->data.t && q->estimated >> BR_FIT_OFFSET & 1;
    q->way = by_position ? br_allocate(2 * count, sizeof *q->way) : NULL;
    if (!q->force || !q->jacobian || (has_delay && !q->history.speed) || (by_position && !q->way)) {
        br_reason_set(why, "", "%s", br_status_text(BR_ERR_MEMORY));
        return BR_ERR_MEMORY;
    }
    if (by_position) {
        bri_position_way(&q->history.data, q->way);
    }
    return BR_OK;
}

void bri_law_problem_end(law_problem* q)
{
    br_release(q->force);
    br_release(q->jacobian);
    br_release(q->history.speed);
    br_release(q->way);
}
