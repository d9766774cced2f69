/*
 * Sliders and pushed bodies in time: the steps themselves, closed forms, toppling, tips.
 */
#include "bristle/papers.h"
#include "bristle/sim.h"

#include "rows.h"

#include <string.h>

enum { MOST_ROWS = 256, MOST_EVENTS = 16 };

typedef struct record {
    size_t rows, events;
    struct {
        double t;
        br_pose q;
        br_twist v;
        double pt;
        size_t mode; // 0: slides, 1: sticks, 2: topples
    } row[MOST_ROWS];
    br_run_event event[MOST_EVENTS];
} record;

static void keep_row(const double* row, void* user)
{
    record* r = user;
    assert_true(r->rows < MOST_ROWS);
    const size_t i = r->rows++;
    r->row[i].t = row[0];
    r->row[i].q = pose_in(row);
    r->row[i].v = twist_in(row);
    r->row[i].pt = number_of(row, "pt");
    r->row[i].mode = (size_t)number_of(row, "mode");
}

static void keep_event(const br_run_event* event, void* user)
{
    record* r = user;
    assert_true(r->events < MOST_EVENTS);
    r->event[r->events++] = *event;
}

static br_run_def steps_of(double step, double duration)
{
    br_run_def def = br_run_def_default();
    def.method = BR_INTEGRATOR_FIXED, def.step = step, def.duration = duration;
    return def;
}

static br_sliding_report slide(const br_sliding* s, const br_run_def* def, record* out)
{
    const br_run_watch watch = {.size = sizeof(br_run_watch),
                                .start = take_columns,
                                .row = keep_row,
                                .event = keep_event,
                                .user = out};
    br_sliding_report report;
    br_reason why = {"", ""};
    out->rows = out->events = 0;
    if (br_sliding_run(s, def, &watch, &report, &why) != BR_OK) {
        fail_msg("%s: %s", why.field, why.text);
    }
    return report;
}

static void push(const br_pushed* p, const br_run_def* def, record* out)
{
    const br_run_watch watch = {.size = sizeof(br_run_watch),
                                .start = take_columns,
                                .row = keep_row,
                                .event = keep_event,
                                .user = out};
    br_reason why = {"", ""};
    out->rows = out->events = 0;
    if (br_pushed_run(p, def, &watch, NULL, &why) != BR_OK) {
        fail_msg("%s: %s", why.field, why.text);
    }
}

static record kept;

/* Oracle: the steps of slider.h and papers.h, called directly: the same numbers. */
static void a_run_is_its_steps(void** state)
{
    (void)state;
    const double t[] = {0.0, 0.055}, force[] = {0.0, 2.0};
    br_sliding s = br_sliding_default();
    s.start.v = (br_twist){0.2, 0.1, 3.0};
    s.point = (br_vec2){-0.025, 0.004}, s.direction = (br_vec2){0.6, 0.8}, s.lift = 0.01;
    s.push = (br_profile){.kind = BR_PROFILE_STEPS, .count = 2, .t = t, .value = force};
    for (br_sliding_model model = BR_SLIDING_QUADRATIC; model <= BR_SLIDING_TRANSLATION; model++) {
        s.model = model;
        s.start.v.w = model == BR_SLIDING_TRANSLATION ? 0.0 : 3.0;
        const br_run_def def = steps_of(0.01, 0.2);
        const br_sliding_report report = slide(&s, &def, &kept);
        assert_int_equal(kept.rows, 21);
        assert_int_equal(report.steps, 20);
        assert_true(isnan(report.topple_t));
        br_slider_state at = s.start;
        for (int i = 1; i <= 20; i++) {
            const double now = 0.01 * (i - 1) < 0.055 ? 0.0 : 2.0;
            const br_vec2 f = br_vec2_rotate(br_vec2_scale(now, s.direction), at.q.theta);
            const br_slider_load load = {{f.x, f.y, now * br_vec2_cross(s.point, s.direction)},
                                         s.lift};
            br_slider_value value;
            if (model == BR_SLIDING_NCP) {
                assert_status(br_slider_ncp_step(&s.slider, &at, &load, 0.01, &value), BR_OK);
            } else {
                value = model == BR_SLIDING_QUADRATIC
                            ? br_slider_step(&s.slider, &at, &load, 0.01)
                            : br_slider_translation_step(&s.slider, &at, &load, 0.01);
            }
            assert_near(kept.row[i].t, 0.01 * i, 0.0);
            assert_near(kept.row[i].q.x, at.q.x, 0.0 /* the same calls */);
            assert_near(kept.row[i].v.w, at.v.w, 0.0);
            assert_near(kept.row[i].pt, value.pt, 0.0);
            assert_int_equal(kept.row[i].mode, value.mode == BR_SLIDER_STICK);
        }
    }
}

