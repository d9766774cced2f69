/*
 * The friction of a patch as physics engines take it, and the limit surfaces that they make of it.
 */
#include "limit_shapes.h"

#include <string.h>

#include "bristle/engine.h"

static const double mu = 0.5, fn = 10.0; // [-], [N]

static br_engine* engine_on(const br_patch* patch, br_engine_kind kind, int flat, size_t faces)
{
    br_engine_def def = br_engine_def_default(kind);
    def.patch = patch, def.mu = mu, def.fn = fn, def.flat = flat, def.faces = faces;
    br_reason why = {"", ""};
    br_engine* engine = NULL;
    if (br_engine_create(&def, &engine, &why) != BR_OK) {
        fail_msg("refused: %s: %s", why.field, why.text);
    }
    return engine;
}

static double number(const br_engine* engine, const char* name)
{
    br_engine_number numbers[BR_ENGINE_NUMBERS];
    const size_t count = br_engine_get_numbers(engine, numbers);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(numbers[i].name, name) == 0) {
            return numbers[i].value;
        }
    }
    fail_msg("no number %s", name);
    return NAN;
}

/* Oracle: closed form. A uniform disc has r = 2R/3, so that MuJoCo, Genesis and Bullet get 2 mu R/3; the pressure
 * over Drake's disc is fn/(pi R^2), a hundredth of its modulus. */
