/*
 * Running a mechanism: start, rows, events, energy.
 */
#include "sim/mechanism_internal.h"

#include "math/vector.h"
#include "sim/run.h"

// A start is on the constraint within this distance [m] and, for velocities, speed [m/s].
static const double on_constraint = 1e-9;

enum { PROJECTIONS = 50 };

// A run that breaks down below this Painleve margin broke down for that [-].
static const double jammed = 1e-3;

// Laws with a state stick, by the words of the result, below this share of Coulomb's force.
static const double sliding_share = 0.99;

br_mechanism_def br_mechanism_def_default(void)
{
    return (br_mechanism_def){.size = sizeof(br_mechanism_def),
                              .law = br_law_default(BR_LAW_STICTION),
                              .dahl = BR_DAHL_VECTOR,
                              .normal = BR_NORMAL_GEOMETRIC,
                              .stabilisation = 20.0};
}

// --- checks ---------------------------------------------------------------------------------------

// A mechanism may slide without friction, which is no law.
static br_status check_law(const br_law* law, br_reason* why)
{
    const int simple = law->kind == BR_LAW_COULOMB || law->kind == BR_LAW_STICTION;
    const int frictionless = simple && law->mu_c == 0.0 && law->mu_s >= 0.0 && isfinite(law->mu_s);
    return frictionless ? BR_OK : br_law_check(law, why);
}

// Bearings need a law that says what they do at rest; those without dry friction need but sigma2.
static br_status check_joints(const br_mechanism_def* def, br_reason* why)
{
    for (size_t i = 0; i < def->mechanism.n; i++) {
        br_law law = def->joints[i];
        br_reason inner;
        if (!br_law_has_state(law.kind)) {
            br_reason_set(why, "joints", "joint %zu needs a law with a state, not %s", i + 1,
                          br_law_name(law.kind));
            return BR_ERR_DEF;
        }
        if (law.mu_c == 0.0 && law.mu_s == 0.0) {
            law.mu_c = law.mu_s = 1.0; // not looked at
        }
        if (br_law_check(&law, &inner) != BR_OK) {
            br_reason_set(why, "joints", "joint %zu: %s %s", i + 1, inner.field, inner.text);
            return BR_ERR_DEF;
        }
    }
    return BR_OK;
}

static br_status check_def(const br_mechanism_def* def, br_reason* why)
{
    const br_mechanism* m = &def->mechanism;
    if (def->size != sizeof *def) {
        br_reason_set(why, "size", "start from br_mechanism_def_default()");
        return BR_ERR_DEF;
    }
    if (!m->dynamics || !m->constraint || !m->contact || !def->q) {
        br_reason_set(why, "mechanism", "needs dynamics, constraint, contact and q");
        return BR_ERR_DEF;
    }
    if (m->n < 1 || m->n > BR_CONSTRAINED_MOST || m->m < m->normals || m->m > BR_CONSTRAINED_MOST ||
        (m->d != 2 && m->d != 3) || m->normals < 1 || m->normals >= m->d) {
        br_reason_set(why, "mechanism", "n, m, d or normals is out of range: %zu, %zu, %zu, %zu",
                      m->n, m->m, m->d, m->normals);
        return BR_ERR_DEF;
    }
    if (!br_law_has_state(def->law.kind) && m->normals + 1 != m->d) {
        br_reason_set(why, "law",
                      "a memoryless law needs a contact that slides along a line; take one "
                      "with a state");
        return BR_ERR_DEF;
    }
    if (!(def->stabilisation >= 0.0) || !isfinite(def->stabilisation)) {
        br_reason_set(why, "stabilisation", "must be finite and >= 0, got %g", def->stabilisation);
        return BR_ERR_DEF;
    }
    const br_status status = check_law(&def->law, why);
    return status == BR_OK && def->joints ? check_joints(def, why) : status;
}

