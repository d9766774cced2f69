/*
 * Linear images of patches.
 */
#include "limit_shapes.h"

#include <string.h>

#include "patch/mapped.h"
#include "patch/patch_internal.h"

static const double stretch[2][2] = {{1.3, 0.25}, {0.25, 0.7}};

static br_vec2 image_of(const double m[2][2], br_vec2 p)
{
    return (br_vec2){m[0][0] * p.x + m[0][1] * p.y, m[1][0] * p.x + m[1][1] * p.y};
}

static br_patch* map(const br_patch* patch, const double m[2][2])
{
    br_reason why = {"", ""};
    br_patch* out = NULL;
    if (bri_patch_create_mapped(patch, m, &out, &why) != BR_OK) {
        fail_msg("image refused: %s: %s", why.field, why.text);
    }
    return out;
}

// D and wrench of cells at their images.
typedef struct image_sum {
    br_vec2 cop;
    double D;
    br_wrench f;
} image_sum;

static image_sum sum_images(const br_patch* patch, const br_cells* cells, br_twist v)
{
    const br_patch_def* def = br_patch_get_def(patch);
    const br_pose pose = {def->centre.x, def->centre.y, def->angle};
    image_sum sum = {{0.0, 0.0}, 0.0, {0.0, 0.0, 0.0}};
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < cells->count; i++) {
            const br_vec2 at = br_pose_apply(pose, (br_vec2){cells->x[i], cells->y[i]});
            const br_vec2 to = image_of(stretch, at);
            const double w = cells->weight[i];
            if (round == 0) {
                sum.cop = br_vec2_add(sum.cop, br_vec2_scale(w, to));
                continue;
            }
            const br_vec2 rho = br_vec2_sub(to, sum.cop);
            const br_vec2 u = {v.vx - v.w * rho.y, v.vy + v.w * rho.x};
            const double speed = br_vec2_norm(u);
            sum.D += w * speed;
            sum.f.fx -= w * u.x / speed;
            sum.f.fy -= w * u.y / speed;
            sum.f.tau -= w * br_vec2_cross(rho, u) / speed;
        }
    }
    return sum;
}

/* Oracle: the images of the patch's cells. 200 cells across have an error of some 1e-5. */
static void the_surface_of_an_image_is_that_of_the_images_of_its_cells(void** state)
{
    (void)state;
    uint64_t seed = 3;
    for (int i = 0; i < CHOICES; i++) {
        sample s = choice(i);
        br_patch* mapped = map(s.patch, stretch);
        br_limit* surface = limit_of(mapped);
        const br_patch_value value = br_limit_get_patch_value(surface);
        br_cells* cells = cut(s.patch, 1.0, 200);
        const int is_coarse = br_patch_get_def(s.patch)->shape == BR_SHAPE_GRID;
        const double tolerance = is_coarse ? 0.1 : 1e-4;
        for (int k = 0; k < 3; k++) {
            const double w = 1.0 / value.r;
            const br_twist v = {uniform(&seed, -1.0, 1.0), uniform(&seed, -1.0, 1.0), w};
            const image_sum sum = sum_images(s.patch, cells, v);
            const br_limit_value at = br_limit_eval(surface, v);
            assert_near(value.cop.x, sum.cop.x, tolerance * value.r);
            assert_near(value.cop.y, sum.cop.y, tolerance * value.r);
            assert_near_relative(at.dissipation, sum.D, tolerance);
            assert_near(wrench_distance(at.wrench, sum.f, value.r), 0.0, 10.0 * tolerance);
        }
        br_cells_destroy(cells);
        br_limit_destroy(surface);
        br_patch_destroy(mapped);
        destroy_sample(s);
    }
}

/* Oracle: the inverse. Mapped there and back, a patch is itself, to rounding. A grid stays one along its axes; else
 * its cells become triangles, which carry the same pressure. */
