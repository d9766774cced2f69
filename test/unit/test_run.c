/*
 * One definition and one watch for every run in time: what each run honours, and what it refuses.
 */
#include "bristle/sim.h"

#include "rows.h"
#include "sim/run.h"

#include <string.h>

// Every kind of run, on something simple.
typedef enum kind { IMPOSED, RIG, MOTION, BODY, SLIDING, PUSHED, MECHANISM, KINDS } kind;

typedef struct received {
    size_t rows, calls, starts;
    double last_t, fraction;
    double stop_at; // [s]
} received;

static void note(received* to, double t)
{
    assert_true(to->rows == 0 || t > to->last_t);
    to->rows++;
    to->last_t = t;
}

static void on_row(const double* row, void* user)
{
    note(user, row[0]);
}

static void on_event(const br_run_event* event, void* user)
{
    (void)user;
    assert_non_null(br_event_get_name(event->kind));
}

static void on_progress(double fraction, void* user)
{
    received* to = user;
    assert_true(fraction >= to->fraction && fraction <= 1.0 + 1e-12);
    to->fraction = fraction;
    to->calls++;
}

static bool stops(double t, void* user)
{
    return t >= ((received*)user)->stop_at;
}

static br_run_watch watch_of(received* to)
{
    return (br_run_watch){.size = sizeof(br_run_watch),
                          .row = on_row,
                          .progress = on_progress,
                          .stop = stops,
                          .user = to};
}

static int is_fixed_only(kind k)
{
    return k == SLIDING || k == PUSHED;
}

static br_run_def def_of(kind k)
{
    br_run_def def = br_run_def_default();
    def.duration = 0.1;
    if (is_fixed_only(k)) {
        def.method = BR_INTEGRATOR_FIXED, def.step = 0.01;
    }
    return def;
}

static br_status run_motion(const br_run_def* def, const br_run_watch* watch, br_reason* why)
{
    br_contact_def contact_def = br_contact_def_default();
    contact_def.method = BR_METHOD_ELLIPSOID;
    contact_def.r = 0.01;
    br_contact* contact;
    assert_status(br_contact_create(&contact_def, &contact, NULL), BR_OK);
    const br_motion motion = {.size = sizeof(br_motion),
                              .contact = contact,
                              .vx = br_profile_constant(1e-3),
                              .normal_force = br_profile_constant(1.0)};
    const br_status status = br_motion_run(&motion, def, watch, NULL, why);
    br_contact_destroy(contact);
    return status;
}

static br_status run_mechanism(const br_run_def* def, const br_run_watch* watch, br_reason* why)
{
    const br_two_link arm = {
        .mass = {1.0, 1.0}, .length = {1.0, 2.0}, .gravity = 9.8, .beta = 0.25};
    double q[2];
    assert_true(br_two_link_start(&arm, (br_vec2){1.2, 0.25 * 1.44}, 0, q));
    br_mechanism_def mechanism = br_mechanism_def_default();
    mechanism.mechanism = br_two_link_mechanism(&arm);
    mechanism.q = q;
    return br_mechanism_run(&mechanism, def, watch, NULL, why);
}

static br_status run(kind k, const br_run_def* def, const br_run_watch* watch, br_reason* why)
{
    const br_law law = br_law_default(BR_LAW_COULOMB);
    const br_imposed imposed = {.size = sizeof(br_imposed),
                                .law = law,
                                .velocity = br_profile_constant(1e-3),
                                .normal_force = br_profile_constant(1.0)};
    const br_rig rig = {.size = sizeof(br_rig),
                        .mass = 1.0,
                        .law = law,
                        .force = br_profile_constant(2.0),
                        .normal_force = br_profile_constant(1.0)};
    const br_body body = br_body_default();
    const br_sliding sliding = br_sliding_default();
    const br_pushed pushed = br_pushed_default();
    switch (k) {
    case IMPOSED:
        return br_imposed_run(&imposed, def, watch, NULL, why);
    case RIG:
        return br_rig_run(&rig, def, watch, NULL, why);
    case MOTION:
        return run_motion(def, watch, why);
    case BODY:
        return br_body_run(&body, def, watch, NULL, why);
    case SLIDING:
        return br_sliding_run(&sliding, def, watch, NULL, why);
    case PUSHED:
        return br_pushed_run(&pushed, def, watch, NULL, why);
    default:
        return run_mechanism(def, watch, why);
    }
}

