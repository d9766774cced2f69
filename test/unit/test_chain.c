/*
 * Chains of links on a path, and friction in their joints.
 */
#include "bristle/mechanism.h"

#include "rows.h"

#include <string.h>

enum { MOST = BR_CHAIN_MOST };

// A chain of n links whose masses and lengths differ.
static br_chain make_chain(size_t n, br_path path)
{
    br_chain chain = {.n = n, .gravity = 9.8, .path = path};
    for (size_t i = 0; i < n; i++) {
        chain.mass[i] = 1.0 + 0.3 * (double)i;
        chain.length[i] = 1.0 + 0.2 * (double)(i % 3);
        chain.torque[i] = br_profile_constant(0.5 - 0.4 * (double)i);
    }
    return chain;
}

static const double bowl[] = {-0.5, 0.1, 0.2}; // y = -0.5 + 0.1 x + 0.2 x^2
static const double knot_x[] = {-2.0, -1.0, 0.5, 1.0, 2.0, 3.0};
static const double knot_y[] = {0.2, -0.4, -0.6, -0.5, 0.1, 0.3};

static br_path polynomial_path(const double* c, size_t count)
{
    return (br_path){.kind = BR_PATH_POLYNOMIAL, .count = count, .c = c};
}

static br_path table_path(double* yxx)
{
    double work[6];
    br_path_bend(6, knot_x, knot_y, yxx, work);
    return (br_path){.kind = BR_PATH_TABLE, .count = 6, .x = knot_x, .y = knot_y, .yxx = yxx};
}

// Memory for the terms of a mechanism.
typedef struct terms {
    double M[MOST * MOST], Q[MOST], A[MOST], b[1], gap[1], point[2], J[2 * MOST], bias[2],
        normal[2];
    br_mechanism_terms out;
} terms;

static void look(const br_mechanism* m, const double* q, const double* qd, terms* to)
{
    memset(to, 0, sizeof *to);
    to->out = (br_mechanism_terms){.M = to->M,
                                   .Q = to->Q,
                                   .A = to->A,
                                   .b = to->b,
                                   .gap = to->gap,
                                   .point = to->point,
                                   .J = to->J,
                                   .bias = to->bias,
                                   .normal = to->normal};
    const br_mechanism_at at = {1.0, 1.0, q, qd};
    m->dynamics(&at, &to->out, m->user);
    m->constraint(&at, &to->out, m->user);
    m->contact(&at, &to->out, m->user);
}

static void random_state(uint64_t* seed, size_t n, double* q, double* qd)
{
    for (size_t i = 0; i < n; i++) {
        q[i] = uniform(seed, -2.0, 2.0), qd[i] = uniform(seed, -2.0, 2.0);
    }
}

static void expect_equal(const double* a, const double* b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        assert_near(a[i], b[i], 1e-12 /* rounding of terms up to 100 */);
    }
}

/* Oracle: the equations (43)-(51) of H+. Two links on a parabola are their arm. */
static void two_links_on_a_parabola_are_the_arm(void** state)
{
    (void)state;
    static const double parabola[] = {0.1, 0.0, 0.25};
    const br_two_link arm = {.mass = {1.0, 1.3},
                             .length = {1.0, 1.2},
                             .gravity = 9.8,
                             .beta = 0.25,
                             .gamma = 0.1,
                             .torque = {br_profile_constant(0.5), br_profile_constant(0.1)}};
    const br_chain chain = make_chain(2, polynomial_path(parabola, 3));
    const br_mechanism a = br_two_link_mechanism(&arm), b = br_chain_mechanism(&chain);
    uint64_t seed = 3;
    for (int i = 0; i < 100; i++) {
        double q[2], qd[2];
        terms x, y;
        random_state(&seed, 2, q, qd);
        look(&a, q, qd, &x);
        look(&b, q, qd, &y);
        expect_equal(x.M, y.M, 4);
        expect_equal(x.Q, y.Q, 2);
        expect_equal(x.A, y.A, 2);
        expect_equal(x.b, y.b, 1);
        expect_equal(x.gap, y.gap, 1);
        expect_equal(x.point, y.point, 2);
        expect_equal(x.J, y.J, 4);
        expect_equal(x.bias, y.bias, 2);
        expect_equal(x.normal, y.normal, 2);
        assert_near(x.out.potential, y.out.potential, 1e-12);
        assert_near(x.out.power, y.out.power, 1e-12);
    }
}

