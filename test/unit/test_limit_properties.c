/*
 * Properties that every exact limit surface has, on random patches and twists.
 *
 * Oracles: invariants of a convex, homogeneous dissipation D with wrench -grad D.
 */
#include "limit_shapes.h"

// Sums of some hundred terms of size 1, and cancellation of torque at CoRs up to 3 sizes away.
static const double rounding = 1e-12;

enum { TWISTS = 1500 }; // per patch and property: some 200000 cases in all

// Run a check on random twists of every patch.
static void for_all(void (*check)(const sample*, uint64_t*), int twists)
{
    for (int i = 0; i < CHOICES; i++) {
        const sample s = choice(i);
        uint64_t seed = 1 + (uint64_t)i;

        // integrals over rings take 50 times as long as closed forms
        const int is_slow = br_patch_get_def(s.patch)->pressure == BR_PRESSURE_POWER;
        for (int n = 0; n < (is_slow ? 1 + twists / 10 : twists); n++) {
            check(&s, &seed);
        }
        destroy_sample(s);
    }
}

// --- first order -----------------------------------------------------------------------------------

static void check_power(const sample* s, uint64_t* seed)
{
    const br_twist v = random_twist(seed, s->value.r);
    const br_limit_value at = br_limit_eval(s->surface, v);
    assert_true(at.dissipation > 0.0);
    assert_near(power_of(at.wrench, v), -at.dissipation, rounding * speed_of(v, s->value.r));

    // max |f| = 1 in translation, max |tau| = r in rotation about the CoP
    assert_true(hypot(at.wrench.fx, at.wrench.fy) <= 1.0 + rounding);
    assert_true(fabs(at.wrench.tau) <= s->value.r * (1.0 + rounding));
}

static void power_is_minus_the_dissipation(void** state)
{
    (void)state;
    for_all(check_power, TWISTS);
}

/* Oracle: closed form. W&K (29) divides by the largest values: 1 in every translation, r in pure spin,
 * and nowhere more (above). */
static void the_largest_force_is_one_and_the_largest_torque_is_r(void** state)
{
    (void)state;
    for (int i = 0; i < CHOICES; i++) {
        const sample s = choice(i);
        const double r = s.value.r;
        for (int j = 0; j < 16; j++) {
            const double theta = 0.4 * j;
            const br_wrench f =
                br_limit_eval(s.surface, (br_twist){cos(theta), sin(theta), 0.0}).wrench;
            assert_near(hypot(f.fx, f.fy), 1.0, rounding);
            assert_near(f.tau, 0.0, rounding * r);
        }
        const br_limit_value spin = br_limit_eval(s.surface, (br_twist){0.0, 0.0, 1.0});
        assert_near(fabs(spin.wrench.tau), r, rounding * r);
        destroy_sample(s);
    }
}

static void check_homogeneity(const sample* s, uint64_t* seed)
{
    const br_twist v = random_twist(seed, s->value.r);
    const double factor = pow(10.0, uniform(seed, -200.0, 200.0));
    const br_limit_value at = br_limit_eval(s->surface, v);
    const br_limit_value scaled = br_limit_eval(s->surface, twist_scale(factor, v));
    const br_limit_value back = br_limit_eval(s->surface, twist_scale(-1.0, v));
    assert_near_relative(scaled.dissipation, factor * at.dissipation, rounding);
    assert_near(wrench_distance(scaled.wrench, at.wrench, s->value.r), 0.0, 1e-10);
    assert_near(back.dissipation, at.dissipation, 0.0);
    assert_near(back.wrench.fx, -at.wrench.fx, 0.0);
    assert_near(back.wrench.fy, -at.wrench.fy, 0.0);
    assert_near(back.wrench.tau, -at.wrench.tau, 0.0);
}

static void dissipation_is_homogeneous_and_wrenches_are_odd(void** state)
{
    (void)state;
    for_all(check_homogeneity, TWISTS);
}

