/* Tests of the module sim: rigs and imposed motions. */
#include "rows.h"

#include "bristle/math.h"
#include "bristle/sim.h"

#include <string.h>

#ifdef BRISTLE_HAS_CVODE
static const int methods = 2;
#else
static const int methods = 1;
#endif

enum { MAX_ROWS = 5000, MAX_EVENTS = 100 };

// What a run reported.
typedef struct record {
    size_t rows, events;
    struct {
        double t, x, v, f, z;
    } row[MAX_ROWS];
    br_run_event event[MAX_EVENTS];
    int stop_after; // rows; 0: never
} record;

static void keep_row(const double* row, void* user)
{
    record* r = user;
    assert_true(r->rows < MAX_ROWS);
    const size_t i = r->rows++;
    r->row[i].t = number_of(row, "t");
    r->row[i].x = number_of(row, "x");
    r->row[i].v = number_of(row, "v");
    r->row[i].f = number_of(row, "f");
    r->row[i].z = number_of(row, "z");
}

static void keep_event(const br_run_event* event, void* user)
{
    record* r = user;
    assert_true(r->events < MAX_EVENTS);
    r->event[r->events++] = *event;
}

static bool stop_early(double t, void* user)
{
    const record* r = user;
    return t >= 0.0 && r->stop_after > 0 && (int)r->rows >= r->stop_after;
}

// The callbacks; `recording` sets the record.
static br_run_watch watch = {.size = sizeof(br_run_watch),
                             .start = take_columns,
                             .row = keep_row,
                             .event = keep_event,
                             .stop = stop_early};
static br_run_watch imposed_watch = {
    .size = sizeof(br_run_watch), .start = take_columns, .row = keep_row, .stop = stop_early};

static br_run_def recording(record* r, double duration, double every)
{
    br_run_def def = br_run_def_default();
    *r = (record){.stop_after = r->stop_after};
    def.duration = duration;
    def.every = every;
    watch.user = imposed_watch.user = r;
    return def;
}

static br_rig make_rig(br_law law)
{
    return (br_rig){.size = sizeof(br_rig),
                    .mass = 1.0,
                    .stiffness = 2.0,
                    .pull = 0.1,
                    .law = law,
                    .force = br_profile_constant(0.0),
                    .normal_force = br_profile_constant(1.0)};
}

/* Oracle: closed form (golden/friction_1d/stickslip_coulomb_events.csv): m = 1, k = 2, pull 0.1,
 * mu_s = 1.5, mu_c = 1: slips from 7.5 s, every 7.6112592541013 s, for pi/sqrt 2 + 2 atan(...) s. */
static void coulomb_rig_sticks_and_slips_as_the_closed_form(void** state)
{
    (void)state;
    static const double golden[][3] = {
        // t_slip_start, t_slip_end, x_after_slip
        {7.5, 10.1112592541013, 0.761125925410131},
        {15.1112592541013, 17.7225185082026, 1.52225185082026},
        {22.7225185082026, 25.3337777623039, 2.28337777623039},
        {30.3337777623039, 32.9450370164052, 3.04450370164052},
        {37.9450370164052, 40.5562962705066, 3.80562962705066},
    };
    br_law law = br_law_default(BR_LAW_STICTION);
    law.mu_s = 1.5;
    const br_rig rig = make_rig(law);
    static record r;
    br_run_def def = recording(&r, 41.0, 0.1);
    def.rtol = 1e-10, def.atol = 1e-12;
    assert_status(br_rig_run(&rig, &def, &watch, NULL, NULL), BR_OK);
    assert_int_equal(r.events, 10);
    for (int i = 0; i < 5; i++) {
        assert_true(r.event[2 * i].kind == BR_EVENT_SLIP &&
                    r.event[2 * i + 1].kind == BR_EVENT_STICK);
        /* the tolerance of the run over five slips */
        assert_near(r.event[2 * i].t, golden[i][0], 1e-8);
        assert_near(r.event[2 * i + 1].t, golden[i][1], 1e-8);
    }
    assert_near(r.row[r.rows - 1].x, golden[4][2], 1e-9 /* the tolerance of the run */);
    assert_near(r.row[r.rows - 1].v, 0.0, 0.0 /* sticks exactly */);
    assert_near(r.row[50].f, 2.0 * 0.1 * 5.0, 1e-12 /* holds what is applied: k pull t */);
}