static void expect_refused(kind k, const br_run_def* def, const br_run_watch* watch,
                           const char* field)
{
    br_reason why = {"", ""};
    assert_status(run(k, def, watch, &why), BR_ERR_DEF);
    assert_string_equal(why.field, field);
    assert_true(strlen(why.text) > 0);
    assert_int_equal(((received*)watch->user)->rows, 0);
}

/* Oracle: run.h. By default rows are duration/200 apart, of fixed steps alone each step; progress ends at 1. */
static void every_run_takes_the_default_definition(void** state)
{
    (void)state;
    for (kind k = 0; k < KINDS; k++) {
        received to = {.stop_at = HUGE_VAL};
        const br_run_watch watch = watch_of(&to);
        const br_run_def def = def_of(k);
        br_reason why = {"", ""};
        if (run(k, &def, &watch, &why) != BR_OK) {
            fail_msg("%d: %s: %s", (int)k, why.field, why.text);
        }
        assert_int_equal(to.rows, is_fixed_only(k) ? 11 : 201);
        assert_near(to.last_t, 0.1, 1e-15);
        assert_near(to.fraction, 1.0, 1e-12 /* rounding */);
        assert_true(to.calls > 0);
    }
}

/* Oracle: run.h: nonzero ends the run, after rows that have been given. */
static void every_run_stops_when_asked_to(void** state)
{
    (void)state;
    for (kind k = 0; k < KINDS; k++) {
        received to = {.stop_at = 0.05};
        const br_run_watch watch = watch_of(&to);
        br_run_def def = def_of(k);
        def.max_step = is_fixed_only(k) ? HUGE_VAL : 0.01;
        br_reason why = {"", ""};
        assert_status(run(k, &def, &watch, &why), BR_ERR_STOPPED);
        assert_non_null(strstr(why.text, "stopped at t = 0.0"));
        assert_true(to.last_t > 0.04 && to.last_t < 0.07);
    }
}

/* Oracle: run.h: a run is stopped within 4096 rows, also where one step has all of them. */
static void steps_with_many_rows_stop_when_asked_to(void** state)
{
    (void)state;
    for (kind k = 0; k < KINDS; k++) {
        received to = {.stop_at = 0.03};
        const br_run_watch watch = watch_of(&to);
        br_run_def def = def_of(k);
        def.every = 1e-6;
        br_reason why = {"", ""};
        if (!is_fixed_only(k)) {
            assert_status(run(k, &def, &watch, &why), BR_ERR_STOPPED);
            assert_true(to.last_t >= 0.03 && to.last_t < 0.03 + 2 * 4096 * def.every);
        }
    }
}

/* Oracle: run.h: `row` is set. */
static void runs_without_row_are_refused(void** state)
{
    (void)state;
    for (kind k = 0; k < KINDS; k++) {
        received to = {.stop_at = HUGE_VAL};
        const br_run_def def = def_of(k);
        const br_run_watch nobody = {.size = sizeof(br_run_watch), .user = &to};
        expect_refused(k, &def, &nobody, "row");
    }
}

static size_t list_columns(kind k, unsigned sets, br_column* out)
{
    const br_body body = br_body_default();
    const br_two_link arm = {.mass = {1.0, 1.0}, .length = {1.0, 2.0}};
    br_mechanism_def mechanism = br_mechanism_def_default();
    mechanism.mechanism = br_two_link_mechanism(&arm);
    switch (k) {
    case IMPOSED:
        return br_imposed_get_columns(sets, out);
    case RIG:
        return br_rig_get_columns(sets, out);
    case MOTION:
        return br_motion_get_columns(sets, out);
    case BODY:
        return br_body_get_columns(&body, sets, out);
    case SLIDING:
        return br_sliding_get_columns(sets, out);
    case PUSHED:
        return br_pushed_get_columns(sets, out);
    default:
        return br_mechanism_get_columns(&mechanism, sets, out);
    }
}