static void a_uniform_disc_gives_closed_forms(void** state)
{
    (void)state;
    const double R = 0.01, torsion = mu * 2.0 * R / 3.0, round = 1e-15 /* rounding */;
    br_patch* patch = make(disc_def(R));
    static const struct {
        br_engine_kind kind;
        const char *sliding, *torsional;
    } cases[] = {{BR_ENGINE_MUJOCO, "sliding", "torsional"},
                 {BR_ENGINE_GENESIS, "friction", "friction_torsional"},
                 {BR_ENGINE_BULLET, "lateralFriction", "spinningFriction"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        br_engine* engine = engine_on(patch, cases[i].kind, 0, 8);
        assert_near(number(engine, cases[i].sliding), mu, 0.0);
        assert_near(number(engine, cases[i].torsional), torsion, round);
        br_engine_destroy(engine);
    }
    br_engine* drake = engine_on(patch, BR_ENGINE_DRAKE, 0, 8);
    assert_near_relative(number(drake, "hydroelastic_modulus"), 100.0 * fn / (BR_PI * R * R),
                         1e-14);
    assert_near(number(drake, "mesh_resolution_hint"), 2.0 * R / 8.0, round);
    br_engine_destroy(drake);
    br_patch_destroy(patch);
}

/* Oracle: Gazebo's own derivation, T = 3 pi a mu N/16 under the pressure of Hertz. A disc of that pressure, the
 * power law with k = 2, gets its own radius back. */
static void gazebo_gets_the_radius_of_a_hertzian_disc_back(void** state)
{
    (void)state;
    br_patch_def def = power_def(2.0);
    br_patch* patch = make(def);
    br_engine* engine = engine_on(patch, BR_ENGINE_GAZEBO, 1, 8);
    assert_near_relative(number(engine, "patch_radius"), br_by_force_eval(def.radius, fn),
                         1e-12 /* r by quadrature */);
    br_engine_destroy(engine);
    br_patch_destroy(patch);
}

/* Oracle: duality. The wrench of a twist is on the surface, its power is -D, and no wrench within the surface
 * takes more. */
static void wrench_and_gauge_belong_together(void** state)
{
    (void)state;
    uint64_t seed = 7;
    br_patch* patch = make(with_linear(rectangle_def(0.04, 0.01), 0.0, 1.0));
    for (int form = 0; form < 2 * (BR_ENGINE_GENESIS + 1); form++) {
        br_engine* engine = engine_on(patch, (br_engine_kind)(form / 2), form % 2, 3);
        const double r = br_limit_get_patch_value(br_engine_get_exact(engine)).r;
        for (int i = 0; i < 200; i++) {
            const br_twist v = {uniform(&seed, -1.0, 1.0), uniform(&seed, -1.0, 1.0),
                                uniform(&seed, -1.0, 1.0) / r};
            const br_limit_value at = br_engine_eval(engine, v);
            const br_wrench f = at.wrench;
            assert_near(br_engine_gauge(engine, f), 1.0, 1e-8 /* the gauge of points */);
            assert_near(f.fx * v.vx + f.fy * v.vy + f.tau * v.w, -at.dissipation, 1e-14);
            const br_wrench l = {uniform(&seed, -1.0, 1.0), uniform(&seed, -1.0, 1.0),
                                 uniform(&seed, -1.0, 1.0) * r};
            const double size = 1.0 / br_engine_gauge(engine, l);
            assert_true(size * (l.fx * v.vx + l.fy * v.vy + l.tau * v.w) <=
                        at.dissipation * (1.0 + 1e-8));
        }
        br_engine_destroy(engine);
    }
    br_patch_destroy(patch);
}

/* Oracle: closed form. A support point holds a circle; a box around it is off by sqrt 2 - 1 at its corners, and on
 * average over angles by 4/pi ln(1 + sqrt 2) - 1. A cylinder and an ellipsoid are that circle. */
static void around_a_point_the_box_is_a_square(void** state)
{
    (void)state;
    static const br_support_point one[] = {{0.0, 0.0, 1.0}};
    br_patch* patch = make(points_def(one, 1));
    br_engine* box = engine_on(patch, BR_ENGINE_GAZEBO, 1, 8);
    const br_engine_error error = br_engine_get_error(box);
    assert_near(error.max, sqrt(2.0) - 1.0, 1e-14);
    assert_near(error.mean, 4.0 / BR_PI * log(1.0 + sqrt(2.0)) - 1.0, 1e-6 /* sum for integral */);
    br_engine_destroy(box);
    static const br_engine_kind round[] = {BR_ENGINE_MUJOCO, BR_ENGINE_BULLET};
    for (size_t i = 0; i < COUNT(round); i++) {
        br_engine* engine = engine_on(patch, round[i], 0, 8);
        assert_near(br_engine_get_error(engine).max, 0.0, 1e-14);
        br_engine_destroy(engine);
    }
    br_patch_destroy(patch);
}

/* Oracle: independent program. br_limit_get_error() samples the same ellipsoid by its own code. */
static void the_ellipsoids_error_is_that_of_the_limit_surface(void** state)
{
    (void)state;
    br_patch* patch = make(rectangle_def(0.04, 0.01));
    br_engine* engine = engine_on(patch, BR_ENGINE_MUJOCO, 0, 8);
    br_limit_def def = br_limit_def_default();
    br_limit* ellipsoid;
    def.patch = patch, def.method = BR_LIMIT_ELLIPSOID;
    assert_status(br_limit_create(&def, &ellipsoid, NULL), BR_OK);
    const br_limit_error theirs = br_limit_get_error(ellipsoid);
    const br_engine_error ours = br_engine_get_error(engine);
    assert_near_relative(ours.slide_max, theirs.max, 0.01 /* both come near the largest */);
    assert_true(ours.slide_mean > 0.5 * theirs.rms && ours.slide_mean < theirs.rms);
    br_limit_destroy(ellipsoid);
    br_engine_destroy(engine);
    br_patch_destroy(patch);
}

/* Oracle: order of convergence. Four times as many faces across: an error of order 2 falls sixteenfold. Independent
 * budgets are the farthest, one budget for both less. */
static void finer_faces_are_nearer_and_budgets_far(void** state)
{
    (void)state;
    br_patch* patch = make(rectangle_def(0.04, 0.02));
    double error[5];
    static const struct {
        br_engine_kind kind;
        size_t faces;
    } cases[] = {{BR_ENGINE_DRAKE, 4},
                 {BR_ENGINE_DRAKE, 16},
                 {BR_ENGINE_MUJOCO, 1},
                 {BR_ENGINE_BULLET, 1},
                 {BR_ENGINE_GAZEBO, 1}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        br_engine* engine =
            engine_on(patch, cases[i].kind, cases[i].kind == BR_ENGINE_GAZEBO, cases[i].faces);
        error[i] = br_engine_get_error(engine).mean;
        br_engine_destroy(engine);
    }
    assert_true(error[1] < error[0] / 8.0);
    assert_true(error[1] < error[2] && error[2] < error[3] && error[3] < error[4]);
    br_patch_destroy(patch);
}

/* Oracle: the header. */
static void errors_are_refused(void** state)
{
    (void)state;
    br_patch* disc = make(disc_def(0.01));
    br_patch* ring = make(ring_def(0.01));
    static const struct {
        const char* field;
        double mu, fn;
        size_t faces;
    } cases[] = {{"mu", 0.0, 1.0, 8},      {"mu", NAN, 1.0, 8},    {"fn", 1.0, 0.0, 8},
                 {"fn", 1.0, INFINITY, 8}, {"faces", 1.0, 1.0, 0}, {"faces", 1.0, 1.0, 257}};
    br_reason why;
    br_engine* engine;
    for (size_t i = 0; i < COUNT(cases); i++) {
        br_engine_def def = br_engine_def_default(BR_ENGINE_MUJOCO);
        def.patch = disc, def.mu = cases[i].mu, def.fn = cases[i].fn, def.faces = cases[i].faces;
        assert_status(br_engine_create(&def, &engine, &why), BR_ERR_DEF);
        assert_string_equal(why.field, cases[i].field);
        assert_null(engine);
    }
    br_engine_def def = br_engine_def_default(BR_ENGINE_DRAKE);
    assert_status(br_engine_create(&def, &engine, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "patch");
    def.patch = ring;
    assert_status(br_engine_create(&def, &engine, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "shape");
    br_patch_destroy(ring);
    br_patch_destroy(disc);
}

/* Oracle: invariant. v = 0 gives 0, NaN gives NaN. */
static void rest_and_nan(void** state)
{
    (void)state;
    br_patch* patch = make(disc_def(0.01));
    for (int kind = 0; kind <= BR_ENGINE_GENESIS; kind++) {
        br_engine* engine = engine_on(patch, (br_engine_kind)kind, 0, 4);
        const br_limit_value rest = br_engine_eval(engine, (br_twist){0.0, 0.0, 0.0});
        assert_near(rest.dissipation, 0.0, 0.0);
        assert_int_equal(rest.set_valued, 1);
        assert_true(isnan(br_engine_eval(engine, (br_twist){NAN, 0.0, 0.0}).wrench.fx));
        assert_true(isnan(br_engine_gauge(engine, (br_wrench){0.0, 0.0, NAN})));
        assert_near(br_engine_gauge(engine, (br_wrench){0.0, 0.0, 0.0}), 0.0, 0.0);
        br_engine_destroy(engine);
    }
    br_patch_destroy(patch);
}

/* Oracle: invariant. Whatever allocation fails, nothing is left; neither eval nor gauge allocates. */
static void no_memory_is_reported_and_nothing_leaks(void** state)
{
    (void)state;
    counting count = {0, 0, 0};
    br_patch* patch = make(disc_def(0.01));
    br_engine_def def = br_engine_def_default(BR_ENGINE_DRAKE);
    def.patch = patch, def.faces = 3;
    br_set_allocator(counting_allocate, counting_release, &count);
    br_engine* engine = NULL;
    for (size_t fail_at = 1; !engine; fail_at++) {
        count = (counting){0, 0, fail_at};
        const br_status status = br_engine_create(&def, &engine, NULL);
        assert_true(status == BR_OK ? engine != NULL : status == BR_ERR_MEMORY && !engine);
        assert_true(engine || count.alive == 0);
    }
    const size_t calls = count.calls;
    assert_true(calls > 4);
    br_engine_eval(engine, (br_twist){1.0, 0.0, 1.0});
    br_engine_gauge(engine, (br_wrench){1.0, 0.0, 1e-3});
    assert_int_equal(count.calls, calls);
    br_engine_destroy(engine);
    assert_int_equal(count.alive, 0);
    br_set_allocator(NULL, NULL, NULL);
    br_patch_destroy(patch);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_uniform_disc_gives_closed_forms),
        cmocka_unit_test(gazebo_gets_the_radius_of_a_hertzian_disc_back),
        cmocka_unit_test(wrench_and_gauge_belong_together),
        cmocka_unit_test(around_a_point_the_box_is_a_square),
        cmocka_unit_test(the_ellipsoids_error_is_that_of_the_limit_surface),
        cmocka_unit_test(finer_faces_are_nearer_and_budgets_far),
        cmocka_unit_test(errors_are_refused),
        cmocka_unit_test(rest_and_nan),
        cmocka_unit_test(no_memory_is_reported_and_nothing_leaks),
    };
    return run_group(argc, argv, tests);
}
