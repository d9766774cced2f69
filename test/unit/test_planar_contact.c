/*
 * One planar contact of any method: made, spread, evaluated.
 */
#include "planar_shapes.h"

#include <string.h>

#include "bristle/batch.h"

enum { MOST = 4096 };

static br_contact* make_contact(const br_patch* patch, br_method method, br_law_kind kind)
{
    br_contact_def def = br_contact_def_default();
    def.patch = patch;
    def.method = method;
    def.law = br_law_default(kind);
    br_contact* contact;
    br_reason why = {"", ""};
    if (br_contact_create(&def, &contact, &why) != BR_OK) {
        fail_msg("%s: %s", why.field, why.text);
    }
    return contact;
}

static void fill_random(uint64_t* seed, const br_contact* c, double* z)
{
    const size_t n = br_contact_get_part_count(c), states = br_contact_get_state_count(c);
    assert_true(states <= MOST);
    for (size_t i = 0; i < states; i++) {
        const double size = i < 2 * n ? 1e-6 : 1e-8; // m, m^2: some elastic, some plastic
        const int counts = br_contact_get_part(c, i % n).weight > 0.0;
        z[i] = counts ? uniform(seed, -size, size) : 0.0;
    }
}

static br_twist any_twist(uint64_t* seed)
{
    const double speed = pow(10.0, uniform(seed, -5.0, 0.0));
    return (br_twist){speed * uniform(seed, -1.0, 1.0), speed * uniform(seed, -1.0, 1.0),
                      100.0 * speed * uniform(seed, -1.0, 1.0)};
}

static void assert_wrench(br_wrench a, br_wrench b, double tolerance)
{
    assert_near(a.fx, b.fx, tolerance);
    assert_near(a.fy, b.fy, tolerance);
    assert_near(a.tau, b.tau, 0.01 * tolerance);
}

/* Oracle: a sum of the parts is the whole. */
static void parts_sum_to_the_contact(void** state)
{
    (void)state;
    static double z[MOST], dz[MOST];
    uint64_t seed = 3;
    for (int method = BR_METHOD_BLOCKS; method <= BR_METHOD_ELLIPSOID; method++) {
        br_patch* patch = make_patch(patch_def(CORNER));
        br_contact* c = make_contact(patch, (br_method)method, BR_LAW_ELASTO_PLASTIC);
        const br_vec2 cop = br_contact_get_patch_value(c).cop;
        const br_twist v = any_twist(&seed);
        fill_random(&seed, c, z);
        const br_wrench f = br_contact_eval(c, z, v, 3.0, dz);
        br_wrench sum = {0.0, 0.0, 0.0};
        for (size_t i = 0; i < br_contact_get_part_count(c); i++) {
            const br_contact_part_value p = br_contact_part_eval(c, z, v, 3.0, i);
            const br_vec2 arm = br_vec2_sub(p.position, cop);
            sum.fx += p.f.fx;
            sum.fy += p.f.fy;
            sum.tau += p.f.tau + arm.x * p.f.fy - arm.y * p.f.fx;
        }
        assert_wrench(sum, f, 1e-12 * (fabs(f.fx) + fabs(f.fy) + 1.0));
        br_contact_destroy(c);
        br_patch_destroy(patch);
    }
}

/* Oracle: dz = 0 and the wrench of br_contact_eval() in steady sliding. */
static void steady_bristles_do_not_move(void** state)
{
    (void)state;
    static double z[MOST], dz[MOST];
    uint64_t seed = 4;
    for (int method = BR_METHOD_BLOCKS; method <= BR_METHOD_ELLIPSOID; method++) {
        br_patch* patch = make_patch(patch_def(CORNER));
        br_contact* c = make_contact(patch, (br_method)method, BR_LAW_ELASTO_PLASTIC);
        const br_twist v = any_twist(&seed);
        const br_wrench steady = br_contact_steady_eval(c, v, 3.0, z);
        const br_wrench f = br_contact_eval(c, z, v, 3.0, dz);
        const double speed = fabs(v.vx) + fabs(v.vy) + 0.02 * fabs(v.w);
        for (size_t i = 0; i < br_contact_get_state_count(c); i++) {
            assert_near(dz[i], 0.0, 1e-12 * speed /* rounding of v - k z */);
        }
        assert_wrench(steady, f, 1e-9 /* N: sigma1 times that */);
        br_contact_destroy(c);
        br_patch_destroy(patch);
    }
}