/* Oracle: Newton. With no normal force nothing holds: all memoryless laws let the mass go as if
 * there were no friction, x = pull t - pull/w sin(w t), w^2 = k/m. */
static void nothing_holds_without_a_normal_force(void** state)
{
    (void)state;
    for (br_law_kind kind = BR_LAW_COULOMB; kind <= BR_LAW_STRIBECK; kind++) {
        br_rig rig = make_rig(br_law_default(kind));
        rig.normal_force = br_profile_constant(0.0);
        static record r;
        br_run_def def = recording(&r, 2.0, 0.5);
        def.rtol = 1e-9, def.atol = 1e-11;
        assert_status(br_rig_run(&rig, &def, &watch, NULL, NULL), BR_OK);
        const double w = sqrt(2.0);
        for (size_t i = 0; i < r.rows; i++) {
            const double t = r.row[i].t;
            assert_near(r.row[i].x, 0.1 * (t - sin(w * t) / w), 1e-8 /* tolerance of the run */);
            assert_near(r.row[i].f, 0.0, 1e-15);
        }
    }
}

/* Oracle: definition. A load of exactly mu_s fn is held; a little more is not. */
static void the_holding_force_itself_is_held(void** state)
{
    (void)state;
    br_rig rig = make_rig(br_law_default(BR_LAW_STICTION));
    rig.stiffness = 0.0;
    rig.force = br_profile_constant(1.2);
    static record r;
    br_run_def def = recording(&r, 1.0, 0.1);
    assert_status(br_rig_run(&rig, &def, &watch, NULL, NULL), BR_OK);
    assert_int_equal(r.events, 0);
    assert_near(r.row[r.rows - 1].x, 0.0, 0.0);
    rig.force = br_profile_constant(1.2000001);
    def = recording(&r, 1.0, 0.1);
    assert_status(br_rig_run(&rig, &def, &watch, NULL, NULL), BR_OK);
    assert_int_equal(r.events, 1);
}

/* Oracle: closed form. A sine load whose peaks pass the holding force for a moment only: every peak
 * starts a slip, whatever the phase against the integrator's steps. */
static void short_peaks_of_a_load_are_not_passed_over(void** state)
{
    (void)state;
    for (double phase = 0.0; phase < 0.5; phase += 0.03) {
        br_law law = br_law_default(BR_LAW_STICTION);
        law.mu_c = 0.5, law.mu_s = 1.0;
        br_rig rig = make_rig(law);
        rig.stiffness = 0.0;
        rig.force = (br_profile){
            .kind = BR_PROFILE_SINE, .amplitude = 1.0005, .frequency = 1.0, .phase = phase};
        static record r;
        br_run_def def = recording(&r, 3.0, 0.1);
        assert_status(br_rig_run(&rig, &def, &watch, NULL, NULL), BR_OK);
        size_t slips = 0;
        for (size_t i = 0; i < r.events; i++) {
            slips += r.event[i].kind == BR_EVENT_SLIP;
        }
        assert_int_equal(slips, 6); // one for each peak, up or down
        const double start = (asin(1.0 / 1.0005) - phase) / (2.0 * BR_PI);
        assert_near(r.event[0].t, start, 1e-10);
    }
}

/* Oracle: the rule of run.h: rows at k every and at the end, none dropped or doubled. */
static void rows_come_at_every_requested_instant(void** state)
{
    (void)state;
    static record r;
    const br_rig rig = make_rig(br_law_default(BR_LAW_COULOMB));
    br_run_def def = recording(&r, 0.3, 0.1); // 0.3/0.1 = 2.9999999999999996
    assert_status(br_rig_run(&rig, &def, &watch, NULL, NULL), BR_OK);
    assert_int_equal(r.rows, 4);
    def = recording(&r, 2.0, 0.01);
    assert_status(br_rig_run(&rig, &def, &watch, NULL, NULL), BR_OK);
    assert_int_equal(r.rows, 201);
    for (int i = 0; i < 201; i++) {
        assert_near(r.row[i].t, i / 100.0, 0.0 /* the double nearest to the decimal number */);
    }
    const double at[] = {0.25, 0.5, 1.0};
    def = recording(&r, 1.0, 0.0);
    def.at = at, def.at_count = 3;
    assert_status(br_rig_run(&rig, &def, &watch, NULL, NULL), BR_OK);
    assert_int_equal(r.rows, 3);
    assert_near(r.row[0].t, 0.25, 0.0);
}

