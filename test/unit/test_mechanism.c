/*
 * Mechanisms in time: closed forms, independent integrations, own mechanisms, bad starts.
 */
#include "bristle/math.h"
#include "bristle/mechanism.h"
#include "bristle/rig.h"

#include "rows.h"

#include <string.h>

enum { MOST_EVENTS = 32, MOST_ROWS = 512 };

// What a run reported.
typedef struct record {
    size_t rows, events;
    double t[MOST_ROWS], q[MOST_ROWS][3], qd[MOST_ROWS][3], fn[MOST_ROWS], fx[MOST_ROWS];
    int sticks[MOST_ROWS];
    br_run_event event[MOST_EVENTS];
    br_mechanism_report report;
    size_t n;
} record;

static void on_row(const double* row, void* user)
{
    record* r = user;
    assert_true(r->rows < MOST_ROWS);
    r->t[r->rows] = row[0];
    memcpy(r->q[r->rows], row + 1, r->n * sizeof(double));
    memcpy(r->qd[r->rows], row + 1 + r->n, r->n * sizeof(double));
    r->fn[r->rows] = number_of(row, "fn");
    r->fx[r->rows] = number_of(row, "fx");
    r->sticks[r->rows++] = (int)number_of(row, "mode");
}

static void on_event(const br_run_event* event, void* user)
{
    record* r = user;
    assert_true(r->events < MOST_EVENTS);
    r->event[r->events++] = *event;
}

static br_mechanism_def def_of(br_mechanism mechanism, const double* q, double mu, double mu_s)
{
    br_mechanism_def def = br_mechanism_def_default();
    def.mechanism = mechanism;
    def.q = q;
    def.law.mu_c = mu, def.law.mu_s = mu_s;
    return def;
}

static br_run_watch watch_for(record* out)
{
    return (br_run_watch){.size = sizeof(br_run_watch),
                          .start = take_columns,
                          .row = on_row,
                          .event = on_event,
                          .user = out};
}

static void run_as(const br_mechanism_def* def, const br_run_def* how, record* out)
{
    br_reason why = {"", ""};
    memset(out, 0, sizeof *out);
    out->n = def->mechanism.n;
    const br_run_watch watch = watch_for(out);
    if (br_mechanism_run(def, how, &watch, &out->report, &why) != BR_OK) {
        fail_msg("%s %s", why.field, why.text);
    }
}

static void run(const br_mechanism_def* def, double duration, double every, record* out)
{
    br_run_def how = br_run_def_default();
    how.duration = duration, how.every = every;
    run_as(def, &how, out);
}

// --- block ----------------------------------------------------------------------------------------

// Oracle: closed form. A block at rest on a slope slides where tan(angle) > mu_s, with
// a = g (sin - mu cos) downhill, and does not creep where it does not.
static void blocks_on_slopes_stick_or_slide(void** state)
{
    (void)state;
    static record got;
    static const double mu[] = {0.05, 0.3, 0.7, 1.2}, offset[] = {-0.3, -1e-6, 1e-6, 0.2};
    for (size_t i = 0; i < 16; i++) {
        const double mu_s = 1.1 * mu[i / 4], angle = atan(mu_s) * (1.0 + offset[i % 4]);
        const br_slope_block block = {
            .mass = 2.0, .gravity = 9.81, .angle = angle, .force = br_profile_constant(0.0)};
        const double q[2] = {0.0, 0.0};
        const br_mechanism_def def = def_of(br_slope_block_mechanism(&block), q, mu[i / 4], mu_s);
        run(&def, 10.0, 10.0, &got);
        assert_int_equal(got.sticks[0], offset[i % 4] < 0.0);
        const double* end = got.q[1];
        if (got.sticks[0]) {
            assert_true(hypot(end[0], end[1]) < 1e-12 /* m: no creep */);
            assert_near(got.fx[1], 2.0 * 9.81 * sin(angle) * cos(angle), 1e-12 /* rounding */);
        } else {
            const double a = 9.81 * (sin(angle) - mu[i / 4] * cos(angle));
            const double speed = got.qd[1][0] / cos(angle);
            assert_near(-speed / 10.0, a, 1e-10 /* relative tolerance 1e-11, over 10 s */);
            assert_near(got.fn[1], 2.0 * 9.81 * cos(angle), 1e-13 /* rounding */);
        }
        // 10 s of sliding turn up to 5 kJ; relative tolerance 1e-11
        assert_true(got.report.drift < 1e-10 && got.report.residual < 1e-11 * 5e3);
        assert_int_equal(got.events, 0);
    }
}