static void check_maximum(const sample* s, uint64_t* seed)
{
    const double r = s->value.r;
    const br_twist v1 = random_twist(seed, r);
    const br_twist near = twist_scale(pow(10.0, uniform(seed, -6.0, 0.0)), random_twist(seed, r));
    const br_twist v2 = uniform(seed, 0.0, 1.0) < 0.5 ? random_twist(seed, r)
                                                      : twist_add(v1, near, speed_of(v1, r));
    const br_limit_value at1 = br_limit_eval(s->surface, v1);
    const br_limit_value at2 = br_limit_eval(s->surface, v2);

    // no wrench of the surface takes more power than the twist's own
    assert_true(power_of(at1.wrench, v1) <= power_of(at2.wrench, v1) + rounding * speed_of(v1, r));
    assert_true(power_of(at2.wrench, v2) <= power_of(at1.wrench, v2) + rounding * speed_of(v2, r));

    const double t = uniform(seed, 0.0, 1.0);
    const br_twist between = twist_add(twist_scale(t, v1), v2, 1.0 - t);
    const double chord = t * at1.dissipation + (1.0 - t) * at2.dissipation;
    assert_true(br_limit_eval(s->surface, between).dissipation <=
                chord + rounding * (speed_of(v1, r) + speed_of(v2, r)));
}

static void dissipation_is_convex_and_the_largest_possible(void** state)
{
    (void)state;
    for_all(check_maximum, TWISTS);
}

// --- second order ----------------------------------------------------------------------------------

// The Jacobian in the units (fx, fy, tau/r) over (vx, vy, r w); returns its largest entry.
static double scaled_jacobian(const sample* s, br_twist v, double j[3][3])
{
    double largest = 0.0;
    br_limit_jacobian_eval(s->surface, v, j);
    for (int i = 0; i < 9; i++) {
        const double scale =
            (i / 3 == 2 ? 1.0 / s->value.r : 1.0) * (i % 3 == 2 ? 1.0 / s->value.r : 1.0);
        j[i / 3][i % 3] *= scale;
        largest = fmax(largest, fabs(j[i / 3][i % 3]));
    }
    return largest;
}

static void check_jacobian(const sample* s, uint64_t* seed)
{
    const double r = s->value.r;
    const br_twist v = random_twist(seed, r);
    double j[3][3];
    const double largest = scaled_jacobian(s, v, j);
    const double x[3] = {uniform(seed, -1, 1), uniform(seed, -1, 1), uniform(seed, -1, 1)};
    double form = 0.0;
    for (int i = 0; i < 3; i++) {
        const double along = j[i][0] * v.vx + j[i][1] * v.vy + j[i][2] * v.w * r;
        assert_near(along, 0.0, 1e-11 * largest * speed_of(v, r));
        for (int k = 0; k < 3; k++) {
            assert_near(j[i][k], j[k][i], 0.0);
            form += x[i] * j[i][k] * x[k];
        }
    }
    assert_true(form <= 1e-11 * largest);
}

static void jacobian_is_symmetric_and_negative_with_the_twist_in_its_null_space(void** state)
{
    (void)state;
    for_all(check_jacobian, TWISTS);
}

// Central difference of the wrench along a direction, with an error of order h^4.
static br_wrench difference(const sample* s, br_twist v, br_twist along, double h)
{
    const br_wrench a = br_limit_eval(s->surface, twist_add(v, along, h)).wrench;
    const br_wrench b = br_limit_eval(s->surface, twist_add(v, along, -h)).wrench;
    const br_wrench c = br_limit_eval(s->surface, twist_add(v, along, 2.0 * h)).wrench;
    const br_wrench d = br_limit_eval(s->surface, twist_add(v, along, -2.0 * h)).wrench;
    return (br_wrench){(8.0 * (a.fx - b.fx) - (c.fx - d.fx)) / (12.0 * h),
                       (8.0 * (a.fy - b.fy) - (c.fy - d.fy)) / (12.0 * h),
                       (8.0 * (a.tau - b.tau) - (c.tau - d.tau)) / (12.0 * h)};
}

static double worst_difference, differences, poor_differences;

