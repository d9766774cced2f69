/*
 * A planar contact from twists and wrenches.
 *
 *   starts -> least squares -> edges (mu_s = mu_c, sigma >= 0, s_ba = 0, k) -> weight of the torques -> again -> how sure
 */
#include "bristle/fit_contact.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fit/contact_history.h"
#include "fit/law_sure.h"
#include "fit/least_squares.h"
#include "fit/student.h"

enum { COUNT = BR_FIT_CONTACT_COUNT };

// How an unknown is written as one that may be any number.
typedef enum scale_kind { LINEAR, LOGARITHM, LOGIT } scale_kind;

static const struct {
    const char *name, *unit, *reason;
    scale_kind scale;
    int input;
} list[COUNT] = {
    {"mu_c", "-", "no sliding in the data", LOGARITHM, CONTACT_MU_C},
    {"mu_s", "-", "no slow sliding in the data", LOGARITHM, CONTACT_MU_S},
    {"v_s", "m/s", "no slow sliding in the data", LOGARITHM, CONTACT_V_S},
    {"sigma0", "1/m", "no presliding in the data", LOGARITHM, CONTACT_SIGMA0},
    {"sigma1", "s/m", "no fast presliding in the data", LINEAR, CONTACT_SIGMA1},
    {"sigma2", "s/m", "no fast sliding in the data", LINEAR, CONTACT_SIGMA2},
    {"s_ba", "-", "no loads between elastic and sliding in the data", LOGIT, CONTACT_S_BA},
    {"radius", "m", "no spin in the data", LOGARITHM, CONTACT_SIZE},
    {"scale", "-", "no spin in the data", LOGARITHM, CONTACT_SIZE},
    {"k", "-", "too little sliding with spin to tell the pressure", LOGARITHM, CONTACT_K}};

// Beyond these the pressure is uniform, or a spike, to the last cell.
static const double least_k = 0.2, most_k = 40.0;

const char* br_fit_contact_get_name(int k)
{
    return k >= 0 && k < COUNT ? list[k].name : NULL;
}

br_fit_contact_def br_fit_contact_def_default(void)
{
    return (br_fit_contact_def){.size = sizeof(br_fit_contact_def),
                                .law = BR_LAW_LUGRE,
                                .method = BR_METHOD_BLOCKS,
                                .level = 0.95};
}

// Everything during a fit.
typedef struct contact_problem {
    const br_fit_contact_def* def;
    const br_fit_watch* watch;
    contact_history history;
    unsigned has, estimated; // bits
    double p[COUNT];
    double unit;               // of the size: radius as it is given, or 1
    int mu_is_tied;            // mu_s = mu_c: an edge
    double arm;                // torques count as forces at this distance [m]
    double* wrench;            // (3 x count)
    double* jacobian;          // (CONTACT_INPUTS x 3 count)
    double at[CONTACT_INPUTS]; // where these are; NaN: nowhere
    size_t evaluations;
} contact_problem;

// --- what is given -----------------------------------------------------------------------------------

static br_status refuse(br_reason* why, const char* field, const char* text)
{
    br_reason_set(why, field, "%s", text);
    return BR_ERR_DEF;
}

static br_status check_def(const br_fit_contact_def* def, br_reason* why)
{
    const size_t least = def->method == BR_METHOD_BLOCKS ? 1 : 2;
    const size_t most = def->method == BR_METHOD_BLOCKS ? 16 : 64;
    if (def->size != sizeof *def) {
        return refuse(why, "size", "start from br_fit_contact_def_default()");
    }
    if (def->law != BR_LAW_LUGRE && def->law != BR_LAW_ELASTO_PLASTIC) {
        return refuse(why, "law", "must be lugre or elasto-plastic");
    }
    if (def->method != BR_METHOD_BLOCKS && def->method != BR_METHOD_DISTRIBUTED) {
        return refuse(why, "method", "must be blocks or distributed");
    }
    if (def->resolution != 0 && (def->resolution < least || def->resolution > most)) {
        return refuse(why, "resolution", "must be 1 to 16 blocks, or 2 to 64 cells");
    }
    if (def->patch && br_patch_depends_on_force(def->patch)) {
        return refuse(why, "patch", "must not depend on the normal force");
    }
    return def->level > 0.0 && def->level < 1.0 ? BR_OK : refuse(why, "level", "must be in (0, 1)");
}

