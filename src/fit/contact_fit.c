/*
 * A planar contact from twists and wrenches.
 */
#include "bristle/fit_contact.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fit/contact_history.h"
#include "fit/law_sure.h"
#include "fit/least_squares.h"
#include "fit/student.h"

static const struct {
    const char *name, *unit, *reason;
    int is_log;
} list[CONTACT_UNKNOWNS] = {{"mu_c", "-", "no sliding in the data", 1},
                            {"mu_s", "-", "no slow sliding in the data", 1},
                            {"v_s", "m/s", "no slow sliding in the data", 1},
                            {"sigma0", "1/m", "no presliding in the data", 1},
                            {"sigma1", "s/m", "no fast presliding in the data", 0},
                            {"sigma2", "s/m", "no fast sliding in the data", 0},
                            {"radius", "m", "no spin in the data", 1},
                            {"k", "-", "too little sliding with spin to tell the pressure", 1}};

const char* br_fit_contact_get_name(int k)
{
    return k >= 0 && k < CONTACT_UNKNOWNS ? list[k].name : NULL;
}

br_fit_contact_def br_fit_contact_def_default(void)
{
    return (br_fit_contact_def){.size = sizeof(br_fit_contact_def), .level = 0.95, .rings = 6};
}

// Everything during a fit.
typedef struct contact_problem {
    const br_fit_contact_def* def;
    const br_fit_watch* watch;
    contact_history history;
    unsigned estimated;
    double p[CONTACT_UNKNOWNS];
    double arm;       // torques count as forces at this distance [m]
    double* wrench;   // (3 x count)
    double* jacobian; // (8 x 3 count)
    size_t evaluations;
} contact_problem;

static br_status refuse(br_reason* why, const char* field, const char* text)
{
    br_reason_set(why, field, "%s", text);
    return BR_ERR_DEF;
}

static br_status check(const br_fit_contact_def* def, br_reason* why)
{
    const br_fit_contact_data* d = &def->data;
    const double* columns[] = {d->t, d->vx, d->vy, d->w, d->fx, d->fy, d->tau, d->fn};
    static const char* const names[] = {"t", "vx", "vy", "w", "fx", "fy", "tau", "fn"};
    if (def->size != sizeof *def || def->rings < 2 || def->rings > 32) {
        return refuse(why, "rings",
                      "must be 2 to 32, in a definition by br_fit_contact_def_default()");
    }
    if (!(def->level > 0.0 && def->level < 1.0)) {
        return refuse(why, "level", "must be in (0, 1)");
    }
    if (d->count < 2 * CONTACT_UNKNOWNS) {
        return refuse(why, "data", "too few rows: 16 are the least");
    }
    double fastest = 0.0;
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
        for (size_t i = 0; i < d->count; i++) {
            if (!columns[c] || !isfinite(columns[c][i]) || (c == 7 && !(columns[c][i] > 0.0)) ||
                (c == 0 && i > 0 && !(d->t[i] > d->t[i - 1]))) {
                br_reason_set(why, names[c], "row %zu: must be a finite number%s", i + 1,
                              c == 0   ? ", and increase from row to row"
                              : c == 7 ? " > 0"
                                       : "");
                return BR_ERR_DEF;
            }
            fastest = fmax(fastest, c >= 1 && c <= 3 ? fabs(columns[c][i]) : 0.0);
        }
    }
    return fastest > 0.0 ? BR_OK : refuse(why, "vx", "no motion: all twists are 0");
}

static size_t unknowns(const contact_problem* q)
{
    size_t count = 0;
    for (int k = 0; k < CONTACT_UNKNOWNS; k++) {
        count += q->estimated >> k & 1;
    }
    return count;
}

static void to_theta(const contact_problem* q, double* theta)
{
    for (int k = 0; k < CONTACT_UNKNOWNS; k++) {
        if (q->estimated >> k & 1) {
            *theta++ = list[k].is_log ? log(q->p[k]) : q->p[k];
        }
    }
}

