/* Tests of the room sim: profiles, integrators, rigs. */
#include "check.h"

#include "bristle/math.h"
#include "bristle/sim.h"

#include <string.h>

#ifdef BRISTLE_HAS_CVODE
static const int methods = 2;
#else
static const int methods = 1;
#endif

// --- profiles -------------------------------------------------------------------------------------

/* Oracle: the definition in profile.h. */
static void profiles_have_the_value_before_a_jump_within_the_piece_before(void** state)
{
    (void)state;
    const double t[] = {1.0, 2.0}, value[] = {5.0, 7.0};
    const br_profile steps = {.kind = BR_PROFILE_STEPS, .count = 2, .t = t, .value = value};
    assert_near(br_profile_eval(&steps, 0.0, 0.5, NULL), 5.0, 0.0);
    assert_near(br_profile_eval(&steps, 2.0, 1.5, NULL), 5.0, 0.0 /* before the jump */);
    assert_near(br_profile_eval(&steps, 2.0, 2.5, NULL), 7.0, 0.0 /* after it */);
    assert_near(br_profile_next_break(&steps, 1.0), 2.0, 0.0);
    assert_true(isinf(br_profile_next_break(&steps, 2.0)));

    const br_profile table = {.kind = BR_PROFILE_TABLE, .count = 2, .t = t, .value = value};
    double slope;
    assert_near(br_profile_eval(&table, 1.25, 1.5, &slope), 5.5, 1e-15);
    assert_near(slope, 2.0, 0.0);
    assert_near(br_profile_eval(&table, 0.0, 0.5, &slope), 5.0, 0.0);
    assert_near(br_profile_eval(&table, 9.0, 9.0, &slope), 7.0, 0.0);
    assert_near(slope, 0.0, 0.0);

    const br_profile sine = {
        .kind = BR_PROFILE_SINE, .mean = 2.0, .amplitude = 3.0, .frequency = 0.25, .start = 1.0};
    assert_near(br_profile_eval(&sine, 1.0, 0.5, NULL), 2.0, 0.0);
    assert_near(br_profile_eval(&sine, 1.0, 1.5, &slope), 5.0, 1e-15 /* sin(pi/2) */);
    assert_near(slope, 0.0, 1e-15 /* cos(pi/2) in doubles */);
    assert_near(br_profile_next_break(&sine, 0.0), 1.0, 0.0);
}

/* Oracle: CLI.md's rule: instants by index. 0.1 i is not floor-safe in doubles; every hold must last
 * exactly one instant. */
static void holds_change_at_every_instant_and_only_there(void** state)
{
    (void)state;
    const double t[] = {0.0, 100.0}, value[] = {0.0, 100.0};
    const br_profile held = {
        .kind = BR_PROFILE_TABLE, .count = 2, .t = t, .value = value, .hold = 0.1};
    double now = 0.0;
    for (int i = 0; i < 900; i++) {
        const double next = br_profile_next_break(&held, now);
        assert_near(next, (i + 1) * 0.1, 1e-12 /* rounding of i h */);
        assert_near(br_profile_eval(&held, next, 0.5 * (now + next), NULL), i * 0.1, 1e-12);
        now = next;
    }
}

