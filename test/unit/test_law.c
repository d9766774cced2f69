/* Tests of the module law: one-dimensional friction laws. */
#include "check.h"

#include "bristle/law.h"
#include "bristle/math.h"

#include <string.h>

static const br_law_kind all_kinds[] = {
#define KIND(kind, name) kind,
    BR_LAW_LIST(KIND)
#undef KIND
};
enum { KINDS = sizeof all_kinds / sizeof *all_kinds };

// Random parameters in the ranges that people use.
static br_law random_law(uint64_t* seed, br_law_kind kind)
{
    br_law law = br_law_default(kind);
    law.mu_c = uniform(seed, 0.1, 1.5);
    law.mu_s = law.mu_c * uniform(seed, 1.0, 2.0);
    law.v_stribeck = pow(10.0, uniform(seed, -4.0, -1.0));
    law.gamma = uniform(seed, 1.0, 3.0);
    law.sigma0 = pow(10.0, uniform(seed, 3.0, 7.0));
    law.sigma1 = uniform(seed, 0.0, 5000.0);
    law.sigma2 = uniform(seed, 0.0, 1.0);
    law.s_ba = uniform(seed, 0.0, 0.95);
    law.alpha = uniform(seed, 1.0, 3.0);
    const double choice = uniform(seed, 0.0, 3.0),
                 fades = law.v_stribeck * uniform(seed, 0.1, 10.0);
    law.v_damping = choice < 0.5 ? 0.0 : choice < 1.0 ? HUGE_VAL : fades;
    return law;
}

// A deflection and a speed that meet every branch of a law.
static double random_z(uint64_t* seed, const br_law* law)
{
    return uniform(seed, -1.3, 1.3) * law->mu_s / law->sigma0;
}

static double random_v(uint64_t* seed, const br_law* law)
{
    const double size = law->v_stribeck * pow(10.0, uniform(seed, -3.0, 1.5));
    return uniform(seed, 0.0, 1.0) < 0.5 ? size : -size;
}

/* Oracle: closed form (2): g(0) = mu_s, g(inf) = mu_c, g(v_s) = mu_c + (mu_s - mu_c)/e. */
static void stribeck_curve_falls_from_static_to_coulomb(void** state)
{
    (void)state;
    const br_law law = br_law_default(BR_LAW_LUGRE);
    assert_near(br_law_g(&law, 0.0), 1.2, 1e-15 /* rounding */);
    assert_near(br_law_g(&law, -1e-3), 1.0 + 0.2 * exp(-1.0), 1e-15 /* rounding */);
    assert_near(br_law_g(&law, 1.0), 1.0, 0.0 /* exp underflows */);
}

/* Oracle: closed form. In steady sliding the bristle laws resist with (g(v) sgn v + sigma2 v) fn,
 * and Dahl with mu_c fn sgn v. */
static void steady_sliding_follows_the_stribeck_curve(void** state)
{
    (void)state;
    uint64_t seed = 2;
    for (int i = 0; i < 1000; i++) {
        const br_law law = random_law(&seed, i % 2 ? BR_LAW_LUGRE : BR_LAW_ELASTO_PLASTIC);
        const double v = random_v(&seed, &law), fn = uniform(&seed, 0.1, 10.0);
        const double z = copysign(br_law_g(&law, v) / law.sigma0, v);
        const br_law_value value = br_law_eval(&law, z, v, fn);
        assert_near(value.dz, 0.0, 1e-15 * fabs(v) * 4.0 /* rounding of v - v */);
        const double expected = (copysign(br_law_g(&law, v), v) + law.sigma2 * v) * fn;
        const double damping = law.sigma1 * fabs(v) * fn; // multiplies the rounding of dz
        assert_near(value.f, expected, 4e-15 * (fabs(expected) + damping));

        br_law dahl = law;
        dahl.kind = BR_LAW_DAHL;
        const double z_dahl = copysign(law.mu_c * fn / law.sigma0, v);
        assert_near(br_law_eval(&dahl, z_dahl, v, fn).f, copysign(law.mu_c * fn, v),
                    1e-15 * law.mu_c * fn /* rounding */);
    }
}