static void from_theta(contact_problem* q, const double* theta)
{
    for (int k = 0; k < CONTACT_UNKNOWNS; k++) {
        if (q->estimated >> k & 1) {
            q->p[k] = list[k].is_log ? exp(fmax(-40.0, fmin(*theta, 40.0))) : *theta;
            theta++;
        }
    }
    // beyond 40 the pressure is uniform to the last cell
    q->p[BR_FIT_CONTACT_K] = fmax(0.2, fmin(q->p[BR_FIT_CONTACT_K], 40.0));
}

static int eval(const double* theta, double* residual, double* jacobian, void* user)
{
    contact_problem* q = user;
    const br_fit_contact_data* d = &q->history.data;
    const size_t n = d->count;
    const double* measured[3] = {d->fx, d->fy, d->tau};
    from_theta(q, theta);
    bri_contact_history(&q->history, q->p, q->wrench, jacobian ? q->jacobian : NULL);
    q->evaluations++;
    for (size_t i = 0; i < 3 * n && !jacobian; i++) {
        const double miss = q->wrench[i] - measured[i / n][i % n];
        residual[i] = (isfinite(miss) ? miss : 1e100) / (i < 2 * n ? 1.0 : q->arm);
    }
    for (int k = 0; jacobian && k < CONTACT_UNKNOWNS; k++) {
        if (q->estimated >> k & 1) {
            const double slope = list[k].is_log ? q->p[k] : 1.0;
            for (size_t i = 0; i < 3 * n; i++) {
                jacobian[i] =
                    slope * q->jacobian[3 * n * (size_t)k + i] / (i < 2 * n ? 1.0 : q->arm);
            }
            jacobian += 3 * n;
        }
    }
    if (q->watch && q->watch->progress) {
        q->watch->progress(0.0, NAN, q->watch->user);
    }
    return q->watch && q->watch->stop ? q->watch->stop(q->watch->user) : 0;
}

static double cost_of(contact_problem* q)
{
    const br_fit_contact_data* d = &q->history.data;
    const double* measured[3] = {d->fx, d->fy, d->tau};
    double sum = 0.0;
    bri_contact_history(&q->history, q->p, q->wrench, NULL);
    for (size_t i = 0; i < 3 * d->count; i++) {
        const double miss = (q->wrench[i] - measured[i / d->count][i % d->count]) /
                            (i < 2 * d->count ? 1.0 : q->arm);
        sum += miss * miss;
    }
    return sum;
}

// --- start -----------------------------------------------------------------------------------------

// Sizes that the data show: the most force and torque per normal force, the fastest motion.
static void guess(contact_problem* q)
{
    const br_fit_contact_data* d = &q->history.data;
    double mu = 0.0, arm = 0.0, speed = 0.0;
    for (size_t i = 0; i < d->count; i++) {
        mu = fmax(mu, hypot(d->fx[i], d->fy[i]) / d->fn[i]);
        arm = fmax(arm, fabs(d->tau[i]) / d->fn[i]);
        speed = fmax(speed, hypot(d->vx[i], d->vy[i]));
    }
    mu = fmax(mu, 1e-6);
    q->arm = fmax(arm / mu, 1e-6);
    const double radius = 1.5 * q->arm;
    for (size_t i = 0; i < d->count; i++) {
        speed = fmax(speed, radius * fabs(d->w[i]));
    }
    const double start[CONTACT_UNKNOWNS] = {0.85 * mu, mu, 0.2 * speed, 1.0, 0.0, 0.0, radius, 2.0};
    for (int k = 0; k < CONTACT_UNKNOWNS; k++) {
        q->p[k] = q->def->fixed >> k & 1 ? q->def->values[k] : start[k];
    }
}

