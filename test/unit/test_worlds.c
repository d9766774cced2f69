/* Tests of the module planar: many bodies at once. */
#include "worlds_fixture.h"

#include "math/processor.h"
#include "planar/worlds_lanes.h"

static world_rows ours, twin;

// From one comparison to the next; 3 and 18 under valgrind.
static size_t more_contacts = 1, more_worlds = 3;

// Worlds at once and one by one, to a tolerance; returns the largest difference of a position [m].
static void compare_numbers(const char* what, const double* a, const double* b, size_t count,
                            double tolerance)
{
    for (size_t i = 0; i < count; i++) {
        if (!(fabs(a[i] - b[i]) <= tolerance)) {
            fail_msg("%s[%zu] of %zu: %.17g, one by one %.17g, difference %.3g, tolerance %.3g",
                     what, i, count, a[i], b[i], a[i] - b[i], tolerance);
        }
    }
}

static void compare_contact(const contact_rows* a, const contact_rows* b, size_t n, size_t states)
{
    // bristles are at most mu/sigma0 = 4e-5 m long, spins 1e-2 m times that, forces some newtons
    compare_numbers("z", a->z, b->z, states * n, 1e-15);
    compare_numbers("f", a->f, b->f, 3 * n, 1e-9);
    compare_numbers("slip_rate", a->slip_rate, b->slip_rate, n, 1e-10);
    compare_numbers("load", a->load, b->load, n, 2e-4); // its own accuracy: it stops at 1e-4
    assert_memory_equal(a->state, b->state, n);
}

/* Oracle: br_step_coupled() with contacts that br_contact_create() makes for each world, one by one. The algorithms are
 * the same, so that the difference is rounding: 1e-16 of speeds of 0.1 m/s and of bristles, times the condition of the
 * closing solve (mass against h times the stiffness of the contacts, 1e3) and over 20 steps. */
static void check_filled_worlds(bool plain)
{
    const size_t count = ours.count, contacts = ours.contacts;
    twin = ours;
    many_worlds m = create_many(&ours, BR_WORLDS_DOUBLE, plain);
    const br_worlds_arrays a = arrays_of(&ours);
    assert_status(br_worlds_check(m.worlds, &a, ours.h, ours.steps, NULL), BR_OK);
    br_worlds_step(m.worlds, &a, ours.h, ours.steps);
    for (size_t i = 0; i < count; i++) {
        step_world(&twin, i);
    }
    compare_numbers("pose", ours.pose, twin.pose, 3 * count, 1e-12);
    compare_numbers("twist", ours.twist, twin.twist, 3 * count, 1e-11);
    compare_numbers("ledger", ours.ledger, twin.ledger, BR_WORLDS_LEDGER_ROWS * count, 1e-13);
    for (size_t k = 0; k < contacts; k++) {
        compare_contact(&ours.contact[k], &twin.contact[k], count,
                        br_worlds_get_state_count(m.worlds, k));
    }
    assert_memory_equal(ours.converged, twin.converged, count);
    destroy_many(&m);
}

static void check_against_one_by_one(int first_method, int alike, size_t contacts, size_t count,
                                     bool plain)
{
    fixture_fill(&ours, count, 20, contacts, first_method, alike,
                 7 + (uint64_t)first_method + contacts);
    check_filled_worlds(plain);
}

static void worlds_are_steps_one_by_one(void** state)
{
    (void)state;
    for (int method = 0; method < W_METHODS; method++) {
        for (size_t contacts = 1; contacts <= BR_WORLDS_CONTACTS; contacts += more_contacts) {
            check_against_one_by_one(method, ALIKE, contacts, 19, false);
            check_against_one_by_one(method, MIXED, contacts, 11, false);
            check_against_one_by_one(method, ALIKE, contacts, 3, true);
        }
    }
}

/* Oracle: as above, with LuGre, whose bristles decay at any speed, and with ratios of anisotropic friction from 0.3 to 3
 * (at 1 a contact of its own has its bristles in other axes). */
static void lugre_and_anisotropy_are_steps_one_by_one(void** state)
{
    (void)state;
    for (int which = 1; which < 4; which++) { // LuGre, anisotropy, both
        for (size_t contacts = 1; contacts <= BR_WORLDS_CONTACTS; contacts += more_contacts) {
            uint64_t seed = 30 + contacts;
            fixture_fill(&ours, 19, 20, contacts, W_ELLIPSOID, ALIKE, seed);
            for (size_t k = 0; k < contacts; k++) {
                ours.contact[k].kind = which & 1 ? BR_LAW_LUGRE : BR_LAW_ELASTO_PLASTIC;
                ours.contact[k].has_grain = (which & 2) != 0;
                fill_rows(ours.contact[k].ratio, ours.count, &seed, 0.3, 3.0);
            }
            check_filled_worlds(false);
        }
    }
}

/* Oracle: as above, for blocks of LuGre and with Stribeck exponents other than 2, which the template has. */
static void blocks_of_other_laws_are_steps_one_by_one(void** state)
{
    (void)state;
    static const double exponents[] = {2.0, 1.0, 0.7, 3.0};
    for (int which = 0; which < 4; which++) {
        for (size_t contacts = 1; contacts <= BR_WORLDS_CONTACTS; contacts += more_contacts) {
            fixture_fill(&ours, 19, 20, contacts, W_BLOCKS, ALIKE, 50 + contacts);
            for (size_t k = 0; k < contacts; k++) {
                ours.contact[k].kind = which == 0 ? BR_LAW_LUGRE : BR_LAW_ELASTO_PLASTIC;
                ours.contact[k].gamma = exponents[which];
            }
            check_filled_worlds(false);
        }
    }
}

