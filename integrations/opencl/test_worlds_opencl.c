/* Tests of libbristle-opencl: worlds on a device against br_worlds_step(). */
#include "worlds_fixture.h"

#include "bristle/worlds_opencl.h"

#include <stdio.h>

static world_rows ours, twin;

static void compare_numbers(const char* what, const double* a, const double* b, size_t count,
                            double tolerance)
{
    for (size_t i = 0; i < count; i++) {
        if (!(fabs(a[i] - b[i]) <= tolerance)) {
            fail_msg("%s[%zu] of %zu: %.17g, by br_worlds_step() %.17g, difference %.3g, tolerance "
                     "%.3g",
                     what, i, count, a[i], b[i], a[i] - b[i], tolerance);
        }
    }
}

// The arrays without what a device does not compute.
static br_worlds_arrays device_arrays_of(world_rows* w)
{
    br_worlds_arrays a = arrays_of(w);
    for (size_t k = 0; k < w->contacts; k++) {
        a.contacts[k].state = NULL;
        a.contacts[k].slip_rate = a.contacts[k].load = NULL;
    }
    return a;
}

static br_worlds_opencl* device_for(const br_worlds* worlds, int lanes)
{
    br_worlds_opencl* device = NULL;
    br_reason why = {"", ""};
    if (br_worlds_opencl_create(worlds, BR_OPENCL_ANY, 0, lanes, &device, &why) != BR_OK) {
        fail_msg("%s: %s", why.field, why.text);
    }
    return device;
}

static void step_on(br_worlds_opencl* device, const br_worlds_arrays* a, double h, size_t steps)
{
    br_reason why = {"", ""};
    if (br_worlds_opencl_step(device, a, h, steps, &why) != BR_OK) {
        fail_msg("%s: %s", why.field, why.text);
    }
}

// --- doubles -------------------------------------------------------------------------------------------------

/* Oracle: br_worlds_step(). Text and method are the same; exp, sin and sums round differently. So the tolerances are those
 * of unit.worlds against br_step_coupled(): rounding, 1e-16, times the condition of the closing solve (1e3), over 20 steps. */
static void compare_worlds(const world_rows* a, const world_rows* b)
{
    const size_t n = a->count;
    compare_numbers("pose", a->pose, b->pose, 3 * n, 1e-12);
    compare_numbers("twist", a->twist, b->twist, 3 * n, 1e-11);
    compare_numbers("ledger", a->ledger, b->ledger, BR_WORLDS_LEDGER_ROWS * n, 1e-13);
    for (size_t k = 0; k < a->contacts; k++) {
        compare_numbers("z", a->contact[k].z, b->contact[k].z, 3 * n, 1e-14);
        compare_numbers("f", a->contact[k].f, b->contact[k].f, 3 * n, 1e-9);
    }
    assert_memory_equal(a->converged, b->converged, n);
}

static void check_doubles(size_t contacts, int lanes)
{
    static const size_t counts[] = {19, 1, 40, 8}; // memory of the device is used again, and grows
    fixture_fill(&ours, 1, 1, contacts, W_ELLIPSOID, ALIKE, 1);
    many_worlds m = create_many(&ours, BR_WORLDS_DOUBLE, false);
    br_worlds_opencl* device = device_for(m.worlds, lanes);
    for (size_t j = 0; j < sizeof counts / sizeof *counts; j++) {
        fixture_fill(&ours, counts[j], 20, contacts, W_ELLIPSOID, ALIKE, 11 + contacts + j);
        twin = ours;
        const br_worlds_arrays a = device_arrays_of(&ours), b = device_arrays_of(&twin);
        step_on(device, &a, ours.h, ours.steps);
        br_worlds_step(m.worlds, &b, twin.h, twin.steps);
        compare_worlds(&ours, &twin);
    }
    br_worlds_opencl_destroy(device);
    destroy_many(&m);
}

static void doubles_are_those_of_the_lanes(void** state)
{
    (void)state;
    check_doubles(1, 0);
    check_doubles(2, 0); // on the body and on the ground
    check_doubles(BR_WORLDS_CONTACTS, 0);
}

// A work item of a processor steps several groups together: 40 worlds are 20 groups of 2.
static void worlds_that_slip_are_collected_from_groups(void** state)
{
    (void)state;
    check_doubles(1, 2);
    check_doubles(2, 2);
}

// What a GPU computes.
static void one_world_in_a_work_item_gives_the_same(void** state)
{
    (void)state;
    check_doubles(1, 1);
}