// The terms at the start make a system that can be.
static br_status check_terms(mechanism_run* r, const double* y, br_reason* why)
{
    br_reason inner;
    bri_mechanism_look(r, 0.0, y);
    br_constrained system = r->system;
    system.b = r->terms.b, system.bias = r->terms.bias;
    if (br_constrained_check(&system, r->work, &inner) == BR_OK) {
        return BR_OK;
    }
    br_reason_set(why, "mechanism", "at the start, %s %s", inner.field, inner.text);
    return BR_ERR_DEF;
}

// --- start ----------------------------------------------------------------------------------------

// The least change, in the metric of M, with A change = wanted.
static void least_change(mechanism_run* r, const double* wanted, double* to)
{
    double zero[BR_CONSTRAINED_MOST] = {0.0};
    br_constrained system = r->system;
    br_constrained_value got;
    system.Q = zero, system.b = wanted;
    br_constrained_eval(&system, r->work, &got);
    for (size_t i = 0; i < r->system.n; i++) {
        to[i] += got.qdd_ideal[i];
    }
}

// How fast the gaps change at the start (m); look first.
static double gap_speed(const mechanism_run* r, const double* qd, double* minus_rate)
{
    const br_mechanism* m = &r->def->mechanism;
    for (size_t i = 0; i < m->m; i++) {
        minus_rate[i] = 0.0;
        for (size_t j = 0; j < m->n; j++) {
            minus_rate[i] -= r->terms.A[i * m->n + j] * qd[j];
        }
    }
    return norm(minus_rate, m->m);
}

static void project(mechanism_run* r, double* y)
{
    const br_mechanism* m = &r->def->mechanism;
    double wanted[BR_CONSTRAINED_MOST];
    bri_mechanism_look(r, 0.0, y);
    for (int i = 0; i < PROJECTIONS && norm(r->terms.gap, m->m) > 1e-15; i++) {
        for (size_t k = 0; k < m->m; k++) {
            wanted[k] = -r->terms.gap[k];
        }
        least_change(r, wanted, y);
        bri_mechanism_look(r, 0.0, y);
    }
    gap_speed(r, y + m->n, wanted);
    least_change(r, wanted, y + m->n);
}

static br_status check_start(mechanism_run* r, const double* y, br_reason* why)
{
    const br_mechanism* m = &r->def->mechanism;
    double rate[BR_CONSTRAINED_MOST];
    bri_mechanism_look(r, 0.0, y);
    const double distance = norm(r->terms.gap, m->m);
    const double speed = gap_speed(r, y + m->n, rate);
    if (!(distance <= on_constraint)) {
        br_reason_set(why, "start", "is %.9g m off the constraint; project: true moves it there",
                      distance);
        return BR_ERR_DEF;
    }
    if (!(speed <= on_constraint)) {
        br_reason_set(why, "start", "leaves the constraint at %.9g m/s; project: true corrects it",
                      speed);
        return BR_ERR_DEF;
    }
    return BR_OK;
}

// --- energy and rows ------------------------------------------------------------------------------

static double kinetic_energy(const mechanism_run* r, const double* qd)
{
    const size_t n = r->system.n;
    double twice = 0.0;
    for (size_t i = 0; i < n * n; i++) {
        twice += qd[i / n] * r->terms.M[i] * qd[i % n];
    }
    return 0.5 * twice;
}

// Does it stick? For laws with a state, by how much of Coulomb's force the state gives.
static int is_stuck(const mechanism_run* r, const double* z, double fn)
{
    const br_law* law = &r->def->law;
    if (r->law_states == 0) {
        return r->direction == 0.0;
    }
    const double most = law->mu_c * (law->kind == BR_LAW_DAHL ? fabs(fn) : 1.0);
    return law->sigma0 * norm(z, r->law_states) < sliding_share * most;
}