/* Oracle: definition. Memoryless laws: 0 at rest, mu sgn v in motion, mu_s held at rest. */
static void memoryless_laws_jump_at_rest(void** state)
{
    (void)state;
    const br_law coulomb = br_law_default(BR_LAW_COULOMB),
                 stiction = br_law_default(BR_LAW_STICTION);
    const br_law stribeck = br_law_default(BR_LAW_STRIBECK);
    assert_near(br_law_eval(&coulomb, 9.0, 0.0, 2.0).f, 0.0, 0.0);
    assert_near(br_law_eval(&coulomb, 9.0, -0.1, 2.0).f, -2.0, 0.0);
    assert_near(br_law_eval(&stiction, 0.0, 1e-9, 2.0).f, 2.0, 0.0);
    assert_near(br_law_eval(&stribeck, 0.0, 1.0, 2.0).f, 2.0 * (1.0 + 0.2), 1e-15);
    assert_near(br_law_holding(&coulomb, 2.0), 2.0, 0.0);
    assert_near(br_law_holding(&stiction, 2.0), 2.4, 1e-15 /* rounding */);
    assert_near(br_law_sliding(&stribeck, 0.0, -1.0, 2.0, NULL), -2.4, 1e-15 /* rounding */);
}

/* Oracle: W&K (5). The bristle of the elasto-plastic law is a pure spring below s_ba and while it
 * returns. */
static void elasto_plastic_bristle_is_a_spring_below_breakaway(void** state)
{
    (void)state;
    const br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC);
    const double v = 1e-5, z_max = br_law_g(&law, v) / law.sigma0;
    assert_near(br_law_eval(&law, 0.899 * z_max, v, 1.0).dz, v, 0.0 /* exact */);
    assert_near(br_law_eval(&law, -0.99 * z_max, v, 1.0).dz, v, 0.0 /* exact */);
    assert_true(br_law_eval(&law, 0.95 * z_max, v, 1.0).dz < v);
    assert_near(br_law_eval(&law, 1.1 * z_max, v, 1.0).dz, -0.1 * v, 1e-15 * v * 4 /* rounding */);
}

// |analytic - central difference|, over the size of the function there and its change, and of `terms` that cancel.
static void check_slope_of(double analytic, double plus, double minus, double step, double terms,
                           const char* what)
{
    const double numeric = (plus - minus) / (2.0 * step);
    const double size =
        fabs(numeric) + fabs(analytic) + (fabs(plus) + fabs(minus)) * 1e-10 / step + terms;
    if (!(fabs(analytic - numeric) <= 2e-5 * size)) {
        fail_msg("%s: analytic %.10g, central difference %.10g", what, analytic, numeric);
    }
}

static void check_slope(double analytic, double plus, double minus, double step, const char* what)
{
    check_slope_of(analytic, plus, minus, step, 0.0, what);
}

/* Oracle: closed forms at both ends, and bounds. With a large exponent Dahl's force hardly moves next to Fc, and
 * from far away falls onto (e tau)^(-1/e), wherever it came from. */
static void dahl_takes_any_exponent(void** state)
{
    (void)state;
    br_law law = br_law_default(BR_LAW_DAHL);
    for (law.alpha = 2.5; law.alpha < 2000.0; law.alpha *= 1.7) {
        for (double w = 1e-16; w < 1e20; w *= 10.0) {
            for (double tau = 1e-6; tau < 1e7; tau *= 1e3) {
                const double fn = 2.0, fc = law.mu_c * fn, h = tau * fc / law.sigma0;
                const double z0 = (1.0 - w) * fc / law.sigma0, e = law.alpha - 1.0;
                double z = z0;
                const double force = br_law_step(&law, &z, 1.0, fn, h);
                const double stays = 1.0 - law.sigma0 * z0 / fc; // w, as the law sees it
                const double w1 = 1.0 - law.sigma0 * z / fc, mean = 1.0 - force / fc;
                assert_true(isfinite(force) && isfinite(z));
                assert_true(w1 >= 0.0 && w1 <= stays * (1.0 + 1e-15) + 2e-16 /* rounding at 1 */);
                assert_true(mean >= w1 * (1.0 - 1e-12) - 2e-16 && mean <= stays + 2e-16);
                if (pow(stays, e) * tau > 1e20) {
                    assert_near_relative(w1, pow(e * tau, -1.0 / e), 1e-12); // its logarithm rounds
                }
                const br_law_value value = br_law_eval(&law, z0, 1.0, fn);
                const br_law_gradient slope = br_law_gradient_eval(&law, z0, 1.0, fn);
                assert_false(isnan(value.dz) || isnan(slope.dz_z) || isnan(slope.dz_fn));
            }
        }
    }
}

