/*
 * Derivatives of steps on patches that follow the normal force. Oracle: central differences of the real step at the contact that
 * br_contact_at_force() gives, with Newton's iteration carried to the end (this program compiles the stage of its own with a tighter tolerance);
 * the identity <w, J d> = <J^T w, d>; closed forms of a disc.
 */
#define STAGE_TOLERANCE 1e-13
#include "planar/step_stage.c" // NOLINT(bugprone-suspicious-include)

#include "gradient_fixture.h"

#define disc_def patch_disc_def // step_fixture.h has another one
#include "growth_shapes.h"
#undef disc_def

static const br_method methods[MODELS] = {BR_METHOD_DISTRIBUTED, BR_METHOD_BLOCKS,
                                          BR_METHOD_REDUCED, BR_METHOD_ELLIPSOID};

static br_contact* growing(int kind, int which)
{
    const br_patch_def shape = kind_of_growth(kind);
    br_patch* patch;
    br_contact* made;
    assert_status(br_patch_create(&shape, &patch, NULL), BR_OK);
    br_contact_def def = br_contact_def_default();
    def.method = methods[which];
    def.patch = patch;
    def.resolution = which == CELLS ? 9 : which == BLOCKS ? 3 : 0;
    assert_status(br_contact_create(&def, &made, NULL), BR_OK);
    assert_true(br_contact_get_state_count(made) <= MOST_STATES);
    br_patch_destroy(patch);
    return made;
}

// Counts over random states.
typedef struct tally {
    int states, flagged, rough, worse, limited;
    double worst, identity;
} tally;

static void check_state(uint64_t* seed, const setting* how, damping damped, int kind, tally* all)
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
    assert_int_equal(backward_from(&in, how, &out, w, &bar, &pivot), flags);
    const double backward = inner(&bar, &d, how, &other);
    all->states++;
    all->identity = fmax(all->identity, fabs(forward - backward) / (size + other));
    all->flagged += flags != 0;
    all->limited += out.record.closing == BR_CLOSED_LIMITED;
    if (flags) {
        return;
    }
    const double own =
        best_difference(step_from, &in, how, &d, &out.record, scale, output_count(how), exact);
    const double error = distance_of(found, exact, scale, output_count(how));
    if (own > 1e-6) { // differences cross a kink, or cells change their rule of integration
        all->rough++;
        return;
    }
    all->worst = fmax(all->worst, error);
    all->worse += error > 1e-6;
    if (error > 1e-6) {
        print_error("kind %d, state %d: error %.2g, differences agree to %.1g, h %.1g, fn %g\n",
                    kind, all->states, error, own, in.h, in.at[0].fn);
    }
}

static void check_growth(int which, int order, damping damped, int states, tally* all)
{
    for (int kind = 0; kind < KINDS; kind++) {
        const br_patch_def shape = kind_of_growth(kind);
        if (shape.sampling == BR_SAMPLING_CENTRE) {
            continue; // weights are stairs over the force
        }
        br_contact* like = growing(kind, which);
        uint64_t seed = 7 + (uint64_t)kind;
        for (int i = 0; i < states; i++) {
            const setting how = {.like = {like, like},
                                 .count = {1, 2},
                                 .links = i % 4 == 3 ? 2 : 1,
                                 .order = order,
                                 .passes = 80,
                                 .follows = 1};
            check_state(&seed, &how, damped, kind, all);
        }
        br_contact_destroy(like);
    }
}

static void expect_exact(const tally* all)
{
    print_message("%d states: worst error %.2g, identity %.2g; flagged %d, rough %d, limited %d\n",
                  all->states, all->worst, all->identity, all->flagged, all->rough, all->limited);
    assert_int_equal(all->worse, 0);
    assert_true(all->identity <= 1e-11);
    assert_true(all->flagged <= 1 + all->states / 50);
    assert_true(all->rough <= 2 + all->states / 50);
}

static void cells_that_grow_agree_with_differences(void** state)
{
    (void)state;
    tally all = {0};
    check_growth(CELLS, 1, CONSTANT, 60, &all);
    expect_exact(&all);
}