static br_status check_column(const char* name, const double* x, size_t count, br_reason* why)
{
    const int is_time = strcmp(name, "t") == 0, is_force = strcmp(name, "fn") == 0;
    if (!x) {
        return refuse(why, name, "is missing");
    }
    for (size_t i = 0; i < count; i++) {
        const int is_bad = !isfinite(x[i]) || (is_force && !(x[i] > 0.0)) ||
                           (is_time && i > 0 && !(x[i] > x[i - 1]));
        if (is_bad) {
            br_reason_set(why, name, "row %zu: must be a finite number%s", i + 1,
                          is_time    ? ", and increase from row to row"
                          : is_force ? " > 0"
                                     : "");
            return BR_ERR_DEF;
        }
    }
    return BR_OK;
}

static int is_constant(const double* x, size_t count)
{
    size_t i = 1;
    while (i < count && x[i] == x[0]) {
        i++;
    }
    return i >= count;
}

static br_status check_data(const br_fit_contact_data* d, br_reason* why)
{
    const double* columns[] = {d->t, d->vx, d->vy, d->w, d->fx, d->fy, d->tau, d->fn};
    static const char* const names[] = {"t", "vx", "vy", "w", "fx", "fy", "tau", "fn"};
    br_status status = BR_OK;
    if (d->count < 2 * COUNT) {
        br_reason_set(why, "data", "too few rows: %zu; %d are the least", d->count, 2 * COUNT);
        return BR_ERR_DEF;
    }
    for (int c = 0; c < 8 && status == BR_OK; c++) {
        status = check_column(names[c], columns[c], d->count, why);
    }
    double fastest = 0.0;
    for (size_t i = 0; i < d->count && status == BR_OK; i++) {
        fastest = fmax(fastest, fabs(d->vx[i]) + fabs(d->vy[i]) + fabs(d->w[i]));
    }
    if (status == BR_OK && fastest == 0.0) {
        return refuse(why, "vx", "no motion: all twists are 0");
    }
    if (status == BR_OK && is_constant(d->fx, d->count) && is_constant(d->fy, d->count) &&
        is_constant(d->tau, d->count)) {
        return refuse(why, "fx", "fx, fy and tau do not change: a sensor that does not measure?");
    }
    return status;
}

// --- unknowns ----------------------------------------------------------------------------------------

static size_t unknowns(const contact_problem* q)
{
    size_t count = 0;
    for (int k = 0; k < COUNT; k++) {
        count += q->estimated >> k & 1;
    }
    return count;
}

static double to_theta(int k, double p)
{
    return list[k].scale == LOGARITHM ? log(p) : list[k].scale == LOGIT ? log(p / (1.0 - p)) : p;
}

static double from_theta(int k, double theta)
{
    const double at = fmax(-40.0, fmin(theta, 40.0));
    return list[k].scale == LOGARITHM ? exp(at)
           : list[k].scale == LOGIT   ? 1.0 / (1.0 + exp(-at))
                                      : theta;
}

static double slope_of(int k, double p)
{
    return list[k].scale == LOGARITHM ? p : list[k].scale == LOGIT ? p * (1.0 - p) : 1.0;
}

static void get_theta(const contact_problem* q, double* theta)
{
    for (int k = 0; k < COUNT; k++) {
        if (q->estimated >> k & 1) {
            *theta++ = to_theta(k, q->p[k]);
        }
    }
}

static void set_theta(contact_problem* q, const double* theta)
{
    for (int k = 0; k < COUNT; k++) {
        if (q->estimated >> k & 1) {
            q->p[k] = from_theta(k, *theta++);
        }
    }
    double* k = &q->p[BR_FIT_CONTACT_K];
    *k = fmax(least_k, fmin(*k, most_k));
    if (q->mu_is_tied) {
        q->p[BR_FIT_CONTACT_MU_S] = q->p[BR_FIT_CONTACT_MU_C];
    }
}

// Is the patch's size a radius, or a factor?
static int size_of(const contact_problem* q)
{
    return q->has >> BR_FIT_CONTACT_RADIUS & 1 ? BR_FIT_CONTACT_RADIUS : BR_FIT_CONTACT_SCALE;
}

