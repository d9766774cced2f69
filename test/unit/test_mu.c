/* Tests of friction from its coefficient alone, as a file gives it: bodies that slide, spin and stop. */
#include "check.h"

#include "bristle/bristle.h"
#include "bristle/scenario.h"

#include <stdio.h>
#include <string.h>

// A scenario that can be read, without a warning.
static br_scenario* read(const char* text)
{
    br_scenario* scenario = NULL;
    assert_status(br_scenario_read_text(text, "test", NULL, &scenario), BR_OK);
    assert_int_equal(br_scenario_get_warning_count(scenario), 0);
    return scenario;
}

static br_table* run(const char* text)
{
    br_scenario* scenario = read(text);
    br_table* table = NULL;
    assert_status(br_scenario_run(scenario, NULL, &table, NULL), BR_OK);
    br_scenario_destroy(scenario);
    return table;
}

static double at(const br_table* table, size_t row, const char* column)
{
    size_t columns;
    br_table_get_columns(table, &columns);
    return br_table_get_rows(table)[row * columns + br_table_find_column(table, column)];
}

static double at_end(const br_table* table, const char* column)
{
    return at(table, br_table_get_row_count(table) - 1, column);
}

/* Oracle: symmetry. Coulomb friction of uniform pressure has no force across the path of a disc that slides and spins.
 * What the bristles leave is in proportion to their length: -1.1 mm. Constant damping: 186 mm. */
static void a_puck_that_spins_keeps_its_line(void** state)
{
    (void)state;
    br_table* table = run("body: {mass: 0.1, radius: 0.04, velocity: [3, 0, 20]}\n"
                          "friction: {mu: 0.1}\n"
                          "contact: {frame: body, patch: {shape: disc, radius: 0.04}}\n"
                          "duration: 4\n");
    assert_near(at_end(table, "y"), 0.0, 2e-3 /* m, of a path of 4.67 m */);
    assert_near(at_end(table, "vx"), 0.0, 1e-6 /* m/s: it stopped */);
    br_table_destroy(table);
}

/* Oracle: the limit of stiff bristles, theta = 1.805 (sigma0 1e7); 1.802 and -0.055 mm by the rule. The puck of the
 * README; constant damping: 1.796 and 1.38 mm. */
static void the_puck_of_the_readme_keeps_its_line(void** state)
{
    (void)state;
    br_table* table = run("body: {mass: 0.1, radius: 0.04, velocity: [0.5, 0, 10]}\n"
                          "friction: {mu: 0.2}\n"
                          "contact: {frame: body, patch: {shape: disc, radius: 0.04}}\n"
                          "duration: 0.4\n");
    assert_near(at_end(table, "theta"), 1.802, 5e-4 /* rad, the digit */);
    assert_near(at_end(table, "y"), 0.0, 1e-4 /* m */);
    br_table_destroy(table);
}

/* Oracle: bound, (s_ba + chi/2) mu fn = 1.9 mu fn at most from relaxed bristles, and mu fn while it slides; x by
 * v t - v^2/(2 mu g). A box that is put on a running belt: constant damping gives 245 N first, mu fn is 4.9 N. */
static void a_box_put_on_a_belt_is_not_hit(void** state)
{
    (void)state;
    const double mu = 0.5, fn = 9.81, belt = 0.5;
    br_table* table = run("body: {mass: 1, size: [0.1, 0.06], start: relaxed}\n"
                          "friction: {mu: 0.5}\n"
                          "contact: {frame: body, patch: {shape: rectangle, size: [0.1, 0.06]},\n"
                          "  support: {position: [{kind: table, times: [0, 1],\n"
                          "  values: [0, 0.5]}, 0]}}\n"
                          "duration: 1\n"
                          "output: {every: 1e-4}\n");
    double most = 0.0;
    for (size_t i = 0; i < br_table_get_row_count(table); i++) {
        most = fmax(most, hypot(at(table, i, "fx"), at(table, i, "fy")));
    }
    assert_true(most <= 1.6 * mu * fn && most >= mu * fn);
    assert_near(at_end(table, "x"), belt - belt * belt / (2.0 * mu * 9.81),
                1e-3 * belt /* m, the bristles' length and their time */);
    br_table_destroy(table);
}

/* Oracle: definition. A puck that stops vibrates on its bristles at omega = sqrt(sigma0 fn/m), at first by
 * mu/sigma0 omega: two periods later less than 1e-3 of that is left. */