/* Oracle: as above, with breakaway fractions up to the limit 1, where the band is narrow and Newton's method for the decays
 * starts badly; and with large bristles, so that blocks are in, below and beyond the band. */
static void blocks_of_narrow_bands_are_steps_one_by_one(void** state)
{
    (void)state;
    uint64_t seed = 71;
    br_contact* one = fixture_contact(W_BLOCKS, 1.0, br_contact_def_default().law);
    const size_t rows = br_contact_get_state_count(one) / 3;
    br_contact_destroy(one);
    for (int round = 0; round < 8; round++) {
        fixture_fill(&ours, 40, 20, 1 + (size_t)round % 2, W_BLOCKS, ALIKE, 60 + (uint64_t)round);
        for (size_t k = 0; k < ours.contacts; k++) {
            contact_rows* c = &ours.contact[k];
            fill_rows(c->numbers[S_BA], ours.count, &seed, round < 4 ? 0.84 : 0.0,
                      round < 4 ? 0.999 : 0.3);
            for (size_t i = 0; i < 40; i++) {
                const double z_max = 1.5 * c->numbers[MU_S][i] / c->numbers[SIGMA0][i];
                for (size_t row = 0; row < 2 * rows; row++) {
                    c->z[row * 40 + i] = uniform(&seed, -z_max, z_max);
                }
            }
        }
        check_filled_worlds(false);
    }
}

// --- what lanes must not do ----------------------------------------------------------------------------------

enum { ODD = 19 }; // worlds: not a multiple of any number of lanes

// A copy of rows as floats, in a block of memory that is exactly as long.
static float* floats_of(const double* from, size_t count)
{
    float* to = malloc(count * sizeof *to);
    assert_non_null(to);
    for (size_t i = 0; i < count; i++) {
        to[i] = (float)from[i];
    }
    return to;
}

// World `bad` with a NaN in the row at this offset of world_rows; the others as without it.
static void check_nan(int method, br_worlds_type type, size_t bad, size_t offset)
{
    fixture_fill(&ours, ODD, 6, 2, method, ALIKE, 3);
    twin = ours;
    ((double*)(void*)((char*)&ours + offset))[bad] = (double)NAN;
    many_worlds m = create_many(&ours, type, false);
    const br_worlds_arrays a = arrays_of(&ours), b = arrays_of(&twin);
    step_as(type, m.worlds, &a, ours.h, ours.steps);
    step_as(type, m.worlds, &b, ours.h, ours.steps);
    for (size_t i = 0; i < 3 * ODD; i++) {
        if (i % ODD != bad) {
            assert_memory_equal(&ours.pose[i], &twin.pose[i], sizeof(double));
            assert_memory_equal(&ours.twist[i], &twin.twist[i], sizeof(double));
            assert_memory_equal(&ours.contact[1].z[i], &twin.contact[1].z[i], sizeof(double));
        }
    }
    assert_true(isnan(ours.twist[bad]) && isnan(ours.pose[bad]));
    assert_int_equal(ours.converged[bad], 0);
    destroy_many(&m);
}

/* Oracle: the same worlds without NaN, to the last bit, in every method and type and for one world of NaN in each position:
 * in its twist, mass, friction, bristles and load. */
static void nan_in_one_world_leaves_the_others_untouched(void** state)
{
    (void)state;
    static const size_t where[] = {
        offsetof(world_rows, twist), offsetof(world_rows, mass), offsetof(world_rows, forces),
        offsetof(world_rows, contact[0].numbers[MU_C]), offsetof(world_rows, contact[1].z)};
    for (int method = 0; method < W_METHODS; method++) {
        for (size_t bad = 0; bad < ODD; bad += more_worlds) {
            for (size_t k = 0; k < sizeof where / sizeof *where; k++) {
                check_nan(method, BR_WORLDS_DOUBLE, bad, where[k]);
                check_nan(method, BR_WORLDS_FLOAT, bad, where[k]);
            }
        }
    }
}

/* Oracle: the same worlds in another order and in groups of another size, to the last bit: no lane depends on its
 * neighbours. */
