/*
 * Patches that change with the normal force: limit surfaces that follow it, motions over time, and
 * memory.
 */
#include "growth_shapes.h"

#include "bristle/motion.h"

static double z[MOST], dz[MOST], dz2[MOST];
static const br_twist slide = {0.004, -0.002, 0.6};

/* ---- limit surfaces --------------------------------------------------------------------------- */

static void assert_same_surface(const br_limit* a, const br_limit* b, double tolerance)
{
    const br_patch_value p = br_limit_get_patch_value(a), q = br_limit_get_patch_value(b);
    assert_near(p.r, q.r, 1e-14 /* m, rounding */);
    assert_near(p.u, q.u, 1e-16 /* m^2 */);
    assert_near(p.cop.x, q.cop.x, 1e-15 /* m */);
    uint64_t seed = 3;
    for (int i = 0; i < 200; i++) {
        const br_twist v = {uniform(&seed, -1.0, 1.0), uniform(&seed, -1.0, 1.0),
                            uniform(&seed, -300.0, 300.0)};
        const br_limit_value f = br_limit_eval(a, v), g = br_limit_eval(b, v);
        assert_same_wrench(f.wrench, g.wrench, tolerance, tolerance * q.r);
        double j[3][3], k[3][3];
        br_limit_jacobian_eval(a, v, j);
        br_limit_jacobian_eval(b, v, k);
        assert_near(j[0][0], k[0][0], 1e3 * tolerance /* derivatives of it, at 1 m/s */);
        assert_near(j[0][2], k[0][2], 1e3 * tolerance);
    }
}

/* Oracle: a surface made at that force. h does not depend on the size, so a table that was made at
 * another force serves, too; where the form changes all is made anew. */
static void a_spread_surface_is_the_one_made_at_that_force(void** state)
{
    (void)state;
    static const br_limit_method methods[] = {
        BR_LIMIT_EXACT,  BR_LIMIT_SMOOTH, BR_LIMIT_BILINEAR, BR_LIMIT_ELLIPSOID,
        BR_LIMIT_FITTED, BR_LIMIT_CURVE,  BR_LIMIT_GRID,     BR_LIMIT_PUBLISHED};
    for (int i = 0; i < KINDS * 8; i++) {
        const br_limit_method method = methods[i % 8];
        br_patch* patch = make(kind_of_growth(i / 8));
        const br_patch_def* def = br_patch_get_def(patch);
        const int is_linear = def->pressure == BR_PRESSURE_LINEAR;
        const int by_cells = method == BR_LIMIT_GRID || method == BR_LIMIT_PUBLISHED;
        const int changes_form = def->pressure == BR_PRESSURE_POWER && def->k.exponent > 0.0;
        if (!(is_linear && method == BR_LIMIT_CURVE) && (!by_cells || changes_form)) {
            br_limit* surface = make_limit(patch, method, 20.0);
            br_limit* fresh = make_limit(patch, method, 2.0);
            assert_true(br_limit_depends_on_force(surface));
            void* memory = test_calloc(1, br_limit_get_spread_size(surface));
            br_limit_spread(surface, 0.5, memory);
            const br_limit* now = br_limit_spread(surface, 2.0, memory);
            assert_same_surface(now, fresh, 1e-12 /* rounding; the fast way to a grid's nodes */);
            assert_near(br_limit_get_patch_value(surface).r, br_patch_eval(patch, 20.0).r,
                        by_cells ? 1e-3 : 1e-15 /* m: the first surface has not changed */);
            test_free(memory);
            br_limit_destroy(surface);
            br_limit_destroy(fresh);
        }
        br_patch_destroy(patch);
    }
}

