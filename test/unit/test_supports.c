/*
 * A slider on many small supports: closed forms, statics, the limit surface, the equivalent contact point.
 */
#include "bristle/limit.h"
#include "bristle/slider.h"

#include "check.h"

enum { SIDE = 11, MOST = SIDE * SIDE };

static const br_support_point tripod[3] = {
    {0.02, 0.0, 1.0}, {-0.02, 0.015, 1.0}, {-0.02, -0.015, 1.0}};

// A square of 50 mm in equal cells.
static const br_support_point* square(void)
{
    static br_support_point cells[MOST];
    for (int i = 0; i < MOST; i++) {
        cells[i] = (br_support_point){0.05 * ((i % SIDE + 0.5) / SIDE - 0.5),
                                      0.05 * ((i / SIDE + 0.5) / SIDE - 0.5), 1.0};
    }
    return cells;
}

static double sum_of(const double* forces, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        sum += forces[i];
    }
    return sum;
}

/* Oracle: closed form. In a straight slide every support brakes by mu N_i: mu g, and weight moves to the front,
 * N_front = m g (b + mu height)/(a + b) with the CoM a behind the front support and b before the others. */
static void weight_moves_to_the_front(void** state)
{
    (void)state;
    br_slider body = br_slider_default();
    body.height = 0.03;
    br_slider_state at = {.v = {0.5, 0.0, 0.0}};
    const br_slider_load none = {0};
    const double h = 1e-3, weight = body.mass * body.gravity;
    double forces[3];
    br_slider_value value;
    assert_status(br_slider_supports_step(&body, tripod, 3, &at, &none, h, forces, &value), BR_OK);
    assert_near(at.v.vx, 0.5 - body.mu * body.gravity * h, 1e-12);
    assert_near(at.v.vy, 0.0, 1e-14);
    assert_near(at.v.w, 0.0, 1e-12);
    // the creep of 1e-8 m/s rounds a direction by less than its share of the speed, squared
    assert_near(forces[0], weight * (0.02 + body.mu * body.height) / 0.04, 1e-9 * weight);
    assert_near(forces[1], forces[2], 1e-9 * weight);
    assert_near(value.ecp.x - at.q.x, body.mu * body.height, 1e-10);
}

/* Oracle: the exact limit surface. A flat body (height 0) on three points, whose forces statics gives, is braked
 * by the wrench of its limit surface; so is one on cells. */
static void a_flat_body_feels_its_limit_surface(void** state)
{
    (void)state;
    br_slider body = br_slider_default();
    body.height = 0.0;
    const br_support_point* cells = square();
    uint64_t seed = 7;
    for (int i = 0; i < 20; i++) {
        const br_support_point* points = i % 2 ? cells : tripod;
        const size_t count = i % 2 ? MOST : 3;
        double forces[MOST];
        br_slider_value value;
        const br_twist v = {uniform(&seed, -1, 1), uniform(&seed, -1, 1), uniform(&seed, -40, 40)};
        br_slider_state at = {.v = v};
        const br_slider_load none = {0};
        const double h = 1e-6;
        assert_status(br_slider_supports_step(&body, points, count, &at, &none, h, forces, &value),
                      BR_OK);
        br_support_point loaded[MOST];
        for (size_t k = 0; k < count; k++) {
            loaded[k] = (br_support_point){points[k].x, points[k].y, forces[k]};
        }
        br_patch_def def = br_patch_def_default();
        br_patch* patch;
        br_limit* surface;
        br_limit_def limit = br_limit_def_default();
        def.shape = BR_SHAPE_POINTS, def.points = loaded, def.count = count;
        assert_status(br_patch_create(&def, &patch, NULL), BR_OK);
        limit.patch = patch;
        assert_status(br_limit_create(&limit, &surface, NULL), BR_OK);
        const br_wrench f = br_limit_eval(surface, v).wrench;
        const double most = body.mu * body.mass * body.gravity;
        // the velocity changes by 3e-6 m/s in the step, the directions by 1e-4 at the slowest support
        assert_near((at.v.vx - v.vx) * body.mass / h, most * f.fx, 3e-4 * most);
        assert_near((at.v.vy - v.vy) * body.mass / h, most * f.fy, 3e-4 * most);
        assert_near((at.v.w - v.w) * body.inertia / h, most * f.tau, 3e-4 * most * 0.02);
        br_limit_destroy(surface);
        br_patch_destroy(patch);
    }
}

