/*
 * Fits of pressures: non-negative least squares, friction of candidate supports, pressure from pairs.
 */
#include "check.h"

#include <string.h>
#include <time.h>

#include "bristle/fit_pressure.h"
#include "bristle/fit_pushes.h"
#include "bristle/limit.h"
#include "fit/footprint.h"
#include "fit/push_track.h"
#include "fit/supports.h"
#include "math/nnls.h"

// --- non-negative least squares ------------------------------------------------------------------

enum { MOST = 12, ROWS = 20 };

typedef struct problem {
    size_t n;
    double gram[MOST * MOST], rhs[MOST];
} problem;

static problem random_problem(size_t n, uint64_t* seed)
{
    problem p = {.n = n};
    for (int row = 0; row < ROWS; row++) {
        double a[MOST];
        for (size_t j = 0; j < n; j++) {
            a[j] = uniform(seed, -0.5, 1.0);
        }
        const double b = uniform(seed, -1.0, 1.0);
        for (size_t i = 0; i < n; i++) {
            p.rhs[i] += a[i] * b;
            for (size_t j = 0; j < n; j++) {
                p.gram[i * n + j] += a[i] * a[j];
            }
        }
    }
    return p;
}

static double slope(const problem* p, const double* x, size_t i)
{
    double w = p->rhs[i];
    for (size_t j = 0; j < p->n; j++) {
        w -= p->gram[i * p->n + j] * x[j];
    }
    return w;
}

/* Oracle: the conditions of Karush, Kuhn and Tucker, which in a convex problem only the solution meets. */
static void nnls_meets_the_conditions_of_a_solution(void** state)
{
    (void)state;
    uint64_t seed = 7;
    double memory[MOST * (MOST + 4)];
    assert_int_equal(bri_nnls_size(MOST), sizeof memory / sizeof *memory);
    nnls work = bri_nnls_over(memory, MOST);
    size_t zeros = 0;
    for (int trial = 0; trial < 300; trial++) {
        const problem p = random_problem(1 + (size_t)trial % MOST, &seed);
        double x[MOST];
        for (size_t i = 0; i < p.n; i++) {
            x[i] = trial % 2 ? uniform(&seed, -1.0, 1.0) : 0.0; // any start
        }
        assert_true(bri_nnls_solve(&work, p.n, p.gram, p.rhs, x) < 10 * p.n);
        for (size_t i = 0; i < p.n; i++) {
            const double w = slope(&p, x, i);
            assert_true(x[i] >= 0.0);
            zeros += !(x[i] > 0.0);
            // rounding of sums of 20 products of the order of 1, times a condition number of some 1e3
            assert_true(w <= 1e-10);
            assert_near(x[i] > 0.0 ? w : 0.0, 0.0, 1e-10);
        }
    }
    assert_true(zeros > 300); // bounds do bind
}

/* Oracle: closed form. Two equal columns share what one would have; a column of zeros has no weight. */
static void nnls_takes_columns_that_depend_on_others(void** state)
{
    (void)state;
    const double gram[9] = {2.0, 2.0, 0.0, 2.0, 2.0, 0.0, 0.0, 0.0, 0.0}, rhs[3] = {3.0, 3.0, 0.0};
    double x[3] = {0.0, 0.0, 0.0};
    double memory[3 * (3 + 4)];
    nnls work = bri_nnls_over(memory, 3);
    bri_nnls_solve(&work, 3, gram, rhs, x);
    assert_near(x[0] + x[1], 1.5, 1e-15);
    assert_near(x[2], 0.0, 0.0);
}

// --- friction of candidates -----------------------------------------------------------------------

static br_patch* make_patch(br_patch_def def)
{
    br_patch* patch;
    assert_status(br_patch_create(&def, &patch, NULL), BR_OK);
    return patch;
}

static br_patch* make_rectangle(double x, double y)
{
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_RECTANGLE;
    def.size_x = x;
    def.size_y = y;
    return make_patch(def);
}

static br_patch* make_points(const br_support_point* points, size_t count)
{
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_POINTS;
    def.points = points;
    def.count = count;
    return make_patch(def);
}