// Oracle: closed form. Under F sin(w t) a block on the floor starts to slip where
// F sin(w t) = mu_s m g, and comes to rest where its momentum is used up.
static void a_block_slips_when_its_push_exceeds_stiction(void** state)
{
    (void)state;
    static record got;
    const double m = 2.0, g = 9.8, force = 7.0, w = 2.0, mu = 0.2, mu_s = 0.3;
    br_slope_block block = {.mass = m, .gravity = g};
    block.force =
        (br_profile){.kind = BR_PROFILE_SINE, .amplitude = force, .frequency = w / (2.0 * BR_PI)};
    const double q[2] = {0.0, 0.0};
    const br_mechanism_def def = def_of(br_slope_block_mechanism(&block), q, mu, mu_s);
    run(&def, 3.0, 0.1, &got);
    assert_int_equal(got.event[0].kind, BR_EVENT_SLIP);
    assert_int_equal(got.event[1].kind, BR_EVENT_STICK);
    const double t0 = asin(mu_s * m * g / force) / w;
    assert_near(got.event[0].t, t0, 1e-11 /* s: located to a share of a step */);
    // m v = F/w (cos w t0 - cos w t1) - mu m g (t1 - t0) = 0
    const double t1 = got.event[1].t;
    const double momentum = force / w * (cos(w * t0) - cos(w * t1)) - mu * m * g * (t1 - t0);
    assert_near(momentum, 0.0, 1e-10 /* N s: tolerance of the integration */);
}

// Oracle: independent program of this library. A block on a floor is the rig without a spring.
static struct {
    double x, v, f;
} last_of_rig;

static void on_rig_row(const double* row, void* user)
{
    (void)user;
    last_of_rig.x = number_of(row, "x");
    last_of_rig.v = number_of(row, "v");
    last_of_rig.f = number_of(row, "f");
}

static void laws_with_a_state_move_a_block_as_the_rig(void** state)
{
    (void)state;
    static record got;
    static const br_law_kind kinds[] = {BR_LAW_DAHL, BR_LAW_LUGRE, BR_LAW_ELASTO_PLASTIC};
    const double m = 2.0, g = 9.8;
    for (size_t i = 0; i < 3; i++) {
        br_slope_block block = {.mass = m, .gravity = g};
        block.force = (br_profile){.kind = BR_PROFILE_SINE, .amplitude = 9.0, .frequency = 0.5};
        const double q[2] = {0.0, 0.0};
        br_mechanism_def def = def_of(br_slope_block_mechanism(&block), q, 0.2, 0.3);
        def.law = br_law_default(kinds[i]);
        def.law.mu_c = 0.2, def.law.mu_s = 0.3, def.law.v_stribeck = 0.01, def.law.sigma0 = 1e4;
        def.law.sigma1 = 10.0, def.law.sigma2 = 0.1;
        br_run_def how = br_run_def_default();
        how.duration = how.every = 1.5;
        how.rtol = 1e-9, how.atol = 1e-11, how.atol_z = 1e-13;
        const br_run_watch rig_watch = {.size = sizeof(br_run_watch),
                                        .start = take_columns,
                                        .row = on_rig_row},
                           watch = watch_for(&got);
        const br_rig rig = {.size = sizeof(br_rig),
                            .mass = m,
                            .law = def.law,
                            .force = block.force,
                            .normal_force = br_profile_constant(m * g)};
        assert_status(br_rig_run(&rig, &how, &rig_watch, NULL, NULL), BR_OK);
        memset(&got, 0, sizeof got);
        got.n = 2;
        assert_status(br_mechanism_run(&def, &how, &watch, NULL, NULL), BR_OK);
        // both are within their tolerances, which sliding forgets and stiffness damps
        assert_near(got.q[1][0], last_of_rig.x, 1e-8 /* m */);
        assert_near(got.qd[1][0], last_of_rig.v, 1e-8 /* m/s */);
        assert_near(-got.fx[1], last_of_rig.f, 1e-5 /* N: 1e4 N/m times 1e-9 m */);
    }
}

// --- bead -----------------------------------------------------------------------------------------