static void on_start(const br_column* columns, size_t count, void* user)
{
    received* to = user;
    assert_int_equal(to->rows, 0);
    to->starts++;
    take_columns(columns, count, user);
}

/* Oracle: column.h: columns come once, before the rows, as `_get_columns` lists them; t is the first, names are unique. */
static void every_run_gives_its_columns_once(void** state)
{
    (void)state;
    br_column expected[64];
    for (kind k = 0; k < KINDS; k++) {
        for (unsigned sets = BR_COLUMNS_MAIN; sets <= BR_COLUMNS_ALL; sets += 2) {
            received to = {.stop_at = HUGE_VAL};
            br_run_def def = def_of(k);
            br_run_watch watch = watch_of(&to);
            watch.start = on_start;
            def.columns = sets;
            assert_status(run(k, &def, &watch, NULL), BR_OK);
            assert_int_equal(to.starts, 1);
            assert_int_equal(list_columns(k, sets, NULL), taken.count);
            assert_int_equal(list_columns(k, sets, expected), taken.count);
            assert_string_equal(taken.list[0].name, "t");
            for (size_t i = 0; i < taken.count; i++) {
                assert_memory_equal(&taken.list[i], &expected[i], sizeof *expected);
                assert_int_equal(br_column_find(expected, taken.count, expected[i].name), i);
                assert_true(strlen(expected[i].unit) > 0);
            }
        }
    }
}

/* Oracle: column.h: BR_COLUMNS_MAIN is always requested, world axes are for bodies alone. */
static void columns_that_cannot_be_are_refused(void** state)
{
    (void)state;
    for (kind k = 0; k < KINDS; k++) {
        received to = {.stop_at = HUGE_VAL};
        br_run_def def = def_of(k);
        const br_run_watch watch = watch_of(&to);
        static const unsigned wrong[] = {0, BR_COLUMNS_ENERGY, BR_COLUMNS_ALL | 512};
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
            def.columns = wrong[i];
            expect_refused(k, &def, &watch, "columns");
        }
        def.columns = BR_COLUMNS_ALL | BR_COLUMNS_WORLD;
        if (k == BODY) {
            assert_status(run(k, &def, &watch, NULL), BR_OK);
        } else {
            expect_refused(k, &def, &watch, "columns");
            def.columns = BR_COLUMNS_ALL | BR_COLUMNS_BRISTLES;
            expect_refused(k, &def, &watch, "columns");
        }
    }
}

/* Oracle: column.h. */
static void columns_are_found_by_name_and_number(void** state)
{
    (void)state;
    static const br_column several[] = {{"t", "s", NULL}, {"fx1", "N", NULL}, {"fx2", "N", NULL}};
    static const br_column one[] = {{"t", "s", NULL}, {"fx", "N", NULL}};
    assert_int_equal(br_column_find(several, 3, "fx2"), 2);
    assert_int_equal(br_column_find(several, 3, "fx"), 3 /* there is none */);
    assert_int_equal(br_column_find_numbered(several, 3, "fx", 1), 1);
    assert_int_equal(br_column_find_numbered(several, 3, "fx", 2), 2);
    assert_int_equal(br_column_find_numbered(several, 3, "fx", 3), 3);
    assert_int_equal(br_column_find_numbered(one, 2, "fx", 1), 1);
    assert_int_equal(br_column_find_numbered(one, 2, "fx", 2), 2);
    assert_int_equal(br_column_find(NULL, 0, "t"), 0);
}

/* Oracle: run.h: imposed motions have no events; all others take one who listens. */
static void events_are_refused_where_there_are_none(void** state)
{
    (void)state;
    for (kind k = 0; k < KINDS; k++) {
        received to = {.stop_at = HUGE_VAL};
        const br_run_def def = def_of(k);
        br_run_watch watch = watch_of(&to);
        watch.event = on_event;
        if (k == IMPOSED || k == MOTION) {
            expect_refused(k, &def, &watch, "event");
        } else {
            assert_status(run(k, &def, &watch, NULL), BR_OK);
        }
    }
}

