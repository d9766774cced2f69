/*
 * Run of a mechanism: start, rows, events, energy.
 */
#include "base/definition.h"
#include "sim/mechanism_internal.h"

#include "math/vector.h"
#include "sim/run.h"

// Tolerance of the constraint at the start: gap [m] and its rate [m/s].
static const double on_constraint = 1e-9;

enum { PROJECTIONS = 50 };

// A run that fails below this Painleve margin has jammed [-].
static const double jammed = 1e-3;

// The column `mode` of a law with a state shows stick below this share of Coulomb's force.
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

// A mechanism may slide without friction, mu_c = 0, which br_law_check() rejects.
static br_status check_law(const br_law* law, br_reason* why)
{
    const int simple = law->kind == BR_LAW_COULOMB || law->kind == BR_LAW_STICTION;
    const int frictionless = simple && law->mu_c == 0.0 && law->mu_s >= 0.0 && isfinite(law->mu_s);
    return frictionless ? BR_OK : br_law_check(law, why);
}

// Bearings need a law with a state, which defines friction at rest; without dry friction only sigma2.
static br_status check_joints(const br_mechanism_def* def, br_reason* why)
{
    for (size_t i = 0; i < def->mechanism.n; i++) {
        br_law law = def->joints[i];
        br_reason inner;
        if (!br_law_has_state(law.kind)) {
            br_reason_set(why, "joints", "joint %zu needs a law with a state, not %s", i + 1,
                          br_law_get_name(law.kind));
            return BR_ERR_DEF;
        }
        if (law.mu_c == 0.0 && law.mu_s == 0.0) {
            law.mu_c = law.mu_s = 1.0; // not used
        }
        if (br_law_check(&law, &inner) != BR_OK) {
            br_reason_set(why, "joints", "joint %zu: %s %s", i + 1, inner.field, inner.text);
            return BR_ERR_DEF;
        }
    }
    return BR_OK;
}

static br_status check_axes(const br_mechanism_def* def, br_reason* why)
{
    const br_dahl_axes* axes = def->dahl_axes;
    if (def->law.kind != BR_LAW_DAHL || def->dahl == BR_DAHL_VECTOR) {
        br_reason_set(why, "dahl_axes", "are for the forms of Dahl's law by axes");
        return BR_ERR_DEF;
    }
    for (size_t i = 0; i < def->mechanism.d; i++) {
        const double smaller = fmin(axes->sigma[i], axes->alpha[i]);
        if (!(smaller > 0.0) || !isfinite(axes->sigma[i]) || !isfinite(axes->alpha[i])) {
            br_reason_set(why, "dahl_axes",
                          "must be finite and > 0, but axis %zu has sigma %g and alpha %g", i + 1,
                          axes->sigma[i], axes->alpha[i]);
            return BR_ERR_DEF;
        }
    }
    return BR_OK;
}

