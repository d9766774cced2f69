/* Fits of tables of g(v). */
#include "check.h"

#include "bristle/fit_law.h"
#include "bristle/math.h"

#include <string.h>

enum { ROWS = 4000, NODES = 7 };
static double speed[ROWS], force[ROWS], normal[ROWS];

static const double true_v[] = {0.0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2};
static const double true_g[] = {0.62, 0.5, 0.42, 0.35, 0.36, 0.41, 0.5};

static double normal_noise(uint64_t* seed)
{
    const double u = uniform(seed, 1e-12, 1.0);
    return sqrt(-2.0 * log(u)) * cos(2.0 * BR_PI * uniform(seed, 0.0, 1.0));
}

// Rows in steady sliding at random speeds of both signs, with noise.
static br_fit_law_data simulate(const br_law* law, double offset, double noise, uint64_t* seed)
{
    for (size_t i = 0; i < ROWS; i++) {
        speed[i] = uniform(seed, -0.2, 0.2);
        normal[i] = uniform(seed, 1.0, 5.0);
        force[i] =
            br_law_eval(law, 0.0, speed[i], normal[i]).f + offset + noise * normal_noise(seed);
    }
    return (br_fit_law_data){.count = ROWS, .v = speed, .f = force, .fn = normal};
}

static br_law true_law(br_curve* curve)
{
    br_law law = br_law_default(BR_LAW_STRIBECK);
    law.sigma2 = 0.0;
    assert_status(br_law_set_curve(&law, curve, NODES, true_v, true_g, NULL, NULL), BR_OK);
    return law;
}

// g of a fit at any speed.
static br_law fitted_law(const br_fit_table* fit, br_curve* curve)
{
    br_law law = br_law_default(BR_LAW_STRIBECK);
    assert_status(br_law_set_curve(&law, curve, fit->count, fit->v, fit->g, NULL, NULL), BR_OK);
    return law;
}

/* Oracle: the table that the rows were simulated with, whose nodes are in the rows. */
static void table_of_simulated_rows_is_found(void** state)
{
    (void)state;
    br_curve curve;
    const br_law law = true_law(&curve);
    uint64_t seed = 8;
    const br_fit_law_data data = simulate(&law, 0.05, 0.0, &seed);
    for (size_t i = 0; i < ROWS; i++) { // quantiles of these are the nodes
        speed[i] = copysign(true_v[1 + i % (NODES - 1)], speed[i]);
        force[i] = br_law_eval(&law, 0.0, speed[i], normal[i]).f + 0.05;
    }
    br_fit_table fit;
    // 24 quantiles are all speeds; no row is slower than the first, which leaves g(0) to the weak condition there
    assert_status(br_fit_law_table(&data, 24, 0.0, 0.95, &fit, NULL), BR_OK);
    assert_int_equal(fit.count, NODES);
    for (int k = 1; k < NODES; k++) {
        assert_near(fit.g[k], true_g[k], 1e-5); // no noise: the weight of that condition, 1e-6
    }
    assert_near(fit.offset, 0.05, 1e-5);
}

/* Oracle: Student's intervals hold the true curve in their share of fits; white noise of a known size. */
static void intervals_hold_the_true_curve(void** state)
{
    (void)state;
    br_curve curve;
    const br_law law = true_law(&curve);
    uint64_t seed = 17;
    const double noise = 0.1;
    int inside = 0, all = 0;
    for (int run = 0; run < 40; run++) {
        const br_fit_law_data data = simulate(&law, -0.03, noise, &seed);
        br_fit_table fit;
        assert_status(br_fit_law_table(&data, 16, 0.0, 0.95, &fit, NULL), BR_OK);
        assert_near(fit.rms, noise, 0.06 * noise); // 1/sqrt(2 ROWS) is 1.1 %
        for (size_t k = 0; k < fit.count; k++) {
            const double g = br_law_g(&law, fit.v[k]);
            // nodes are not where those of the true table are: up to 0.004 between them
            inside += g > fit.low[k] - 0.004 && g < fit.high[k] + 0.004;
            all++;
        }
    }
    print_message("%d of %d nodes within their 95 %% intervals\n", inside, all);
    assert_true(inside >= 0.93 * all);
}

