/*
 * Batches of contacts that differ in method: the same as their single calls, to the last bit.
 */
#include "growth_shapes.h"

#include "bristle/batch.h"

enum { CONTACTS = 3000, MODELS = 7, STATES = 1200000 };

// Two contacts of cells, two of blocks, three reduced ones; some of one lane among them.
typedef struct fleet {
    br_patch *disc, *bar;
    br_limit *table, *curve;
    br_contact* contact[MODELS];
} fleet;

static fleet fleet_create(void)
{
    br_patch_def bar = rectangle_def(0.02, 0.004);
    bar.angle = 0.3;
    fleet f = {.disc = make(disc_def(0.01)), .bar = make(bar)};
    f.table = make_limit(f.bar, BR_LIMIT_BILINEAR, 1.0);
    f.curve = make_limit(f.disc, BR_LIMIT_CURVE, 1.0);
    f.contact[0] = make_distributed(f.disc, 7, 0);
    f.contact[1] = make_distributed(f.bar, 9, 1);
    f.contact[2] = make_blocks(f.disc, 0);
    f.contact[3] = make_blocks(f.bar, 0);
    f.contact[4] = make_reduced(f.table, 0);
    f.contact[5] = make_reduced(f.curve, 0);
    f.contact[6] = make_reduced(NULL, 1);
    return f;
}

static void fleet_destroy(fleet* f)
{
    for (int i = 0; i < MODELS; i++) {
        br_contact_destroy(f->contact[i]);
    }
    br_limit_destroy(f->table);
    br_limit_destroy(f->curve);
    br_patch_destroy(f->disc);
    br_patch_destroy(f->bar);
}

static br_batch_contact contacts[CONTACTS];
static br_twist twists[CONTACTS];
static double forces[CONTACTS], states[STATES], rates[STATES], expected[STATES];
static br_wrench wrenches[CONTACTS];

// Contacts in any order, most of them reduced, states one after the other; sliding, spinning, at rest.
static size_t scatter_contacts(const fleet* f)
{
    uint64_t seed = 11;
    size_t total = 0;
    for (size_t i = 0; i < CONTACTS; i++) {
        const int model = uniform(&seed, 0.0, 1.0) < 0.3 ? (int)uniform(&seed, 0.0, 4.0)
                                                         : (int)uniform(&seed, 4.0, 7.0);
        contacts[i] = (br_batch_contact){f->contact[model], total};
        total += br_contact_get_state_count(contacts[i].contact);
        assert_true(total <= STATES);
        const double speed = uniform(&seed, 0.0, 1.0) < 0.1 ? 0.0 : uniform(&seed, 0.0, 0.02);
        twists[i] = (br_twist){speed * uniform(&seed, -1.0, 1.0), speed * uniform(&seed, -1.0, 1.0),
                               100.0 * speed * uniform(&seed, -1.0, 1.0)};
        forces[i] = uniform(&seed, 0.0, 1.0) < 0.1 ? 0.0 : uniform(&seed, 0.0, 5.0);
    }
    for (size_t i = 0; i < CONTACTS; i++) {
        const size_t n = br_contact_get_state_count(contacts[i].contact);
        const size_t parts = br_contact_get_part_count(contacts[i].contact);
        for (size_t k = 0; k < n; k++) {
            const int is_turn = k >= 2 * parts;
            states[contacts[i].state + k] = uniform(&seed, -1e-6, 1e-6) * (is_turn ? 1e-3 : 1.0);
        }
    }
    return total;
}

/* Oracle: the single calls, bit for bit; no memory is requested. */
static void a_mixed_batch_equals_its_single_calls(void** state)
{
    (void)state;
    needs_equal_bits();
    fleet f = fleet_create();
    const size_t total = scatter_contacts(&f);
    counting counter = {0, 0, 0};
    br_set_allocator(counting_allocate, counting_release, &counter);
    br_batch_eval(contacts, CONTACTS, states, twists, forces, rates, wrenches);
    br_set_allocator(NULL, NULL, NULL);
    assert_int_equal(counter.calls, 0);
    for (size_t i = 0; i < CONTACTS; i++) {
        const size_t at = contacts[i].state;
        const br_wrench single =
            br_contact_eval(contacts[i].contact, states + at, twists[i], forces[i], expected + at);
        assert_true(memcmp(&single, &wrenches[i], sizeof single) == 0);
    }
    assert_true(memcmp(rates, expected, total * sizeof *rates) == 0);
    br_batch_eval(contacts, 0, states, twists, forces, rates, wrenches); // none is fine
    fleet_destroy(&f);
}