/* Oracle: closed form of implicit steps without rotation: v_n = v_0 - n mu g h until it sticks. */
static void a_slider_stops_and_reports_it(void** state)
{
    (void)state;
    br_sliding s = br_sliding_default();
    s.start.v.vx = 0.5;
    const double h = 1e-3, brake = s.slider.mu * s.slider.gravity;
    br_run_def def = steps_of(h, 0.2);
    def.every = 10.0 * h;
    slide(&s, &def, &kept);
    assert_int_equal(kept.rows, 21);
    for (size_t i = 0; i < kept.rows; i++) {
        const double v = fmax(0.0, 0.5 - 0.01 * (double)i * brake);
        assert_near(kept.row[i].v.vx, v, 1e-12 /* rounding of 200 steps */);
    }
    assert_int_equal(kept.events, 1);
    assert_int_equal(kept.event[0].kind, BR_EVENT_STICK);
    assert_near(kept.event[0].t, 0.5 / brake,
                2.0 * h /* the step's end, and that it is at rest before */);
}

/* Oracle: statics. Braking with mu g shifts the contact point ahead by mu height: beyond the patch the slider
 * topples over its front edge. It stops there, or continues if requested. */
static void a_tall_slider_topples_over_its_front(void** state)
{
    (void)state;
    br_patch_def patch_def = br_patch_def_default();
    patch_def.shape = BR_SHAPE_RECTANGLE;
    patch_def.size_x = patch_def.size_y = 0.05;
    br_patch* patch;
    br_outline* hull;
    assert_status(br_patch_create(&patch_def, &patch, NULL), BR_OK);
    assert_status(br_outline_create(patch, 1.0, 1, &hull, NULL), BR_OK);
    br_sliding s = br_sliding_default();
    s.hull = hull;
    s.start.v.vx = 1.0;
    for (int tall = 0; tall < 2; tall++) {
        s.slider.height = (tall ? 1.01 : 0.99) * 0.025 / s.slider.mu;
        for (int goes_on = 0; goes_on < 2; goes_on++) {
            s.goes_on = goes_on;
            const br_run_def def = steps_of(0.01, 0.1);
            const br_sliding_report report = slide(&s, &def, &kept);
            assert_int_equal(kept.rows, tall && !s.goes_on ? 2 : 11);
            assert_int_equal(kept.row[1].mode == 2, tall);
            assert_int_equal(kept.events, tall);
            if (tall) {
                assert_int_equal(kept.event[0].kind, BR_EVENT_TOPPLE);
                assert_near(report.topple_t, 0.01, 0.0);
                assert_near(report.edge[0].x, 0.025, 1e-15);
                assert_near(report.edge[1].x, 0.025, 1e-15);
            }
        }
    }
    br_outline_destroy(hull);
    br_patch_destroy(patch);
}