static void check_difference(const sample* s, uint64_t* seed)
{
    const double r = s->value.r, step = 1e-4;
    const br_twist v = random_twist(seed, r);
    const double speed = speed_of(v, r);
    const double x[3] = {uniform(seed, -1, 1), uniform(seed, -1, 1), uniform(seed, -1, 1)};
    const br_wrench slope = difference(s, v, (br_twist){x[0], x[1], x[2] / r}, step * speed);
    double j[3][3];
    scaled_jacobian(s, v, j);
    const double expected[3] = {slope.fx, slope.fy, slope.tau / r};
    double error = 0.0;
    for (int i = 0; i < 3; i++) {
        error = fmax(error, fabs(j[i][0] * x[0] + j[i][1] * x[1] + j[i][2] * x[2] - expected[i]));
    }
    // near a rim, an edge or a support point D is not smooth enough for differences
    differences += 1.0;
    poor_differences += error * speed > 1e-6;
    worst_difference = fmax(worst_difference, error * speed);
}

static void jacobian_is_the_slope_of_the_wrench(void** state)
{
    (void)state;
    for_all(check_difference, 300);
    print_message("worst %.3g, %g of %g beyond 1e-6\n", worst_difference, poor_differences,
                  differences);
    assert_true(poor_differences < 0.002 * differences);
}

// --- frames ----------------------------------------------------------------------------------------

static br_twist turned(br_twist v, double angle)
{
    const br_vec2 t = br_vec2_rotate((br_vec2){v.vx, v.vy}, angle);
    return (br_twist){t.x, t.y, v.w};
}

static void check_placement(const sample* s, uint64_t* seed)
{
    const double angle = uniform(seed, -4.0, 4.0), r = s->value.r;
    br_patch_def def = *br_patch_get_def(s->patch);
    def.angle += angle;
    def.centre = (br_vec2){uniform(seed, -5.0, 5.0), uniform(seed, -5.0, 5.0)};
    const sample moved = make_sample(s->name, def);
    for (int i = 0; i < 100; i++) {
        const br_twist v = random_twist(seed, r);
        const br_limit_value here = br_limit_eval(s->surface, v);
        const br_limit_value there = br_limit_eval(moved.surface, turned(v, angle));
        const br_vec2 f = br_vec2_rotate((br_vec2){here.wrench.fx, here.wrench.fy}, angle);
        const br_wrench expected = {f.x, f.y, here.wrench.tau};
        assert_near_relative(there.dissipation, here.dissipation, rounding);
        assert_near(wrench_distance(there.wrench, expected, r), 0.0, 1e-10);
    }
    destroy_sample(moved);
}

static void surfaces_turn_with_the_patch_and_do_not_care_where_it_is(void** state)
{
    (void)state;
    for_all(check_placement, 25);
}

// The patch mirrored at the x axis of its own frame.
static sample mirror_of(const sample* s, void* memory)
{
    br_patch_def def = *br_patch_get_def(s->patch);
    br_vec2* vertices = memory;
    br_support_point* points = memory;
    double* cells = memory;
    for (size_t i = 0; i < def.count && def.vertices; i++) {
        vertices[i] = (br_vec2){def.vertices[i].x, -def.vertices[i].y};
    }
    for (size_t i = 0; i < def.count && def.points; i++) {
        points[i] = def.points[i];
        points[i].y = -points[i].y;
    }
    for (size_t i = 0; def.cells && i < def.rows * def.columns; i++) {
        cells[i] = def.cells[(def.rows - 1 - i / def.columns) * def.columns + i % def.columns];
    }
    def.vertices = def.vertices ? vertices : NULL;
    def.points = def.points ? points : NULL;
    def.cells = def.cells ? cells : NULL;
    def.angle = -def.angle;
    def.slope_angle = -def.slope_angle;
    return make_sample(s->name, def);
}

