/*
 * Oracle: central differences of the real step, with Newton's iteration carried to the end (this program compiles the stage
 * of its own with a tighter tolerance), and the identity <w, J d> = <J^T w, d> of both directions.
 */
#define STAGE_TOLERANCE 1e-13
#include "planar/step_stage.c" // NOLINT(bugprone-suspicious-include)

#include "gradient_fixture.h"

enum { MOST_FAILURES = 10 };

static uint64_t states_of_a_test =
    400; // random states of each method; the argument after "all": how many

static br_contact* shapes[MODELS];

static int create_shapes(void** state)
{
    disc_create(state);
    for (int which = 0; which < MODELS; which++) {
        const br_contact_def def = disc_def(which, br_law_default(BR_LAW_LUGRE));
        assert_status(br_contact_create(&def, &shapes[which], NULL), BR_OK);
    }
    return 0;
}

static int destroy_shapes(void** state)
{
    for (int which = 0; which < MODELS; which++) {
        br_contact_destroy(shapes[which]);
    }
    return disc_destroy(state);
}

// Counts over random states.
typedef struct tally {
    int states, kinks, paid, open, rough, limited, fallen, worse;
    double worst, identity;
} tally;

// Differences agree with themselves to this where there is no kink within their steps.
static const double self_agreement = 1e-6;

static void check_state(uint64_t* seed, const setting* how, damping damped, tally* all)
{
    static inputs in, d, bar;
    static outputs out;
    static double exact[NUMBERS], found[NUMBERS], scale[NUMBERS], w[NUMBERS];
    double forward = 0.0, size = 0.0, other, pivot;
    random_inputs(seed, how, damped, &in);
    random_direction(seed, how, &in, &d);
    step_from(&in, how, &out);
    output_scales(how, &in, &out, scale);
    const unsigned flags = forward_from(&in, how, &out, &d, found);
    for (size_t i = 0; i < output_count(how); i++) {
        w[i] = some(seed) * scale[i];
        forward += w[i] * found[i];
        size += fabs(w[i] * found[i]);
    }
    const unsigned back_flags = backward_from(&in, how, &out, w, &bar, &pivot);
    const double backward = inner(&bar, &d, how, &other);
    assert_int_equal(flags, back_flags);
    all->states++;
    // both sums round; 1e-11 of their terms
    const double gap = fabs(forward - backward) / (size + other);
    all->identity = fmax(all->identity, gap);
    assert_int_equal(!out.did.converged, (flags & BR_GRADIENT_OPEN) != 0);
    all->open += !out.did.converged;
    all->kinks += (flags & BR_GRADIENT_KINK) != 0;
    all->paid += (flags & BR_GRADIENT_PAID) != 0;
    all->limited += out.record.closing == BR_CLOSED_LIMITED;
    all->fallen += out.did.order < how->order;
    if (flags) {
        return;
    }
    const double own = best_difference(step_from, &in, how, &d, scale, output_count(how), exact);
    const double error = distance_of(found, exact, scale, output_count(how));
    if (own > self_agreement) { // differences cross a kink or jump
        all->rough++;
        return;
    }
    all->worst = fmax(all->worst, error);
    all->worse += error > 1e-6;
    if (error > 1e-6 && all->worse < MOST_FAILURES) {
        print_error(
            "state %d: error %.2g, differences agree to %.1g, h %.1g, law %d, gamma %g, damping %d\n",
            all->states, error, own, in.h, in.at[0].law.kind, in.at[0].law.gamma, damped);
    }
}

// Random states on one or two contacts of a method.
static void check_method(int which, int order, damping damped, tally* all)
{
    uint64_t seed = 33 + (uint64_t)which;
    for (uint64_t i = 0; i < states_of_a_test; i++) {
        setting how = {.like = {shapes[which], shapes[which]},
                       .count = {1, 2},
                       .links = i % 4 == 3 ? 2 : 1,
                       .order = order,
                       .passes = 80};
        check_state(&seed, &how, damped, all);
    }
}

static void expect_exact(const tally* all)
{
    print_message(
        "%d states: worst error %.2g, identity %.2g; kinks %d, paid %d, open %d, rough %d, limited %d, "
        "fallen back %d\n",
        all->states, all->worst, all->identity, all->kinks, all->paid, all->open, all->rough,
        all->limited, all->fallen);
    assert_int_equal(all->worse, 0);
    assert_true(all->identity <= 1e-11);
    assert_true(all->kinks <= 1 + all->states / 1000);
    assert_true(all->paid + all->open <= 1 + all->states / 100);
    assert_true(all->rough <= 2 + all->states / 200);
}

static void cells_agree_with_differences(void** state)
{
    (void)state;
    tally all = {0};
    check_method(CELLS, 1, CONSTANT, &all);
    expect_exact(&all);
}

static void blocks_agree_with_differences(void** state)
{
    (void)state;
    tally all = {0};
    check_method(BLOCKS, 1, CONSTANT, &all);
    expect_exact(&all);
}

static void surfaces_agree_with_differences(void** state)
{
    (void)state;
    tally all = {0};
    check_method(TABLE, 1, CONSTANT, &all);
    expect_exact(&all);
}

static void ellipsoids_agree_with_differences(void** state)
{
    (void)state;
    tally all = {0};
    check_method(ELLIPSOID, 1, CONSTANT, &all);
    expect_exact(&all);
}

static void order_2_agrees_with_differences(void** state)
{
    (void)state;
    tally all = {0};
    for (int which = 0; which < MODELS; which++) {
        check_method(which, 2, CONSTANT, &all);
    }
    expect_exact(&all);
}

static void fading_damping_agrees_with_differences(void** state)
{
    (void)state;
    tally all = {0};
    for (int which = 0; which < MODELS; which++) {
        check_method(which, 1, FADING, &all);
    }
    expect_exact(&all);
}

static void limited_damping_agrees_with_differences(void** state)
{
    (void)state;
    tally all = {0};
    for (int which = 0; which < MODELS; which++) {
        check_method(which, 1, STRONG, &all);
    }
    expect_exact(&all);
    assert_true(all.limited > all.states / 100);
}

static void order_2_falls_back_with_its_derivatives(void** state)
{
    (void)state;
    tally all = {0};
    for (int which = 0; which < MODELS; which++) {
        check_method(which, 2, STRONG, &all);
    }
    expect_exact(&all);
    assert_true(all.fallen > all.states / 100);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_agree_with_differences),
        cmocka_unit_test(blocks_agree_with_differences),
        cmocka_unit_test(surfaces_agree_with_differences),
        cmocka_unit_test(ellipsoids_agree_with_differences),
        cmocka_unit_test(order_2_agrees_with_differences),
        cmocka_unit_test(fading_damping_agrees_with_differences),
        cmocka_unit_test(limited_damping_agrees_with_differences),
        cmocka_unit_test(order_2_falls_back_with_its_derivatives),
    };
    if (argc > 2) {
        states_of_a_test = strtoull(argv[2], NULL, 10);
    }
    cmocka_set_test_filter(argc > 1 ? argv[1] : NULL);
    return cmocka_run_group_tests(tests, create_shapes, destroy_shapes);
}
