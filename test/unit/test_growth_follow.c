/*
 * Patches that change with the normal force: limit surfaces that follow it, motions over time, and
 * memory.
 */
#include "growth_shapes.h"
#include "rows.h"

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
 * another force serves, too; where the form changes everything is computed again. */
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
        const int is_round = def->pressure != BR_PRESSURE_LINEAR && def->ratio == 1.0;
        const int by_cells = method == BR_LIMIT_GRID || method == BR_LIMIT_PUBLISHED;
        const int changes_form = def->pressure == BR_PRESSURE_POWER && def->k.exponent > 0.0;
        if ((is_round || method != BR_LIMIT_CURVE) && (!by_cells || changes_form)) {
            br_limit* surface = make_limit(patch, method, 20.0);
            br_limit* fresh = make_limit(patch, method, 2.0);
            assert_true(br_limit_depends_on_force(surface));
            void* memory = test_calloc(1, br_limit_get_at_force_size(surface));
            br_limit_at_force(surface, 0.5, memory);
            const br_limit* now = br_limit_at_force(surface, 2.0, memory);
            assert_same_surface(now, fresh,
                                1e-12 /* rounding; the fast computation of a grid's nodes */);
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
        void* curve_memory = test_calloc(1, br_limit_get_at_force_size(curve));
        void* exact_memory = test_calloc(1, br_limit_get_at_force_size(exact));
        uint64_t seed = 5;
        for (double fn = 0.3; fn < 30.0; fn *= 1.2) {
            const br_twist v = {uniform(&seed, -1.0, 1.0), uniform(&seed, -1.0, 1.0),
                                uniform(&seed, -300.0, 300.0)};
            const br_limit* a = br_limit_at_force(curve, fn, curve_memory);
            const br_limit* b = br_limit_at_force(exact, fn, exact_memory);
            const double r = br_limit_get_patch_value(b).r;
            assert_same_wrench(br_limit_eval(a, v).wrench, br_limit_eval(b, v).wrench,
                               3e-8 /* limit.h: 2e-8 */, 3e-8 * r);
        }
        const br_limit* point = br_limit_at_force(curve, 0.0, curve_memory);
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

/* Oracle: a contact on a surface made at that force, for all and for one lane and all methods to look h
 * up. */
static void a_spread_reduced_contact_is_the_one_on_a_surface_of_that_force(void** state)
{
    (void)state;
    static const br_limit_method methods[] = {BR_LIMIT_PUBLISHED, BR_LIMIT_BILINEAR, BR_LIMIT_CURVE,
                                              BR_LIMIT_ELLIPSOID, BR_LIMIT_EXACT};
    br_patch* patch = make(growing_power(1.0));
    for (int i = 0; i < 10; i++) {
        br_limit* surface = make_limit(patch, methods[i / 2], 20.0);
        br_limit* other = make_limit(patch, methods[i / 2], 2.0);
        br_contact* contact = make_reduced(surface, i % 2);
        br_contact* fresh = make_reduced(other, i % 2);
        void* memory = spread_memory(contact);
        assert_true(br_contact_get_at_force_size(contact) > 0);
        br_contact_at_force(contact, 0.5, memory);
        const br_contact* now = br_contact_at_force(contact, 2.0, memory);
        const double r = br_contact_get_patch_value(contact).r;
        assert_near(br_contact_get_patch_value(now).r, br_contact_get_patch_value(fresh).r, 1e-15);
        assert_near(r, br_limit_get_patch_value(surface).r, 0.0 /* has not changed */);

        // z_tau = 2e-9 m^2: as published it is the state itself, else the angle z_tau/u is
        const double turn = i < 2 ? 1.0 : br_contact_get_patch_value(fresh).u;
        const double state3[3] = {4e-7, -8e-7, 2e-9 / turn};
        const br_wrench a = br_contact_eval(now, state3, slide, 2.0, dz);
        const br_wrench b = br_contact_eval(fresh, state3, slide, 2.0, dz2);
        assert_same_wrench(a, b, 1e-11 /* N: 1e-12 of h times sigma1 |v| fn */, 1e-13);
        assert_near(br_contact_eval(now, state3, (br_twist){0.0, 0.0, 0.0}, 2.0, dz).tau,
                    -2.0 * 1e6 * 2e-9, 1e-17 /* N m, rounding */);
        test_free(memory);
        br_contact_destroy(contact);
        br_contact_destroy(fresh);
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

static void keep_last(const double* row, void* user)
{
    *(br_wrench*)user = wrench_in(row, 0);
}

// The last wrench of a motion whose force oscillates.
static br_wrench run_motion(const br_contact* contact)
{
    br_motion motion = {.size = sizeof(br_motion), .contact = contact};
    static const double times[] = {0.0, 0.1};
    static const double vx[] = {0.002, 0.006}, w[] = {0.5, 0.2};
    motion.vx = (br_profile){.kind = BR_PROFILE_TABLE, .count = 2, .t = times, .value = vx};
    motion.w = (br_profile){.kind = BR_PROFILE_TABLE, .count = 2, .t = times, .value = w};
    motion.vy = br_profile_constant(0.0);
    motion.normal_force = (br_profile){
        .kind = BR_PROFILE_SINE, .mean = 2.0, .amplitude = 1.5, .frequency = 1.0 / period};
    br_wrench last = {0};
    br_run_def def = br_run_def_default();
    def.duration = 0.1;
    def.every = 0.01;
    def.rtol = 1e-8;
    def.atol_z = 1e-13;
    const br_run_watch watch = {
        .size = sizeof(br_run_watch), .start = take_columns, .row = keep_last, .user = &last};
    br_reason why = {"", ""};
    if (br_motion_run(&motion, &def, &watch, NULL, &why) != BR_OK) {
        fail_msg("%s", why.text);
    }
    return last;
}

// The rates of a contact that is spread to the force of that time. A reduced contact's third state is the
// angle of its bristles, which stays while the patch changes: it is what is integrated.
static br_wrench rate_at(const br_contact* contact, void* memory, double t, const double* y,
                         double* dy)
{
    const double fn = force_at(t);
    return br_contact_eval(br_contact_at_force(contact, fn, memory), y, twist_at(t), fn, dy);
}

// The same by the classical method of Runge and Kutta, in small steps.
static br_wrench march(const br_contact* contact)
{
    enum { STEPS = 4000 };
    static double k[4][MOST], at[MOST];
    const size_t states = br_contact_get_state_count(contact);
    void* memory = spread_memory(contact);
    const double h = 0.1 / STEPS;
    memset(z, 0, sizeof z);
    for (int n = 0; n < STEPS; n++) {
        const double t = h * n;
        rate_at(contact, memory, t, z, k[0]);
        for (int stage = 1; stage < 4; stage++) {
            const double part = stage < 3 ? 0.5 * h : h;
            for (size_t i = 0; i < states; i++) {
                at[i] = z[i] + part * k[stage - 1][i];
            }
            rate_at(contact, memory, t + part, at, k[stage]);
        }
        for (size_t i = 0; i < states; i++) {
            z[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
        }
    }
    const br_wrench f = rate_at(contact, memory, 0.1, z, dz);
    test_free(memory);
    return f;
}

/* Oracle: an independent integration with small steps, the force changing all the time. */
static void a_motion_changes_the_patch_with_its_force(void** state)
{
    (void)state;
    br_patch* patch = make(growing_power(1.0));
    br_limit* surface = make_limit(patch, BR_LIMIT_CURVE, 1.0);
    br_contact* reduced = make_reduced(surface, 0);
    assert_same_wrench(run_motion(reduced), march(reduced), 1e-5 /* N, tolerances */,
                       1e-8 /* N m */);
    br_contact_destroy(reduced);
    br_limit_destroy(surface);
    br_patch_destroy(patch);

    br_contact_def def = br_contact_def_default();
    def.patch = patch = make(growing_def());
    def.resolution = 2; // coarse: this is about time
    br_contact* blocks = make_contact(def);
    assert_same_wrench(run_motion(blocks), march(blocks), 1e-5, 1e-8);
    br_contact_destroy(blocks);
    br_patch_destroy(patch);
}

/* ---- memory ----------------------------------------------------------------------------------- */

// One of everything that follows the force.
enum { FAMILY = 4 };
typedef struct family {
    br_limit* surface;
    br_contact* contact[FAMILY]; // cells, blocks, reduced, ellipsoid
} family;

static void family_destroy(family* f)
{
    for (int i = 0; i < FAMILY; i++) {
        br_contact_destroy(f->contact[i]);
    }
    br_limit_destroy(f->surface);
}

static br_status family_create(const br_patch* patch, br_limit_method method, family* f)
{
    static const br_method methods[FAMILY] = {BR_METHOD_DISTRIBUTED, BR_METHOD_BLOCKS,
                                              BR_METHOD_REDUCED, BR_METHOD_ELLIPSOID};
    br_limit_def limit = br_limit_def_default();
    limit.patch = patch;
    limit.resolution = 9;
    limit.method = method;
    limit.n = 3;
    *f = (family){NULL, {NULL}};
    br_status status = br_limit_create(&limit, &f->surface, NULL);
    for (int i = 0; i < FAMILY && status == BR_OK; i++) {
        br_contact_def def = br_contact_def_default();
        def.method = methods[i];
        def.patch = patch;
        def.resolution = i == 0 ? 9 : 0;
        def.surface = methods[i] == BR_METHOD_REDUCED ? f->surface : NULL;
        status = br_contact_create(&def, &f->contact[i], NULL);
    }
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
        for (int k = 0; k < FAMILY; k++) {
            void* memory = spread_memory(f.contact[k]);
            const br_contact* now = br_contact_at_force(f.contact[k], 3.0, memory);
            assert_true(now != f.contact[k]);
            test_free(memory);
        }
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
    assert_false(br_limit_depends_on_force(f.surface));
    memset(z, 0, sizeof z);
    for (int k = 0; k < FAMILY; k++) {
        const br_contact* contact = f.contact[k];
        assert_int_equal(br_contact_get_at_force_size(contact), 0);
        const br_wrench before = br_contact_eval(contact, z, slide, 1.0, dz);
        const br_contact* now = br_contact_at_force(contact, (double)NAN, NULL);
        assert_ptr_equal(now, contact);
        const br_wrench after = br_contact_eval(now, z, slide, 1.0, dz);
        assert_true(memcmp(&before, &after, sizeof before) == 0);
        assert_true(isfinite(after.fx));
    }
    family_destroy(&f);
    br_patch_destroy(patch);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spread_surface_is_the_one_made_at_that_force),
        cmocka_unit_test(a_curve_is_the_exact_surface_at_every_force),
        cmocka_unit_test(a_spread_reduced_contact_is_the_one_on_a_surface_of_that_force),
        cmocka_unit_test(a_motion_changes_the_patch_with_its_force),
        cmocka_unit_test(spreading_does_not_allocate),
        cmocka_unit_test(a_patch_that_does_not_depend_on_the_force_is_left_alone),
    };
    return run_group(argc, argv, tests);
}
