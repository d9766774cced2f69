/* Tests of the module sim: profiles, integrators. */
#include "rows.h"

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

/* Oracle: walking every instant, for holds that are coarse, fine and in step with the sine. The finest
 * cannot be walked at all: the answer is the sine's own. */
static void held_profiles_report_their_first_negative_instant(void** state)
{
    (void)state;
    const double holds[] = {0.01, 0.0625, 0.1, 0.3, 0.5, 1.0, 7.0};
    for (size_t k = 0; k < sizeof holds / sizeof *holds; k++) {
        for (double mean = -1.5; mean <= 1.5; mean += 0.25) {
            const br_profile p = {.kind = BR_PROFILE_SINE,
                                  .mean = mean,
                                  .amplitude = 1.0,
                                  .frequency = 2.0,
                                  .phase = 1.0,
                                  .start = 0.7,
                                  .hold = holds[k]};
            double expected = HUGE_VAL;
            for (int i = 0; expected == HUGE_VAL && i * holds[k] < 3.0; i++) {
                const double value = br_profile_eval(&p, i * holds[k], (i + 0.5) * holds[k], NULL);
                expected = value < 0.0 ? i * holds[k] : HUGE_VAL;
            }
            const double got = br_profile_negative_from(&p, 3.0);
            assert_true(got == expected);
        }
    }
    const br_profile finest = {
        .kind = BR_PROFILE_SINE, .mean = 0.5, .amplitude = -1.0, .frequency = 1.0, .hold = 1e-300};
    assert_false(br_profile_has_instants(&finest, 1.0));
    assert_near(br_profile_negative_from(&finest, 1.0), 1.0 / 12.0, 1e-15 /* sin = 1/2 */);
}

static void ignore_row(const double* row, void* user)
{
    (void)row, (void)user;
}