/* Oracle: br_slider_supports_step() in a loop; and an allocator that fails is reported. */
static void a_body_on_supports_runs_as_its_steps(void** state)
{
    (void)state;
    const br_support_point supports[] = {{0.02, 0.0, 1.0}, {-0.02, 0.02, 1.0}, {-0.02, -0.02, 2.0}};
    br_sliding s = br_sliding_default();
    s.model = BR_SLIDING_SUPPORTS, s.supports = supports, s.support_count = 3;
    s.slider.height = 0.01;
    s.start.v = (br_twist){0.3, 0.0, 2.0};
    const br_run_def def = steps_of(0.005, 0.05);
    slide(&s, &def, &kept);
    br_slider_state at = s.start;
    const br_slider_load none = {{0.0, 0.0, 0.0}, 0.0};
    for (int i = 1; i <= 10; i++) {
        double forces[3];
        br_slider_value value;
        assert_status(
            br_slider_supports_step(&s.slider, supports, 3, &at, &none, 0.005, forces, &value),
            BR_OK);
        assert_near(kept.row[i].q.theta, at.q.theta, 0.0 /* the same calls */);
    }
    const br_run_watch watch = {
        .size = sizeof(br_run_watch), .start = take_columns, .row = keep_row, .user = &kept};
    counting count = {.fail_at = 1};
    br_set_allocator(counting_allocate, counting_release, &count);
    assert_status(br_sliding_run(&s, &def, &watch, NULL, NULL), BR_ERR_MEMORY);
    br_set_allocator(NULL, NULL, NULL);
    assert_int_equal(count.alive, 0);
}

static br_outline* make_disc(double radius)
{
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_DISC;
    def.radius = br_by_force_constant(radius);
    br_patch* patch;
    br_outline* outline;
    assert_status(br_patch_create(&def, &patch, NULL), BR_OK);
    assert_status(br_outline_create(patch, 1.0, 0, &outline, NULL), BR_OK);
    br_patch_destroy(patch);
    return outline;
}

/* Oracle: geometry. A tip that pushes a disc head-on takes it along: it moves by the distance less the gap. The path's
 * rows are between the steps: all of them count. */
static void a_tip_takes_a_disc_along(void** state)
{
    (void)state;
    br_outline* outline = make_disc(0.05);
    const double t[] = {0.0, 0.333, 1.0}, x[] = {-0.08, -0.05, 0.02};
    br_pushed p = br_pushed_default();
    p.sticks = 0;
    p.pushing.outline = outline, p.pushing.radius = 0.01;
    p.x = (br_profile){.kind = BR_PROFILE_TABLE, .count = 3, .t = t, .value = x};
    const br_run_def def = steps_of(0.1, 1.0);
    push(&p, &def, &kept);
    assert_int_equal(kept.rows, 11);
    assert_near(kept.row[2].q.x, 0.0, 0.0); // not there yet
    for (int i = 0; i < 11; i++) {
        const double tip = br_pushed_tip(&p, 0.1 * i).x;
        assert_near(kept.row[i].q.x, fmax(0.0, tip + 0.06), 1e-12 /* m: no drift in the contact */);
        assert_near(kept.row[i].q.theta, 0.0, 1e-12);
    }
    assert_near(kept.row[10].v.vx, 0.07 / 0.667, 1e-12 /* the speed of the tip */);
    assert_near(kept.row[10].pt, -1.0, 1e-12 /* over mu N */);
    assert_int_equal(kept.events, 1);
    assert_int_equal(kept.event[0].kind, BR_EVENT_TIP_STICK);
    br_outline_destroy(outline);
}

/* Oracle: br_pushing_stick_step() in a loop. */
static void a_tip_that_sticks_runs_as_its_steps(void** state)
{
    (void)state;
    br_pushed p = br_pushed_default();
    p.pose = (br_pose){0.1, 0.2, 0.3};
    p.point = (br_vec2){-0.02, 0.01}, p.velocity = (br_vec2){0.05, 0.01};
    const br_run_def def = steps_of(0.02, 0.2);
    push(&p, &def, &kept);
    br_pose pose = p.pose;
    for (int i = 1; i <= 10; i++) {
        br_pushing_stick_step(&p.pushing, &pose, p.point, p.velocity, 0.02);
        assert_near(kept.row[i].q.x, pose.x, 0.0 /* the same calls */);
        assert_near(kept.row[i].q.theta, pose.theta, 0.0);
    }
    const br_vec2 tip = br_pushed_tip(&p, 0.2), point = br_pose_apply(pose, p.point);
    assert_near(point.x, tip.x, 1e-12 /* m: it sticks */);
    assert_near(point.y, tip.y, 1e-12);
}