static void a_world_does_not_depend_on_its_neighbours(void** state)
{
    (void)state;
    for (int method = 0; method < W_METHODS; method++) {
        fixture_fill(&ours, ODD, 6, 1, method, ALIKE, 4);
        twin = ours;
        many_worlds m = create_many(&ours, BR_WORLDS_DOUBLE, false);
        br_worlds_arrays a = arrays_of(&ours), b = arrays_of(&twin);
        br_worlds_step(m.worlds, &a, ours.h, ours.steps);
        // columns of the same arrays: 5 worlds, then the other 14
        b.stride = ODD;
        b.count = 5;
        br_worlds_step(m.worlds, &b, twin.h, twin.steps);
        br_worlds_arrays rest = arrays_of(&twin);
        rest.stride = ODD;
        rest.count = ODD - 5;
        rest.mask = NULL;
        double** const moved[] = {(double**)&rest.pose, (double**)&rest.twist,
                                  (double**)&rest.ledger};
        for (size_t k = 0; k < 3; k++) {
            *moved[k] += 5;
        }
        rest.mass = twin.mass + 5;
        rest.inertia = twin.inertia + 5;
        rest.load = twin.forces + 5;
        rest.passes += 5;
        rest.converged += 5;
        contact_rows* c = &twin.contact[0];
        rest.contacts[0] = (br_worlds_contact_arrays){.z = c->z + 5,
                                                      .fn = c->fn + 5,
                                                      .fn_steps = twin.steps,
                                                      .position = c->position + 5,
                                                      .angle = c->angle + 5,
                                                      .scale = c->numbers[SCALE] + 5,
                                                      .mu_c = c->numbers[MU_C] + 5,
                                                      .mu_s = c->numbers[MU_S] + 5,
                                                      .v_stribeck = c->numbers[V_S] + 5,
                                                      .sigma0 = c->numbers[SIGMA0] + 5,
                                                      .sigma1 = c->numbers[SIGMA1] + 5,
                                                      .sigma2 = c->numbers[SIGMA2] + 5,
                                                      .s_ba = c->numbers[S_BA] + 5,
                                                      .v_damping = c->numbers[V_D] + 5,
                                                      .ground = c->ground + 5};
        br_worlds_step(m.worlds, &rest, twin.h, twin.steps);
        assert_memory_equal(ours.pose, twin.pose, 3 * ODD * sizeof(double));
        assert_memory_equal(ours.twist, twin.twist, 3 * ODD * sizeof(double));
        assert_memory_equal(ours.contact[0].z, c->z, 3 * ODD * sizeof(double));
        assert_memory_equal(ours.ledger, twin.ledger, BR_WORLDS_LEDGER_ROWS * ODD * sizeof(double));
        destroy_many(&m);
    }
}

// Worlds: several windows of any number of lanes, the last not full.
enum { MANY = 300, MANY_STEPS = 30 };

// Many bodies between two fingers whose grip oscillates: at any time some stick and some slip.
typedef struct gripped {
    double pose[3 * MANY], twist[3 * MANY], z[3 * MANY], mass[MANY], load[3 * MANY];
    double fn[MANY_STEPS * MANY];
    int32_t passes[MANY];
    uint8_t mask[MANY];
} gripped;

static void fill_gripped(gripped* all)
{
    uint64_t seed = 12;
    *all = (gripped){.mask = {0}};
    for (size_t i = 0; i < MANY; i++) {
        const double m = uniform(&seed, 0.1, 0.3), phase = uniform(&seed, 0.0, 2.0 * BR_PI);
        all->mass[i] = m;
        all->load[MANY + i] = -9.81 * m;
        all->pose[i] = uniform(&seed, -0.002, 0.002);
        all->mask[i] = i % 7 != 3;
        for (size_t k = 0; k < MANY_STEPS; k++) {
            all->fn[k * MANY + i] = m / 0.2 * (1.7 + 0.9 * sin(0.02 * (double)k + phase));
        }
    }
}

// Arrays of the worlds from `first` on.
static br_worlds_arrays arrays_from(gripped* all, size_t first, size_t count)
{
    br_worlds_arrays a = {.count = count,
                          .stride = MANY,
                          .pose = all->pose + first,
                          .twist = all->twist + first,
                          .mass = all->mass + first,
                          .load = all->load + first,
                          .passes = all->passes + first,
                          .mask = all->mask + first};
    a.contacts[0] = (br_worlds_contact_arrays){
        .z = all->z + first, .fn = all->fn + first, .fn_steps = MANY_STEPS};
    return a;
}

/* Oracle: each world in a call of its own, to the last bit: worlds that slip are collected from all groups of a window. */
static void collected_worlds_are_those_that_are_alone(void** state)
{
    (void)state;
    static gripped many, alone;
    fill_gripped(&many);
    alone = many;
    br_contact* finger = fixture_contact(W_ELLIPSOID, 1.0, br_contact_def_default().law);
    const br_worlds_contact shared = {.contact = finger, .frame = BR_WORLDS_GROUND, .count = 2};
    br_worlds_def def = br_worlds_def_default(&shared, 1);
    def.inertia = 1e-3;
    br_worlds* worlds;
    assert_status(br_worlds_create(&def, &worlds, NULL), BR_OK);
    const br_worlds_arrays all = arrays_from(&many, 0, MANY);
    br_worlds_step(worlds, &all, 1e-3, MANY_STEPS);
    size_t slipping = 0;
    for (size_t i = 0; i < MANY; i++) {
        const br_worlds_arrays one = arrays_from(&alone, i, 1);
        br_worlds_step(worlds, &one, 1e-3, MANY_STEPS);
        slipping += many.passes[i] > MANY_STEPS;
    }
    assert_memory_equal(&many, &alone, sizeof many);
    assert_in_range(slipping, MANY / 10, MANY * 6 / 10); // the case that it is about
    br_worlds_destroy(worlds);
    br_contact_destroy(finger);
}