static void a_body_that_stops_comes_to_rest(void** state)
{
    (void)state;
    br_table* table = run("body: {mass: 0.1, radius: 0.04, velocity: [0.5, 0, 0]}\n"
                          "friction: {mu: 0.2}\n"
                          "contact: {frame: body, patch: {shape: disc, radius: 0.04}}\n"
                          "duration: 0.5\n"
                          "output: {every: 1e-3}\n");
    const double omega = sqrt(9.81 * 0.2 / 5e-5), first = 5e-5 * omega, stop = 0.5 / (0.2 * 9.81);
    size_t late = 0;
    for (size_t i = 0; i < br_table_get_row_count(table); i++) {
        // it stops within the time 1/omega of that of stiff bristles
        if (at(table, i, "t") > stop + (1.0 + 4.0 * BR_PI) / omega) {
            assert_near(at(table, i, "vx"), 0.0, 1e-3 * first);
            late++;
        }
    }
    assert_true(late > 100);
    br_table_destroy(table);
}

/* Oracle: the file with mu and mu_s or mu_c, which had that meaning before. mu_c and mu_s alone follow the rule, too:
 * no warning, though mu_s > mu_c, since damping that fades is passive. */
static void two_coefficients_are_enough(void** state)
{
    (void)state;
    const char* const frictions[] = {"{mu_s: 0.4, mu_c: 0.3}", "{mu: 0.3, mu_s: 0.4}"};
    br_table* tables[2];
    for (int i = 0; i < 2; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "body: {mass: 0.1, radius: 0.04, velocity: [0.5, 0, 10]}\n"
                 "friction: %s\n"
                 "contact: {frame: body, patch: {shape: disc, radius: 0.04}}\n"
                 "duration: 0.4\n",
                 frictions[i]);
        tables[i] = run(text);
    }
    assert_near(at_end(tables[0], "x"), at_end(tables[1], "x"), 0.0 /* the same law */);
    assert_near(at_end(tables[0], "vx"), 0.0, 1e-6 /* m/s: it stopped */);
    br_table_destroy(tables[0]);
    br_table_destroy(tables[1]);
}

/* Oracle: br_law_from_mu(), of which `check` prints what a file gives: a disc below the centre of mass, whose modes
 * have the mean sqrt(sigma0 fn/m') with m' the mean of m and I/u. And constant damping where sigma1 is given. */
static void a_file_follows_the_rule_of_the_library(void** state)
{
    (void)state;
    br_scenario* scenario = read("body: {mass: 0.1, radius: 0.04}\n"
                                 "friction: {mu: 0.2}\n"
                                 "contact: {frame: body, patch: {shape: disc, radius: 0.04}}\n"
                                 "duration: 0.4\n");
    const double r = 2.0 / 3.0 * 0.04, u = 0.5 * 0.04 * 0.04, inertia = 0.5 * 0.1 * 0.04 * 0.04;
    const br_law law = br_law_from_mu(0.2, r, sqrt(0.1 * inertia / u), 0.1 * 9.81);
    char want[160];
    snprintf(want, sizeof want, "sigma0 %.4g /m, sigma1 %.4g s/m, v_damping %.4g m/s", law.sigma0,
             law.sigma1, law.v_damping);
    assert_non_null(strstr(br_scenario_get_text(scenario), want));
    br_scenario_destroy(scenario);

    scenario = read("body: {mass: 0.1, radius: 0.04}\n"
                    "friction: {mu: 0.2, sigma1: 50}\n"
                    "contact: {frame: body, patch: {shape: disc, radius: 0.04}}\n"
                    "duration: 0.4\n");
    assert_non_null(strstr(br_scenario_get_text(scenario), "sigma1 50 s/m;"));
    br_scenario_destroy(scenario);

    // 0 and infinity are constant, too
    static const char* const constant[] = {"0", ".inf"};
    for (int i = 0; i < 2; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "body: {mass: 0.1, radius: 0.04}\n"
                 "friction: {mu: 0.2, v_damping: %s}\n"
                 "contact: {frame: body, patch: {shape: disc, radius: 0.04}}\n"
                 "duration: 0.4\n",
                 constant[i]);
        scenario = read(text);
        assert_null(strstr(br_scenario_get_text(scenario), "v_damping"));
        br_scenario_destroy(scenario);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_puck_that_spins_keeps_its_line),
        cmocka_unit_test(the_puck_of_the_readme_keeps_its_line),
        cmocka_unit_test(a_box_put_on_a_belt_is_not_hit),
        cmocka_unit_test(a_body_that_stops_comes_to_rest),
        cmocka_unit_test(two_coefficients_are_enough),
        cmocka_unit_test(a_file_follows_the_rule_of_the_library),
    };
    return run_group(argc, argv, tests);
}