static void enter(void* system, double t, double within, double* y)
{
    mechanism_run* r = system;
    r->within = within;
    if (r->law_states > 0) {
        return;
    }
    bri_mechanism_look(r, t, y);
    const double slip = bri_mechanism_slip(r);
    if (!r->decided && slip != 0.0) {
        r->direction = slip > 0.0 ? 1.0 : -1.0;
        r->decided = 1;
    } else if (!r->decided || r->direction == 0.0) {
        bri_mechanism_decide(r, t, y);
    }
}

static int switched(void* system, double t, double* y, int event)
{
    (void)event;
    mechanism_run* r = system;
    bri_mechanism_look(r, t, y);
    if (r->direction * bri_mechanism_slip(r) <= 0.0) { // not at a mere extreme of the speed
        bri_mechanism_decide(r, t, y);
    }
    return 1;
}

static void emit(void* system, double t, const double* y)
{
    mechanism_run* r = system;
    const br_mechanism* m = &r->def->mechanism;
    br_mechanism_report* report = &r->report;
    mechanism_forces f;
    r->is_row = 1;
    bri_mechanism_solve(r, t, y, &f);
    r->is_row = 0;
    report->kinetic = kinetic_energy(r, y + m->n);
    report->potential = r->terms.potential - r->potential0;
    report->work_applied = y[work_index(r)];
    report->work_friction = y[work_index(r) + 1];

    br_mechanism_row row = {.t = t, .q = y, .qd = y + m->n, .point = r->terms.point, .fn = f.n};
    memcpy(row.friction, f.friction, sizeof row.friction);
    row.joints = r->joint_states > 0 ? r->joint_force : NULL;
    row.sticks = is_stuck(r, y + 2 * m->n, f.n);
    row.work_applied = report->work_applied;
    row.work_friction = report->work_friction;
    row.drift = norm(r->terms.gap, m->m);
    row.residual =
        report->kinetic + report->potential - r->kinetic0 - row.work_applied - row.work_friction;
    report->drift = fmax(report->drift, row.drift);
    report->residual = fmax(report->residual, fabs(row.residual));
    report->turnover =
        fmax(report->turnover, report->kinetic + fabs(report->potential) + fabs(row.work_applied));
    report->margin = fmin(report->margin, f.margin);
    r->watch->row.mechanism(&row, r->watch->user);
}

// --- run ------------------------------------------------------------------------------------------

// Lay the terms over one block, see terms_size(); gives its end.
static double* lay_terms(br_mechanism_terms* x, const br_mechanism* m, double* at)
{
    double** const parts[] = {&x->M,     &x->Q, &x->A,    &x->b,     &x->gap,
                              &x->point, &x->J, &x->bias, &x->normal};
    const size_t sizes[] = {m->n * m->n, m->n, m->m * m->n,      m->m, m->m, m->d,
                            m->d * m->n, m->d, m->normals * m->d};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        *parts[i] = at;
        at += sizes[i];
    }
    return at;
}

// State and tolerances first, then the terms, scratch.
static double* allocate(mechanism_run* r, br_reason* why)
{
    const br_mechanism* m = &r->def->mechanism;
    const size_t scratch = br_constrained_get_work(m->n, m->m, m->d);
    r->memory = br_allocate(5 * r->states + terms_size(m) + m->m + m->d + scratch, sizeof(double));
    if (!r->memory) {
        br_reason_set(why, "", "no memory for a mechanism of %zu coordinates", m->n);
        return NULL;
    }
    r->trial = r->memory + 2 * r->states;
    r->b = lay_terms(&r->terms, m, r->trial + 3 * r->states);
    r->bias = r->b + m->m;
    r->work = r->bias + m->d;
    const br_mechanism_terms* x = &r->terms;
    r->system = (br_constrained){.n = m->n,
                                 .m = m->m,
                                 .d = m->d,
                                 .M = x->M,
                                 .Q = x->Q,
                                 .A = x->A,
                                 .b = r->b,
                                 .J = x->J,
                                 .bias = r->bias,
                                 .normals = m->normals,
                                 .normal = x->normal};
    return r->memory;
}