/* Oracle: one call for each step, to rounding (between calls the third bristle is z, within a call z/r); and a mask, which leaves all other worlds as they are. */
static void steps_of_a_call_are_calls_and_masks_are_obeyed(void** state)
{
    (void)state;
    for (int method = 0; method < W_METHODS; method++) {
        uint8_t mask[ODD];
        fixture_fill(&ours, ODD, 6, 2, method, ALIKE, 5);
        for (size_t k = 0; k < ours.contacts; k++) { // a constant force, so that calls are alike
            memcpy(ours.contact[k].fn + ODD, ours.contact[k].fn, ODD * sizeof(double));
        }
        twin = ours;
        static world_rows before;
        before = ours;
        many_worlds m = create_many(&ours, BR_WORLDS_DOUBLE, false);
        br_worlds_arrays a = arrays_of(&ours), b = arrays_of(&twin);
        for (size_t i = 0; i < ODD; i++) {
            mask[i] = i % 3 != 1;
        }
        a.mask = b.mask = mask;
        a.load_steps = b.load_steps = 1;
        for (size_t k = 0; k < ours.contacts; k++) {
            a.contacts[k].fn_steps = b.contacts[k].fn_steps = 1;
        }
        br_worlds_step(m.worlds, &a, ours.h, 4);
        for (int k = 0; k < 4; k++) {
            br_worlds_step(m.worlds, &b, ours.h, 1);
        }
        // rounding, as in the comparison with steps one by one
        compare_numbers("pose", ours.pose, twin.pose, 3 * ODD, 1e-12);
        compare_numbers("z", ours.contact[0].z, twin.contact[0].z, 3 * ODD, 1e-15);
        twin = ours;
        for (size_t i = 0; i < ODD; i++) {
            const int same = memcmp(&ours.twist[i], &before.twist[i], sizeof(double)) == 0;
            assert_int_equal(same, !mask[i]);
            assert_true(mask[i] || (ours.ledger[i] == 0.0 && ours.passes[i] == 0 &&
                                    ours.contact[0].f[i] == 0.0));
        }
        br_worlds_step(m.worlds, &a, ours.h, 0); // does nothing
        assert_memory_equal(ours.pose, twin.pose, sizeof ours.pose);
        destroy_many(&m);
    }
}

static void check_memory(br_worlds_type type, int method, size_t n)
{
    fixture_fill(&ours, n, 3, 2, method, ALIKE, 6);
    many_worlds m = create_many(&ours, type, false);
    const br_worlds_arrays a = arrays_of(&ours);
    exact_arrays e;
    copy_exactly(&a, m.worlds, type, &e);
    counting counted = {0, 0, 0};
    br_set_allocator(counting_allocate, counting_release, &counted);
    br_worlds_step(m.worlds, &e.copies, 1e-3, 3);
    br_worlds_reset(m.worlds, &e.copies, NULL);
    br_set_allocator(NULL, NULL, NULL);
    put_back(&e);
    assert_int_equal(counted.calls, 0);
    for (size_t i = 0; i < n; i++) {
        assert_true(isfinite(ours.pose[i]) && isfinite(ours.ledger[i]) && ours.passes[i] >= 3);
    }
    for (size_t i = n; i < MOST_WORLDS; i++) {
        assert_true(ours.passes[i] == 0 && ours.converged[i] == 0 && ours.contact[1].state[i] == 0);
    }
    destroy_many(&m);
}

/* Oracle: valgrind and the address sanitizer, which see each access outside arrays that are exactly as long; an allocator
 * that counts; and zeros after the results that are no numbers (a step that converged leaves 1). */
static void steps_touch_only_the_arrays_and_allocate_nothing(void** state)
{
    (void)state;
    static const size_t counts[] = {1, 7, 8, 17};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        for (int method = 0; method < W_METHODS; method++) {
            check_memory(BR_WORLDS_DOUBLE, method, counts[c]);
            check_memory(BR_WORLDS_FLOAT, method, counts[c]);
        }
    }
}

// The instances of this program, by the number of doubles in a vector.
static const struct {
    int doubles; // lanes of doubles that the processor needs
    br_worlds_type type;
    const worlds_in_lanes *in_lanes, *blocks,
        *tables; // the second for blocks, the third for smooth tables
} instances[] = {
    {1, BR_WORLDS_DOUBLE, &bri_worlds_double_1, NULL, NULL},
    {1, BR_WORLDS_FLOAT, &bri_worlds_float_1, NULL, NULL},
#if VECTOR_LANES & 2
    {2, BR_WORLDS_DOUBLE, &bri_worlds_double_2, NULL, &bri_worlds_smooth_2},
    {2, BR_WORLDS_FLOAT, &bri_worlds_float_4, NULL, NULL},
#endif
#if VECTOR_LANES & 8
    {4, BR_WORLDS_DOUBLE, &bri_worlds_double_4, &bri_worlds_blocks_4, &bri_worlds_smooth_4},
    {4, BR_WORLDS_FLOAT, &bri_worlds_float_8, NULL, NULL},
    {8, BR_WORLDS_DOUBLE, &bri_worlds_double_8, &bri_worlds_blocks_8, &bri_worlds_smooth_8},
    {8, BR_WORLDS_FLOAT, &bri_worlds_float_16, NULL, NULL},
#endif
};

// All arrays that worlds change, as floats; br_worlds_arrays of them and of the parameters. Freed by free_floats().
static br_worlds_arrays float_arrays(world_rows* w, float* block[])
{
    br_worlds_arrays a = {.count = w->count};
    contact_rows* c = &w->contact[0];
    const size_t n = w->count;
    a.pose = block[0] = floats_of(w->pose, 3 * n);
    a.twist = block[1] = floats_of(w->twist, 3 * n);
    a.mass = block[2] = floats_of(w->mass, n);
    a.inertia = block[3] = floats_of(w->inertia, n);
    a.load = block[4] = floats_of(w->forces, 3 * n);
    a.contacts[0].z = block[5] = floats_of(c->z, 3 * n);
    a.contacts[0].fn = block[6] = floats_of(c->fn, n);
    a.contacts[0].mu_c = block[7] = floats_of(c->numbers[MU_C], n);
    a.contacts[0].mu_s = block[8] = floats_of(c->numbers[MU_S], n);
    a.contacts[0].v_damping = block[9] = floats_of(c->numbers[V_D], n);
    return a;
}