// The history at q->p, unless it is there already.
static void evaluate(contact_problem* q)
{
    double at[CONTACT_INPUTS];
    for (int k = 0; k < COUNT; k++) {
        if (list[k].input != CONTACT_SIZE) {
            at[list[k].input] = q->p[k];
        }
    }
    at[CONTACT_SIZE] = q->p[size_of(q)] / q->unit;
    if (memcmp(at, q->at, sizeof at) != 0) {
        bri_contact_history(&q->history, at, q->wrench, q->jacobian);
        memcpy(q->at, at, sizeof at);
        q->evaluations++;
    }
}

// Residual i of all three columns; those of torques over the arm.
static double residual_of(const contact_problem* q, size_t i)
{
    const br_fit_contact_data* d = &q->history.data;
    const double* measured[3] = {d->fx, d->fy, d->tau};
    const double miss = q->wrench[i] - measured[i / d->count][i % d->count];
    return (isfinite(miss) ? miss : 1e100) / (i < 2 * d->count ? 1.0 : q->arm);
}

static void fill_jacobian(const contact_problem* q, double* out)
{
    const size_t rows = 3 * q->history.data.count;
    for (int k = 0; k < COUNT; k++) {
        if (!(q->estimated >> k & 1)) {
            continue;
        }
        const double* column = q->jacobian + rows * (size_t)list[k].input;
        const double* tied = q->jacobian + rows * CONTACT_MU_S;
        const int is_tied = k == BR_FIT_CONTACT_MU_C && q->mu_is_tied;
        double slope = slope_of(k, q->p[k]);
        slope /= list[k].input == CONTACT_SIZE ? q->unit : 1.0;
        for (size_t i = 0; i < rows; i++) {
            const double by = slope * (column[i] + (is_tied ? tied[i] : 0.0));
            out[i] = by / (i < rows / 3 * 2 ? 1.0 : q->arm);
        }
        out += rows;
    }
}

static int eval(const double* theta, double* residual, double* jacobian, void* user)
{
    contact_problem* q = user;
    set_theta(q, theta);
    evaluate(q);
    for (size_t i = 0; i < 3 * q->history.data.count && !jacobian; i++) {
        residual[i] = residual_of(q, i);
    }
    if (jacobian) {
        fill_jacobian(q, jacobian);
    }
    if (q->watch && q->watch->progress) {
        q->watch->progress(fmin(0.95, (double)q->evaluations / 150.0), NAN, q->watch->user);
    }
    return q->watch && q->watch->stop ? q->watch->stop(q->watch->user) : 0;
}

static double cost_of(contact_problem* q)
{
    double sum = 0.0;
    evaluate(q);
    for (size_t i = 0; i < 3 * q->history.data.count; i++) {
        sum += residual_of(q, i) * residual_of(q, i);
    }
    return sum;
}

// --- start -------------------------------------------------------------------------------------------

static void set_if_estimated(contact_problem* q, int k, double value)
{
    if (q->estimated >> k & 1) {
        q->p[k] = value;
    }
}

// Sizes that the data show: the most force and torque per normal force, the fastest motion.
static void guess(contact_problem* q, double r)
{
    const br_fit_contact_data* d = &q->history.data;
    double mu = 1e-6, arm = 0.0, speed = 0.0;
    for (size_t i = 0; i < d->count; i++) {
        mu = fmax(mu, hypot(d->fx[i], d->fy[i]) / d->fn[i]);
        arm = fmax(arm, fabs(d->tau[i]) / d->fn[i]);
    }
    q->arm = fmax(arm / mu, 1e-6);
    for (size_t i = 0; i < d->count; i++) {
        speed = fmax(speed, hypot(d->vx[i], d->vy[i]) + q->arm * fabs(d->w[i]));
    }
    set_if_estimated(q, BR_FIT_CONTACT_MU_C, 0.85 * mu);
    set_if_estimated(q, BR_FIT_CONTACT_MU_S, mu);
    set_if_estimated(q, BR_FIT_CONTACT_V_S, 0.2 * speed);
    set_if_estimated(q, BR_FIT_CONTACT_S_BA, 0.5);
    set_if_estimated(q, size_of(q), r > 0.0 ? q->unit * q->arm / r : q->unit);
}

