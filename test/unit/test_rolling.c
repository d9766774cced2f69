/* Tests of the prototype of rolling contact in studies/, docs/explanation/rolling.md. */
#include "rolling_brush.h"

#include "check.h"

enum { CELLS = 100, WHEELS = 5 };

static const double speed = 20.0 /* m/s */, degree = BR_PI / 180.0;

static const struct {
    rolling_pressure pressure;
    rolling_stiffness stiffness;
    rolling_bristle bristle;
} kinds[WHEELS] = {{ROLLING_UNIFORM, ROLLING_OF_TREAD, ROLLING_BRUSH},
                   {ROLLING_PARABOLIC, ROLLING_OF_TREAD, ROLLING_BRUSH},
                   {ROLLING_PARABOLIC, ROLLING_OF_PRESSURE, ROLLING_BRUSH},
                   {ROLLING_UNIFORM, ROLLING_OF_TREAD, ROLLING_LUGRE},
                   {ROLLING_PARABOLIC, ROLLING_OF_PRESSURE, ROLLING_LUGRE}};

static rolling make_wheel(int kind)
{
    br_law law = br_law_default(BR_LAW_LUGRE);
    law.mu_c = law.mu_s = 0.9;
    law.sigma0 = 180.0;
    return (rolling){
        kinds[kind].pressure, kinds[kind].stiffness, kinds[kind].bristle, law, 0.06, 3000.0, CELLS};
}

static br_wrench settle(const rolling* w, rolling_slip slip)
{
    br_vec2 z[CELLS + 1] = {{0.0, 0.0}};
    rolling_advance(w, rolling_motion_of(slip, speed), 1e9, z);
    return rolling_wrench(w, z);
}

// Tolerances are shares of mu fn, and four times as much of the torque's scale 0.1 mu fn a. TRAPEZOID is the rule's error with
// 100 cells where bristles stick in several of them. Where all slide, half a cell at the leading edge is missing.
static const double TRAPEZOID = 5e-4, HALF_CELL = 0.5 / CELLS;

static void assert_steady(const rolling* w, rolling_slip slip, double tolerance)
{
    const double limit = w->law.mu_c * w->fn;
    const br_wrench f = settle(w, slip), is = rolling_steady(w, slip);
    assert_true(rolling_is_closed(w));
    assert_near_relative(hypot(f.fx, f.fy), hypot(is.fx, is.fy), 0.01 /* as the page states */);
    assert_near(f.fx, is.fx, tolerance * limit);
    assert_near(f.fy, is.fy, tolerance * limit);
    assert_near(f.tau, is.tau, 4.0 * tolerance * 0.1 * limit * w->half_length);
}

/* Oracle: Pacejka's numbers of the brush. Stiffness 2 c a^2 = sigma0 fn a, trail a/3, no torque where all slides. */
static void closed_forms_have_their_known_ends(void** state)
{
    (void)state;
    const rolling w = make_wheel(1);
    const double a = w.half_length, mu = w.law.mu_c, slides = 3.0 * mu / (w.law.sigma0 * a);
    const br_wrench small = rolling_steady(&w, (rolling_slip){0.0, 1e-9});
    const br_wrench large = rolling_steady(&w, (rolling_slip){0.0, 1.0001 * slides});
    assert_near_relative(small.fy, -w.law.sigma0 * w.fn * a * 1e-9,
                         1e-6 /* next order in the slip */);
    assert_near_relative(small.tau / small.fy, -a / 3.0, 1e-6);
    assert_near_relative(large.fy, -mu * w.fn, 1e-12 /* rounding */);
    assert_near(large.tau, 0.0, 0.0);
    for (int kind = 0; kind < WHEELS; kind++) {
        const rolling any = make_wheel(kind);
        const br_wrench f = rolling_steady(&any, (rolling_slip){0.0, 1e3});
        assert_near_relative(f.fy, -mu * any.fn, 1e-4 /* slip of 1000 left of infinity */);
        assert_near(f.tau, 0.0, 1e-4 * mu * any.fn * a);
    }
}

