/*
 * Limit surfaces: creation and memory, patches that are placed or small in their grid.
 */
#include "limit_shapes.h"

#include "limit/exact_internal.h"
#include "patch/power_law.h"

static void bad_definitions_are_refused_with_a_reason(void** state)
{
    (void)state;
    br_patch* patch = make(disc_def(1.0));
    br_limit_def good = br_limit_def_default();
    good.patch = patch;
    br_limit_def bad[6] = {good, good, good, good, good, good};
    bad[0].size = 1;
    bad[1].patch = NULL;
    bad[2].fn = -1.0;
    bad[3].n = 1;
    bad[4].resolution = 0;
    bad[5].fn = (double)NAN;
    const char* field[] = {"size", "patch", "fn", "n", "resolution", "fn"};
    for (size_t i = 0; i < COUNT(bad); i++) {
        br_reason why = {"", ""};
        br_limit* surface = (br_limit*)&why;
        assert_status(br_limit_create(&bad[i], &surface, &why), BR_ERR_DEF);
        assert_null(surface);
        assert_string_equal(why.field, field[i]);
    }
    br_patch_destroy(patch);
}

/* Oracle: a counting allocator. No leak whichever allocation fails, none while evaluating. */
static void memory_is_given_back_and_evaluation_takes_none(void** state)
{
    (void)state;
    for (int i = 0; i < CHOICES; i++) {
        counting count = {0, 0, 0};
        br_set_allocator(counting_allocate, counting_release, &count);
        sample s = choice(i);
        const size_t made = count.calls;
        double j[3][3];
        br_twist slide;
        br_limit_eval(s.surface, (br_twist){1.0, 2.0, 3.0});
        br_limit_eval(s.surface, (br_twist){1.0, 2.0, 1e-9});
        br_limit_jacobian_eval(s.surface, (br_twist){1.0, 2.0, 3.0}, j);
        br_limit_gauge(s.surface, (br_wrench){0.1, 0.2, 0.3 * s.value.r}, &slide);
        assert_int_equal(count.calls, made);
        br_limit_destroy(s.surface);
        const size_t patch_only = count.alive;
        br_limit_def def = br_limit_def_default();
        def.patch = s.patch;
        for (size_t fail_at = 1;; fail_at++) {
            count.fail_at = count.calls + fail_at;
            const br_status status = br_limit_create(&def, &s.surface, NULL);
            if (status == BR_OK) {
                break;
            }
            assert_int_equal(status, BR_ERR_MEMORY);
            assert_int_equal(count.alive, patch_only);
            assert_null(s.surface);
        }
        destroy_sample(s);
        assert_int_equal(count.alive, 0);
        br_set_allocator(NULL, NULL, NULL);
    }
}

/* Oracle: the same cells in a grid without empty borders. */
static void a_small_patch_in_a_large_grid_keeps_its_digits(void** state)
{
    (void)state;
    enum { N = 301 };
    static double large[N * N];
    const double small[6] = {1.0, 2.0, 0.0, 3.0, 1.0, 2.0}; // 2 rows, 3 columns
    for (int row = 0; row < 2; row++) {
        for (int column = 0; column < 3; column++) {
            large[(20 + row) * N + 200 + column] = small[3 * row + column];
        }
    }
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_GRID;
    br_limit* surface[2];
    br_patch* patch[2];
    for (int i = 0; i < 2; i++) {
        def.columns = i ? N : 3, def.rows = i ? N : 2;
        def.size_x = 1e-3 * (double)def.columns, def.size_y = 1e-3 * (double)def.rows;
        def.cells = i ? large : small;
        assert_status(br_patch_create(&def, &patch[i], NULL), BR_OK);
        br_limit_def limit = br_limit_def_default();
        limit.patch = patch[i];
        assert_status(br_limit_create(&limit, &surface[i], NULL), BR_OK);
    }
    uint64_t seed = 78;
    for (int i = 0; i < 1000; i++) {
        const double far = pow(10.0, uniform(&seed, -4.0, 1.0));
        const br_twist v = {far * uniform(&seed, -1.0, 1.0), far * uniform(&seed, -1.0, 1.0), 1.0};
        const br_wrench a = br_limit_eval(surface[0], v).wrench,
                        b = br_limit_eval(surface[1], v).wrench;
        /* the CoP of the large grid is rounded 1e-16 of its size: 1e-14 of the patch's */
        assert_near(a.fx, b.fx, 1e-11);
        assert_near(a.fy, b.fy, 1e-11);
        assert_near(a.tau, b.tau, 1e-11 * 1e-3);
    }
    for (int i = 0; i < 2; i++) {
        br_limit_destroy(surface[i]);
        br_patch_destroy(patch[i]);
    }
}

/* Oracle: definition. A support point that a caller makes the CoR is at rest wherever the patch is
 * placed, although the rounding of its position makes it seem to move. */
static void a_placed_support_point_is_at_rest_too(void** state)
{
    (void)state;
    const br_support_point points[] = {
        {0.01, 0.002, 1.0}, {-0.007, 0.004, 2.0}, {0.0, -0.011, 1.5}};
    uint64_t seed = 77;
    for (int i = 0; i < 300; i++) {
        br_patch_def def = br_patch_def_default();
        def.shape = BR_SHAPE_POINTS;
        def.count = 3;
        def.points = points;
        def.centre = (br_vec2){uniform(&seed, -200.0, 200.0), uniform(&seed, -200.0, 200.0)};
        def.angle = uniform(&seed, -3.0, 3.0);
        br_patch* patch = NULL;
        assert_status(br_patch_create(&def, &patch, NULL), BR_OK);
        br_limit_def limit = br_limit_def_default();
        limit.patch = patch;
        br_limit* surface = NULL;
        assert_status(br_limit_create(&limit, &surface, NULL), BR_OK);
        const br_vec2 cop = br_patch_eval(patch, 1.0).cop;
        const br_pose pose = {def.centre.x, def.centre.y, def.angle};
        const br_vec2 at = br_pose_apply(pose, (br_vec2){points[i % 3].x, points[i % 3].y});
        const br_vec2 d = br_vec2_sub(at, cop);
        assert_true(br_limit_eval(surface, (br_twist){d.y, -d.x, 1.0}).set_valued);
        br_limit_destroy(surface);
        br_patch_destroy(patch);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_patch_in_a_large_grid_keeps_its_digits),
        cmocka_unit_test(a_placed_support_point_is_at_rest_too),
        cmocka_unit_test(bad_definitions_are_refused_with_a_reason),
        cmocka_unit_test(memory_is_given_back_and_evaluation_takes_none),
    };
    return run_group(argc, argv, tests);
}
