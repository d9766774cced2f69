/*
 * Sliders: closed forms, the balance of moments in space, invariants, the complementarity form.
 */
#include "check.h"

#include <string.h>

#include "bristle/bristle.h"

static const br_slider_load no_load = {{0.0, 0.0, 0.0}, 0.0};

static const br_slider_state start_61 = {{0.0, 0.0, 0.0}, {0.7, 0.9, 10.0}};

// A slider of some 3 to 30 cm and its load; every third one anisotropic, every fourth one flat.
typedef struct random_case {
    br_slider slider;
    br_slider_state state;
    br_slider_load load;
    double size, h;
} random_case;

static random_case make_case(uint64_t* seed, int i)
{
    random_case c = {.slider = br_slider_default()};
    br_slider* s = &c.slider;
    c.size = uniform(seed, 0.03, 0.3);
    c.h = exp(uniform(seed, log(1e-4), log(0.1)));
    s->mass = exp(uniform(seed, log(0.05), log(20.0)));
    s->inertia = s->mass * c.size * c.size * uniform(seed, 0.05, 0.5);
    s->mu = uniform(seed, 0.01, 1.0);
    s->height = i % 4 ? uniform(seed, 0.0, 0.2) : 0.0;
    s->e_t = i % 3 ? 1.0 : uniform(seed, 0.5, 1.5);
    s->e_o = i % 3 ? 1.0 : uniform(seed, 0.5, 1.5);
    s->e_r = uniform(seed, 0.01, 0.06);
    const double speed = exp(uniform(seed, log(1e-3), log(3.0)));
    c.state.v = (br_twist){speed * uniform(seed, -1.0, 1.0), speed * uniform(seed, -1.0, 1.0),
                           speed / c.size * uniform(seed, -3.0, 3.0)};
    const double force = i % 2 ? 2.0 * s->mu * s->mass * s->gravity : 0.0;
    c.load.f = (br_wrench){force * uniform(seed, -1.0, 1.0), force * uniform(seed, -1.0, 1.0),
                           force * c.size * uniform(seed, -0.15, 0.15)};
    return c;
}

static double energy(const br_slider* s, br_twist v)
{
    return 0.5 * s->mass * (v.vx * v.vx + v.vy * v.vy) + 0.5 * s->inertia * v.w * v.w;
}

// Largest residual of (17)-(20), relative: the slip law at the ECP, and the ellipsoid.
static double law_residual(const random_case* c, const br_slider_state* end,
                           const br_slider_value* value)
{
    const br_slider* s = &c->slider;
    const double limit = s->mu * s->mass * s->gravity * c->h;
    const double e[3] = {s->e_t, s->e_o, s->e_r};
    const double p[3] = {value->pt, value->po, value->pr};
    const double v[3] = {end->v.vx - end->v.w * (value->ecp.y - end->q.y),
                         end->v.vy + end->v.w * (value->ecp.x - end->q.x), end->v.w};
    double worst = 0.0, square = 0.0, scale = value->sigma;
    const br_twist v0 = c->state.v;
    scale = fmax(scale, hypot(hypot(e[0] * v0.vx, e[1] * v0.vy), e[2] * v0.w));
    for (int i = 0; i < 3; i++) {
        worst = fmax(worst, fabs(e[i] * v[i] + p[i] * value->sigma / (e[i] * limit)) / scale);
        square += p[i] * p[i] / (e[i] * e[i] * limit * limit);
    }
    const double inside = 1.0 - square;
    return fmax(worst, value->mode == BR_SLIDER_SLIDE ? fabs(inside) : fmax(-inside, 0.0));
}

