/*
 * One-dimensional friction against golden/friction_1d: an independent high-precision integration of
 * the same equations. Driven by the analytic velocity or load of each file's comment, not by its
 * rows. The first argument is the folder with the tables.
 */
#include "rows.h"
#include "table.h"

#include "bristle/math.h"
#include "bristle/sim.h"

static const char* folder;
static table golden;

static const double Fc = 1.0, Fs = 1.5, v_s = 1e-3;

// s0=100000 s1=316.22776601683796 s2=0.4 Fc=1 Fs=1.5 vs=0.001 gamma=2 s_ba=0.9, as in every file
static br_law golden_law(br_law_kind kind)
{
    return (br_law){.kind = kind,
                    .mu_c = Fc,
                    .mu_s = Fs,
                    .v_stribeck = v_s,
                    .gamma = 2.0,
                    .sigma0 = 1e5,
                    .sigma1 = 316.22776601683796,
                    .sigma2 = 0.4,
                    .s_ba = 0.9,
                    .alpha = 1.0};
}

// Asked of imposed motion: 1e-8 Fs/sigma0 in z. The force has sigma0 z, of that error times sigma0,
// and sigma1 dz, whose error is some 3 times as large near reversals.
static const double z_tolerance = 1e-8 * 1.5 / 1e5;
static const double f_tolerance = 1e-8 * 1.5 * 5.0;

// --- imposed motion, v(t) as a function -----------------------------------------------------------

typedef struct imposed_motion {
    br_law law;
    double (*velocity)(double t, double* slope);
} imposed_motion;

static double presliding_velocity(double t, double* slope)
{
    const double A = 1.35e-05, B = 5.25e-06, w1 = 2.0 * BR_PI, w2 = 2.0 * BR_PI * 3.3;
    *slope = -A * w1 * w1 * sin(w1 * t) - B * w2 * w2 * sin(w2 * t + 0.4);
    return A * w1 * cos(w1 * t) + B * w2 * cos(w2 * t + 0.4);
}

static double reversals_velocity(double t, double* slope)
{
    const double w = 2.0 * BR_PI;
    *slope = 0.004 * w * cos(w * t + 0.3);
    return 0.004 * sin(w * t + 0.3);
}

static double lag(double t, double w, double* slope)
{
    *slope = 0.0005 * w * cos(w * t);
    return 0.0006 + 0.0005 * sin(w * t);
}

static double lag_w1_velocity(double t, double* slope)
{
    return lag(t, 1.0, slope);
}

static double lag_w10_velocity(double t, double* slope)
{
    return lag(t, 10.0, slope);
}

static double lag_w25_velocity(double t, double* slope)
{
    return lag(t, 25.0, slope);
}

static void imposed_rate(double t, const double* y, double* dy, void* user)
{
    const imposed_motion* m = user;
    double slope;
    dy[0] = br_law_eval(&m->law, y[0], m->velocity(t, &slope), 1.0).dz;
}

static void imposed_jacobian(double t, const double* y, double* j, double* dfdt, void* user)
{
    const imposed_motion* m = user;
    double slope;
    const double v = m->velocity(t, &slope);
    const br_law_gradient d = br_law_gradient_eval(&m->law, y[0], v, 1.0);
    j[0] = d.dz_z;
    dfdt[0] = d.dz_v * slope;
}

// The plastic band is narrow: no step may jump over more than a part of it.
static double imposed_longest_step(double t, const double* y, void* user)
{
    (void)y;
    const imposed_motion* m = user;
    double slope;
    const double v = m->velocity(t, &slope);
    return fmin(2e-3, 0.2 * (1.0 - m->law.s_ba) * Fc / m->law.sigma0 / (fabs(v) + 1e-9));
}