/* Oracle: the exact surface. */
static void a_curve_is_the_exact_surface_at_every_force(void** state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        br_patch* patch = make(kind_of_growth(kind));
        br_limit* curve = make_limit(patch, BR_LIMIT_CURVE, 0.0);
        br_limit* exact = make_limit(patch, BR_LIMIT_EXACT, 0.0);
        void* curve_memory = test_calloc(1, br_limit_get_spread_size(curve));
        void* exact_memory = test_calloc(1, br_limit_get_spread_size(exact));
        uint64_t seed = 5;
        for (double fn = 0.3; fn < 30.0; fn *= 1.2) {
            const br_twist v = {uniform(&seed, -1.0, 1.0), uniform(&seed, -1.0, 1.0),
                                uniform(&seed, -300.0, 300.0)};
            const br_limit* a = br_limit_spread(curve, fn, curve_memory);
            const br_limit* b = br_limit_spread(exact, fn, exact_memory);
            const double r = br_limit_get_patch_value(b).r;
            assert_same_wrench(br_limit_eval(a, v).wrench, br_limit_eval(b, v).wrench,
                               3e-8 /* limit.h: 2e-8 */, 3e-8 * r);
        }
        const br_limit* point = br_limit_spread(curve, 0.0, curve_memory);
        assert_near(br_limit_eval(point, (br_twist){0.1, 0.0, 50.0}).wrench.fx, -1.0, 1e-12);
        test_free(curve_memory);
        test_free(exact_memory);
        br_limit_destroy(curve);
        br_limit_destroy(exact);
        br_patch_destroy(patch);
    }
    br_patch* linear = make(with_linear(disc_def(0.01), 1.0, 2.0));
    br_limit_def def = br_limit_def_default();
    def.patch = linear;
    def.method = BR_LIMIT_CURVE;
    br_limit* none;
    br_reason why = {"", ""};
    assert_status(br_limit_create(&def, &none, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "method");
    br_patch_destroy(linear);
}

/* Oracle: a model made on a surface of that force, for both twins and all ways to look h up. */
static void a_spread_reduced_model_is_the_one_made_at_that_force(void** state)
{
    (void)state;
    static const br_limit_method methods[] = {BR_LIMIT_PUBLISHED, BR_LIMIT_BILINEAR, BR_LIMIT_CURVE,
                                              BR_LIMIT_ELLIPSOID, BR_LIMIT_EXACT};
    br_patch* patch = make(growing_power(1.0));
    for (int i = 0; i < 10; i++) {
        br_limit* surface = make_limit(patch, methods[i / 2], 20.0);
        br_limit* other = make_limit(patch, methods[i / 2], 2.0);
        br_reduced* model = make_reduced(surface, i % 2);
        br_reduced* fresh = make_reduced(other, i % 2);
        assert_true(br_reduced_depends_on_force(model));
        br_reduced_spread(model, 0.5, NULL);
        br_reduced_spread(model, 2.0, NULL);
        assert_near(br_reduced_get_patch_value(model).r, br_reduced_get_patch_value(fresh).r,
                    1e-15);
        const double state3[3] = {4e-7, -8e-7, 2e-9};
        const br_wrench a = br_reduced_eval(model, state3, slide, 2.0, dz);
        const br_wrench b = br_reduced_eval(fresh, state3, slide, 2.0, dz2);
        assert_same_wrench(a, b, 1e-11 /* N: 1e-12 of h times sigma1 |v| fn */, 1e-13);
        br_reduced_destroy(model);
        br_reduced_destroy(fresh);
        br_limit_destroy(surface);
        br_limit_destroy(other);
    }
    br_patch_destroy(patch);
}

/* ---- in time ---------------------------------------------------------------------------------- */

static const double period = 0.05;

static double force_at(double t)
{
    return 2.0 + 1.5 * sin(2.0 * BR_PI * t / period);
}

static br_twist twist_at(double t)
{
    return (br_twist){0.002 + 0.04 * t, 0.0, 0.5 - 3.0 * t};
}

static void keep_last(const br_motion_row* row, void* user)
{
    *(br_motion_row*)user = *row;
}