static br_status check_def(const br_mechanism_def* def, br_reason* why)
{
    const br_mechanism* m = &def->mechanism;
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
    if (m->coordinates == BR_COORDINATES_POINT && m->n != m->d) {
        br_reason_set(why, "mechanism", "coordinates that are the contact point need n = d");
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
    br_status status = check_law(&def->law, why);
    if (status == BR_OK && def->dahl_axes) {
        status = check_axes(def, why);
    }
    return status == BR_OK && def->joints ? check_joints(def, why) : status;
}

// Check the terms at the start.
static br_status check_terms(mechanism_run* r, const double* y, br_reason* why)
{
    br_reason inner;
    bri_mechanism_look(r, 0.0, y);
    br_constrained system = r->system;
    system.b = r->terms.b, system.bias = r->terms.bias;
    system.surface_velocity = r->terms.surface_velocity;
    system.surface_acceleration = r->terms.surface_acceleration;
    if (br_constrained_check(&system, r->work, &inner) == BR_OK) {
        for (size_t i = 0; i < system.m; i++) {
            if (!isfinite(r->terms.rate[i])) {
                br_reason_set(why, "mechanism",
                              "at the start, rate must be finite, but entry %zu is %g", i,
                              r->terms.rate[i]);
                return BR_ERR_DEF;
            }
        }
        return BR_OK;
    }
    br_reason_set(why, "mechanism", "at the start, %s %s", inner.field, inner.text);
    return BR_ERR_DEF;
}

// --- consistency of a constraint's terms ----------------------------------------------------------

// Step of the difference quotients that check a constraint [s]; divided by 1 + |qd|, because their error grows with the
// third power of the distance covered. Their tolerance, relative to the values, and to |A| (1 m/s + |qd|) for small
// values.
static const double probe_step = 1e-5;
static const double probe_share = 1e-3;
static const double probe_floor = 1e-6;

// A constraint at three instants along the motion at constant qd.
typedef struct probe {
    double gap[3][BR_CONSTRAINED_MOST], closing[3][BR_CONSTRAINED_MOST]; // closing: A qd + rate
    double b[BR_CONSTRAINED_MOST], floor[BR_CONSTRAINED_MOST];
} probe;

static void probe_constraint(mechanism_run* r, double t, double h, const double* y, probe* out)
{
    const br_mechanism* m = &r->def->mechanism;
    const br_mechanism_terms* x = &r->terms;
    double q[BR_CONSTRAINED_MOST];
    for (int k = 2; k >= 0; k--) { // the instant t itself is the last one
        memcpy(q, y, m->n * sizeof *q);
        add(q, k * h, y + m->n, m->n);
        memset(x->A, 0, m->m * (m->n + 3) * sizeof *x->A);
        m->constraint(&(br_mechanism_at){t + k * h, r->within, q, y + m->n}, &r->terms, m->user);
        for (size_t i = 0; i < m->m; i++) {
            out->gap[k][i] = x->gap[i];
            out->closing[k][i] = dot(x->A + i * m->n, y + m->n, m->n) + x->rate[i];
            out->b[i] = x->b[i];
            out->floor[i] =
                probe_floor * norm(x->A + i * m->n, m->n) * (1.0 + norm(y + m->n, m->n));
        }
    }
}

// The derivative in time from three values, one-sided, of order 2.
static double slope_of(double (*values)[BR_CONSTRAINED_MOST], size_t i, double h)
{
    return (4.0 * values[1][i] - 3.0 * values[0][i] - values[2][i]) / (2.0 * h);
}

static int differs(double value, double expected, double floor)
{
    return fabs(value - expected) > probe_share * fmax(fabs(value), fabs(expected)) + floor;
}

// A slip s [m/s] adds up to s times this to the error of judge_surface(): the velocity of a surface changes from point to
// point, for example by the rate at which a wire turns [1/s].
static const double probe_gradient = 100.0;

// Check d(slip)/dt = tangent (bias - surface_acceleration) of a point that sticks, along the motion at constant qd. A surface
// whose acceleration does not belong to its velocity makes the point chatter between stick and slip without end.
static void judge_surface(mechanism_run* r, double t, double h, const double* y)
{
    const br_mechanism* m = &r->def->mechanism;
    const br_mechanism_terms* x = &r->terms;
    double q[BR_CONSTRAINED_MOST], slip[3], along[3], expected = 0.0;
    r->system.qd = y + m->n;
    for (int k = 2; k >= 0; k--) { // the instant t itself is the last one
        memcpy(q, y, m->n * sizeof *q);
        add(q, k * h, y + m->n, m->n);
        memset(x->M, 0, terms_size(m) * sizeof *x->M);
        m->contact(&(br_mechanism_at){t + k * h, r->within, q, y + m->n}, &r->terms, m->user);
        slip[k] = bri_mechanism_slip(r);
    }
    bri_mechanism_tangent(r, along);
    for (size_t i = 0; i < m->d; i++) {
        expected += along[i] * (x->bias[i] - x->surface_acceleration[i]);
    }
    const double found = (4.0 * slip[1] - 3.0 * slip[0] - slip[2]) / (2.0 * h);
    const double floor =
        probe_floor * (1.0 + norm(y + m->n, m->n)) * (1.0 + norm(x->J, m->d * m->n));
    if (differs(found, expected, floor + probe_gradient * fabs(slip[0]))) {
        br_reason_set(
            &r->contradiction, "surface_acceleration",
            "at t = %.6g s the slip of a point at rest changes at %.6g m/s^2, but bias - "
            "surface_acceleration is %.6g along the tangent. bias must be (dJ/dt) qd, and "
            "surface_acceleration that of the surface at the point",
            t, found, expected);
        r->contradicts = 1;
    }
}

// Check gap' = A qd + rate and b = -(A qd + rate)' along the motion. A moving constraint needs its rate and all of b;
// without them the motion is wrong and only its drift shows it. Changes the terms: call bri_mechanism_look() after it.
static void judge_terms(mechanism_run* r, double t, const double* y)
{
    probe p;
    const double step = probe_step / (1.0 + norm(y + r->def->mechanism.n, r->def->mechanism.n));
    const double h = t > 0.0 ? -step : step;
    probe_constraint(r, t, h, y, &p);
    for (size_t i = 0; i < r->system.m && !r->contradicts; i++) {
        const double opening = slope_of(p.gap, i, h), needs = -slope_of(p.closing, i, h);
        if (differs(p.closing[0][i], opening, p.floor[i])) {
            br_reason_set(
                &r->contradiction, "rate",
                "at t = %.6g s gap %zu changes at %.6g m/s, but A qd + rate is %.6g: A must "
                "be d(gap)/dq, and rate d(gap)/dt at fixed q",
                t, i + 1, opening, p.closing[0][i]);
            r->contradicts = 1;
        } else if (differs(p.b[i], needs, p.floor[i])) {
            br_reason_set(&r->contradiction, "b",
                          "at t = %.6g s b[%zu] is %.6g, but the constraint needs %.6g: b must be "
                          "-(dA/dt) qd - d(rate)/dt",
                          t, i + 1, p.b[i], needs);
            r->contradicts = 1;
        }
    }
    if (r->hold_states > 0 && !r->contradicts) {
        judge_surface(r, t, h, y);
    }
}

static br_status contradiction(const mechanism_run* r, br_reason* why)
{
    if (why) {
        *why = r->contradiction;
    }
    return BR_ERR_DEF;
}

// --- start ----------------------------------------------------------------------------------------

// Add the smallest change, in the metric of M, with A change = wanted.
static void smallest_change(mechanism_run* r, const double* wanted, double* to)
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

// Negative rate of the gaps at the start, -(A qd + d(gap)/dt) (m), and its norm; uses r->terms.
static double gap_speed(const mechanism_run* r, const double* qd, double* missing)
{
    const br_mechanism* m = &r->def->mechanism;
    for (size_t i = 0; i < m->m; i++) {
        missing[i] = -dot(r->terms.A + i * m->n, qd, m->n) - r->terms.rate[i];
    }
    return norm(missing, m->m);
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
        smallest_change(r, wanted, y);
        bri_mechanism_look(r, 0.0, y);
    }
    gap_speed(r, y + m->n, wanted);
    smallest_change(r, wanted, y + m->n);
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

// Does it stick? Laws with a state: is their force below a share of Coulomb's?
static int is_stuck(const mechanism_run* r, const double* z, double fn)
{
    const br_law* law = &r->def->law;
    if (r->law_states == 0) {
        return r->direction == 0.0;
    }
    const double coulomb = law->mu_c * (law->kind == BR_LAW_DAHL ? fabs(fn) : 1.0);
    const br_dahl_axes* axes = r->def->dahl_axes;
    double force[3];
    for (size_t i = 0; i < r->law_states; i++) {
        force[i] = (axes ? axes->sigma[i] : law->sigma0) * z[i];
    }
    return norm(force, r->law_states) < sliding_share * coulomb;
}

// At a break of the profiles the speed of the surface may jump. A contact then slips if its slip exceeds this.
static const double speed_jump = 1e-9; // [m/s]

static void enter(void* system, double t, double within, double* y)
{
    mechanism_run* r = system;
    r->within = within;
    if (r->law_states > 0) {
        return;
    }
    bri_mechanism_look(r, t, y);
    const double slip = bri_mechanism_slip(r);
    const int jumps = r->decided && fabs(slip) > speed_jump && slip * r->direction <= 0.0;
    if (jumps || (!r->decided && fabs(slip) > mechanism_at_rest)) {
        bri_mechanism_slide_from(r, t, slip > 0.0 ? 1.0 : -1.0);
    } else if (!r->decided || r->direction == 0.0) {
        bri_mechanism_decide(r, t, y);
    }
}

// Event 1 is an extreme of event 0, where steps are cut. It changes nothing: just after a point starts to slide, its
// slip is 0 up to rounding, of either sign.
static int switched(void* system, double t, double* y, int event)
{
    mechanism_run* r = system;
    if (event == 0) {
        judge_terms(r, t, y); // rows may never come: contradictory terms can switch without end
        bri_mechanism_decide(r, t, y);
    }
    return 1;
}

static const char* const modes[] = {"slide", "stick", NULL};

// Columns with fixed names; q, qd, contact point, friction and joints are lists.
#define TIME(X)   X("t", "s", NULL, t)
#define NORMAL(X) X("fn", "N", NULL, f->n)
#define MODE(X)   X("mode", "-", modes, is_stuck(r, y + 2 * m->n, f->n))
#define ENERGY(X)                                                                                  \
    X("work_applied", "J", NULL, r->report.work_applied),                                          \
        X("work_friction", "J", NULL, r->report.work_friction),                                    \
        X("work_constraints", "J", NULL, r->report.work_constraints),                              \
        X("residual", "J", NULL, residual)
#define MORE(X) X("drift", "m", NULL, drift)

static const br_column time_columns[] = {TIME(COLUMN_ENTRY)};
static const br_column normal_columns[] = {NORMAL(COLUMN_ENTRY)};
static const br_column mode_columns[] = {MODE(COLUMN_ENTRY)};
static const br_column energy_columns[] = {ENERGY(COLUMN_ENTRY)};
static const br_column more_columns[] = {MORE(COLUMN_ENTRY)};
static const br_column point_columns[] = {{"x", "m", NULL}, {"y", "m", NULL}, {"z", "m", NULL}};
static const br_column speed_columns[] = {
    {"vx", "m/s", NULL}, {"vy", "m/s", NULL}, {"vz", "m/s", NULL}};
static const br_column friction_columns[] = {
    {"fx", "N", NULL}, {"fy", "N", NULL}, {"fz", "N", NULL}};
static const br_column joint_columns[] = {{"f", "N or N m", NULL}, {"f", "N m", NULL}};
static const br_column q_columns[] = {{"q", "m or rad", NULL}, {"theta", "rad", NULL}};
static const br_column qd_columns[] = {{"qd", "m/s or rad/s", NULL}, {"w", "rad/s", NULL}};

enum { GROUPS = 10 };

// In the order of emit().
static void list_groups(const br_mechanism_def* def, column_group out[GROUPS])
{
    const size_t n = def->mechanism.n, d = def->mechanism.d;
    const int is_point = def->mechanism.coordinates == BR_COORDINATES_POINT;
    const int angles = def->mechanism.coordinates == BR_COORDINATES_ANGLES;
    const column_group q = {&q_columns[angles], 1, BR_COLUMNS_MAIN, n, 1};
    const column_group qd = {&qd_columns[angles], 1, BR_COLUMNS_MAIN, n, 1};
    const column_group point = {point_columns, d, BR_COLUMNS_MAIN, 1, 0};
    const column_group speed = {speed_columns, d, BR_COLUMNS_MAIN, 1, 0};
    const column_group groups[GROUPS] = {
        COLUMN_GROUP(time_columns, BR_COLUMNS_MAIN, 1),
        is_point ? point : q,
        is_point ? speed : qd,
        {point_columns, is_point ? 0 : d, BR_COLUMNS_MAIN, 1, 0},
        COLUMN_GROUP(normal_columns, BR_COLUMNS_MAIN, 1),
        {friction_columns, d, BR_COLUMNS_MAIN, 1, 0},
        {&joint_columns[angles], def->joints ? 1 : 0, BR_COLUMNS_MAIN, n, 1},
        COLUMN_GROUP(mode_columns, BR_COLUMNS_MAIN, 1),
        COLUMN_GROUP(energy_columns, BR_COLUMNS_ENERGY, 1),
        COLUMN_GROUP(more_columns, BR_COLUMNS_MORE, 1)};
    memcpy(out, groups, sizeof groups);
}

size_t br_mechanism_get_columns(const br_mechanism_def* def, unsigned sets, br_column* out)
{
    BR_ASSERT(def);
    column_group groups[GROUPS];
    list_groups(def, groups);
    return bri_columns_list(groups, GROUPS, 1, sets, out);
}

static double* write_list(double* to, const double* from, size_t count)
{
    memcpy(to, from, count * sizeof *to);
    return to + count;
}

static void emit_row(const mechanism_run* r, double t, const double* y, const mechanism_forces* f,
                     double residual, double drift)
{
    const br_mechanism* m = &r->def->mechanism;
    double* to = r->row.values;
    TIME(COLUMN_VALUE);
    to = write_list(to, y, 2 * m->n); // q, qd
    if (m->coordinates != BR_COORDINATES_POINT) {
        to = write_list(to, r->terms.point, m->d);
    }
    NORMAL(COLUMN_VALUE);
    to = write_list(write_list(to, f->friction, m->d), r->joint_force, r->joint_states);
    MODE(COLUMN_VALUE);
    if (r->row.sets & BR_COLUMNS_ENERGY) {
        ENERGY(COLUMN_VALUE);
    }
    if (r->row.sets & BR_COLUMNS_MORE) {
        MORE(COLUMN_VALUE);
    }
    bri_row_emit(&r->row);
}

// Local errors of positions, each within atol, that may add up; the normal force along them is no imbalance [-].
static const double local_errors = 100.0;

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
    report->work_constraints = y[work_index(r) + 2];

    const double residual = report->kinetic + report->potential - r->kinetic0 -
                            report->work_applied - report->work_friction - report->work_constraints;
    const double drift = norm(r->terms.gap, m->m);
    report->drift = fmax(report->drift, drift);
    report->residual = fmax(report->residual, fabs(residual));
    const double works = fabs(report->work_applied) + fabs(report->work_constraints) +
                         local_errors * r->run->atol * fabs(f.n);
    report->turnover = fmax(report->turnover, report->kinetic + fabs(report->potential) + works);
    report->margin = fmin(report->margin, f.margin);
    if (f.n < report->fn_min) {
        report->fn_min = f.n;
        report->fn_min_t = t;
    }
    emit_row(r, t, y, &f, residual, drift);
    judge_terms(r, t, y);
}

