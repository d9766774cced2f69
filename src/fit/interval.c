/*
 * Uncertainty of estimates: errors and correlations by the Jacobian, intervals by profile likelihood, and notes on
 * parameters that are not identifiable from the data.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fit/estimator.h"
#include "fit/numbers.h"

// --- residuals ------------------------------------------------------------------------------------------

// Correlation of neighbours, of one series of residuals about its mean.
static double lag_correlation(const estimator* e)
{
    const size_t series = e->columns > 0 ? e->rows / e->columns : 1;
    double mean = 0.0, square = 0.0, product = 0.0;
    for (size_t i = 0; i < e->rows && e->columns == 1; i++) {
        mean += e->residual[i] / (double)e->rows;
    }
    for (size_t i = 0; i < e->rows; i++) {
        const double r = e->residual[i] - mean;
        square += r * r;
        product += i % series > 0 ? r * (e->residual[i - 1] - mean) : 0.0;
    }
    return square > 0.0 ? product / square : 0.0;
}

void bri_judge_residuals(estimator* e)
{
    // for white noise it is normal with a deviation of 1/sqrt(n): beyond four of these it is not white
    e->lag = lag_correlation(e);
    e->is_white = fabs(e->lag) < 4.0 / sqrt((double)e->used);

    // with correlated neighbours (1 - lag)/(1 + lag) of the rows count                     (F-6)
    const int is_widened = !e->is_white && e->lag > 0.0;
    e->widening = is_widened ? sqrt((1.0 + e->lag) / fmax(1.0 - e->lag, 1e-6)) : 1.0;
}

// --- the Jacobian ---------------------------------------------------------------------------------------

void bri_inform(estimator* e, information* s)
{
    const size_t rows = e->rows;
    s->n = 0;
    s->is_surpassed = 0;
    for (int k = 0; k < e->count; k++) {
        if (bri_is_estimated(e, k)) {
            s->parameter[s->n++] = k;
        }
    }
    bri_get_theta(e, s->theta);
    double* jacobian = br_allocate(rows * (s->n + 1), sizeof *jacobian);
    if (jacobian) { // without memory all errors are infinite, until the fit ends
        bri_jacobian(e, s->theta, jacobian);
    }
    e->lacks_memory |= !jacobian;
    for (size_t i = 0; i < s->n; i++) {
        for (size_t j = 0; j <= i; j++) {
            double sum = 0.0;
            for (size_t k = 0; jacobian && k < rows; k++) {
                sum += jacobian[i * rows + k] * jacobian[j * rows + k];
            }
            s->matrix[i][j] = s->matrix[j][i] = sum;
        }
    }
    br_release(jacobian);
    bri_invert(s->matrix, s->n, s->inverse);
}

void bri_invert(double matrix[SYMMETRIC_MOST][SYMMETRIC_MOST], size_t n,
                double out[SYMMETRIC_MOST][SYMMETRIC_MOST])
{
    // in units of the columns' lengths, so that only directions count
    symmetric scaled = {.n = n};
    double length[SYMMETRIC_MOST];
    for (size_t i = 0; i < n; i++) {
        length[i] = sqrt(matrix[i][i]);
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            const double unit = length[i] * length[j];
            scaled.a[i][j] = unit > 0.0 ? matrix[i][j] / unit : i == j;
        }
    }
    bri_symmetric_factor(&scaled);
    bri_symmetric_invert(&scaled, 1e-14, out);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            const double unit = length[i] * length[j];
            out[i][j] = unit > 0.0 ? out[i][j] / unit : i == j ? HUGE_VAL : 0.0;
        }
    }
}

static size_t index_of(const information* s, int k)
{
    size_t i = 0;
    while (s->parameter[i] != k) {
        i++;
    }
    return i;
}

static void set_correlations(const estimator* e, const information* s)
{
    for (size_t i = 0; i < s->n; i++) {
        for (size_t j = 0; j < s->n; j++) {
            const double unit = sqrt(s->inverse[i][i]) * sqrt(s->inverse[j][j]);
            const int is_known = unit < HUGE_VAL && unit > 0.0;
            e->correlation[s->parameter[i] * e->count + s->parameter[j]] =
                i == j     ? 1.0
                : is_known ? s->inverse[i][j] / unit
                           : 0.0;
        }
    }
}

// --- profiles ---------------------------------------------------------------------------------------------

// Variances of the noise: (J^T J)^-1 times the first are those of the estimates; Huber's estimator has
// E psi^2/(E psi')^2, and E psi^2/E psi' for its cost.
static void set_variances(const estimator* e, information* s)
{
    const double n = (double)e->used, free = bri_freedom(e);
    s->cost = e->at.cost;
    s->variance = s->unit = s->cost / free;
    if (e->huber > 0.0) {
        double psi2 = 0.0, inside = 0.0;
        for (size_t i = 0; i < e->rows; i++) {
            const double r = fmin(fabs(e->residual[i]), e->huber);
            psi2 += r * r / free;
            inside += r < e->huber ? 1.0 / n : 0.0;
        }
        s->unit = psi2 / inside;
        s->variance = s->unit / inside;
    }
}

// The profile at unknown i held at `theta`, in standard deviations, all others solved again from `from`, which
// becomes their solution.
static br_status profile_at(estimator* e, const information* s, size_t i, double theta,
                            double from[], double* out, br_reason* why)
{
    const unsigned estimated = e->at.estimated;
    const double step = theta - from[i];
    for (size_t j = 0; j < s->n; j++) {
        // the others start where the Jacobian predicts them
        const double along =
            s->inverse[i][i] < HUGE_VAL ? s->inverse[i][j] / s->inverse[i][i] : 0.0;
        from[j] += j == i ? step : fmax(-2.0, fmin(along * step, 2.0));
        e->at.p[s->parameter[j]] = bri_from_theta(e, s->parameter[j], from[j]);
    }
    e->at.estimated &= ~(1u << s->parameter[i] | e->at_edge);
    e->at.cost = HUGE_VAL;
    const br_status status = bri_solve(e, 1e-5, why);
    e->at.estimated = estimated;
    bri_get_theta(e, from);
    const double more = e->at.cost - s->cost;
    *out = more < -1e-4 * s->cost ? -1.0 : sqrt(fmax(more, 0.0) / s->unit);
    return status;
}

void bri_restore(estimator* e, const br_fit_estimate* estimates, unsigned estimated)
{
    for (int k = 0; k < e->count; k++) {
        e->at.p[k] = estimates[k].value;
    }
    e->at.mu_is_tied = e->at.p[BR_FIT_MU_S] == e->at.p[BR_FIT_MU_C];
    e->at.estimated = estimated;
}

br_status bri_profile_values(estimator* e, int parameter, const double* value, size_t count,
                             double* out, br_reason* why)
{
    information s;
    if (parameter < 0 || parameter >= e->count || !bri_is_estimated(e, parameter)) {
        return REFUSE(BR_ERR_ARG, why, "parameter", "must be one that was estimated");
    }
    e->at.cost = bri_cost(e);
    bri_judge_residuals(e);
    bri_inform(e, &s);
    set_variances(e, &s);
    s.unit = s.cost / bri_freedom(e);
    const size_t index = index_of(&s, parameter);
    br_status status = BR_OK;
    for (size_t i = 0; i < count && status == BR_OK; i++) {
        double from[MOST_PARAMETERS];
        memcpy(from, s.theta, sizeof from);
        status = profile_at(e, &s, index, bri_to_theta(e, parameter, value[i]), from, &out[i], why);
        out[i] /= e->widening;
    }
    return e->lacks_memory ? bri_out_of_memory(why) : status;
}

// The largest distance from the best at which an end is searched: a factor of 1000, all of s_ba, 100 errors, the
// parameter's range.
static double search_range(const estimator* e, const information* s, size_t i, double side)
{
    const fit_parameter* q = bri_parameter(e, s->parameter[i]);
    const double range = q->scale == LOGARITHM ? log(1000.0)
                         : q->scale == LOGIT   ? 12.0
                                               : 100.0 * sqrt(s->inverse[i][i] * s->variance);
    const double end = bri_to_theta(e, s->parameter[i], side > 0.0 ? q->high : q->low);
    return q->high > q->low ? fmin(range, side * (end - s->theta[i])) : range;
}

// The end of the interval of unknown i to one side, +1 or -1; infinite where there is none.
static br_status find_end(estimator* e, information* s, size_t i, double side, double* out,
                          br_reason* why)
{
    enum { MOST_TRIES = 8 };
    const double error = sqrt(s->inverse[i][i] * s->variance);
    const double range = search_range(e, s, i, side);
    double step = fmin(error * s->quantile, 0.5 * range), inside = 0.0, at_inside = 0.0;
    double solved[MOST_PARAMETERS]; // the others at `inside`
    memcpy(solved, s->theta, sizeof solved);
    *out = side * HUGE_VAL;
    for (int i_try = 0; i_try < MOST_TRIES; i_try++) {
        double d, from[MOST_PARAMETERS];
        memcpy(from, solved, sizeof from);
        const br_status status = profile_at(e, s, i, s->theta[i] + side * step, from, &d, why);
        s->is_surpassed |= status == BR_OK && d < 0.0;
        if (status != BR_OK || s->is_surpassed || (d < s->quantile && step >= range)) {
            return status; // the last: without bound
        }
        if (fabs(d - s->quantile) < 0.01 * s->quantile ||
            (d > s->quantile && i_try == MOST_TRIES - 1)) {
            break;
        }
        // the root of the cost is nearly linear: a secant from the last point inside
        if (d < s->quantile) {
            inside = step;
            at_inside = d;
            memcpy(solved, from, sizeof solved);
            const double rise = fmax(d / step, 1e-12);
            step = fmin(fmin(step + 1.02 * (s->quantile - d) / rise, 4.0 * step), range);
        } else {
            const double share = (s->quantile - at_inside) / (d - at_inside);
            step = inside + fmax(0.1, fmin(share, 0.95)) * (step - inside);
        }
    }
    *out = s->theta[i] + side * step;
    return BR_OK;
}

static double end_as_parameter(const estimator* e, int k, double theta)
{
    if (isinf(theta)) {
        const double highest = bri_parameter(e, k)->scale == LOGIT ? 1.0 : HUGE_VAL;
        return theta > 0.0 ? highest : bri_parameter(e, k)->scale == LINEAR ? -HUGE_VAL : 0.0;
    }
    const double p = bri_from_theta(e, k, theta);
    return bri_parameter(e, k)->edge >= 0.0 ? fmax(p, 0.0) : p;
}

static br_status set_interval(estimator* e, information* s, size_t i, br_reason* why)
{
    const int k = s->parameter[i];
    const double error = sqrt(s->inverse[i][i] * s->variance);
    double low = s->theta[i] - s->quantile * error, high = s->theta[i] + s->quantile * error;
    br_status status = e->profile ? find_end(e, s, i, -1.0, &low, why) : BR_OK;
    if (e->profile && status == BR_OK && !s->is_surpassed) {
        status = find_end(e, s, i, 1.0, &high, why);
    }
    if (status == BR_OK && !s->is_surpassed) {
        e->estimates[k].low = end_as_parameter(e, k, low);
        e->estimates[k].high = end_as_parameter(e, k, high);
    }
    return status;
}

// --- notes --------------------------------------------------------------------------------------------------

static int is_identifiable(const estimator* e, int k, const br_fit_estimate* out)
{
    const fit_parameter* q = bri_parameter(e, k);
    if (q->scale == LOGIT) {
        return out->high - out->low < 0.9;
    }
    if (q->scale == LOGARITHM) {
        // a profile that gets stuck in a valley looks narrow, so the error of the Jacobian counts, too
        return out->low > 0.0 && out->high < 100.0 * out->low && out->error < 10.0 * out->value;
    }
    return q->edge >= 0.0 ? out->low > 0.0 : isfinite(out->low) && isfinite(out->high);
}

// The other parameter whose effect is the same as that of k; -1: none.
static int twin_of(const estimator* e, int k)
{
    const double* c = e->correlation + k * e->count;
    int twin = -1;
    for (int j = 0; j < e->count; j++) {
        if (j != k && fabs(c[j]) > 0.99 && (twin < 0 || fabs(c[j]) > fabs(c[twin]))) {
            twin = j;
        }
    }
    return twin;
}

static void set_note(const estimator* e, int k)
{
    br_fit_estimate* out = &e->estimates[k];
    const fit_parameter* q = bri_parameter(e, k);
    const int twin = twin_of(e, k);
    const int is_above = out->low <= 0.0 && isfinite(out->high);
    out->is_identifiable = is_identifiable(e, k, out);
    if (out->is_identifiable) {
        return;
    }
    if (twin >= 0) {
        snprintf(out->words, sizeof out->words, "only together with %s (correlation %.3f): %s",
                 bri_parameter_name(e->own, twin), e->correlation[k * e->count + twin], q->reason);
    } else {
        const int is_zero = q->scale == LINEAR && q->edge >= 0.0 && isfinite(out->high);
        snprintf(out->words, sizeof out->words, "%s: %s",
                 is_zero ? "not distinguishable from 0" : "not determined",
                 is_above && q->reason_above ? q->reason_above : q->reason);
    }
}

void bri_not_identifiable(br_fit_estimate* e, double low, double high, const char* note)
{
    e->is_identifiable = e->is_fixed = 0;
    e->low = low;
    e->high = high;
    snprintf(e->words, sizeof e->words, "%s", note);
}

void bri_unbounded(estimator* e, unsigned bits, const char* note)
{
    for (int k = 0; k < e->count; k++) {
        if (bits >> k & 1) {
            bri_not_identifiable(&e->estimates[k], bri_has_zero(e, k) ? 0.0 : -HUGE_VAL, HUGE_VAL,
                                 note);
            e->estimates[k].error = HUGE_VAL;
        }
    }
}

void bri_describe_stopped(estimator* e)
{
    for (int k = 0; k < e->count; k++) {
        if (bri_is_estimated(e, k) && e->estimates[k].low == e->estimates[k].high) {
            bri_unbounded(e, 1u << k, "stopped before its interval was known");
        }
    }
}

// --- estimates ------------------------------------------------------------------------------------------------

void bri_describe(estimator* e)
{
    for (int k = 0; k < e->count; k++) {
        const double p = e->at.p[k];
        e->estimates[k] =
            (br_fit_estimate){.name = bri_parameter_name(e->own, k),
                              .unit = k < BR_FIT_OFFSET ? br_law_get_parameter((size_t)k)->unit
                                                        : bri_parameter(e, k)->unit,
                              .value = p,
                              .low = p,
                              .high = p,
                              .is_fixed = !bri_is_estimated(e, k),
                              .is_identifiable = 1};
    }
}

static br_status estimate(estimator* e, information* s, br_reason* why)
{
    // errors include a mu_c at its edge, whose effect others share; profiles hold it there
    e->at_edge = e->unknown & BIT(MU_C) & ~(e->at.estimated | e->at.at_bound);
    e->at.estimated |= e->at_edge;
    bri_describe(e);
    const fit_point best = e->at;
    bri_inform(e, s);
    bri_judge_residuals(e);
    set_variances(e, s);
    s->quantile = bri_student_quantile(e->level, bri_freedom(e)) * e->widening;
    memset(e->correlation, 0, (size_t)(e->count * e->count) * sizeof *e->correlation);
    set_correlations(e, s);
    for (size_t i = 0; i < s->n; i++) {
        const int k = s->parameter[i];
        e->estimates[k].error =
            e->widening * fabs(bri_slope(e, k, best.p[k])) * sqrt(s->inverse[i][i] * s->variance);
        e->fraction = 0.6 + 0.4 * (double)i / (double)s->n;
        const br_status status = set_interval(e, s, i, why);
        if (status == BR_OK && s->is_surpassed) {
            return BR_OK;
        }
        e->at = best;
        if (status != BR_OK) {
            return status;
        }
        set_note(e, k);
    }
    return BR_OK;
}

br_status bri_judge(estimator* e, information* s, br_reason* why)
{
    enum { MOST_ROUNDS = 4 };
    const int profile = e->profile;
    br_status status = estimate(e, s, why);
    for (int round = 0; round <= MOST_ROUNDS && status == BR_OK && s->is_surpassed; round++) {
        e->at.estimated &= ~e->at_edge;
        e->profile = profile && round < MOST_ROUNDS; // in the end without profiles
        status = e->profile ? bri_solve_with_edges(e, why) : BR_OK;
        status = status ? status : estimate(e, s, why);
    }
    e->profile = profile;
    return status;
}

br_status bri_bound(estimator* e, const information* s, int k, double side, br_reason* why)
{
    br_fit_estimate* out = &e->estimates[k];
    const fit_point best = e->at;
    information freed = *s;
    e->at.mu_is_tied &= k != BR_FIT_MU_S;
    e->at.estimated |= 1u << k;
    e->at.p[k] = fmax(e->at.p[k], bri_parameter(e, k)->scale == LOGIT ? 1e-3 : 0.0); // logit exists
    const double slope = bri_slope(e, k, e->at.p[k]);
    bri_inform(e, &freed);
    const size_t i = index_of(&freed, k);
    const double error = sqrt(freed.inverse[i][i] * s->variance);
    double end = freed.theta[i] + side * s->quantile * error;
    const int searches = e->profile && isfinite(end);
    const br_status status = searches ? find_end(e, &freed, i, side, &end, why) : BR_OK;
    end = end_as_parameter(e, k, status == BR_OK && !freed.is_surpassed ? end : side * HUGE_VAL);
    out->error = e->widening * slope * error;
    out->low = side < 0.0 ? end : out->low;
    out->high = side < 0.0 ? HUGE_VAL : end;
    e->at = best;
    return status;
}

br_status bri_bound_edges(estimator* e, const information* s, br_reason* why)
{
    const unsigned held = e->unknown & ~(e->at.estimated | e->at.at_bound);
    br_status status = BR_OK;
    for (int k = 0; k < BR_FIT_OFFSET && status == BR_OK; k++) {
        br_fit_estimate* out = &e->estimates[k];
        if (!(held >> k & 1)) {
            continue;
        }
        if (k == BR_FIT_SIGMA2 && e->at.is_at_passivity) {
            strcpy(out->words, "held at the edge of passivity, sigma1 (mu_s - mu_c)/mu_c");
        } else if (bri_parameter(e, k)->edge >= 0.0) {
            bri_not_identifiable(out, 0.0, k == BR_FIT_S_BA ? 1.0 : HUGE_VAL,
                                 "not distinguishable from 0: the best value is at its edge");
            status = s ? bri_bound(e, s, k, 1.0, why) : BR_OK;
        } else if (k == BR_FIT_MU_S) {
            bri_not_identifiable(out, e->at.p[BR_FIT_MU_C], HUGE_VAL,
                                 "no more friction at rest than in motion: mu_s = mu_c");
        } else if (k == BR_FIT_V_S) {
            bri_not_identifiable(out, 0.0, HUGE_VAL, "mu_s = mu_c: there is no Stribeck speed");
        }
    }
    return status;
}