/* Oracle: central differences of D and of its gradient. */
static void footprint_derivatives_are_those_of_differences(void** state)
{
    (void)state;
    br_patch* patch = make_rectangle(0.1, 0.06);
    footprint f;
    assert_status(bri_footprint_of_outline(patch, 5, &f, NULL), BR_OK);
    const double v[3] = {0.3, -0.2, 0.5}, step = 1e-5;
    const footprint_value at = bri_footprint_eval(&f, f.prior, v);
    static const int place[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    for (int i = 0; i < 3; i++) {
        double up[3], down[3];
        memcpy(up, v, sizeof up);
        memcpy(down, v, sizeof down);
        up[i] += step;
        down[i] -= step;
        const footprint_value a = bri_footprint_eval(&f, f.prior, up),
                              b = bri_footprint_eval(&f, f.prior, down);
        // the differences' error: step^2 times third derivatives of the order of 10
        assert_near((a.D - b.D) / (2.0 * step), at.slope[i], 1e-8);
        for (int k = 0; k < 3; k++) {
            assert_near((a.slope[k] - b.slope[k]) / (2.0 * step), at.bend[place[i][k]], 1e-7);
        }
    }
    bri_footprint_destroy(&f);
    br_patch_destroy(patch);
}

/* Oracle: the exact limit surface of the same points; without a width (h -> 0) both are one. */
static void footprint_slides_as_the_exact_surface_does(void** state)
{
    (void)state;
    const br_support_point feet[4] = {
        {0.05, 0.03, 1}, {-0.05, 0.03, 2}, {-0.04, -0.03, 1}, {0.05, -0.03, 1.5}};
    br_patch* patch = make_points(feet, 4);
    br_limit_def def = br_limit_def_default();
    def.patch = patch;
    br_limit* surface;
    assert_status(br_limit_create(&def, &surface, NULL), BR_OK);
    footprint f;
    assert_status(bri_footprint_of_supports(patch, 0.0, &f, NULL), BR_OK);
    f.h = 1e-4;
    const br_vec2 c = br_limit_get_patch_value(surface).cop;
    uint64_t seed = 3;
    for (int trial = 0; trial < 50; trial++) {
        const double load[3] = {uniform(&seed, -1, 1), uniform(&seed, -1, 1),
                                uniform(&seed, -1, 1)};
        double v[3] = {0.0, 0.0, 0.0};
        assert_true(bri_footprint_slide(&f, f.prior, load, v));
        const double gauge = bri_footprint_eval(&f, f.prior, v).D;
        const br_wrench exact = {load[0], load[1],
                                 load[2] * f.unit - br_vec2_cross(c, (br_vec2){load[0], load[1]})};
        // the width adds at most h to the distance that a support slides, for a twist of size 1
        assert_near(br_limit_gauge(surface, exact, NULL) / gauge, 1.0, 2e-4);
    }
    bri_footprint_destroy(&f);
    br_limit_destroy(surface);
    br_patch_destroy(patch);
}

// --- pressure from pairs -----------------------------------------------------------------------------

enum { PAIRS = 120 };

// Pairs of a pressure, with noise of the wrench in shares of it.
static void make_pairs(const br_patch* truth, double mu_fn, double noise, uint64_t seed,
                       br_fit_pair pairs[PAIRS])
{
    br_limit_def def = br_limit_def_default();
    def.patch = truth;
    br_limit* surface;
    assert_status(br_limit_create(&def, &surface, NULL), BR_OK);
    const br_patch_value at = br_limit_get_patch_value(surface);
    for (int i = 0; i < PAIRS; i++) {
        const br_twist v = {uniform(&seed, -1, 1), uniform(&seed, -1, 1),
                            uniform(&seed, -1, 1) / at.r};
        const br_wrench w = br_limit_eval(surface, v).wrench;
        const double fx = -mu_fn * w.fx + mu_fn * uniform(&seed, -noise, noise);
        const double fy = -mu_fn * w.fy + mu_fn * uniform(&seed, -noise, noise);
        const double tau = -mu_fn * w.tau + mu_fn * at.r * uniform(&seed, -noise, noise);
        // at the frame's origin
        pairs[i].f = (br_wrench){fx, fy, tau + br_vec2_cross(at.cop, (br_vec2){fx, fy})};
        pairs[i].v = (br_twist){v.vx + v.w * at.cop.y, v.vy - v.w * at.cop.x, v.w};
    }
    br_limit_destroy(surface);
}

static br_fit_pressure* fit(br_fit_pressure_def def, const br_fit_pair* pairs)
{
    br_fit_pressure* found;
    br_reason why = {"", ""};
    if (br_fit_pressure_create(&def, pairs, PAIRS, &found, &why) != BR_OK) {
        fail_msg("%s %s", why.field, why.text);
    }
    return found;
}

/* Oracle: the pressure that made the pairs, off the middle of its outline. */
static void pressure_is_found_from_pairs(void** state)
{
    (void)state;
    const br_support_point feet[3] = {{0.04, 0.02, 0.5}, {-0.03, 0.025, 0.3}, {0.0, -0.028, 0.2}};
    br_patch *truth = make_points(feet, 3), *outline = make_rectangle(0.1, 0.06);
    const br_patch_value at = br_patch_eval(truth, 1.0);
    br_fit_pair pairs[PAIRS];
    make_pairs(truth, 4.0, 0.02, 5, pairs);
    br_fit_pressure_def def = br_fit_pressure_def_default();
    def.outline = outline;
    br_fit_pressure* found = fit(def, pairs);
    assert_int_equal(found->choice, BR_FIT_CHOICE_GRID);
    // cells are 9 mm wide; noise of 2 % leaves far less than that of the means
    assert_near(found->cop[0].value, at.cop.x, 1.5e-3);
    assert_near(found->cop[1].value, at.cop.y, 1.5e-3);
    assert_near(found->r.value, at.r, 1.5e-3);
    assert_near(found->mu_fn.value, 4.0, 0.05);
    assert_true(found->validation_angle_error < 0.1);
    assert_true(found->validation_angle_error < 0.3 * found->tried[BR_FIT_CHOICE_UNIFORM]);
    double sum = 0.0;
    for (size_t i = 0; i < found->count; i++) {
        assert_true(found->points[i].weight > 0.0 && found->errors[i] >= 0.0);
        sum += found->points[i].weight;
    }
    assert_near(sum, 1.0, 1e-4 /* those that carry nothing are left out */);
    br_fit_pressure_destroy(found);
    br_patch_destroy(outline);
    br_patch_destroy(truth);
}

/* Oracle: the truth. Known supports that are right beat the grid; wrong ones are left for the grid. */
static void known_supports_are_chosen_where_they_are_right(void** state)
{
    (void)state;
    const br_support_point feet[3] = {{0.04, 0.02, 0.5}, {-0.03, 0.025, 0.3}, {0.0, -0.028, 0.2}};
    const br_support_point wrong[3] = {{-0.04, -0.02, 0.5}, {0.03, -0.025, 0.3}, {0.0, 0.028, 0.2}};
    br_patch *truth = make_points(feet, 3), *outline = make_rectangle(0.1, 0.06);
    br_patch* misled = make_points(wrong, 3);
    br_fit_pair pairs[PAIRS];
    make_pairs(truth, 4.0, 0.02, 6, pairs);
    br_fit_pressure_def def = br_fit_pressure_def_default();
    def.outline = outline;
    def.supports = truth;
    br_fit_pressure* found = fit(def, pairs);
    assert_int_equal(found->choice, BR_FIT_CHOICE_SUPPORTS);
    assert_int_equal(found->count, 3);
    br_fit_pressure_destroy(found);
    def.supports = misled;
    found = fit(def, pairs);
    assert_int_equal(found->choice, BR_FIT_CHOICE_GRID);
    br_fit_pressure_destroy(found);
    br_patch_destroy(misled);
    br_patch_destroy(outline);
    br_patch_destroy(truth);
}

/* Oracle: the family that made the pairs predicts them better than the others. */
static void families_are_found(void** state)
{
    (void)state;
    const br_fit_choice made[] = {BR_FIT_CHOICE_UNIFORM, BR_FIT_CHOICE_LINEAR, BR_FIT_CHOICE_RING,
                                  BR_FIT_CHOICE_HERTZ};
    br_patch_def disc = br_patch_def_default();
    disc.radius = br_by_force_constant(0.05);
    br_patch* outline = make_patch(disc);
    for (int k = 0; k < 4; k++) {
        br_patch_def def = disc;
        def.shape = made[k] == BR_FIT_CHOICE_RING ? BR_SHAPE_RING : BR_SHAPE_DISC;
        def.pressure = made[k] == BR_FIT_CHOICE_HERTZ    ? BR_PRESSURE_POWER
                       : made[k] == BR_FIT_CHOICE_LINEAR ? BR_PRESSURE_LINEAR
                                                         : BR_PRESSURE_UNIFORM;
        def.k = br_by_force_constant(2.0);
        def.from = 0.2;
        def.to = 1.0;
        br_patch* truth = make_patch(def);
        br_fit_pair pairs[PAIRS];
        make_pairs(truth, 2.0, 0.05, 11, pairs);
        br_fit_pressure_def fitted = br_fit_pressure_def_default();
        fitted.outline = outline;
        fitted.choices = 1u << BR_FIT_CHOICE_UNIFORM | 1u << BR_FIT_CHOICE_LINEAR |
                         1u << BR_FIT_CHOICE_RING | 1u << BR_FIT_CHOICE_HERTZ;
        br_fit_pressure* found = fit(fitted, pairs);
        assert_near(found->tried[made[k]], found->tried[found->choice],
                    0.01 /* rad: others contain it */);
        assert_near(found->r.value, br_patch_eval(truth, 1.0).r, 2e-3);
        br_fit_pressure_destroy(found);
        br_patch_destroy(truth);
    }
    br_patch_destroy(outline);
}

/* Oracle: the same data once. Rows that are repeated change nothing, and too few different ones are refused. */
static void repeated_pairs_add_no_information(void** state)
{
    (void)state;
    br_patch* outline = make_rectangle(0.1, 0.06);
    br_fit_pressure_def def = br_fit_pressure_def_default();
    def.outline = outline;
    br_fit_pair pairs[2 * PAIRS];
    make_pairs(outline, 4.0, 0.1, 5, pairs);
    memcpy(pairs + PAIRS, pairs, PAIRS * sizeof *pairs);
    br_fit_pressure *once = fit(def, pairs), *twice;
    br_reason why;
    assert_status(br_fit_pressure_create(&def, pairs, 2 * PAIRS, &twice, &why), BR_OK);
    assert_int_equal(twice->repeated, PAIRS);
    assert_int_equal(twice->pairs, PAIRS);
    assert_true(twice->r.error == once->r.error && twice->r.value == once->r.value);
    br_fit_pressure_destroy(once);
    br_fit_pressure_destroy(twice);
    for (int i = 7; i < PAIRS; i++) {
        pairs[i] = pairs[0];
    }
    assert_status(br_fit_pressure_create(&def, pairs, PAIRS, &twice, &why), BR_ERR_ARG);
    assert_non_null(strstr(why.text, "7 different ones are too few"));
    br_patch_destroy(outline);
}

/* Oracle: pushes that never turn the body. They do not identify r, which is reported. */
static void what_is_not_identifiable_is_reported(void** state)
{
    (void)state;
    br_patch* outline = make_rectangle(0.1, 0.06);
    br_fit_pressure_def def = br_fit_pressure_def_default();
    def.outline = outline;
    br_fit_pair pairs[PAIRS];
    make_pairs(outline, 4.0, 0.05, 5, pairs);
    for (int i = 0; i < PAIRS; i++) {
        pairs[i].f.fx = pairs[i].v.vx + 0.1 * pairs[i].f.fx;
        pairs[i].f.fy = pairs[i].v.vy + 0.1 * pairs[i].f.fy;
        pairs[i].f.tau = pairs[i].v.w = 0.0;
    }
    br_fit_pressure* found = fit(def, pairs);
    assert_false(found->r.is_identifiable);
    assert_true(isinf(found->r.high) && strlen(found->r.words) > 0);
    assert_true(found->mu_fn.is_identifiable);
    br_fit_pressure_destroy(found);
    br_patch_destroy(outline);
}

// Stops after some processor time, and measures the longest time between two questions [s].
typedef struct stopper {
    double limit, start, last, longest;
    size_t asked_again; // after the answer was yes
    int is_stopped;
} stopper;

static double processor_time(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static bool stops_at_limit(void* user)
{
    stopper* s = user;
    const double now = processor_time();
    s->longest = fmax(s->longest, now - s->last);
    s->last = now;
    s->asked_again += s->is_stopped != 0;
    s->is_stopped |= now - s->start >= s->limit;
    return s->is_stopped;
}

/* Oracle: the contract of br_fit_watch. The finest grid takes many seconds; a stop ends it at any time, and what was not
   computed is not given as a number. */
static void fits_of_fine_grids_stop_at_once(void** state)
{
    (void)state;
    br_patch* outline = make_rectangle(0.1, 0.1);
    br_fit_pair pairs[PAIRS];
    make_pairs(outline, 4.0, 0.02, 5, pairs);
    static const double limits[] = {0.0, 0.1, 1.0}; // of many seconds, before and within the grid
    for (int k = 0; k < 6; k++) {
        br_fit_pressure* found;
        stopper s = {.limit = limits[k % 3], .start = processor_time(), .last = processor_time()};
        br_fit_pressure_def def = br_fit_pressure_def_default();
        def.outline = outline;
        def.resolution = 40;
        def.choices = k < 3 ? 0 : 1u << BR_FIT_CHOICE_GRID;
        def.watch = (br_fit_watch){NULL, stops_at_limit, &s};
        assert_status(br_fit_pressure_create(&def, pairs, PAIRS, &found, NULL), BR_ERR_STOPPED);
        // 0.05 s on a free processor; the sanitizers, and a memory bus that others use, take several times as long
        assert_true(s.longest < 1.0 && processor_time() - s.last < 1.0);
        assert_int_equal(s.asked_again, 0);
        double sum = 0.0;
        for (size_t i = 0; i < found->count; i++) {
            sum += found->points[i].weight;
            assert_true(isinf(found->errors[i]));
        }
        assert_near(sum, 1.0, 1e-3 /* shares of 1e-6 of the force are left out */);
        assert_true(isfinite(found->mu_fn.value) && isinf(found->mu_fn.error));
        assert_true(isfinite(found->r.value) && isinf(found->r.error) && *found->r.words);
        assert_true(isnan(found->angle_error) && isnan(found->validation_angle_error));
        br_fit_pressure_destroy(found);
    }
    br_patch_destroy(outline);
}

/* Oracle: what the header documents as refused. */
static void bad_pairs_are_reported(void** state)
{
    (void)state;
    br_patch* outline = make_rectangle(0.1, 0.06);
    br_fit_pressure_def def = br_fit_pressure_def_default();
    def.outline = outline;
    br_fit_pair pairs[PAIRS];
    make_pairs(outline, 4.0, 0.02, 5, pairs);
    br_fit_pressure* found;
    br_reason why;
    assert_status(br_fit_pressure_create(&def, pairs, 7, &found, &why), BR_ERR_ARG);
    assert_null(found);
    pairs[3].v = (br_twist){0.0, 0.0, 0.0};
    assert_status(br_fit_pressure_create(&def, pairs, PAIRS, &found, &why), BR_ERR_ARG);
    assert_string_equal(why.field, "pairs[3]");
    pairs[3].v.vx = (double)NAN;
    assert_status(br_fit_pressure_create(&def, pairs, PAIRS, &found, &why), BR_ERR_ARG);
    for (int i = 0; i < PAIRS; i++) {
        pairs[i].v = (br_twist){-pairs[i].f.fx, -pairs[i].f.fy,
                                0.0}; // the wrench of friction, not of the pusher
    }
    assert_status(br_fit_pressure_create(&def, pairs, PAIRS, &found, &why), BR_ERR_ARG);
    def.resolution = 1;
    assert_status(br_fit_pressure_create(&def, pairs, PAIRS, &found, &why), BR_ERR_DEF);
    make_pairs(outline, 4.0, 0.02, 5, pairs);
    br_patch_destroy(outline);
    outline = make_points(&(br_support_point){0.01, 0.0, 1.0}, 1);
    def = br_fit_pressure_def_default();
    def.outline = outline;
    assert_status(br_fit_pressure_create(&def, pairs, PAIRS, &found, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "outline");
    br_patch_destroy(outline);
}

/* Oracle: the contract of all _create functions. A definition that did not start from its default is refused, and so
   is one without an outline. */
static void definitions_without_size_are_refused(void** state)
{
    (void)state;
    br_patch* outline = make_rectangle(0.1, 0.06);
    br_fit_pair pairs[PAIRS] = {0};
    br_fit_push pushes[1] = {0};
    br_fit_pressure* pressure;
    br_fit_pushes* pushed;
    br_reason why;
    br_fit_pressure_def def = br_fit_pressure_def_default();
    assert_status(br_fit_pressure_create(&def, pairs, PAIRS, &pressure, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "outline");
    def.outline = outline;
    def.size = 0;
    assert_status(br_fit_pressure_create(&def, pairs, PAIRS, &pressure, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "size");
    assert_null(pressure);

    br_fit_pushes_def push_def = br_fit_pushes_def_default();
    assert_status(br_fit_pushes_create(&push_def, pushes, 1, &pushed, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "outline");
    push_def.outline = outline;
    push_def.size = 0;
    assert_status(br_fit_pushes_create(&push_def, pushes, 1, &pushed, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "size");
    assert_null(pushed);
    br_patch_destroy(outline);
}

/* Oracle: the truth. 95 % intervals of CoP, r and mu fn hold it in most of 40 data sets. */
static void intervals_hold_the_truth(void** state)
{
    (void)state;
    br_patch* truth = make_rectangle(0.1, 0.06);
    const br_patch_value at = br_patch_eval(truth, 1.0);
    br_fit_pressure_def def = br_fit_pressure_def_default();
    def.outline = truth;
    def.resolution = 6;
    def.choices = 1u << BR_FIT_CHOICE_GRID;
    int held = 0;
    for (uint64_t seed = 100; seed < 140; seed++) {
        br_fit_pair pairs[PAIRS];
        make_pairs(truth, 4.0, 0.2, seed, pairs);
        br_fit_pressure* found = fit(def, pairs);
        held += found->cop[0].low <= at.cop.x && at.cop.x <= found->cop[0].high;
        held += found->cop[1].low <= at.cop.y && at.cop.y <= found->cop[1].high;
        held += found->r.low <= at.r && at.r <= found->r.high;
        br_fit_pressure_destroy(found);
    }
    // 120 intervals: 114 expected, 106 are 3.4 standard deviations below
    print_message("%d of 120 intervals hold the truth\n", held);
    assert_true(held >= 100);
    br_patch_destroy(truth);
}

// --- pushes ------------------------------------------------------------------------------------------

enum { PUSHES = 24 };

// Pushes from all sides of a rectangle, ends by the exact surface.
static void make_pushes(const br_patch* outline, const br_patch* truth, double mu,
                        br_fit_push pushes[PUSHES])
{
    br_fit_pushes_def def = br_fit_pushes_def_default();
    def.outline = outline;
    def.tip_radius = 0.005;
    def.mu_tip = mu;
    uint64_t seed = 21;
    for (int i = 0; i < PUSHES; i++) {
        const double side = 2.0 * BR_PI * i / PUSHES, turn = uniform(&seed, -0.6, 0.6);
        const br_vec2 from = {0.08 * cos(side), 0.08 * sin(side)};
        const double angle = side + BR_PI + turn;
        pushes[i] =
            (br_fit_push){.start = {uniform(&seed, -2e-3, 2e-3), uniform(&seed, -2e-3, 2e-3), 0.1},
                          .from = from,
                          .to = {from.x + 0.06 * cos(angle), from.y + 0.06 * sin(angle)}};
    }
    br_pose ends[PUSHES];
    assert_status(br_fit_pushes_predict(&def, truth, pushes, PUSHES, ends, NULL), BR_OK);
    for (int i = 0; i < PUSHES; i++) {
        pushes[i].end = ends[i];
    }
}

/* Oracle: central differences of the end by each weight, by mu, by the tip's offset and radius. */
static void push_derivatives_are_those_of_differences(void** state)
{
    (void)state;
    br_patch* patch = make_rectangle(0.1, 0.06);
    footprint f;
    br_outline* outline;
    assert_status(bri_footprint_of_outline(patch, 4, &f, NULL), BR_OK);
    assert_status(br_outline_create(patch, 1.0, 0, &outline, NULL), BR_OK);
    br_fit_push pushes[PUSHES];
    make_pushes(patch, patch, 0.25, pushes);
    const size_t P = f.count + 4;
    double* work = br_allocate(bri_push_get_work(P) + 4 * P, sizeof *work);
    double *slope = work + bri_push_get_work(P), *weights = slope + 3 * P;
    for (size_t j = 0; j < f.count; j++) {
        weights[j] = (1.0 + 0.3 * (double)(j % 3)) / (double)f.count;
    }
    push_track track = {.feet = &f,
                        .outline = outline,
                        .radius = 0.005 / f.unit,
                        .weights = weights,
                        .mu = 0.25,
                        .offset = {1e-3 / f.unit, -5e-4 / f.unit},
                        .has_offset = 1,
                        .has_radius = 1,
                        .work = work};
    assert_int_equal(bri_push_parameters(&track), P);
    double* const tip[4] = {&track.mu, &track.offset[0], &track.offset[1], &track.radius};
    size_t compared = 0;
    for (int i = 0; i < PUSHES; i++) {
        double end[3], up[3], down[3];
        if (!(bri_push_end(&track, &pushes[i], end, slope) > 0.0)) {
            continue;
        }
        for (size_t p = 0; p < P; p++) {
            double* at = p < f.count ? &weights[p] : tip[p - f.count];
            const double was = *at, step = 1e-6;
            *at = was + step;
            bri_push_end(&track, &pushes[i], up, NULL);
            *at = was - step;
            bri_push_end(&track, &pushes[i], down, NULL);
            *at = was;
            for (int k = 0; k < 3; k++) {
                const double forward = (up[k] - end[k]) / step, back = (end[k] - down[k]) / step;
                // where a sub-step changes from stick to slide or comes to a corner there is a kink, and no derivative
                if (fabs(forward - back) < 1e-3) {
                    // the differences' own error: rounding 1e-12 of the solvers over the step, and its curvature
                    assert_near(slope[(size_t)k * P + p], (up[k] - down[k]) / (2.0 * step), 2e-3);
                    compared++;
                }
            }
        }
    }
    assert_true(compared > PUSHES * P); // of 3 PUSHES P: most of them
    br_release(work);
    br_outline_destroy(outline);
    bri_footprint_destroy(&f);
    br_patch_destroy(patch);
}

/* Oracle: the exact push (pushing.h) of the same points; sub-steps and the candidates' width are the difference. */
static void push_ends_where_the_exact_one_does(void** state)
{
    (void)state;
    br_patch* patch = make_rectangle(0.1, 0.06);
    footprint f;
    br_outline* outline;
    assert_status(bri_footprint_of_outline(patch, 21, &f, NULL), BR_OK);
    assert_status(br_outline_create(patch, 1.0, 0, &outline, NULL), BR_OK);
    br_fit_push pushes[PUSHES];
    make_pushes(patch, patch, 0.25, pushes);
    double* work = br_allocate(bri_push_get_work(f.count + 1), sizeof *work);
    const push_track track = {.feet = &f,
                              .outline = outline,
                              .radius = 0.005 / f.unit,
                              .weights = f.prior,
                              .mu = 0.25,
                              .work = work,
                              .steps_per_size = 300};
    for (int i = 0; i < PUSHES; i++) {
        double end[3];
        bri_push_end(&track, &pushes[i], end, NULL);
        // cells of a 21st of the size replace the uniform pressure: 0.5 % of the distance, 0.01 rad
        assert_near(f.unit * end[0], pushes[i].end.x, 3e-4);
        assert_near(f.unit * end[1], pushes[i].end.y, 3e-4);
        assert_near(end[2], pushes[i].end.theta, 0.01);
    }
    br_release(work);
    br_outline_destroy(outline);
    bri_footprint_destroy(&f);
    br_patch_destroy(patch);
}

/* Oracle: of means, the jackknife's error is the classical one, s/sqrt(n). */
static void jackknife_of_means_is_the_classical_error(void** state)
{
    (void)state;
    const double x[5] = {1.0, 4.0, 2.0, 7.0, 3.5}, mean = 3.5;
    double without[5][2], square = 0.0;
    for (int i = 0; i < 5; i++) {
        without[i][0] = 0.0;
        without[i][1] = (5.0 * mean - x[i]) / 4.0;
        square += (x[i] - mean) * (x[i] - mean);
    }
    const jackknife cut = {without[0], 2, 5};
    assert_near(bri_jackknife_error(&cut, 1), sqrt(square / 4.0 / 5.0), 1e-14);
    const br_fit_estimate e = bri_jackknife_estimate("x", "m", mean, 1.0, &cut, 1);
    // Student's quantile with 4 degrees of freedom, 2.7764, to the 1 % of bri_student_quantile()
    assert_near((e.high - e.value) / e.error, 2.7764, 0.028);
    assert_near(bri_jackknife_error(&cut, 0), 0.0, 0.0);
}

/* Oracle: the data. Bodies that never move, pushes that are all one, and paths in mm are refused. */
static void bad_pushes_are_reported(void** state)
{
    (void)state;
    br_patch* outline = make_rectangle(0.1, 0.06);
    br_fit_push pushes[PUSHES];
    make_pushes(outline, outline, 0.2, pushes);
    br_fit_pushes_def def = br_fit_pushes_def_default();
    def.outline = outline;
    def.tip_radius = 0.005;
    br_fit_pushes* found;
    br_reason why;
    const br_vec2 to = pushes[2].to;
    pushes[2].to = br_vec2_scale(1000.0, to);
    assert_status(br_fit_pushes_create(&def, pushes, PUSHES, &found, &why), BR_ERR_ARG);
    assert_non_null(strstr(why.text, "are lengths in m?"));
    assert_null(found);
    pushes[2].to = to;
    for (int i = 3; i < PUSHES; i++) {
        pushes[i] = pushes[0];
    }
    assert_status(br_fit_pushes_create(&def, pushes, PUSHES, &found, &why), BR_ERR_ARG);
    assert_non_null(strstr(why.text, "3 different pushes are too few"));
    for (int i = 0; i < PUSHES; i++) {
        pushes[i].end = pushes[i].start;
    }
    assert_status(br_fit_pushes_create(&def, pushes, PUSHES, &found, &why), BR_ERR_ARG);
    assert_non_null(strstr(why.text, "no motion"));
    br_patch_destroy(outline);
}

/* Oracle: the pressure and the friction that made the pushes. */
static void pressure_and_tip_are_found_from_pushes(void** state)
{
    (void)state;
    const br_support_point feet[4] = {
        {0.035, 0.02, 0.35}, {-0.035, 0.02, 0.25}, {-0.035, -0.02, 0.15}, {0.035, -0.02, 0.25}};
    br_patch *truth = make_points(feet, 4), *outline = make_rectangle(0.1, 0.06);
    const br_patch_value at = br_patch_eval(truth, 1.0);
    br_fit_push pushes[PUSHES];
    make_pushes(outline, truth, 0.15, pushes);
    br_fit_pushes_def def = br_fit_pushes_def_default();
    def.outline = outline;
    def.tip_radius = 0.005;
    def.resolution = 5;
    br_fit_pushes* found;
    assert_status(br_fit_pushes_create(&def, pushes, PUSHES, &found, NULL), BR_OK);
    print_message("mu_tip %.4f, cop %.5f %.5f (%.5f %.5f), r %.5f (%.5f), errors %.3g m %.3g rad\n",
                  found->mu_tip.value, found->cop[0].value, found->cop[1].value, at.cop.x, at.cop.y,
                  found->r.value, at.r, found->position_error, found->angle_error);
    assert_near(found->mu_tip.value, 0.15, 0.02);
    assert_near(found->cop[0].value, at.cop.x, 2e-3); // a tenth of a cell
    assert_near(found->cop[1].value, at.cop.y, 2e-3);
    assert_near(found->r.value, at.r, 3e-3);
    assert_true(found->position_error < 5e-4 && found->angle_error < 0.01);
    double sum = 0.0, largest = 0.0;
    for (size_t i = 0; i < found->count; i++) {
        assert_true(found->errors[i] >= 0.0 && isfinite(found->errors[i]));
        sum += found->points[i].weight;
        largest = fmax(largest, found->errors[i]);
    }
    assert_near(sum, 1.0, 1e-4);                 // what is left out: 1e-6 a candidate
    assert_true(largest > 0.0 && largest < 0.5); // one weight is at most 1
    br_fit_pushes_destroy(found);

    // the truth itself, expected: kept, and mu found
    def.patch = truth;
    assert_status(br_fit_pushes_create(&def, pushes, PUSHES, &found, NULL), BR_OK);
    assert_near(found->mu_tip.value, 0.15, 0.01);
    assert_int_equal(found->count, 4);
    br_fit_pushes_destroy(found);
    assert_status(br_fit_pushes_create(&def, pushes, 3, &found, NULL), BR_ERR_ARG);
    br_patch_destroy(outline);
    br_patch_destroy(truth);
}

// Move the tip's positions by an offset, as if its frame were another.
static void displace_tips(br_fit_push* pushes, br_vec2 offset)
{
    for (int i = 0; i < PUSHES; i++) {
        pushes[i].from = br_vec2_add(pushes[i].from, offset);
        pushes[i].to = br_vec2_add(pushes[i].to, offset);
    }
}

// A fit of pushes of a rectangle under uniform pressure.
static br_fit_pushes* fit_rectangle(const br_patch* outline, const br_fit_push* pushes,
                                    double radius, int fits_radius)
{
    br_fit_pushes_def def = br_fit_pushes_def_default();
    def.outline = outline;
    def.tip_radius = radius;
    def.fits_radius = fits_radius;
    def.resolution = 4;
    br_fit_pushes* found;
    assert_status(br_fit_pushes_create(&def, pushes, PUSHES, &found, NULL), BR_OK);
    return found;
}

/* Oracle: the offset that was put in, 2 mm. It is found and used, pushes are predicted with it, and without it the ends
   are off by its size. */
static void offsets_of_the_tip_are_found_and_used(void** state)
{
    (void)state;
    const br_vec2 offset = {1.6e-3, -1.2e-3};
    br_patch* outline = make_rectangle(0.1, 0.06);
    br_fit_push pushes[PUSHES];
    make_pushes(outline, outline, 0.25, pushes);
    displace_tips(pushes, br_vec2_scale(-1.0, offset));
    br_fit_pushes* found = fit_rectangle(outline, pushes, 0.005, 0);
    print_message("offset %.3g %.3g, left out %.3g m, without %.3g m, end gap %.3g m\n",
                  found->tip_offset[0].value, found->tip_offset[1].value,
                  found->offset_position_error, found->plain_position_error, found->end_gap);
    assert_true(found->uses_offset);
    // what the footprint's smooth D and sub-steps differ by from the exact push
    assert_near(found->tip_offset[0].value, offset.x, 4e-5);
    assert_near(found->tip_offset[1].value, offset.y, 4e-5);
    assert_true(found->tip_offset[0].low < offset.x + 1e-4 &&
                found->tip_offset[0].high > offset.x - 1e-4);
    assert_true(found->position_error < 4e-4 && found->end_gap < 2e-4); // coarse cells
    assert_true(found->offset_position_error < 0.3 * found->plain_position_error);
    assert_true(found->plain_position_error > 1e-3);
    assert_int_equal(found->apart, 0);
    br_fit_pushes_destroy(found);

    // known: nothing is estimated, and the result is as good
    br_fit_pushes_def def = br_fit_pushes_def_default();
    def.outline = outline;
    def.tip_radius = 0.005;
    def.resolution = 4;
    def.tip_offset = offset;
    def.keeps_offset = 1;
    assert_status(br_fit_pushes_create(&def, pushes, PUSHES, &found, NULL), BR_OK);
    assert_true(found->tip_offset[0].is_fixed && found->tip_offset[0].value == offset.x);
    assert_true(found->position_error < 4e-4 && isnan(found->plain_position_error));
    br_fit_pushes_destroy(found);
    def.tip_offset.x = NAN;
    assert_status(br_fit_pushes_create(&def, pushes, PUSHES, &found, NULL), BR_ERR_DEF);
    br_patch_destroy(outline);
}

/* Oracle: the radius that pushes were made with, 5 mm, from a guess of 3 mm and an offset. */
static void radius_of_the_tip_is_found(void** state)
{
    (void)state;
    br_patch* outline = make_rectangle(0.1, 0.06);
    br_fit_push pushes[PUSHES];
    make_pushes(outline, outline, 0.25, pushes);
    displace_tips(pushes, (br_vec2){1e-3, 0.0});
    br_fit_pushes* found = fit_rectangle(outline, pushes, 0.003, 1);
    print_message("radius %.4g, offset %.3g %.3g\n", found->tip_radius.value,
                  found->tip_offset[0].value, found->tip_offset[1].value);
    assert_false(found->tip_radius.is_fixed);
    assert_near(found->tip_radius.value, 0.005, 4e-5); // as of the offset
    assert_near(found->tip_offset[0].value, -1e-3, 4e-5);
    br_fit_pushes_destroy(found);
    br_patch_destroy(outline);
}

/* Oracle: none was put in. Ends with noise of 0.3 mm and 0.3 degrees: the offset is 0 within its error, and a fit that
   uses it predicts no worse. */
static void no_offset_is_found_where_there_is_none(void** state)
{
    (void)state;
    br_patch* outline = make_rectangle(0.1, 0.06);
    br_fit_push pushes[PUSHES];
    uint64_t seed = 5;
    for (int set = 0; set < 3; set++) {
        make_pushes(outline, outline, 0.25, pushes);
        for (int i = 0; i < PUSHES; i++) {
            pushes[i].end.x += uniform(&seed, -5e-4, 5e-4);
            pushes[i].end.y += uniform(&seed, -5e-4, 5e-4);
            pushes[i].end.theta += uniform(&seed, -0.01, 0.01);
        }
        br_fit_pushes* found = fit_rectangle(outline, pushes, 0.005, 0);
        assert_near(found->tip_offset[0].value, 0.0, 3e-4); // 3e-4 sqrt(2/24), four times
        assert_near(found->tip_offset[1].value, 0.0, 3e-4);
        print_message("used %d, left out %.3g m with, %.3g m without\n", found->uses_offset,
                      found->offset_position_error, found->plain_position_error);
        assert_true(found->validation_position_error <= 1.01 * found->plain_position_error);
        br_fit_pushes_destroy(found);
    }
    br_patch_destroy(outline);
}

/* Oracle: ends that were moved away from the tip by 10 mm, along the push. They are counted, and the first is named. */
static void ends_that_do_not_touch_are_counted(void** state)
{
    (void)state;
    br_patch* outline = make_rectangle(0.1, 0.06);
    br_fit_push pushes[PUSHES];
    make_pushes(outline, outline, 0.25, pushes);
    br_fit_pushes* found = fit_rectangle(outline, pushes, 0.005, 0);
    assert_int_equal(found->apart, 0);
    br_fit_pushes_destroy(found);
    for (int i = 6; i < PUSHES; i += 12) { // from above and from below
        const br_vec2 away = br_vec2_sub(pushes[i].to, pushes[i].from);
        pushes[i].end.x += 0.01 * away.x / br_vec2_norm(away);
        pushes[i].end.y += 0.01 * away.y / br_vec2_norm(away);
    }
    found = fit_rectangle(outline, pushes, 0.005, 0);
    assert_int_equal(found->apart, 2);
    assert_int_equal(found->first_apart, 6);
    br_fit_pushes_destroy(found);
    br_patch_destroy(outline);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nnls_meets_the_conditions_of_a_solution),
        cmocka_unit_test(nnls_takes_columns_that_depend_on_others),
        cmocka_unit_test(footprint_derivatives_are_those_of_differences),
        cmocka_unit_test(footprint_slides_as_the_exact_surface_does),
        cmocka_unit_test(pressure_is_found_from_pairs),
        cmocka_unit_test(known_supports_are_chosen_where_they_are_right),
        cmocka_unit_test(families_are_found),
        cmocka_unit_test(fits_of_fine_grids_stop_at_once),
        cmocka_unit_test(bad_pairs_are_reported),
        cmocka_unit_test(repeated_pairs_add_no_information),
        cmocka_unit_test(what_is_not_identifiable_is_reported),
        cmocka_unit_test(definitions_without_size_are_refused),
        cmocka_unit_test(intervals_hold_the_truth),
        cmocka_unit_test(push_derivatives_are_those_of_differences),
        cmocka_unit_test(push_ends_where_the_exact_one_does),
        cmocka_unit_test(jackknife_of_means_is_the_classical_error),
        cmocka_unit_test(bad_pushes_are_reported),
        cmocka_unit_test(pressure_and_tip_are_found_from_pushes),
        cmocka_unit_test(offsets_of_the_tip_are_found_and_used),
        cmocka_unit_test(radius_of_the_tip_is_found),
        cmocka_unit_test(no_offset_is_found_where_there_is_none),
        cmocka_unit_test(ends_that_do_not_touch_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