// Compare z and the force of one law with two columns of the golden table.
static void compare(br_law law, double (*velocity)(double, double*), const char* z_column,
                    const char* f_column, int amended)
{
    imposed_motion motion = {law, velocity};
    const br_ode ode = {.size = sizeof(br_ode),
                        .n = 1,
                        .rate = imposed_rate,
                        .jacobian = imposed_jacobian,
                        .longest_step = imposed_longest_step,
                        .user = &motion};
    br_integrator_def def = br_integrator_def_default();
    def.rtol = 1e-11;
    def.atol = (const double[]){1e-16};
    br_integrator* s = NULL;
    assert_status(br_integrator_create(&ode, &def, &s, NULL), BR_OK);
    br_integrator_start(s, table_get(&golden, 0, "t"), (const double[]){0.0});
    for (size_t row = 0; row < golden.rows; row++) {
        const double t = table_get(&golden, row, "t");
        while (br_integrator_get_t(s) < t) {
            assert_status(br_integrator_step(s, t, NULL, NULL), BR_OK);
        }
        double slope;
        const double z = br_integrator_get_y(s)[0], v = velocity(t, &slope);
        const double fn = amended ? 1.0 + 0.3 * sin(2.0 * BR_PI * 0.7 * t) : 1.0;
        if (z_column) {
            assert_near(z, table_get(&golden, row, z_column), z_tolerance);
        }
        assert_near(br_law_eval(&law, z, v, fn).f, table_get(&golden, row, f_column), f_tolerance);
    }
    br_integrator_destroy(s);
}

static void compare_file(const char* file, double (*velocity)(double, double*), int has_dahl2)
{
    table_read(&golden, folder, file);
    br_law dahl = golden_law(BR_LAW_DAHL);
    compare(golden_law(BR_LAW_LUGRE), velocity, "z_lugre", "F_lugre", 0);
    compare(golden_law(BR_LAW_LUGRE), velocity, "z_lugre", "F_amended_lugre", 1);
    compare(golden_law(BR_LAW_ELASTO_PLASTIC), velocity, "z_ep", "F_ep", 0);
    compare(golden_law(BR_LAW_COULOMB), velocity, NULL, "F_coulomb", 0);
    compare(dahl, velocity, NULL, "F_dahl1", 0);
    if (has_dahl2) {
        dahl.alpha = 2.0;
        compare(dahl, velocity, NULL, "F_dahl2", 0);
    }
}

/* Oracle: golden/friction_1d/presliding.csv. */
static void presliding_loops_match(void** state)
{
    (void)state;
    compare_file("presliding.csv", presliding_velocity, 1);
}

/* Oracle: golden/friction_1d/reversals.csv. */
static void reversals_match(void** state)
{
    (void)state;
    compare_file("reversals.csv", reversals_velocity, 1);
}

/* Oracle: golden/friction_1d/lag_w1.csv, lag_w10.csv, lag_w25.csv. */
static void frictional_lag_matches(void** state)
{
    (void)state;
    compare_file("lag_w1.csv", lag_w1_velocity, 0);
    compare_file("lag_w10.csv", lag_w10_velocity, 0);
    compare_file("lag_w25.csv", lag_w25_velocity, 0);
}

// --- the same through br_imposed_run, as a user would ---------------------------------------------

static void compare_row(const double* row, void* user)
{
    size_t* index = user;
    assert_near(number_of(row, "z"), table_get(&golden, *index, "z_ep"), z_tolerance);
    assert_near(number_of(row, "f"), table_get(&golden, *index, "F_ep"), f_tolerance);
    assert_near(number_of(row, "x"), table_get(&golden, *index, "x"), 1e-11 /* atol of the run */);
    ++*index;
}

/* Oracle: golden/friction_1d/reversals.csv, elasto-plastic. The run limits its own steps. */
static void an_imposed_run_does_not_step_over_the_plastic_band(void** state)
{
    (void)state;
    table_read(&golden, folder, "reversals.csv");
    const br_imposed imposed = {
        .size = sizeof(br_imposed),
        .law = golden_law(BR_LAW_ELASTO_PLASTIC),
        .velocity = {.kind = BR_PROFILE_SINE, .amplitude = 0.004, .frequency = 1.0, .phase = 0.3},
        .normal_force = br_profile_constant(1.0),
    };
    static double at[TABLE_ROWS];
    for (size_t i = 0; i < golden.rows; i++) {
        at[i] = table_get(&golden, i, "t");
    }
    size_t index = 0;
    br_run_def def = br_run_def_default();
    def.duration = at[golden.rows - 1];
    def.at = at, def.at_count = golden.rows;
    def.rtol = 1e-11, def.atol = 1e-13, def.atol_z = 1e-16;
    const br_run_watch watch = {
        .size = sizeof(br_run_watch), .start = take_columns, .row = compare_row, .user = &index};
    assert_status(br_imposed_run(&imposed, &def, &watch, NULL, NULL), BR_OK);
    assert_int_equal(index, golden.rows);
}

