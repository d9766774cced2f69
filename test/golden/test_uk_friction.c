/*
 * Constrained systems at one instant, and Dahl's law in space, against independent results in
 * extended precision. Argument: the folder of the stored numbers.
 */
#include "bristle/constrained.h"
#include "uk_cases.h"

#include "table.h"

static const char* folder;
static uk_case cases[UK_CASES];
static double work[4096];

static br_constrained system_of(const uk_case* c)
{
    br_constrained s = {.n = c->n, .m = c->m, .d = c->d};
    s.M = uk_get(c, "M"), s.Q = uk_get(c, "Q"), s.A = uk_get(c, "A"), s.b = uk_get(c, "b");
    s.J = uk_get(c, "J"), s.qd = uk_get(c, "qd"), s.C = uk_get(c, "C");
    s.mu = *uk_get(c, "mu"), s.mu_s = *uk_get(c, "mu_s");
    if (c->contact) {
        s.normals = 1, s.normal = uk_get(c, "normal");
    }
    assert_true(br_constrained_get_work(s.n, s.m, s.d) <= sizeof work / sizeof *work);
    assert_status(br_constrained_check(&s, work, NULL), BR_OK);
    return s;
}

static double size_of(const double* a, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += a[i] * a[i];
    }
    return sqrt(sum);
}

// A vector within a share of its norm.
static void expect(const uk_case* c, const char* name, const double* value, size_t n)
{
    // rounding times the condition of A; a rank-deficient A was rounded when it was stored
    const double tolerance = c->rank < c->m ? 1e-8 : 1e-10;
    const double* expected = uk_get(c, name);
    const double size = size_of(expected, n);
    for (size_t i = 0; i < n; i++) {
        const double difference = fabs(value[i] - expected[i]);
        if (!(difference <= tolerance * size)) {
            fail_msg("case %td: %s[%zu] = %.17g, expected %.17g, norm %g", c - cases, name, i,
                     value[i], expected[i], size);
        }
    }
}

// Oracle: independent program, extended precision. Every vector of (8)-(27), every case.
static void equations_of_the_paper_match(void** state)
{
    (void)state;
    const size_t count = uk_read(cases, folder);
    assert_int_equal(count, 56);
    for (const uk_case* c = cases; c < cases + count; c++) {
        const br_constrained s = system_of(c);
        br_constrained_value v;
        br_constrained_eval(&s, work, &v);
        assert_int_equal(v.rank, c->rank);
        expect(c, "Q_id", v.q_id, c->n);
        expect(c, "lambda_min_norm", v.lambda, c->m);
        expect(c, "qdd_ideal", v.qdd_ideal, c->n);
        expect(c, "Q_nid", v.q_nid, c->n);
        expect(c, "qdd_with_C", v.qdd_with_c, c->n);
        expect(c, "Q_p", v.q_p, c->n);
        expect(c, "Q_t", v.q_t, c->n);
        expect(c, "F_n", v.f_n, c->d);
        expect(c, "F_t", v.f_t, c->d);
        expect(c, "F_c", v.f_c, c->d);
        expect(c, "Q_c", v.q_c, c->n);
        expect(c, "F_s_paper", v.f_s, c->d);
        expect(c, "Q_s_paper", v.q_s, c->n);
        assert_int_equal(v.stick, (int)*uk_get(c, "stick_paper"));
    }
}

// Oracle: independent program. The normal force that friction acts back on.
static void coupled_normal_forces_match(void** state)
{
    (void)state;
    const size_t count = uk_read(cases, folder);
    for (const uk_case* c = cases; c < cases + count; c++) {
        if (!c->contact) {
            continue;
        }
        const br_constrained s = system_of(c);
        const br_resistance coulomb = br_constrained_coulomb(&s);
        br_constrained_slide_value slide;
        br_constrained_slide(&s, &coulomb, BR_NORMAL_GEOMETRIC, work, &slide);
        expect(c, "N_frictionless", &slide.n_frictionless, 1);
        expect(c, "N_coupled", &slide.n, 1);
        expect(c, "F_c_coupled", slide.friction, c->d);
        expect(c, "qdd_coupled", slide.qdd, c->n);
        assert_true(slide.margin > 0.0 && slide.margin <= 1.0);
    }
}

// Oracle: independent program. Statics of the held contact point; H+'s rule errs in 4 of these 28
// contacts, the right one in none.
static void stick_decisions_are_those_of_statics(void** state)
{
    (void)state;
    const size_t count = uk_read(cases, folder);
    size_t paper_errs = 0;
    for (const uk_case* c = cases; c < cases + count; c++) {
        if (!c->contact) {
            continue;
        }
        const br_constrained s = system_of(c);
        br_constrained_hold_value hold;
        br_constrained_hold(&s, work, &hold);
        expect(c, "static_contact_force", hold.force, c->d);
        expect(c, "static_N", &hold.n, 1);
        expect(c, "static_T_norm", &hold.tangential, 1);
        assert_true(hold.possible);
        assert_int_equal(hold.sticks, (int)*uk_get(c, "stick_true"));
        paper_errs += *uk_get(c, "stick_true") != *uk_get(c, "stick_paper_b0");
    }
    assert_int_equal(paper_errs, 4);
}

// --- Dahl's law in space --------------------------------------------------------------------------

static const double two_pi = 6.283185307179586;

// Motions and Coulomb force of the stored tables.
typedef struct dahl_case {
    const char* file;
    double alpha;
    br_dahl_form form;
    void (*velocity)(double t, double* v);
    double (*fc)(double t);
} dahl_case;

