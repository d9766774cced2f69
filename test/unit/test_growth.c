/*
 * Patches that change with the normal force: their cells, and the models made of cells.
 */
#include "growth_shapes.h"

#include "contact/power_law.h"

static double z[MOST], dz[MOST], dz2[MOST];
static const br_twist slide = {0.004, -0.002, 0.6};

/* ---- sampling --------------------------------------------------------------------------------- */

/* Oracle: counting. A disc of 10.5 cells' radius covers the centres with i^2 + j^2 <= 110.25. */
static void centre_sampling_takes_the_cells_whose_centre_is_inside(void** state)
{
    (void)state;
    br_patch* disc = make(sampled(disc_def(0.01)));
    br_cells* cells = cut(disc, 1.0, 21);
    size_t inside = 0;
    for (int i = -10; i <= 10; i++) {
        for (int j = -10; j <= 10; j++) {
            inside += i * i + j * j <= 110;
        }
    }
    assert_int_equal(cells->count, inside);
    for (size_t i = 0; i < cells->count; i++) {
        assert_near_relative(cells->weight[i], 1.0 / (double)inside, 1e-12 /* rounding */);
    }
    br_cells_destroy(cells);
    br_patch_destroy(disc);

    // the L of three squares, cut into 4 x 4 cells: 12 of them, whichever way round it is given
    for (int turned = 0; turned < 2; turned++) {
        br_vec2 corners[COUNT(ell)];
        for (size_t i = 0; i < COUNT(ell); i++) {
            corners[i] = ell[turned ? COUNT(ell) - 1 - i : i];
        }
        br_patch* patch = make(sampled(with_linear(polygon_def(corners, COUNT(ell)), 0.0, 1.0)));
        cells = cut(patch, 1.0, 4);
        assert_int_equal(cells->count, 12);
        br_cells_destroy(cells);
        br_patch_destroy(patch);
    }
}

/* Oracle: convergence. Both samplings come to the same disc. */
static void centre_sampling_converges_to_the_patch(void** state)
{
    (void)state;
    br_patch* patch = make(sampled(power_def(2.0)));
    br_cells* cells = cut(patch, 1.0, 201);
    const br_patch_value sums = br_cells_eval(cells), exact = br_patch_eval(patch, 1.0);
    assert_near_relative(sums.r, exact.r, 1e-3 /* of order cell/radius = 1e-2, with signs */);
    assert_near_relative(sums.u, exact.u, 1e-3);
    br_cells_destroy(cells);
    br_patch_destroy(patch);
}