/* Oracle: a contact made with that law, to the last bit; of the definition only the law counts. */
static void a_contact_like_another_differs_in_its_law_alone(void** state)
{
    (void)state;
    static double z[MOST], dz[MOST], other[MOST];
    uint64_t seed = 5;
    for (int method = BR_METHOD_BLOCKS; method <= BR_METHOD_ELLIPSOID; method++) {
        br_patch* patch = make_patch(patch_def(CORNER));
        br_contact* from = make_contact(patch, (br_method)method, BR_LAW_ELASTO_PLASTIC);
        br_contact* made = make_contact(patch, (br_method)method, BR_LAW_LUGRE);
        br_contact_def def = br_contact_def_default();
        br_contact* c;
        def.share_geometry_of = from;
        def.resolution = 100000;
        def.law = br_law_default(BR_LAW_LUGRE);
        assert_status(br_contact_create(&def, &c, NULL), BR_OK);
        assert_int_equal(br_contact_get_def(c)->method, method);
        assert_int_equal(br_contact_get_def(c)->resolution, br_contact_get_def(made)->resolution);
        const br_twist v = any_twist(&seed);
        fill_random(&seed, c, z);
        const br_wrench a = br_contact_eval(c, z, v, 3.0, dz);
        const br_wrench b = br_contact_eval(made, z, v, 3.0, other);
        assert_memory_equal(&a, &b, sizeof a);
        assert_memory_equal(dz, other, br_contact_get_state_count(c) * sizeof *dz);
        br_contact_destroy(c);

        // also where the other one has no vectors: `plain` is of the definition of that
        br_contact_def slow = *br_contact_get_def(made);
        br_contact *lone, *shares;
        slow.patch = patch;
        slow.plain = true;
        assert_status(br_contact_create(&slow, &lone, NULL), BR_OK);
        def.share_geometry_of = lone;
        assert_status(br_contact_create(&def, &shares, NULL), BR_OK);
        const br_wrench e = br_contact_eval(shares, z, v, 3.0, dz);
        const br_wrench g = br_contact_eval(lone, z, v, 3.0, other);
        assert_memory_equal(&e, &g, sizeof e);
        assert_memory_equal(dz, other, br_contact_get_state_count(lone) * sizeof *dz);
        br_contact_destroy(shares);
        br_contact_destroy(lone);
        def.share_geometry_of = from;

        br_reason why;
        def.law.sigma0 = -1.0;
        assert_status(br_contact_create(&def, &c, &why), BR_ERR_DEF);
        assert_true(c == NULL && strstr(why.field, "sigma0"));
        br_contact_destroy(made);
        br_contact_destroy(from);
        br_patch_destroy(patch);
    }
}

/* Oracle: the definition of the patch. A reduced contact's bristles are in the contact frame's axes. */
static void parts_have_the_angle_of_their_axes(void** state)
{
    (void)state;
    for (int method = BR_METHOD_BLOCKS; method <= BR_METHOD_ELLIPSOID; method++) {
        br_patch_def shape = patch_def(CORNER);
        shape.angle = -2.5;
        br_patch* patch = make_patch(shape);
        br_contact* c = make_contact(patch, (br_method)method, BR_LAW_LUGRE);
        const int is_turned = method == BR_METHOD_BLOCKS || method == BR_METHOD_DISTRIBUTED;
        const size_t last = br_contact_get_part_count(c) - 1;
        const double angle = br_contact_get_part(c, last).angle;
        assert_near(angle, is_turned ? -2.5 : 0.0, 1e-15 /* rounding of sine and cosine */);
        br_contact_destroy(c);
        br_patch_destroy(patch);
    }
}

