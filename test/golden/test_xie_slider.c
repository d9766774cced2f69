/*
 * Sliders against golden/xie_slider: an independent program that solves the same equations in high
 * precision. The first argument is the folder with the tables, which may be thinned: every step is
 * made, the steps in a table are compared.
 */
#include "table.h"

#include "bristle/papers.h"
#include "bristle/pushing.h"
#include "bristle/slider.h"

static const char* folder;
static table golden;

// Asked: 1e-11 mu p_n in the impulses of a step, 1e-10 in states.
static const double impulse_tolerance = 1e-11, state_tolerance = 1e-10;

typedef struct example {
    br_slider slider;
    br_twist velocity;
    double h;
    br_slider_load (*load)(double t, double h, double theta); // NULL: none
} example;

typedef br_slider_value (*stepper)(const example* x, br_slider_state* state,
                                   const br_slider_load* load);

static br_slider_value step_scalar(const example* x, br_slider_state* state,
                                   const br_slider_load* load)
{
    return br_slider_step(&x->slider, state, load, x->h);
}

static br_slider_value step_ncp(const example* x, br_slider_state* state,
                                const br_slider_load* load)
{
    br_slider_value value;
    assert_status(br_slider_ncp_step(&x->slider, state, load, x->h, &value), BR_OK);
    return value;
}

static void compare(const example* x, size_t row, const br_slider_state* s,
                    const br_slider_value* v)
{
    const double limit = x->slider.mu * x->slider.mass * x->slider.gravity * x->h;
    assert_near(v->pt, table_get(&golden, row, "pt"), impulse_tolerance * limit);
    assert_near(v->po, table_get(&golden, row, "po"), impulse_tolerance * limit);
    assert_near(v->pr, table_get(&golden, row, "pr"), impulse_tolerance * limit);
    assert_near(v->sigma, table_get(&golden, row, "sigma"), state_tolerance);
    assert_near(v->ecp.x, table_get(&golden, row, "ax"), state_tolerance);
    assert_near(v->ecp.y, table_get(&golden, row, "ay"), state_tolerance);
    assert_near(s->q.x, table_get(&golden, row, "qx"), state_tolerance);
    assert_near(s->q.y, table_get(&golden, row, "qy"), state_tolerance);
    assert_near(s->q.theta, table_get(&golden, row, "theta"), state_tolerance);
    assert_near(s->v.vx, table_get(&golden, row, "vx"), state_tolerance);
    assert_near(s->v.vy, table_get(&golden, row, "vy"), state_tolerance);
    assert_near(s->v.w, table_get(&golden, row, "wz"), state_tolerance);
    assert_int_equal(v->mode == BR_SLIDER_STICK, !(table_get(&golden, row, "sigma") > 0.0));
}

static void run(const char* file, const example* x, stepper make_step)
{
    table_read(&golden, folder, file);
    br_slider_state state = {.v = x->velocity};
    int step = 0;
    for (size_t row = 0; row < golden.rows; row++) {
        const int until = (int)table_get(&golden, row, "step");
        br_slider_value value = {0};
        for (; step < until; step++) {
            br_slider_load load = {{0.0, 0.0, 0.0}, 0.0};
            if (x->load) {
                load = x->load(step * x->h, x->h, state.q.theta);
            }
            value = make_step(x, &state, &load);
        }
        compare(x, row, &state, &value);
    }
}

static void run_both(const char* file, example x)
{
    run(file, &x, step_scalar);
    run(file, &x, step_ncp);
}

static example slide(double h)
{
    return (example){.slider = br_slider_default(), .velocity = {0.7, 0.9, 10.0}, .h = h};
}

static void example_61_matches(void** state)
{
    (void)state;
    run_both("ex61.csv", slide(0.01));
    run_both("ex61_h0.005.csv", slide(0.005));
    run_both("ex61_h0.001.csv", slide(0.001));
}

static void anisotropic_friction_matches(void** state)
{
    (void)state;
    example x = slide(0.01);
    x.slider.e_o = 0.7;
    x.slider.e_r = 0.015;
    run_both("aniso.csv", x);
}

// The paper's quadratic system would push the slider from step 47 on.
static void example_61_run_to_rest_sticks_in_step_47_and_stays(void** state)
{
    (void)state;
    run_both("ex61_to_rest_ncp.csv", slide(0.01));
    const example x = slide(0.01);
    br_slider_state s = {.v = x.velocity};
    const br_slider_load none = {{0.0, 0.0, 0.0}, 0.0};
    for (int step = 1; step <= 80; step++) {
        const br_pose before = s.q;
        const br_slider_value value = br_slider_step(&x.slider, &s, &none, x.h);
        assert_int_equal(value.mode, step < 47 ? BR_SLIDER_SLIDE : BR_SLIDER_STICK);
        if (step >= 47) {
            assert_memory_equal(&before, &s.q, sizeof before);
        }
    }
}