// Speed along a helix: v' = -g sin(a) - mu sgn(v) |N|/m, N of gravity across and of the curvature.
static double helix_acceleration(const br_bead* bead, double mu, double v)
{
    const double rise = bead->pitch / (2.0 * BR_PI * bead->radius);
    const double c = 1.0 / hypot(1.0, rise), s = rise * c;
    const double normal = hypot(bead->gravity * c, v * v * c * c / bead->radius);
    return -bead->gravity * s - (v > 0.0 ? mu : -mu) * normal;
}

// Oracle: independent integration of one scalar equation. Upwards on a helix, to rest, and down
// again, as the friction of two normals has it.
static void a_bead_on_a_helix_is_a_scalar_problem(void** state)
{
    (void)state;
    static record got;
    const double mu = 0.1;
    const br_bead bead = {.mass = 0.3,
                          .gravity = 9.8,
                          .wire = BR_BEAD_WIRE_HELIX,
                          .radius = 0.5,
                          .pitch = 1.0,
                          .force = br_profile_constant(0.0)};
    double q[3], tangent[3], qd[3], v = 4.0, t = 0.0, height = 0.0;
    br_bead_start(&bead, 0.7, q, tangent);
    assert_true(tangent[1] > 0.0);
    for (int i = 0; i < 3; i++) {
        qd[i] = v * tangent[i];
    }
    br_mechanism_def def = def_of(br_bead_mechanism(&bead), q, mu, mu);
    def.qd = qd;
    run(&def, 2.0, 1.0, &got);
    assert_int_equal(got.events, 1);
    assert_int_equal(got.event[0].kind, BR_EVENT_REVERSE);

    // Runge-Kutta from the speed at which time is known, t(v), so that the stop is exact
    const int steps = 2000;
    for (int i = 0; i < steps; i++) {
        const double h = -4.0 / steps, middle = v + 0.5 * h, end = v + h;
        const double k1 = 1.0 / helix_acceleration(&bead, mu, v);
        const double k2 = 1.0 / helix_acceleration(&bead, mu, middle);
        const double k4 = 1.0 / helix_acceleration(&bead, mu, i + 1 < steps ? end : 1e-300);
        t += h / 6.0 * (k1 + 4.0 * k2 + k4);
        height += h / 6.0 * (v * k1 + 4.0 * middle * k2 + end * k4) * tangent[1];
        v = end;
    }
    assert_near(got.event[0].t, t, 1e-10 /* s: both integrations */);
    assert_true(got.q[2][1] < q[1] + height);
    assert_true(got.report.drift < 1e-10 && got.report.residual < 1e-9);

    // the highest point, from energy: g height + friction's work = v0^2/2
    double highest = 0.0;
    run(&def, got.event[0].t, got.event[0].t, &got);
    highest = got.q[1][1] - q[1];
    assert_near(highest, height, 1e-9 /* m: both integrations */);
}

// Oracle: closed form. A bead on a parabola rests where the slope 2 beta x is below mu_s.
static void a_bead_rests_where_its_wire_is_flat_enough(void** state)
{
    (void)state;
    static record got;
    const br_bead bead = {
        .mass = 0.3, .gravity = 9.8, .beta = 0.5, .force = br_profile_constant(0.0)};
    for (int i = 0; i < 2; i++) {
        double q[3], tangent[3];
        br_bead_start(&bead, i ? 0.3001 : 0.2999, q, tangent);
        const br_mechanism_def def = def_of(br_bead_mechanism(&bead), q, 0.2, 0.3);
        run(&def, 10.0, 1.0, &got);
        assert_int_equal(got.sticks[0], !i);
        // it comes to rest, later or at once
        assert_true(got.sticks[10]);
        assert_true(i ? fabs(got.q[10][0]) < 0.3 : fabs(got.q[10][0] - 0.2999) < 1e-12 /* m */);
    }
}

// --- arm ------------------------------------------------------------------------------------------

static br_two_link make_arm(void)
{
    br_two_link arm = {.mass = {1.0, 1.0}, .length = {1.0, 2.0}, .gravity = 9.8, .beta = 0.25};
    arm.torque[0] =
        (br_profile){.kind = BR_PROFILE_SINE, .amplitude = 5.0, .frequency = 1.0 / (2.0 * BR_PI)};
    arm.torque[1] = br_profile_constant(2.0);
    return arm;
}

