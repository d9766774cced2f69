/* Tests of friction from mu alone, and of the vibration modes of a body on its bristles. */
#include "step_fixture.h"

static br_law law_with(double sigma0, double sigma1)
{
    br_law law = br_law_from_mu(0.5, 0.01, 0.0, 1.0);
    law.sigma0 = sigma0;
    law.sigma1 = sigma1;
    law.v_damping = 0.0;
    return law;
}

/* Oracle: the rule as it is documented in law.h. */
static void friction_from_mu_follows_its_rule(void** state)
{
    (void)state;
    const double omega = sqrt(0.3 / 1e-5 * 60.0 / 0.5), tight = sqrt(0.3 / 1e-5 * 1e4 / 0.5);
    const br_law law = br_law_from_mu(0.3, 5e-3, 0.5, 60.0);
    assert_int_equal(law.kind, BR_LAW_ELASTO_PLASTIC);
    assert_near(law.mu_c, 0.3, 0.0);
    assert_near(law.mu_s, 0.3, 0.0);
    assert_near_relative(law.mu_s / law.sigma0, 1e-5, 1e-15 /* rounding */);
    assert_near_relative(law.sigma1 / law.sigma0, 2.0 / omega, 1e-15 /* rounding */);
    assert_near(law.sigma2, 0.0, 0.0);
    assert_near_relative(law.v_damping, 2.0 * 0.3 / law.sigma1, 1e-15 /* rounding */);
    assert_near_relative(law.v_damping, 1e-5 * omega, 1e-15 /* the peak speed of a vibration */);
    assert_near_relative(br_law_from_mu(0.3, 5e-3, 0.5, 1e4).sigma1 / law.sigma0, 2.0 / tight,
                         1e-15 /* rounding */);

    // its bounds: a large patch, a point, a body that oscillates slowly, one that nothing holds, none
    assert_near_relative(0.3 / br_law_from_mu(0.3, 1.0, 1.0, 1.0).sigma0, 5e-5, 1e-15);
    assert_near_relative(0.3 / br_law_from_mu(0.3, 0.0, 1.0, 1.0).sigma0, 2e-6, 1e-15);
    assert_near_relative(br_law_from_mu(0.3, 5e-3, 50.0, 1.0).sigma1 / law.sigma0, 20e-3, 1e-15);
    assert_near_relative(br_law_from_mu(0.3, 5e-3, 1.0, 0.0).sigma1 / law.sigma0, 20e-3, 1e-15);
    assert_near_relative(br_law_from_mu(0.3, 5e-3, 0.0, 1.0).sigma1 / law.sigma0,
                         BR_LAW_DAMPING_TIME, 1e-15);
}

/* Oracle: the definition of passivity, and br_law_check(). */
static void friction_from_mu_is_good_and_passive_for_sure(void** state)
{
    (void)state;
    uint64_t seed = 5;
    for (int i = 0; i < 1000; i++) {
        const br_law law =
            br_law_from_mu(pow(10.0, uniform(&seed, -3.0, 2.0)), uniform(&seed, 0.0, 1.0),
                           pow(10.0, uniform(&seed, -4.0, 4.0)), uniform(&seed, 0.0, 1e3));
        assert_status(br_law_check(&law, NULL), BR_OK);
        assert_true(br_law_passivity_margin(&law) >= 0.0);
    }
    assert_true(isnan(br_law_from_mu(NAN, 0.01, 1.0, 1.0).mu_c));
    assert_true(isnan(br_law_from_mu(0.3, NAN, 1.0, 1.0).sigma0));
    assert_true(isnan(br_law_from_mu(0.3, 0.01, NAN, 1.0).sigma1));
    br_law bad = br_law_from_mu(-1.0, 0.01, 1.0, 1.0);
    assert_status(br_law_check(&bad, NULL), BR_ERR_DEF);
}

/* Oracle: closed form. Below the centre of mass a body slides at sqrt(k/m), turns at sqrt(k u/I); with
 * c = T k the damping ratio is T omega/2. */
