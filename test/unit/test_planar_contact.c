/*
 * One planar contact of any method: made, spread, evaluated.
 */
#include "planar_shapes.h"

#include "bristle/contact.h"

#include <string.h>

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

/* Oracle: the families that came before. */
static void cells_equal_the_distributed_model(void** state)
{
    (void)state;
    static double z[MOST], dz[MOST], other[MOST];
    uint64_t seed = 1;
    for (int i = 0; i < 2 * PATCHES; i++) {
        br_patch* patch = make_patch(patch_def(i / 2));
        const br_law_kind kind = i % 2 ? BR_LAW_LUGRE : BR_LAW_ELASTO_PLASTIC;
        br_contact* c = make_contact(patch, BR_METHOD_DISTRIBUTED, kind);
        br_distributed_def def = br_distributed_def_default();
        def.patch = patch, def.law = br_law_default(kind);
        br_distributed* old;
        assert_status(br_distributed_create(&def, &old, NULL), BR_OK);
        const size_t n = br_contact_get_part_count(c), m = br_distributed_get_count(old);
        for (int k = 0; k < 20; k++) {
            const br_twist v = any_twist(&seed);
            fill_random(&seed, c, z);
            double* old_z = other;
            memcpy(old_z, z, m * sizeof *z);
            memcpy(old_z + m, z + n, m * sizeof *z);
            const br_wrench f = br_contact_eval(c, z, v, 2.0, dz);
            const br_wrench g = br_distributed_eval(old, old_z, v, 2.0, other + 2 * m);
            assert_wrench(f, g, 1e-12 * (fabs(g.fx) + fabs(g.fy) + 1.0));
            for (size_t j = 0; j < m; j++) {
                assert_near(dz[j], other[2 * m + j], 1e-12);
            }
            assert_wrench(br_contact_steady_eval(c, v, 2.0, NULL),
                          br_distributed_steady_eval(old, v, 2.0), 1e-13);
        }
        br_distributed_destroy(old);
        br_contact_destroy(c);
        br_patch_destroy(patch);
    }
}