// --- dynamics -------------------------------------------------------------------------------------

typedef struct dynamics {
    size_t index;
    const char* x_column;
    double tolerance; // [m]
} dynamics;

static void compare_x(const double* row, void* user)
{
    dynamics* d = user;
    assert_near(row[0], table_get(&golden, d->index, "t"), 1e-12 /* s, rounding of k every */);
    assert_near(number_of(row, "x"), table_get(&golden, d->index, d->x_column), d->tolerance);
    d->index++;
}

static void compare_rig(const br_rig* rig, const char* x_column, double tolerance)
{
    dynamics d = {.x_column = x_column, .tolerance = tolerance};
    br_run_def def = br_run_def_default();
    def.duration = table_get(&golden, golden.rows - 1, "t");
    def.every = table_get(&golden, 1, "t") - table_get(&golden, 0, "t");
    def.rtol = 1e-11, def.atol = 1e-14, def.atol_z = 1e-16;
    const br_run_watch watch = {
        .size = sizeof(br_run_watch), .start = take_columns, .row = compare_x, .user = &d};
    assert_status(br_rig_run(rig, &def, &watch, NULL, NULL), BR_OK);
    assert_int_equal(d.index, golden.rows);
}

/* Oracle: golden/friction_1d/stickslip.csv, 20 s, within 1e-8 m as asked. */
static void stick_slip_matches(void** state)
{
    (void)state;
    table_read(&golden, folder, "stickslip.csv");
    br_rig rig = {.size = sizeof(br_rig),
                  .mass = 1.0,
                  .stiffness = 2.0,
                  .pull = 0.1,
                  .law = golden_law(BR_LAW_LUGRE),
                  .force = br_profile_constant(0.0),
                  .normal_force = br_profile_constant(1.0)};
    compare_rig(&rig, "x_lugre", 1e-8);
    rig.law = golden_law(BR_LAW_ELASTO_PLASTIC);
    compare_rig(&rig, "x_ep", 1e-8);
}

/* Oracle: golden/friction_1d/drift_normal_load.csv, within 1e-12 m as asked. */
static void drift_under_a_varying_normal_load_matches(void** state)
{
    (void)state;
    table_read(&golden, folder, "drift_normal_load.csv");
    const double t[] = {0.0, 0.5}, force[] = {0.0, 0.5};
    br_rig rig = {
        .size = sizeof(br_rig),
        .mass = 1.0,
        .law = golden_law(BR_LAW_LUGRE),
        .force = {.kind = BR_PROFILE_TABLE, .count = 2, .t = t, .value = force},
        .normal_force = {.kind = BR_PROFILE_SINE, .mean = 1.0, .amplitude = 0.4, .frequency = 2.0}};
    compare_rig(&rig, "x_lugre", 1e-12);
    rig.law = golden_law(BR_LAW_ELASTO_PLASTIC);
    compare_rig(&rig, "x_ep", 1e-12);
}

static br_integrator* start_rig(br_ode ode)
{
    br_integrator_def def = br_integrator_def_default();
    def.rtol = 1e-11;
    def.atol = (const double[]){1e-15, 1e-14, 1e-16};
    br_integrator* s = NULL;
    assert_status(br_integrator_create(&ode, &def, &s, NULL), BR_OK);
    br_integrator_start(s, 0.0, (const double[]){0.0, 0.0, 0.0});
    return s;
}

