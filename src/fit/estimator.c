/*
 * Parameters, least squares and edges of the estimator: see estimator.h.
 */
#include "fit/estimator.h"

#include <math.h>
#include <string.h>

#include "fit/least_squares.h"

// Parameters of a friction law; br_law_get_parameter() has names and units.
#define SLOW            "no slow sliding in the data, below the Stribeck speed and above it"
#define ABOVE_ZERO(why) .scale = LOGARITHM, .edge = -1.0, .reason = why
static const fit_parameter friction[BR_FIT_OFFSET] = {
    [BR_FIT_MU_C] = {ABOVE_ZERO(
        "no steady sliding in both directions, faster than the Stribeck speed")},
    [BR_FIT_MU_S] = {ABOVE_ZERO(SLOW)},
    [BR_FIT_V_S] = {ABOVE_ZERO(SLOW)},
    [BR_FIT_GAMMA] = {ABOVE_ZERO(SLOW)},
    [BR_FIT_SIGMA0] = {ABOVE_ZERO("no presliding in the data: bristles stretch in less than a row"),
                       .reason_above =
                           "no sliding in the data: the bristles never stretch in full"},
    [BR_FIT_SIGMA1] = {.edge = 0.0, .reason = "no fast presliding in the data"},
    [BR_FIT_SIGMA2] = {.edge = 0.0, .reason = "no fast sliding in the data"},
    [BR_FIT_S_BA] = {.scale = LOGIT,
                     .edge = 1e-3,
                     .reason = "no loads between elastic and sliding in the data"},
    [BR_FIT_ALPHA] = {ABOVE_ZERO("the data do not depend on it")},
    [BR_FIT_V_DAMPING] = {.edge = -1.0, .reason = ""}};

// --- parameters --------------------------------------------------------------------------------------

const fit_parameter* bri_parameter(const estimator* e, int k)
{
    return k < BR_FIT_OFFSET ? &friction[k] : &e->own[k - BR_FIT_OFFSET];
}

const char* bri_parameter_name(const fit_parameter* own, int k)
{
    return k < BR_FIT_OFFSET ? br_law_get_parameter((size_t)k)->name : own[k - BR_FIT_OFFSET].name;
}

unsigned bri_parameters_of(br_law_kind law)
{
    unsigned bits = 0;
    for (int k = 0; k < BR_FIT_OFFSET; k++) {
        bits |= (br_law_get_parameter((size_t)k)->laws >> law & 1) << k;
    }
    return bits;
}

// limits x to where the results still depend on it and nothing overflows
static double clamp(double x, double limit)
{
    return fmax(-limit, fmin(x, limit));
}

double bri_from_theta(const estimator* e, int k, double theta)
{
    const fit_scale scale = bri_parameter(e, k)->scale;
    return scale == LOGIT       ? 1.0 / (1.0 + exp(-clamp(theta, 30.0)))
           : scale == LOGARITHM ? exp(clamp(theta, 60.0))
                                : theta;
}

double bri_to_theta(const estimator* e, int k, double p)
{
    const fit_scale scale = bri_parameter(e, k)->scale;
    return scale == LOGIT ? clamp(log(p / (1.0 - p)), 30.0) : scale == LOGARITHM ? log(p) : p;
}

double bri_slope(const estimator* e, int k, double p)
{
    const fit_scale scale = bri_parameter(e, k)->scale;
    return scale == LOGIT ? p * (1.0 - p) : scale == LOGARITHM ? p : 1.0;
}

int bri_has_zero(const estimator* e, int k)
{
    return bri_parameter(e, k)->scale != LINEAR || bri_parameter(e, k)->edge >= 0.0;
}

void bri_set_unknown(estimator* e, int k, double value)
{
    if (bri_is_estimated(e, k)) {
        e->at.p[k] = value;
    }
}

size_t bri_unknowns(const estimator* e)
{
    size_t count = 0;
    for (int k = 0; k < e->count; k++) {
        count += (size_t)bri_is_estimated(e, k);
    }
    return count;
}

double bri_freedom(const estimator* e)
{
    return fmax((double)e->used - (double)(bri_unknowns(e) + e->eliminated), 1.0);
}

void bri_get_theta(const estimator* e, double* theta)
{
    for (int k = 0; k < e->count; k++) {
        if (bri_is_estimated(e, k)) {
            *theta++ = bri_to_theta(e, k, e->at.p[k]);
        }
    }
}

// Parameters that follow from others on an edge, and ranges.
static void follow_edges(estimator* e)
{
    double* p = e->at.p;
    for (int k = BR_FIT_OFFSET; k < e->count; k++) {
        const fit_parameter* q = bri_parameter(e, k);
        p[k] = q->high > q->low ? fmax(q->low, fmin(p[k], q->high)) : p[k];
    }
    if (e->at.mu_is_tied) {
        p[BR_FIT_MU_S] = p[BR_FIT_MU_C] + e->mu_peak;
    }
    if (e->at.is_at_passivity) {
        p[BR_FIT_SIGMA2] = p[BR_FIT_SIGMA1] * (p[BR_FIT_MU_S] - p[BR_FIT_MU_C]) / p[BR_FIT_MU_C];
    }
}