// The arm's end on its parabola at x.
static int start_at(const br_two_link* arm, double x, double* q)
{
    const br_vec2 end = {x, arm->beta * x * x + arm->gamma};
    return br_two_link_start(arm, end, 0, q);
}

// A row of A is the normal through J, up to its length.
static void assert_rows_are_normals(const double A[2], const double normal[2], const double J[4])
{
    const double through[2] = {normal[0] * J[0] + normal[1] * J[2],
                               normal[0] * J[1] + normal[1] * J[3]};
    assert_near(fabs(A[0] * through[0] + A[1] * through[1]),
                hypot(through[0], through[1]) * hypot(A[0], A[1]), 1e-14 /* rounding */);
}

// Oracle: difference quotients. b of (50) is -(dA/dt) qd, A of (49) is d(gap)/dq, and Jd qd likewise;
// the printed b is not (docs/explanation/equations.md, H-50).
static void arm_terms_are_derivatives_of_each_other(void** state)
{
    (void)state;
    const br_two_link arm = make_arm();
    const br_mechanism m = br_two_link_mechanism(&arm);
    double M[4], Q[2], A[3][2], b, gap[3], point[2], J[3][4], bias[2], normal[2];
    const double qd[2] = {0.7, -1.3}, h = 1e-5;
    for (int i = 0; i < 3; i++) {
        const double shift = h * (i - 1);
        const double q[2] = {-1.3 + shift * qd[0], 2.2 + shift * qd[1]};
        const br_mechanism_at at = {.q = q, .qd = qd};
        br_mechanism_terms x = {.M = M,
                                .Q = Q,
                                .A = A[i],
                                .b = &b,
                                .gap = &gap[i],
                                .point = point,
                                .J = J[i],
                                .bias = bias,
                                .normal = normal};
        m.dynamics(&at, &x, m.user), m.constraint(&at, &x, m.user), m.contact(&at, &x, m.user);
        assert_rows_are_normals(A[i], normal, J[i]);
    }
    const double q[2] = {-1.3, 2.2};
    const br_mechanism_at at = {.q = q, .qd = qd};
    br_mechanism_terms x = {.M = M,
                            .Q = Q,
                            .A = A[1],
                            .b = &b,
                            .gap = &gap[1],
                            .point = point,
                            .J = J[1],
                            .bias = bias,
                            .normal = normal};
    m.constraint(&at, &x, m.user), m.contact(&at, &x, m.user);
    double dA_qd = 0.0, dgap = A[1][0] * qd[0] + A[1][1] * qd[1];
    for (int k = 0; k < 2; k++) {
        dA_qd += (A[2][k] - A[0][k]) / (2.0 * h) * qd[k];
        const double dJ_qd =
            ((J[2][2 * k] - J[0][2 * k]) * qd[0] + (J[2][2 * k + 1] - J[0][2 * k + 1]) * qd[1]) /
            (2.0 * h);
        assert_near(bias[k], dJ_qd, 1e-9 /* h^2 and rounding over h */);
    }
    assert_near(b, -dA_qd, 1e-9);
    assert_near(dgap, (gap[2] - gap[0]) / (2.0 * h), 1e-9);
}