// F_app = 0.45 min(t, 1), from t = 1 on plus 0.35 sin(8 pi (t - 1)): two profiles, one after the
// other. Fills x at t = 2 and t = 4.
static void drift(br_law_kind kind, const char* x_column, double* x2, double* x4)
{
    const double t[] = {0.0, 1.0}, ramp[] = {0.0, 0.45};
    br_rig rig = {.size = sizeof(br_rig),
                  .mass = 1.0,
                  .law = golden_law(kind),
                  .force = {.kind = BR_PROFILE_TABLE, .count = 2, .t = t, .value = ramp},
                  .normal_force = br_profile_constant(1.0)};
    br_rig_system system = {.rig = &rig, .within = 0.5};
    br_integrator* s = start_rig(br_rig_ode(&system));
    for (size_t row = 0; row < golden.rows; row++) {
        const double time = table_get(&golden, row, "t");
        while (br_integrator_get_t(s) < time) {
            const double end = br_integrator_get_t(s) < 1.0 ? fmin(time, 1.0) : time;
            assert_status(br_integrator_step(s, end, NULL, NULL), BR_OK);
            if (br_integrator_get_t(s) == 1.0) {
                rig.force = (br_profile){.kind = BR_PROFILE_SINE,
                                         .mean = 0.45,
                                         .amplitude = 0.35,
                                         .frequency = 4.0}; // 8 pi (t - 1) = 8 pi t mod 2 pi
                br_integrator_start(s, 1.0, br_integrator_get_y(s));
            }
        }
        const double x = br_integrator_get_y(s)[0];
        assert_near(x, table_get(&golden, row, x_column), 1e-12 /* m, as asked */);
        *(fabs(time - 2.0) < 1e-9 ? x2 : x4) = x;
    }
    br_integrator_destroy(s);
}

/* Oracle: golden/friction_1d/drift.csv. LuGre creeps 4.0e-5 m from 2 s to 4 s under a load that it
 * should hold; the elasto-plastic bristle does not. */
static void lugre_drifts_and_elasto_plastic_does_not(void** state)
{
    (void)state;
    table_read(&golden, folder, "drift.csv");
    double x2 = 0.0, x4 = 0.0;
    drift(BR_LAW_LUGRE, "x_lugre", &x2, &x4);
    assert_near(x4 - x2, 4.0e-5, 0.05e-5 /* m, two digits */);
    print_message("LuGre drifts %.3g m\n", x4 - x2);
    drift(BR_LAW_ELASTO_PLASTIC, "x_ep", &x2, &x4);
    assert_near(x4 - x2, 0.0, 1e-12 /* m, as asked */);
    print_message("elasto-plastic drifts %.3g m\n", x4 - x2);
}

static void reaches_stribeck_speed(double t, const double* y, double* g, void* user)
{
    (void)t, (void)user;
    g[0] = y[1] - v_s;
}

/* Oracle: golden/friction_1d/breakaway.csv, F_applied_when_v_first_eq_vs within 1e-7 N. */
static void breakaway_falls_with_the_loading_rate(void** state)
{
    (void)state;
    table_read(&golden, folder, "breakaway.csv");
    for (size_t row = 0; row < golden.rows; row++) {
        const double loading = table_get(&golden, row, "rate_N_per_s");
        const double t[] = {0.0, 20.0}, force[] = {0.0, 20.0 * loading};
        const br_rig rig = {.size = sizeof(br_rig),
                            .mass = 1.0,
                            .law = golden_law(BR_LAW_LUGRE),
                            .force = {.kind = BR_PROFILE_TABLE, .count = 2, .t = t, .value = force},
                            .normal_force = br_profile_constant(1.0)};
        br_rig_system system = {.rig = &rig, .within = 10.0};
        br_ode ode = br_rig_ode(&system);
        ode.events = 1;
        ode.event = reaches_stribeck_speed;
        br_integrator* s = start_rig(ode);
        for (int event = -1; event < 0;) {
            assert_true(br_integrator_get_t(s) < 20.0);
            assert_status(br_integrator_step(s, 20.0, &event, NULL), BR_OK);
        }
        assert_near(loading * br_integrator_get_t(s),
                    table_get(&golden, row, "F_applied_when_v_first_eq_vs"), 1e-7);
        assert_near(rig.law.sigma0 * br_integrator_get_y(s)[2],
                    table_get(&golden, row, "s0z_when_v_eq_vs"), 1e-7);
        br_integrator_destroy(s);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(presliding_loops_match),
        cmocka_unit_test(reversals_match),
        cmocka_unit_test(frictional_lag_matches),
        cmocka_unit_test(an_imposed_run_does_not_step_over_the_plastic_band),
        cmocka_unit_test(stick_slip_matches),
        cmocka_unit_test(drift_under_a_varying_normal_load_matches),
        cmocka_unit_test(lugre_drifts_and_elasto_plastic_does_not),
        cmocka_unit_test(breakaway_falls_with_the_loading_rate),
    };
    if (argc < 2) {
        fprintf(stderr, "usage: %s FOLDER [FILTER]\n", argv[0]);
        return 2;
    }
    folder = argv[1];
    return run_group(argc - 1, argv + 1, tests);
}