static void expect_slopes(const br_mechanism* m, const double* q, const double* qd, const terms* at)
{
    const double h = 1e-6; // quotients are good to some 1e-10/h + h^2
    for (size_t j = 0; j < m->n; j++) {
        double x[MOST];
        terms plus, minus;
        memcpy(x, q, m->n * sizeof *x);
        x[j] = q[j] + h;
        look(m, x, qd, &plus);
        x[j] = q[j] - h;
        look(m, x, qd, &minus);
        assert_near((plus.gap[0] - minus.gap[0]) / (2.0 * h), at->A[j], 1e-7);
        assert_near((plus.point[0] - minus.point[0]) / (2.0 * h), at->J[j], 1e-7);
        assert_near((plus.point[1] - minus.point[1]) / (2.0 * h), at->J[m->n + j], 1e-7);
    }
}

/* Oracle: difference quotients. A is the gradient of the gap, J of the point; without accelerations the gap's
 * second derivative is -b, the point's the bias. */
static void terms_are_derivatives_of_each_other(void** state)
{
    (void)state;
    double yxx[6];
    uint64_t seed = 4;
    for (int i = 0; i < 40; i++) {
        const size_t n = 2 + (size_t)i % (MOST - 1);
        const br_chain chain = make_chain(n, i % 2 ? polynomial_path(bowl, 3) : table_path(yxx));
        const br_mechanism m = br_chain_mechanism(&chain);
        double q[MOST], qd[MOST], ahead[MOST], behind[MOST];
        terms at, plus, minus;
        random_state(&seed, n, q, qd);
        look(&m, q, qd, &at);
        expect_slopes(&m, q, qd, &at);

        const double h = 1e-4, per = 1.0 / (h * h);
        for (size_t j = 0; j < n; j++) {
            ahead[j] = q[j] + h * qd[j], behind[j] = q[j] - h * qd[j];
        }
        look(&m, ahead, qd, &plus);
        look(&m, behind, qd, &minus);
        // speeds of up to 30 m/s: 1e-4 of terms of several hundred; a spline's third derivative jumps
        assert_near((plus.gap[0] - 2.0 * at.gap[0] + minus.gap[0]) * per, -at.b[0],
                    3e-3 * (1.0 + fabs(at.b[0])));
        assert_near((plus.point[0] - 2.0 * at.point[0] + minus.point[0]) * per, at.bias[0], 1e-2);
        assert_near((plus.point[1] - 2.0 * at.point[1] + minus.point[1]) * per, at.bias[1], 1e-2);
    }
}

// --- in time --------------------------------------------------------------------------------------

typedef struct watched {
    size_t n;
    double fastest; // |qd| of the last row
    double q[MOST], joints[MOST];
} watched;

static void on_row(const double* row, void* user)
{
    watched* w = user;
    const int has_joints = br_column_find(taken.list, taken.count, "f1") < taken.count;
    w->fastest = 0.0;
    for (size_t i = 0; i < w->n; i++) {
        w->fastest = fmax(w->fastest, fabs(number_of_one(row, "w", i)));
        w->joints[i] = has_joints ? number_of_one(row, "f", i) : 0.0;
        w->q[i] = number_of_one(row, "theta", i);
    }
}

static br_mechanism_report run_chain(const br_chain* chain, const br_law* joints, double mu,
                                     double duration, watched* w)
{
    static const double start[MOST] = {0.5, -1.5, 0.4, 0.3, -0.2, 0.1, 0.2, -0.1};
    br_mechanism_def def = br_mechanism_def_default();
    def.mechanism = br_chain_mechanism(chain);
    def.q = start;
    def.project = 1;
    def.law.mu_c = def.law.mu_s = mu;
    def.joints = joints;
    br_run_def run = br_run_def_default();
    run.rtol = 1e-9, run.atol = 1e-10;
    run.duration = duration, run.every = 0.05;
    const br_run_watch watch = {
        .size = sizeof(br_run_watch), .start = take_columns, .row = on_row, .user = w};
    br_mechanism_report report;
    br_reason why = {"", ""};
    w->n = chain->n;
    if (br_mechanism_run(&def, &run, &watch, &report, &why) != BR_OK) {
        fail_msg("%s: %s", why.field, why.text);
    }
    return report;
}

static br_law joint_law(br_law_kind kind, double torque, double sigma0, double sigma1)
{
    br_law law = br_law_default(kind);
    law.mu_c = law.mu_s = torque;
    law.sigma0 = sigma0, law.sigma1 = sigma1, law.sigma2 = 0.2;
    law.v_stribeck = 0.1, law.s_ba = 0.7;
    return law;
}

/* Oracle: invariant. Energy is kept without friction, and balances with it, at the end and in the joints; the
 * end stays on its path. */