// The last row of a motion whose force swings.
static br_motion_row run_motion(br_motion motion)
{
    static const double times[] = {0.0, 0.1};
    static const double vx[] = {0.002, 0.006}, w[] = {0.5, 0.2};
    motion.vx = (br_profile){.kind = BR_PROFILE_TABLE, .count = 2, .t = times, .value = vx};
    motion.w = (br_profile){.kind = BR_PROFILE_TABLE, .count = 2, .t = times, .value = w};
    motion.vy = br_profile_constant(0.0);
    motion.normal_force = (br_profile){
        .kind = BR_PROFILE_SINE, .mean = 2.0, .amplitude = 1.5, .frequency = 1.0 / period};
    br_motion_row last = {0};
    br_run_def def = br_run_def_default();
    def.duration = 0.1;
    def.every = 0.01;
    def.rtol = 1e-8;
    def.atol_z = 1e-13;
    def.user = &last;
    br_reason why = {"", ""};
    if (br_motion_run(&motion, &def, keep_last, NULL, &why) != BR_OK) {
        fail_msg("%s", why.text);
    }
    return last;
}

// The rates of a model that is spread to the force of that time.
static br_wrench rate_at(const br_motion* m, double t, const double* y, double* dy)
{
    const double fn = force_at(t);
    if (m->blocks) {
        br_blocks_spread(m->blocks, fn);
        return br_blocks_eval(m->blocks, y, twist_at(t), fn, dy);
    }
    // a reduced model's bristles keep their angle z_tau/u: that is what is integrated
    br_reduced_spread(m->reduced, fn, NULL);
    const double u = br_reduced_get_patch_value(m->reduced).u, own[3] = {y[0], y[1], u * y[2]};
    const br_wrench f = br_reduced_eval(m->reduced, own, twist_at(t), fn, dy);
    dy[2] /= u;
    return f;
}