/* Oracle: invariant. (17)-(20) hold at the ECP, sigma >= 0, with loads at any height. */
static void steps_obey_the_slip_law_under_loads_at_any_height(void** state)
{
    (void)state;
    uint64_t seed = 3;
    int long_ones = 0;
    for (int i = 0; i < 3000; i++) {
        random_case c = make_case(&seed, i);
        c.load.lift = i % 2 ? uniform(&seed, -c.slider.height, c.size) : 0.0;
        br_slider_state end = c.state;
        const br_slider_value value = br_slider_step(&c.slider, &end, &c.load, c.h);
        assert_true(value.sigma >= 0.0);
        // rounding, times up to 1e3: mu q_z w shifts the slip velocity by that much of itself
        assert_near(law_residual(&c, &end, &value), 0.0, 1e-11);
        long_ones += value.iterations > 6;
        assert_in_range(value.iterations, 0, 300);
    }
    assert_in_range(long_ones, 0,
                    45); // of 1500 lifted loads; 1.2 % in 3e5 cases, docs/explanation/sliders.md
}

typedef struct vec3 {
    double x, y, z;
} vec3;

static vec3 cross(vec3 a, vec3 b)
{
    return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* Oracle: the balance of moments about the CoM in space, with every force where it acts. */
static void moments_balance_in_space(void** state)
{
    (void)state;
    uint64_t seed = 5;
    for (int i = 1; i < 2000; i += 2) {
        random_case c = make_case(&seed, i);
        c.load.lift = uniform(&seed, -c.slider.height, c.size);
        br_slider_state end = c.state;
        const br_slider_value value = br_slider_step(&c.slider, &end, &c.load, c.h);
        const double pn = c.slider.mass * c.slider.gravity * c.h;
        const vec3 arm = {value.ecp.x - end.q.x, value.ecp.y - end.q.y, -c.slider.height};
        const vec3 ground = cross(arm, (vec3){value.pt, value.po, pn});
        const vec3 applied =
            cross((vec3){0.0, 0.0, c.load.lift}, (vec3){c.load.f.fx * c.h, c.load.f.fy * c.h, 0.0});
        const double gained = c.slider.inertia * (end.v.w - c.state.v.w);
        // rounding of the arms times the normal impulse, of the spin times the inertia
        const double rounding = 1e-13 * pn * (c.size + 1.0);
        assert_near(ground.x + applied.x, 0.0, rounding);
        assert_near(ground.y + applied.y, 0.0, rounding);
        assert_near(ground.z + value.pr + c.load.f.tau * c.h, gained,
                    rounding + 1e-12 * c.slider.inertia * fabs(c.state.v.w));
    }
}

/* Oracle: statics. At rest a load is balanced, and where it acts on the ground's level or the slider
 * has no height, the ECP stays below the CoM. */
static void a_load_below_the_limit_is_held(void** state)
{
    (void)state;
    const br_slider s = br_slider_default();
    const double limit = s.mu * s.mass * s.gravity, h = 0.01;
    br_slider_state at = {{0.1, 0.2, 0.3}, {0.0, 0.0, 0.0}};
    const br_slider_state before = at;
    br_slider_load load = {{0.99 * limit, 0.0, 0.0}, -s.height};
    const br_slider_value value = br_slider_step(&s, &at, &load, h);
    assert_memory_equal(&at, &before, sizeof at);
    assert_int_equal(value.mode, BR_SLIDER_STICK);
    assert_near(value.pt, -0.99 * limit * h, 1e-16);
    assert_near(value.ecp.x, 0.1, 1e-16);
    // pushed at the CoM's height the ECP moves forward by mu q_z: (11)
    load.lift = 0.0;
    assert_near(br_slider_step(&s, &at, &load, h).ecp.x, 0.1 + 0.99 * s.mu * s.height, 1e-16);
    // above the limit it slides
    load.f.fx = 1.01 * limit;
    assert_int_equal(br_slider_eval(&s, &before, &load).mode, BR_SLIDER_SLIDE);
    assert_int_equal(br_slider_step(&s, &at, &load, h).mode, BR_SLIDER_SLIDE);
    assert_near(at.v.vx, 0.01 * limit * h / s.mass, 1e-15);
}

/* Oracle: (22)-(25) themselves, and the limit of short steps. */
static void instants_obey_the_continuous_model_and_are_the_limit_of_steps(void** state)
{
    (void)state;
    uint64_t seed = 9;
    for (int i = 0; i < 1000; i++) {
        random_case c = make_case(&seed, i);
        c.load.lift = i % 2 ? uniform(&seed, -0.5 * c.slider.height, 0.1) : 0.0;
        c.h = 1.0;
        const br_slider_rate rate = br_slider_eval(&c.slider, &c.state, &c.load);
        const br_slider_value as_step = {.pt = rate.f.fx,
                                         .po = rate.f.fy,
                                         .pr = rate.f.tau,
                                         .sigma = rate.sigma,
                                         .ecp = rate.ecp,
                                         .mode = rate.mode};
        assert_near(law_residual(&c, &c.state, &as_step), 0.0, 1e-11 /* rounding, as above */);
    }
    // the first step's mean acceleration differs from the instant's in proportion to its length
    const br_slider s = br_slider_default();
    const br_slider_load load = {{0.4, -0.3, 0.01}, 0.03};
    const br_slider_rate rate = br_slider_eval(&s, &start_61, &load);
    double errors[2];
    for (int i = 0; i < 2; i++) {
        const double h = i ? 1e-5 : 1e-4;
        br_slider_state at = start_61;
        br_slider_step(&s, &at, &load, h);
        errors[i] = fabs((at.v.vx - start_61.v.vx) / h - rate.acceleration.vx) +
                    fabs((at.v.w - start_61.v.w) / h - rate.acceleration.w);
    }
    assert_near(errors[0] / errors[1], 10.0, 0.1 /* the next order */);
}

/* Oracle: all of (26)-(32) scales with the step's length at rest. */
static void breaking_away_from_rest_is_the_same_at_every_step_length(void** state)
{
    (void)state;
    const br_slider s = br_slider_default();
    const br_slider_load load = {{2.0, 1.0, 0.02}, 0.01};
    const br_slider_state rest = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    const br_slider_rate rate = br_slider_eval(&s, &rest, &load);
    br_slider_state at = rest;
    const br_slider_value value = br_slider_step(&s, &at, &load, 1e-3);
    assert_near_relative(value.pt / 1e-3, rate.f.fx, 1e-12);
    assert_near_relative(value.pr / 1e-3, rate.f.tau, 1e-12);
    assert_near_relative(at.v.w / 1e-3, rate.acceleration.w, 1e-12);
}

/* Oracle: symmetry. With e_t = e_o everything turns with the frame. */
static void isotropic_sliders_turn_with_the_frame(void** state)
{
    (void)state;
    const br_slider s = br_slider_default();
    const double angle = 0.7;
    br_slider_load load = {{1.0, 0.5, 0.01}, 0.02}, turned_load = load;
    const br_vec2 f = br_vec2_rotate((br_vec2){1.0, 0.5}, angle);
    turned_load.f.fx = f.x;
    turned_load.f.fy = f.y;
    const br_vec2 v = br_vec2_rotate((br_vec2){0.7, 0.9}, angle);
    br_slider_state at = start_61, turned = {{0.0, 0.0, angle}, {v.x, v.y, 10.0}};
    for (int i = 0; i < 30; i++) {
        br_slider_step(&s, &at, &load, 0.01);
        br_slider_step(&s, &turned, &turned_load, 0.01);
    }
    const br_vec2 q = br_vec2_rotate((br_vec2){at.q.x, at.q.y}, angle);
    assert_near(turned.q.x, q.x, 1e-13 /* rounding over 30 steps */);
    assert_near(turned.q.y, q.y, 1e-13);
    assert_near(turned.q.theta, at.q.theta + angle, 1e-12);
}

/* Oracle: Coulomb's law. Without height, spin and anisotropy a slider is a mass on friction. */
static void a_flat_slider_decelerates_by_mu_g(void** state)
{
    (void)state;
    br_slider s = br_slider_default();
    s.height = 0.0;
    br_slider_state at = {.v = {1.0, 0.0, 0.0}}, translated = at;
    for (int i = 1; i <= 20; i++) {
        br_slider_step(&s, &at, &no_load, 0.01);
        br_slider_translation_step(&s, &translated, &no_load, 0.01);
        assert_near(at.v.vx, 1.0 - s.mu * s.gravity * 0.01 * i, 1e-14);
        assert_near(translated.v.vx, at.v.vx, 1e-14);
    }
}

/* Oracle: the friction moment that keeps a translating slider from turning balances the others. */
static void translation_needs_a_moment_only_under_a_lifted_load(void** state)
{
    (void)state;
    const br_slider s = br_slider_default();
    br_slider_state at = {.v = {1.0, 0.5, 0.0}};
    const br_slider_load load = {{0.3, -0.8, 0.0}, 0.05};
    const br_slider_value value = br_slider_translation_step(&s, &at, &load, 0.01);
    const br_vec2 arm = br_vec2_sub(value.ecp, (br_vec2){at.q.x, at.q.y});
    assert_near(value.pr + br_vec2_cross(arm, (br_vec2){value.pt, value.po}), 0.0, 1e-17);
    assert_near(at.v.w, 0.0, 0.0);
}

static void the_ellipsoid_of_a_patch_has_its_r(void** state)
{
    (void)state;
    br_slider s = br_slider_default();
    br_patch_def def = br_patch_def_default(); // a uniform disc of 10 mm: r = 2R/3
    br_patch* patch;
    assert_status(br_patch_create(&def, &patch, NULL), BR_OK);
    assert_status(br_slider_set_patch(&s, patch, NULL), BR_OK);
    assert_near(s.e_r, 0.02 / 3.0, 1e-17);
    br_patch_destroy(patch);
    const br_support_point point = {0.0, 0.0, 1.0};
    def.shape = BR_SHAPE_POINTS;
    def.count = 1;
    def.points = &point;
    br_reason why;
    assert_status(br_patch_create(&def, &patch, NULL), BR_OK);
    assert_status(br_slider_set_patch(&s, patch, &why), BR_ERR_ARG);
    assert_string_equal(why.field, "patch");
    br_patch_destroy(patch);
}

/* Oracle: (11). A body three times as high as mu allows topples over its front edge. */
static void a_tall_slider_topples_over_its_front_edge(void** state)
{
    (void)state;
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_RECTANGLE;
    def.size_x = def.size_y = 0.05;
    br_patch* patch;
    br_outline* hull;
    assert_status(br_patch_create(&def, &patch, NULL), BR_OK);
    assert_status(br_outline_create(patch, 1.0, 1, &hull, NULL), BR_OK);
    br_slider s = br_slider_default();
    const double highest = 0.025 / s.mu;
    for (int i = 0; i < 2; i++) {
        s.height = i ? 1.01 * highest : 0.99 * highest;
        br_slider_state at = {.v = {1.0, 0.0, 0.0}};
        const br_slider_value value = br_slider_step(&s, &at, &no_load, 1e-3);
        const br_vec2 shift = br_vec2_sub(value.ecp, (br_vec2){at.q.x, at.q.y});
        const br_outline_place place = br_outline_eval(hull, shift);
        assert_int_equal(place.distance > 0.0, i);
        assert_near(place.normal.x, 1.0, 1e-15);
    }
    br_outline_destroy(hull);
    br_patch_destroy(patch);
}

static void frictionless_sliders_coast(void** state)
{
    (void)state;
    br_slider s = br_slider_default();
    s.mu = 0.0;
    br_slider_state at = start_61;
    const br_slider_value value = br_slider_step(&s, &at, &no_load, 0.01);
    assert_near(at.v.vx, 0.7, 0.0);
    assert_near(value.pr, 0.0, 0.0);
    at.v = (br_twist){0.0, 0.0, 0.0};
    assert_int_equal(br_slider_step(&s, &at, &no_load, 0.01).mode, BR_SLIDER_STICK);
}

/* Oracle: all of (22)-(32) scales with speed. A slider at 2^k times the speed, in a step 2^k times as long,
   has 2^k times the impulses; far beyond the range of squares, and far below. */
static void steps_scale_with_speed(void** state)
{
    (void)state;
    const br_slider s = br_slider_default();
    br_slider_state usual = start_61;
    const br_slider_value want = br_slider_step(&s, &usual, &no_load, 0.01);
    const br_slider_rate rate = br_slider_eval(&s, &start_61, &no_load);
    for (int k = -1000; k <= 1000; k += 100) {
        const double unit = ldexp(1.0, k);
        const br_twist v = {0.7 * unit, 0.9 * unit, 10.0 * unit};
        br_slider_state at = {{0.0, 0.0, 0.0}, v};
        const br_slider_rate instant = br_slider_eval(&s, &at, &no_load);
        const br_slider_value got = br_slider_step(&s, &at, &no_load, 0.01 * unit);
        assert_near(got.pt / unit, want.pt, 1e-15); // rounding of the scaled problem
        assert_near(got.pr / unit, want.pr, 1e-17);
        assert_near(got.sigma / unit, want.sigma, 1e-14);
        assert_near(at.v.w / unit, usual.v.w, 1e-13);
        assert_near(instant.f.fx, rate.f.fx, 1e-14);
        assert_near(instant.sigma / unit, rate.sigma, 1e-14);
    }
}

/* Oracle: friction at full strength against the motion; and a slider that hardly moves is held, by
   both solvers. */
static void the_fastest_slide_and_the_slowest_stick(void** state)
{
    (void)state;
    const br_slider s = br_slider_default();
    br_slider_state at = {{0.0, 0.0, 0.0}, {1e100, 0.0, 1.0}};
    const br_slider_value fast = br_slider_step(&s, &at, &no_load, 0.01);
    assert_near(fast.pt, -s.mu * s.mass * s.gravity * 0.01, 1e-17);
    assert_near(at.v.w, 1.0, 0.0);
    for (int k = -300; k <= -20; k += 20) {
        const double little = pow(10.0, k);
        const br_slider_state start = {{0.0, 0.0, 0.0}, {little, 0.0, little}};
        br_slider_state by_scalar = start, by_ncp = start;
        br_slider_value held;
        assert_int_equal(br_slider_step(&s, &by_scalar, &no_load, 0.01).mode, BR_SLIDER_STICK);
        assert_status(br_slider_ncp_step(&s, &by_ncp, &no_load, 0.01, &held), BR_OK);
        assert_int_equal(held.mode, BR_SLIDER_STICK);
    }
}

static void nan_gives_nan(void** state)
{
    (void)state;
    const br_slider s = br_slider_default();
    br_slider_state at = start_61;
    at.v.vy = (double)NAN;
    const br_slider_rate rate = br_slider_eval(&s, &at, &no_load);
    assert_true(isnan(rate.f.fx));
    br_slider_step(&s, &at, &no_load, 0.01);
    assert_true(isnan(at.v.vx));
    const br_slider_load load = {{1.0, 0.0, (double)NAN}, 0.1};
    at = start_61;
    br_slider_step(&s, &at, &load, 0.01);
    assert_true(isnan(at.v.w));
}

static void bad_definitions_are_named(void** state)
{
    (void)state;
    const struct {
        const char* field;
        size_t offset;
        double value;
    } bad[] = {{"mass", offsetof(br_slider, mass), -1.0},
               {"inertia", offsetof(br_slider, inertia), 0.0},
               {"height", offsetof(br_slider, height), -0.1},
               {"mu", offsetof(br_slider, mu), -0.1},
               {"e[0]", offsetof(br_slider, e_t), 0.0},
               {"e[1]", offsetof(br_slider, e_o), -1.0},
               {"e[2]", offsetof(br_slider, e_r), HUGE_VAL},
               {"gravity", offsetof(br_slider, gravity), (double)NAN}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        br_slider s = br_slider_default();
        br_reason why;
        assert_status(br_slider_check(&s, NULL), BR_OK);
        *(double*)((char*)&s + bad[i].offset) = bad[i].value;
        assert_status(br_slider_check(&s, &why), BR_ERR_DEF);
        assert_string_equal(why.field, bad[i].field);
    }
}

/* Oracle: the complementarity form, by a solver that shares nothing. 1e5 cases take 0.3 s. */
static void compare_with_ncp(int cases)
{
    uint64_t seed = 1;
    for (int i = 0; i < cases; i++) {
        const random_case c = make_case(&seed, i);
        br_slider_state ours = c.state, theirs = c.state;
        const br_slider_value a = br_slider_step(&c.slider, &ours, &c.load, c.h);
        br_slider_value b;
        assert_status(br_slider_ncp_step(&c.slider, &theirs, &c.load, c.h, &b), BR_OK);
        const double limit = c.slider.mu * c.slider.mass * c.slider.gravity * c.h;
        // asked: 1e-9 of the limits
        assert_near(a.pt, b.pt, 1e-9 * limit * c.slider.e_t);
        assert_near(a.po, b.po, 1e-9 * limit * c.slider.e_o);
        assert_near(a.pr, b.pr, 1e-9 * limit * c.slider.e_r);
        assert_int_equal(a.mode, b.mode);
        assert_true(a.sigma >= 0.0 && a.iterations <= 6);
    }
}

static void scalar_and_complementarity_solvers_agree(void** state)
{
    (void)state;
    compare_with_ncp(2000);
}

static void scalar_and_complementarity_solvers_agree_in_1e5_cases(void** state)
{
    (void)state;
    compare_with_ncp(100000);
}

/* Oracle: invariant. Without applied work kinetic energy never grows, at any step length. */
static void energy_never_grows(void** state)
{
    (void)state;
    uint64_t seed = 2;
    for (int i = 0; i < 2000; i++) {
        random_case c = make_case(&seed, 2 * i);
        for (int step = 0; step < 10; step++) {
            const double before = energy(&c.slider, c.state.v);
            br_slider_step(&c.slider, &c.state, &no_load, c.h);
            assert_true(energy(&c.slider, c.state.v) <= before * (1.0 + 1e-15));
        }
    }
}

static void steps_do_not_allocate(void** state)
{
    (void)state;
    counting count = {0};
    br_set_allocator(counting_allocate, counting_release, &count);
    const br_slider s = br_slider_default();
    br_slider_state at = start_61;
    br_slider_value value;
    br_slider_step(&s, &at, &no_load, 0.01);
    br_slider_ncp_step(&s, &at, &no_load, 0.01, &value);
    br_slider_eval(&s, &at, &no_load);
    br_set_allocator(NULL, NULL, NULL);
    assert_int_equal(count.calls, 0);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_obey_the_slip_law_under_loads_at_any_height),
        cmocka_unit_test(moments_balance_in_space),
        cmocka_unit_test(a_load_below_the_limit_is_held),
        cmocka_unit_test(instants_obey_the_continuous_model_and_are_the_limit_of_steps),
        cmocka_unit_test(breaking_away_from_rest_is_the_same_at_every_step_length),
        cmocka_unit_test(isotropic_sliders_turn_with_the_frame),
        cmocka_unit_test(a_flat_slider_decelerates_by_mu_g),
        cmocka_unit_test(translation_needs_a_moment_only_under_a_lifted_load),
        cmocka_unit_test(the_ellipsoid_of_a_patch_has_its_r),
        cmocka_unit_test(a_tall_slider_topples_over_its_front_edge),
        cmocka_unit_test(frictionless_sliders_coast),
        cmocka_unit_test(steps_scale_with_speed),
        cmocka_unit_test(the_fastest_slide_and_the_slowest_stick),
        cmocka_unit_test(nan_gives_nan),
        cmocka_unit_test(bad_definitions_are_named),
        cmocka_unit_test(scalar_and_complementarity_solvers_agree),
        cmocka_unit_test(energy_never_grows),
        cmocka_unit_test(steps_do_not_allocate),
    };
    const struct CMUnitTest many[] = {
        cmocka_unit_test(scalar_and_complementarity_solvers_agree_in_1e5_cases)};
    // "many" is for the plain run: under valgrind it would take long
    if (argc > 1 && strcmp(argv[1], "many") == 0) {
        return cmocka_run_group_tests(many, NULL, NULL);
    }
    return run_group(argc, argv, tests);
}