/* Oracle: closed forms. Lateral force and aligning torque against the slip angle. */
static void slip_angles_have_closed_forms(void** state)
{
    (void)state;
    for (int kind = 0; kind < WHEELS; kind++) {
        const rolling w = make_wheel(kind);
        for (int i = -25; i <= 25; i++) {
            assert_steady(&w, rolling_slip_of(0.0, i * degree), TRAPEZOID);
            assert_steady(&w, rolling_slip_of(0.0, 1e-4 * i * degree), TRAPEZOID);
        }
    }
}

/* Oracle: closed forms. Driving and braking, alone and together with slip angles. */
static void slip_ratios_have_closed_forms(void** state)
{
    (void)state;
    for (int kind = 0; kind < WHEELS; kind++) {
        const rolling w = make_wheel(kind);
        for (int i = -19; i <= 19; i++) {
            const double tolerance = i < -12 ? HALF_CELL : TRAPEZOID;
            for (int k = 0; k <= 3; k++) {
                assert_steady(&w, rolling_slip_of(0.05 * i, 3.0 * k * degree), tolerance);
            }
        }
    }
}

/* Oracle: convergence. Twice the cells leave a quarter of the error, of a smooth profile and of one with a kink. */
static void errors_fall_with_the_square_of_the_cells(void** state)
{
    (void)state;
    const rolling_slip slip = {0.0, 0.1};
    for (int kind = 1; kind < WHEELS; kind += 3) {
        double error[2];
        for (int k = 0; k < 2; k++) {
            rolling w = make_wheel(kind);
            w.cells = k ? CELLS : CELLS / 2;
            error[k] = fabs(settle(&w, slip).fy - rolling_steady(&w, slip).fy);
        }
        // not exactly 4: the kink lies anywhere in its cell
        assert_true(error[0] > 2.5 * error[1] && error[1] > 0.0);
    }
}

// Distance to 1 - 1/e of the force after a step of the slip angle, over the patch.
static double run_step(const rolling* w, int per_cell, double* off)
{
    const rolling_slip slip = {0.0, 1e-4};
    const double du = 1.0 / (CELLS * per_cell), end = rolling_steady(w, slip).fy;
    br_vec2 z[CELLS + 1] = {{0.0, 0.0}};
    double length = 0.0, before = 0.0;
    for (int i = 1; i <= 2 * CELLS * per_cell; i++) {
        rolling_advance(w, rolling_motion_of(slip, speed), du * 2.0 * w->half_length / speed, z);
        const double share = rolling_wrench(w, z).fy / end, aim = -expm1(-1.0);
        if (before < aim && share >= aim) {
            length = du * (i - (share - aim) / (share - before));
        }
        before = share;
        *off = fmax(*off, fabs(share - rolling_step_force(w, du * i)));
    }
    return length;
}

/* Oracle: closed form. The force rises as 2u - u^2 and reaches 1 - 1/e at 1 - exp(-1/2) of the patch, in steps of a cell
   and of parts of it; the same with a stiffness of the pressure. */
static void a_step_of_the_slip_angle_has_its_relaxation_length(void** state)
{
    (void)state;
    const rolling tread = make_wheel(1), pressure = make_wheel(2);
    for (int per_cell = 1; per_cell <= 4; per_cell *= 2) {
        double off = 0.0, off_pressure = 0.0;
        const double length = run_step(&tread, per_cell, &off);
        // numerical diffusion of first order, (1 + C)/2 of a cell; required are 5 %
        assert_near_relative(length, rolling_step_length(), 0.02);
        assert_true(off < 0.02);
        (void)run_step(&pressure, per_cell, &off_pressure);
        assert_true(off_pressure < 0.02);
    }
}

/* Oracle: closed form. Turning without slip in the middle gives a lateral force and no torque of a thin patch. */
static void turning_gives_a_lateral_force(void** state)
{
    (void)state;
    const rolling w = make_wheel(1);
    br_vec2 z[CELLS + 1] = {{0.0, 0.0}};
    const rolling_motion turn = {{0.0, 0.0, 1e-3 * speed}, speed};
    rolling_advance(&w, turn, 1e9, z);
    const br_wrench f = rolling_wrench(&w, z);
    assert_near_relative(f.fy, rolling_turn_force(&w, 1e-3),
                         2e-4 /* trapezoidal rule, 100 cells */);
    assert_near(f.tau, 0.0, 1e-9 * fabs(f.fy) * w.half_length /* symmetry */);
}