// The stiffness and size of the best of many: break-away after 1e-1 to 1e-5 of the arm.
static void try_starts(contact_problem* q)
{
    enum { STIFFNESSES = 9, SIZES = 2 };
    double least = HUGE_VAL, best[COUNT];
    const double size = q->p[size_of(q)];
    for (int i = 0; i < STIFFNESSES * SIZES; i++) {
        const double way = q->arm * pow(10.0, -1.0 - 0.5 * (i % STIFFNESSES));
        set_if_estimated(q, BR_FIT_CONTACT_SIGMA0, q->p[BR_FIT_CONTACT_MU_C] / way);
        set_if_estimated(q, size_of(q), size * (i < STIFFNESSES ? 1.0 : 1.6));
        const double cost = cost_of(q);
        if (cost < least) {
            least = cost;
            memcpy(best, q->p, sizeof best);
        }
    }
    memcpy(q->p, best, sizeof best);
}

// --- least squares -----------------------------------------------------------------------------------

static br_status solve(contact_problem* q, double* cost, br_fit_contact_result* out, br_reason* why)
{
    double theta[COUNT];
    const least_squares problem = {3 * q->history.data.count, unknowns(q), eval, q, 1e-8, 80};
    least_squares_end end = {HUGE_VAL, 0, 0};
    if (problem.n == 0) {
        *cost = cost_of(q);
        out->is_converged = 1;
        return BR_OK;
    }
    get_theta(q, theta);
    const br_status status = bri_least_squares(&problem, theta, &end, why);
    if (status == BR_OK || status == BR_ERR_STOPPED) {
        set_theta(q, theta);
        *cost = end.cost;
        out->is_converged = end.is_converged;
    }
    return status;
}

// Hold a parameter from now on.
static int hold(contact_problem* q, int k, int is_beyond, double value)
{
    if (!(q->estimated >> k & 1) || !is_beyond) {
        return 0;
    }
    q->estimated &= ~(1u << k);
    q->p[k] = value;
    return 1;
}

// Has the fit left an edge? Then go on along it.
static int take_edge(contact_problem* q)
{
    const double* p = q->p;
    const int is_below = p[BR_FIT_CONTACT_MU_S] < p[BR_FIT_CONTACT_MU_C];
    if (hold(q, BR_FIT_CONTACT_MU_S, is_below, p[BR_FIT_CONTACT_MU_C])) {
        q->mu_is_tied = 1;
        q->estimated &= ~(1u << BR_FIT_CONTACT_V_S);
        return 1;
    }
    return hold(q, BR_FIT_CONTACT_SIGMA1, p[BR_FIT_CONTACT_SIGMA1] < 0.0, 0.0) ||
           hold(q, BR_FIT_CONTACT_SIGMA2, p[BR_FIT_CONTACT_SIGMA2] < 0.0, 0.0) ||
           hold(q, BR_FIT_CONTACT_S_BA, p[BR_FIT_CONTACT_S_BA] < 1e-3, 0.0) ||
           hold(q, BR_FIT_CONTACT_K, p[BR_FIT_CONTACT_K] >= most_k, most_k) ||
           hold(q, BR_FIT_CONTACT_K, p[BR_FIT_CONTACT_K] <= least_k, least_k);
}

static br_status solve_with_edges(contact_problem* q, double* cost, br_fit_contact_result* out,
                                  br_reason* why)
{
    br_status status = solve(q, cost, out, why);
    while (status == BR_OK && take_edge(q)) {
        status = solve(q, cost, out, why);
    }
    return status;
}

static void judge_residuals(contact_problem* q, br_fit_contact_result* out)
{
    const size_t count = q->history.data.count;
    double force = 0.0, torque = 0.0;
    evaluate(q);
    for (size_t i = 0; i < 3 * count; i++) {
        const double r = residual_of(q, i);
        force += i < 2 * count ? r * r : 0.0;
        torque += i < 2 * count ? 0.0 : r * r;
    }
    out->rms_force = sqrt(0.5 * force / (double)count);
    out->rms_torque = q->arm * sqrt(torque / (double)count);
}