/* Oracle: CLI.md's rule: at a jump a row shows what was before it; t = 0 shows what starts there. */
static void rows_at_a_jump_show_the_value_before(void** state)
{
    (void)state;
    const double t[] = {0.0, 0.5}, value[] = {1e-3, 2e-3};
    br_imposed imposed = {
        .size = sizeof(br_imposed),
        .law = br_law_default(BR_LAW_COULOMB),
        .velocity = {.kind = BR_PROFILE_STEPS, .count = 2, .t = t, .value = value},
        .normal_force =
            {.kind = BR_PROFILE_SINE, .mean = 3.0, .amplitude = 1.0, .frequency = 1.0, .hold = 0.1},
    };
    static record r;
    br_run_def def = recording(&r, 1.0, 0.1);
    assert_status(br_imposed_run(&imposed, &def, &imposed_watch, NULL, NULL), BR_OK);
    assert_int_equal(r.rows, 11);
    for (int i = 0; i < 11; i++) {
        assert_near(r.row[i].v, i <= 5 ? 1e-3 : 2e-3, 0.0);
        const double held = 0.1 * (i > 0 ? i - 1 : 0);
        assert_near(r.row[i].f, 3.0 + sin(2.0 * BR_PI * held), 1e-12 /* rounding of i h */);
    }
    assert_near(r.row[10].x, 1.5e-3, 1e-12 /* 0.5 s each at 1 and 2 mm/s */);
}

/* Oracle: definition. A table's rows are met exactly, so a row v = 0 is rest, not a rounding error. */
static void rows_of_a_table_are_met_exactly(void** state)
{
    (void)state;
    const double t[] = {0.0, 0.1, 0.3, 0.7}, v[] = {0.3, 0.1, 0.0, 0.0};
    const br_imposed imposed = {
        .size = sizeof(br_imposed),
        .law = br_law_default(BR_LAW_COULOMB),
        .velocity = {.kind = BR_PROFILE_TABLE, .count = 4, .t = t, .value = v},
        .normal_force = br_profile_constant(1.0),
    };
    static record r;
    br_run_def def = recording(&r, 0.7, 0.0);
    def.at = t, def.at_count = 4;
    assert_status(br_imposed_run(&imposed, &def, &imposed_watch, NULL, NULL), BR_OK);
    for (size_t i = 0; i < 4; i++) {
        assert_near(r.row[i].v, v[i], 0.0 /* exact */);
    }
    assert_near(r.row[2].f, 0.0, 0.0 /* at rest */);
}

/* Oracle: |f| <= Fc up to the tolerance. Dahl runs where the normal force touches zero, and with any
 * exponent, in a reasonable number of steps. */
static void dahl_runs_through_zero_force_and_with_any_exponent(void** state)
{
    (void)state;
    br_law law = br_law_default(BR_LAW_DAHL);
    law.sigma0 = 1e5;
    const br_imposed imposed = {
        .size = sizeof(br_imposed),
        .law = law,
        .velocity = br_profile_constant(0.1),
        .normal_force = {.kind = BR_PROFILE_SINE, .mean = 1.0, .amplitude = 1.0, .frequency = 1.0}};
    static record r;
    br_run_def def = recording(&r, 2.0, 0.05);
    assert_status(br_imposed_run(&imposed, &def, &imposed_watch, NULL, NULL), BR_OK);
    for (size_t i = 2; i < r.rows; i++) {
        const double fc = 1.0 + sin(2.0 * BR_PI * r.row[i].t);
        assert_near(r.row[i].f, fc, 1e-3 /* lags by Fc/(sigma0 v) dFc/dt */);
    }
    for (int i = 0; i < 4; i++) {
        br_rig rig = make_rig(law);
        rig.law.alpha = (const double[]){0.01, 0.3, 0.5, 0.9}[i];
        br_integrator_cost cost;
        def = recording(&r, 20.0, 0.5);
        assert_status(br_rig_run(&rig, &def, &watch, &cost, NULL), BR_OK);
        assert_true(cost.steps < 4000); // 1600 at most were taken
        for (size_t row = 0; row < r.rows; row++) {
            assert_true(fabs(r.row[row].f) < 1.0 + 1e-4);
        }
    }
}

