/*
 * p_s, the centre of rotation of a pure torque: W&K's Fig 16.
 */
#include "limit_shapes.h"

#include <string.h>

// The twist of 1 rad/s about a centre in the contact frame, at the CoP.
static br_twist spin_about(br_vec2 centre, br_vec2 cop)
{
    return (br_twist){centre.y - cop.y, cop.x - centre.x, 1.0};
}

/* Oracle: closed form. On a line p_s is the median of the pressure ("an equal amount of pressure on either
 * side", Fig 16): of a pressure from 0 to 1 it is at 1/sqrt 2 of the length, the CoP at 2/3; from 1 to 3 at
 * (sqrt 5 - 1)/2 and 7/12. */
static void on_a_line_it_is_the_median_of_the_pressure(void** state)
{
    (void)state;
    static const double cases[][4] = {{0.0, 1.0, 0.70710678118654752, 2.0 / 3.0},
                                      {1.0, 3.0, 0.61803398874989485, 7.0 / 12.0}};
    for (size_t i = 0; i < 2; i++) {
        const double *c = cases[i], length = 0.02;
        const sample s = make_sample("line", with_linear(line_def(length), c[0], c[1]));
        const br_vec2 centre = br_limit_get_spin_centre(s.surface, NULL);
        assert_near(s.value.cop.x, (c[3] - 0.5) * length, 1e-16 /* m, rounding */);
        assert_near(centre.x, (c[2] - 0.5) * length, 1e-14 /* m, rounding */);
        assert_near(centre.y, 0.0, 1e-16);
        destroy_sample(s);
    }
}

/* Oracle: symmetry. A patch that half a turn maps on itself turns about its CoP, with torque r. */
static void symmetric_patches_turn_about_their_centre_of_pressure(void** state)
{
    (void)state;
    static const char* const names[] = {"disc",          "ring", "power k = 2", "power k = 4",
                                        "power k = 0.7", "line", "square",      "rectangle"};
    size_t seen = 0;
    for (int i = 0; i < CHOICES; i++) {
        const sample s = choice(i);
        for (size_t j = 0; j < COUNT(names); j++) {
            if (strcmp(names[j], s.name) == 0) {
                double torque;
                const br_vec2 centre = br_limit_get_spin_centre(s.surface, &torque);
                assert_near(centre.x, s.value.cop.x, 0.0);
                assert_near(centre.y, s.value.cop.y, 0.0);
                assert_near(torque, s.value.r, 1e-14 * s.value.r);
                seen++;
            }
        }
        destroy_sample(s);
    }
    assert_int_equal(seen, COUNT(names));
}

// The mean distance of the pressure from a centre.
static double mean_distance(const sample* s, br_vec2 centre)
{
    return br_limit_eval(s->surface, spin_about(centre, s->value.cop)).dissipation;
}

/* Oracle: definition. No force is left about p_s (but at a support point, where it is one of many), the
 * torque is G, and no centre nearby or far off has less. */
static void it_has_no_force_and_the_least_torque(void** state)
{
    (void)state;
    uint64_t seed = 5;
    for (int i = 0; i < CHOICES; i++) {
        const sample s = choice(i);
        double torque;
        const double r = s.value.r;
        const br_vec2 centre = br_limit_get_spin_centre(s.surface, &torque);
        const br_limit_value at = br_limit_eval(s.surface, spin_about(centre, s.value.cop));
        assert_near(at.dissipation, torque, 1e-13 * r);
        if (!at.set_valued) {
            assert_near(hypot(at.wrench.fx, at.wrench.fy), 0.0, 1e-13 /* rounding of G's slope */);
            assert_near(at.wrench.tau, -torque, 1e-13 * r);
        }
        for (int j = 0; j < 300; j++) {
            const double far = r * pow(10.0, uniform(&seed, -6.0, 1.0));
            const double angle = uniform(&seed, -BR_PI, BR_PI);
            const br_vec2 other = {centre.x + far * cos(angle), centre.y + far * sin(angle)};
            assert_true(mean_distance(&s, other) >= torque * (1.0 - 1e-13));
        }
        // and so is the gauge: the torque alone is on the surface
        assert_near(br_limit_gauge(s.surface, (br_wrench){0.0, 0.0, torque}, NULL), 1.0, 1e-9);
        destroy_sample(s);
    }
}