/* Oracle: the families that came before. */
static void blocks_equal_the_blocks_model(void** state)
{
    (void)state;
    static double z[MOST], dz[MOST], other[MOST];
    uint64_t seed = 2;
    for (int i = 0; i < 2 * PATCHES; i++) {
        br_patch* patch = make_patch(patch_def(i / 2));
        const br_law_kind kind = i % 2 ? BR_LAW_LUGRE : BR_LAW_ELASTO_PLASTIC;
        br_contact* c = make_contact(patch, BR_METHOD_BLOCKS, kind);
        br_blocks_def def = br_blocks_def_default();
        def.patch = patch, def.law = br_law_default(kind);
        br_blocks* old;
        assert_status(br_blocks_create(&def, &old, NULL), BR_OK);
        const size_t n = br_contact_get_part_count(c), m = br_blocks_get_count(old);
        for (int k = 0; k < 20; k++) {
            const br_twist v = any_twist(&seed);
            fill_random(&seed, c, z);
            for (size_t b = 0; b < 3; b++) {
                memcpy(other + b * m, z + b * n, m * sizeof *z);
            }
            const br_wrench f = br_contact_eval(c, z, v, 2.0, dz);
            const br_wrench g = br_blocks_eval(old, other, v, 2.0, other + 3 * m);
            assert_wrench(f, g, 1e-12 * (fabs(g.fx) + fabs(g.fy) + 1.0));
            br_contact_steady_eval(c, v, 2.0, z);
            br_blocks_steady_state_eval(old, v, other);
            for (size_t b = 0; b < 3; b++) {
                for (size_t j = 0; j < m; j++) {
                    assert_near(z[b * n + j], other[b * m + j], 1e-18 /* m: rounding of 1e-6 */);
                }
            }
        }
        br_blocks_destroy(old);
        br_contact_destroy(c);
        br_patch_destroy(patch);
    }
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

// A contact and the family that came before it, with the state of the one laid out for the other.
typedef struct pair {
    br_contact* c;
    br_distributed* cells;
    br_blocks* blocks;
    br_reduced* reduced;
    br_limit* surface;
    br_patch* patch;
} pair;

static pair make_pair(int shape, br_method method, br_law_kind kind)
{
    pair p = {.patch = make_patch(patch_def(shape))};
    const br_law law = br_law_default(kind);
    p.c = make_contact(p.patch, method, kind);
    if (method == BR_METHOD_DISTRIBUTED) {
        br_distributed_def def = br_distributed_def_default();
        def.patch = p.patch, def.law = law;
        assert_status(br_distributed_create(&def, &p.cells, NULL), BR_OK);
    } else if (method == BR_METHOD_BLOCKS) {
        br_blocks_def def = br_blocks_def_default();
        def.patch = p.patch, def.law = law;
        assert_status(br_blocks_create(&def, &p.blocks, NULL), BR_OK);
    } else {
        br_limit_def surface = br_limit_def_default();
        surface.patch = p.patch;
        surface.method = method == BR_METHOD_REDUCED ? BR_LIMIT_SMOOTH : BR_LIMIT_ELLIPSOID;
        assert_status(br_limit_create(&surface, &p.surface, NULL), BR_OK);
        br_reduced_def def = br_reduced_def_default();
        def.surface = p.surface, def.law = law;
        assert_status(br_reduced_create(&def, &p.reduced, NULL), BR_OK);
    }
    return p;
}

static void destroy_pair(pair p)
{
    br_contact_destroy(p.c);
    br_distributed_destroy(p.cells);
    br_blocks_destroy(p.blocks);
    br_reduced_destroy(p.reduced);
    br_limit_destroy(p.surface);
    br_patch_destroy(p.patch);
}

static size_t old_count(const pair* p)
{
    return p->cells    ? br_distributed_get_count(p->cells)
           : p->blocks ? br_blocks_get_count(p->blocks)
                       : 1;
}

static void to_old(const pair* p, const double* z, double* out)
{
    const size_t n = br_contact_get_part_count(p->c), m = old_count(p);
    for (size_t k = 0; k < br_contact_get_state_count(p->c) / n; k++) {
        memcpy(out + k * m, z + k * n, m * sizeof *z);
    }
}

static br_step_contact old_contact(const pair* p, double* z, double fn)
{
    return (br_step_contact){.distributed = p->cells,
                             .blocks = p->blocks,
                             .reduced = p->reduced,
                             .z = z,
                             .fn = fn,
                             .count = 1.0};
}

/* Oracle: the families that came before. */
static void slip_load_step_and_energy_are_as_before(void** state)
{
    (void)state;
    static double z[MOST], old[MOST];
    uint64_t seed = 6;
    for (int i = 0; i < 2 * 4 * PATCHES; i++) {
        const pair p =
            make_pair(i / 8, (br_method)(i / 2 % 4), i % 2 ? BR_LAW_LUGRE : BR_LAW_ELASTO_PLASTIC);
        for (int k = 0; k < 10; k++) {
            const br_twist v = any_twist(&seed);
            const double h = pow(10.0, uniform(&seed, -6.0, -1.0));
            fill_random(&seed, p.c, z);
            to_old(&p, z, old);
            br_step_contact was = old_contact(&p, old, 2.0);
            const br_contact_slip a = br_contact_slip_eval(p.c, z, v, 2.0, BR_STICK);
            const br_step_slip b = br_step_slip_eval(&was, v, BR_STICK);
            assert_near(a.slip_rate, b.slip_rate, 2e-6 * b.slip_rate /* g there: to 1e-6 */);
            assert_near(a.margin, b.margin, 2e-6 * fmax(1.0, fabs(b.margin)));
            assert_near(br_contact_load_eval(p.c, z, v, 2.0), br_step_load_eval(&was, v),
                        1e-5 /* g there is right to 1e-6 */);
            assert_near(br_contact_stored(p.c, z, 2.0), br_step_stored(&was),
                        1e-14 * br_step_stored(&was) /* rounding of the sum */);
            br_step_energy e, e_was;
            const br_wrench f = br_contact_step(p.c, z, v, 2.0, h, &e);
            const br_wrench g = p.cells    ? br_distributed_step(p.cells, old, v, 2.0, h, &e_was)
                                : p.blocks ? br_blocks_step(p.blocks, old, v, 2.0, h, &e_was)
                                           : br_reduced_step(p.reduced, old, v, 2.0, h, &e_was);
            assert_wrench(f, g, 1e-9 * (fabs(g.fx) + fabs(g.fy) + 1.0));
            assert_near(e.stored, e_was.stored, 1e-9 * e_was.stored);
            assert_near(e.work, e_was.work, 1e-9 * (fabs(e_was.work) + e_was.stored));
        }
        destroy_pair(p);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_equal_the_distributed_model),
        cmocka_unit_test(blocks_equal_the_blocks_model),
        cmocka_unit_test(parts_sum_to_the_contact),
        cmocka_unit_test(steady_bristles_do_not_move),
        cmocka_unit_test(slip_load_step_and_energy_are_as_before),
    };
    return run_group(argc, argv, tests);
}