/* Oracle: central differences (truncation some 1e-6 of the value with these steps), away from the
 * kinks at v = 0 and at the ends of the plastic band. */
static void gradients_match_central_differences(void** state)
{
    (void)state;
    uint64_t seed = 3;
    for (int i = 0; i < 20000; i++) {
        const br_law law = random_law(&seed, all_kinds[i % KINDS]);
        const double z = random_z(&seed, &law), v = random_v(&seed, &law);
        const double fn = uniform(&seed, 0.5, 5.0);
        const double q = law.sigma0 * fabs(z) / br_law_g(&law, v);
        if (fabs(q - law.s_ba) < 1e-3 || fabs(q - 1.0) < 1e-3) {
            continue;
        }
        const br_law_gradient d = br_law_gradient_eval(&law, z, v, fn);
        const double dz = 1e-5 * law.mu_c / law.sigma0, dv = 1e-4 * fabs(v), dn = 1e-5 * fn;
        const br_law_value zp = br_law_eval(&law, z + dz, v, fn),
                           zm = br_law_eval(&law, z - dz, v, fn);
        const br_law_value vp = br_law_eval(&law, z, v + dv, fn),
                           vm = br_law_eval(&law, z, v - dv, fn);
        const br_law_value np = br_law_eval(&law, z, v, fn + dn),
                           nm = br_law_eval(&law, z, v, fn - dn);
        check_slope(d.f_z, zp.f, zm.f, dz, "df/dz");
        check_slope(d.dz_z, zp.dz, zm.dz, dz, "ddz/dz");
        // damping grows with speed and fades with it: differences are right to 1e-8 of each
        check_slope_of(d.f_v, vp.f, vm.f, dv, 1e-3 * law.sigma1 * fn, "df/dv");
        check_slope(d.dz_v, vp.dz, vm.dz, dv, "ddz/dv");
        check_slope(d.f_fn, np.f, nm.f, dn, "df/dfn");
        check_slope(d.dz_fn, np.dz, nm.dz, dn, "ddz/dfn");
    }
}

/* Oracle: definition. At v = 0 the derivative of the rate is the mean of both one-sided ones. */
static void gradient_at_rest_is_the_mean_of_both_sides(void** state)
{
    (void)state;
    uint64_t seed = 4;
    for (int i = 0; i < 3000; i++) {
        const br_law law = random_law(&seed, all_kinds[3 + i % 3]);
        const double z = random_z(&seed, &law), tiny = 1e-7 * law.v_stribeck;
        const double right = br_law_eval(&law, z, tiny, 2.0).dz / tiny;
        const double left = br_law_eval(&law, z, -tiny, 2.0).dz / -tiny;
        const br_law_gradient d = br_law_gradient_eval(&law, z, 0.0, 2.0);
        assert_near(d.dz_v, 0.5 * (left + right), 1e-6 * (1.0 + fabs(left) + fabs(right)));
    }
}

// z after `pieces` equal steps over the time h.
static double z_after(const br_law* law, double z, double v, double fn, double h, int pieces)
{
    for (int i = 0; i < pieces; i++) {
        br_law_step(law, &z, v, fn, h / pieces);
    }
    return z;
}