static void blocks_that_grow_agree_with_differences(void** state)
{
    (void)state;
    tally all = {0};
    check_growth(BLOCKS, 1, CONSTANT, 60, &all);
    check_growth(BLOCKS, 2, FADING, 30, &all);
    expect_exact(&all);
}

static void surfaces_that_grow_agree_with_differences(void** state)
{
    (void)state;
    tally all = {0};
    check_growth(TABLE, 1, CONSTANT, 60, &all);
    check_growth(ELLIPSOID, 1, CONSTANT, 60, &all);
    check_growth(ELLIPSOID, 2, FADING, 30, &all);
    expect_exact(&all);
}

static void limited_steps_that_grow_agree_with_differences(void** state)
{
    (void)state;
    tally all = {0};
    for (int which = 0; which < MODELS; which++) {
        check_growth(which, 1, STRONG, 30, &all);
    }
    expect_exact(&all);
    assert_true(all.limited > all.states / 100);
}

/* Oracle: closed form. A disc of radius R = c fn^(1/3) under a linear pressure has r, u and CoP in proportion to R, R^2 and R. */
static void slopes_of_a_disc_are_those_of_its_radius(void** state)
{
    (void)state;
    static _Alignas(64) char memory[3 * AT_BYTES], at[AT_BYTES];
    const double fn = 4.0;
    for (int which = 0; which < MODELS; which++) {
        br_contact* like = growing(4, which);
        memset(at, 0, sizeof at);
        const br_contact* c = br_contact_at_force(like, fn, at);
        const br_contact_slopes* s = br_contact_slopes_at(like, fn, (br_pose){0}, memory);
        const br_patch_value value = br_contact_get_patch_value(c),
                             slope = br_contact_slopes_get_patch_value(s);
        if (which >= TABLE) { // cells and blocks are sums
            assert_near(slope.r, value.r / (3.0 * fn), 1e-8 * slope.r /* differences of 1e-5 */);
            assert_near(slope.u, 2.0 * value.u / (3.0 * fn), 1e-8 * slope.u);
            assert_near(slope.cop.x, (value.cop.x - 0.02) / (3.0 * fn), 1e-8 * fabs(slope.cop.x));
        }
        assert_true(fabs(slope.cop.x) > 1e-6); // [m/N]
        assert_null(br_contact_slopes_at(like, 0.0, (br_pose){0}, memory));
        br_contact_destroy(like);
    }
}

/* Oracle: definition. Where the patch stops growing both sides have slopes of their own. */
static void the_force_of_the_largest_disc_is_a_kink(void** state)
{
    (void)state;
    static _Alignas(64) char memory[3 * AT_BYTES], at[AT_BYTES];
    br_contact* like = growing(0, ELLIPSOID);
    const double full = pow(0.01 / 0.004, 3.0); // [N]
    double z0[3] = {0.0, 0.0, 0.0}, z1[3] = {0.0, 0.0, 0.0};
    const br_twist v = {0.01, 0.0, 0.5};
    memset(at, 0, sizeof at);
    const br_contact* c = br_contact_at_force(like, full, at);
    br_contact_step(c, z1, v, full, 1e-3, NULL);
    br_contact_step_adjoint a = {.f_bar = {1.0, 0.0, 0.0},
                                 .slopes = br_contact_slopes_at(like, full, (br_pose){0}, memory)};
    br_contact_step_vjp(c, z0, z1, v, full, 1e-3, &a);
    assert_int_equal(a.flags, BR_GRADIENT_KINK);
    br_contact_destroy(like);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_that_grow_agree_with_differences),
        cmocka_unit_test(blocks_that_grow_agree_with_differences),
        cmocka_unit_test(surfaces_that_grow_agree_with_differences),
        cmocka_unit_test(limited_steps_that_grow_agree_with_differences),
        cmocka_unit_test(slopes_of_a_disc_are_those_of_its_radius),
        cmocka_unit_test(the_force_of_the_largest_disc_is_a_kink),
    };
    return run_disc_group(argc, argv, tests);
}