// Oracle: contract. A start off the constraint is refused with its distance, or moved onto it.
static void starts_off_the_constraint_are_refused_or_projected(void** state)
{
    (void)state;
    static record got;
    const br_two_link arm = make_arm();
    double q[2];
    assert_true(start_at(&arm, 1.5, q));
    assert_near(q[0], -1.3477709909661446, 1e-14 /* stored start of the reference results */);
    assert_near(q[1], 2.2248373357828557, 1e-14);
    assert_false(start_at(&arm, 0.9, q));
    assert_true(start_at(&arm, 1.5, q));
    q[0] += 0.01;
    br_mechanism_def def = def_of(br_two_link_mechanism(&arm), q, 0.1, 0.12);
    br_run_def how = br_run_def_default();
    const br_run_watch watch = watch_for(&got);
    how.duration = how.every = 0.1;
    br_reason why = {"", ""};
    assert_status(br_mechanism_run(&def, &how, &watch, NULL, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "start");
    assert_non_null(strstr(why.text, "m off the constraint"));
    def.project = 1;
    run(&def, 0.1, 0.1, &got);
    assert_true(got.report.drift < 1e-12);
    assert_true(fabs(got.q[0][0] - q[0]) < 0.02);
}

// Oracle: contract. What cannot be is refused, with its name.
static void bad_definitions_are_refused(void** state)
{
    (void)state;
    const br_two_link arm = make_arm();
    double q[2] = {0.0, 0.0};
    assert_true(start_at(&arm, 1.2, q));
    const br_mechanism_def good = def_of(br_two_link_mechanism(&arm), q, 0.1, 0.12);
    const br_run_def how = br_run_def_default();
    static record got;
    const br_run_watch watch = watch_for(&got);
    br_reason why;
    br_mechanism_def def = good;
    def.law.mu_s = 0.05;
    assert_status(br_mechanism_run(&def, &how, &watch, NULL, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "mu_s");
    def = good, def.stabilisation = -1.0;
    assert_status(br_mechanism_run(&def, &how, &watch, NULL, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "stabilisation");
    def = good, def.mechanism.d = 3; // a memoryless law on a surface in space
    assert_status(br_mechanism_run(&def, &how, &watch, NULL, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "law");
    br_two_link heavy = arm;
    heavy.mass[1] = 0.0;
    def = good, def.mechanism = br_two_link_mechanism(&heavy);
    assert_status(br_mechanism_run(&def, &how, &watch, NULL, &why), BR_ERR_DEF);
    assert_non_null(strstr(why.text, "M must be symmetric and positive definite"));
    double wrong[2] = {0.0, (double)NAN};
    def = good, def.qd = wrong;
    assert_status(br_mechanism_run(&def, &how, &watch, NULL, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "start");
    assert_non_null(strstr(why.text, "qd[1] must be finite"));
    counting count = {0, 0, 1};
    br_set_allocator(counting_allocate, counting_release, &count);
    assert_status(br_mechanism_run(&good, &how, &watch, NULL, &why), BR_ERR_MEMORY);
    br_set_allocator(NULL, NULL, NULL);
}

// --- one's own mechanisms -------------------------------------------------------------------------

// A cart of 2 kg on the floor with 1 kg on a spring of 100 N/m on it: coordinates x, y, stretch u.
static void cart_dynamics(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    (void)user;
    out->M[0] = 3.0, out->M[4] = 3.0, out->M[8] = 1.0, out->M[2] = out->M[6] = 1.0;
    out->Q[1] = -3.0 * 9.8, out->Q[2] = -100.0 * at->q[2];
    out->potential = 3.0 * 9.8 * at->q[1] + 50.0 * at->q[2] * at->q[2];
}

static void cart_constraint(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    (void)user;
    out->A[1] = 1.0;
    out->gap[0] = at->q[1];
}

static void cart_contact(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    (void)user;
    out->point[0] = at->q[0], out->point[1] = at->q[1];
    out->J[0] = out->J[4] = 1.0;
    out->normal[1] = 1.0;
}

// Oracle: closed form. While the spring pulls with less than stiction the cart stays and its load
// oscillates as u0 cos(w t); pulled harder, the cart slips at once, and energy is still accounted for.
static void a_contact_may_stick_while_the_rest_moves(void** state)
{
    (void)state;
    static record got;
    const br_mechanism cart = {.n = 3,
                               .m = 1,
                               .d = 2,
                               .normals = 1,
                               .dynamics = cart_dynamics,
                               .constraint = cart_constraint,
                               .contact = cart_contact};
    double q[3] = {0.0, 0.0, 0.1}; // 10 N of spring, 14.7 N of stiction
    br_mechanism_def def = def_of(cart, q, 0.4, 0.5);
    run(&def, 5.0, 0.5, &got);
    for (size_t i = 0; i < got.rows; i++) {
        assert_true(got.sticks[i]);
        assert_near(got.q[i][0], 0.0, 1e-12 /* m: no creep */);
        assert_near(got.q[i][2], 0.1 * cos(10.0 * got.t[i]), 1e-9 /* m: tolerance, 8 periods */);
        assert_near(got.fx[i], -100.0 * got.q[i][2], 1e-8 /* N */);
    }
    q[2] = 0.3;
    run(&def, 5.0, 0.5, &got);
    assert_false(got.sticks[0]);
    assert_true(got.sticks[10] && got.events > 1);
    assert_true(fabs(got.q[10][0]) > 1e-3 /* m: it did slip */);
    assert_true(got.report.residual < 1e-9 && got.report.drift < 1e-10);
}

// --- a normal force through zero ------------------------------------------------------------------

// A heavy block on a plane, y upwards, under a load that becomes a pull at t = 1 s: N = load (1 - t).
static const double heavy = 1e12, load = 40.0;

static void tide_dynamics(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    (void)user;
    out->M[0] = out->M[3] = heavy;
    out->Q[1] = -load * (1.0 - at->t);
}

static void tide_constraint(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    (void)user;
    out->A[1] = 1.0;
    out->gap[0] = at->q[1];
}

static void tide_contact(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    (void)user;
    memcpy(out->point, at->q, 2 * sizeof(double));
    out->J[0] = out->J[3] = 1.0;
    out->normal[1] = 1.0;
}

// Oracle: closed form. At a steady speed Dahl's force (alpha = 1) obeys f' = s (1 - f/(a |1 - t|)),
// s = sigma0 v, a = mu load. From f = 0 it is a s/(s - a) (x - x^(s/a)), x = 1 - t, until the normal
// force vanishes, and then the only solution that stays finite, a s/(s + a) (t - 1).
static void dahl_passes_through_a_normal_force_of_zero(void** state)
{
    (void)state;
    static record got;
    const br_mechanism tide = {.n = 2,
                               .m = 1,
                               .d = 2,
                               .normals = 1,
                               .dynamics = tide_dynamics,
                               .constraint = tide_constraint,
                               .contact = tide_contact};
    const double q[2] = {0.0, 0.0}, qd[2] = {0.1, 0.0};
    br_mechanism_def def = def_of(tide, q, 0.5, 0.5);
    def.law = br_law_default(BR_LAW_DAHL);
    def.law.mu_c = 0.5, def.law.sigma0 = 1e4;
    def.qd = qd;
    br_run_def how = br_run_def_default();
    how.duration = 2.0, how.every = 0.05;
    how.atol_z = 1e-11;
    run_as(&def, &how, &got);
    // Dahl's force lasts where it is below ten times what atol_z can resolve, sigma0 atol_z = 1e-7 N,
    // and is known to that where it has come down
    const double close = 11.0 * def.law.sigma0 * how.atol_z;
    const double s = 1e4 * 0.1, a = 0.5 * load;
    for (size_t i = 0; i < got.rows; i++) {
        const double x = 1.0 - got.t[i];
        const double f = x > 0.0 ? a * s / (s - a) * (x - pow(x, s / a)) : -a * s / (s + a) * x;
        assert_near(-got.fx[i], f, close);
    }
}

// Oracle: conservation. Without friction an arm without torques keeps its energy, and a block on a
// slope slides off as if it fell.
static void without_friction_energy_is_kept(void** state)
{
    (void)state;
    static record got;
    br_two_link arm = make_arm();
    arm.torque[0] = arm.torque[1] = br_profile_constant(0.0);
    double q[2];
    assert_true(start_at(&arm, 1.5, q));
    br_mechanism_def def = def_of(br_two_link_mechanism(&arm), q, 0.0, 0.0);
    run(&def, 2.0, 0.1, &got);
    assert_near(got.report.kinetic + got.report.potential, 0.0, 1e-10 /* J: tolerance */);
    assert_true(got.report.kinetic > 1e-3 /* J: it did move */);
    assert_true(got.report.work_friction == 0.0);

    const br_slope_block block = {.mass = 2.0, .gravity = 9.81, .angle = 0.3};
    const double start[2] = {0.0, 0.0};
    def = def_of(br_slope_block_mechanism(&block), start, 0.0, 0.0);
    run(&def, 1.0, 1.0, &got);
    assert_near(hypot(got.qd[1][0], got.qd[1][1]), 9.81 * sin(0.3), 1e-10 /* m/s: tolerance */);
}

// A puck on a plane in space, z upwards: one normal, two directions to slide in.
static void puck_dynamics(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    (void)user;
    for (int i = 0; i < 3; i++) {
        out->M[4 * i] = 0.5;
    }
    out->Q[2] = -0.5 * 9.8;
    out->potential = 0.5 * 9.8 * at->q[2];
}

static void puck_constraint(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    (void)user;
    out->A[2] = 1.0;
    out->gap[0] = at->q[2];
}

static void puck_contact(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    (void)user;
    memcpy(out->point, at->q, 3 * sizeof(double));
    out->J[0] = out->J[4] = out->J[8] = 1.0;
    out->normal[2] = 1.0;
}

// Oracle: closed form. A puck shoved across a plane goes straight, v^2/(2 mu g) far, and its bristles draw it back
// by their length mu/sigma0. They start in steady state: from 0 their damping would take sigma1 g z_max, 1 %, off its speed.
static void a_puck_with_bristles_slides_straight_to_rest(void** state)
{
    (void)state;
    static record got;
    const br_mechanism puck = {.n = 3,
                               .m = 1,
                               .d = 3,
                               .normals = 1,
                               .dynamics = puck_dynamics,
                               .constraint = puck_constraint,
                               .contact = puck_contact};
    const double q[3] = {0.0, 0.0, 0.0}, qd[3] = {0.6, 0.8, 0.0};
    br_mechanism_def def = def_of(puck, q, 0.2, 0.2);
    def.law = br_law_default(BR_LAW_ELASTO_PLASTIC);
    def.law.mu_c = def.law.mu_s = 0.2, def.law.sigma0 = 1e4, def.law.sigma1 = 50.0;
    def.law.sigma2 = 0.0;
    def.qd = qd;
    br_run_def how = br_run_def_default();
    const br_run_watch watch = watch_for(&got);
    how.rtol = 1e-8, how.atol = 1e-9, how.duration = 1.0, how.every = 0.1;
    memset(&got, 0, sizeof got);
    got.n = 3;
    assert_status(br_mechanism_run(&def, &how, &watch, &got.report, NULL), BR_OK);
    const double* end = got.q[10];
    assert_near(hypot(end[0], end[1]), 1.0 / (2.0 * 0.2 * 9.8) - 0.2 / 1e4,
                1e-7 /* m: tolerance */);
    assert_near(end[0] * 0.8, end[1] * 0.6, 1e-7 /* m: tolerance */);
    assert_true(got.sticks[10] && !got.sticks[3]);
    assert_near(got.q[9][0], end[0], 1e-7 /* m: it has come to rest */);
}

// Oracle: closed form. A block without friction at its contact whose guide takes 2 N, by bristles that start
// as it moves: from 0 their damping would take 0.01 N s of its 2 N s.
static void a_joint_starts_in_steady_state(void** state)
{
    (void)state;
    static record got;
    const br_slope_block block = {.mass = 2.0, .gravity = 9.8, .force = br_profile_constant(0.0)};
    const double q[2] = {0.0, 0.0}, qd[2] = {1.0, 0.0};
    br_law guide[2] = {br_law_default(BR_LAW_LUGRE), br_law_default(BR_LAW_LUGRE)};
    guide[0].mu_c = guide[0].mu_s = 2.0, guide[0].sigma0 = 1e4, guide[0].sigma1 = 50.0;
    guide[0].sigma2 = 0.0, guide[1].mu_c = guide[1].mu_s = 0.0;
    br_mechanism_def def = def_of(br_slope_block_mechanism(&block), q, 0.0, 0.0);
    def.qd = qd;
    def.joints = guide;
    run(&def, 0.5, 0.5, &got);
    assert_near(got.q[1][0], 0.5 - 0.5 * 0.5 * 0.5, 1e-9 /* m: tolerance */);
    assert_near(got.qd[1][0], 0.5, 1e-9 /* m/s: tolerance */);
    assert_near(got.report.residual, 0.0, 1e-9 /* J of 1 J: tolerance */);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_on_slopes_stick_or_slide),
        cmocka_unit_test(a_block_slips_when_its_push_exceeds_stiction),
        cmocka_unit_test(laws_with_a_state_move_a_block_as_the_rig),
        cmocka_unit_test(a_bead_on_a_helix_is_a_scalar_problem),
        cmocka_unit_test(a_bead_rests_where_its_wire_is_flat_enough),
        cmocka_unit_test(arm_terms_are_derivatives_of_each_other),
        cmocka_unit_test(starts_off_the_constraint_are_refused_or_projected),
        cmocka_unit_test(bad_definitions_are_refused),
        cmocka_unit_test(a_contact_may_stick_while_the_rest_moves),
        cmocka_unit_test(dahl_passes_through_a_normal_force_of_zero),
        cmocka_unit_test(without_friction_energy_is_kept),
        cmocka_unit_test(a_puck_with_bristles_slides_straight_to_rest),
        cmocka_unit_test(a_joint_starts_in_steady_state),
    };
    return run_group(argc, argv, tests);
}