/* Oracle: steps one by one in double. Doubles differ by rounding, as above; floats by 1e-5 m/s after
 * a step (1e-3 rad/s at lengths of 10 mm): Newton's method stops at 1e-5 of the speed and 1e-4 of v_s. */
static void every_instance_steps_the_same_worlds(void** state)
{
    (void)state;
    for (size_t k = 0; k < sizeof instances / sizeof *instances; k++) {
        if (!processor_has(instances[k].doubles)) {
            continue;
        }
        const int is_float = instances[k].type == BR_WORLDS_FLOAT;
        fixture_fill(&ours, 33, 1, 1, W_ELLIPSOID, ALIKE, 11);
        memset(ours.contact[0].ground, 0, sizeof ours.contact[0].ground);
        memset(ours.contact[0].position, 0, sizeof ours.contact[0].position);
        memset(ours.contact[0].angle, 0, sizeof ours.contact[0].angle);
        const br_law law = br_contact_def_default().law;
        for (size_t i = 0; i < 33; i++) {
            const double shared[] = {1.0,        law.v_stribeck, law.sigma0,
                                     law.sigma1, law.sigma2,     law.s_ba};
            static const int rows[] = {SCALE, V_S, SIGMA0, SIGMA1, SIGMA2, S_BA};
            for (size_t r = 0; r < 6; r++) {
                ours.contact[0].numbers[rows[r]][i] = shared[r];
            }
        }
        twin = ours;
        many_worlds m = create_many(&ours, instances[k].type, false);
        m.worlds->in_lanes = instances[k].in_lanes;
        float* block[10] = {NULL};
        const br_worlds_arrays a = is_float ? float_arrays(&ours, block) : arrays_of(&ours);
        br_worlds_step(m.worlds, &a, ours.h, 1);
        for (size_t i = 0; i < 33; i++) {
            step_world(&twin, i);
        }
        for (size_t i = 0; i < 3 * 33; i++) {
            const double v = is_float ? (double)block[1][i] : ours.twist[i];
            assert_near(v, twin.twist[i], is_float ? (i < 66 ? 1e-5 : 1e-3) : 1e-11);
        }
        for (size_t b = 0; b < 10; b++) {
            free(block[b]);
        }
        destroy_many(&m);
    }
}

// 40 worlds, several groups, by an instance, against steps one by one.
static void check_instance(const worlds_in_lanes* instance, int method)
{
    fixture_fill(&ours, 40, 5, 2, method, ALIKE, 12);
    twin = ours;
    many_worlds m = create_many(&ours, BR_WORLDS_DOUBLE, false);
    m.worlds->in_lanes = instance; // memory: that of the longest vectors
    const br_worlds_arrays a = arrays_of(&ours);
    br_worlds_step(m.worlds, &a, ours.h, ours.steps);
    for (size_t i = 0; i < 40; i++) {
        step_world(&twin, i);
    }
    compare_numbers("pose", ours.pose, twin.pose, 3 * 40, 1e-12);
    compare_numbers("twist", ours.twist, twin.twist, 3 * 40, 1e-11);
    compare_numbers("z", ours.contact[1].z, twin.contact[1].z,
                    40 * br_worlds_get_state_count(m.worlds, 1), 1e-15);
    destroy_many(&m);
}

/* Oracle: steps one by one. */
static void every_instance_steps_the_same_blocks_and_tables(void** state)
{
    (void)state;
    for (size_t k = 0; k < sizeof instances / sizeof *instances; k++) {
        if (instances[k].blocks && processor_has(instances[k].doubles)) {
            check_instance(instances[k].blocks, W_BLOCKS);
        }
        if (instances[k].tables && processor_has(instances[k].doubles)) {
            check_instance(instances[k].tables, W_REDUCED);
        }
    }
}

/* Oracle: as above, for reduced contacts of LuGre, and for those that are surely in lanes. A body at rest on ground at rest
 * has no motion to look up; one whose twist is a spin alone or a slide alone is at the edge of a face of the table. */
static void tables_of_other_laws_and_twists_are_steps_one_by_one(void** state)
{
    (void)state;
    for (int which = 0; which < 4; which++) {
        fixture_fill(&ours, 19, 20, 1 + (size_t)which, W_REDUCED, ALIKE, 80 + (uint64_t)which);
        for (size_t k = 0; k < ours.contacts; k++) {
            contact_rows* c = &ours.contact[k];
            c->kind = which & 1 ? BR_LAW_LUGRE : BR_LAW_ELASTO_PLASTIC;
            for (size_t row = 0; row < 3;
                 row++) { // worlds 0 to 2 at rest; 3 and 4 move in one component
                for (size_t i = 0; i < 5; i++) {
                    c->ground[row * 19 + i] = 0.0;
                    ours.twist[row * 19 + i] = i == 3 && row == 2   ? 1.0
                                               : i == 4 && row == 0 ? 0.02
                                                                    : 0.0;
                }
            }
        }
        for (size_t step = 0; step < ours.steps; step++) {
            for (size_t row = 0; row < 3; row++) { // and without load
                ours.forces[(3 * step + row) * 19] = 0.0;
            }
        }
        many_worlds m = create_many(&ours, BR_WORLDS_DOUBLE, false);
        assert_true(br_worlds_get_lanes(m.worlds) > 1 || !processor_has(2));
        destroy_many(&m);
        check_filled_worlds(false);
    }
}

// --- start, energy, floats -----------------------------------------------------------------------------------