/* Oracle: br_worlds_step() with the same arrays, of which most are missing, so that the definition's numbers are used; own
 * ratios of anisotropic friction in the second round. Tolerances as above. */
static void missing_arrays_are_the_numbers_of_the_definition(void** state)
{
    (void)state;
    for (int round = 0; round < 2; round++) {
        fixture_fill(&ours, 13, 20, 2, W_ELLIPSOID, ALIKE, 5);
        for (size_t k = 0; k < 2; k++) {
            ours.shared[k].position = (br_vec2){0.01, -0.02 * (double)k};
            ours.shared[k].angle = 0.7;
            ours.shared[k].fn = 1.5;
        }
        twin = ours;
        many_worlds m = create_many(&ours, BR_WORLDS_DOUBLE, false);
        br_worlds_opencl* device = device_for(m.worlds, 0);
        br_worlds_arrays a = {.count = 13, .pose = ours.pose, .twist = ours.twist};
        br_worlds_arrays b = {.count = 13, .pose = twin.pose, .twist = twin.twist};
        double ratio[13];
        for (size_t i = 0; i < 13; i++) {
            ratio[i] = 0.5 + 0.1 * (double)i;
        }
        for (size_t k = 0; k < 2; k++) {
            a.contacts[k].z = ours.contact[k].z;
            b.contacts[k].z = twin.contact[k].z;
            a.contacts[k].ratio = b.contacts[k].ratio = round ? ratio : NULL;
        }
        step_on(device, &a, ours.h, 20);
        br_worlds_step(m.worlds, &b, ours.h, 20);
        compare_worlds(&ours, &twin);
        br_worlds_opencl_destroy(device);
        destroy_many(&m);
    }
}

/* Oracle: worlds outside the mask and columns beside the worlds keep every byte; the others are those of a call without a mask,
 * to the last bit, and one of NaN does not change its neighbours. */
static void masks_strides_and_nan_touch_nothing_else(void** state)
{
    (void)state;
    enum { ALL = 21, STEPPED = 17, BAD = 4 };
    uint8_t mask[ALL];
    fixture_fill(&ours, ALL, 10, 1, W_ELLIPSOID, ALIKE, 9);
    const world_rows before = ours;
    twin = ours;
    ours.twist[BAD] = (double)NAN;
    for (size_t i = 0; i < ALL; i++) {
        mask[i] = i % 3 != 0;
    }
    many_worlds m = create_many(&ours, BR_WORLDS_DOUBLE, false);
    br_worlds_opencl* device = device_for(m.worlds, 0);
    br_worlds_arrays a = device_arrays_of(&ours), b = device_arrays_of(&twin);
    a.count = STEPPED;
    a.stride = ALL;
    a.mask = mask;
    step_on(device, &a, ours.h, ours.steps);
    step_on(device, &b, twin.h, twin.steps);
    for (size_t j = 0; j < 3 * ALL; j++) {
        const size_t i = j % ALL;
        const world_rows* expected = i < STEPPED && mask[i] ? &twin : &before;
        if (i == BAD) {
            continue;
        }
        assert_memory_equal(&ours.pose[j], &expected->pose[j], sizeof(double));
        assert_memory_equal(&ours.twist[j], &expected->twist[j], sizeof(double));
        assert_memory_equal(&ours.ledger[j], &expected->ledger[j], sizeof(double));
        assert_memory_equal(&ours.contact[0].z[j], &expected->contact[0].z[j], sizeof(double));
        assert_memory_equal(&ours.contact[0].f[j], &expected->contact[0].f[j], sizeof(double));
        assert_int_equal(ours.passes[i], expected->passes[i]);
        assert_int_equal(ours.converged[i], expected->converged[i]);
    }
    assert_true(isnan(ours.pose[BAD]) && isnan(ours.twist[BAD]));
    assert_int_equal(ours.converged[BAD], 0);
    br_worlds_opencl_destroy(device);
    destroy_many(&m);
}

// --- floats --------------------------------------------------------------------------------------------------

enum { FLOATS = 33 };

typedef struct float_rows {
    float pose[3 * FLOATS], twist[3 * FLOATS], mass[FLOATS], inertia[FLOATS];
    float load[3 * 20 * FLOATS], z[2][3 * FLOATS], fn[2][20 * FLOATS], mu[2][FLOATS];
} float_rows;

static void to_floats(float* to, const double* from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        to[i] = (float)from[i];
    }
}

