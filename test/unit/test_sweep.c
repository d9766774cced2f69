/*
 * Unit tests of sweeps: random numbers by index, Sobol' points, specs, plans, cases, indices.
 */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bristle/sweep.h"
#include "sweep/formula.h"
#include "sweep/random.h"
#include "sweep/sobol_points.h"

static const char text[] = "body: {mass: 0.1, radius: 0.04, velocity: [0.5, 0, 10]}\n"
                           "friction: {mu: 0.2}\n"
                           "contact: {frame: body, patch: {shape: disc, radius: 0.04}}\n"
                           "duration: 0.2\n";

static br_scenario* read_text(const char* of)
{
    br_scenario* s;
    assert_int_equal(br_scenario_read_text(of, "puck", NULL, &s), BR_OK);
    return s;
}

// A sweep of the puck; what is wrong with it is `expected`, NULL: nothing.
static br_sweep* plan(const br_scenario* s, const br_sweep_def* def, const char* expected)
{
    br_sweep* sweep;
    br_reason why = {"", ""};
    const br_status status = br_sweep_create(s, def, &sweep, &why);
    if (expected) {
        assert_int_equal(status, BR_ERR_DEF);
        if (!strstr(why.text, expected)) {
            fail_msg("got: %s, expected: %s", why.text, expected);
        }
        return NULL;
    }
    if (status != BR_OK) {
        fail_msg("%s", why.text);
    }
    return sweep;
}

// --- random numbers -------------------------------------------------------------------------------

