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

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mixed_batch_equals_its_single_calls),
        cmocka_unit_test(a_mixed_batch_steps_as_its_single_calls),
        cmocka_unit_test(a_contact_that_is_not_a_number_stays_alone),
        cmocka_unit_test(a_batch_of_cells_equals_its_single_calls),
    };
    return run_group(argc, argv, tests);
}