/* Oracle: br_contact_steady_eval() of a contact made for each world; 0 at rest; other worlds keep their bristles. */
static void a_reset_starts_in_steady_sliding(void** state)
{
    (void)state;
    for (int method = 0; method < W_METHODS; method++) {
        uint8_t mask[ODD];
        fixture_fill(&ours, ODD, 1, 1, method, ALIKE, 8);
        contact_rows* c = &ours.contact[0];
        for (size_t i = 0; i < ODD; i++) {
            mask[i] = i != 4;
            c->z[i] = 7.0;
            c->fn[i] = 1.0;
        }
        for (size_t k = 0; k < 3; k++) { // world 2 is at rest on a ground at rest
            ours.twist[k * ODD + 2] = c->ground[k * ODD + 2] = 0.0;
        }
        many_worlds m = create_many(&ours, BR_WORLDS_DOUBLE, false);
        const br_worlds_arrays a = arrays_of(&ours);
        br_worlds_reset(m.worlds, &a, mask);
        for (size_t i = 0; i < ODD; i++) {
            double z[MOST_STATES];
            br_contact* made = fixture_contact(method, c->numbers[SCALE][i], law_of_world(c, i));
            br_step_contact at = {.contact = made, .z = z, .fn = 1.0};
            place_in_world(&ours, 0, i,
                           (br_pose){ours.pose[i], ours.pose[ODD + i], ours.pose[2 * ODD + i]},
                           &at);
            const br_twist over = {ours.twist[i] - at.ground.vx, ours.twist[ODD + i] - at.ground.vy,
                                   ours.twist[2 * ODD + i] - at.ground.w};
            const br_vec2 here = br_vec2_rotate(
                (br_vec2){over.vx - over.w * at.arm.y, over.vy + over.w * at.arm.x}, -at.angle);
            br_contact_steady_eval(made, (br_twist){here.x, here.y, over.w}, 1.0, z);
            const size_t states = br_contact_get_state_count(made);
            for (size_t k = 0; k < states && i != 4; k++) {
                // mu/sigma0 is at most 4e-5 m, and directions of small speeds are uncertain by 1e-12
                assert_near(c->z[k * ODD + i], i == 2 ? 0.0 : z[k], 1e-15);
            }
            br_contact_destroy(made);
        }
        assert_true(c->z[4] == 7.0);
        assert_int_equal(c->state[2], BR_STATE_STICK);
        assert_int_equal(c->state[3], BR_STATE_SLIP);
        destroy_many(&m);
    }
}

// Random worlds with bristles up to three times as long as in sliding, and a step of any size; states: of a contact.
static void shake(world_rows* w, size_t states, uint64_t* seed)
{
    for (size_t k = 0; k < w->contacts; k++) {
        contact_rows* c = &w->contact[k];
        const size_t n = w->count;
        for (size_t i = 0; i < n; i++) {
            const double z_max = 3.0 * c->numbers[MU_S][i] / c->numbers[SIGMA0][i];
            for (size_t row = 0; row < states; row++) {
                const int is_spin = row >= states / 3 * 2;
                c->z[row * n + i] = uniform(seed, -z_max, z_max) * (is_spin ? 5e-3 : 1.0);
            }
        }
        fill_rows(c->fn, n, seed, 0.0, 5.0);
    }
}

// Energy that the velocity moves in stiff bristles, n fn sigma0 (h v)^2: a velocity with 16
// digits gives this energy to 16 digits only. Beyond steps of 10 ms it is larger than all others.
static double stiff_energy(const world_rows* w, size_t i, double h)
{
    const size_t n = w->count;
    double sum = 0.0;
    for (size_t k = 0; k < w->contacts; k++) {
        const contact_rows* c = &w->contact[k];
        const double v = fabs(w->twist[i]) + fabs(w->twist[n + i]) +
                         fabs(w->twist[2 * n + i]) * 0.1 + 0.03; // and that of the ground
        sum += (double)w->shared[k].count * c->fn[i] * c->numbers[SIGMA0][i] * h * h * v * v;
    }
    return sum;
}

// Energy that world i gained in a step, over the energy that the step moved; and the imbalance of its ledger.
static double gain_of(const world_rows* w, size_t i, double h, double* imbalance)
{
    double e[BR_WORLDS_LEDGER_ROWS];
    for (size_t k = 0; k < BR_WORLDS_LEDGER_ROWS; k++) {
        e[k] = w->ledger[k * w->count + i];
    }
    const double in = e[BR_WORLDS_KINETIC_BEFORE] + e[BR_WORLDS_STORED_BEFORE];
    const double after = e[BR_WORLDS_KINETIC_AFTER] + e[BR_WORLDS_STORED_AFTER];
    const double size = in + after + fabs(e[BR_WORLDS_LOAD]) + fabs(e[BR_WORLDS_GROUND_WORK]) +
                        stiff_energy(w, i, h);
    const double put_in = e[BR_WORLDS_LOAD] + e[BR_WORLDS_GROUND_WORK];
    const double lost = e[BR_WORLDS_DISSIPATED] + e[BR_WORLDS_NUMERICAL];
    *imbalance = fmax(*imbalance, fabs(after + lost - in - put_in) / size);
    return (after - in - put_in) / size;
}