/* Oracle: (2). The error of a fitted table on rows that it has not seen is the noise. */
static void chosen_table_predicts_rows_that_it_has_not_seen(void** state)
{
    (void)state;
    br_law law = br_law_default(BR_LAW_STRIBECK);
    law.mu_c = 0.3;
    law.mu_s = 0.5;
    law.v_stribeck = 0.03;
    law.sigma2 = 0.4;
    uint64_t seed = 29;
    const br_fit_law_data data = simulate(&law, 0.0, 0.02, &seed);
    br_fit_table fit;
    assert_status(br_fit_law_table(&data, 0, 0.5, 0.95, &fit, NULL), BR_OK);
    print_message("%zu nodes, rms %.4g, held out %.4g\n", fit.count, fit.rms, fit.rms_held_out);
    assert_near(fit.rms_held_out, 0.02,
                0.1 * 0.02); // 1/sqrt(ROWS) is 1.6 %, and the curve's own error
    br_curve found;
    const br_law got = fitted_law(&fit, &found);
    for (double v = 0.01; v < 0.2; v += 0.01) {
        assert_near(br_law_g(&got, v), br_law_g(&law, v) + 0.4 * v, 0.005); // some errors of a node
    }
}

// A single ramp, the first measurement that one makes.
static br_fit_law_data simulate_ramp(const br_law* law, double from, double to, double offset,
                                     uint64_t* seed)
{
    static double time[ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        time[i] = 1e-3 * (double)i;
        speed[i] = from + (to - from) * (double)i / ROWS;
        normal[i] = 10.0;
        force[i] =
            br_law_sliding(law, speed[i], 1.0, 10.0, NULL) + offset + 0.01 * normal_noise(seed);
    }
    return (br_fit_law_data){.count = ROWS, .t = time, .v = speed, .f = force, .fn = normal};
}

/* Oracle: (2). Rows of one direction cannot show the offset, which is taken as 0: an offset of 0.05 N is in g, as 0.005. The
 * number of nodes is chosen by rows of all speeds. */
static void ramp_in_one_direction_has_no_offset(void** state)
{
    (void)state;
    br_law law = br_law_default(BR_LAW_STRIBECK);
    law.mu_c = 0.4;
    law.mu_s = 0.5;
    law.v_stribeck = 0.03;
    law.sigma2 = 0.0;
    uint64_t seed = 31;
    const br_fit_law_data data = simulate_ramp(&law, 1e-4, 0.1, 0.05, &seed);
    br_fit_table fit;
    assert_status(br_fit_law_table(&data, 0, 0.0, 0.95, &fit, NULL), BR_OK);
    assert_near(fit.offset, 0.0, 0.0 /* fixed */);
    assert_true(isinf(fit.offset_error));
    assert_near(
        fit.g[0], 0.505,
        0.002); // 0.01/10 N over the root of the rows of a node: 1e-4; the curve between nodes
    assert_near(fit.rms_held_out, 0.01, 1e-3);
    assert_true(isfinite(fit.high[0]));
}

/* Oracle: (2) with v_s below all rows, which do not show g(0). */
static void static_friction_without_slow_rows_is_unknown(void** state)
{
    (void)state;
    br_law law = br_law_default(BR_LAW_STRIBECK);
    law.mu_c = 0.4;
    law.mu_s = 0.5;
    law.v_stribeck = 0.01;
    law.sigma2 = 0.0;
    uint64_t seed = 37;
    const br_fit_law_data data = simulate_ramp(&law, 0.05, 0.1, 0.0, &seed);
    br_fit_table fit;
    assert_status(br_fit_law_table(&data, 8, 0.0, 0.95, &fit, NULL), BR_OK);
    assert_true(isinf(fit.error[0]) && isinf(fit.low[0]) && isinf(fit.high[0]));
    assert_near(fit.g[1], 0.4, 1e-3);
    assert_true(isfinite(fit.error[1]));
}

/* Oracle: the documented ranges. */
static void wrong_rows_are_refused_with_the_reason(void** state)
{
    (void)state;
    br_curve curve;
    const br_law law = true_law(&curve);
    uint64_t seed = 1;
    br_fit_law_data data = simulate(&law, 0.0, 0.01, &seed);
    br_fit_table fit;
    br_reason why;
    assert_status(br_fit_law_table(&data, 1, 0.0, 0.95, &fit, &why), BR_ERR_ARG);
    assert_string_equal(why.field, "nodes");
    assert_status(br_fit_law_table(&data, 4, 0.95, 0.95, &fit, &why), BR_ERR_ARG);
    data.count = 30;
    assert_status(br_fit_law_table(&data, 12, 0.0, 0.95, &fit, &why), BR_ERR_DEF);
    assert_non_null(strstr(why.text, "rows in motion"));
    speed[3] = (double)NAN;
    assert_status(br_fit_law_table(&data, 3, 0.0, 0.95, &fit, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "v");
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_of_simulated_rows_is_found),
        cmocka_unit_test(intervals_hold_the_true_curve),
        cmocka_unit_test(chosen_table_predicts_rows_that_it_has_not_seen),
        cmocka_unit_test(ramp_in_one_direction_has_no_offset),
        cmocka_unit_test(static_friction_without_slow_rows_is_unknown),
        cmocka_unit_test(wrong_rows_are_refused_with_the_reason),
    };
    return run_group(argc, argv, tests);
}