static void a_sliver_without_a_cell_centre_is_refused(void** state)
{
    (void)state;
    const br_vec2 sliver[] = {{0.0, 0.0}, {1.0, 1.0}, {0.0, 1e-3}};
    br_patch* patch = make(sampled(polygon_def(sliver, 3)));
    br_cells* cells;
    br_reason why = {"", ""};
    assert_status(br_cells_create(patch, 1.0, 2, &cells, &why), BR_ERR_ARG);
    assert_string_equal(why.field, "resolution");
    assert_null(cells);
    br_patch_destroy(patch);
    br_patch_def def = br_patch_def_default();
    def.sampling = (br_sampling)7;
    assert_status(br_patch_create(&def, &patch, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "sampling");
}

/* Oracle: the function that is tabulated. */
static void the_table_of_a_power_law_is_its_share_within_a_radius(void** state)
{
    (void)state;
    static const double exponents[] = {1.0, 1.2, 2.0, 3.46, 8.0, 50.0};
    for (size_t i = 0; i < COUNT(exponents); i++) {
        const double k = exponents[i], norm = power_law_norm(k);
        power_law_table share;
        power_law_table_fill(&share, k, norm);
        for (double rho = 0.0; rho <= 1.0; rho += 1e-3) {
            assert_near(power_law_table_inside(&share, rho), power_law_inside(k, norm, rho),
                        2e-7 /* power_law.h */);
        }
    }
}

/* Oracle: cells that are weighed once for all, by the exact way. */
static void cells_weighed_again_and_again_are_nearly_exact(void** state)
{
    (void)state;
    for (double k = 0.6; k < 30.0; k *= 2.0) {
        br_patch_def def = disc_def(0.01);
        def.pressure = BR_PRESSURE_POWER;
        def.k = br_by_force_constant(k);
        br_patch* constant = make(def);
        def.k = (br_by_force){k, 1.0, HUGE_VAL}; // the same at 1 N
        br_patch* growing = make(def);
        br_distributed* exact = make_distributed(constant, 1.0, 21, 0);
        br_distributed* model = make_distributed(growing, 1.0, 21, 0);
        assert_int_equal(br_distributed_get_count(exact), br_distributed_get_count(model));
        for (size_t i = 0; i < br_distributed_get_count(exact); i++) {
            const double weight = br_distributed_get_cell(exact, i).weight;
            assert_near(br_distributed_get_cell(model, i).weight, weight,
                        4e-5 * weight + 1e-5 / 349.0 /* growth.c: some 1e-5; of the mean force */);
        }
        br_distributed_destroy(exact);
        br_distributed_destroy(model);
        br_patch_destroy(constant);
        br_patch_destroy(growing);
    }
}

/* ---- cells ------------------------------------------------------------------------------------ */

/* Oracle: closed form. a = min(c fn^e, max). */
static void the_full_force_is_where_the_radius_is_full(void** state)
{
    (void)state;
    br_patch* patch = make(growing_def());
    const double full = br_patch_get_full_force(patch);
    assert_near_relative(full, 15.625, 1e-12 /* pow */);
    assert_near_relative(br_patch_eval(patch, full).r, 0.02 / 3.0, closed);
    assert_true(br_patch_eval(patch, 0.9 * full).r < 0.98 * 0.02 / 3.0);
    br_patch_destroy(patch);
    patch = make(disc_def(0.01));
    assert_true(br_patch_get_full_force(patch) == 0.0);
    br_patch_destroy(patch);
}

/* Oracle: the closed form of the patch. Sums over cells that stay in place come to its r, u, CoP. */
static void cells_in_place_carry_the_patch_of_each_force(void** state)
{
    (void)state;
    const double forces[] = {0.3, 1.0, 5.0, 20.0};
    for (int i = 0; i < KINDS * 4; i++) {
        br_patch* patch = make(kind_of_growth(i / 4));
        br_distributed* model = make_distributed(patch, 1.0, 40, 0);
        const double fn = forces[i % 4];
        br_distributed_spread(model, fn);
        const br_patch_value sums = br_distributed_get_patch_value(model);
        const br_patch_value exact = br_patch_eval(patch, fn);

        // covered cells err by the square of cell over radius, centres by half of it to the first
        const double cells = br_by_force_eval(br_patch_get_def(patch)->radius, fn) / 0.0005;
        const double share = i / 4 == 3 ? 0.5 / cells : 1.0 / (cells * cells);
        assert_near(sums.r, exact.r, share * exact.r);
        assert_near(sums.u, exact.u, share * exact.u);
        assert_near(sums.cop.x, exact.cop.x, share * exact.r);
        assert_near(sums.cop.y, exact.cop.y, share * exact.r);
        br_distributed_destroy(model);
        br_patch_destroy(patch);
    }
}

static br_patch* endless(void)
{
    br_patch_def def = growing_def();
    def.radius.max = HUGE_VAL;
    return make(def);
}

static void a_disc_that_grows_without_end_is_refused(void** state)
{
    (void)state;
    br_patch* patch = endless();
    br_reason why = {"", ""};
    br_distributed_def distributed = br_distributed_def_default();
    br_blocks_def blocks = br_blocks_def_default();
    br_limit_def limit = br_limit_def_default();
    distributed.patch = blocks.patch = limit.patch = patch;
    limit.method = BR_LIMIT_GRID;
    br_distributed* d;
    br_blocks* b;
    br_limit* l;
    assert_status(br_distributed_create(&distributed, &d, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "radius.max");
    assert_status(br_blocks_create(&blocks, &b, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "radius.max");
    assert_status(br_limit_create(&limit, &l, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "radius.max");
    assert_true(!d && !b && !l);
    br_patch_destroy(patch);
}

/* ---- the models ------------------------------------------------------------------------------- */

static void assert_same_cells(const br_distributed* a, const br_distributed* b)
{
    assert_int_equal(br_distributed_get_count(a), br_distributed_get_count(b));
    for (size_t i = 0; i < br_distributed_get_count(a); i++) {
        const br_distributed_cell p = br_distributed_get_cell(a, i);
        const br_distributed_cell q = br_distributed_get_cell(b, i);
        assert_true(memcmp(&p, &q, sizeof p) == 0);
    }
}

/* Oracle: a model made at that force, to the last bit, wherever one comes from. */
static void a_spread_distributed_model_is_the_one_made_at_that_force(void** state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        br_patch* patch = make(kind_of_growth(kind));
        br_distributed* model = make_distributed(patch, 20.0, 21, 0);
        br_distributed* fresh = make_distributed(patch, 2.0, 21, 0);
        assert_true(br_distributed_depends_on_force(model));
        br_distributed_spread(model, 0.1);
        br_distributed_spread(model, 2.0);
        assert_same_cells(model, fresh);
        const size_t n = 2 * br_distributed_get_count(model);
        fill_random(z, n, 2e-6);
        const br_wrench a = br_distributed_eval(model, z, slide, 2.0, dz);
        const br_wrench b = br_distributed_eval(fresh, z, slide, 2.0, dz2);
        assert_true(memcmp(&a, &b, sizeof a) == 0 && memcmp(dz, dz2, n * sizeof *dz) == 0);
        memcpy(dz, z, sizeof z);
        const br_wrench c = br_distributed_step(model, z, slide, 2.0, 1e-3, NULL);
        const br_wrench d = br_distributed_step(fresh, dz, slide, 2.0, 1e-3, NULL);
        assert_true(memcmp(&c, &d, sizeof c) == 0 && memcmp(z, dz, n * sizeof *z) == 0);
        br_distributed_destroy(model);
        br_distributed_destroy(fresh);
        br_patch_destroy(patch);
    }
}

static void a_spread_blocks_model_is_the_one_made_at_that_force(void** state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        br_patch* patch = make(kind_of_growth(kind));
        br_blocks* model = make_blocks(patch, 20.0, 0);
        br_blocks* fresh = make_blocks(patch, 2.0, 0);
        assert_true(br_blocks_depends_on_force(model));
        br_blocks_spread(model, 0.1);
        br_blocks_spread(model, 2.0);
        const size_t n = 3 * br_blocks_get_count(model);
        assert_int_equal(n, 3 * br_blocks_get_count(fresh));
        fill_random(z, n / 3 * 2, 2e-6);
        fill_random(z + n / 3 * 2, n / 3, 1e-9);
        const br_wrench a = br_blocks_eval(model, z, slide, 2.0, dz);
        const br_wrench b = br_blocks_eval(fresh, z, slide, 2.0, dz2);
        assert_true(memcmp(&a, &b, sizeof a) == 0 && memcmp(dz, dz2, n * sizeof *dz) == 0);
        memcpy(dz, z, sizeof z);
        const br_wrench c = br_blocks_step(model, z, slide, 2.0, 1e-3, NULL);
        const br_wrench d = br_blocks_step(fresh, dz, slide, 2.0, 1e-3, NULL);
        assert_true(memcmp(&c, &d, sizeof c) == 0 && memcmp(z, dz, n * sizeof *z) == 0);
        br_blocks_destroy(model);
        br_blocks_destroy(fresh);
        br_patch_destroy(patch);
    }
}

/* Oracle: invariant. Whatever the force, blocks have the weight, CoP and u of their cells. */
static void blocks_keep_the_moments_of_the_pressure(void** state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        br_patch* patch = make(kind_of_growth(kind));
        br_blocks* model = make_blocks(patch, 1.0, 0);
        for (double fn = 0.05; fn < 30.0; fn *= 3.0) {
            br_blocks_spread(model, fn);
            double one = 0.0, x = 0.0, u = 0.0;
            for (size_t i = 0; i < br_blocks_get_count(model); i++) {
                const br_blocks_block b = br_blocks_get_block(model, i);
                one += b.weight;
                x += b.weight * b.position.x;
                u += b.weight * (br_vec2_dot(b.position, b.position) + b.xx + b.yy);
            }
            assert_near(one, 1.0, 1e-12 /* rounding of a thousand cells */);
            assert_near(x, 0.0, 1e-15 /* m, the same */);
            assert_near_relative(u, br_blocks_get_patch_value(model).u, 1e-12);
        }
        br_blocks_destroy(model);
        br_patch_destroy(patch);
    }
}

/* Oracle: the plain twin, at a force where most cells and blocks carry nothing. */
static void plain_and_fast_agree_on_a_small_patch(void** state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        br_patch* patch = make(kind_of_growth(kind));
        br_distributed* fast = make_distributed(patch, 0.2, 21, 0);
        br_distributed* plain = make_distributed(patch, 0.2, 21, 1);
        const size_t n = 2 * br_distributed_get_count(fast);
        fill_random(z, n, 1.2e-6);
        const br_wrench a = br_distributed_eval(fast, z, slide, 1.0, dz);
        const br_wrench b = br_distributed_eval(plain, z, slide, 1.0, dz2);
        assert_same_wrench(a, b, 1e-12 /* N, rounding */, 1e-14 /* N m */);
        for (size_t i = 0; i < n; i++) {
            assert_near(dz[i], dz2[i], 1e-13 /* m/s, rounding */);
        }
        br_distributed_destroy(fast);
        br_distributed_destroy(plain);

        br_blocks* quick = make_blocks(patch, 0.2, 0);
        br_blocks* slow = make_blocks(patch, 0.2, 1);
        const size_t m = 3 * br_blocks_get_count(quick);
        fill_random(z + m / 3 * 2, m / 3, 1e-9);
        const br_wrench c = br_blocks_eval(quick, z, slide, 1.0, dz);
        const br_wrench d = br_blocks_eval(slow, z, slide, 1.0, dz2);
        assert_same_wrench(c, d, 1e-12, 1e-14);
        for (size_t i = 0; i < m; i++) {
            assert_near(dz[i], dz2[i], 1e-13);
        }
        br_blocks_destroy(quick);
        br_blocks_destroy(slow);
        br_patch_destroy(patch);
    }
}