static void a_centred_body_vibrates_as_two_oscillators(void** state)
{
    (void)state;
    const br_law law = law_with(2e4, 30.0);
    const br_mode_contact contact =
        br_mode_contact_from_law(&law, 3.0, 2.0, 4e-5, (br_vec2){0.0, 0.0});
    assert_near_relative(contact.k, 1.2e5, 1e-15 /* rounding */);
    assert_near_relative(contact.c, 180.0, 1e-15 /* rounding */);
    const br_modes modes = br_modes_eval(0.2, 5e-4, &contact, 1);
    const double slide = sqrt(1.2e5 / 0.2), turn = sqrt(1.2e5 * 4e-5 / 5e-4), T = 1.5e-3;
    assert_near_relative(modes.fast.omega, slide, 1e-14 /* rounding */);
    assert_near_relative(modes.slow.omega, turn, 1e-14 /* rounding */);
    assert_near_relative(modes.fast.ratio, 0.5 * T * slide, 1e-14 /* rounding */);
    assert_near_relative(modes.slow.ratio, 0.5 * T * turn, 1e-14 /* rounding */);
    assert_near_relative(br_modes_get_mean(&modes), sqrt(slide * turn), 1e-14 /* rounding */);
}

/* Oracle: closed form. Four feet at arms d without extent turn the body at sqrt(4 k d^2/I). One point
 * lets it turn freely: then the slowest is the body on that point, k (1/m + d^2/I) beside k/m. */
static void feet_hold_by_their_arms_and_one_point_lets_turn(void** state)
{
    (void)state;
    const double k = 1e4, d = 0.3, mass = 8.0, inertia = 0.1;
    const br_mode_contact feet[] = {{.arm = {d, 0.0}, .k = k},
                                    {.arm = {-d, 0.0}, .k = k},
                                    {.arm = {0.0, d}, .k = k},
                                    {.arm = {0.0, -d}, .k = k}};
    const br_modes modes = br_modes_eval(mass, inertia, feet, 4);
    assert_near_relative(modes.slow.omega, sqrt(4.0 * k / mass), 1e-14 /* rounding */);
    assert_near_relative(modes.fast.omega, sqrt(4.0 * k * d * d / inertia), 1e-14 /* rounding */);

    const br_modes pivots = br_modes_eval(mass, inertia, feet, 1);
    assert_near_relative(pivots.slow.omega, sqrt(k / mass), 1e-12 /* rounding */);
    assert_near_relative(pivots.fast.omega, sqrt(k / mass + k * d * d / inertia),
                         1e-12 /* rounding */);

    const br_modes flies = br_modes_eval(mass, inertia, NULL, 0);
    assert_near(flies.slow.omega, 0.0, 0.0);
    assert_near(br_modes_get_mean(&flies), 0.0, 0.0);
}

// Two maxima of w in turn: when, how high.
typedef struct oscillation {
    double t[2], w[2];
    int count;
} oscillation;

// A disc of 10 mm, gripped `arm` from the CoM, gets a small turn; steps of order 2.
static oscillation oscillate(const br_law* law, double mass, double inertia, br_vec2 arm)
{
    enum { STEPS = 4000 };
    const double h = 2e-5;
    fixture f;
    fixture_init(&f, BLOCKS, *law);
    f.contact.fn = 3.0, f.contact.count = 2, f.contact.arm = arm;
    br_step_body body = br_step_body_default(mass, inertia);
    body.order = 2;
    br_twist v = {0.0, 0.0, 1e-3};
    oscillation seen = {.count = 0};
    double before = v.w, rising = 0.0;
    for (int i = 1; i < STEPS && seen.count < 2; i++) {
        br_step_coupled(&body, &v, (br_wrench){0.0, 0.0, 0.0}, h, &f.contact, 1, f.work);
        if (rising > 0.0 && v.w <= before) {
            seen.t[seen.count] = (i - 1) * h;
            seen.w[seen.count++] = before;
        }
        rising = v.w - before;
        before = v.w;
    }
    fixture_free(&f);
    return seen;
}

/* Oracle: the steps. The grip beside the CoM makes turning and sliding one motion; its period and the
 * decay of its maxima are those of the slow mode. */