/* Oracle: the single steps, bit for bit, energies included; no memory is requested. */
static void a_mixed_batch_steps_as_its_single_calls(void** state)
{
    (void)state;
    needs_equal_bits();
    static br_step_energy energies[CONTACTS];
    fleet f = fleet_create();
    const size_t total = scatter_contacts(&f);
    memcpy(expected, states, total * sizeof *states);
    counting counter = {0, 0, 0};
    br_set_allocator(counting_allocate, counting_release, &counter);
    br_batch_step(contacts, CONTACTS, states, twists, forces, 1e-3, wrenches, energies);
    br_set_allocator(NULL, NULL, NULL);
    assert_int_equal(counter.calls, 0);
    for (size_t i = 0; i < CONTACTS; i++) {
        br_step_energy e;
        const br_wrench single = br_contact_step(contacts[i].contact, expected + contacts[i].state,
                                                 twists[i], forces[i], 1e-3, &e);
        assert_true(memcmp(&single, &wrenches[i], sizeof single) == 0);
        assert_true(memcmp(&e, &energies[i], sizeof e) == 0);
    }
    assert_true(memcmp(states, expected, total * sizeof *states) == 0);
    br_batch_step(contacts, CONTACTS, states, twists, forces, 1e-3, wrenches, NULL);
    fleet_destroy(&f);
}

/* Oracle: the others. What one contact is given does not reach its neighbours. */
static void a_contact_that_is_not_a_number_stays_alone(void** state)
{
    (void)state;
    needs_equal_bits();
    fleet f = fleet_create();
    const size_t total = scatter_contacts(&f);
    br_batch_eval(contacts, CONTACTS, states, twists, forces, expected, wrenches);
    const size_t bad = 137;
    twists[bad].vx = (double)NAN;
    br_batch_eval(contacts, CONTACTS, states, twists, forces, rates, wrenches);
    assert_true(isnan(wrenches[bad].fx));
    for (size_t k = 0; k < total; k++) {
        const size_t first = contacts[bad].state,
                     n = br_contact_get_state_count(contacts[bad].contact);
        const int is_bad = k >= first && k < first + n;
        assert_true(is_bad || rates[k] == expected[k]);
    }
    fleet_destroy(&f);
}

/* Oracle: the single calls, bit for bit. */
static void a_batch_of_cells_equals_its_single_calls(void** state)
{
    (void)state;
    enum { MANY = 500 };
    fleet f = fleet_create();
    scatter_contacts(&f);
    const br_contact* cells = f.contact[0];
    const size_t n = br_contact_get_state_count(cells);
    for (size_t i = 0; i < MANY; i++) {
        contacts[i] = (br_batch_contact){cells, i * n};
    }
    br_batch_eval(contacts, MANY, states, twists, forces, rates, wrenches);
    for (size_t i = 0; i < MANY; i++) {
        const br_wrench single =
            br_contact_eval(cells, states + i * n, twists[i], forces[i], expected + i * n);
        assert_true(memcmp(&single, &wrenches[i], sizeof single) == 0);
    }
    assert_true(memcmp(rates, expected, MANY * n * sizeof *rates) == 0);
    fleet_destroy(&f);
}

// Arrays of many contacts that share one, with inputs of all kinds.
enum { SHARED = 1000 };

typedef struct crowd {
    double z[3][SHARED], v[3][SHARED], fn[SHARED], f[3][SHARED], e[3][SHARED];
} crowd;

// Sliding, spinning, at rest, unloaded; one that is not a number, squares beyond the range of doubles, an extreme distance.
static void fill_crowd(crowd* c, int odd)
{
    uint64_t seed = 5;
    for (size_t i = 0; i < SHARED; i++) {
        const double speed = uniform(&seed, 0.0, 1.0) < 0.1 ? 0.0 : uniform(&seed, 0.0, 0.02);
        for (int j = 0; j < 3; j++) {
            c->z[j][i] = uniform(&seed, -3e-6, 3e-6) * (j == 2 ? 1e-2 : 1.0);
            c->v[j][i] = speed * uniform(&seed, -1.0, 1.0) * (j == 2 ? 100.0 : 1.0);
        }
        c->fn[i] = uniform(&seed, 0.0, 1.0) < 0.1 ? 0.0 : uniform(&seed, -0.1, 5.0);
    }
    if (odd) {
        c->v[1][70] = (double)NAN, c->fn[71] = (double)NAN, c->z[0][72] = (double)NAN;
        c->v[0][73] = (double)NAN, c->fn[73] = 0.0;
        c->v[0][205] = 1e-180, c->v[1][205] = c->v[2][205] = 0.0;
        c->v[2][600] = 1e90, c->v[0][601] = 1e200, c->v[0][602] = HUGE_VAL;
    }
}

static br_batch_step_arrays arrays_of(crowd* c, int with_energy)
{
    br_batch_step_arrays a = {SHARED, c->z[0], c->z[1], c->z[2], c->v[0], c->v[1], c->v[2],
                              c->fn,  c->f[0], c->f[1], c->f[2], NULL,    NULL,    NULL};
    if (with_energy) {
        a.stored = c->e[0], a.work = c->e[1], a.dissipated = c->e[2];
    }
    return a;
}

// The same number in all bits, or both not a number.
static void assert_same(double a, double b)
{
    assert_true(memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b)));
}