static br_worlds_arrays float_arrays(float_rows* f, const world_rows* w)
{
    br_worlds_arrays a = {.count = FLOATS,
                          .pose = f->pose,
                          .twist = f->twist,
                          .mass = f->mass,
                          .inertia = f->inertia,
                          .load = f->load,
                          .load_steps = w->steps};
    to_floats(f->pose, w->pose, 3 * FLOATS);
    to_floats(f->twist, w->twist, 3 * FLOATS);
    to_floats(f->mass, w->mass, FLOATS);
    to_floats(f->inertia, w->inertia, FLOATS);
    to_floats(f->load, w->forces, 3 * w->steps * FLOATS);
    for (size_t k = 0; k < w->contacts; k++) {
        to_floats(f->z[k], w->contact[k].z, 3 * FLOATS);
        to_floats(f->fn[k], w->contact[k].fn, w->steps * FLOATS);
        to_floats(f->mu[k], w->contact[k].numbers[MU_C], FLOATS);
        a.contacts[k] = (br_worlds_contact_arrays){
            .z = f->z[k], .fn = f->fn[k], .fn_steps = w->steps, .mu_c = f->mu[k], .mu_s = f->mu[k]};
    }
    return a;
}

/* Oracle: br_worlds_step() in float. Text and method are the same, so that the difference is rounding: 1e-7 of speeds of up to
 * 0.1 m/s and 1 rad/s, in each of 20 steps; of angles of up to 3 rad two units in the last position. */
static void floats_are_those_of_the_lanes(void** state)
{
    (void)state;
    static float_rows a, b;
    for (int lanes = 0; lanes <= 1; lanes++) {
        fixture_fill(&ours, FLOATS, 20, lanes ? 1 : 2, W_ELLIPSOID, ALIKE, 21);
        many_worlds m = create_many(&ours, BR_WORLDS_FLOAT, false);
        br_worlds_opencl* device = device_for(m.worlds, lanes);
        const br_worlds_arrays on = float_arrays(&a, &ours), off = float_arrays(&b, &ours);
        step_on(device, &on, ours.h, ours.steps);
        br_worlds_step(m.worlds, &off, ours.h, ours.steps);
        for (size_t i = 0; i < 3 * FLOATS; i++) {
            const double tolerance = 20 * 1e-7 * (i < 2 * FLOATS ? 0.1 : 1.0);
            assert_near((double)a.twist[i], (double)b.twist[i], tolerance);
            assert_near((double)a.pose[i], (double)b.pose[i], 20 * ours.h * tolerance + 5e-7);
        }
        br_worlds_opencl_destroy(device);
        destroy_many(&m);
    }
}

// --- refused -------------------------------------------------------------------------------------------------

static void refuse_create(const br_worlds* worlds, br_opencl_kind kind, size_t index, int lanes,
                          br_status expected, const char* field)
{
    br_worlds_opencl* device = (br_worlds_opencl*)&ours;
    br_reason why = {"", ""};
    assert_status(br_worlds_opencl_create(worlds, kind, index, lanes, &device, &why), expected);
    assert_null(device);
    assert_string_equal(why.field, field);
    assert_true(strlen(why.text) > 10);
}

/* Oracle: the header. */
static void what_the_kernel_does_not_cover_is_refused(void** state)
{
    (void)state;
    for (int method = W_BLOCKS; method < W_METHODS; method++) {
        fixture_fill(&ours, 1, 1, 2, W_ELLIPSOID, ALIKE, 1);
        ours.contact[1].method = method;
        many_worlds m = create_many(&ours, BR_WORLDS_DOUBLE, false);
        refuse_create(m.worlds, BR_OPENCL_ANY, 0, 0, BR_ERR_DEF, "contacts[1].contact");
        destroy_many(&m);
    }
    br_law law = br_contact_def_default().law;
    law.gamma = 1.0;
    br_contact* contact = fixture_contact(W_ELLIPSOID, 1.0, law);
    const br_worlds_contact shared = {.contact = contact, .fn = 1.0};
    const br_worlds_def def = br_worlds_def_default(&shared, 1);
    br_worlds* worlds = NULL;
    assert_status(br_worlds_create(&def, &worlds, NULL), BR_OK);
    refuse_create(worlds, BR_OPENCL_ANY, 0, 0, BR_ERR_DEF, "contacts[0].contact");
    br_worlds_destroy(worlds);
    br_contact_destroy(contact);
}

