/*
 * Patches that change with the normal force: their cells, and the contacts built from cells.
 */
#include "growth_shapes.h"

#include "patch/power_law.h"

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

    // the L of three squares, cut into 4 x 4 cells: 12 of them, in whichever order its vertices are given
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
        const double k = exponents[i], norm = bri_power_law_norm(k);
        power_law_table share;
        bri_power_law_table_fill(&share, k, norm);
        for (double rho = 0.0; rho <= 1.0; rho += 1e-3) {
            assert_near(bri_power_law_table_inside(&share, rho), bri_power_law_inside(k, norm, rho),
                        2e-7 /* power_law.h */);
        }
    }
}

/* Oracle: cells that are weighed once for all, by the exact method. */
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
        br_contact* exact = make_distributed(constant, 21, 0);
        br_contact* contact = make_distributed(growing, 21, 0);
        void* memory = spread_memory(contact);
        const br_contact* now = br_contact_at_force(contact, 1.0, memory);
        assert_int_equal(br_contact_get_part_count(exact), br_contact_get_part_count(now));
        for (size_t i = 0; i < br_contact_get_part_count(exact); i++) {
            const double weight = br_contact_get_part(exact, i).weight;
            assert_near(br_contact_get_part(now, i).weight, weight,
                        4e-5 * weight + 1e-5 / 349.0 /* growth.c: some 1e-5; of the mean force */);
        }
        test_free(memory);
        br_contact_destroy(exact);
        br_contact_destroy(contact);
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
        br_contact* contact = make_distributed(patch, 40, 0);
        void* memory = spread_memory(contact);
        const double fn = forces[i % 4];
        const br_contact* now = br_contact_at_force(contact, fn, memory);
        const br_patch_value sums = br_contact_get_patch_value(now);
        const br_patch_value exact = br_patch_eval(patch, fn);

        // covered cells err by the square of cell over the shorter semi-axis, centres by half of it to the first
        const br_patch_def* def = br_patch_get_def(patch);
        const double cells = def->ratio * br_by_force_eval(def->radius, fn) / 0.0005;
        const double share = i / 4 == 3 ? 0.5 / cells : 1.0 / (cells * cells);
        assert_near(sums.r, exact.r, share * exact.r);
        assert_near(sums.u, exact.u, share * exact.u);
        assert_near(sums.cop.x, exact.cop.x, share * exact.r);
        assert_near(sums.cop.y, exact.cop.y, share * exact.r);
        test_free(memory);
        br_contact_destroy(contact);
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
    br_contact_def def = br_contact_def_default();
    br_limit_def limit = br_limit_def_default();
    def.patch = limit.patch = patch;
    limit.method = BR_LIMIT_GRID;
    br_contact* c;
    br_limit* l;
    def.method = BR_METHOD_DISTRIBUTED;
    assert_status(br_contact_create(&def, &c, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "radius.max");
    assert_null(c);
    why.field[0] = '\0';
    def.method = BR_METHOD_BLOCKS;
    assert_status(br_contact_create(&def, &c, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "radius.max");
    assert_status(br_limit_create(&limit, &l, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "radius.max");
    assert_true(!c && !l);
    br_patch_destroy(patch);
}

/* ---- contacts --------------------------------------------------------------------------------- */

// A contact that has followed the force before, and one that has not.
typedef struct twins {
    br_contact *contact, *other;
    void *memory, *other_memory;
    const br_contact *now, *fresh;
} twins;

static twins twins_at(const br_patch* patch, br_method method, double fn)
{
    twins t;
    t.contact = method == BR_METHOD_BLOCKS ? make_blocks(patch, 0) : make_distributed(patch, 21, 0);
    t.other = method == BR_METHOD_BLOCKS ? make_blocks(patch, 0) : make_distributed(patch, 21, 0);
    t.memory = spread_memory(t.contact);
    t.other_memory = spread_memory(t.other);
    br_contact_at_force(t.contact, 20.0, t.memory);
    br_contact_at_force(t.contact, 0.1, t.memory);
    t.now = br_contact_at_force(t.contact, fn, t.memory);
    t.fresh = br_contact_at_force(t.other, fn, t.other_memory);
    return t;
}

static void twins_free(twins* t)
{
    test_free(t->memory);
    test_free(t->other_memory);
    br_contact_destroy(t->contact);
    br_contact_destroy(t->other);
}

static void assert_same_parts(const br_contact* a, const br_contact* b)
{
    assert_int_equal(br_contact_get_part_count(a), br_contact_get_part_count(b));
    for (size_t i = 0; i < br_contact_get_part_count(a); i++) {
        const br_contact_part p = br_contact_get_part(a, i), q = br_contact_get_part(b, i);
        assert_true(memcmp(&p, &q, sizeof p) == 0);
    }
}

// Parts, rates, wrenches and steps to the last bit.
static void assert_same_contact(const br_contact* a, const br_contact* b)
{
    const size_t n = br_contact_get_state_count(a), parts = br_contact_get_part_count(a);
    assert_same_parts(a, b);
    fill_random(z, 2 * parts, 2e-6);
    fill_random(z + 2 * parts, n - 2 * parts, 1e-9);
    const br_wrench f = br_contact_eval(a, z, slide, 2.0, dz);
    const br_wrench g = br_contact_eval(b, z, slide, 2.0, dz2);
    assert_true(memcmp(&f, &g, sizeof f) == 0 && memcmp(dz, dz2, n * sizeof *dz) == 0);
    memcpy(dz, z, sizeof z);
    const br_wrench c = br_contact_step(a, z, slide, 2.0, 1e-3, NULL);
    const br_wrench d = br_contact_step(b, dz, slide, 2.0, 1e-3, NULL);
    assert_true(memcmp(&c, &d, sizeof c) == 0 && memcmp(z, dz, n * sizeof *z) == 0);
}

static void assert_spread_is_fresh(br_method method)
{
    for (int kind = 0; kind < KINDS; kind++) {
        br_patch* patch = make(kind_of_growth(kind));
        twins t = twins_at(patch, method, 2.0);
        assert_true(br_contact_get_at_force_size(t.contact) > 0);
        assert_same_contact(t.now, t.fresh);
        assert_same_parts(t.contact, t.other); // spreading has not changed the contact itself
        twins_free(&t);
        br_patch_destroy(patch);
    }
}

/* Oracle: one that is spread for the first time, to the last bit, wherever the other comes from. */
static void spread_cells_do_not_remember_the_forces_before(void** state)
{
    (void)state;
    assert_spread_is_fresh(BR_METHOD_DISTRIBUTED);
}

static void spread_blocks_do_not_remember_the_forces_before(void** state)
{
    (void)state;
    assert_spread_is_fresh(BR_METHOD_BLOCKS);
}

// A contact with another law, like one that was prepared for these forces (count), or for none.
static br_contact* make_slippery(const br_patch* patch, br_method method, const double* forces,
                                 size_t count, br_contact** base)
{
    br_contact_def def = br_contact_def_default();
    def.patch = patch;
    def.method = method;
    def.forces = forces;
    def.force_count = count;
    br_contact* out;
    assert_status(br_contact_create(&def, base, NULL), BR_OK);
    def.share_geometry_of = *base;
    def.law.mu_c = def.law.mu_s = 0.1;
    assert_status(br_contact_create(&def, &out, NULL), BR_OK);
    return out;
}

/* Oracle: one that is not prepared, to the last bit, at forces that were prepared and at others, in any order. */
static void a_contact_prepared_for_forces_is_what_it_would_be_at_them(void** state)
{
    (void)state;
    static const double prepared[] = {2.0, 0.3, 2.0, 0.0};
    static const double asked[] = {0.3, 2.0, 1.0, 2.0, 0.0, 0.3, 0.3, 7.0};
    for (int i = 0; i < 2 * KINDS; i++) {
        const br_method method = i % 2 ? BR_METHOD_BLOCKS : BR_METHOD_DISTRIBUTED;
        br_patch* patch = make(kind_of_growth(i / 2));
        br_contact *base, *plain_base;
        br_contact* contact = make_slippery(patch, method, prepared, COUNT(prepared), &base);
        br_contact* plain = make_slippery(patch, method, NULL, 0, &plain_base);
        void *memory = spread_memory(contact), *plain_memory = spread_memory(plain);
        for (size_t k = 0; k < COUNT(asked); k++) {
            assert_same_contact(br_contact_at_force(contact, asked[k], memory),
                                br_contact_at_force(plain, asked[k], plain_memory));
        }
        test_free(memory);
        test_free(plain_memory);
        br_contact_destroy(contact);
        br_contact_destroy(base);
        br_contact_destroy(plain);
        br_contact_destroy(plain_base);
        br_patch_destroy(patch);
    }
}

static void a_force_to_prepare_for_must_not_pull(void** state)
{
    (void)state;
    static const double forces[] = {1.0, -1.0};
    br_patch* patch = make(kind_of_growth(0));
    br_contact_def def = br_contact_def_default();
    def.patch = patch;
    def.forces = forces;
    def.force_count = COUNT(forces);
    br_contact* contact;
    br_reason why;
    assert_status(br_contact_create(&def, &contact, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "forces");
    br_patch_destroy(patch);
}

/* Oracle: invariant. Whatever the force, blocks have the weight, CoP and u of their cells. */
static void blocks_keep_the_moments_of_the_pressure(void** state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        br_patch* patch = make(kind_of_growth(kind));
        br_contact* contact = make_blocks(patch, 0);
        void* memory = spread_memory(contact);
        for (double fn = 0.05; fn < 30.0; fn *= 3.0) {
            const br_contact* now = br_contact_at_force(contact, fn, memory);
            double one = 0.0, x = 0.0, u = 0.0;
            for (size_t i = 0; i < br_contact_get_part_count(now); i++) {
                const br_contact_part b = br_contact_get_part(now, i);
                one += b.weight;
                x += b.weight * b.position.x;
                u += b.weight * (br_vec2_dot(b.position, b.position) + b.xx + b.yy);
            }
            assert_near(one, 1.0, 1e-12 /* rounding of a thousand cells */);
            assert_near(x, 0.0, 1e-15 /* m, the same */);
            assert_near_relative(u, br_contact_get_patch_value(now).u, 1e-12);
        }
        test_free(memory);
        br_contact_destroy(contact);
        br_patch_destroy(patch);
    }
}

// Rates and wrench of both at 0.2 N; frees them.
static void compare_lanes(br_contact* fast, br_contact* plain)
{
    void *memory = spread_memory(fast), *plain_memory = spread_memory(plain);
    const br_contact* a = br_contact_at_force(fast, 0.2, memory);
    const br_contact* b = br_contact_at_force(plain, 0.2, plain_memory);
    const size_t n = br_contact_get_state_count(a), parts = br_contact_get_part_count(a);
    fill_random(z, 2 * parts, 1.2e-6);
    fill_random(z + 2 * parts, n - 2 * parts, 1e-9);
    const br_wrench f = br_contact_eval(a, z, slide, 1.0, dz);
    const br_wrench g = br_contact_eval(b, z, slide, 1.0, dz2);
    assert_same_wrench(f, g, 1e-12 /* N, rounding */, 1e-14 /* N m */);
    for (size_t i = 0; i < n; i++) {
        assert_near(dz[i], dz2[i], 1e-13 /* m/s, rounding */);
    }
    test_free(memory);
    test_free(plain_memory);
    br_contact_destroy(fast);
    br_contact_destroy(plain);
}

/* Oracle: one lane, at a force where most cells and blocks carry nothing. */
static void all_lanes_and_one_agree_on_a_small_patch(void** state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        br_patch* patch = make(kind_of_growth(kind));
        compare_lanes(make_distributed(patch, 21, 0), make_distributed(patch, 21, 1));
        compare_lanes(make_blocks(patch, 0), make_blocks(patch, 1));
        br_patch_destroy(patch);
    }
}

/* Oracle: the patch at its largest, where every cell carries. Bristles of cells that carry nothing
 * live on as if they did; padding stays 0. */
static void idle_cells_integrate_their_bristles(void** state)
{
    (void)state;
    br_patch* patch = make(growing_power(1.0));
    br_contact* contact = make_distributed(patch, 21, 0);
    void *memory = spread_memory(contact), *full_memory = spread_memory(contact);
    const br_contact* small = br_contact_at_force(contact, 0.05, memory);
    const br_contact* full = br_contact_at_force(contact, 20.0, full_memory);
    const size_t n = br_contact_get_part_count(contact);
    fill_random(z, 2 * n, 1.2e-6);
    size_t idle = 0, padding = 0;
    br_contact_eval(small, z, slide, 1.0, dz);
    br_contact_eval(full, z, slide, 1.0, dz2);
    for (size_t i = 0; i < 2 * n; i++) {
        assert_near(dz[i], dz2[i], 1e-16 /* m/s: the CoP moves by rounding */);
    }
    for (size_t i = 0; i < n; i++) {
        const double weight = br_contact_get_part(small, i).weight;
        idle += weight == BR_CELLS_IDLE;
        padding += weight == 0.0;
        assert_true(weight > 0.0 || (dz[i] == 0.0 && dz[n + i] == 0.0));
    }
    assert_true(idle > 250 && padding > 0);

    // nor do they add to the force
    const br_wrench before = br_contact_eval(small, z, slide, 1.0, dz);
    for (size_t i = 0; i < n; i++) {
        z[i] = br_contact_get_part(small, i).weight == BR_CELLS_IDLE ? 1e-3 : z[i];
    }
    const br_wrench after = br_contact_eval(small, z, slide, 1.0, dz);
    assert_same_wrench(after, before, 0.0, 0.0);
    test_free(memory);
    test_free(full_memory);
    br_contact_destroy(contact);
    br_patch_destroy(patch);
}

/* Oracle: exact limits. Without force a growing disc is a point at its centre; NaN gives NaN. */
static void no_force_makes_a_point_and_nan_stays_nan(void** state)
{
    (void)state;
    br_patch* patch = make(growing_power(1.0));
    br_contact *cells = make_distributed(patch, 21, 0), *blocks = make_blocks(patch, 0);
    void *memory = spread_memory(cells), *blocks_memory = spread_memory(blocks);
    const br_contact* a = br_contact_at_force(cells, 1e-300, memory);
    assert_near(br_contact_get_patch_value(a).r, 0.0, 1e-15 /* m */);
    a = br_contact_at_force(cells, 0.0, memory);
    const br_contact* b = br_contact_at_force(blocks, 0.0, blocks_memory);
    assert_near(br_contact_get_patch_value(a).r, 0.0, 1e-15 /* m: all in the middle cell */);
    assert_near(br_contact_get_patch_value(b).r, 0.0,
                4e-4 /* m: an even number of cells has four in the middle, 0.25 mm wide */);
    memset(z, 0, sizeof z);
    a = br_contact_at_force(cells, (double)NAN, memory);
    b = br_contact_at_force(blocks, (double)NAN, blocks_memory);
    assert_true(isnan(br_contact_eval(a, z, slide, 1.0, dz).fx));
    assert_true(isnan(br_contact_eval(b, z, slide, 1.0, dz).fx));
    a = br_contact_at_force(cells, 1.0, memory);
    b = br_contact_at_force(blocks, 1.0, blocks_memory);
    assert_true(isfinite(br_contact_eval(a, z, slide, 1.0, dz).fx));
    assert_true(isfinite(br_contact_eval(b, z, slide, 1.0, dz).fx));
    test_free(memory);
    test_free(blocks_memory);
    br_contact_destroy(cells);
    br_contact_destroy(blocks);
    br_patch_destroy(patch);
}

static int broken;

static void count_broken(const char* expression, const char* file, int line)
{
    (void)expression, (void)file, (void)line;
    broken++;
}

/* Oracle: the contract. A contact that depends on the force is created at 1 N; a step of it at another force, without
 * br_contact_at_force(), is an error of the caller. Fixed patches have no such force. */
static void a_growing_contact_asserts_its_force(void** state)
{
    (void)state;
    static const br_method methods[] = {BR_METHOD_DISTRIBUTED, BR_METHOD_BLOCKS, BR_METHOD_REDUCED,
                                        BR_METHOD_ELLIPSOID};
    for (size_t i = 0; i < 2 * COUNT(methods); i++) {
        br_patch_def shape = br_patch_def_default();
        br_patch* patch = NULL;
        br_contact* contact = NULL;
        const int grows = i < COUNT(methods);
        shape.radius = grows ? (br_by_force){0.01, 1.0 / 3.0, 0.05} : br_by_force_constant(0.01);
        assert_status(br_patch_create(&shape, &patch, NULL), BR_OK);
        br_contact_def def = br_contact_def_default();
        def.patch = patch, def.method = methods[i % COUNT(methods)];
        def.law = br_law_from_mu(0.4, 0.005, 0.0, 1.0);
        assert_status(br_contact_create(&def, &contact, NULL), BR_OK);
        const size_t count = br_contact_get_state_count(contact);
        double* bristles = br_allocate(count, sizeof *bristles);
        void* memory = br_allocate(br_contact_get_at_force_size(contact) + 1, 1);
        const br_twist v = {0.01, 0.0, 0.1};
        broken = 0;
        br_set_assert_handler(count_broken);
        if (def.method != BR_METHOD_REDUCED) { // that is created at the force of its surface
            br_contact_step(contact, bristles, v, 1.0, 1e-3, NULL);
        }
        br_contact_step(contact, bristles, v, 0.0, 1e-3, NULL);
        br_contact_step(br_contact_at_force(contact, 8.0, memory), bristles, v, 8.0, 1e-3, NULL);
        assert_int_equal(broken, 0);
        br_contact_step(contact, bristles, v, 8.0, 1e-3, NULL);
        assert_int_equal(broken, grows);
        br_set_assert_handler(NULL);
        br_release(bristles);
        br_release(memory);
        br_contact_destroy(contact);
        br_patch_destroy(patch);
    }
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
        cmocka_unit_test(spread_cells_do_not_remember_the_forces_before),
        cmocka_unit_test(spread_blocks_do_not_remember_the_forces_before),
        cmocka_unit_test(a_contact_prepared_for_forces_is_what_it_would_be_at_them),
        cmocka_unit_test(a_force_to_prepare_for_must_not_pull),
        cmocka_unit_test(blocks_keep_the_moments_of_the_pressure),
        cmocka_unit_test(all_lanes_and_one_agree_on_a_small_patch),
        cmocka_unit_test(idle_cells_integrate_their_bristles),
        cmocka_unit_test(no_force_makes_a_point_and_nan_stays_nan),
        cmocka_unit_test(a_growing_contact_asserts_its_force),
    };
    return run_group(argc, argv, tests);
}