static void the_slow_mode_agrees_with_steps(void** state)
{
    (void)state;
    const double mass = 0.15, inertia = 1.9e-4;
    const br_vec2 arm = {-0.004, 0.02};
    const br_law law = law_with(5e4, 40.0);
    const br_mode_contact contact = br_mode_contact_from_law(&law, 3.0, 2.0, 5e-5, arm);
    const br_modes modes = br_modes_eval(mass, inertia, &contact, 1);
    const oscillation seen = oscillate(&law, mass, inertia, arm);
    assert_int_equal(seen.count, 2);
    const double ratio = modes.slow.ratio, root = sqrt(1.0 - ratio * ratio);
    assert_near_relative(seen.t[1] - seen.t[0], 2.0 * BR_PI / (modes.slow.omega * root),
                         5e-3 /* maxima on a raster of 2e-5 s in 14 ms: 3e-3 */);
    assert_near_relative(log(seen.w[0] / seen.w[1]), 2.0 * BR_PI * ratio / root,
                         2e-2 /* what is left of the fast mode at the first maximum */);
}

/* Oracle: the definition of a damping ratio. Friction from mu leaves no ringing: the second maximum of
 * the same grip is below 2 % of the start. */
static void friction_from_mu_does_not_oscillate(void** state)
{
    (void)state;
    const double mass = 0.15, inertia = 1.9e-4, r = 2.0 / 300.0, u = 5e-5;
    const br_vec2 arm = {-0.004, 0.02};
    br_law law = br_law_from_mu(0.5, r, sqrt(mass * inertia / u), 6.0);
    const br_mode_contact contact = br_mode_contact_from_law(&law, 3.0, 2.0, u, arm);
    const br_modes modes = br_modes_eval(mass, inertia, &contact, 1);
    assert_true(0.25 < modes.slow.ratio && modes.slow.ratio < 1.0);
    assert_true(1.0 < modes.fast.ratio && modes.fast.ratio < 4.0);
    const oscillation seen = oscillate(&law, mass, inertia, arm);
    assert_true(seen.count < 2 || fabs(seen.w[1]) < 0.02 * 1e-3);
}

/* Oracle: closed form. Two oscillators along the axes of friction, with k and ratio^2 k; of feet at the arm x the one across
   turns the body, too: K = k [[1, 0, 0], [0, r2, r2 x], [0, r2 x, r2 x^2 + u]] for a grain along x. */
static void stiffness_across_the_grain_is_ratio_squared(void** state)
{
    (void)state;
    const br_law law = law_with(1e5, 50.0);
    const double mass = 0.2, fn = 3.0, k = 1e5 * fn, ratio = 1.5;
    br_mode_contact at = br_mode_contact_from_law(&law, fn, 1, 1.0, (br_vec2){0.0, 0.0});
    at.ratio = ratio;
    at.angle = 0.7;
    // inertia so large that turning is the slow mode, whatever it is
    const br_modes modes = br_modes_eval(mass, 1e3, &at, 1);
    assert_near_relative(modes.fast.omega, ratio * sqrt(k / mass), 1e-12);
    assert_near_relative(modes.fast.ratio, 50.0 * fn * ratio / (2.0 * sqrt(k * mass)), 1e-12);

    // a foot without extent at the arm x: the trace and the determinant of K over M
    const double x = 0.03, inertia = 1e-4, r2 = ratio * ratio;
    br_mode_contact foot = br_mode_contact_from_law(&law, fn, 1, 0.0, (br_vec2){x, 0.0});
    foot.ratio = ratio;
    foot.angle = 0.5 * BR_PI;
    const br_modes feet = br_modes_eval(mass, inertia, &foot, 1);
    const double across =
        r2 * k * (1.0 / mass + x * x / inertia); // the other mode has no stiffness
    assert_near_relative(feet.fast.omega * feet.fast.omega, across, 1e-10);
    assert_near_relative(feet.slow.omega * feet.slow.omega, k / mass, 1e-10);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_from_mu_follows_its_rule),
        cmocka_unit_test(friction_from_mu_is_good_and_passive_for_sure),
        cmocka_unit_test(a_centred_body_vibrates_as_two_oscillators),
        cmocka_unit_test(feet_hold_by_their_arms_and_one_point_lets_turn),
        cmocka_unit_test(the_slow_mode_agrees_with_steps),
        cmocka_unit_test(friction_from_mu_does_not_oscillate),
        cmocka_unit_test(stiffness_across_the_grain_is_ratio_squared),
    };
    return run_disc_group(argc, argv, tests);
}