static void set_theta(estimator* e, const double* theta)
{
    for (int k = 0; k < e->count; k++) {
        if (bri_is_estimated(e, k)) {
            e->at.p[k] = bri_from_theta(e, k, *theta++);
        }
    }
    follow_edges(e);
}

br_law bri_fitted_law(const estimator* e)
{
    br_law law = br_law_default(e->kind);
    for (int k = 0; k < BR_FIT_OFFSET; k++) {
        *(double*)((char*)&law + br_law_get_parameter((size_t)k)->offset) = e->at.p[k];
    }
    law.mu_s = fmax(law.mu_s, law.mu_c);
    law.sigma1 = fmax(law.sigma1, 0.0);
    law.sigma2 = fmax(law.sigma2, 0.0);
    return law;
}

// --- least squares -----------------------------------------------------------------------------------

// Derivative of a parameter that an edge ties to others by parameter k; 0: not tied, or not to this one.
static double tie_slope(const estimator* e, int tied, int k)
{
    const double *p = e->at.p, per = 1.0 / p[BR_FIT_MU_C], sigma1 = p[BR_FIT_SIGMA1];
    if (tied == BR_FIT_MU_S) {
        return e->at.mu_is_tied && k == BR_FIT_MU_C;
    }
    if (!e->at.is_at_passivity) {
        return 0.0;
    }
    const double by_mu_s = sigma1 * per, by_mu_c = -sigma1 * p[BR_FIT_MU_S] * per * per;
    return k == BR_FIT_SIGMA1 ? p[BR_FIT_MU_S] * per - 1.0
           : k == BR_FIT_MU_S ? by_mu_s
           : k == BR_FIT_MU_C ? by_mu_c + (e->at.mu_is_tied ? by_mu_s : 0.0)
                              : 0.0;
}

// Derivatives of the residuals by theta of parameter k, without Huber's weights.
static void fill_column(estimator* e, int k, double* out)
{
    static const int tied[] = {BR_FIT_MU_S, BR_FIT_SIGMA2};
    const double slope = bri_slope(e, k, e->at.p[k]);
    for (size_t i = 0; i < e->rows; i++) {
        out[i] = slope * e->d[k][i];
    }
    for (int t = 0; t < 2; t++) {
        const double by = slope * tie_slope(e, tied[t], k);
        for (size_t i = 0; i < e->rows && by != 0.0; i++) {
            out[i] += by * e->d[tied[t]][i];
        }
    }
    if (e->project) {
        e->project(e, out);
    }
}

// Huber's loss as a residual: r, and beyond the corner c its root sgn(r) sqrt(2 c |r| - c^2). Its slope, too.
static inline double huber(double r, double c, double* slope)
{
    if (c == 0.0 || fabs(r) <= c) {
        *slope = 1.0;
        return r;
    }
    const double root = sqrt(2.0 * c * fabs(r) - c * c);
    *slope = c / root;
    return copysign(root, r);
}

static int report_progress(estimator* e)
{
    const br_fit_watch* w = e->watch;
    if (w && w->progress) {
        w->progress(e->fraction, e->best_rms, w->user);
    }
    e->is_stopped |= w && w->stop && w->stop(w->user);
    return e->is_stopped;
}

// Residual i and Huber's slope there; a NaN counts as a very large residual.
static inline double loss_of(estimator* e, size_t i, double* slope)
{
    double* r = &e->residual[i];
    *r = isfinite(*r) ? *r : 1e100;
    return huber(*r, e->huber, slope);
}

static int eval(const double* theta, double* residual, double* jacobian, void* user)
{
    estimator* e = user;
    const unsigned tied =
        (e->at.mu_is_tied ? BIT(MU_S) : 0u) | (e->at.is_at_passivity ? BIT(SIGMA2) : 0u);
    set_theta(e, theta);
    e->eval(e, jacobian ? e->at.estimated | tied : 0u);
    double *column = jacobian, sum = 0.0, slope;
    for (int k = 0; jacobian && k < e->count; k++) {
        if (bri_is_estimated(e, k)) {
            fill_column(e, k, column);
            column += e->rows;
        }
    }
    for (size_t i = 0; i < e->rows; i++) {
        const double loss = loss_of(e, i, &slope);
        sum += loss * loss;
        if (residual && !jacobian) {
            residual[i] = loss;
        }
        for (double* at = jacobian; slope != 1.0 && at < column; at += e->rows) {
            at[i] *= slope;
        }
    }
    e->best_rms = fmin(e->best_rms, sqrt(sum / (double)e->used));
    return report_progress(e);
}