// Weiszfeld's iteration for the geometric median of weighted points, from their mean.
static br_vec2 weiszfeld(const br_vec2* p, const double* weight, size_t count, br_vec2 at)
{
    for (int round = 0; round < 4000; round++) {
        double sum = 0.0;
        br_vec2 next = {0.0, 0.0};
        for (size_t i = 0; i < count; i++) {
            const double pull = weight[i] / fmax(br_vec2_norm(br_vec2_sub(p[i], at)), 1e-300);
            next = br_vec2_add(next, br_vec2_scale(pull, p[i]));
            sum += pull;
        }
        at = br_vec2_scale(1.0 / sum, next);
    }
    return at;
}

/* Oracle: an independent method, Weiszfeld's fixed point on a patch's support points, which shares neither
 * the derivatives nor the minimiser. */
static void weiszfelds_iteration_finds_the_same(void** state)
{
    (void)state;
    uint64_t seed = 6;
    for (int i = 0; i < 20; i++) {
        br_support_point points[40];
        br_vec2 at[40];
        double weight[40];
        for (size_t j = 0; j < 40; j++) {
            points[j] = (br_support_point){uniform(&seed, -1.0, 1.0), uniform(&seed, 0.0, 0.3),
                                           uniform(&seed, 0.1, 1.0) * (j < 10 ? 4.0 : 1.0)};
            at[j] = (br_vec2){points[j].x, points[j].y};
            weight[j] = points[j].weight;
        }
        const sample s = make_sample("points", points_def(points, 40));
        const br_vec2 centre = br_limit_get_spin_centre(s.surface, NULL);
        const br_vec2 median = weiszfeld(at, weight, 40, s.value.cop);
        // the iteration converges linearly, slowly where a point is near
        assert_near(centre.x, median.x, 1e-6);
        assert_near(centre.y, median.y, 1e-6);
        assert_true(br_vec2_norm(br_vec2_sub(centre, s.value.cop)) > 1e-3);
        destroy_sample(s);
    }
}

/* Oracle: the patch itself. Half the weight or more on one point holds it; two equal points leave the
 * choice to the CoP; a point is its own; a table and an ellipsoid have the patch's. */
static void points_and_other_methods(void** state)
{
    (void)state;
    static const br_support_point heavy[] = {{0, 0, 5}, {1, 0, 2}, {0, 1, 2}};
    static const br_support_point even[] = {{-0.3, 0.1, 1}, {0.7, 0.9, 1}};
    const sample a = make_sample("heavy", points_def(heavy, COUNT(heavy)));
    const sample b = make_sample("even", points_def(even, COUNT(even)));
    const sample c = make_sample("one", points_def(heavy, 1));
    const br_vec2 at_a = br_limit_get_spin_centre(a.surface, NULL);
    const br_vec2 at_b = br_limit_get_spin_centre(b.surface, NULL);
    double torque = 1.0;
    const br_vec2 at_c = br_limit_get_spin_centre(c.surface, &torque);
    assert_near(hypot(at_a.x, at_a.y), 0.0, 1e-15);
    assert_near(hypot(at_b.x - b.value.cop.x, at_b.y - b.value.cop.y), 0.0, 1e-15);
    assert_near(hypot(at_c.x, at_c.y) + torque, 0.0, 0.0);

    br_limit_def def = br_limit_def_default();
    br_patch* patch = make(with_linear(line_def(0.02), 0.0, 1.0));
    def.patch = patch;
    for (int method = 0; method <= BR_LIMIT_FITTED; method++) {
        br_limit* surface;
        def.method = (br_limit_method)method;
        assert_status(br_limit_create(&def, &surface, NULL), BR_OK);
        assert_near(br_limit_get_spin_centre(surface, NULL).x, 0.02 * (sqrt(0.5) - 0.5), 1e-13);
        br_limit_destroy(surface);
    }
    br_patch_destroy(patch);
    destroy_sample(a), destroy_sample(b), destroy_sample(c);
}