/* Oracle: run.h: bodies leave rows out, the others refuse to. */
static void rows_are_left_out_of_bodies_alone(void** state)
{
    (void)state;
    for (kind k = 0; k < KINDS; k++) {
        received to = {.stop_at = HUGE_VAL};
        br_run_def def = def_of(k);
        const br_run_watch watch = watch_of(&to);
        def.ends_only = 1;
        if (k == BODY) {
            assert_status(run(k, &def, &watch, NULL), BR_OK);
            assert_int_equal(to.rows, 2);
        } else {
            expect_refused(k, &def, &watch, "ends_only");
        }
    }
}

/* Oracle: run.h: which run has which method, and which numbers belong to it. */
static void what_a_method_does_not_have_is_refused(void** state)
{
    (void)state;
    for (kind k = 0; k < KINDS; k++) {
        received to = {.stop_at = HUGE_VAL};
        const br_run_watch watch = watch_of(&to);
        br_run_def def = def_of(k);
        if (!is_fixed_only(k)) {
            def.step = 1e-3;
            expect_refused(k, &def, &watch, "step");
            def = def_of(k), def.max_step = 0.0;
            expect_refused(k, &def, &watch, "max_step");
        } else {
            def.method = BR_INTEGRATOR_ROSENBROCK;
            expect_refused(k, &def, &watch, "method");
        }
        def = def_of(k), def.method = BR_INTEGRATOR_FIXED, def.step = 0.01;
        if (!is_fixed_only(k) && k != BODY) {
            expect_refused(k, &def, &watch, "method");
            continue;
        }
        const br_run_def fixed = def;
        def.rtol = 1e-6;
        expect_refused(k, &def, &watch, "rtol");
        def = fixed, def.atol = 1e-6;
        expect_refused(k, &def, &watch, "atol");
        def = fixed, def.atol_z = 1e-6;
        expect_refused(k, &def, &watch, "atol_z");
        def = fixed, def.max_step = 1.0;
        expect_refused(k, &def, &watch, "max_step");
        def = fixed, def.step = 0.0;
        expect_refused(k, &def, &watch, "step");
    }
}

/* Oracle: run.h. A contact's motion integrates bristles alone; tolerances have their ranges. */
static void tolerances_that_cannot_be_are_refused(void** state)
{
    (void)state;
    for (kind k = 0; k < KINDS; k++) {
        received to = {.stop_at = HUGE_VAL};
        const br_run_watch watch = watch_of(&to);
        br_run_def def = def_of(k);
        if (is_fixed_only(k)) {
            continue;
        }
        def.rtol = 1e-15;
        expect_refused(k, &def, &watch, "rtol");
        def = def_of(k), def.atol_z = -1.0;
        expect_refused(k, &def, &watch, "atol_z");
        def = def_of(k), def.atol = k == MOTION ? 1e-8 : (double)NAN;
        expect_refused(k, &def, &watch, "atol");
    }
}

/* Oracle: run.h: rows are at `at` or `every` apart, not both; of fixed steps alone at steps. */
static void rows_have_one_rule(void** state)
{
    (void)state;
    const double at[] = {0.0, 0.03, 0.05};
    for (kind k = 0; k < KINDS; k++) {
        received to = {.stop_at = HUGE_VAL};
        const br_run_watch watch = watch_of(&to);
        br_run_def def = def_of(k);
        def.at = at, def.at_count = 3, def.every = 0.01;
        expect_refused(k, &def, &watch, "every");
        def.every = 0.0;
        if (is_fixed_only(k)) {
            expect_refused(k, &def, &watch, "at");
            def = def_of(k), def.every = 0.015;
            expect_refused(k, &def, &watch, "every");
            def.every = 0.02;
            assert_status(run(k, &def, &watch, NULL), BR_OK);
            assert_int_equal(to.rows, 6);
        } else {
            assert_status(run(k, &def, &watch, NULL), BR_OK);
            assert_int_equal(to.rows, 3);
        }
        to = (received){.stop_at = HUGE_VAL};
        def = def_of(k), def.size = 0;
        expect_refused(k, &def, &watch, "size");
    }
}