// Largest gain of 32 worlds in each round of 20 steps.
static double largest_gain(br_worlds_type type, int method, size_t contacts, size_t rounds,
                           double h, uint64_t seed, double* imbalance)
{
    double worst = 0.0;
    for (size_t round = 0; round < rounds; round++) {
        fixture_fill(&ours, 32, 1, contacts, method, ALIKE, seed + 1000 * round);
        many_worlds m = create_many(&ours, type, false);
        shake(&ours, br_worlds_get_state_count(m.worlds, 0), &seed);
        br_worlds_arrays a = arrays_of(&ours);
        for (size_t k = 0; k < contacts; k++) {
            a.contacts[k].state = NULL;
            a.contacts[k].slip_rate = a.contacts[k].load = NULL;
        }
        for (int step = 0; step < 20; step++) {
            step_as(type, m.worlds, &a, h, 1);
            for (size_t i = 0; i < 32; i++) {
                worst = fmax(worst, gain_of(&ours, i, h, imbalance));
            }
        }
        destroy_many(&m);
    }
    return worst;
}

static size_t rounds_of_energy =
    12; // of 32 worlds, 20 steps, 5 sizes of steps, 3 counts of contacts

/* Oracle: the first law. No step gains energy beyond rounding, at any size of steps: in doubles 2e-14 of the energies
 * that the step moves (a hundred roundings of 1.1e-16), in floats 1e-5 (a hundred roundings of 6e-8). */
static void no_step_gains_energy(void** state)
{
    (void)state;
    static const double bounds[] = {[BR_WORLDS_DOUBLE] = 2e-14, [BR_WORLDS_FLOAT] = 1e-5};
    double off[] = {0.0, 0.0};
    for (int size = -5; size < 0; size++) {
        const double h = pow(10.0, size);
        for (int type = BR_WORLDS_DOUBLE; type <= BR_WORLDS_FLOAT; type++) {
            for (int method = 0; method < W_METHODS; method++) {
                const size_t rounds =
                    method == W_ELLIPSOID ? rounds_of_energy : (rounds_of_energy + 3) / 4;
                for (size_t contacts = 1; contacts <= 4; contacts += contacts) {
                    const double gain =
                        largest_gain((br_worlds_type)type, method, contacts, rounds, h,
                                     (uint64_t)(100 + 100 * method + size), &off[type]);
                    if (!(gain <= bounds[type])) {
                        fail_msg("type %d, method %d, %zu contacts, steps of %g s: gain %.3g", type,
                                 method, contacts, h, gain);
                    }
                }
            }
        }
    }
    print_message("imbalance %.3g in doubles, %.3g in floats\n", off[0], off[1]);
    assert_true(off[0] <= bounds[0] && off[1] <= bounds[1]);
}

static void check_floats_over_two_seconds(int method)
{
    enum { N = 32, CALLS = 200, EACH = 10 };
    static double pose[3 * N], twist[3 * N], z[MOST_STATES * N], load[3 * N], fn[N], mass[N],
        inertia[N];
    br_contact* contact = fixture_contact(method, 1.0, br_contact_def_default().law);
    const br_worlds_contact finger = {.contact = contact, .frame = BR_WORLDS_GROUND, .count = 2};
    br_worlds_def def = br_worlds_def_default(&finger, 1);
    br_worlds *doubles, *floats;
    uint64_t seed = 21;
    memset(twist, 0, sizeof twist);
    memset(z, 0, sizeof z);
    memset(load, 0, sizeof load);
    fill_rows(pose, 2 * N, &seed, -0.002, 0.002);
    fill_rows(mass, N, &seed, 0.1, 0.3);
    for (size_t i = 0; i < N; i++) {
        inertia[i] = mass[i] * 2.4e-3;
        load[N + i] = -9.81 * mass[i];
    }
    assert_status(br_worlds_create(&def, &doubles, NULL), BR_OK);
    def.type = BR_WORLDS_FLOAT;
    assert_status(br_worlds_create(&def, &floats, NULL), BR_OK);
    float *block[] = {floats_of(pose, 3 * N),
                      floats_of(twist, 3 * N),
                      floats_of(z, MOST_STATES * N),
                      floats_of(load, 3 * N),
                      floats_of(mass, N),
                      floats_of(inertia, N)},
          fnf[N];
    br_worlds_arrays a = {
        .count = N, .pose = pose, .twist = twist, .load = load, .mass = mass, .inertia = inertia};
    br_worlds_arrays b = {.count = N,
                          .pose = block[0],
                          .twist = block[1],
                          .load = block[3],
                          .mass = block[4],
                          .inertia = block[5]};
    a.contacts[0] = (br_worlds_contact_arrays){.z = z, .fn = fn};
    b.contacts[0] = (br_worlds_contact_arrays){.z = block[2], .fn = fnf};
    for (int call = 0; call < CALLS; call++) {
        for (size_t i = 0; i < N; i++) {
            fn[i] = mass[i] / 0.2 * (1.3 + 0.9 * (double)i / N + 0.91 * sin(0.04 * BR_PI * call));
            fnf[i] = (float)fn[i];
        }
        br_worlds_step(doubles, &a, 1e-3, EACH);
        br_worlds_step(floats, &b, 1e-3, EACH);
    }
    double largest = 0.0, mean = 0.0, distance = 0.0;
    for (size_t i = 0; i < N; i++) {
        const double off =
            hypot(pose[i] - (double)block[0][i], pose[N + i] - (double)block[0][N + i]);
        largest = fmax(largest, off);
        mean += off / N;
        distance = fmax(distance, fabs(pose[N + i]));
    }
    print_message("floats, method %d: largest error %.3g m, mean %.3g m, distance %.3g m\n", method,
                  largest, mean, distance);
    assert_true(distance > 0.1); // it slips
    assert_true(largest <= 1e-3 && mean <= 5e-5);
    for (size_t k = 0; k < sizeof block / sizeof *block; k++) {
        free(block[k]);
    }
    br_worlds_destroy(doubles);
    br_worlds_destroy(floats);
    br_contact_destroy(contact);
}