// --- run ------------------------------------------------------------------------------------------

// Place the terms in one block, see terms_size(); returns its end.
static double* point_terms(br_mechanism_terms* x, const br_mechanism* m, double* at)
{
    const struct {
        double** part;
        size_t size;
    } parts[] = {{&x->M, m->n * m->n},
                 {&x->Q, m->n},
                 {&x->A, m->m * m->n},
                 {&x->b, m->m},
                 {&x->gap, m->m},
                 {&x->rate, m->m},
                 {&x->point, m->d},
                 {&x->J, m->d * m->n},
                 {&x->bias, m->d},
                 {&x->normal, m->normals * m->d},
                 {&x->surface_velocity, m->d},
                 {&x->surface_acceleration, m->d}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        *parts[i].part = at;
        at += parts[i].size;
    }
    return at;
}

// One block: state, tolerances, trial states, terms, scratch.
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
    r->b = point_terms(&r->terms, m, r->trial + 3 * r->states);
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

// Share of the potential energy below which a change of it may be rounding. It is the initial turnover, so that the
// energy balance of an arm that only sticks is not compared with 0.
static const double potential_rounding = 1e-12;

// Are the initial coordinates and velocities numbers? Not all of them need to be in the constraint.
static br_status check_finite_start(const double* y, size_t n, br_reason* why)
{
    for (size_t i = 0; i < 2 * n; i++) {
        if (!isfinite(y[i])) {
            br_reason_set(why, "start", "%s[%zu] must be finite, got %g", i < n ? "q" : "qd", i % n,
                          y[i]);
            return BR_ERR_DEF;
        }
    }
    return BR_OK;
}