static void there_and_back_is_the_same_patch(void** state)
{
    (void)state;
    const double det = stretch[0][0] * stretch[1][1] - stretch[0][1] * stretch[1][0];
    const double back[2][2] = {{stretch[1][1] / det, -stretch[0][1] / det},
                               {-stretch[1][0] / det, stretch[0][0] / det}};
    uint64_t seed = 4;
    for (int i = 0; i < CHOICES; i++) {
        sample s = choice(i);
        br_patch *there = map(s.patch, stretch), *again = map(there, back);
        br_limit* surface = limit_of(again);
        const br_patch_value a = s.value, b = br_limit_get_patch_value(surface);
        assert_near_relative(b.r, a.r, 1e-11 /* thin grids: 1e-16 length/width */);
        assert_near_relative(b.u, a.u, 1e-11);
        assert_near(b.area, a.area, 1e-11 * a.u);
        assert_near(b.cop.x, a.cop.x, 1e-13 * (a.r + fabs(a.cop.x)));
        for (int k = 0; k < 20; k++) {
            const br_twist v = random_twist(&seed, a.r);
            const br_limit_value x = br_limit_eval(s.surface, v), y = br_limit_eval(surface, v);
            assert_near_relative(y.dissipation, x.dissipation, 1e-11);
            assert_near(wrench_distance(x.wrench, y.wrench, a.r), 0.0, 1e-10);
        }
        br_limit_destroy(surface);
        br_patch_destroy(again);
        br_patch_destroy(there);
        destroy_sample(s);
    }
}

/* Oracle: closed form. Under diag(2, 1/2) a disc of radius R at (x, y) is the ellipse (2 R, R/2) at (2 x, y/2). */
static void a_disc_becomes_an_ellipse(void** state)
{
    (void)state;
    const double m[2][2] = {{2.0, 0.0}, {0.0, 0.5}};
    br_patch_def def = disc_def(0.1);
    def.radius = (br_by_force){0.1, 1.0 / 3.0, 0.3};
    def.centre = (br_vec2){0.2, 0.4};
    def.angle = 1.0;
    br_patch *disc = make(def), *ellipse = map(disc, m);
    const br_patch_def* got = br_patch_get_def(ellipse);
    assert_int_equal(got->shape, BR_SHAPE_ELLIPSE);
    assert_near_relative(got->radius.coefficient, 0.2, 1e-15);
    assert_near_relative(got->radius.max, 0.6, 1e-15);
    assert_near_relative(got->ratio, 0.25, 1e-15);
    assert_near(sin(got->angle), 0.0, 1e-15);
    assert_near_relative(got->centre.x, 0.4, 1e-15);
    assert_near_relative(got->centre.y, 0.2, 1e-15);
    assert_near_relative(br_patch_eval(ellipse, 8.0).area, 4.0 * BR_PI * 0.2 * 0.05, 1e-14);
    br_patch_destroy(ellipse);
    br_patch_destroy(disc);
}

/* Oracle: a counting allocator. */
static void images_give_back_all_memory(void** state)
{
    (void)state;
    counting count = {0, 0, 0};
    br_set_allocator(counting_allocate, counting_release, &count);
    for (int i = 0; i < CHOICES; i++) {
        sample s = choice(i);
        const size_t before = count.alive;
        for (size_t fail_at = 1;; fail_at++) {
            br_patch* out = NULL;
            count.fail_at = count.calls + fail_at;
            const br_status status = bri_patch_create_mapped(s.patch, stretch, &out, NULL);
            count.fail_at = 0;
            br_patch_destroy(out);
            assert_int_equal(count.alive, before);
            if (status == BR_OK) {
                break;
            }
            assert_int_equal(status, BR_ERR_MEMORY);
        }
        destroy_sample(s);
    }
    assert_int_equal(count.alive, 0);
    br_set_allocator(NULL, NULL, NULL);
}

static void an_image_without_width_is_refused(void** state)
{
    (void)state;
    const double m[2][2] = {{1.0, 0.0}, {0.0, 1e-7}};
    br_patch *disc = make(disc_def(1.0)), *out = NULL;
    br_reason why = {"", ""};
    assert_status(bri_patch_create_mapped(disc, m, &out, &why), BR_ERR_DEF);
    assert_non_null(strstr(why.text, "too thin"));
    br_patch_destroy(disc);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_surface_of_an_image_is_that_of_the_images_of_its_cells),
        cmocka_unit_test(there_and_back_is_the_same_patch),
        cmocka_unit_test(a_disc_becomes_an_ellipse),
        cmocka_unit_test(images_give_back_all_memory),
        cmocka_unit_test(an_image_without_width_is_refused),
    };
    return run_group(argc, argv, tests);
}
