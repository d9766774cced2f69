/*
 * Patches and surfaces that are destroyed before what was created with them. Under valgrind or the address sanitizer a
 * read of freed memory shows.
 */
#include "growth_shapes.h"

#include <pthread.h>

#include "bristle/engine.h"
#include "planar/contact_internal.h"

static const br_support_point feet[] = {{-0.03, -0.02, 1.0}, {0.03, -0.02, 2.0}, {0.0, 0.04, 1.5}};
static const double pressures[] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0};

// Patches that grow, and those with arrays and without.
enum { PATCHES = KINDS + 6 };
static br_patch* make_any(int kind)
{
    const br_patch_def fixed[PATCHES - KINDS] = {
        disc_def(0.01),           rectangle_def(0.05, 0.03), line_def(0.04),
        polygon_def(triangle, 3), points_def(feet, 3),       grid_def(0.03, 0.02, 3, 2, pressures)};
    return make(kind < KINDS ? kind_of_growth(kind) : fixed[kind - KINDS]);
}

// --- what a contact and a surface compute ----------------------------------------------------------

enum { NUMBERS = 24 };

static void add_wrench(double* to, size_t* count, br_wrench f)
{
    const double numbers[] = {f.fx, f.fy, f.tau};
    memcpy(to + *count, numbers, sizeof numbers);
    *count += 3;
}

// Wrenches of evaluations, steps and steady sliding at two normal forces, the load, the values of the patch.
static void use_contact(const br_contact* c, double numbers[NUMBERS])
{
    static double z[2 * MOST], dz[2 * MOST];
    const size_t size = br_contact_get_at_force_size(c);
    void* memory = test_calloc(1, size + 1);
    const br_twist v = {0.01, -0.004, 0.7};
    size_t count = 0;
    assert_true(br_contact_get_state_count(c) <= 2 * MOST);
    memset(z, 0, sizeof z);
    for (double fn = 2.0; fn < 10.0; fn += 7.0) {
        const br_contact* at = br_contact_at_force(c, fn, memory);
        add_wrench(numbers, &count, br_contact_step(at, z, v, fn, 1e-3, NULL));
        add_wrench(numbers, &count, br_contact_eval(at, z, v, fn, dz));
        add_wrench(numbers, &count, br_contact_steady_eval(at, v, fn, NULL));
        numbers[count++] = br_contact_load_eval(at, z, v, fn);
        numbers[count++] = br_contact_get_patch_value(at).r;
    }
    numbers[count++] =
        br_contact_get_def(c)->patch ? br_patch_eval(br_contact_get_def(c)->patch, 3.0).u : 0.0;
    numbers[count++] = br_contact_get_def(c)->surface
                           ? br_limit_eval(br_contact_get_def(c)->surface, v).dissipation
                           : 0.0;
    assert_int_equal(count, NUMBERS);
    test_free(memory);
}

static void use_surface(const br_limit* surface, double numbers[NUMBERS])
{
    void* memory = test_calloc(1, br_limit_get_at_force_size(surface) + 1);
    const br_twist v = {0.01, -0.004, 0.7};
    size_t count = 0;
    memset(numbers, 0, NUMBERS * sizeof *numbers);
    for (double fn = 2.0; fn < 10.0; fn += 7.0) {
        const br_limit* at = br_limit_at_force(surface, fn, memory);
        double jacobian[3][3];
        add_wrench(numbers, &count, br_limit_eval(at, v).wrench);
        br_limit_jacobian_eval(at, v, jacobian);
        numbers[count++] = jacobian[2][2];
        numbers[count++] = br_limit_gauge(at, (br_wrench){0.3, 0.2, 0.001}, NULL);
        numbers[count++] = br_limit_get_spin_centre(at, NULL).x;
    }
    test_free(memory);
}

// --- contacts and surfaces that outlive ------------------------------------------------------------

/* Oracle: the same contact before its patch was destroyed, bit by bit, for all methods and patches. */
static void a_contact_outlives_its_patch(void** state)
{
    (void)state;
    for (int i = 0; i < PATCHES * 4; i++) {
        br_patch* patch = make_any(i / 4);
        br_contact_def def = br_contact_def_default();
        def.patch = patch;
        def.method = (br_method)(i % 4);
        br_contact* c = make_contact(def);
        double before[NUMBERS], after[NUMBERS];
        use_contact(c, before);
        br_patch_destroy(patch);
        use_contact(c, after);
        assert_memory_equal(before, after, sizeof before);
        br_contact_destroy(c);
    }
}

/* Oracle: the same. All methods of surfaces, with the contact that is created with one: patch, then surface go. */
static void surfaces_outlive_their_patch_and_contacts_their_surface(void** state)
{
    (void)state;
    size_t created = 0;
    for (int i = 0; i < PATCHES * (BR_LIMIT_CURVE + 1); i++) {
        br_patch* patch = make_any(i % PATCHES);
        br_limit_def def = br_limit_def_default();
        def.patch = patch;
        def.method = (br_limit_method)(i / PATCHES);
        def.n = 4;
        def.resolution = 7;
        br_limit* surface;
        double before[NUMBERS], after[NUMBERS];
        const br_status status = br_limit_create(&def, &surface, NULL);
        if (status != BR_OK) {
            assert_status(status, BR_ERR_DEF); // not all methods have surfaces of all shapes
            br_patch_destroy(patch);
            continue;
        }
        created++;
        use_surface(surface, before);
        br_patch_destroy(patch);
        use_surface(surface, after);
        assert_memory_equal(before, after, sizeof before);

        br_contact* c = make_reduced(surface, 0);
        use_contact(c, before);
        br_limit_destroy(surface);
        use_contact(c, after);
        assert_memory_equal(before, after, sizeof before);
        br_contact_destroy(c);
    }
    // of 112: lines and points have no cells, and a curve is of a patch that is the same all around
    assert_int_equal(created, 99);
}