/* Oracle: an exact flow composes: one step of h equals seven steps of h/7, at any h. */
static void exact_steps_compose(void** state)
{
    (void)state;
    uint64_t seed = 5;
    for (int i = 0; i < 5000; i++) {
        br_law law = random_law(&seed, i % 2 ? BR_LAW_LUGRE : BR_LAW_DAHL);
        law.alpha = i % 3 == 0 ? 1.0 : i % 3 == 1 ? 2.0 : uniform(&seed, 0.4, 3.0);
        const double z = random_z(&seed, &law), v = random_v(&seed, &law);
        const double h = pow(10.0, uniform(&seed, -6.0, 0.0)), fn = uniform(&seed, 0.5, 2.0);
        const double once = z_after(&law, z, v, fn, h, 1), often = z_after(&law, z, v, fn, h, 7);
        const double scale = law.mu_s * 2.0 / law.sigma0;
        /* alpha near 0.4 multiplies rounding by up to |w|^(alpha-1) where it dies out */
        assert_near(once, often, (law.alpha < 1.0 ? 1e-7 : 1e-13) * scale);
    }
}

/* Oracle: the mean of the instantaneous force over many short steps equals the force of one. */
static void the_force_of_an_exact_step_is_the_mean_force(void** state)
{
    (void)state;
    uint64_t seed = 6;
    enum { PIECES = 64 };
    for (int i = 0; i < 500; i++) {
        const br_law law = random_law(&seed, i % 2 ? BR_LAW_LUGRE : BR_LAW_DAHL);
        double z = random_z(&seed, &law), z_long = z, sum = 0.0;
        const double v = random_v(&seed, &law), h = pow(10.0, uniform(&seed, -6.0, -1.0));
        const double whole = br_law_step(&law, &z_long, v, 2.0, h);
        for (int piece = 0; piece < PIECES; piece++) {
            sum += br_law_step(&law, &z, v, 2.0, h / PIECES);
        }
        /* means of means are exact; sigma1 (z1 - z0)/h multiplies rounding of z by 64/h */
        const double noise =
            64.0 * 1e-16 * law.mu_s / law.sigma0 * (law.sigma0 + 64.0 * law.sigma1 / h);
        assert_near(sum / PIECES, whole, 1e-12 * (fabs(whole) + law.mu_s) + 4.0 * noise);
    }
}

/* Oracle: order of convergence. Elasto-plastic steps approach the fine solution as h. */
static void elasto_plastic_steps_converge_with_order_one(void** state)
{
    (void)state;
    const br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC);
    const double v = 1e-4, h = 1.4e-2, z_max = br_law_g(&law, v) / law.sigma0; // ends in the band
    const double fine = z_after(&law, 0.0, v, 1.0, h, 1 << 18);
    assert_true(fine > 0.9 * z_max && fine < z_max);
    double last = fabs(z_after(&law, 0.0, v, 1.0, h, 32) - fine);
    for (int pieces = 64; pieces <= 1024; pieces *= 2) {
        const double error = fabs(z_after(&law, 0.0, v, 1.0, h, pieces) - fine);
        assert_in_range((uintmax_t)(100.0 * last / error), 170, 230 /* halves: order 1 */);
        last = error;
    }
}

/* Oracle: invariant. For any step size the deflection stays within its bound and the work done on
 * the bristle covers what it stores (sigma1 = 0: the damping term needs its own inequality). */
static void steps_of_any_size_are_bounded_and_passive(void** state)
{
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < 100000; i++) {
        br_law law = random_law(&seed, i % 2 ? BR_LAW_LUGRE : BR_LAW_ELASTO_PLASTIC);
        law.sigma1 = 0.0;
        const double z0 = random_z(&seed, &law), v = random_v(&seed, &law);
        const double h = pow(10.0, uniform(&seed, -7.0, 2.0)), fn = uniform(&seed, 0.0, 10.0);
        double z = z0;
        const double f = br_law_step(&law, &z, v, fn, h);
        const double bound = fmax(fabs(z0), br_law_g(&law, v) / law.sigma0);
        assert_true(fabs(z) <= bound * (1.0 + 1e-15));
        const double stored = 0.5 * law.sigma0 * fn * (z * z - z0 * z0);
        const double work = f * v * h;
        assert_true(work - stored >= -1e-14 * (fabs(work) + law.sigma0 * fn * bound * bound));
    }
}