// How much the others pull at a point that is at rest while they turn about it, per mu fn.
static double pull_of_others(const br_support_point* points, size_t n, size_t i)
{
    br_vec2 sum = {0.0, 0.0};
    for (size_t k = 0; k < n; k++) {
        const br_vec2 away = {points[k].x - points[i].x, points[k].y - points[i].y};
        if (k != i) {
            sum = br_vec2_add(sum, br_vec2_scale(points[k].weight / br_vec2_norm(away), away));
        }
    }
    return br_vec2_norm(sum);
}

/* Oracle: Weber's condition. The centre of rotation of a torque alone is their geometric median: the point that
 * bears more than the others pull, exactly, and no point if there is none. */
static void spin_centre_of_points_is_their_median(void** state)
{
    (void)state;
    uint64_t seed = 29;
    int at_points = 0;
    for (int set = 0; set < 3000; set++) {
        br_support_point points[12];
        const size_t n = 3 + (size_t)uniform(&seed, 0.0, 9.0);
        for (size_t i = 0; i < n; i++) {
            points[i] = (br_support_point){uniform(&seed, 0.0, 1.0), uniform(&seed, 0.0, 1.0),
                                           pow(10.0, uniform(&seed, -3.0, 0.0))};
        }
        const sample s = make_sample("points", points_def(points, n));
        const br_vec2 centre = br_limit_get_spin_centre(s.surface, NULL);
        for (size_t i = 0; i < n; i++) {
            const double away = hypot(centre.x - points[i].x, centre.y - points[i].y);
            if (pull_of_others(points, n, i) < points[i].weight) {
                at_points++;
                assert_near(away, 0.0, 1e-14 /* m, rounding of coordinates up to 1 */);
            } else {
                assert_true(away > 0.0);
            }
        }
        destroy_sample(s);
    }
    assert_true(at_points > 1000);
}

/* Oracle: one point. Points at one position with unequal weights have the surface of one: no torque, and a spin
 * about it finds it at rest. */
static void points_at_one_place_are_one(void** state)
{
    (void)state;
    const br_support_point points[] = {{0.1, 0.7, 0.3}, {0.1, 0.7, 0.5}, {0.1, 0.7, 0.71}};
    const sample s = make_sample("one place", points_def(points, 3));
    const br_limit_value spin = br_limit_eval(s.surface, (br_twist){0.0, 0.0, 2.0});
    const br_limit_value slide = br_limit_eval(s.surface, (br_twist){3.0, 4.0, 2.0});
    assert_near(spin.dissipation, 0.0, 0.0);
    assert_true(spin.set_valued);
    assert_near(slide.dissipation, 5.0, 1e-15);
    assert_near(slide.wrench.fx, -0.6, 1e-15);
    assert_near(slide.wrench.fy, -0.8, 1e-15);
    assert_near(slide.wrench.tau, 0.0, 0.0);
    destroy_sample(s);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_a_line_it_is_the_median_of_the_pressure),
        cmocka_unit_test(symmetric_patches_turn_about_their_centre_of_pressure),
        cmocka_unit_test(it_has_no_force_and_the_least_torque),
        cmocka_unit_test(weiszfelds_iteration_finds_the_same),
        cmocka_unit_test(points_and_other_methods),
        cmocka_unit_test(spin_centre_of_points_is_their_median),
        cmocka_unit_test(points_at_one_place_are_one),
    };
    return run_group(argc, argv, tests);
}
