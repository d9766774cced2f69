/* Tests of the module planar: many bodies at once. */
#include "worlds_fixture.h"

static world_rows ours, twin;

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
static void check_against_one_by_one(int first_method, size_t contacts, size_t count, bool plain)
{
    fixture_fill(&ours, count, 20, contacts, first_method, 7 + (uint64_t)first_method + contacts);
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

static void worlds_are_steps_one_by_one(void** state)
{
    (void)state;
    for (int method = 0; method < W_METHODS; method++) {
        for (size_t contacts = 1; contacts <= BR_WORLDS_CONTACTS; contacts++) {
            check_against_one_by_one(method, contacts, 19, false);
            check_against_one_by_one(method, contacts, 5, true);
        }
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worlds_are_steps_one_by_one),
    };
    if (argc > 1) {
        cmocka_set_test_filter(argv[1]);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