/* Oracle: the same run with tight tolerances and short steps. A speed that falls to zero takes the
 * bristle's relaxation with it; at the default tolerances the force still follows Stribeck's rise. */
static void default_tolerances_follow_a_motion_to_rest(void** state)
{
    (void)state;
    static record loose, tight;
    const double t[] = {0.0, 0.3, 1.3, 1.6, 2.0}, v[] = {0.0, 6e-3, 6e-3, 0.0, 0.0};
    for (br_law_kind kind = BR_LAW_DAHL; kind <= BR_LAW_ELASTO_PLASTIC; kind++) {
        const br_imposed imposed = {
            .size = sizeof(br_imposed),
            .law = br_law_default(kind),
            .velocity = {.kind = BR_PROFILE_TABLE, .count = 5, .t = t, .value = v},
            .normal_force = br_profile_constant(1.0)};
        br_run_def def = recording(&loose, 2.0, 0.01);
        assert_status(br_imposed_run(&imposed, &def, &imposed_watch, NULL, NULL), BR_OK);
        def = recording(&tight, 2.0, 0.01);
        def.rtol = 1e-10, def.atol_z = 1e-14, def.max_step = 1e-5;
        assert_status(br_imposed_run(&imposed, &def, &imposed_watch, NULL, NULL), BR_OK);
        for (size_t i = 0; i < loose.rows; i++) {
            assert_near(loose.row[i].f, tight.row[i].f, 1e-3 /* N: atol_z sigma0 = 1e-4 a step */);
        }
    }
}

/* Oracle: closed form. An imposed constant velocity: z = z* (1 - e^-at) for LuGre. */
static void imposed_motion_follows_the_closed_form(void** state)
{
    (void)state;
    const br_law law = br_law_default(BR_LAW_LUGRE);
    const double v = 2e-4, g = br_law_g(&law, v);
    const br_imposed imposed = {.size = sizeof(br_imposed),
                                .law = law,
                                .velocity = br_profile_constant(v),
                                .normal_force = br_profile_constant(1.0)};
    static record r;
    br_run_def def = recording(&r, 0.02, 0.001);
    def.rtol = 1e-10, def.atol_z = 1e-15;
    assert_status(br_imposed_run(&imposed, &def, &imposed_watch, NULL, NULL), BR_OK);
    for (size_t i = 0; i < r.rows; i++) {
        const double z = g / law.sigma0 * -expm1(-law.sigma0 * v / g * r.row[i].t);
        assert_near(r.row[i].z, z, 1e-8 * g / law.sigma0 /* dense output at rtol 1e-10 */);
    }
}

