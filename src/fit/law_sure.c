/*
 * How sure a fitted law is: errors and correlations from the Jacobian, intervals by profile likelihood, and
 * in words what the data do not tell.
 */
#include "fit/law_sure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fit/student.h"

// --- residuals ------------------------------------------------------------------------------------------

static double residual(const law_problem* q, size_t i)
{
    return q->force[i] - q->history.data.f[i];
}

// Correlation of neighbouring residuals.
static double lag_correlation(const law_problem* q)
{
    const size_t n = q->history.data.count;
    double mean = 0.0, square = 0.0, product = 0.0;
    for (size_t i = 0; i < n; i++) {
        mean += residual(q, i) / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        const double r = residual(q, i) - mean;
        square += r * r;
        product += i > 0 ? r * (residual(q, i - 1) - mean) : 0.0;
    }
    return square > 0.0 ? product / square : 0.0;
}

static void count_outliers(const law_problem* q, br_fit_law_result* out)
{
    enum { FAR = 4 }; // standard deviations: one in 16,000 rows of normal noise
    for (size_t i = q->history.data.count; i-- > 0;) {
        if (fabs(residual(q, i)) > FAR * out->noise) {
            out->outliers++;
            out->first_outlier = i;
        }
    }
}

void bri_law_judge_residuals(law_problem* q, double cost, br_fit_law_result* out)
{
    const double n = (double)q->used, free = bri_law_freedom(q);
    double square = 0.0;
    for (size_t i = 0; i < q->history.data.count; i++) {
        square += residual(q, i) * residual(q, i);
    }
    out->rms = sqrt(square / n);
    out->noise = q->huber > 0.0 ? q->huber / 1.345 : sqrt(cost / free);
    out->outliers = 0;
    count_outliers(q, out);

    // of white noise it is normal with a deviation of 1/sqrt(n): four of these are no chance
    const double lag = q->history.data.t ? lag_correlation(q) : 0.0;
    out->lag_correlation = lag;
    out->is_white = fabs(lag) < 4.0 / sqrt(n);

    // neighbours that repeat each other tell less: (1 - lag)/(1 + lag) of the rows count          (F-6)
    out->widening = out->is_white || lag <= 0.0 ? 1.0 : sqrt((1.0 + lag) / fmax(1.0 - lag, 1e-6));
}

// --- the Jacobian ---------------------------------------------------------------------------------------

static void list_unknowns(const law_problem* q, law_sureness* s)
{
    s->n = 0;
    for (int k = 0; k < BR_FIT_COUNT; k++) {
        if (q->estimated >> k & 1) {
            s->parameter[s->n++] = k;
        }
    }
    bri_law_theta(q, s->theta);
}

void bri_law_inform(law_problem* q, law_sureness* s)
{
    const size_t rows = q->history.data.count;
    const double huber = q->huber;
    memset(s, 0, sizeof *s);
    list_unknowns(q, s);
    double* jacobian = br_allocate(rows * (s->n + 1), sizeof *jacobian);
    if (!jacobian) {
        return; // nothing is known then: all errors are infinite
    }
    q->huber = 0.0;
    bri_law_eval(s->theta, NULL, jacobian, q);
    q->huber = huber;
    for (size_t i = 0; i < s->n; i++) {
        for (size_t j = 0; j <= i; j++) {
            double sum = 0.0;
            for (size_t k = 0; k < rows; k++) {
                sum += jacobian[i * rows + k] * jacobian[j * rows + k];
            }
            s->information[i][j] = s->information[j][i] = sum;
        }
    }
    br_release(jacobian);
    bri_law_invert(s->information, s->n, s->inverse);
}