static void check_mirror(const sample* s, uint64_t* seed)
{
    static double memory[GRID_SIDE * GRID_SIDE];
    const sample mirrored = mirror_of(s, memory);
    const double r = s->value.r;
    const int is_slow = br_patch_get_def(s->patch)->pressure == BR_PRESSURE_POWER;
    for (int i = 0; i < (is_slow ? 100 : 2000); i++) {
        const br_twist v = random_twist(seed, r), image = {v.vx, -v.vy, -v.w};
        const br_limit_value here = br_limit_eval(s->surface, v);
        const br_limit_value there = br_limit_eval(mirrored.surface, image);
        const br_wrench expected = {here.wrench.fx, -here.wrench.fy, -here.wrench.tau};
        assert_near_relative(there.dissipation, here.dissipation, rounding);
        assert_near(wrench_distance(there.wrench, expected, r), 0.0, 1e-10);
    }
    destroy_sample(mirrored);
}

static void a_mirrored_patch_has_the_mirrored_surface(void** state)
{
    (void)state;
    for_all(check_mirror, 1);
}

// --- gauge -----------------------------------------------------------------------------------------

static void check_gauge(const sample* s, uint64_t* seed)
{
    const double r = s->value.r, factor = pow(10.0, uniform(seed, -3.0, 3.0));
    const br_twist v = random_twist(seed, r);
    const br_limit_value at = br_limit_eval(s->surface, v);
    const br_wrench load = {-factor * at.wrench.fx, -factor * at.wrench.fy,
                            -factor * at.wrench.tau};
    br_twist slide;
    const double gauge = br_limit_gauge(s->surface, load, &slide);
    assert_near_relative(gauge, factor, 1e-10);
    assert_near(br_limit_eval(s->surface, slide).dissipation, 1.0, 1e-12);
    assert_near(power_of(load, slide), gauge, 1e-10 * gauge);

    // where the surface is curved, it slides as the twist does
    if (!br_patch_get_def(s->patch)->points) {
        const br_twist apart = twist_add(slide, v, -1.0 / at.dissipation);
        assert_near(speed_of(apart, r), 0.0, 1e-8 /* rounding over the curvature of D */);
    }
}

/* Oracle: the surface itself. A wrench of the surface has the gauge 1, and scales with it. */
static void a_wrench_of_the_surface_has_gauge_one(void** state)
{
    (void)state;
    for_all(check_gauge, 300);
}

static void check_bound(const sample* s, uint64_t* seed)
{
    const double r = s->value.r;
    const br_wrench load = {uniform(seed, -2, 2), uniform(seed, -2, 2), r * uniform(seed, -2, 2)};
    br_twist slide;
    const double gauge = br_limit_gauge(s->surface, load, &slide);
    assert_near(power_of(load, slide), gauge, 1e-12 * gauge);
    for (int i = 0; i < 100; i++) {
        const br_twist far = random_twist(seed, r);
        const br_twist near =
            twist_add(slide, far, pow(10.0, uniform(seed, -6, 0)) / speed_of(far, r));
        const br_twist v = i % 2 ? far : near;
        const double D = br_limit_eval(s->surface, v).dissipation;
        assert_true(power_of(load, v) <= gauge * D * (1.0 + 1e-10));
    }
}

/* Oracle: definition. gauge(f) = max over v of f.v/D(v), for any load: on facets too. */
static void no_twist_has_more_power_than_the_gauge_allows(void** state)
{
    (void)state;
    for_all(check_bound, 100);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(power_is_minus_the_dissipation),
        cmocka_unit_test(the_largest_force_is_one_and_the_largest_torque_is_r),
        cmocka_unit_test(dissipation_is_homogeneous_and_wrenches_are_odd),
        cmocka_unit_test(dissipation_is_convex_and_the_largest_possible),
        cmocka_unit_test(jacobian_is_symmetric_and_negative_with_the_twist_in_its_null_space),
        cmocka_unit_test(jacobian_is_the_slope_of_the_wrench),
        cmocka_unit_test(surfaces_turn_with_the_patch_and_do_not_care_where_it_is),
        cmocka_unit_test(a_mirrored_patch_has_the_mirrored_surface),
        cmocka_unit_test(a_wrench_of_the_surface_has_gauge_one),
        cmocka_unit_test(no_twist_has_more_power_than_the_gauge_allows),
    };
    prepare_gauss();
    return run_group(argc, argv, tests);
}