/* Oracle: doubles. Slip-stick of 2 s in steps of 1 ms: floats end within 1 mm, the mean within 0.05 mm, after
 * distances of up to 0.4 m. A world that sticks in one and just slips in the other makes the largest error. */
static void floats_follow_doubles_over_two_seconds(void** state)
{
    (void)state;
    for (int method = 0; method < W_METHODS; method++) {
        check_floats_over_two_seconds(method);
    }
}

// --- what users write ----------------------------------------------------------------------------------------

/* Oracle: the ranges of worlds.h. */
static void wrong_numbers_are_named(void** state)
{
    (void)state;
    br_reason why;
    fixture_fill(&ours, ODD, 2, 1, W_BLOCKS, ALIKE, 9);
    many_worlds m = create_many(&ours, BR_WORLDS_DOUBLE, false);
    br_worlds_arrays a = arrays_of(&ours);
    assert_status(br_worlds_check(m.worlds, &a, 1e-3, 2, &why), BR_OK);
    assert_status(br_worlds_check(m.worlds, &a, -1.0, 2, &why), BR_ERR_ARG);
    assert_string_equal(why.field, "h");
    assert_status(br_worlds_check(m.worlds, &a, 1e-3, 3, &why), BR_ERR_ARG);
    assert_string_equal(why.field, "load_steps");
    ours.contact[0].numbers[MU_C][17] = -0.1;
    assert_status(br_worlds_check(m.worlds, &a, 1e-3, 2, &why), BR_ERR_ARG);
    assert_string_equal(why.field, "contacts[0].mu_c[17]");
    ours.contact[0].numbers[MU_C][17] = 9.0;
    assert_status(br_worlds_check(m.worlds, &a, 1e-3, 2, &why), BR_ERR_ARG);
    assert_string_equal(why.field, "contacts[0].mu_s[17]");
    ours.contact[0].numbers[MU_C][17] = 0.2;
    a.contacts[0].ratio = ours.mass;
    assert_status(br_worlds_check(m.worlds, &a, 1e-3, 2, &why), BR_ERR_ARG);
    assert_string_equal(why.field, "contacts[0].ratio");
    a.contacts[0].ratio = NULL;
    ours.mass[3] = (double)NAN;
    assert_status(br_worlds_check(m.worlds, &a, 1e-3, 2, &why), BR_ERR_ARG);
    assert_string_equal(why.field, "mass[3]");
    a.pose = NULL;
    assert_status(br_worlds_check(m.worlds, &a, 1e-3, 2, &why), BR_ERR_ARG);
    assert_string_equal(why.field, "pose");
    destroy_many(&m);
}

/* Oracle: worlds.h. */
static void templates_that_do_not_suit_are_refused(void** state)
{
    (void)state;
    br_reason why;
    br_worlds* worlds;
    br_worlds_contact contact = {0};
    br_worlds_def def = br_worlds_def_default(&contact, 1);
    assert_status(br_worlds_create(&def, &worlds, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "contacts[0].contact");
    assert_null(worlds);
    br_patch* patch = fixture_patch(1.0);
    br_contact_def cells = br_contact_def_default();
    br_contact* made;
    cells.method = BR_METHOD_DISTRIBUTED;
    cells.patch = patch;
    assert_status(br_contact_create(&cells, &made, NULL), BR_OK);
    contact.contact = made;
    assert_status(br_worlds_create(&def, &worlds, &why), BR_ERR_DEF);
    assert_non_null(strstr(why.text, "blocks"));
    def.contact_count = 5;
    assert_status(br_worlds_create(&def, &worlds, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "contact_count");
    br_contact_destroy(made);
    br_patch_destroy(patch);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worlds_are_steps_one_by_one),
        cmocka_unit_test(lugre_and_anisotropy_are_steps_one_by_one),
        cmocka_unit_test(blocks_of_other_laws_are_steps_one_by_one),
        cmocka_unit_test(blocks_of_narrow_bands_are_steps_one_by_one),
        cmocka_unit_test(nan_in_one_world_leaves_the_others_untouched),
        cmocka_unit_test(a_world_does_not_depend_on_its_neighbours),
        cmocka_unit_test(collected_worlds_are_those_that_are_alone),
        cmocka_unit_test(steps_of_a_call_are_calls_and_masks_are_obeyed),
        cmocka_unit_test(steps_touch_only_the_arrays_and_allocate_nothing),
        cmocka_unit_test(every_instance_steps_the_same_worlds),
        cmocka_unit_test(every_instance_steps_the_same_blocks_and_tables),
        cmocka_unit_test(tables_of_other_laws_and_twists_are_steps_one_by_one),
        cmocka_unit_test(a_reset_starts_in_steady_sliding),
        cmocka_unit_test(no_step_gains_energy),
        cmocka_unit_test(floats_follow_doubles_over_two_seconds),
        cmocka_unit_test(wrong_numbers_are_named),
        cmocka_unit_test(templates_that_do_not_suit_are_refused),
    };
    if (argc > 1 && strcmp(argv[1], "many") == 0) {
        rounds_of_energy = 1050; // 1e7 steps of worlds in doubles
        cmocka_set_test_filter("no_step_gains_energy");
    } else if (argc > 1 && strcmp(argv[1], "few") == 0) {
        rounds_of_energy = 1; // under valgrind
        more_contacts = 3;
        more_worlds = 18;
    } else if (argc > 1) {
        cmocka_set_test_filter(argv[1]);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