// The band of the best of several, from the law without one.
static void try_bands(contact_problem* q)
{
    static const double bands[] = {0.2, 0.5, 0.8};
    double least = HUGE_VAL, best = bands[0];
    for (size_t i = 0; i < sizeof bands / sizeof *bands; i++) {
        q->p[BR_FIT_CONTACT_S_BA] = bands[i];
        const double cost = cost_of(q);
        best = cost < least ? bands[i] : best;
        least = fmin(cost, least);
    }
    q->p[BR_FIT_CONTACT_S_BA] = best;
}

// A law without elastic band first, which has fewer wrong ends.
static br_status start(contact_problem* q, double r, double* cost, br_fit_contact_result* out,
                       br_reason* why)
{
    const unsigned estimated = q->estimated, band = 1u << BR_FIT_CONTACT_S_BA;
    const int is_plastic = q->history.is_plastic;
    guess(q, r);
    q->history.is_plastic = 0;
    q->estimated &= ~band;
    try_starts(q);
    const br_status status = is_plastic ? solve(q, cost, out, why) : BR_OK;
    q->history.is_plastic = is_plastic;
    q->estimated = estimated;
    q->at[0] = NAN; // another law
    q->p[BR_FIT_CONTACT_SIGMA1] = fmax(q->p[BR_FIT_CONTACT_SIGMA1], 0.0);
    q->p[BR_FIT_CONTACT_SIGMA2] = fmax(q->p[BR_FIT_CONTACT_SIGMA2], 0.0);
    if (estimated & band) {
        try_bands(q);
    }
    return status;
}

// Torques weigh as their own noise says: fit, look at the residuals, fit again.
static br_status solve_all(contact_problem* q, double r, double* cost, br_fit_contact_result* out,
                           br_reason* why)
{
    br_status status = start(q, r, cost, out, why);
    for (int round = 0; round < 2 && status == BR_OK; round++) {
        status = solve_with_edges(q, cost, out, why);
        judge_residuals(q, out);
        if (round == 0 && out->rms_torque > 0.0 && out->rms_force > 0.0) {
            q->arm = out->rms_torque / out->rms_force;
        }
    }
    return status;
}

// --- how sure ----------------------------------------------------------------------------------------

// Neighbours that repeat each other tell less, as of a law's fit (F-6); all three columns together.
static double widening_of(const contact_problem* q)
{
    const size_t count = q->history.data.count;
    double square = 1e-300, repeated = 0.0;
    for (size_t i = 0; i < 3 * count; i++) {
        const double r = residual_of(q, i);
        square += r * r;
        repeated += i % count > 0 ? r * residual_of(q, i - 1) : 0.0;
    }
    const double lag = repeated / square;
    const int is_white = lag < 4.0 / sqrt(3.0 * (double)count);
    return is_white ? 1.0 : sqrt((1.0 + lag) / fmax(1.0 - lag, 1e-6));
}

// Inverse of the information of what is estimated; room (unknowns x 3 count).
static void inform(contact_problem* q, double* room, double inverse[SYMMETRIC_MOST][SYMMETRIC_MOST])
{
    const size_t rows = 3 * q->history.data.count, n = unknowns(q);
    double information[SYMMETRIC_MOST][SYMMETRIC_MOST];
    evaluate(q);
    fill_jacobian(q, room);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            information[i][j] = 0.0;
            for (size_t k = 0; k < rows; k++) {
                information[i][j] += room[i * rows + k] * room[j * rows + k];
            }
        }
    }
    bri_law_invert(information, n, inverse);
}

static void set_interval(int k, double theta, double error, double quantile, br_fit_estimate* e)
{
    const double low = theta - quantile * error, high = theta + quantile * error;
    e->error = error * slope_of(k, e->value);
    e->low = list[k].scale == LINEAR ? fmax(low, 0.0) : from_theta(k, low);
    e->high = from_theta(k, high);
    e->is_told = list[k].scale == LOGARITHM ? high - low < log(100.0)
                 : list[k].scale == LOGIT   ? e->high - e->low < 0.9
                                            : low > 0.0;
}

// The other one that it cannot be told from, if there is one.
static int twin_of(const br_fit_contact_result* out, int k)
{
    int twin = -1;
    for (int j = 0; j < COUNT; j++) {
        const double c = fabs(out->correlation[k][j]);
        if (j != k && c > 0.99 && (twin < 0 || c > fabs(out->correlation[k][twin]))) {
            twin = j;
        }
    }
    return twin;
}