/* Oracle: the bound of D-1. With sigma1 v_damping <= 3.5 mu_c, whatever mu_s, no step gives energy back and no instant
 * does; and with z along v the force is at most (1 + 3.5/2) mu_s fn. */
static void damping_that_fades_gives_no_energy_back(void** state)
{
    (void)state;
    uint64_t seed = 11;
    for (int i = 0; i < 100000; i++) {
        br_law law = random_law(&seed, i % 2 ? BR_LAW_LUGRE : BR_LAW_ELASTO_PLASTIC);
        law.mu_s = law.mu_c * uniform(&seed, 1.0, 3.0);
        law.sigma2 = 0.0;
        law.v_damping = uniform(&seed, 0.0, 3.5) * law.mu_c / law.sigma1;
        const double z0 = random_z(&seed, &law), v = random_v(&seed, &law) * (i % 3 ? 1.0 : 100.0);
        const double h = pow(10.0, uniform(&seed, -7.0, 2.0)), most = law.mu_s / law.sigma0;
        const br_law_value now = br_law_eval(&law, z0, v, 1.0);
        const double heat = now.f * v - law.sigma0 * z0 * now.dz;
        assert_true(heat >= -1e-13 * (fabs(now.f * v) + law.mu_s * fabs(v)));
        assert_true(z0 * v < 0.0 || fabs(z0) > most || fabs(now.f) <= (1.0 + 1.75) * law.mu_s);
        double z = z0;
        const double work = br_law_step(&law, &z, v, 1.0, h) * v * h;
        const double stored = 0.5 * law.sigma0 * (z * z - z0 * z0), size = law.sigma0 * most * most;
        assert_true(work - stored >= -1e-13 * (fabs(work) + size));
    }
}

/* Oracle: definition. Nothing presses, nothing resists; NaN in, NaN out; rest stays at rest. */
static void edges_behave(void** state)
{
    (void)state;
    for (int i = 0; i < KINDS; i++) {
        const br_law law = br_law_default(all_kinds[i]);
        assert_near(br_law_eval(&law, 1e-7, 1e-3, 0.0).f, 0.0, 0.0);
        const br_law_value no_v = br_law_eval(&law, 1e-7, (double)NAN, 1.0);
        const br_law_value no_fn = br_law_eval(&law, 1e-7, 1e-3, (double)NAN);
        assert_true(isnan(no_v.f) || isnan(no_v.dz)); // Dahl's force is its state, its rate is not
        assert_true(isnan(no_fn.f) || isnan(no_fn.dz));
        double z = 3e-7;
        br_law_step(&law, &z, 0.0, 1.0, 10.0);
        assert_near(z, 3e-7, 0.0 /* exact */);
        assert_true(isfinite(br_law_eval(&law, 0.0, 1e300, 1.0).f));
        const br_law_gradient d = br_law_gradient_eval(&law, 0.0, 0.0, 1.0);
        assert_true(isfinite(d.f_z) && isfinite(d.f_v) && isfinite(d.dz_z) && isfinite(d.dz_v));
    }
}

/* Oracle: definition. W&K's p = 1 set has 0.2 - 800 (1.2 - 1)/1 = -159.8; p = 0 has 0. Damping that fades is passive
 * up to sigma1 v_damping = 3.5 mu_c, here v_damping = 3.5/800; 0 and infinity are constant. */
static void passivity_margin_is_the_inequality(void** state)
{
    (void)state;
    br_law law = br_law_default(BR_LAW_LUGRE);
    assert_near(br_law_passivity_margin(&law), -159.8, 1e-12 /* rounding of 160 */);
    law.v_damping = HUGE_VAL;
    assert_near(br_law_passivity_margin(&law), -159.8, 1e-12 /* rounding of 160 */);
    law.v_damping = 3.5 / 800.0;
    assert_near(br_law_passivity_margin(&law), 0.0, 1e-12 /* rounding of 800 */);
    law.v_damping = 3.5 / 1600.0;
    assert_near(br_law_passivity_margin(&law), 800.0, 1e-12 /* rounding of 1600 */);
    law.v_damping = 1.0;
    assert_near(br_law_passivity_margin(&law), -159.8, 1e-12 /* rounding of 160 */);
    law.v_damping = 0.0;
    law.mu_s = 1.0;
    law.sigma2 = 0.0;
    assert_near(br_law_passivity_margin(&law), 0.0, 0.0);
    assert_true(isinf(br_law_passivity_margin(&(br_law){.kind = BR_LAW_COULOMB})));
}