// The stiffness of the best of many.
static void try_stiffnesses(contact_problem* q)
{
    enum { TRIES = 10 };
    double least = HUGE_VAL, best = q->p[BR_FIT_CONTACT_SIGMA0];
    for (int i = 0; i < TRIES && q->estimated >> BR_FIT_CONTACT_SIGMA0 & 1; i++) {
        // break-away after 1e-2 r to 3e-7 r
        q->p[BR_FIT_CONTACT_SIGMA0] = q->p[BR_FIT_CONTACT_MU_C] / (q->arm * pow(10.0, -0.5 * i));
        const double cost = cost_of(q);
        if (cost < least) {
            least = cost;
            best = q->p[BR_FIT_CONTACT_SIGMA0];
        }
    }
    q->p[BR_FIT_CONTACT_SIGMA0] = best;
}

// --- results -----------------------------------------------------------------------------------------

static void inform(const contact_problem* q, const double* jacobian,
                   double inverse[SYMMETRIC_MOST][SYMMETRIC_MOST])
{
    const size_t rows = 3 * q->history.data.count, n = unknowns(q);
    double information[SYMMETRIC_MOST][SYMMETRIC_MOST];
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            information[i][j] = 0.0;
            for (size_t k = 0; k < rows; k++) {
                information[i][j] += jacobian[i * rows + k] * jacobian[j * rows + k];
            }
        }
    }
    bri_law_invert(information, n, inverse);
}

static void set_estimate(const contact_problem* q, int k, double theta, double error,
                         double quantile, br_fit_estimate* e)
{
    const double low = theta - quantile * error, high = theta + quantile * error;
    e->error = error * (list[k].is_log ? q->p[k] : 1.0);
    e->low = list[k].is_log ? exp(low) : fmax(low, 0.0);
    e->high = list[k].is_log ? exp(high) : high;
    e->is_told = list[k].is_log ? high - low < log(100.0) : low > 0.0;
    if (!e->is_told) {
        snprintf(e->words, sizeof e->words, "not determined: %s", list[k].reason);
    }
}

static void describe(contact_problem* q, double cost, const double* theta,
                     double inverse[SYMMETRIC_MOST][SYMMETRIC_MOST], br_fit_contact_result* out)
{
    const size_t count = q->history.data.count, n = unknowns(q);
    const double free = 3.0 * (double)count - (double)n, noise = sqrt(cost / free);
    const double quantile = bri_student_quantile(q->def->level, free);
    for (int k = 0, i = 0; k < CONTACT_UNKNOWNS; k++) {
        br_fit_estimate* e = &out->estimates[k];
        *e = (br_fit_estimate){.name = list[k].name, .unit = list[k].unit, .value = q->p[k]};
        e->low = e->high = q->p[k];
        e->is_told = e->is_fixed = 1;
        if (q->estimated >> k & 1) {
            e->is_fixed = 0;
            set_estimate(q, k, theta[i], noise * sqrt(inverse[i][i]), quantile, e);
            for (int l = 0, j = 0; l < CONTACT_UNKNOWNS; l++) {
                if (q->estimated >> l & 1) {
                    out->correlation[k][l] =
                        inverse[i][j] / (sqrt(inverse[i][i]) * sqrt(inverse[j][j]));
                    j++;
                }
            }
            i++;
        }
    }
    out->law = br_law_default(BR_LAW_LUGRE);
    out->law.mu_c = q->p[BR_FIT_CONTACT_MU_C];
    out->law.mu_s = fmax(q->p[BR_FIT_CONTACT_MU_S], out->law.mu_c);
    out->law.v_stribeck = q->p[BR_FIT_CONTACT_V_S];
    out->law.sigma0 = q->p[BR_FIT_CONTACT_SIGMA0];
    out->law.sigma1 = fmax(q->p[BR_FIT_CONTACT_SIGMA1], 0.0);
    out->law.sigma2 = fmax(q->p[BR_FIT_CONTACT_SIGMA2], 0.0);
    out->radius = q->p[BR_FIT_CONTACT_RADIUS];
    out->k = q->p[BR_FIT_CONTACT_K];
}