/* Oracle: known answers of Random123 (kat_vectors, philox4x32 10). */
static void philox_gives_the_known_answers(void** state)
{
    (void)state;
    static const struct {
        uint32_t counter[4], key[2], out[4];
    } known[] = {{{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
                 {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
                  {0xffffffff, 0xffffffff},
                  {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
                 {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                  {0xa4093822, 0x299f31d0},
                  {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        uint32_t out[4];
        bri_philox(known[i].counter, known[i].key, out);
        assert_memory_equal(out, known[i].out, sizeof out);
    }
}

/* Oracle: invariant. A permutation has every number once. */
static void permutations_have_every_number_once(void** state)
{
    (void)state;
    for (uint64_t count = 1; count < 3000; count += 61) {
        unsigned char seen[3000] = {0};
        for (uint64_t i = 0; i < count; i++) {
            const uint64_t x = bri_random_permute(7, 3, i, count);
            assert_true(x < count && !seen[x]);
            seen[x] = 1;
        }
    }
}

/* Oracle: closed form. Phi(quantile(p)) = p, Phi by the error function. */
static void normal_quantiles_invert_the_distribution(void** state)
{
    (void)state;
    for (double p = 1e-12; p < 1; p = p < 1e-3 ? 3 * p : p + 1.7e-3) {
        const double back = 0.5 * erfc(-bri_normal_quantile(p) / sqrt(2));
        assert_true(fabs(back - p) <
                    1e-13 * p + 1e-16 + 2e-14 * p * 30); // erfc's own error grows in its tail
    }
}

/* Oracle: scipy.stats.qmc.Sobol(d, scramble=False, bits=32), points 1 and 5 of dimensions 0, 3, 17 and 63. */
static void sobol_points_are_those_of_joe_and_kuo(void** state)
{
    (void)state;
    static const struct {
        unsigned dimension;
        double first, fifth;
    } known[] = {{0, 0.5, 0.875}, {3, 0.5, 0.375}, {17, 0.5, 0.375}, {63, 0.5, 0.625}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        uint32_t directions[SOBOL_BITS];
        bri_sobol_directions(known[i].dimension, directions);
        assert_true(bri_sobol_point(directions, 1) * 0x1p-32 == known[i].first);
        assert_true(bri_sobol_point(directions, 5) * 0x1p-32 == known[i].fifth);
    }
}

/* Oracle: invariant of digital nets. 2^8 points have one in each of 2^8 intervals, scrambled or not. */
static void scrambled_points_stay_uniform(void** state)
{
    (void)state;
    for (unsigned d = 0; d < SOBOL_DIMENSIONS; d++) {
        uint32_t directions[SOBOL_BITS];
        bri_sobol_directions(d, directions);
        unsigned char seen[256] = {0};
        for (uint64_t i = 0; i < 256; i++) {
            const uint32_t x =
                bri_sobol_scramble(bri_sobol_point(directions, i), 0x9e3779b9u * (d + 1));
            assert_false(seen[x >> 24]);
            seen[x >> 24] = 1;
        }
    }
}

// --- plans ----------------------------------------------------------------------------------------

/* Oracle: closed form of grids; the first axis is the slowest, ends are exact. */
static void grids_have_their_values_in_order(void** state)
{
    (void)state;
    br_scenario* s = read_text(text);
    const br_sweep_key keys[] = {{BR_SWEEP_VARY, "friction.mu", "0.2:0.6:5", NULL, 0},
                                 {BR_SWEEP_VARY, "body.mass", "log:0.1:1:3", NULL, 0}};
    br_sweep_def def = br_sweep_def_default();
    def.keys = keys, def.key_count = 2;
    br_sweep* sweep = plan(s, &def, NULL);
    size_t axes;
    const size_t* shape = br_sweep_get_shape(sweep, &axes);
    assert_int_equal(axes, 2);
    assert_int_equal(shape[0], 5);
    assert_int_equal(br_sweep_get_case_count(sweep), 15);
    double inputs[2];
    br_sweep_eval_inputs(sweep, 4, inputs);
    assert_true(fabs(inputs[0] - 0.3) < 1e-16);
    assert_true(fabs(inputs[1] - sqrt(0.1)) < 1e-16);
    br_sweep_eval_inputs(sweep, 14, inputs);
    assert_true(inputs[0] == 0.6 && inputs[1] == 1);
    size_t count;
    assert_string_equal(br_sweep_get_inputs(sweep, &count)[1].unit, "kg");
    br_sweep_destroy(sweep);
    br_scenario_destroy(s);
}

/* Oracle: what was given. Keys that go together share an axis; words are indices in their list. */
static void keys_go_together(void** state)
{
    (void)state;
    br_scenario* s = read_text(text);
    const double masses[] = {0.1, 0.3};
    const br_sweep_key keys[] = {{BR_SWEEP_ZIP, "friction.mu", "[0.2, 0.7]", NULL, 0},
                                 {BR_SWEEP_VARY, "model", "[blocks, reduced, ellipsoid]", NULL, 0},
                                 {BR_SWEEP_ZIP, "body.mass", NULL, masses, 2}};
    br_sweep_def def = br_sweep_def_default();
    def.keys = keys, def.key_count = 3;
    br_sweep* sweep = plan(s, &def, NULL);
    assert_int_equal(br_sweep_get_case_count(sweep), 6);
    double inputs[3];
    br_sweep_eval_inputs(sweep, 4, inputs);
    assert_true(inputs[0] == 0.7 && inputs[1] == 1 && inputs[2] == 0.3);
    size_t count;
    assert_string_equal(br_sweep_get_inputs(sweep, &count)[1].words[1], "reduced");
    br_sweep_destroy(sweep);
    br_scenario_destroy(s);
}

static br_sweep* plan_draws(const br_scenario* s, br_sweep_sampling sampling, size_t samples)
{
    const br_sweep_key keys[] = {{BR_SWEEP_DRAW, "friction.mu", "uniform:0:1", NULL, 0},
                                 {BR_SWEEP_DRAW, "body.mass", "normal:2:0.5", NULL, 0},
                                 {BR_SWEEP_DRAW, "duration", "lognormal:3:0.2", NULL, 0}};
    br_sweep_def def = br_sweep_def_default();
    def.keys = keys, def.key_count = 3;
    def.samples = samples;
    def.sampling = sampling;
    def.has_seed = 1, def.seed = 5;
    return plan(s, &def, NULL);
}

/* Oracle: moments of the distributions; tolerances are five standard errors of independent samples. */
static void draws_have_the_moments_of_their_distributions(void** state)
{
    (void)state;
    enum { N = 4096 };
    br_scenario* s = read_text(text);
    for (br_sweep_sampling how = BR_SWEEP_RANDOM; how <= BR_SWEEP_SOBOL; how++) {
        br_sweep* sweep = plan_draws(s, how, N);
        double sum = 0, normal = 0, square = 0, logs = 0, cross = 0;
        for (size_t i = 0; i < N; i++) {
            double x[3];
            br_sweep_eval_inputs(sweep, i, x);
            sum += x[0] / N;
            normal += x[1] / N;
            square += (x[1] - 2) * (x[1] - 2) / N;
            logs += log(x[2] / 3) / N;
            cross += (x[0] - 0.5) * (x[1] - 2) / N;
        }
        const double error = 5 / sqrt(N);
        assert_true(fabs(sum - 0.5) < 0.29 * error);
        assert_true(fabs(normal - 2) < 0.5 * error);
        assert_true(fabs(square - 0.25) < 0.36 * error);
        assert_true(fabs(logs) < 0.2 * error);
        assert_true(fabs(cross) < 0.29 * 0.5 * error);
        br_sweep_destroy(sweep);
    }
    br_scenario_destroy(s);
}

/* Oracle: definition of a Latin hypercube: each of N strata has one sample; N = 1000 is no power of 2. */
static void latin_samples_have_one_in_each_stratum(void** state)
{
    (void)state;
    enum { N = 1000 };
    br_scenario* s = read_text(text);
    br_sweep* sweep = plan_draws(s, BR_SWEEP_LATIN, N);
    unsigned char seen[N] = {0};
    for (size_t i = 0; i < N; i++) {
        double x[3];
        br_sweep_eval_inputs(sweep, i, x);
        const size_t stratum = (size_t)(x[0] * N);
        assert_false(seen[stratum]);
        seen[stratum] = 1;
    }
    br_sweep_destroy(sweep);
    br_scenario_destroy(s);
}

/* Oracle: the sentences that users get. */
static void errors_are_reported(void** state)
{
    (void)state;
    br_scenario* s = read_text(text);
    static const struct {
        br_sweep_key key;
        size_t samples;
        const char* outputs;
        const char* expected;
    } bad[] = {
        {{BR_SWEEP_VARY, "friction.mu", "0.2:0.6", NULL, 0}, 0, "final.x", "a:b:n"},
        {{BR_SWEEP_VARY, "friction.mu", "log:-1:1:3", NULL, 0}, 0, "final.x", "a and b > 0"},
        {{BR_SWEEP_VARY, "friction.mu", "0:1:2.5", NULL, 0}, 0, "final.x", "n whole"},
        {{BR_SWEEP_DRAW, "friction.mu", "normal:1", NULL, 0}, 5, "final.x", "normal:mean:sd"},
        {{BR_SWEEP_DRAW, "friction.mu", "uniform:2:1", NULL, 0}, 5, "final.x", "a < b"},
        {{BR_SWEEP_DRAW, "friction.mu", "uniform:1:2", NULL, 0}, 0, "final.x", "number of samples"},
        {{BR_SWEEP_VARY, "friction.mu", "0:1:2", NULL, 0}, 3, "final.x", "keys to draw"},
        {{BR_SWEEP_VARY, "friction.mu", "0:1:2", NULL, 0}, 0, "events.slip", "events.KIND.first"},
        {{BR_SWEEP_VARY, "friction.mu", "0:1:2", NULL, 0}, 0, "a = 2 *", "a value is missing"},
        {{BR_SWEEP_VARY, "friction.mu", "0:1:2", NULL, 0}, 0, "a = foo(2)", "no such function"},
        {{BR_SWEEP_VARY, "friction.mu", "0:1:2", NULL, 0}, 0, "friction.mu", "always contain"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        br_sweep_def def = br_sweep_def_default();
        def.keys = &bad[i].key, def.key_count = 1;
        def.samples = bad[i].samples;
        def.outputs = &bad[i].outputs, def.output_count = 1;
        plan(s, &def, bad[i].expected);
    }
    br_sweep_def nothing = br_sweep_def_default();
    plan(s, &nothing, "no key changes");
    br_scenario_destroy(s);
}

// --- running --------------------------------------------------------------------------------------

enum { CASES = 24 };

typedef struct results {
    double outputs[CASES][4];
    int failed[CASES];
    size_t count;
} results;

static void note(const br_sweep_result* got, void* user)
{
    results* to = user;
    memcpy(to->outputs[got->index], got->outputs, sizeof to->outputs[0]);
    to->failed[got->index] = got->failure != NULL;
    to->count++;
}

static br_sweep* plan_cases(const br_scenario* s)
{
    static const br_sweep_key keys[] = {
        {BR_SWEEP_VARY, "contact.patch.radius", "[0.04, 0.03]", NULL, 0},
        {BR_SWEEP_VARY, "friction.mu", "[-1, 0.2, 0.3]", NULL, 0},
        {BR_SWEEP_VARY, "model", "[blocks, distributed, reduced, ellipsoid]", NULL, 0}};
    static const char* const wanted[] = {"final.theta", "max.w, events.stick.count",
                                         "twice = most(2*final.theta + friction.mu, -1e9)"};
    br_sweep_def def = br_sweep_def_default();
    def.keys = keys, def.key_count = 3;
    def.outputs = wanted, def.output_count = 3; // a text may have several
    return plan(s, &def, NULL);
}

/* Oracle: the same runs one by one, each read from the text with overrides, nothing shared: the same bits, from one
 * thread and from many; a case that cannot be (mu = -1) is a failure, not the end. */
static void cases_are_what_single_runs_are(void** state)
{
    (void)state;
    static const char* const models[] = {"blocks", "distributed", "reduced", "ellipsoid"};
    static const char* const mus[] = {"-1", "0.2", "0.3"};
    static const char* const radii[] = {"0.04", "0.03"};
    br_scenario* s = read_text(text);
    br_sweep* sweep = plan_cases(s);
    assert_int_equal(br_sweep_get_case_count(sweep), CASES);
    static results one, many;
    br_sweep_run_def run = {
        .size = sizeof(br_sweep_run_def), .threads = 1, .done = note, .user = &one};
    assert_int_equal(br_sweep_run(sweep, &run, NULL), BR_OK);
    run.threads = 5, run.user = &many;
    assert_int_equal(br_sweep_run(sweep, &run, NULL), BR_OK);
    assert_int_equal(one.count, CASES);
    assert_int_equal(many.count, CASES);
    for (size_t i = 0; i < CASES; i++) {
        char mu[32], model[32], radius[64];
        snprintf(radius, sizeof radius, "contact.patch.radius=%s", radii[i / 12]);
        snprintf(mu, sizeof mu, "friction.mu=%s", mus[i / 4 % 3]);
        snprintf(model, sizeof model, "model=%s", models[i % 4]);
        const char* overrides[] = {radius, mu, model, NULL};
        br_scenario* alone;
        br_table* table;
        if (br_scenario_read_text(text, "puck", overrides, &alone) == BR_OK) {
            assert_int_equal(br_scenario_run(alone, NULL, &table, NULL), BR_OK);
            const double theta = br_table_find_value(table, "final.theta")->number;
            const size_t w = br_table_find_column(table, "w");
            size_t width;
            br_table_get_columns(table, &width);
            double most = -HUGE_VAL;
            for (size_t r = 0; r < br_table_get_row_count(table); r++) {
                most = fmax(most, br_table_get_rows(table)[r * width + w]);
            }
            assert_true(one.outputs[i][0] == theta && many.outputs[i][0] == theta);
            assert_true(one.outputs[i][1] == most);
            assert_true(one.outputs[i][3] == 2 * theta + strtod(mus[i / 4 % 3], NULL));
            br_table_destroy(table);
        } else {
            assert_true(one.failed[i] && many.failed[i] && isnan(one.outputs[i][0]));
        }
        br_scenario_destroy(alone);
    }
    br_sweep_destroy(sweep);
    br_scenario_destroy(s);
}

/* Oracle: the scenario's values; what is not there is named, with what may be meant. */
static void outputs_that_are_not_there_are_reported(void** state)
{
    (void)state;
    br_scenario* s = read_text(text);
    const br_sweep_key key = {BR_SWEEP_VARY, "friction.mu", "0.1:0.2:2", NULL, 0};
    const char* wanted = "contacts[0].sliped";
    br_sweep_def def = br_sweep_def_default();
    def.keys = &key, def.key_count = 1;
    def.outputs = &wanted, def.output_count = 1;
    br_sweep* sweep = plan(s, &def, NULL);
    br_reason why = {"", ""};
    assert_int_equal(br_sweep_check(sweep, &why), BR_ERR_DEF);
    assert_non_null(strstr(why.text, "did you mean contacts[0].slipped?"));
    br_sweep_destroy(sweep);
    br_scenario_destroy(s);
}

static bool stop_after_three(void* user)
{
    return ((results*)user)->count >= 3;
}

/* Oracle: the contract of stop. */
static void a_sweep_stops_when_it_is_asked_to(void** state)
{
    (void)state;
    br_scenario* s = read_text(text);
    br_sweep* sweep = plan_cases(s);
    static results some;
    const br_sweep_run_def run = {.size = sizeof(br_sweep_run_def),
                                  .threads = 1,
                                  .done = note,
                                  .stop = stop_after_three,
                                  .user = &some};
    assert_int_equal(br_sweep_run(sweep, &run, NULL), BR_ERR_STOPPED);
    assert_int_equal(some.count, 3);
    br_sweep_destroy(sweep);
    br_scenario_destroy(s);
}

/* Oracle: a sweep in the file is the same sweep. */
static void a_file_may_hold_its_sweep(void** state)
{
    (void)state;
    char with[1024];
    snprintf(
        with, sizeof with,
        "%ssweep:\n  vary: {friction.mu: 0.1:0.3:3, model: [blocks, ellipsoid]}\n  draw: {body.mass: "
        "normal:0.1:0.01}\n  samples: 4\n  sampling: latin\n  seed: 9\n  want: final.x,contacts[0].slipped\n",
        text);
    br_scenario* plain = read_text(text);
    br_scenario* s = read_text(with);
    const br_sweep_key keys[] = {{BR_SWEEP_VARY, "friction.mu", "0.1:0.3:3", NULL, 0},
                                 {BR_SWEEP_VARY, "model", "[blocks, ellipsoid]", NULL, 0},
                                 {BR_SWEEP_DRAW, "body.mass", "normal:0.1:0.01", NULL, 0}};
    const char* wanted[] = {"final.x", "contacts[0].slipped"};
    br_sweep_def def = br_sweep_def_default();
    def.keys = keys, def.key_count = 3;
    def.samples = 4, def.sampling = BR_SWEEP_LATIN;
    def.has_seed = 1, def.seed = 9;
    def.outputs = wanted, def.output_count = 2;
    br_sweep *a = plan(s, NULL, NULL), *b = plan(plain, &def, NULL);
    assert_string_equal(br_sweep_get_text(a), br_sweep_get_text(b));
    br_sweep_destroy(a);
    br_sweep_destroy(b);
    br_scenario_destroy(s);
    br_scenario_destroy(plain);
}

// --- indices --------------------------------------------------------------------------------------

// Ishigami's function with a = 7, b = 0.1; inputs uniform in (-pi, pi).
static double ishigami(const double* x)
{
    return sin(x[0]) + 7 * sin(x[1]) * sin(x[1]) + 0.1 * pow(x[2], 4) * sin(x[0]);
}

/* Oracle: closed form. V = a^2/8 + b pi^4/5 + b^2 pi^8/18 + 1/2; S_1 = (1 + b pi^4/5)^2/(2 V), S_2 = a^2/(8 V), S_3 = 0;
 * T_1 = S_1 + S_13, T_2 = S_2, T_3 = S_13 = 8 b^2 pi^8/(225 V). The intervals hold 95 % of 100 seeds, six indices each:
 * at least 90 % do (they are not independent). Sobol' points are to be within 0.01 at 4096 samples. */
static void indices_of_ishigami_are_as_they_should_be(void** state)
{
    (void)state;
    const double pi = acos(-1), b = 0.1,
                 v = 49.0 / 8 + b * pow(pi, 4) / 5 + b * b * pow(pi, 8) / 18 + 0.5;
    const double s13 = 8 * b * b * pow(pi, 8) / 225 / v;
    const double s1 = pow(1 + b * pow(pi, 4) / 5, 2) / 2 / v, s2 = 49.0 / 8 / v;
    const double first[] = {s1, s2, 0}, total[] = {s1 + s13, s2, s13};
    br_scenario* s = read_text(text);
    const br_sweep_key keys[] = {
        {BR_SWEEP_DRAW, "a", "uniform:-3.141592653589793:3.141592653589793", NULL, 0},
        {BR_SWEEP_DRAW, "b", "uniform:-3.141592653589793:3.141592653589793", NULL, 0},
        {BR_SWEEP_DRAW, "c", "uniform:-3.141592653589793:3.141592653589793", NULL, 0}};
    int inside = 0, all = 0;
    for (uint64_t seed = 0; seed <= 100; seed++) {
        br_sweep_def def = br_sweep_def_default();
        def.keys = keys, def.key_count = 3;
        def.indices = 1;
        def.has_seed = 1, def.seed = seed;
        const int is_sobol = seed == 100;
        def.samples = is_sobol ? 4096 : 500;
        def.sampling = is_sobol ? BR_SWEEP_SOBOL : BR_SWEEP_RANDOM;
        br_sweep* sweep = plan(s, &def, NULL);
        br_sobol_sums sums[3] = {{0}};
        for (size_t i = 0; i < def.samples; i++) {
            double f[5], x[3];
            for (size_t k = 0; k < 5; k++) {
                br_sweep_eval_inputs(sweep, 5 * i + k, x);
                f[k] = ishigami(x);
            }
            br_sobol_add(sums, 3, f, 3.5); // its mean is a/2
        }
        for (int k = 0; k < 3; k++) {
            const br_sobol_index got = br_sobol_eval(&sums[k]);
            if (is_sobol) {
                assert_true(fabs(got.first - first[k]) < 0.01 && fabs(got.total - total[k]) < 0.01);
                continue;
            }
            inside += got.first_low <= first[k] && first[k] <= got.first_high;
            inside += got.total_low <= total[k] && total[k] <= got.total_high;
            all += 2;
        }
        br_sweep_destroy(sweep);
    }
    assert_true(inside >= 0.90 * all && inside <= 0.99 * all);
    br_scenario_destroy(s);
}

// --- formulas --------------------------------------------------------------------------------------

/* Oracle: C. The examples of formula.h are read, and have the value that they have in C. */
static void examples_of_formulas_are_read(void** state)
{
    (void)state;
    static const char* const keys[] = {"a", "b", NULL};
    const double inputs[] = {0.7, -1.3};
    parse_context in = {0};
    const formula* f = bri_formula_read(&in, "want", "sin(a) + 7 * sin(b)^2", keys);
    const char* missing = NULL;
    assert_non_null(f);
    const double expected = sin(0.7) + 7.0 * pow(sin(-1.3), 2.0);
    assert_true(bri_formula_eval(f, NULL, inputs, &missing) == expected);
    size_t count;
    f = bri_formula_read(&in, "want", "1e3 * contacts[0].slipped", keys);
    assert_non_null(f);
    bri_formula_outputs(f, &count);
    assert_int_equal(count, 1);
    assert_non_null(bri_formula_read(&in, "want", "max.fn > 3", keys));

    // there is no product without *
    assert_null(bri_formula_read(&in, "want", "sin(a) + 7 sin(b)^2", keys));
    assert_int_equal(in.error_count, 1);
    bri_pool_clear(&in.memory);
}

// --- checks ----------------------------------------------------------------------------------------

/* Oracle: sweep.h. The first case that can be read among the first, the middle and the last one is checked; if none can
   be read the sweep is refused. */
static void a_check_needs_one_case_that_can_be_read(void** state)
{
    (void)state;
    static const char* const specs[] = {"[-1, -2, 0.3]", "[-1, 0.3, -2]", "[-1, -2, -3]"};
    br_scenario* s = read_text(text);
    for (int i = 0; i < 3; i++) {
        const br_sweep_key key = {BR_SWEEP_VARY, "friction.mu", specs[i], NULL, 0};
        br_sweep_def def = br_sweep_def_default();
        def.keys = &key, def.key_count = 1;
        def.outputs = (const char* const[]){"final.theta"}, def.output_count = 1;
        br_sweep* sweep = plan(s, &def, NULL);
        br_reason why = {"", ""};
        assert_int_equal(br_sweep_check(sweep, &why), i < 2 ? BR_OK : BR_ERR_DEF);
        assert_true(i < 2 || strstr(why.text, "-3"));
        br_sweep_destroy(sweep);
    }
    br_scenario_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_gives_the_known_answers),
        cmocka_unit_test(permutations_have_every_number_once),
        cmocka_unit_test(normal_quantiles_invert_the_distribution),
        cmocka_unit_test(sobol_points_are_those_of_joe_and_kuo),
        cmocka_unit_test(scrambled_points_stay_uniform),
        cmocka_unit_test(grids_have_their_values_in_order),
        cmocka_unit_test(keys_go_together),
        cmocka_unit_test(draws_have_the_moments_of_their_distributions),
        cmocka_unit_test(latin_samples_have_one_in_each_stratum),
        cmocka_unit_test(errors_are_reported),
        cmocka_unit_test(cases_are_what_single_runs_are),
        cmocka_unit_test(outputs_that_are_not_there_are_reported),
        cmocka_unit_test(a_sweep_stops_when_it_is_asked_to),
        cmocka_unit_test(a_file_may_hold_its_sweep),
        cmocka_unit_test(indices_of_ishigami_are_as_they_should_be),
        cmocka_unit_test(examples_of_formulas_are_read),
        cmocka_unit_test(a_check_needs_one_case_that_can_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