static void circle(double t, double* v)
{
    v[0] = 1e-3 * cos(0.5 * two_pi * t + 0.2);
    v[1] = 1e-3 * sin(0.5 * two_pi * t + 0.2);
    v[2] = 0.3e-3;
}

static void line(double t, double* v)
{
    const double speed = 0.0004 * two_pi * cos(two_pi * t);
    v[0] = v[2] = speed * 2.0 / 3.0;
    v[1] = -speed / 3.0;
}

static void octant(double t, double* v)
{
    v[0] = 1e-3 * (1.0 + 0.6 * sin(two_pi * t));
    v[1] = 1e-3 * (1.0 + 0.6 * cos(two_pi * 1.3 * t));
    v[2] = 1e-3 * (0.8 + 0.5 * sin(two_pi * 0.7 * t + 1.0));
}

static double constant_fc(double t)
{
    (void)t;
    return 1.0;
}

static double swinging_fc(double t)
{
    return 1.0 + 0.3 * sin(two_pi * 0.6 * t);
}

static void dahl_rate(const dahl_case* c, double t, const double* z, double* dz)
{
    br_law law = br_law_default(BR_LAW_DAHL);
    law.mu_c = 1.0, law.sigma0 = 1e4, law.alpha = c->alpha;
    double v[3];
    c->velocity(t, v);
    br_point_law_rate(&law, c->form, NULL, 3, z, v, c->fc(t), dz);
}

// One classical Runge-Kutta step.
static void runge_kutta(const dahl_case* c, double t, double h, double* z)
{
    static const double at[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    double k[5][3] = {{0.0}}, sum[3] = {0.0}, y[3];
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 3; j++) {
            y[j] = z[j] + at[i] * h * k[i][j];
        }
        dahl_rate(c, t + at[i] * h, y, k[i + 1]);
        for (int j = 0; j < 3; j++) {
            sum[j] += weight[i] * k[i + 1][j];
        }
    }
    for (int j = 0; j < 3; j++) {
        z[j] += h / 6.0 * sum[j];
    }
}

// From row to row; reversals are on rows, so the steps never straddle a kink.
static void follow(const dahl_case* c)
{
    static table golden;
    table_read(&golden, folder, c->file);
    double z[3] = {0.0};
    for (size_t row = 1; row < golden.rows; row++) {
        const double t0 = golden.value[row - 1][0], span = golden.value[row][0] - t0;
        const int steps = 200;
        for (int i = 0; i < steps; i++) {
            runge_kutta(c, t0 + span * i / steps, span / steps, z);
        }
        for (size_t i = 0; i < 3; i++) {
            // forces of 1 N, integrated to 1e-12
            assert_near(1e4 * z[i], golden.value[row][4 + i], 1e-9);
        }
    }
}

// Oracle: independent program. All stored motions, all forms.
static void dahl_in_space_matches(void** state)
{
    (void)state;
    static const dahl_case all[] = {
        {"dahl_circle_alpha1_peraxis.csv", 1.0, BR_DAHL_PER_AXIS, circle, constant_fc},
        {"dahl_circle_alpha1_vector.csv", 1.0, BR_DAHL_VECTOR, circle, constant_fc},
        {"dahl_line_alpha1.csv", 1.0, BR_DAHL_PER_AXIS, line, constant_fc},
        {"dahl_line_alpha2.csv", 2.0, BR_DAHL_PER_AXIS, line, constant_fc},
        {"dahl_line_alpha2.csv", 2.0, BR_DAHL_VECTOR, line, constant_fc},
        {"dahl_line_varFc_alpha1.csv", 1.0, BR_DAHL_PER_AXIS, line, swinging_fc},
        {"dahl_line_varFc_alpha2.csv", 2.0, BR_DAHL_PER_AXIS, line, swinging_fc},
        {"dahl_line_varFc_alpha2_literal.csv", 2.0, BR_DAHL_AS_PRINTED, line, swinging_fc},
        {"dahl_octant_alpha2_peraxis_guarded.csv", 2.0, BR_DAHL_PER_AXIS, octant, constant_fc},
        {"dahl_octant_alpha2_vector.csv", 2.0, BR_DAHL_VECTOR, octant, constant_fc},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        follow(&all[i]);
    }
}

// Oracle: invariant. As printed, alpha = 2 runs away on the octant's path; guarded, no form ever
// exceeds the Coulomb force: |F| <= Fc, per axis |F_k| <= Fc.
static void only_the_printed_dahl_runs_away(void** state)
{
    (void)state;
    double largest[3] = {0.0};
    for (int form = 0; form < 3; form++) {
        const dahl_case c = {NULL, 2.0, (br_dahl_form)form, octant, constant_fc};
        double z[3] = {0.0};
        for (int i = 0; i < 20000 && largest[form] < 1e6; i++) {
            runge_kutta(&c, i * 5e-5, 5e-5, z);
            largest[form] = fmax(largest[form], 1e4 * size_of(z, 3));
        }
    }
    assert_true(largest[BR_DAHL_AS_PRINTED] >= 1e6);
    assert_true(largest[BR_DAHL_VECTOR] <= 1.0);
    assert_true(largest[BR_DAHL_PER_AXIS] <= sqrt(3.0));
}

int main(int argc, char** argv)
{
    folder = argv[1];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equations_of_the_paper_match),
        cmocka_unit_test(coupled_normal_forces_match),
        cmocka_unit_test(stick_decisions_are_those_of_statics),
        cmocka_unit_test(dahl_in_space_matches),
        cmocka_unit_test(only_the_printed_dahl_runs_away),
    };
    return run_group(argc - 1, argv + 1, tests);
}