/* Oracle: the list itself: every event has a name of its own, and nothing else has one. */
static void events_have_names(void** state)
{
    (void)state;
    for (int i = 0; i < BR_EVENT_COUNT; i++) {
        for (int k = 0; k < i; k++) {
            assert_string_not_equal(br_event_get_name((br_event_kind)i),
                                    br_event_get_name((br_event_kind)k));
        }
    }
    assert_string_equal(br_event_get_name(BR_EVENT_STICK), "stick");
    assert_string_equal(br_event_get_name(BR_EVENT_TIP_BREAK), "tip breaks away");
    assert_null(br_event_get_name(BR_EVENT_COUNT));
    assert_null(br_event_get_name((br_event_kind)-1));
}

// y = t, whose event function is negative as soon as a new piece goes on.
typedef struct zeno {
    double last; // event [s]
    size_t events;
} zeno;

static void zeno_rate(double t, const double* y, double* dy, void* user)
{
    (void)t, (void)y, (void)user;
    dy[0] = 1.0;
}

static void zeno_jacobian(double t, const double* y, double* jacobian, double* dfdt, void* user)
{
    (void)t, (void)y, (void)user;
    jacobian[0] = dfdt[0] = 0.0;
}

static void zeno_event(double t, const double* y, double* g, void* user)
{
    (void)y;
    g[0] = t > ((const zeno*)user)->last ? -1.0 : 1.0;
}

static void zeno_enter(void* system, double t, double within, double* y)
{
    (void)system, (void)t, (void)within, (void)y;
}

static int zeno_switched(void* system, double t, double* y, int event)
{
    (void)y, (void)event;
    zeno* z = system;
    z->last = t;
    z->events++;
    return 1;
}

static void zeno_emit(void* system, double t, const double* y)
{
    (void)system, (void)t, (void)y;
}

/* Oracle: definition. Each event starts the integration again and is followed at once by another: such a
 * run is ended by its count of steps, with the time. */
static void a_run_that_stalls_ends_with_its_time(void** state)
{
    (void)state;
    zeno z = {.last = 0.5};
    double y = 0.0;
    const double atol = 1e-6;
    const br_profile* const none[] = {NULL};
    const run_system system = {.system = &z,
                               .n = 1,
                               .y = &y,
                               .atol = &atol,
                               .ode = {.size = sizeof(br_ode),
                                       .n = 1,
                                       .rate = zeno_rate,
                                       .jacobian = zeno_jacobian,
                                       .events = 1,
                                       .event = zeno_event,
                                       .user = &z},
                               .profiles = none,
                               .enter = zeno_enter,
                               .switched = zeno_switched,
                               .emit = zeno_emit};
    br_run_def def = br_run_def_default();
    def.every = 0.5;
    def.rtol = 1e-6;
    const br_run_watch watch = {.size = sizeof(br_run_watch), .progress = NULL};
    br_reason why;
    assert_status(bri_run_all(&system, &def, &watch, NULL, &why), BR_ERR_CONVERGENCE);
    print_message("%s\n", why.text);
    assert_non_null(strstr(why.text, "stalled at t = 0.5"));
    assert_in_range(z.events, 1000, 100001);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_run_takes_the_default_definition),
        cmocka_unit_test(every_run_stops_when_asked_to),
        cmocka_unit_test(steps_with_many_rows_stop_when_asked_to),
        cmocka_unit_test(runs_without_row_are_refused),
        cmocka_unit_test(every_run_gives_its_columns_once),
        cmocka_unit_test(columns_that_cannot_be_are_refused),
        cmocka_unit_test(columns_are_found_by_name_and_number),
        cmocka_unit_test(events_are_refused_where_there_are_none),
        cmocka_unit_test(rows_are_left_out_of_bodies_alone),
        cmocka_unit_test(what_a_method_does_not_have_is_refused),
        cmocka_unit_test(tolerances_that_cannot_be_are_refused),
        cmocka_unit_test(rows_have_one_rule),
        cmocka_unit_test(events_have_names),
        cmocka_unit_test(a_run_that_stalls_ends_with_its_time),
    };
    return run_group(argc, argv, tests);
}