static void put_words(br_fit_contact_result* out, int k)
{
    br_fit_estimate* e = &out->estimates[k];
    const int twin = twin_of(out, k);
    if (e->is_told) {
        return;
    }
    if (twin >= 0) {
        snprintf(e->words, sizeof e->words, "only together with %s (correlation %.3f): %s",
                 list[twin].name, out->correlation[k][twin], list[k].reason);
    } else {
        snprintf(e->words, sizeof e->words, "%s: %s",
                 list[k].scale == LINEAR ? "not told apart from 0" : "not determined",
                 list[k].reason);
    }
}

static void set_correlations(const contact_problem* q,
                             double inverse[SYMMETRIC_MOST][SYMMETRIC_MOST],
                             br_fit_contact_result* out)
{
    for (int k = 0, i = 0; k < COUNT; k++) {
        for (int l = 0, j = 0; q->estimated >> k & 1 && l < COUNT; l++) {
            if (q->estimated >> l & 1) {
                const double unit = sqrt(inverse[i][i]) * sqrt(inverse[j][j]);
                out->correlation[k][l] = isfinite(unit) ? inverse[i][j] / unit : k == l;
                j++;
            }
        }
        i += q->estimated >> k & 1;
    }
}

static void describe(contact_problem* q, double deviation, double quantile, double* room,
                     br_fit_contact_result* out)
{
    double theta[COUNT], inverse[SYMMETRIC_MOST][SYMMETRIC_MOST];
    get_theta(q, theta);
    inform(q, room, inverse);
    set_correlations(q, inverse, out);
    for (int k = 0, i = 0; k < COUNT; k++) {
        br_fit_estimate* e = &out->estimates[k];
        *e = (br_fit_estimate){.name = list[k].name, .unit = list[k].unit, .value = q->p[k]};
        e->low = e->high = q->p[k];
        e->is_told = e->is_fixed = 1;
        if (q->estimated >> k & 1) {
            e->is_fixed = 0;
            set_interval(k, theta[i], deviation * sqrt(inverse[i][i]), quantile, e);
            put_words(out, k);
            i++;
        }
    }
}

// A parameter at its edge: how far it may be from there, to the one side that there is.
static void describe_held(contact_problem* q, int k, double deviation, double quantile,
                          double* room, br_fit_contact_result* out)
{
    br_fit_estimate* e = &out->estimates[k];
    const unsigned estimated = q->estimated;
    const int is_tied = q->mu_is_tied, is_uniform = k == BR_FIT_CONTACT_K && e->value > 1.0;
    double inverse[SYMMETRIC_MOST][SYMMETRIC_MOST];
    size_t i = 0;
    q->mu_is_tied = is_tied && k != BR_FIT_CONTACT_MU_S;
    q->estimated |= 1u << k;
    q->p[k] = k == BR_FIT_CONTACT_S_BA ? 1e-3 : q->p[k]; // where its logarithm is a number
    inform(q, room, inverse);
    for (int j = 0; j < k; j++) {
        i += q->estimated >> j & 1;
    }
    const double error = deviation * sqrt(inverse[i][i]), theta = to_theta(k, q->p[k]);
    e->is_fixed = e->is_told = 0;
    e->error = error * slope_of(k, q->p[k]);
    e->low = is_uniform ? from_theta(k, theta - quantile * error) : e->value;
    e->high = is_uniform ? HUGE_VAL : from_theta(k, theta + quantile * error);
    snprintf(e->words, sizeof e->words, "%s",
             k == BR_FIT_CONTACT_MU_S ? "no more friction at rest than in motion: mu_s = mu_c"
             : k == BR_FIT_CONTACT_K  ? "at its edge: uniform, or a spike, as far as the data tell"
                                      : "not told apart from 0: the best value is at its edge");
    q->estimated = estimated;
    q->mu_is_tied = is_tied;
    q->p[k] = e->value;
}