/* Oracle: the ranges of profile.h. */
static void bad_profiles_are_refused(void** state)
{
    (void)state;
    const double t[] = {0.0, 0.0}, value[] = {1.0, (double)NAN};
    br_reason why;
    br_profile p = {.kind = BR_PROFILE_TABLE, .count = 2, .t = t, .value = t};
    assert_status(br_profile_check(&p, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "times");
    p.t = (const double[]){0.0, 1.0}, p.value = value;
    assert_status(br_profile_check(&p, NULL), BR_ERR_DEF);
    p.count = 0;
    assert_status(br_profile_check(&p, NULL), BR_ERR_DEF);
    p = br_profile_constant(HUGE_VAL);
    assert_status(br_profile_check(&p, NULL), BR_ERR_DEF);
    p = br_profile_constant(1.0);
    p.hold = -1.0;
    assert_status(br_profile_check(&p, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "hold");
}

// --- integrators ----------------------------------------------------------------------------------

// Kaps' problem with time entering on its own: y1 = e^-2t, y2 = e^-t + sin t - sin t.
static double kaps_epsilon = 1.0;

static void kaps_rate(double t, const double* y, double* dy, void* user)
{
    (void)user;
    const double e = kaps_epsilon;
    dy[0] = -(2.0 + 1.0 / e) * y[0] + y[1] * y[1] / e;
    dy[1] = y[0] - y[1] - y[1] * y[1] + sin(t) * (y[0] - exp(-2.0 * t));
}

static void kaps_jacobian(double t, const double* y, double* j, double* dfdt, void* user)
{
    (void)user;
    const double e = kaps_epsilon;
    j[0] = -(2.0 + 1.0 / e), j[1] = 2.0 * y[1] / e;
    j[2] = 1.0 + sin(t), j[3] = -1.0 - 2.0 * y[1];
    dfdt[0] = 0.0;
    dfdt[1] = cos(t) * (y[0] - exp(-2.0 * t)) + 2.0 * sin(t) * exp(-2.0 * t);
}

static br_integrator* make(br_ode ode, br_integrator_kind kind, double rtol, const double* atol,
                           double fixed_step)
{
    br_integrator_def def = br_integrator_def_default();
    def.kind = kind;
    def.rtol = rtol;
    def.atol = atol;
    if (fixed_step > 0.0) {
        def.first_step = def.max_step = fixed_step;
    }
    br_integrator* s = NULL;
    assert_status(br_integrator_create(&ode, &def, &s, NULL), BR_OK);
    return s;
}

// Largest error of fixed steps h to t = 1, at the steps (dense = 0) or between them (dense = 1).
static double kaps_error(double epsilon, double h, int dense)
{
    kaps_epsilon = epsilon;
    const br_ode ode = {.n = 2, .rate = kaps_rate, .jacobian = kaps_jacobian};
    br_integrator* s = make(ode, BR_ROSENBROCK, 0.5, (const double[]){1e9, 1e9}, h);
    double y[2] = {1.0, 1.0}, worst = 0.0;
    br_integrator_start(s, 0.0, y);
    while (br_integrator_t(s) < 1.0) {
        const double before = br_integrator_t(s);
        assert_status(br_integrator_step(s, 1.0, NULL, NULL), BR_OK);
        const double t = dense ? before + 0.37 * (br_integrator_t(s) - before) : br_integrator_t(s);
        br_integrator_at(s, t, y);
        worst = fmax(worst, fmax(fabs(y[0] - exp(-2.0 * t)), fabs(y[1] - exp(-t))));
    }
    br_integrator_destroy(s);
    return worst;
}

/* Oracle: order of convergence on a problem with a known solution. */
static void rosenbrock_has_order_four(void** state)
{
    (void)state;
    for (double h = 0.05; h > 0.01; h *= 0.5) {
        const double order = log2(kaps_error(1.0, h, 0) / kaps_error(1.0, 0.5 * h, 0));
        assert_true(order > 3.8 && order < 5.2);
    }
    /* stiffly accurate: as epsilon -> 0 the error does not grow */
    assert_true(kaps_error(1e-8, 0.05, 0) < 2.0 * kaps_error(1.0, 0.05, 0) + 1e-6);
}

/* Oracle: order of convergence; an interpolant of order 3 errs by O(h^4) within a step. */
static void dense_output_has_order_three_or_better(void** state)
{
    (void)state;
    const double order = log2(kaps_error(1.0, 0.05, 1) / kaps_error(1.0, 0.025, 1));
    assert_true(order > 3.5);
}

/* Oracle: the known solution. The error follows the tolerance, with either method. */
static void errors_follow_the_tolerance(void** state)
{
    (void)state;
    kaps_epsilon = 1e-3;
    const br_ode ode = {.n = 2, .rate = kaps_rate, .jacobian = kaps_jacobian};
    for (int method = 0; method < methods; method++) {
        for (double tolerance = 1e-4; tolerance > 1e-11; tolerance *= 0.1) {
            br_integrator* s = make(ode, method ? BR_CVODE : BR_ROSENBROCK, tolerance,
                                    (const double[]){tolerance, tolerance}, 0.0);
            double y[2] = {1.0, 1.0};
            br_integrator_start(s, 0.0, y);
            while (br_integrator_t(s) < 1.0) {
                assert_status(br_integrator_step(s, 1.0, NULL, NULL), BR_OK);
            }
            /* local errors of the tolerance add up over some hundred steps at the most */
            assert_near(br_integrator_y(s)[1], exp(-1.0), 30.0 * tolerance);
            br_integrator_destroy(s);
        }
    }
}

static void swing_rate(double t, const double* y, double* dy, void* user)
{
    (void)t, (void)user;
    dy[0] = y[1], dy[1] = -y[0];
}

static void swing_jacobian(double t, const double* y, double* j, double* dfdt, void* user)
{
    (void)t, (void)y, (void)user;
    j[0] = 0.0, j[1] = 1.0, j[2] = -1.0, j[3] = 0.0;
    dfdt[0] = dfdt[1] = 0.0;
}

static void swing_event(double t, const double* y, double* g, void* user)
{
    (void)user;
    g[0] = y[0];
    g[1] = t - 2.0;
    g[2] = t - 2.0 - 1e-9; // close behind another one
}

/* Oracle: closed form. x = cos t is 0 at pi/2, 3 pi/2, ...; events come in order, none is lost,
 * and those that depend on t alone are met to 1e-12 of the step. */
static void events_are_found_in_order(void** state)
{
    (void)state;
    const br_ode ode = {
        .n = 2, .rate = swing_rate, .jacobian = swing_jacobian, .events = 3, .event = swing_event};
    const double expected[] = {0.5 * BR_PI, 2.0, 2.0 + 1e-9, 1.5 * BR_PI, 2.5 * BR_PI};
    const int index[] = {0, 1, 2, 0, 0};
    for (int method = 0; method < methods; method++) {
        br_integrator* s = make(ode, method ? BR_CVODE : BR_ROSENBROCK, 1e-10,
                                (const double[]){1e-10, 1e-10}, 0.0);
        double y[2] = {1.0, 0.0};
        br_integrator_start(s, 0.0, y);
        int found = 0;
        while (br_integrator_t(s) < 9.0) {
            int event;
            assert_status(br_integrator_step(s, 9.0, &event, NULL), BR_OK);
            if (event >= 0) {
                assert_true(found < 5);
                assert_int_equal(event, index[found]);
                /* clock events: 1e-12 of a step below 1 s; others carry the integration error */
                assert_near(br_integrator_t(s), expected[found], event ? 1e-12 : 2e-8);
                found++;
            }
        }
        assert_int_equal(found, 5);
        br_integrator_destroy(s);
    }
}

static void clock_rate(double t, const double* y, double* dy, void* user)
{
    (void)t, (void)y, (void)user;
    dy[0] = 1.0;
}

static void clock_jacobian(double t, const double* y, double* j, double* dfdt, void* user)
{
    (void)t, (void)y, (void)user;
    j[0] = dfdt[0] = 0.0;
}

static void flat_event(double t, const double* y, double* g, void* user)
{
    (void)t;
    const int which = *(const int*)user;
    g[0] = which == 0   ? 1e-20 - y[0] * y[0] * y[0]  // so flat that secants round to an end
           : which == 1 ? (y[0] < 0.5 ? 1e-18 : -1.0) // a jump
                        : 1e-200 * (0.25 - y[0]);     // products of it underflow
}

/* Oracle: closed form. y = t; events that are flat, jump, or are tiny are still met to 1e-12. */
static void events_of_awkward_functions_are_located(void** state)
{
    (void)state;
    const double expected[] = {2.154434690031884e-7 /* 1e-20^(1/3) */, 0.5, 0.25};
    for (int which = 0; which < 3; which++) {
        const br_ode ode = {.n = 1,
                            .rate = clock_rate,
                            .jacobian = clock_jacobian,
                            .events = 1,
                            .event = flat_event,
                            .user = &which};
        br_integrator* s = make(ode, BR_ROSENBROCK, 1e-6, (const double[]){1e-6}, 1.0);
        br_integrator_start(s, 0.0, (const double[]){0.0});
        int event;
        assert_status(br_integrator_step(s, 1.0, &event, NULL), BR_OK);
        assert_int_equal(event, 0);
        assert_near(br_integrator_t(s), expected[which], 1e-12 /* of the step */);
        br_integrator_destroy(s);
    }
}

/* Oracle: definition. A step goes forward. */
static void a_step_backwards_is_refused(void** state)
{
    (void)state;
    const br_ode ode = {.n = 1, .rate = clock_rate, .jacobian = clock_jacobian};
    br_integrator* s = make(ode, BR_ROSENBROCK, 1e-6, (const double[]){1e-6}, 0.0);
    br_integrator_start(s, 1.0, (const double[]){0.0});
    br_reason why;
    assert_status(br_integrator_step(s, 1.0, NULL, &why), BR_ERR_ARG);
    assert_string_equal(why.field, "t_end");
    assert_status(br_integrator_step(s, (double)NAN, NULL, &why), BR_ERR_ARG);
    assert_near(br_integrator_t(s), 1.0, 0.0 /* nothing happened */);
    br_integrator_destroy(s);
}

static void explode_rate(double t, const double* y, double* dy, void* user)
{
    (void)t, (void)user;
    dy[0] = y[0] * y[0];
}

static void explode_jacobian(double t, const double* y, double* j, double* dfdt, void* user)
{
    (void)t, (void)user;
    j[0] = 2.0 * y[0];
    dfdt[0] = 0.0;
}

/* Oracle: closed form. y' = y^2, y(0) = 1 ends at t = 1; the message says so. */
static void a_solution_that_ends_is_reported_with_its_time(void** state)
{
    (void)state;
    const br_ode ode = {.n = 1, .rate = explode_rate, .jacobian = explode_jacobian};
    for (int method = 0; method < methods; method++) {
        br_integrator* s =
            make(ode, method ? BR_CVODE : BR_ROSENBROCK, 1e-6, (const double[]){1e-6}, 0.0);
        br_integrator_start(s, 0.0, (const double[]){1.0});
        br_reason why;
        br_status status = BR_OK;
        while (status == BR_OK && br_integrator_t(s) < 2.0) {
            status = br_integrator_step(s, 2.0, NULL, &why);
        }
        assert_status(status, BR_ERR_CONVERGENCE);
        const char* t = strstr(why.text, "at t = ");
        assert_non_null(t);
        assert_near(atof(t + 7), 1.0, 1e-3 /* error of the run at these tolerances */);
        br_integrator_destroy(s);
    }
}

/* Oracle: the ranges of integrator.h. */
static void bad_integrations_are_refused(void** state)
{
    (void)state;
    const br_ode ode = {.n = 1, .rate = explode_rate, .jacobian = explode_jacobian};
    const double atol[] = {1e-6};
    br_integrator* s = (br_integrator*)1;
    br_integrator_def def = br_integrator_def_default();
    br_reason why;
    assert_status(br_integrator_create(&ode, &def, &s, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "atol");
    assert_null(s);
    def.atol = atol;
    def.rtol = 0.0;
    assert_status(br_integrator_create(&ode, &def, &s, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "rtol");
    def.rtol = 1e-6;
    def.max_step = -1.0;
    assert_status(br_integrator_create(&ode, &def, &s, &why), BR_ERR_DEF);
    def.max_step = 1.0;
    def.size = 3;
    assert_status(br_integrator_create(&ode, &def, &s, &why), BR_ERR_DEF);
    def.size = sizeof def;
    def.kind = (br_integrator_kind)7;
    assert_status(br_integrator_create(&ode, &def, &s, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "kind");
    def.kind = BR_ROSENBROCK;
    def.max_steps = 0;
    assert_status(br_integrator_create(&ode, &def, &s, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "max_steps");
    def.max_steps = 3;
    assert_status(br_integrator_create(&ode, &def, &s, &why), BR_OK);
    br_integrator_start(s, 0.0, (const double[]){1.0});
    br_status status = BR_OK;
    for (int i = 0; i < 4 && status == BR_OK; i++) {
        status = br_integrator_step(s, 0.99, NULL, &why);
    }
    assert_status(status, BR_ERR_CONVERGENCE);
    assert_non_null(strstr(why.text, "number of steps"));
    br_integrator_destroy(s);
#ifndef BRISTLE_HAS_CVODE
    def.kind = BR_CVODE;
    assert_status(br_integrator_create(&ode, &def, &s, &why), BR_ERR_ABSENT);
#endif
}

/* Oracle: the counting allocator. No memory is an error without a leak, and steps take none. */
static void integrators_allocate_only_when_created(void** state)
{
    (void)state;
    const br_ode ode = {
        .n = 2, .rate = swing_rate, .jacobian = swing_jacobian, .events = 3, .event = swing_event};
    br_integrator_def def = br_integrator_def_default();
    def.atol = (const double[]){1e-8, 1e-8};
    br_integrator* s = NULL;
    counting count = {.fail_at = 1};
    br_set_allocator(counting_allocate, counting_release, &count);
    while (br_integrator_create(&ode, &def, &s, NULL) == BR_ERR_MEMORY) {
        assert_int_equal(count.alive, 0);
        count.fail_at++;
        count.calls = 0;
    }
    assert_non_null(s);
    count.fail_at = count.calls = 0;
    br_integrator_start(s, 0.0, (const double[]){1.0, 0.0});
    while (br_integrator_t(s) < 5.0) {
        int event;
        double y[2];
        assert_status(br_integrator_step(s, 5.0, &event, NULL), BR_OK);
        br_integrator_at(s, br_integrator_t(s), y);
    }
    assert_int_equal(count.calls, 0);
    br_integrator_destroy(s);
    br_set_allocator(NULL, NULL, NULL);
    assert_int_equal(count.alive, 0);
}

// --- rigs -----------------------------------------------------------------------------------------

enum { MAX_ROWS = 5000, MAX_EVENTS = 100 };

// What a run told.
typedef struct record {
    size_t rows, events;
    br_rig_row row[MAX_ROWS];
    br_rig_event event[MAX_EVENTS];
    int stop_after; // rows; 0: never
} record;

static void keep_row(const br_rig_row* row, void* user)
{
    record* r = user;
    assert_true(r->rows < MAX_ROWS);
    r->row[r->rows++] = *row;
}

static void keep_event(const br_rig_event* event, void* user)
{
    record* r = user;
    assert_true(r->events < MAX_EVENTS);
    r->event[r->events++] = *event;
}

static int stop_early(double fraction, void* user)
{
    const record* r = user;
    return fraction >= 0.0 && r->stop_after > 0 && (int)r->rows >= r->stop_after;
}

static br_run_def recording(record* r, double duration, double every)
{
    br_run_def def = br_run_def_default();
    *r = (record){.stop_after = r->stop_after};
    def.duration = duration;
    def.every = every;
    def.row = keep_row;
    def.event = keep_event;
    def.progress = stop_early;
    def.user = r;
    return def;
}

static br_rig make_rig(br_law law)
{
    return (br_rig){.mass = 1.0,
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
    assert_status(br_rig_run(&rig, &def, NULL, NULL), BR_OK);
    assert_int_equal(r.events, 10);
    for (int i = 0; i < 5; i++) {
        assert_true(r.event[2 * i].slips && !r.event[2 * i + 1].slips);
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
        assert_status(br_rig_run(&rig, &def, NULL, NULL), BR_OK);
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
    assert_status(br_rig_run(&rig, &def, NULL, NULL), BR_OK);
    assert_int_equal(r.events, 0);
    assert_near(r.row[r.rows - 1].x, 0.0, 0.0);
    rig.force = br_profile_constant(1.2000001);
    def = recording(&r, 1.0, 0.1);
    assert_status(br_rig_run(&rig, &def, NULL, NULL), BR_OK);
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
        assert_status(br_rig_run(&rig, &def, NULL, NULL), BR_OK);
        size_t slips = 0;
        for (size_t i = 0; i < r.events; i++) {
            slips += r.event[i].slips;
        }
        assert_int_equal(slips, 6); // one for each peak, up or down
        const double begins = (asin(1.0 / 1.0005) - phase) / (2.0 * BR_PI);
        assert_near(r.event[0].t, begins, 1e-10);
    }
}

/* Oracle: CLI.md's rule: rows at k every, k = 0..round(duration/every), none dropped or doubled. */
static void rows_come_at_every_instant_asked_for(void** state)
{
    (void)state;
    static record r;
    const br_rig rig = make_rig(br_law_default(BR_LAW_COULOMB));
    br_run_def def = recording(&r, 0.3, 0.1); // 0.3/0.1 = 2.9999999999999996
    assert_status(br_rig_run(&rig, &def, NULL, NULL), BR_OK);
    assert_int_equal(r.rows, 4);
    def = recording(&r, 2.0, 0.01);
    assert_status(br_rig_run(&rig, &def, NULL, NULL), BR_OK);
    assert_int_equal(r.rows, 201);
    for (int i = 0; i < 201; i++) {
        assert_near(r.row[i].t, i * 0.01, 0.0 /* the very product */);
    }
    const double at[] = {0.25, 0.5, 1.0};
    def = recording(&r, 1.0, 0.0);
    def.at = at, def.at_count = 3;
    assert_status(br_rig_run(&rig, &def, NULL, NULL), BR_OK);
    assert_int_equal(r.rows, 3);
    assert_near(r.row[0].t, 0.25, 0.0);
}

/* Oracle: CLI.md's rule: at a jump a row shows what was before it; t = 0 shows what begins there. */
static void rows_at_a_jump_show_the_value_before(void** state)
{
    (void)state;
    const double t[] = {0.0, 0.5}, value[] = {1e-3, 2e-3};
    br_imposed imposed = {
        .law = br_law_default(BR_LAW_COULOMB),
        .velocity = {.kind = BR_PROFILE_STEPS, .count = 2, .t = t, .value = value},
        .normal_force =
            {.kind = BR_PROFILE_SINE, .mean = 3.0, .amplitude = 1.0, .frequency = 1.0, .hold = 0.1},
    };
    static record r;
    br_run_def def = recording(&r, 1.0, 0.1);
    assert_status(br_imposed_run(&imposed, &def, NULL, NULL), BR_OK);
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
        .law = br_law_default(BR_LAW_COULOMB),
        .velocity = {.kind = BR_PROFILE_TABLE, .count = 4, .t = t, .value = v},
        .normal_force = br_profile_constant(1.0),
    };
    static record r;
    br_run_def def = recording(&r, 0.7, 0.0);
    def.at = t, def.at_count = 4;
    assert_status(br_imposed_run(&imposed, &def, NULL, NULL), BR_OK);
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
        .law = law,
        .velocity = br_profile_constant(0.1),
        .normal_force = {.kind = BR_PROFILE_SINE, .mean = 1.0, .amplitude = 1.0, .frequency = 1.0}};
    static record r;
    br_run_def def = recording(&r, 2.0, 0.05);
    assert_status(br_imposed_run(&imposed, &def, NULL, NULL), BR_OK);
    for (size_t i = 2; i < r.rows; i++) {
        const double fc = 1.0 + sin(2.0 * BR_PI * r.row[i].t);
        assert_near(r.row[i].f, fc, 1e-3 /* lags by Fc/(sigma0 v) dFc/dt */);
    }
    for (int i = 0; i < 4; i++) {
        br_rig rig = make_rig(law);
        rig.law.alpha = (const double[]){0.01, 0.3, 0.5, 0.9}[i];
        br_integrator_cost cost;
        def = recording(&r, 20.0, 0.5);
        assert_status(br_rig_run(&rig, &def, &cost, NULL), BR_OK);
        assert_true(cost.steps < 20000);
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
            .law = br_law_default(kind),
            .velocity = {.kind = BR_PROFILE_TABLE, .count = 5, .t = t, .value = v},
            .normal_force = br_profile_constant(1.0)};
        br_run_def def = recording(&loose, 2.0, 0.01);
        assert_status(br_imposed_run(&imposed, &def, NULL, NULL), BR_OK);
        def = recording(&tight, 2.0, 0.01);
        def.rtol = 1e-10, def.atol_z = 1e-14, def.max_step = 1e-5;
        assert_status(br_imposed_run(&imposed, &def, NULL, NULL), BR_OK);
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
    const br_imposed imposed = {
        .law = law, .velocity = br_profile_constant(v), .normal_force = br_profile_constant(1.0)};
    static record r;
    br_run_def def = recording(&r, 0.02, 0.001);
    def.rtol = 1e-10, def.atol_z = 1e-15;
    assert_status(br_imposed_run(&imposed, &def, NULL, NULL), BR_OK);
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
        assert_status(br_rig_run(&rig, &def, NULL, NULL), BR_OK);
        def = recording(&theirs, 20.0, 0.05);
        def.rtol = 1e-9, def.atol = 1e-11, def.atol_z = 1e-14;
        def.integrator = BR_CVODE;
        assert_status(br_rig_run(&rig, &def, NULL, NULL), BR_OK);
        assert_int_equal(ours.rows, theirs.rows);
        for (size_t i = 0; i < ours.rows; i++) {
            /* each slip multiplies the error made before it; travel is 2 m */
            assert_near(ours.row[i].x, theirs.row[i].x, 1e-6);
        }
    }
}

/* Oracle: definition. The run stops when told to, and says when. */
static void a_run_stops_on_request(void** state)
{
    (void)state;
    static record r = {.stop_after = 5};
    const br_rig rig = make_rig(br_law_default(BR_LAW_LUGRE));
    br_run_def def = recording(&r, 10.0, 0.1);
    br_reason why;
    assert_status(br_rig_run(&rig, &def, NULL, &why), BR_ERR_STOPPED);
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
    assert_status(br_rig_run(&rig, &def, NULL, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "mass");
    rig = good, rig.stiffness = -1.0;
    assert_status(br_rig_run(&rig, &def, NULL, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "stiffness");
    rig = good, rig.pull = (double)NAN;
    assert_status(br_rig_run(&rig, &def, NULL, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "pull");
    rig = good, rig.normal_force = br_profile_constant(-1.0);
    assert_status(br_rig_run(&rig, &def, NULL, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "normal_force");
    rig = good, rig.law.sigma0 = -1.0;
    assert_status(br_rig_run(&rig, &def, NULL, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "sigma0");
    br_run_def bad = def;
    bad.duration = 0.0;
    assert_status(br_rig_run(&good, &bad, NULL, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "duration");
    for (int i = 0; i < 2; i++) {
        bad = def, bad.every = i ? 1e-300 : -1.0;
        assert_status(br_rig_run(&good, &bad, NULL, &why), BR_ERR_DEF);
        assert_string_equal(why.field, "every");
    }
    bad = def, bad.at = (const double[]){0.0, 0.5, 0.5}, bad.at_count = 3;
    assert_status(br_rig_run(&good, &bad, NULL, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "at");
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(profiles_have_the_value_before_a_jump_within_the_piece_before),
        cmocka_unit_test(holds_change_at_every_instant_and_only_there),
        cmocka_unit_test(bad_profiles_are_refused),
        cmocka_unit_test(rosenbrock_has_order_four),
        cmocka_unit_test(dense_output_has_order_three_or_better),
        cmocka_unit_test(errors_follow_the_tolerance),
        cmocka_unit_test(events_are_found_in_order),
        cmocka_unit_test(events_of_awkward_functions_are_located),
        cmocka_unit_test(a_step_backwards_is_refused),
        cmocka_unit_test(a_solution_that_ends_is_reported_with_its_time),
        cmocka_unit_test(bad_integrations_are_refused),
        cmocka_unit_test(integrators_allocate_only_when_created),
        cmocka_unit_test(coulomb_rig_sticks_and_slips_as_the_closed_form),
        cmocka_unit_test(nothing_holds_without_a_normal_force),
        cmocka_unit_test(the_holding_force_itself_is_held),
        cmocka_unit_test(short_peaks_of_a_load_are_not_passed_over),
        cmocka_unit_test(rows_come_at_every_instant_asked_for),
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