void bri_jacobian(estimator* e, const double* theta, double* jacobian)
{
    const double corner = e->huber;
    e->huber = 0.0;
    eval(theta, NULL, jacobian, e);
    e->huber = corner;
}

double bri_cost(estimator* e)
{
    double sum = 0.0, slope;
    follow_edges(e);
    e->eval(e, 0u);
    for (size_t i = 0; i < e->rows; i++) {
        const double r = loss_of(e, i, &slope);
        sum += r * r;
    }
    return sum;
}

br_status bri_solve(estimator* e, double tolerance, br_reason* why)
{
    double theta[MOST_PARAMETERS];
    const least_squares problem = {.m = e->rows,
                                   .n = bri_unknowns(e),
                                   .eval = eval,
                                   .user = e,
                                   .tolerance = tolerance,
                                   .evaluations = e->most_solutions};
    if (problem.n == 0) {
        e->at.cost = bri_cost(e);
        e->at.is_converged = 1;
        return BR_OK;
    }
    double cost = HUGE_VAL;
    bri_get_theta(e, theta);
    const br_status status = bri_least_squares(&problem, theta, &cost, &e->at.is_converged, why);
    if (status == BR_OK || status == BR_ERR_STOPPED) {
        set_theta(e, theta);
        e->at.cost = cost < HUGE_VAL ? cost : e->at.cost; // else stopped before it started
    }
    return status;
}

// --- edges -------------------------------------------------------------------------------------------

// Hold a parameter at a value from now on, if it is estimated and beyond its edge.
static int hold(estimator* e, int k, int is_beyond, double value)
{
    if (!bri_is_estimated(e, k) || !is_beyond) {
        return 0;
    }
    e->at.estimated &= ~(1u << k);
    e->at.p[k] = value;
    return 1;
}

// Tie mu_s to mu_c where mu_s < mu_c, or where the peak is narrower than any speed in the data.
static int tie_mu(estimator* e)
{
    const double* p = e->at.p;
    const int is_narrow = bri_is_estimated(e, BR_FIT_V_S) && p[BR_FIT_V_S] < e->lower[BR_FIT_V_S];
    if (!hold(e, BR_FIT_MU_S, p[BR_FIT_MU_S] < p[BR_FIT_MU_C] || is_narrow, p[BR_FIT_MU_C])) {
        return 0;
    }
    e->at.mu_is_tied = 1;
    e->at.estimated &= ~(BIT(V_S) | BIT(GAMMA));
    if (e->unknown >> BR_FIT_V_S & 1 && e->slow_speed > 0.0) {
        e->at.p[BR_FIT_V_S] = e->slow_speed;
    }
    return 1;
}

static int hold_passive(estimator* e)
{
    const br_law law = bri_fitted_law(e);
    const int is_active = e->is_passive && !e->at.is_at_passivity &&
                          bri_is_estimated(e, BR_FIT_SIGMA2) && br_law_passivity_margin(&law) < 0.0;
    e->at.is_at_passivity |= is_active;
    return hold(e, BR_FIT_SIGMA2, is_active, e->at.p[BR_FIT_SIGMA2]);
}

// Hold a parameter that has left its range or bounds: the data do not identify it.
static int hold_at_bound(estimator* e, int k)
{
    const fit_parameter* q = bri_parameter(e, k);
    const double p = e->at.p[k];
    if (q->high > q->low && hold(e, k, p <= q->low || p >= q->high, p)) {
        return 1;
    }
    const int is_beyond = !(p >= e->lower[k] && p <= e->upper[k]);
    const int is_held = hold(e, k, is_beyond, p > e->upper[k] ? e->upper[k] : e->lower[k]);
    e->at.at_bound |= is_held ? 1u << k : 0u;
    return is_held;
}

// Hold the first parameter whose solution crossed an edge or a bound. Returns 0 where there is none.
static int hold_at_edge(estimator* e)
{
    static const int at_zero[] = {BR_FIT_S_BA, BR_FIT_SIGMA1, BR_FIT_SIGMA2};
    int is_held = hold(e, BR_FIT_MU_C, e->at.p[BR_FIT_MU_C] < e->mu_c_edge, e->mu_c_edge);
    is_held = is_held || tie_mu(e);
    for (int i = 0; i < 3 && !is_held; i++) {
        const int k = at_zero[i];
        is_held = hold(e, k, e->at.p[k] < friction[k].edge, 0.0);
    }
    is_held = is_held || hold_passive(e);
    for (int k = 0; k < e->count && !is_held; k++) {
        is_held = hold_at_bound(e, k);
    }
    return is_held;
}

br_status bri_solve_with_edges(estimator* e, br_reason* why)
{
    br_status status = bri_solve(e, e->tolerance, why);
    while (status == BR_OK && hold_at_edge(e)) {
        status = bri_solve(e, e->tolerance, why);
    }
    return status;
}