static void describe_edges(contact_problem* q, double deviation, double quantile, double* room,
                           br_fit_contact_result* out)
{
    const unsigned held = q->has & ~q->estimated & ~q->def->fixed;
    for (int k = 0; k < COUNT; k++) {
        if (held >> k & 1 && k != BR_FIT_CONTACT_V_S) {
            describe_held(q, k, deviation, quantile, room, out);
        }
    }
    if (held >> BR_FIT_CONTACT_V_S & 1) {
        br_fit_estimate* e = &out->estimates[BR_FIT_CONTACT_V_S];
        e->is_fixed = e->is_told = 0;
        e->low = 0.0;
        e->high = HUGE_VAL;
        snprintf(e->words, sizeof e->words, "mu_s = mu_c: there is no Stribeck speed");
    }
}

static br_law law_of(const contact_problem* q)
{
    br_law law = br_law_default(q->def->law);
    law.mu_c = q->p[BR_FIT_CONTACT_MU_C];
    law.mu_s = fmax(q->p[BR_FIT_CONTACT_MU_S], law.mu_c);
    law.v_stribeck = q->p[BR_FIT_CONTACT_V_S];
    law.sigma0 = q->p[BR_FIT_CONTACT_SIGMA0];
    law.sigma1 = q->p[BR_FIT_CONTACT_SIGMA1];
    law.sigma2 = q->p[BR_FIT_CONTACT_SIGMA2];
    law.s_ba = q->p[BR_FIT_CONTACT_S_BA];
    return law;
}

static br_status fit(contact_problem* q, double r, double* room, br_fit_contact_result* out,
                     br_reason* why)
{
    double cost = HUGE_VAL;
    const br_status status = solve_all(q, r, &cost, out, why);
    if (status != BR_OK && status != BR_ERR_STOPPED) {
        return status;
    }
    const double rows = 3.0 * (double)q->history.data.count;
    const double free = fmax(rows - (double)unknowns(q), 1.0);
    judge_residuals(q, out);
    cost = cost_of(q);
    out->widening = widening_of(q);
    out->has = q->has;
    out->law = law_of(q);

    // of forces and of torques over their own deviations, which is what the arm is for
    out->bic = rows * log(cost / rows) + rows / 3.0 * log(q->arm * q->arm) +
               (double)unknowns(q) * log(rows);
    const double deviation = out->widening * sqrt(cost / free);
    const double quantile = bri_student_quantile(q->def->level, free);
    describe(q, deviation, quantile, room, out);
    describe_edges(q, deviation, quantile, room, out);
    out->evaluations = q->evaluations;
    return status;
}

// --- the problem -------------------------------------------------------------------------------------

// The patch that is given, or a disc under a power pressure, which the caller destroys.
static br_status make_disc(const br_fit_contact_def* def, br_patch** own, br_reason* why)
{
    br_patch_def disc = br_patch_def_default();
    disc.pressure = BR_PRESSURE_POWER;
    disc.k = br_by_force_constant(2.0);
    *own = NULL;
    return def->patch ? BR_OK : br_patch_create(&disc, own, why);
}

static size_t resolution_of(const br_fit_contact_def* def)
{
    enum { BLOCKS_ACROSS = 5, CELLS_ACROSS = 13 };
    const size_t usual = def->method == BR_METHOD_BLOCKS ? BLOCKS_ACROSS : CELLS_ACROSS;
    return def->resolution ? def->resolution : usual;
}

// What this law and patch have, and the values of what is not estimated.
static void set_unknowns(contact_problem* q, const br_patch_def* patch)
{
    const int is_round = patch->shape == BR_SHAPE_DISC || patch->shape == BR_SHAPE_RING;
    q->has = (1u << BR_FIT_CONTACT_S_BA) - 1u;
    q->has |= 1u << (is_round ? BR_FIT_CONTACT_RADIUS : BR_FIT_CONTACT_SCALE);
    q->has |= q->history.is_plastic ? 1u << BR_FIT_CONTACT_S_BA : 0u;
    q->has |= patch->pressure == BR_PRESSURE_POWER ? 1u << BR_FIT_CONTACT_K : 0u;
    q->estimated = q->has & ~q->def->fixed;
    for (int k = 0; k < COUNT; k++) {
        q->p[k] = list[k].scale == LOGARITHM ? 1.0 : 0.0;
    }
    q->p[BR_FIT_CONTACT_RADIUS] = q->unit;
    if (q->has >> BR_FIT_CONTACT_K & 1) {
        q->p[BR_FIT_CONTACT_K] = br_by_force_eval(patch->k, 1.0);
    }
    for (int k = 0; k < COUNT; k++) {
        q->p[k] = q->def->fixed >> k & 1 ? q->def->values[k] : q->p[k];
    }
    q->mu_is_tied = 0;
    q->at[0] = NAN;
}