static void refuses(br_law law, const char* field)
{
    br_reason why = {"", ""};
    assert_status(br_law_check(&law, &why), BR_ERR_DEF);
    assert_string_equal(why.field, field);
    assert_non_null(strstr(why.text, "must be"));
}

/* Oracle: the ranges of law.h. */
static void parameters_out_of_range_are_named(void** state)
{
    (void)state;
    const br_law good = br_law_default(BR_LAW_ELASTO_PLASTIC);
    assert_status(br_law_check(&good, NULL), BR_OK);
    for (int i = 0; i < 3; i++) {
        const double bad = i == 0 ? -1.0 : i == 1 ? (double)NAN : HUGE_VAL;
        br_law law = good;
        refuses((law.mu_c = bad, law), "mu_c"), law = good;
        refuses((law.mu_s = bad, law), "mu_s"), law = good;
        refuses((law.v_stribeck = bad, law), "v_stribeck"), law = good;
        refuses((law.gamma = bad, law), "gamma"), law = good;
        refuses((law.sigma0 = bad, law), "sigma0"), law = good;
        refuses((law.sigma1 = bad, law), "sigma1"), law = good;
        refuses((law.sigma2 = bad, law), "sigma2"), law = good;
        refuses((law.s_ba = bad, law), "s_ba"), law = good;
        if (bad != HUGE_VAL) {
            refuses((law.v_damping = bad, law), "v_damping"), law = good;
        }
        law.kind = BR_LAW_DAHL;
        refuses((law.alpha = bad, law), "alpha");
    }
    br_law law = good;
    law.mu_s = 0.9;
    refuses(law, "mu_s");
    law = good;
    law.s_ba = 1.0;
    refuses(law, "s_ba");
    law = good;
    law.kind = (br_law_kind)42;
    refuses(law, "kind");
    law = (br_law){.kind = BR_LAW_COULOMB, .mu_c = 0.3}; // what a law does not use may be anything
    assert_status(br_law_check(&law, NULL), BR_OK);
}

/* Oracle: the counting allocator. */
static void laws_never_allocate(void** state)
{
    (void)state;
    counting count = {0};
    br_set_allocator(counting_allocate, counting_release, &count);
    for (int i = 0; i < KINDS; i++) {
        const br_law law = br_law_default(all_kinds[i]);
        double z = 1e-7;
        br_law_eval(&law, z, 1e-3, 1.0);
        br_law_gradient_eval(&law, z, 1e-3, 1.0);
        br_law_step(&law, &z, 1e-3, 1.0, 1e-3);
    }
    br_set_allocator(NULL, NULL, NULL);
    assert_int_equal(count.calls, 0);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stribeck_curve_falls_from_static_to_coulomb),
        cmocka_unit_test(steady_sliding_follows_the_stribeck_curve),
        cmocka_unit_test(memoryless_laws_jump_at_rest),
        cmocka_unit_test(elasto_plastic_bristle_is_a_spring_below_breakaway),
        cmocka_unit_test(dahl_takes_any_exponent),
        cmocka_unit_test(gradients_match_central_differences),
        cmocka_unit_test(gradient_at_rest_is_the_mean_of_both_sides),
        cmocka_unit_test(exact_steps_compose),
        cmocka_unit_test(the_force_of_an_exact_step_is_the_mean_force),
        cmocka_unit_test(elasto_plastic_steps_converge_with_order_one),
        cmocka_unit_test(steps_of_any_size_are_bounded_and_passive),
        cmocka_unit_test(damping_that_fades_gives_no_energy_back),
        cmocka_unit_test(edges_behave),
        cmocka_unit_test(passivity_margin_is_the_inequality),
        cmocka_unit_test(parameters_out_of_range_are_named),
        cmocka_unit_test(laws_never_allocate),
    };
    return run_group(argc, argv, tests);
}