// Part of the potential energy below which a change of it may be rounding: an arm that only sticks has turned over
// nothing else, and none of it is out of balance.
static const double potential_rounding = 1e-12;

static br_status begin(mechanism_run* r, double* y, br_reason* why)
{
    const size_t n = r->system.n;
    memcpy(y, r->def->q, n * sizeof *y);
    if (r->def->qd) {
        memcpy(y + n, r->def->qd, n * sizeof *y);
    }
    br_status status = check_terms(r, y, why);
    if (status == BR_OK && r->def->project) {
        project(r, y);
    }
    if (status == BR_OK) {
        status = check_start(r, y, why);
        bri_mechanism_begin_bristles(r, y);
    }
    r->potential0 = r->terms.potential;
    r->kinetic0 = kinetic_energy(r, y + n);
    r->report.turnover = potential_rounding * fabs(r->potential0);
    r->report.margin = 1.0;
    return status;
}

static br_status run_from(mechanism_run* r, double* y, br_reason* why)
{
    double* atol = y + r->states;
    const size_t n = r->system.n;
    for (size_t i = 0; i < r->states; i++) {
        const int of_law = i >= 2 * n && i < work_index(r);
        atol[i] = of_law ? r->run->atol_z : r->run->atol;
    }
    const br_profile* profiles[BR_MECHANISM_PROFILES + 1] = {NULL};
    memcpy(profiles, r->def->mechanism.profiles, sizeof r->def->mechanism.profiles);
    const run_system system = {.system = r,
                               .n = r->states,
                               .y = y,
                               .atol = atol,
                               .ode = bri_mechanism_ode(r),
                               .profiles = profiles,
                               .enter = enter,
                               .switched = switched,
                               .emit = emit};
    const br_status status = bri_run_all(&system, r->run, r->watch, &r->report.cost, why);
    if (status == BR_ERR_CONVERGENCE && why && r->def->normal == BR_NORMAL_GEOMETRIC &&
        r->margin <= jammed) {
        br_reason inner = *why;
        br_reason_set(why, "", "%s: friction jams the contact (Painleve margin %.3g)", inner.text,
                      r->margin);
    }
    return status;
}

// Check the definition and stand at the start: its state, or NULL with a status. Release r->memory.
static double* stand(mechanism_run* r, br_status* status, br_reason* why)
{
    const br_mechanism_def* def = r->def;
    *status = check_def(def, why);
    if (*status != BR_OK) {
        return NULL;
    }
    r->law_states = br_law_has_state(def->law.kind) ? def->mechanism.d : 0;
    r->joint_states = def->joints ? def->mechanism.n : 0;
    r->states = 2 * def->mechanism.n + r->law_states + r->joint_states + 2;
    double* y = allocate(r, why);
    *status = y ? begin(r, y, why) : BR_ERR_MEMORY;
    return *status == BR_OK ? y : NULL;
}

br_status br_mechanism_check(const br_mechanism_def* def, br_reason* why)
{
    BR_ASSERT(def);
    mechanism_run r = {.def = def};
    br_status status;
    stand(&r, &status, why);
    br_release(r.memory);
    return status;
}

static const run_kind kind = {.rows = RUN_ROWS_MECHANISM,
                              .is_adaptive = 1,
                              .has_events = 1,
                              .rtol = 1e-11,
                              .atol = 1e-12,
                              .atol_z = 1e-10};

br_status br_mechanism_run(const br_mechanism_def* def, const br_run_def* run,
                           const br_run_watch* watch, br_mechanism_report* report, br_reason* why)
{
    BR_ASSERT(def && run && watch);
    br_run_def full;
    mechanism_run r = {.def = def, .run = &full, .watch = watch};
    br_status status = bri_run_check(&kind, run, watch, &full, why);
    double* y = status == BR_OK ? stand(&r, &status, why) : NULL;
    if (y) {
        status = run_from(&r, y, why);
    }
    if (report) {
        *report = r.report;
    }
    br_release(r.memory);
    return status;
}