static br_status start(mechanism_run* r, double* y, br_reason* why)
{
    const size_t n = r->system.n;
    memcpy(y, r->def->q, n * sizeof *y);
    if (r->def->qd) {
        memcpy(y + n, r->def->qd, n * sizeof *y);
    }
    br_status status = check_finite_start(y, n, why);
    status = status == BR_OK ? check_terms(r, y, why) : status;
    if (status == BR_OK) {
        judge_terms(r, 0.0, y);
        status = r->contradicts ? contradiction(r, why) : BR_OK;
    }
    if (status == BR_OK && r->def->project) {
        project(r, y);
    }
    if (status == BR_OK) {
        status = check_start(r, y, why);
        bri_mechanism_start_bristles(r, y);
    }
    r->potential0 = r->terms.potential;
    r->kinetic0 = kinetic_energy(r, y + n);
    r->report.turnover = potential_rounding * fabs(r->potential0);
    r->report.margin = 1.0;
    r->report.fn_min = (double)INFINITY;
    return status;
}

static br_status run_from(mechanism_run* r, double* y, br_reason* why)
{
    double* atol = y + r->states;
    const size_t n = r->system.n;
    for (size_t i = 0; i < r->states; i++) {
        const int of_law =
            i >= 2 * n && i < work_index(r) && (r->law_states > 0 || i >= joint_index(r));
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
                               .emit = emit,
                               .fails = &r->contradicts};
    const br_status status = bri_run_all(&system, r->run, r->watch, &r->report.cost, why);
    if (r->contradicts && status != BR_ERR_STOPPED) {
        return contradiction(r, why);
    }
    if (status == BR_ERR_CONVERGENCE && why && r->def->normal == BR_NORMAL_GEOMETRIC &&
        r->margin <= jammed) {
        br_reason inner = *why;
        br_reason_set(why, "", "%s: friction jams the contact (Painleve margin %.3g)", inner.text,
                      r->margin);
    }
    return status;
}