static void check_crowd(const br_contact* contact, const crowd* from, const crowd* got, double h)
{
    for (size_t i = 0; i < SHARED; i++) {
        double z[3] = {from->z[0][i], from->z[1][i], from->z[2][i]};
        br_step_energy e;
        const br_wrench f =
            br_contact_step(contact, z, (br_twist){from->v[0][i], from->v[1][i], from->v[2][i]},
                            from->fn[i], h, &e);
        const double wrench[3] = {f.fx, f.fy, f.tau}, energy[3] = {e.stored, e.work, e.dissipated};
        for (int j = 0; j < 3; j++) {
            assert_same(got->z[j][i], z[j]);
            assert_same(got->f[j][i], wrench[j]);
            assert_same(got->e[j][i], energy[j]);
        }
    }
}

// A list over the same contacts, with states that follow each other.
static void step_as_list(const br_contact* contact, crowd* c, double h)
{
    static br_step_energy energies[SHARED];
    for (size_t i = 0; i < SHARED; i++) {
        contacts[i] = (br_batch_contact){contact, 6 + 3 * i};
        twists[i] = (br_twist){c->v[0][i], c->v[1][i], c->v[2][i]};
        for (size_t j = 0; j < 3; j++) {
            states[6 + 3 * i + j] = c->z[j][i];
        }
    }
    br_batch_step(contacts, SHARED, states, twists, c->fn, h, wrenches, energies);
    for (size_t i = 0; i < SHARED; i++) {
        const double wrench[3] = {wrenches[i].fx, wrenches[i].fy, wrenches[i].tau};
        const double energy[3] = {energies[i].stored, energies[i].work, energies[i].dissipated};
        for (size_t j = 0; j < 3; j++) {
            c->z[j][i] = states[6 + 3 * i + j];
            c->f[j][i] = wrench[j];
            c->e[j][i] = energy[j];
        }
    }
}

/* Oracle: the single steps, bit for bit, energies included, of arrays and of neighbours in a list; no memory is requested. */
static void check_shared_contact(const br_contact* contact)
{
    static crowd from, got, list, bare;
    for (int k = 0; k < 4; k++) {
        const double h = k % 2 ? 1e-3 : 1e-5;
        fill_crowd(&from, k / 2);
        got = list = bare = from;
        const br_batch_step_arrays with = arrays_of(&got, 1), without = arrays_of(&bare, 0);
        counting counter = {0, 0, 0};
        br_set_allocator(counting_allocate, counting_release, &counter);
        br_batch_arrays_step(contact, &with, h);
        br_batch_arrays_step(contact, &without, h);
        step_as_list(contact, &list, h);
        br_set_allocator(NULL, NULL, NULL);
        assert_int_equal(counter.calls, 0);
        check_crowd(contact, &from, &got, h);
        check_crowd(contact, &from, &list, h);
        memcpy(bare.e, got.e, sizeof bare.e); // which it was not to write
        check_crowd(contact, &from, &bare, h);
    }
}

static br_contact* make_stretched(br_patch* patch)
{
    br_contact_def def = br_contact_def_default();
    def.patch = patch;
    def.method = BR_METHOD_REDUCED;
    def.anisotropy.ratio = 0.5;
    def.anisotropy.angle = 0.4;
    br_contact* made;
    assert_status(br_contact_create(&def, &made, NULL), BR_OK);
    return made;
}

static void steps_of_arrays_equal_single_steps(void** state)
{
    (void)state;
    needs_equal_bits();
    fleet f = fleet_create();
    br_contact_def def = br_contact_def_default();
    def.patch = f.bar;
    def.method = BR_METHOD_REDUCED;
    for (int k = 0; k < 8;
         k++) { // the smooth table and the ellipsoid, either law, with and without guard
        br_contact* made;
        def.method = k % 2 ? BR_METHOD_REDUCED : BR_METHOD_ELLIPSOID;
        def.law = br_law_default(k / 2 % 2 ? BR_LAW_LUGRE : BR_LAW_ELASTO_PLASTIC);
        def.guard = k / 4;
        assert_status(br_contact_create(&def, &made, NULL), BR_OK);
        check_shared_contact(made);
        br_contact_destroy(made);
    }
    br_contact* stretched = make_stretched(f.bar);
    check_shared_contact(stretched);
    br_contact_destroy(stretched);
    check_shared_contact(f.contact[4]); // a bilinear table
    check_shared_contact(f.contact[5]); // a curve, which is evaluated outside of the kernel
    check_shared_contact(f.contact[6]); // one lane
    const br_batch_step_arrays none = {.count = 0};
    br_batch_arrays_step(f.contact[4], &none, 1e-3);
    fleet_destroy(&f);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mixed_batch_equals_its_single_calls),
        cmocka_unit_test(a_mixed_batch_steps_as_its_single_calls),
        cmocka_unit_test(a_contact_that_is_not_a_number_stays_alone),
        cmocka_unit_test(a_batch_of_cells_equals_its_single_calls),
        cmocka_unit_test(steps_of_arrays_equal_single_steps),
    };
    return run_group(argc, argv, tests);
}