/* Oracle: invariants. Forces push, carry the weight, and balance the moments of friction and load; energy falls;
 * the body stops and stays. */
static void moments_balance_and_energy_falls_until_it_rests(void** state)
{
    (void)state;
    br_slider body = br_slider_default();
    body.height = 0.02;
    const double h = 0.005, weight = body.mass * body.gravity;
    br_slider_state at = {.v = {0.4, 0.2, 10.0}};
    double forces[MOST], before = HUGE_VAL;
    br_slider_value value;
    const br_slider_load none = {0};
    for (int i = 0; i < 60; i++) {
        assert_status(br_slider_supports_step(&body, square(), MOST, &at, &none, h, forces, &value),
                      BR_OK);
        for (int k = 0; k < MOST; k++) {
            assert_true(forces[k] >= 0.0);
        }
        assert_near(sum_of(forces, MOST), weight, 1e-10 * weight);
        const double energy = 0.5 * body.mass * (at.v.vx * at.v.vx + at.v.vy * at.v.vy) +
                              0.5 * body.inertia * at.v.w * at.v.w;
        assert_true(energy <= before);
        before = energy;
        if (value.mode == BR_SLIDER_SLIDE) {
            const double tolerance = 1e-8; // m: forces and directions agree to 1e-11 of g h
            assert_near(value.ecp.x - at.q.x, -body.height * value.pt / (weight * h), tolerance);
            assert_near(value.ecp.y - at.q.y, -body.height * value.po / (weight * h), tolerance);
        }
    }
    assert_int_equal(value.mode, BR_SLIDER_STICK);
    assert_near(before, 0.0, 0.0);
}

/* Oracle: X&C's remark, and statics. At mu height = 12.4 mm the ECP of a sliding body is within the square of
 * 50 mm, but outside a triangle of supports on it, 8 mm wide there: the three cannot carry the body. */
static void three_supports_may_not_carry_what_the_patch_does(void** state)
{
    (void)state;
    static const br_support_point three[3] = {
        {0.025, 0.025, 1.0}, {-0.025, 0.0, 1.0}, {0.025, -0.025, 1.0}};
    br_slider body = br_slider_default();
    body.height = 0.04;
    const br_slider_load none = {0};
    double forces[MOST];
    br_slider_value value;
    br_slider_state a = {.v = {-0.5, 0.5, 0.0}}, b = a, c = a;
    assert_status(br_slider_supports_step(&body, square(), MOST, &a, &none, 1e-3, forces, &value),
                  BR_OK);
    const br_vec2 ecp = value.ecp;
    value = br_slider_step(&body, &c, &none, 1e-3);
    assert_near(value.ecp.x, ecp.x, 1e-6); // both by (11), (12)
    assert_near(value.ecp.y, ecp.y, 1e-6);
    assert_status(br_slider_supports_step(&body, three, 3, &b, &none, 1e-3, forces, &value),
                  BR_ERR_CONVERGENCE);
    assert_true(fmin(forces[0], fmin(forces[1], forces[2])) < 0.0);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weight_moves_to_the_front),
        cmocka_unit_test(a_flat_body_feels_its_limit_surface),
        cmocka_unit_test(moments_balance_and_energy_falls_until_it_rests),
        cmocka_unit_test(three_supports_may_not_carry_what_the_patch_does),
    };
    return run_group(argc, argv, tests);
}