// Check the definition and set up the initial state; returns it, or NULL with a status. Release r->memory.
static double* prepare(mechanism_run* r, br_status* status, br_reason* why)
{
    const br_mechanism_def* def = r->def;
    *status = check_def(def, why);
    if (*status != BR_OK) {
        return NULL;
    }
    const int has_state = br_law_has_state(def->law.kind);
    r->law_states = !has_state ? 0 : is_along_line(def) ? 1 : def->mechanism.d;
    r->hold_states = has_state ? 0 : 1;
    r->joint_states = def->joints ? def->mechanism.n : 0;
    r->states = work_index(r) + WORKS;
    double* y = allocate(r, why);
    *status = y ? start(r, y, why) : BR_ERR_MEMORY;
    return *status == BR_OK ? y : NULL;
}

br_status br_mechanism_check(const br_mechanism_def* given, br_reason* why)
{
    BR_ASSERT(given);
    br_mechanism_def def = br_mechanism_def_default();
    mechanism_run r = {.def = &def};
    br_status status = DEFINITION_READ(br_mechanism_def, given, &def, why);
    if (status == BR_OK) {
        prepare(&r, &status, why);
    }
    br_release(r.memory);
    return status;
}

static const run_kind kind = {.is_adaptive = 1,
                              .has_events = 1,
                              .rtol = BR_MECHANISM_RTOL,
                              .atol = BR_MECHANISM_ATOL,
                              .atol_z = BR_ATOL_Z};

br_status br_mechanism_run(const br_mechanism_def* given, const br_run_def* run,
                           const br_run_watch* given_watch, br_mechanism_report* report,
                           br_reason* why)
{
    BR_ASSERT(given && run && given_watch);
    br_run_def full;
    br_run_watch watch;
    br_mechanism_def def = br_mechanism_def_default();
    mechanism_run r = {.def = &def, .run = &full, .watch = &watch};
    br_status status = DEFINITION_READ(br_mechanism_def, given, &def, why);
    status = status == BR_OK ? bri_run_check(&kind, run, given_watch, &full, &watch, why) : status;
    double* y = status == BR_OK ? prepare(&r, &status, why) : NULL;
    if (y) {
        column_group groups[GROUPS];
        list_groups(&def, groups);
        status = bri_row_create(&r.row, groups, GROUPS, 1, &full, &watch, why);
    }
    if (y && status == BR_OK) {
        status = run_from(&r, y, why);
    }
    bri_row_release(&r.row);
    if (report) {
        *report = r.report;
    }
    br_release(r.memory);
    return status;
}