/* Oracle: the patch at its largest, where every cell carries. Bristles of cells that carry nothing
 * live on as if they did; padding stays 0. */
static void idle_cells_integrate_their_bristles(void** state)
{
    (void)state;
    br_patch* patch = make(growing_power(1.0));
    br_distributed* model = make_distributed(patch, 1.0, 21, 0);
    const size_t n = br_distributed_get_count(model);
    fill_random(z, 2 * n, 1.2e-6);
    size_t idle = 0, padding = 0;
    br_distributed_spread(model, 0.05);
    br_distributed_eval(model, z, slide, 1.0, dz);
    br_distributed_spread(model, 20.0);
    br_distributed_eval(model, z, slide, 1.0, dz2);
    for (size_t i = 0; i < 2 * n; i++) {
        assert_near(dz[i], dz2[i], 1e-16 /* m/s: the CoP moves by rounding */);
    }
    br_distributed_spread(model, 0.05);
    for (size_t i = 0; i < n; i++) {
        const double weight = br_distributed_get_cell(model, i).weight;
        idle += weight == BR_CELLS_IDLE;
        padding += weight == 0.0;
        assert_true(weight > 0.0 || (dz[i] == 0.0 && dz[n + i] == 0.0));
    }
    assert_true(idle > 250 && padding > 0);

    // nor do they add to the force
    const br_wrench before = br_distributed_eval(model, z, slide, 1.0, dz);
    for (size_t i = 0; i < n; i++) {
        z[i] = br_distributed_get_cell(model, i).weight == BR_CELLS_IDLE ? 1e-3 : z[i];
    }
    const br_wrench after = br_distributed_eval(model, z, slide, 1.0, dz);
    assert_same_wrench(after, before, 0.0, 0.0);
    br_distributed_destroy(model);
    br_patch_destroy(patch);
}