static br_status check_fixed(const contact_problem* q, br_reason* why)
{
    for (int k = 0; k < COUNT; k++) {
        const double x = q->def->values[k];
        if (!(q->def->fixed >> k & 1)) {
            continue;
        }
        if (!(q->has >> k & 1)) {
            br_reason_set(why, list[k].name, "is given, but this law and patch have none");
            return BR_ERR_DEF;
        }
        if (!isfinite(x) || x < 0.0 || (list[k].scale == LOGARITHM && x == 0.0) ||
            (list[k].scale == LOGIT && x >= 1.0)) {
            br_reason_set(why, list[k].name, "is given as %g, which it cannot be", x);
            return BR_ERR_DEF;
        }
    }
    return BR_OK;
}

// The parts of the problem and its memory; free with problem_end().
static br_status problem_begin(contact_problem* q, const br_patch* patch, contact_parts* parts,
                               br_reason* why)
{
    const br_status status =
        bri_parts_create(patch, q->def->method, resolution_of(q->def), parts, why);
    if (status != BR_OK) {
        return status;
    }
    const size_t rows = 3 * q->history.data.count, room = bri_contact_history_room(parts);
    double* memory = br_allocate(room + rows * (1 + CONTACT_INPUTS + COUNT), sizeof *memory);
    if (!memory) {
        bri_parts_destroy(parts);
        br_reason_set(why, "", "%s", br_status_text(BR_ERR_MEMORY));
        return BR_ERR_MEMORY;
    }
    q->unit = parts->unit;
    q->history.parts = parts;
    q->history.state = memory;
    q->history.is_plastic = q->def->law == BR_LAW_ELASTO_PLASTIC;
    q->wrench = memory + room;
    q->jacobian = q->wrench + rows;
    set_unknowns(q, br_patch_get_def(patch));
    return BR_OK;
}

static void problem_end(contact_problem* q, contact_parts* parts)
{
    br_release(q->history.state);
    bri_parts_destroy(parts);
}

br_status br_fit_contact(const br_fit_contact_def* def, const br_fit_watch* watch,
                         br_fit_contact_result* out, br_reason* why)
{
    memset(out, 0, sizeof *out);
    contact_problem q = {.def = def, .watch = watch, .history = {.data = def->data}};
    contact_parts parts;
    br_patch* own = NULL;
    br_status status = check_def(def, why);
    status = status ? status : check_data(&def->data, why);
    status = status ? status : make_disc(def, &own, why);
    const br_patch* patch = own ? own : def->patch;
    status = status ? status : problem_begin(&q, patch, &parts, why);
    if (status == BR_OK) {
        status = check_fixed(&q, why);
        if (status == BR_OK) {
            double* room = q.jacobian + 3 * def->data.count * CONTACT_INPUTS;
            status = fit(&q, br_patch_eval(patch, 1.0).r, room, out, why);
        }
        problem_end(&q, &parts);
    }
    br_patch_destroy(own);
    return status;
}

br_status br_fit_contact_eval(const br_fit_contact_def* def, const br_fit_contact_result* result,
                              const br_fit_contact_data* data, double* wrench, br_reason* why)
{
    contact_problem q = {.def = def, .history = {.data = *data}};
    contact_parts parts;
    br_patch* own = NULL;
    br_status status = check_def(def, why);
    status = status ? status : make_disc(def, &own, why);
    status = status ? status : problem_begin(&q, own ? own : def->patch, &parts, why);
    if (status == BR_OK) {
        for (int k = 0; k < COUNT; k++) {
            q.p[k] = result->estimates[k].value;
        }
        evaluate(&q);
        memcpy(wrench, q.wrench, 3 * data->count * sizeof *wrench);
        problem_end(&q, &parts);
    }
    br_patch_destroy(own);
    return status;
}