/* Oracle: br_profile_has_instants(). The run would end at no instant that doubles can distinguish. */
static void runs_refuse_holds_with_too_many_instants(void** state)
{
    (void)state;
    br_imposed imposed = {.size = sizeof(br_imposed),
                          .law = {.kind = BR_LAW_COULOMB, .mu_c = 1.0},
                          .velocity = {.kind = BR_PROFILE_SINE, .amplitude = 1.0, .hold = 2e-8},
                          .normal_force = br_profile_constant(1.0)};
    br_run_def run = br_run_def_default();
    run.duration = 1.0;
    run.every = 0.5;
    const br_run_watch watch = {
        .size = sizeof(br_run_watch), .start = take_columns, .row = ignore_row};
    br_reason why;
    assert_status(br_imposed_run(&imposed, &run, &watch, NULL, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "hold");
}

static br_profile change_of(br_profile_kind kind)
{
    return (br_profile){
        .kind = kind, .mean = 0.3, .amplitude = -0.8, .start = 0.25, .duration = 0.5};
}

/* Oracle: the integrals of minimum jerk and of 3 s^2 - 2 s^3 at hand-picked points; central differences, whose error is
   h^2/6 times a third derivative of up to 60 amplitude/duration^3 = 400, and rounding over h. */
static void smooth_changes_start_at_rest(void** state)
{
    (void)state;
    const double h = 1e-5;
    const br_profile move = change_of(BR_PROFILE_MOVE), fast = change_of(BR_PROFILE_ACCELERATE);
    const double end = 0.75, later = 2.0;
    assert_near(br_profile_eval(&move, 0.5, 0.5, NULL), 0.3 - 0.4, 1e-15);
    assert_near(br_profile_eval(&move, later, later, NULL), 0.3 - 0.8, 1e-15);
    assert_near(br_profile_eval(&fast, end, end, NULL), 0.3 - 0.8 * 0.25, 1e-15);
    assert_near(br_profile_eval(&fast, later, later, NULL), 0.3 - 0.8 * 1.5, 1e-15);
    const br_profile both[] = {move, fast};
    for (int i = 0; i < 2; i++) {
        const br_profile* p = &both[i];
        for (double t = 0.05; t < 1.0; t += 0.1) { // never on a break
            double slope, low, high;
            const double before = br_profile_eval(p, t - h, t, &low);
            const double after = br_profile_eval(p, t + h, t, &high);
            br_profile_eval(p, t, t, &slope);
            assert_near(slope, (after - before) / (2.0 * h), 1e-8);
            assert_near(br_profile_second(p, t, t), (high - low) / (2.0 * h), 1e-6);
        }
        assert_true(br_profile_next_break(p, 0.0) == 0.25);
        assert_true(br_profile_next_break(p, 0.25) == 0.75);
        assert_true(br_profile_next_break(p, 0.75) == HUGE_VAL);
        assert_true(br_profile_jump(p, 10.0) == HUGE_VAL);
        const double when = br_profile_negative_from(p, 10.0);
        assert_near(br_profile_eval(p, when, when, NULL), 0.0, 1e-12);
        assert_true(br_profile_negative_from(p, 0.25) == HUGE_VAL);
    }
    br_profile wrong = move;
    wrong.duration = 0.0;
    br_reason why;
    assert_status(br_profile_check(&wrong, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "duration");
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
    const br_ode ode = {
        .size = sizeof(br_ode), .n = 2, .rate = kaps_rate, .jacobian = kaps_jacobian};
    br_integrator* s = make(ode, BR_INTEGRATOR_ROSENBROCK, 0.5, (const double[]){1e9, 1e9}, h);
    double y[2] = {1.0, 1.0}, worst = 0.0;
    br_integrator_start(s, 0.0, y);
    while (br_integrator_get_t(s) < 1.0) {
        const double before = br_integrator_get_t(s);
        assert_status(br_integrator_step(s, 1.0, NULL, NULL), BR_OK);
        const double t =
            dense ? before + 0.37 * (br_integrator_get_t(s) - before) : br_integrator_get_t(s);
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
    const br_ode ode = {
        .size = sizeof(br_ode), .n = 2, .rate = kaps_rate, .jacobian = kaps_jacobian};
    for (int method = 0; method < methods; method++) {
        for (double tolerance = 1e-4; tolerance > 1e-11; tolerance *= 0.1) {
            br_integrator* s = make(ode, method ? BR_INTEGRATOR_CVODE : BR_INTEGRATOR_ROSENBROCK,
                                    tolerance, (const double[]){tolerance, tolerance}, 0.0);
            double y[2] = {1.0, 1.0};
            br_integrator_start(s, 0.0, y);
            while (br_integrator_get_t(s) < 1.0) {
                assert_status(br_integrator_step(s, 1.0, NULL, NULL), BR_OK);
            }
            /* local errors of the tolerance add up over some hundred steps at the most */
            assert_near(br_integrator_get_y(s)[1], exp(-1.0), 30.0 * tolerance);
            br_integrator_destroy(s);
        }
    }
}

static void oscillator_rate(double t, const double* y, double* dy, void* user)
{
    (void)t, (void)user;
    dy[0] = y[1], dy[1] = -y[0];
}

static void oscillator_jacobian(double t, const double* y, double* j, double* dfdt, void* user)
{
    (void)t, (void)y, (void)user;
    j[0] = 0.0, j[1] = 1.0, j[2] = -1.0, j[3] = 0.0;
    dfdt[0] = dfdt[1] = 0.0;
}

static void oscillator_event(double t, const double* y, double* g, void* user)
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
    const br_ode ode = {.size = sizeof(br_ode),
                        .n = 2,
                        .rate = oscillator_rate,
                        .jacobian = oscillator_jacobian,
                        .events = 3,
                        .event = oscillator_event};
    const double expected[] = {0.5 * BR_PI, 2.0, 2.0 + 1e-9, 1.5 * BR_PI, 2.5 * BR_PI};
    const int index[] = {0, 1, 2, 0, 0};
    for (int method = 0; method < methods; method++) {
        br_integrator* s = make(ode, method ? BR_INTEGRATOR_CVODE : BR_INTEGRATOR_ROSENBROCK, 1e-10,
                                (const double[]){1e-10, 1e-10}, 0.0);
        double y[2] = {1.0, 0.0};
        br_integrator_start(s, 0.0, y);
        int found = 0;
        while (br_integrator_get_t(s) < 9.0) {
            int event;
            assert_status(br_integrator_step(s, 9.0, &event, NULL), BR_OK);
            if (event >= 0) {
                assert_true(found < 5);
                assert_int_equal(event, index[found]);
                /* clock events: 1e-12 of a step below 1 s; others carry the integration error */
                assert_near(br_integrator_get_t(s), expected[found], event ? 1e-12 : 2e-8);
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
        const br_ode ode = {.size = sizeof(br_ode),
                            .n = 1,
                            .rate = clock_rate,
                            .jacobian = clock_jacobian,
                            .events = 1,
                            .event = flat_event,
                            .user = &which};
        br_integrator* s = make(ode, BR_INTEGRATOR_ROSENBROCK, 1e-6, (const double[]){1e-6}, 1.0);
        br_integrator_start(s, 0.0, (const double[]){0.0});
        int event;
        assert_status(br_integrator_step(s, 1.0, &event, NULL), BR_OK);
        assert_int_equal(event, 0);
        assert_near(br_integrator_get_t(s), expected[which], 1e-12 /* of the step */);
        br_integrator_destroy(s);
    }
}

// Twins, which differ by rounding, and one more of the same instant.
static void twin_event(double t, const double* y, double* g, void* user)
{
    (void)t, (void)user;
    g[0] = y[0] - 0.3;
    g[1] = 0.3 * (y[0] / 0.3 - 1.0);
    g[2] = 7.0 * y[0] - 2.1;
    g[3] = y[0] - 0.6;
}

/* Oracle: closed form. y = t; functions that are 0 at the same instant are events of one step, or of
 * two 1e-12 apart, and each is seen once. */
static void events_of_one_instant_come_together(void** state)
{
    (void)state;
    const br_ode ode = {.size = sizeof(br_ode),
                        .n = 1,
                        .rate = clock_rate,
                        .jacobian = clock_jacobian,
                        .events = 4,
                        .event = twin_event};
    br_integrator* s = make(ode, BR_INTEGRATOR_ROSENBROCK, 1e-6, (const double[]){1e-6}, 1.0);
    br_integrator_start(s, 0.0, (const double[]){0.0});
    int seen[4] = {0}, steps = 0;
    for (; br_integrator_get_t(s) < 1.0; steps++) {
        int event;
        assert_status(br_integrator_step(s, 1.0, &event, NULL), BR_OK);
        for (size_t i = 0; i < 4; i++) {
            const int has = br_integrator_has_switched(s, i);
            seen[i] += has;
            assert_near(has ? br_integrator_get_t(s) : 0.0, has ? i == 3 ? 0.6 : 0.3 : 0.0,
                        1e-11 /* a few times 1e-12 of the step */);
        }
    }
    for (int i = 0; i < 4; i++) {
        assert_int_equal(seen[i], 1);
    }
    assert_in_range(steps, 3, 5);
    br_integrator_destroy(s);
}

// Changes sign with every call.
static void noise_event(double t, const double* y, double* g, void* user)
{
    (void)t, (void)y;
    int* sign = user;
    *sign = -*sign;
    g[0] = *sign;
}

/* Oracle: the bound in integrator.h, some 40 events in a step: 1e-12 2^40 is more than all of it. */
static void a_function_that_is_noise_has_a_bounded_number_of_events(void** state)
{
    (void)state;
    int sign = 1, steps = 0;
    const br_ode ode = {.size = sizeof(br_ode),
                        .n = 1,
                        .rate = clock_rate,
                        .jacobian = clock_jacobian,
                        .events = 1,
                        .event = noise_event,
                        .user = &sign};
    br_integrator* s = make(ode, BR_INTEGRATOR_ROSENBROCK, 1e-6, (const double[]){1e-6}, 1.0);
    br_integrator_start(s, 0.0, (const double[]){0.0});
    while (br_integrator_get_t(s) < 1.0 && steps < 1000) {
        assert_status(br_integrator_step(s, 1.0, NULL, NULL), BR_OK);
        steps++;
    }
    assert_in_range(steps, 1, 45);
    br_integrator_destroy(s);
}

/* Oracle: definition. A step goes forward. */
static void a_step_backwards_is_refused(void** state)
{
    (void)state;
    const br_ode ode = {
        .size = sizeof(br_ode), .n = 1, .rate = clock_rate, .jacobian = clock_jacobian};
    br_integrator* s = make(ode, BR_INTEGRATOR_ROSENBROCK, 1e-6, (const double[]){1e-6}, 0.0);
    br_integrator_start(s, 1.0, (const double[]){0.0});
    br_reason why;
    assert_status(br_integrator_step(s, 1.0, NULL, &why), BR_ERR_ARG);
    assert_string_equal(why.field, "t_end");
    assert_status(br_integrator_step(s, (double)NAN, NULL, &why), BR_ERR_ARG);
    assert_near(br_integrator_get_t(s), 1.0, 0.0 /* nothing happened */);
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

/* Oracle: closed form. y' = y^2, y(0) = 1 ends at t = 1; the message has it. */
static void a_solution_that_ends_is_reported_with_its_time(void** state)
{
    (void)state;
    const br_ode ode = {
        .size = sizeof(br_ode), .n = 1, .rate = explode_rate, .jacobian = explode_jacobian};
    for (int method = 0; method < methods; method++) {
        br_integrator* s = make(ode, method ? BR_INTEGRATOR_CVODE : BR_INTEGRATOR_ROSENBROCK, 1e-6,
                                (const double[]){1e-6}, 0.0);
        br_integrator_start(s, 0.0, (const double[]){1.0});
        br_reason why;
        br_status status = BR_OK;
        while (status == BR_OK && br_integrator_get_t(s) < 2.0) {
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
    br_ode ode = {
        .size = sizeof(br_ode), .n = 1, .rate = explode_rate, .jacobian = explode_jacobian};
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
    def.kind = BR_INTEGRATOR_ROSENBROCK;
    def.max_steps = 0;
    assert_status(br_integrator_create(&ode, &def, &s, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "max_steps");
    def.max_steps = 3;
    ode.apart = 2;
    assert_status(br_integrator_create(&ode, &def, &s, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "ode.apart");
    ode.apart = 1;
    assert_status(br_integrator_create(&ode, &def, &s, &why), BR_OK);
    br_integrator_start(s, 0.0, (const double[]){1.0});
    br_status status = BR_OK;
    for (int i = 0; i < 4 && status == BR_OK; i++) {
        status = br_integrator_step(s, 0.99, NULL, &why);
    }
    assert_status(status, BR_ERR_CONVERGENCE);
    assert_non_null(strstr(why.text, "number of steps"));
    br_integrator_destroy(s);
    assert_true(br_integrator_has(BR_INTEGRATOR_ROSENBROCK) &&
                br_integrator_has(BR_INTEGRATOR_FIXED));
#ifndef BRISTLE_HAS_CVODE
    assert_false(br_integrator_has(BR_INTEGRATOR_CVODE));
    def.kind = BR_INTEGRATOR_CVODE;
    assert_status(br_integrator_create(&ode, &def, &s, &why), BR_ERR_ABSENT);
#else
    assert_true(br_integrator_has(BR_INTEGRATOR_CVODE));
#endif
}

// y' = -y by the trapezoidal rule, which is what the system below calls its own step
static size_t decay_advance(double t, double h, double* y, void* user)
{
    (void)t, (void)user;
    y[0] *= (1.0 - 0.5 * h) / (1.0 + 0.5 * h);
    return 3;
}

/* Oracle: closed form. A system's own steps are all of one size, the last one cut; linear between. */
static void fixed_steps_are_the_systems_own(void** state)
{
    (void)state;
    br_ode ode = {.size = sizeof(br_ode), .n = 1, .rate = explode_rate, .advance = decay_advance};
    br_integrator* s = make(ode, BR_INTEGRATOR_FIXED, 1e-6, (const double[]){1.0}, 0.1);
    br_integrator_start(s, 1.0, (const double[]){2.0});
    const double rate = 0.95 / 1.05, ends[] = {1.1, 1.2, 1.25};
    const double y[] = {2.0 * rate, 2.0 * rate * rate, 2.0 * rate * rate * (0.975 / 1.025)};
    for (int i = 0; i < 3; i++) {
        assert_status(br_integrator_step(s, 1.25, NULL, NULL), BR_OK);
        assert_near(br_integrator_get_t(s), ends[i], 1e-15);
        assert_near(br_integrator_get_y(s)[0], y[i], 1e-15);
    }
    double middle;
    br_integrator_at(s, 1.225, &middle);
    assert_near(middle, 0.5 * (y[1] + y[2]), 1e-14);
    assert_int_equal(br_integrator_get_cost(s).steps, 3);
    assert_int_equal(br_integrator_get_cost(s).evaluations, 9);
    br_integrator_destroy(s);

    br_reason why;
    s = make(ode, BR_INTEGRATOR_FIXED, 1e-6, (const double[]){1.0}, 1e-17);
    br_integrator_start(s, 1.0, (const double[]){2.0});
    assert_status(br_integrator_step(s, 1.25, NULL, &why), BR_ERR_CONVERGENCE);
    assert_non_null(strstr(why.text, "rounding of t"));
    br_integrator_destroy(s);

    br_integrator_def def = br_integrator_def_default();
    def.kind = BR_INTEGRATOR_FIXED;
    def.atol = (const double[]){1.0};
    assert_status(br_integrator_create(&ode, &def, &s, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "first_step");
    def.first_step = 0.1;
    ode.advance = NULL;
    assert_status(br_integrator_create(&ode, &def, &s, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "ode.advance");
}

/* Oracle: the known solution. Without a Jacobian CVODE takes differences; Rosenbrock refuses. */
static void cvode_needs_no_jacobian(void** state)
{
    (void)state;
    kaps_epsilon = 1e-3;
    const br_ode ode = {.size = sizeof(br_ode), .n = 2, .rate = kaps_rate};
    br_integrator_def def = br_integrator_def_default();
    def.atol = (const double[]){1e-8, 1e-8};
    br_integrator* s = NULL;
    br_reason why;
    assert_status(br_integrator_create(&ode, &def, &s, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "ode");
#ifdef BRISTLE_HAS_CVODE
    def.kind = BR_INTEGRATOR_CVODE;
    assert_status(br_integrator_create(&ode, &def, &s, &why), BR_OK);
    br_integrator_start(s, 0.0, (const double[]){1.0, 1.0});
    while (br_integrator_get_t(s) < 1.0) {
        assert_status(br_integrator_step(s, 1.0, NULL, NULL), BR_OK);
    }
    assert_near(br_integrator_get_y(s)[0], exp(-2.0), 1e-5 /* ten times the tolerance 1e-6 */);
    assert_near(br_integrator_get_y(s)[1], exp(-1.0), 1e-5);
    br_integrator_destroy(s);
#endif
}

/* Oracle: the counting allocator. No memory is an error without a leak, and steps take none. */
static void integrators_allocate_only_when_created(void** state)
{
    (void)state;
    const br_ode ode = {.size = sizeof(br_ode),
                        .n = 2,
                        .rate = oscillator_rate,
                        .jacobian = oscillator_jacobian,
                        .events = 3,
                        .event = oscillator_event};
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
    while (br_integrator_get_t(s) < 5.0) {
        int event;
        double y[2];
        assert_status(br_integrator_step(s, 5.0, &event, NULL), BR_OK);
        br_integrator_at(s, br_integrator_get_t(s), y);
    }
    assert_int_equal(count.calls, 0);
    br_integrator_destroy(s);
    br_set_allocator(NULL, NULL, NULL);
    assert_int_equal(count.alive, 0);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(profiles_have_the_value_before_a_jump_within_the_piece_before),
        cmocka_unit_test(holds_change_at_every_instant_and_only_there),
        cmocka_unit_test(held_profiles_report_their_first_negative_instant),
        cmocka_unit_test(runs_refuse_holds_with_too_many_instants),
        cmocka_unit_test(smooth_changes_start_at_rest),
        cmocka_unit_test(bad_profiles_are_refused),
        cmocka_unit_test(rosenbrock_has_order_four),
        cmocka_unit_test(dense_output_has_order_three_or_better),
        cmocka_unit_test(errors_follow_the_tolerance),
        cmocka_unit_test(events_are_found_in_order),
        cmocka_unit_test(events_of_awkward_functions_are_located),
        cmocka_unit_test(events_of_one_instant_come_together),
        cmocka_unit_test(a_function_that_is_noise_has_a_bounded_number_of_events),
        cmocka_unit_test(a_step_backwards_is_refused),
        cmocka_unit_test(a_solution_that_ends_is_reported_with_its_time),
        cmocka_unit_test(bad_integrations_are_refused),
        cmocka_unit_test(fixed_steps_are_the_systems_own),
        cmocka_unit_test(cvode_needs_no_jacobian),
        cmocka_unit_test(integrators_allocate_only_when_created),
    };
    return run_group(argc, argv, tests);
}