/* Oracle: exact limits. Without force a growing disc is a point at its centre; NaN gives NaN. */
static void no_force_makes_a_point_and_nan_stays_nan(void** state)
{
    (void)state;
    br_patch* patch = make(growing_power(1.0));
    br_distributed* model = make_distributed(patch, 1.0, 21, 0);
    br_blocks* blocks = make_blocks(patch, 1.0, 0);
    br_distributed_spread(model, 1e-300);
    assert_near(br_distributed_get_patch_value(model).r, 0.0, 1e-15 /* m */);
    br_distributed_spread(model, 0.0);
    br_blocks_spread(blocks, 0.0);
    assert_near(br_distributed_get_patch_value(model).r, 0.0,
                1e-15 /* m: all in the middle cell */);
    assert_near(br_blocks_get_patch_value(blocks).r, 0.0,
                4e-4 /* m: an even number of cells has four in the middle, 0.25 mm wide */);
    memset(z, 0, sizeof z);
    br_distributed_spread(model, (double)NAN);
    br_blocks_spread(blocks, (double)NAN);
    assert_true(isnan(br_distributed_eval(model, z, slide, 1.0, dz).fx));
    assert_true(isnan(br_blocks_eval(blocks, z, slide, 1.0, dz).fx));
    br_distributed_spread(model, 1.0);
    br_blocks_spread(blocks, 1.0);
    assert_true(isfinite(br_distributed_eval(model, z, slide, 1.0, dz).fx));
    assert_true(isfinite(br_blocks_eval(blocks, z, slide, 1.0, dz).fx));
    br_distributed_destroy(model);
    br_blocks_destroy(blocks);
    br_patch_destroy(patch);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(centre_sampling_takes_the_cells_whose_centre_is_inside),
        cmocka_unit_test(centre_sampling_converges_to_the_patch),
        cmocka_unit_test(a_sliver_without_a_cell_centre_is_refused),
        cmocka_unit_test(the_table_of_a_power_law_is_its_share_within_a_radius),
        cmocka_unit_test(cells_weighed_again_and_again_are_nearly_exact),
        cmocka_unit_test(the_full_force_is_where_the_radius_is_full),
        cmocka_unit_test(cells_in_place_carry_the_patch_of_each_force),
        cmocka_unit_test(a_disc_that_grows_without_end_is_refused),
        cmocka_unit_test(a_spread_distributed_model_is_the_one_made_at_that_force),
        cmocka_unit_test(a_spread_blocks_model_is_the_one_made_at_that_force),
        cmocka_unit_test(blocks_keep_the_moments_of_the_pressure),
        cmocka_unit_test(plain_and_fast_agree_on_a_small_patch),
        cmocka_unit_test(idle_cells_integrate_their_bristles),
        cmocka_unit_test(no_force_makes_a_point_and_nan_stays_nan),
    };
    return run_group(argc, argv, tests);
}