/* Oracle: CVODE, an independent program. All laws with bristles on the rig. */
static void rosenbrock_and_cvode_agree_on_the_rig(void** state)
{
    (void)state;
    if (methods < 2) {
        print_message("skipped: built without CVODE\n");
        skip();
    }
    static record ours, theirs;
    for (br_law_kind kind = BR_LAW_DAHL; kind <= BR_LAW_ELASTO_PLASTIC; kind++) {
        br_law law = br_law_default(kind);
        law.sigma0 = 1e5, law.sigma1 = 316.0, law.sigma2 = 0.4, law.mu_s = 1.5;
        br_rig rig = make_rig(law);
        rig.normal_force = (br_profile){
            .kind = BR_PROFILE_SINE, .mean = 1.0, .amplitude = 0.3, .frequency = 2.0, .hold = 0.05};
        br_run_def def = recording(&ours, 20.0, 0.05);
        def.rtol = 1e-9, def.atol = 1e-11, def.atol_z = 1e-14;
        assert_status(br_rig_run(&rig, &def, &watch, NULL, NULL), BR_OK);
        def = recording(&theirs, 20.0, 0.05);
        def.rtol = 1e-9, def.atol = 1e-11, def.atol_z = 1e-14;
        def.method = BR_INTEGRATOR_CVODE;
        assert_status(br_rig_run(&rig, &def, &watch, NULL, NULL), BR_OK);
        assert_int_equal(ours.rows, theirs.rows);
        for (size_t i = 0; i < ours.rows; i++) {
            /* each slip multiplies the error made before it; travel is 2 m */
            assert_near(ours.row[i].x, theirs.row[i].x, 1e-6);
        }
    }
}

/* Oracle: definition. The run stops when requested, and reports the time. */
static void a_run_stops_on_request(void** state)
{
    (void)state;
    static record r = {.stop_after = 5};
    const br_rig rig = make_rig(br_law_default(BR_LAW_LUGRE));
    br_run_def def = recording(&r, 10.0, 0.1);
    br_reason why;
    assert_status(br_rig_run(&rig, &def, &watch, NULL, &why), BR_ERR_STOPPED);
    assert_non_null(strstr(why.text, "stopped at t = "));
    r.stop_after = 0;
}

/* Oracle: the ranges of rig.h. */
static void bad_rigs_are_refused_with_the_field(void** state)
{
    (void)state;
    static record r;
    const br_rig good = make_rig(br_law_default(BR_LAW_LUGRE));
    const br_run_def def = recording(&r, 1.0, 0.1);
    br_reason why;
    br_rig rig = good;
    rig.mass = 0.0;
    assert_status(br_rig_run(&rig, &def, &watch, NULL, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "mass");
    rig = good, rig.stiffness = -1.0;
    assert_status(br_rig_run(&rig, &def, &watch, NULL, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "stiffness");
    rig = good, rig.pull = (double)NAN;
    assert_status(br_rig_run(&rig, &def, &watch, NULL, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "pull");
    rig = good, rig.normal_force = br_profile_constant(-1.0);
    assert_status(br_rig_run(&rig, &def, &watch, NULL, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "normal_force");
    rig = good, rig.law.sigma0 = -1.0;
    assert_status(br_rig_run(&rig, &def, &watch, NULL, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "sigma0");
    br_run_def bad = def;
    bad.duration = 0.0;
    assert_status(br_rig_run(&good, &bad, &watch, NULL, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "duration");
    for (int i = 0; i < 2; i++) {
        bad = def, bad.every = i ? 1e-300 : -1.0;
        assert_status(br_rig_run(&good, &bad, &watch, NULL, &why), BR_ERR_DEF);
        assert_string_equal(why.field, "every");
    }
    bad = def, bad.every = 0.0, bad.at = (const double[]){0.0, 0.5, 0.5}, bad.at_count = 3;
    assert_status(br_rig_run(&good, &bad, &watch, NULL, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "at");
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coulomb_rig_sticks_and_slips_as_the_closed_form),
        cmocka_unit_test(nothing_holds_without_a_normal_force),
        cmocka_unit_test(the_holding_force_itself_is_held),
        cmocka_unit_test(short_peaks_of_a_load_are_not_passed_over),
        cmocka_unit_test(rows_come_at_every_requested_instant),
        cmocka_unit_test(rows_at_a_jump_show_the_value_before),
        cmocka_unit_test(rows_of_a_table_are_met_exactly),
        cmocka_unit_test(dahl_runs_through_zero_force_and_with_any_exponent),
        cmocka_unit_test(default_tolerances_follow_a_motion_to_rest),
        cmocka_unit_test(imposed_motion_follows_the_closed_form),
        cmocka_unit_test(rosenbrock_and_cvode_agree_on_the_rig),
        cmocka_unit_test(a_run_stops_on_request),
        cmocka_unit_test(bad_rigs_are_refused_with_the_field),
    };
    return run_group(argc, argv, tests);
}