/* Oracle: the same. */
static void an_engine_outlives_its_patch(void** state)
{
    (void)state;
    for (int i = 0; i < PATCHES; i++) {
        br_patch* patch = make_any(i);
        br_engine_def def = br_engine_def_default(BR_ENGINE_MUJOCO);
        def.patch = patch;
        br_engine* engine;
        double before[NUMBERS], after[NUMBERS];
        assert_status(br_engine_create(&def, &engine, NULL), BR_OK);
        use_surface(br_engine_get_exact(engine), before);
        br_patch_destroy(patch);
        use_surface(br_engine_get_exact(engine), after);
        assert_memory_equal(before, after, sizeof before);
        assert_true(br_patch_eval(br_engine_get_def(engine).patch, 1.0).r >= 0.0);
        br_engine_destroy(engine);
    }
}

/* Oracle: a counting allocator. Whichever allocation fails, and in whichever order things are destroyed, nothing is
   left, and the patch is still there after a failed creation. */
static void nothing_is_left_in_the_end(void** state)
{
    (void)state;
    for (int method = 0; method < 4; method++) {
        counting count = {0};
        br_set_allocator(counting_allocate, counting_release, &count);
        br_patch* patch = make_any(2);
        const size_t of_patch = count.alive;
        br_contact_def def = br_contact_def_default();
        def.patch = patch;
        def.method = (br_method)method;
        br_contact* c;
        br_status status = BR_ERR_MEMORY;
        for (size_t fail_at = 1; status == BR_ERR_MEMORY; fail_at++) {
            count.calls = 0;
            count.fail_at = fail_at;
            status = br_contact_create(&def, &c, NULL);
            assert_true(status == BR_OK || count.alive == of_patch);
        }
        count.fail_at = 0;
        assert_status(status, BR_OK);
        br_patch_destroy(patch);
        br_contact_destroy(c);
        assert_int_equal(count.alive, 0);
        br_set_allocator(NULL, NULL, NULL);
    }
}

// --- threads ----------------------------------------------------------------------------------------

typedef struct sharing {
    br_patch* patch;
    br_limit* surface;
    pthread_barrier_t all_have_one;
} sharing;

static void* create_and_destroy(void* user)
{
    sharing* s = user;
    br_contact_def def = br_contact_def_default();
    def.patch = s->patch;
    def.method = BR_METHOD_ELLIPSOID;
    br_contact *ellipsoid = NULL, *reduced = NULL;
    for (int i = 0; i < 200; i++) {
        br_contact_create(&def, &ellipsoid, NULL);
        br_contact_destroy(ellipsoid);
    }
    br_contact_create(&def, &ellipsoid, NULL);
    def.method = BR_METHOD_REDUCED;
    def.surface = s->surface;
    br_contact_create(&def, &reduced, NULL);
    pthread_barrier_wait(&s->all_have_one);
    br_contact_destroy(ellipsoid);
    br_contact_destroy(reduced);
    return NULL;
}

/* Oracle: valgrind and the thread sanitizer: owners come and go in four threads at once,
   the creator of patch and surface among them. */
static void owners_are_counted_across_threads(void** state)
{
    (void)state;
    enum { THREADS = 4 };
    sharing s = {.patch = make_any(2)};
    s.surface = make_limit(s.patch, BR_LIMIT_CURVE, 1.0);
    pthread_t threads[THREADS];
    assert_int_equal(pthread_barrier_init(&s.all_have_one, NULL, THREADS + 1), 0);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, create_and_destroy, &s), 0);
    }
    pthread_barrier_wait(&s.all_have_one);
    br_limit_destroy(s.surface);
    br_patch_destroy(s.patch);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    pthread_barrier_destroy(&s.all_have_one);
}

// --- blocks of memory ---------------------------------------------------------------------------------

static int broken;

static void count_broken(const char* expression, const char* file, int line)
{
    (void)expression, (void)file, (void)line;
    broken++;
}

/* Oracle: the contract. A contact owns CONTACT_BLOCKS blocks; one more is refused, not written behind the array. */
static void a_contact_owns_no_more_blocks_than_it_can_keep(void** state)
{
    (void)state;
    br_contact* c = br_allocate(1, sizeof *c);
    br_set_assert_handler(count_broken);
    for (int i = 0; i < CONTACT_BLOCKS; i++) {
        assert_non_null(bri_contact_own(c, 3, sizeof(double)));
    }
    assert_int_equal(broken, 0);
    assert_null(bri_contact_own(c, 3, sizeof(double)));
    assert_int_equal(broken, 1);
    assert_int_equal(c->borrows, 0);
    br_set_assert_handler(NULL);
    br_contact_destroy(c);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_contact_outlives_its_patch),
        cmocka_unit_test(surfaces_outlive_their_patch_and_contacts_their_surface),
        cmocka_unit_test(an_engine_outlives_its_patch),
        cmocka_unit_test(nothing_is_left_in_the_end),
        cmocka_unit_test(owners_are_counted_across_threads),
        cmocka_unit_test(a_contact_owns_no_more_blocks_than_it_can_keep),
    };
    return run_group(argc, argv, tests);
}