static void expect_refused(const br_sliding* s, const char* field)
{
    const br_run_def def = steps_of(0.01, 0.1);
    const br_run_watch watch = {
        .size = sizeof(br_run_watch), .start = take_columns, .row = keep_row, .user = &kept};
    br_reason why = {"", ""};
    assert_status(br_sliding_run(s, &def, &watch, NULL, &why), BR_ERR_DEF);
    assert_string_equal(why.field, field);
}

static void expect_push_refused(const br_pushed* p, const char* field)
{
    const br_run_def def = steps_of(0.01, 0.1);
    const br_run_watch watch = {
        .size = sizeof(br_run_watch), .start = take_columns, .row = keep_row, .user = &kept};
    br_reason why = {"", ""};
    assert_status(br_pushed_run(p, &def, &watch, NULL, &why), BR_ERR_DEF);
    assert_string_equal(why.field, field);
}

/* Oracle: the ranges of sliding.h. */
static void bad_definitions_are_refused(void** state)
{
    (void)state;
    const br_sliding good = br_sliding_default();
    br_sliding s = good;
    s.size = 0;
    expect_refused(&s, "size");
    s = good, s.start.v.w = (double)NAN;
    expect_refused(&s, "start");
    s = good, s.direction = (br_vec2){1.0, 1.0};
    expect_refused(&s, "direction");
    s = good, s.lift = -1.0;
    expect_refused(&s, "lift");
    s = good, s.slider.mass = 0.0;
    expect_refused(&s, "mass");
    s = good, s.model = BR_SLIDING_SUPPORTS;
    expect_refused(&s, "supports");
    s = good, s.support_count = 3;
    expect_refused(&s, "supports");
    s = good, s.push.kind = BR_PROFILE_TABLE;
    expect_refused(&s, "push");

    const br_pushed still = br_pushed_default();
    br_pushed p = still;
    p.size = 0;
    expect_push_refused(&p, "size");
    p = still, p.velocity.x = HUGE_VAL;
    expect_push_refused(&p, "pose");
    p = still, p.sticks = 0;
    expect_push_refused(&p, "pushing.outline");
    p = still, p.y.mean = (double)NAN;
    expect_push_refused(&p, "y");
    p = still, p.pushing.e_r = 0.0;
    expect_push_refused(&p, "e[2]");
}

/* Oracle: definition. A push beyond the range of numbers ends a run with its time. */
static void an_overflow_is_reported(void** state)
{
    (void)state;
    br_sliding s = br_sliding_default();
    s.direction = (br_vec2){1.0, 0.0}, s.push = br_profile_constant(1e308);
    const br_run_def def = steps_of(1e3, 1e4);
    const br_run_watch watch = {
        .size = sizeof(br_run_watch), .start = take_columns, .row = keep_row, .user = &kept};
    br_reason why = {"", ""};
    kept.rows = 0;
    assert_status(br_sliding_run(&s, &def, &watch, NULL, &why), BR_ERR_CONVERGENCE);
    assert_non_null(strstr(why.text, "overflow"));
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_is_its_steps),
        cmocka_unit_test(a_slider_stops_and_reports_it),
        cmocka_unit_test(a_tall_slider_topples_over_its_front),
        cmocka_unit_test(a_body_on_supports_runs_as_its_steps),
        cmocka_unit_test(a_tip_takes_a_disc_along),
        cmocka_unit_test(a_tip_that_sticks_runs_as_its_steps),
        cmocka_unit_test(bad_definitions_are_refused),
        cmocka_unit_test(an_overflow_is_reported),
    };
    return run_group(argc, argv, tests);
}