// The same by the classical method of Runge and Kutta, in small steps.
static br_wrench march(const br_motion* m, size_t states)
{
    enum { STEPS = 4000 };
    static double k[4][MOST], at[MOST];
    const double h = 0.1 / STEPS;
    memset(z, 0, sizeof z);
    for (int n = 0; n < STEPS; n++) {
        const double t = h * n;
        rate_at(m, t, z, k[0]);
        for (int stage = 1; stage < 4; stage++) {
            const double part = stage < 3 ? 0.5 * h : h;
            for (size_t i = 0; i < states; i++) {
                at[i] = z[i] + part * k[stage - 1][i];
            }
            rate_at(m, t + part, at, k[stage]);
        }
        for (size_t i = 0; i < states; i++) {
            z[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
        }
    }
    return rate_at(m, 0.1, z, dz);
}

/* Oracle: an independent integration with small steps, the force changing all the time. */
static void a_motion_spreads_the_patch_as_its_force_swings(void** state)
{
    (void)state;
    br_patch* patch = make(growing_power(1.0));
    br_limit* surface = make_limit(patch, BR_LIMIT_CURVE, 1.0);
    br_reduced* reduced = make_reduced(surface, 0);
    const br_motion by_reduced = {.reduced = reduced};
    assert_same_wrench(run_motion(by_reduced).f, march(&by_reduced, 3), 1e-5 /* N, tolerances */,
                       1e-8 /* N m */);
    br_reduced_destroy(reduced);
    br_limit_destroy(surface);
    br_patch_destroy(patch);

    br_blocks_def def = br_blocks_def_default();
    def.patch = patch = make(growing_def());
    def.resolution = 9; // coarse: this is about time
    def.blocks = 2;
    br_blocks* blocks = NULL;
    assert_status(br_blocks_create(&def, &blocks, NULL), BR_OK);
    const br_motion by_blocks = {.blocks = blocks};
    assert_same_wrench(run_motion(by_blocks).f, march(&by_blocks, 3 * br_blocks_get_count(blocks)),
                       1e-5, 1e-8);
    br_blocks_destroy(blocks);
    br_patch_destroy(patch);
}

/* ---- memory ----------------------------------------------------------------------------------- */

// One of everything that follows the force.
typedef struct family {
    br_distributed* distributed;
    br_blocks* blocks;
    br_limit* surface;
    br_reduced* reduced;
} family;

static void family_destroy(family* f)
{
    br_distributed_destroy(f->distributed);
    br_blocks_destroy(f->blocks);
    br_reduced_destroy(f->reduced);
    br_limit_destroy(f->surface);
}

static br_status family_create(const br_patch* patch, br_limit_method method, family* f)
{
    br_distributed_def distributed = br_distributed_def_default();
    br_blocks_def blocks = br_blocks_def_default();
    br_limit_def limit = br_limit_def_default();
    br_reduced_def reduced = br_reduced_def_default();
    distributed.patch = blocks.patch = limit.patch = patch;
    distributed.resolution = blocks.resolution = limit.resolution = 9;
    limit.method = method;
    limit.n = 3;
    *f = (family){NULL, NULL, NULL, NULL};
    br_status status = br_distributed_create(&distributed, &f->distributed, NULL);
    status = status == BR_OK ? br_blocks_create(&blocks, &f->blocks, NULL) : status;
    status = status == BR_OK ? br_limit_create(&limit, &f->surface, NULL) : status;
    reduced.surface = f->surface;
    status = status == BR_OK ? br_reduced_create(&reduced, &f->reduced, NULL) : status;
    return status;
}

/* Oracle: a counting allocator. Creation survives every failing allocation; spreading makes none. */
static void spreading_does_not_allocate(void** state)
{
    (void)state;
    static const br_limit_method methods[] = {BR_LIMIT_EXACT,    BR_LIMIT_SMOOTH, BR_LIMIT_BILINEAR,
                                              BR_LIMIT_GRID,     BR_LIMIT_CURVE,  BR_LIMIT_FITTED,
                                              BR_LIMIT_PUBLISHED};
    br_patch* patch = make(growing_power(1.0));
    for (size_t i = 0; i < COUNT(methods); i++) {
        counting counter = {0, 0, 0};
        br_set_allocator(counting_allocate, counting_release, &counter);
        family f;
        for (size_t fail_at = 1;; fail_at++) {
            counter.calls = 0;
            counter.fail_at = fail_at;
            const br_status status = family_create(patch, methods[i], &f);
            if (status == BR_OK) {
                break;
            }
            assert_int_equal(status, BR_ERR_MEMORY);
            family_destroy(&f);
            assert_int_equal(counter.alive, 0);
        }
        counter.calls = 0;
        br_distributed_spread(f.distributed, 3.0);
        br_blocks_spread(f.blocks, 3.0);
        br_reduced_spread(f.reduced, 3.0, NULL);
        assert_int_equal(counter.calls, 0);
        family_destroy(&f);
        assert_int_equal(counter.alive, 0);
        br_set_allocator(NULL, NULL, NULL);
    }
    br_patch_destroy(patch);
}

/* Oracle: nothing changes, to the last bit. */
static void a_patch_that_does_not_depend_on_the_force_is_left_alone(void** state)
{
    (void)state;
    br_patch* patch = make(disc_def(0.01));
    family f;
    assert_status(family_create(patch, BR_LIMIT_EXACT, &f), BR_OK);
    assert_false(br_distributed_depends_on_force(f.distributed));
    assert_false(br_blocks_depends_on_force(f.blocks));
    assert_false(br_limit_depends_on_force(f.surface));
    assert_false(br_reduced_depends_on_force(f.reduced));
    memset(z, 0, sizeof z);
    const br_wrench before = br_reduced_eval(f.reduced, z, slide, 1.0, dz);
    br_distributed_spread(f.distributed, (double)NAN);
    br_blocks_spread(f.blocks, (double)NAN);
    br_reduced_spread(f.reduced, (double)NAN, NULL);
    const br_wrench after = br_reduced_eval(f.reduced, z, slide, 1.0, dz);
    assert_true(memcmp(&before, &after, sizeof before) == 0);
    assert_true(isfinite(br_distributed_eval(f.distributed, z, slide, 1.0, dz).fx));
    assert_true(isfinite(br_blocks_eval(f.blocks, z, slide, 1.0, dz).fx));
    family_destroy(&f);
    br_patch_destroy(patch);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spread_surface_is_the_one_made_at_that_force),
        cmocka_unit_test(a_curve_is_the_exact_surface_at_every_force),
        cmocka_unit_test(a_spread_reduced_model_is_the_one_made_at_that_force),
        cmocka_unit_test(a_motion_spreads_the_patch_as_its_force_swings),
        cmocka_unit_test(spreading_does_not_allocate),
        cmocka_unit_test(a_patch_that_does_not_depend_on_the_force_is_left_alone),
    };
    return run_group(argc, argv, tests);
}