static void wrong_arguments_are_refused(void** state)
{
    (void)state;
    fixture_fill(&ours, 3, 2, 1, W_ELLIPSOID, ALIKE, 1);
    many_worlds m = create_many(&ours, BR_WORLDS_DOUBLE, false);
    refuse_create(m.worlds, BR_OPENCL_ANY, 1000, 0, BR_ERR_ARG, "index");
    refuse_create(m.worlds, BR_OPENCL_ANY, 0, 3, BR_ERR_ARG, "lanes");
    refuse_create(m.worlds, BR_OPENCL_ANY, 0, 32, BR_ERR_ARG, "lanes");
    refuse_create(m.worlds, BR_OPENCL_ANY, 0, -1, BR_ERR_ARG, "lanes");
    refuse_create(m.worlds, (br_opencl_kind)7, 0, 0, BR_ERR_ARG, "kind");
    br_worlds_opencl* device = device_for(m.worlds, 0);
    assert_true(strlen(br_worlds_opencl_get_name(device)) > 0);
    br_reason why;
    twin = ours;
    br_worlds_arrays a = arrays_of(&ours);
    assert_status(br_worlds_opencl_step(device, &a, 1e-3, 2, &why), BR_ERR_ARG);
    assert_string_equal(why.field, "contacts[0].state");
    a = device_arrays_of(&ours);
    assert_status(br_worlds_opencl_step(device, &a, 0.0, 2, &why), BR_ERR_ARG);
    assert_string_equal(why.field, "h");
    assert_status(br_worlds_opencl_step(device, &a, 1e-3, 3, &why), BR_ERR_ARG);
    assert_string_equal(why.field, "load_steps");
    a.stride = 2;
    assert_status(br_worlds_opencl_step(device, &a, 1e-3, 2, &why), BR_ERR_ARG);
    assert_string_equal(why.field, "stride");
    a = device_arrays_of(&ours);
    a.contacts[0].z = NULL;
    assert_status(br_worlds_opencl_step(device, &a, 1e-3, 2, &why), BR_ERR_ARG);
    assert_string_equal(why.field, "contacts[0].z");
    a = device_arrays_of(&ours);
    a.count = 0;
    assert_status(br_worlds_opencl_step(device, &a, 1e-3, 2, &why), BR_OK);
    assert_memory_equal(&ours, &twin, sizeof ours);
    br_worlds_opencl_destroy(device);
    br_worlds_opencl_destroy(NULL);
    destroy_many(&m);
}

// Run with a folder of drivers that has none.
static void without_a_platform_there_is_a_reason(void** state)
{
    (void)state;
    fixture_fill(&ours, 1, 1, 1, W_ELLIPSOID, ALIKE, 1);
    many_worlds m = create_many(&ours, BR_WORLDS_DOUBLE, false);
    refuse_create(m.worlds, BR_OPENCL_ANY, 0, 0, BR_ERR_ABSENT, "");
    destroy_many(&m);
}

// 0: there is no device at all, which the drivers report
static int has_device(void)
{
    fixture_fill(&ours, 1, 1, 1, W_ELLIPSOID, ALIKE, 1);
    many_worlds m = create_many(&ours, BR_WORLDS_DOUBLE, false);
    br_worlds_opencl* device = NULL;
    br_reason why = {"", ""};
    const br_status status = br_worlds_opencl_create(m.worlds, BR_OPENCL_ANY, 0, 0, &device, &why);
    const int is_absent = status == BR_ERR_ABSENT && strstr(why.text, "platform");
    if (is_absent) {
        printf("skipped: %s (Debian: pocl-opencl-icd)\n", why.text);
    }
    br_worlds_opencl_destroy(device);
    destroy_many(&m);
    return !is_absent;
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doubles_are_those_of_the_lanes),
        cmocka_unit_test(worlds_that_slip_are_collected_from_groups),
        cmocka_unit_test(one_world_in_a_work_item_gives_the_same),
        cmocka_unit_test(missing_arrays_are_the_numbers_of_the_definition),
        cmocka_unit_test(masks_strides_and_nan_touch_nothing_else),
        cmocka_unit_test(floats_are_those_of_the_lanes),
        cmocka_unit_test(what_the_kernel_does_not_cover_is_refused),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    const struct CMUnitTest absent[] = {
        cmocka_unit_test(without_a_platform_there_is_a_reason),
    };
    if (argc > 1 && strcmp(argv[1], "no-platform") == 0) {
        return cmocka_run_group_tests_name("opencl.no_platform", absent, NULL, NULL);
    }
    return has_device() ? cmocka_run_group_tests_name("opencl.worlds", tests, NULL, NULL) : 77;
}