/* Oracle: the law's exact step. Bristles of a wheel that does not roll are those of a planar contact. */
static void a_standing_wheel_is_a_contact(void** state)
{
    (void)state;
    const rolling w = make_wheel(3);
    br_vec2 z[CELLS + 1] = {{0.0, 0.0}};
    const rolling_motion creeps = {{0.0, 0.01, 0.0}, 0.0};
    double at = 0.0;
    for (int i = 0; i < 50; i++) {
        rolling_advance(&w, creeps, 0.01, z);
        (void)br_law_step(&w.law, &at, 0.01, w.fn, 0.01);
    }
    assert_near_relative(rolling_wrench(&w, z).fy, -w.law.sigma0 * at * w.fn, 1e-12 /* rounding */);
}

/* Oracle: symmetry. Backwards the trailing edge leads: the same force, the opposite torque. */
static void a_wheel_rolls_backwards_as_forwards(void** state)
{
    (void)state;
    const rolling w = make_wheel(1);
    br_vec2 z[CELLS + 1] = {{0.0, 0.0}}, back[CELLS + 1] = {{0.0, 0.0}};
    const br_twist slip = {0.3, 0.5, 0.0};
    for (int i = 0; i < 20; i++) {
        rolling_advance(&w, (rolling_motion){slip, speed}, 3e-4, z);
        rolling_advance(&w, (rolling_motion){slip, -speed}, 3e-4, back);
        const br_wrench f = rolling_wrench(&w, z), b = rolling_wrench(&w, back);
        assert_near_relative(b.fx, f.fx, 1e-12 /* rounding */);
        assert_near_relative(b.fy, f.fy, 1e-12);
        assert_near(b.tau, -f.tau, 1e-12 * w.fn * w.half_length);
    }
}

/* Oracle: invariants. With the stiffness of the tread no step of any size and any motion gives more energy than was put
   in, and no bristle is longer than its limit. */
static void steps_of_any_size_are_bounded_and_passive(void** state)
{
    (void)state;
    uint64_t seed = 7;
    for (int kind = 0; kind < WHEELS; kind++) {
        const rolling w = make_wheel(kind);
        if (w.stiffness != ROLLING_OF_TREAD) {
            continue;
        }
        br_vec2 z[CELLS + 1] = {{0.0, 0.0}};
        for (int i = 0; i < 2000; i++) {
            const double h = pow(10.0, uniform(&seed, -6.0, 1.0)), before = rolling_energy(&w, z);
            const rolling_motion m = {{uniform(&seed, -1.0, 1.0), uniform(&seed, -1.0, 1.0), 0.0},
                                      i % 10 ? uniform(&seed, -5.0, 5.0) : 0.0};
            rolling_advance(&w, m, h, z);
            const br_wrench f = rolling_wrench(&w, z);
            const double work = -h * (f.fx * m.slip.vx + f.fy * m.slip.vy);
            const double after = rolling_energy(&w, z);
            assert_true(after - before <= work + 1e-12 * (before + fabs(work)) /* rounding */);
            assert_true(hypot(f.fx, f.fy) <= w.law.mu_c * w.fn * (1.0 + 1e-12));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms_have_their_known_ends),
        cmocka_unit_test(slip_angles_have_closed_forms),
        cmocka_unit_test(slip_ratios_have_closed_forms),
        cmocka_unit_test(errors_fall_with_the_square_of_the_cells),
        cmocka_unit_test(a_step_of_the_slip_angle_has_its_relaxation_length),
        cmocka_unit_test(turning_gives_a_lateral_force),
        cmocka_unit_test(a_standing_wheel_is_a_contact),
        cmocka_unit_test(a_wheel_rolls_backwards_as_forwards),
        cmocka_unit_test(steps_of_any_size_are_bounded_and_passive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