static void energy_balances(void** state)
{
    (void)state;
    double yxx[6];
    const br_law joints[4] = {joint_law(BR_LAW_ELASTO_PLASTIC, 0.8, 400.0, 20.0),
                              joint_law(BR_LAW_LUGRE, 0.0, 400.0, 20.0), // viscous alone
                              joint_law(BR_LAW_LUGRE, 0.8, 400.0, 20.0),
                              joint_law(BR_LAW_ELASTO_PLASTIC, 0.5, 400.0, 20.0)};
    for (size_t n = 2; n <= 4; n++) {
        for (int with = 0; with < 2; with++) {
            watched w = {0};
            const br_chain chain =
                make_chain(n, n % 2 ? table_path(yxx) : polynomial_path(bowl, 3));
            const br_mechanism_report got =
                run_chain(&chain, with ? joints : NULL, with ? 0.1 : 0.0, 2.0, &w);
            assert_true(got.drift < 1e-8);
            assert_true(got.residual < 1e-6); // of some 30 J, at 1e-9 a step
            assert_true(with ? got.work_friction < -0.5 : fabs(got.work_friction) < 1e-12);
        }
    }
}

/* Oracle: statics. Joints whose friction exceeds what gravity asks hold the chain: nothing creeps, and what they
 * leave of gravity is along the constraint, Q + joints = -A^T lambda. */
static void joints_hold_a_chain_at_rest(void** state)
{
    (void)state;
    br_law joints[3];
    br_chain chain = make_chain(3, polynomial_path(bowl, 3));
    for (int i = 0; i < 3; i++) {
        chain.torque[i] = br_profile_constant(0.0);
        joints[i] = joint_law(BR_LAW_ELASTO_PLASTIC, 200.0, 1e5, 3e3);
    }
    watched early, late;
    run_chain(&chain, joints, 0.0, 2.0, &early);
    run_chain(&chain, joints, 0.0, 4.0, &late);
    assert_true(late.fastest < 1e-8);
    const br_mechanism m = br_chain_mechanism(&chain);
    const double rest[MOST] = {0.0};
    terms at;
    look(&m, late.q, rest, &at);
    const double lambda = -(at.Q[0] + late.joints[0]) / at.A[0];
    for (int i = 0; i < 3; i++) {
        assert_near(late.q[i], early.q[i], 1e-8);
        assert_true(fabs(late.joints[i]) < 200.0);
        assert_near(at.Q[i] + late.joints[i], -lambda * at.A[i],
                    1e-3 /* N m of 50: still settling */);
    }
}

/* Oracle: closed form. A natural spline through (0, 0), (1, 1), (2, 0) has y'' = -3 in the middle; it meets its
 * points, and goes on straight. */
static void a_table_is_a_natural_spline(void** state)
{
    (void)state;
    const double x[] = {0, 1, 2}, y[] = {0, 1, 0};
    double yxx[3], work[3], slope, bend;
    br_path_bend(3, x, y, yxx, work);
    assert_near(yxx[1], -3.0, 1e-15);
    const br_path path = {.kind = BR_PATH_TABLE, .count = 3, .x = x, .y = y, .yxx = yxx};
    for (int i = 0; i < 3; i++) {
        assert_near(br_path_eval(&path, x[i], &slope, &bend), y[i], 1e-15);
    }
    assert_near(br_path_eval(&path, 0.5, &slope, &bend), 0.5 + 3.0 * 0.375 / 6.0, 1e-15);
    const double end = br_path_eval(&path, 2.0, &slope, &bend), end_slope = slope;
    assert_near(br_path_eval(&path, 3.0, &slope, &bend), end + end_slope, 1e-15);
    assert_near(slope, end_slope, 0.0);
    assert_near(bend, 0.0, 0.0);
}

/* Oracle: bad input. A joint needs a law that knows what to do at rest, and numbers in range. */
static void bad_joints_are_refused(void** state)
{
    (void)state;
    static const double start[2] = {0.5, -1.5};
    const br_chain chain = make_chain(2, polynomial_path(bowl, 3));
    br_law joints[2] = {br_law_default(BR_LAW_LUGRE), br_law_default(BR_LAW_STICTION)};
    br_mechanism_def def = br_mechanism_def_default();
    br_reason why;
    def.mechanism = br_chain_mechanism(&chain);
    def.q = start, def.project = 1, def.joints = joints;
    assert_status(br_mechanism_check(&def, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "joints");
    joints[1] = joints[0];
    assert_status(br_mechanism_check(&def, &why), BR_OK);
    joints[1].sigma0 = -1.0;
    assert_status(br_mechanism_check(&def, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "joints");
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_links_on_a_parabola_are_the_arm),
        cmocka_unit_test(terms_are_derivatives_of_each_other),
        cmocka_unit_test(energy_balances),
        cmocka_unit_test(joints_hold_a_chain_at_rest),
        cmocka_unit_test(a_table_is_a_natural_spline),
        cmocka_unit_test(bad_joints_are_refused),
    };
    return run_group(argc, argv, tests);
}