/* Oracle: the header. What is used during creation only is not kept. */
static void a_contact_keeps_no_forces_and_only_the_patches_it_needs(void** state)
{
    (void)state;
    const double forces[] = {1.0, 2.0};
    for (int method = BR_METHOD_BLOCKS; method <= BR_METHOD_ELLIPSOID; method++) {
        br_patch* patch = make_patch(patch_def(CORNER));
        br_contact_def def = br_contact_def_default();
        br_contact* c;
        def.patch = patch, def.method = (br_method)method;
        def.forces = forces, def.force_count = 2;
        assert_status(br_contact_create(&def, &c, NULL), BR_OK);
        const br_contact_def* kept = br_contact_get_def(c);
        const int is_reduced = method == BR_METHOD_REDUCED || method == BR_METHOD_ELLIPSOID;
        assert_true(kept->forces == NULL && kept->force_count == 0);
        assert_true(kept->patch == (is_reduced ? patch : NULL));
        br_contact_destroy(c);
        br_patch_destroy(patch);
    }
}

/* Oracle: steady sliding, and its power; a batch of one, to the last bit. The distance, up to 1e308 m and beyond, has no square. */
static void steps_that_go_absurdly_far_end_in_steady_sliding(void** state)
{
    (void)state;
    static const double speeds[] = {1e70, 1e115, 1e300}, steps[] = {1e-5, 1e-3, 1e6, 1e200};
    static double z[MOST], other[MOST];
    for (int i = 0; i < 2 * 4 * 3 * 4; i++) {
        const br_method method = (br_method)(i % 4);
        const double size = speeds[i / 4 % 3], h = steps[i / 12 % 4], fn = 5.0;
        br_patch* patch = make_patch(patch_def(CORNER));
        br_contact_def def = br_contact_def_default();
        br_contact* c;
        def.patch = patch, def.method = method;
        def.law = br_law_default(i < 48 ? BR_LAW_LUGRE : BR_LAW_ELASTO_PLASTIC);
        def.law.sigma2 = 0.0;
        assert_status(br_contact_create(&def, &c, NULL), BR_OK);
        const br_twist v = {size, -0.3 * size, 40.0 * size};
        const br_wrench steady = br_contact_steady_eval(c, v, fn, z);
        const double power = -(steady.fx * v.vx + steady.fy * v.vy + steady.tau * v.w);
        memcpy(other, z, sizeof z);
        br_step_energy e, e1;
        br_wrench f1;
        const br_batch_contact one = {c, 0};
        const br_wrench f = br_contact_step(c, z, v, fn, h, &e);
        br_batch_step(&one, 1, other, &v, &fn, h, &f1, &e1);
        assert_wrench(f, steady, 1e-11 /* N: sigma1/h times rounding of bristles */);
        if (h * power < HUGE_VAL) {
            assert_near(e.dissipated, h * power, 1e-11 * h * power);
            assert_near(e.work, h * power, 1e-11 * h * power);
        }
        assert_memory_equal(&f, &f1, sizeof f);
        assert_memory_equal(&e, &e1, sizeof e);
        assert_memory_equal(z, other, br_contact_get_state_count(c) * sizeof *z);
        br_contact_destroy(c);
        br_patch_destroy(patch);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_sum_to_the_contact),
        cmocka_unit_test(steady_bristles_do_not_move),
        cmocka_unit_test(a_contact_like_another_differs_in_its_law_alone),
        cmocka_unit_test(parts_have_the_angle_of_their_axes),
        cmocka_unit_test(a_contact_keeps_no_forces_and_only_the_patches_it_needs),
        cmocka_unit_test(steps_that_go_absurdly_far_end_in_steady_sliding),
    };
    return run_group(argc, argv, tests);
}