void bri_law_invert(double information[SYMMETRIC_MOST][SYMMETRIC_MOST], size_t n,
                    double out[SYMMETRIC_MOST][SYMMETRIC_MOST])
{
    // in units of the columns' lengths, so that only directions count
    symmetric scaled = {.n = n};
    double length[SYMMETRIC_MOST];
    for (size_t i = 0; i < n; i++) {
        length[i] = sqrt(information[i][i]);
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            const double unit = length[i] * length[j];
            scaled.a[i][j] = unit > 0.0 ? information[i][j] / unit : i == j;
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

// --- intervals --------------------------------------------------------------------------------------------

// Variances of the noise: (J^T J)^-1 times the first are those of the estimates; Huber's estimator has
// E psi^2/(E psi')^2, and E psi^2/E psi' for its cost.
static void set_variances(const law_problem* q, double cost, law_sureness* s)
{
    const double n = (double)q->used, free = bri_law_freedom(q);
    s->variance = s->unit = cost / free;
    if (q->huber > 0.0) {
        double psi2 = 0.0, inside = 0.0;
        for (size_t i = 0; i < q->history.data.count; i++) {
            const double r = fmin(fabs(residual(q, i)), q->huber);
            psi2 += r * r / free;
            inside += r < q->huber ? 1.0 / n : 0.0;
        }
        s->unit = psi2 / inside;
        s->variance = s->unit / inside;
    }
}

br_status bri_law_profile(law_problem* q, const law_sureness* s, size_t i, double theta,
                          double cost, double from[BR_FIT_COUNT], double* out, br_reason* why)
{
    const int k = s->parameter[i];
    const unsigned estimated = q->estimated;
    const double step = theta - from[i];
    for (size_t j = 0; j < s->n; j++) {
        // where the others go along as the Jacobian says
        const double along =
            s->inverse[i][i] < HUGE_VAL ? s->inverse[i][j] / s->inverse[i][i] : 0.0;
        from[j] += j == i ? step : fmax(-2.0, fmin(along * step, 2.0));
        q->p[s->parameter[j]] = bri_law_from_theta(s->parameter[j], from[j]);
    }
    double held = HUGE_VAL;
    int is_converged;
    q->estimated &= ~(1u << k | q->at_edge);
    const br_status status = bri_law_solve(q, 1e-5, &held, &is_converged, why);
    q->estimated = estimated;
    bri_law_theta(q, from);
    *out = held < cost * (1.0 - 1e-4) ? -1.0 : sqrt(fmax(held - cost, 0.0) / s->unit);
    return status;
}

// How far an unknown is looked for: a factor of 1000, all of s_ba, 100 errors.
static double farthest(int k, double error)
{
    if (bri_law_is_log(k)) {
        return log(1000.0);
    }
    return k == BR_FIT_S_BA ? 12.0 : 100.0 * error;
}

// The end of the interval of unknown i to one side, +1 or -1; infinite where there is none.
static br_status find_end(law_problem* q, law_sureness* s, size_t i, double side, double cost,
                          double* out, br_reason* why)
{
    enum { MOST_TRIES = 8 };
    const double error = sqrt(s->inverse[i][i] * s->variance);
    const double most = farthest(s->parameter[i], error);
    double step = fmin(error * s->quantile, 0.5 * most), inside = 0.0, at_inside = 0.0;
    double solved[BR_FIT_COUNT]; // the others at `inside`
    memcpy(solved, s->theta, sizeof solved);
    *out = side * HUGE_VAL;
    for (int i_try = 0; i_try < MOST_TRIES; i_try++) {
        double d, from[BR_FIT_COUNT];
        memcpy(from, solved, sizeof from);
        const br_status status =
            bri_law_profile(q, s, i, s->theta[i] + side * step, cost, from, &d, why);
        if (status != BR_OK) {
            return status;
        }
        if (d < 0.0) {
            s->is_surpassed = 1;
            return BR_OK;
        }
        if (fabs(d - s->quantile) < 0.01 * s->quantile ||
            (d > s->quantile && i_try == MOST_TRIES - 1)) {
            *out = s->theta[i] + side * step;
            return BR_OK;
        }
        if (d < s->quantile && step >= most) {
            return BR_OK; // nothing holds it
        }
        // the root of the cost is nearly linear: a secant from the last point inside
        if (d < s->quantile) {
            inside = step;
            at_inside = d;
            memcpy(solved, from, sizeof solved);
            const double rise = fmax(d / step, 1e-12);
            step = fmin(fmin(step + 1.02 * (s->quantile - d) / rise, 4.0 * step), most);
        } else {
            const double share = (s->quantile - at_inside) / (d - at_inside);
            step = inside + fmax(0.1, fmin(share, 0.95)) * (step - inside);
        }
    }
    *out = s->theta[i] + side * step;
    return BR_OK;
}

static double end_as_parameter(int k, double theta)
{
    if (isinf(theta)) {
        const int has_zero = bri_law_is_log(k) || k == BR_FIT_S_BA;
        return theta < 0.0 ? (has_zero ? 0.0 : -HUGE_VAL) : k == BR_FIT_S_BA ? 1.0 : HUGE_VAL;
    }
    const double p = bri_law_from_theta(k, theta);
    return k == BR_FIT_SIGMA1 || k == BR_FIT_SIGMA2 ? fmax(p, 0.0) : p;
}

static br_status set_interval(law_problem* q, law_sureness* s, size_t i, double cost,
                              br_fit_estimate* e, br_reason* why)
{
    const int k = s->parameter[i];
    const double error = sqrt(s->inverse[i][i] * s->variance);
    double low = s->theta[i] - s->quantile * error, high = s->theta[i] + s->quantile * error;
    if (q->def->profile) {
        br_status status = find_end(q, s, i, -1.0, cost, &low, why);
        if (status == BR_OK && !s->is_surpassed) {
            status = find_end(q, s, i, 1.0, cost, &high, why);
        }
        if (status != BR_OK || s->is_surpassed) {
            return status;
        }
    }
    e->low = end_as_parameter(k, low);
    e->high = end_as_parameter(k, high);
    return BR_OK;
}

br_status bri_law_bound(law_problem* q, const law_sureness* s, int k, double cost,
                        br_fit_law_result* out, br_reason* why)
{
    br_fit_estimate* e = &out->estimates[k];
    const unsigned estimated = q->estimated;
    double best[BR_FIT_COUNT];
    law_sureness freed;
    size_t i = 0;
    memcpy(best, q->p, sizeof best);
    q->estimated |= 1u << k;
    q->p[k] = k == BR_FIT_S_BA ? 1e-3 : q->p[k]; // where its logarithm is still a number
    bri_law_inform(q, &freed);
    freed.variance = s->variance;
    freed.unit = s->unit;
    freed.quantile = s->quantile;
    while (freed.parameter[i] != k) {
        i++;
    }
    br_status status = BR_OK;
    const double error = sqrt(freed.inverse[i][i] * s->variance), slope = bri_law_slope(k, q->p[k]);
    double end = freed.theta[i] + s->quantile * error;
    if (q->def->profile && isfinite(end)) {
        status = find_end(q, &freed, i, 1.0, cost, &end, why);
    }
    e->error = out->widening * slope * error;
    e->high = end_as_parameter(k, status == BR_OK && !freed.is_surpassed ? end : HUGE_VAL);
    q->estimated = estimated;
    memcpy(q->p, best, sizeof best);
    return status;
}

// --- words --------------------------------------------------------------------------------------------------

// Why the data may not tell a parameter.
static const char* reason_of(int k, int too_low)
{
    switch (k) {
    case BR_FIT_MU_C:
        return "no steady sliding in both directions, faster than the Stribeck speed";
    case BR_FIT_MU_S:
    case BR_FIT_V_S:
    case BR_FIT_GAMMA:
        return "no slow sliding in the data, below the Stribeck speed and above it";
    case BR_FIT_SIGMA0:
        return too_low ? "no sliding in the data: the bristles never stretch in full"
                       : "no presliding in the data: bristles stretch in less than a row";
    case BR_FIT_SIGMA1:
        return "no fast presliding in the data";
    case BR_FIT_SIGMA2:
        return "no fast sliding in the data";
    case BR_FIT_S_BA:
        return "no loads between elastic and sliding in the data";
    default:
        return "the data do not depend on it";
    }
}

static int is_told(int k, const br_fit_estimate* e)
{
    if (k == BR_FIT_S_BA) {
        return e->high - e->low < 0.9;
    }
    if (bri_law_is_log(k)) {
        // a profile that gets stuck in a valley looks narrow: the Jacobian knows the valley
        return e->low > 0.0 && e->high < 100.0 * e->low && e->error < 10.0 * e->value;
    }
    if (k == BR_FIT_SIGMA1 || k == BR_FIT_SIGMA2) {
        return e->low > 0.0;
    }
    return isfinite(e->low) && isfinite(e->high);
}

// The other one that it cannot be told from, if there is one.
static int twin_of(const br_fit_law_result* out, int k)
{
    int twin = -1;
    for (int j = 0; j < BR_FIT_COUNT; j++) {
        if (j != k && fabs(out->correlation[k][j]) > 0.99 &&
            (twin < 0 || fabs(out->correlation[k][j]) > fabs(out->correlation[k][twin]))) {
            twin = j;
        }
    }
    return twin;
}

static void put_words(br_fit_law_result* out, int k)
{
    br_fit_estimate* e = &out->estimates[k];
    e->is_told = is_told(k, e);
    if (e->is_told) {
        return;
    }
    const int twin = twin_of(out, k);
    const int from_zero = (k == BR_FIT_SIGMA1 || k == BR_FIT_SIGMA2) && isfinite(e->high);
    if (twin >= 0) {
        snprintf(e->words, sizeof e->words, "only together with %s (correlation %.3f): %s",
                 br_fit_law_get_name(twin), out->correlation[k][twin], reason_of(k, 0));
    } else if (from_zero) {
        snprintf(e->words, sizeof e->words, "not told apart from 0: %s", reason_of(k, 0));
    } else {
        snprintf(e->words, sizeof e->words, "not determined: %s",
                 reason_of(k, e->low <= 0.0 && isfinite(e->high)));
    }
}

static void set_correlations(const law_sureness* s, br_fit_law_result* out)
{
    for (size_t i = 0; i < s->n; i++) {
        for (size_t j = 0; j < s->n; j++) {
            const double unit = sqrt(s->inverse[i][i]) * sqrt(s->inverse[j][j]);
            out->correlation[s->parameter[i]][s->parameter[j]] = i == j ? 1.0
                                                                 : unit < HUGE_VAL && unit > 0.0
                                                                     ? s->inverse[i][j] / unit
                                                                     : 0.0;
        }
    }
}

br_status bri_law_estimate(law_problem* q, double cost, br_fit_law_result* out, law_sureness* s,
                           br_reason* why)
{
    double best[BR_FIT_COUNT];
    memcpy(best, q->p, sizeof best);
    bri_law_inform(q, s);
    bri_law_cost(q);
    set_variances(q, cost, s);
    s->quantile = bri_student_quantile(q->def->level, bri_law_freedom(q)) * out->widening;
    set_correlations(s, out);
    for (size_t i = 0; i < s->n; i++) {
        const int k = s->parameter[i];
        br_fit_estimate* e = &out->estimates[k];
        const double slope = bri_law_slope(k, best[k]);
        e->error = out->widening * fabs(slope) * sqrt(s->inverse[i][i] * s->variance);
        q->fraction = 0.6 + 0.4 * (double)i / (double)s->n;
        const br_status status = set_interval(q, s, i, cost, e, why);
        if (status != BR_OK || s->is_surpassed) {
            return status;
        }
        memcpy(q->p, best, sizeof best);
        put_words(out, k);
    }
    return BR_OK;
}