// F = 2.2 + 2 cos(2 pi t/0.1) across the left edge, 2.5 mm below its middle
static br_slider_load push(double t, double theta)
{
    const double force = 2.2 + 2.0 * cos(2.0 * BR_PI * t / 0.1);
    return (br_slider_load){{force * cos(theta), force * sin(theta), 0.0025 * force}, 0.0};
}

static br_slider_load push_at_start(double t, double h, double theta)
{
    (void)h;
    return push(t, theta);
}

static br_slider_load push_at_end(double t, double h, double theta)
{
    return push(t + h, theta);
}

static void example_62_matches(void** state)
{
    (void)state;
    example x = slide(0.01);
    x.velocity = (br_twist){0.2, 0.3, 0.0};
    x.load = push_at_start;
    run_both("ex62.csv", x);
    x.load = push_at_end;
    run_both("ex62_force_at_end.csv", x);
}

static void pure_translation_matches(void** state)
{
    (void)state;
    table_read(&golden, folder, "pure_translation.csv");
    for (size_t row = 0; row < golden.rows; row++) {
        const double h = 1.0, pn = table_get(&golden, row, "pn"); // impulses are given
        br_slider s = br_slider_default();
        s.mass = table_get(&golden, row, "m");
        s.mu = table_get(&golden, row, "mu");
        s.gravity = pn / (s.mass * h);
        s.e_t = table_get(&golden, row, "et");
        s.e_o = table_get(&golden, row, "eo");
        br_slider_state q = {
            .v = {table_get(&golden, row, "vx"), table_get(&golden, row, "vy"), 0.0}};
        const br_slider_load load = {
            {table_get(&golden, row, "px") / h, table_get(&golden, row, "py") / h, 0.0}, 0.0};
        const br_slider_value v = br_slider_translation_step(&s, &q, &load, h);
        // asked: 1e-13 relative; velocities are differences, relative to what they start from
        const double scale = hypot(table_get(&golden, row, "vx"), table_get(&golden, row, "vy"));
        assert_near(v.pt, table_get(&golden, row, "pt"), 1e-13 * s.mu * pn);
        assert_near(v.po, table_get(&golden, row, "po"), 1e-13 * s.mu * pn);
        assert_near(v.sigma, table_get(&golden, row, "sigma"), 1e-13 * scale);
        assert_near(q.v.vx, table_get(&golden, row, "vx_new"), 1e-13 * scale);
        assert_near(q.v.vy, table_get(&golden, row, "vy_new"), 1e-13 * scale);
        assert_int_equal(v.mode == BR_SLIDER_STICK, !(table_get(&golden, row, "sigma") > 0.0));
    }
}

static void quasistatic_pushing_matches(void** state)
{
    (void)state;
    table_read(&golden, folder, "quasistatic.csv");
    for (size_t row = 0; row < golden.rows; row++) {
        br_pushing pushing = br_pushing_default();
        pushing.centre = (br_vec2){table_get(&golden, row, "qx"), table_get(&golden, row, "qy")};
        pushing.e_r = table_get(&golden, row, "c");
        const br_vec2 point = {table_get(&golden, row, "xc"), table_get(&golden, row, "yc")};
        const br_vec2 velocity = {table_get(&golden, row, "vpx"), table_get(&golden, row, "vpy")};
        const br_push v = br_pushing_stick_eval(&pushing, point, velocity);
        // asked: 1e-13 relative to the size of each vector
        const double speed = br_vec2_norm(velocity), c = pushing.e_r;
        assert_near(v.twist.vx, table_get(&golden, row, "vx"), 1e-13 * speed);
        assert_near(v.twist.vy, table_get(&golden, row, "vy"), 1e-13 * speed);
        assert_near_relative(v.twist.w, table_get(&golden, row, "wz"), 1e-13);
        assert_near(v.friction.fx, table_get(&golden, row, "lt_over_muN"), 1e-13);
        assert_near(v.friction.fy, table_get(&golden, row, "lo_over_muN"), 1e-13);
        assert_near(v.friction.tau, table_get(&golden, row, "lr_over_muN"), 1e-13 * c);
    }
}

int main(int argc, char** argv)
{
    assert_true(argc > 1);
    folder = argv[1];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(example_61_matches),
        cmocka_unit_test(anisotropic_friction_matches),
        cmocka_unit_test(example_61_run_to_rest_sticks_in_step_47_and_stays),
        cmocka_unit_test(example_62_matches),
        cmocka_unit_test(pure_translation_matches),
        cmocka_unit_test(quasistatic_pushing_matches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