static void judge_residuals(contact_problem* q, br_fit_contact_result* out)
{
    const br_fit_contact_data* d = &q->history.data;
    double force = 0.0, torque = 0.0;
    bri_contact_history(&q->history, q->p, q->wrench, NULL);
    for (size_t i = 0; i < d->count; i++) {
        const double fx = q->wrench[i] - d->fx[i], fy = q->wrench[d->count + i] - d->fy[i];
        const double tau = q->wrench[2 * d->count + i] - d->tau[i];
        force += 0.5 * (fx * fx + fy * fy);
        torque += tau * tau;
    }
    out->rms_force = sqrt(force / (double)d->count);
    out->rms_torque = sqrt(torque / (double)d->count);
}

// Torques weigh as their own noise says: fit, look at the residuals, fit again.
static br_status solve(contact_problem* q, double* theta, double* cost, br_fit_contact_result* out,
                       br_reason* why)
{
    br_status status = BR_OK;
    for (int round = 0; round < 2 && status == BR_OK; round++) {
        const least_squares problem = {3 * q->history.data.count, unknowns(q), eval, q, 1e-8, 80};
        least_squares_end end = {HUGE_VAL, 0, 0};
        to_theta(q, theta);
        status = bri_least_squares(&problem, theta, &end, why);
        if (status != BR_OK && status != BR_ERR_STOPPED) {
            return status;
        }
        from_theta(q, theta);
        *cost = end.cost;
        out->is_converged = end.is_converged;
        judge_residuals(q, out);
        if (round == 0 && out->rms_torque > 0.0 && out->rms_force > 0.0) {
            q->arm = out->rms_torque / out->rms_force;
        }
    }
    return status;
}

static br_status fit(contact_problem* q, double* jacobian, br_fit_contact_result* out,
                     br_reason* why)
{
    double theta[CONTACT_UNKNOWNS], cost = HUGE_VAL, inverse[SYMMETRIC_MOST][SYMMETRIC_MOST];
    guess(q);
    try_stiffnesses(q);
    const br_status status = solve(q, theta, &cost, out, why);
    if (status != BR_OK && status != BR_ERR_STOPPED) {
        return status;
    }
    const br_fit_watch* watch = q->watch;
    q->watch = NULL; // what follows is short
    eval(theta, NULL, jacobian, q);
    q->watch = watch;
    inform(q, jacobian, inverse);
    describe(q, cost, theta, inverse, out);
    out->evaluations = q->evaluations;
    return status;
}

br_status br_fit_contact(const br_fit_contact_def* def, const br_fit_watch* watch,
                         br_fit_contact_result* out, br_reason* why)
{
    memset(out, 0, sizeof *out);
    br_status status = check(def, why);
    if (status != BR_OK) {
        return status;
    }
    const size_t rows = 3 * def->data.count, spokes = 2 * def->rings;
    const size_t work = bri_contact_history_work(def->rings, spokes);
    contact_problem q = {.def = def,
                         .watch = watch,
                         .history = {def->data, def->rings, spokes, NULL},
                         .estimated = ((1u << CONTACT_UNKNOWNS) - 1) & ~def->fixed};
    double* memory = br_allocate(work + rows * (1 + 2 * CONTACT_UNKNOWNS), sizeof *memory);
    if (!memory) {
        br_reason_set(why, "", "%s", br_status_text(BR_ERR_MEMORY));
        return BR_ERR_MEMORY;
    }
    q.history.work = memory;
    q.wrench = memory + work;
    q.jacobian = q.wrench + rows;
    status = fit(&q, q.jacobian + rows * CONTACT_UNKNOWNS, out, why);
    br_release(memory);
    return status;
}

br_status br_fit_contact_eval(const br_fit_contact_result* result, const br_fit_contact_data* data,
                              size_t rings, double* wrench)
{
    contact_history h = {*data, rings, 2 * rings, NULL};
    double p[CONTACT_UNKNOWNS];
    for (int k = 0; k < CONTACT_UNKNOWNS; k++) {
        p[k] = result->estimates[k].value;
    }
    h.work = br_allocate(bri_contact_history_work(rings, 2 * rings), sizeof *h.work);
    if (!h.work) {
        return BR_ERR_MEMORY;
    }
    bri_contact_history(&h, p, wrench, NULL);
    br_release(h.work);
    return BR_OK;
}
