/*
 * Oracle: central differences of the real step, with Newton's iteration carried to the end (this program compiles the stage
 * of its own with a tighter tolerance), and the identity <w, J d> = <J^T w, d> of both directions.
 */
#define STAGE_TOLERANCE 1e-13
#include "planar/step_stage.c" // NOLINT(bugprone-suspicious-include)

#include "gradient_fixture.h"
#include "gradient_shapes.h"

#include "math/vec3.h"

enum { MOST_FAILURES = 10 };

static uint64_t states_of_a_test =
    400; // random states of each method; the argument after "all": how many

// Counts over random states.
typedef struct tally {
    int states, kinks, near, paid, open, limited, fallen, worse;
    double worst, identity;
} tally;

// --- kinks, by the table of docs/explanation/gradients.md, before any difference is formed ----------------------

// A state is set apart if a kink is within this part of the direction: smaller differences than 1e-8 are rounding, larger
// ones would see the curvature beside the kink.
static const double near_kink = 2e-5;

// A twist at the CoP of contact k in its axes, and its direction.
static void twist_of_contact(const inputs* in, const inputs* d, size_t k, const double v[3],
                             const double v_dot[3], double at[3], double at_dot[3])
{
    const double c = cos(in->at[k].angle), s = sin(in->at[k].angle), turn = d->at[k].angle;
    const double *arm = in->at[k].arm, *by = d->at[k].arm;
    const double *g = in->at[k].ground, *g_dot = d->at[k].ground;
    const double w = v[2] - g[2], w_dot = v_dot[2] - g_dot[2];
    const double x = v[0] - g[0] - w * arm[1], y = v[1] - g[1] + w * arm[0];
    const double x_dot = v_dot[0] - g_dot[0] - w_dot * arm[1] - w * by[1];
    const double y_dot = v_dot[1] - g_dot[1] + w_dot * arm[0] + w * by[0];
    at[0] = c * x + s * y, at[1] = -s * x + c * y, at[2] = w;
    at_dot[0] = c * x_dot + s * y_dot + turn * at[1];
    at_dot[1] = -s * x_dot + c * y_dot - turn * at[0];
    at_dot[2] = w_dot;
}

// The part of the direction after which some part of a contact is at rest: |v|/|v_dot|, the least of all parts. One that carries little shows
// little of its kink: over the root of its weight.
static double to_rest(const br_contact* c, const double v[3], const double v_dot[3])
{
    double least = HUGE_VAL;
    for (size_t i = 0; i < br_contact_get_part_count(c); i++) {
        const br_contact_part p = br_contact_get_part(c, i);
        const double r = contact_is_reduced(c) ? c->value.r : sqrt(p.xx + p.yy);
        const double x = p.position.x, y = p.position.y;
        const double own[3] = {v[0] - v[2] * y, v[1] + v[2] * x, r * v[2]};
        const double by[3] = {v_dot[0] - v_dot[2] * y, v_dot[1] + v_dot[2] * x, r * v_dot[2]};
        if (p.weight > 0.0) {
            least = fmin(least, vec3_norm(own) / vec3_norm(by) / sqrt(p.weight));
        }
    }
    return least;
}

// Does a table of a limit surface have a seam within `reach` of the direction? Its slopes jump there; else they change as the twist turns,
// by reach/rest, `rest` that of to_rest().
static int is_at_seam(const br_contact* c, const double v[3], const double v_dot[3], double reach,
                      double rest)
{
    double slopes[2][3][3], off = 0.0, size = 0.0;
    if (!c->surface) {
        return 0;
    }
    for (int i = 0; i < 2; i++) {
        const double e = i ? reach : -reach;
        const double at[3] = {v[0] + e * v_dot[0], v[1] + e * v_dot[1], v[2] + e * v_dot[2]};
        const double n = hypot(hypot(at[0], at[1]), c->value.r * at[2]);
        br_limit_jacobian_eval(c->surface, (br_twist){at[0] / n, at[1] / n, at[2] / n}, slopes[i]);
    }
    for (int i = 0; i < 9; i++) {
        const double a = slopes[0][i / 3][i % 3], b = slopes[1][i / 3][i % 3];
        off += fabs(a - b);
        size += fabs(a) + fabs(b);
    }
    return off > (1e-4 + 3.0 * reach / rest) * size;
}

// Does the step take another branch within `reach` of the direction: closing or order?
static int changes_branch(const inputs* in, const setting* how, const inputs* d, const outputs* out,
                          double reach)
{
    static outputs other;
    int changes = 0;
    for (int i = 0; i < 2; i++) {
        const inputs moved = moved_inputs(in, i ? reach : -reach, d, how);
        step_from(&moved, how, &other);
        changes |= !same_branch(&out->record, &other.record);
    }
    return changes;
}

static int is_near_kink(const inputs* in, const setting* how, const inputs* d, const outputs* out,
                        const double* v_dot)
{
    const double reach = 5e-3 * near_kink;
    const double middle[3] = {out->record.middle.vx, out->record.middle.vy, out->record.middle.w};
    int is_near = changes_branch(in, how, d, out, reach);
    for (size_t k = 0; k < how->links; k++) {
        double v[3], by[3];
        twist_of_contact(in, d, k, out->numbers, v_dot, v, by);
        double rest = to_rest(how->like[k], v, by);
        is_near |= rest < near_kink || is_at_seam(how->like[k], v, by, reach, rest);
        if (out->record.order == 2) { // its direction is that of the end, about
            twist_of_contact(in, d, k, middle, v_dot, v, by);
            rest = to_rest(how->like[k], v, by);
            is_near |= rest < near_kink || is_at_seam(how->like[k], v, by, reach, rest);
        }
    }
    return is_near;
}

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
    if (is_near_kink(&in, how, &d, &out, found)) {
        all->near++;
        return;
    }
    const double own =
        best_difference(step_from, &in, how, &d, &out.record, scale, output_count(how), exact);
    const double error = distance_of(found, exact, scale, output_count(how));
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

static int states_of_all, set_apart; // in all tests so far

static void expect_exact(const tally* all)
{
    print_message(
        "%d states: worst error %.2g, identity %.2g; kinks %d, near one %d, paid %d, open %d, "
        "limited %d, fallen back %d\n",
        all->states, all->worst, all->identity, all->kinks, all->near, all->paid, all->open,
        all->limited, all->fallen);
    assert_int_equal(all->worse, 0);
    assert_true(all->identity <= 1e-11);
    assert_true(all->kinks + all->near <= 2 + all->states / 500);
    states_of_all += all->states;
    set_apart += all->kinks + all->near;
    assert_true(all->paid + all->open <= 1 + all->states / 100);
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

/* Oracle: counting. Kinks are few: at most 0.1 % of all states above. */
static void few_states_are_set_apart(void** state)
{
    (void)state;
    print_message("%d of %d states set apart\n", set_apart, states_of_all);
    assert_true(set_apart <= 1 + states_of_all / 1000);
}

// --- what flags report -------------------------------------------------------------------------------------------

// A body of 1 kg that moves along x alone, on one contact of 10 N.
typedef struct sliding {
    br_contact* model;
    br_step_contact contact;
    br_step_body body;
    br_step_record record;
    double z0[MOST_STATES], z1[MOST_STATES], work[8 * MOST_WORK];
} sliding;

static void sliding_init(sliding* s, int which, br_law law)
{
    const br_contact_def def = disc_def(which, law);
    memset(s, 0, sizeof *s);
    assert_status(br_contact_create(&def, &s->model, NULL), BR_OK);
    s->body = br_step_body_default(1.0, 1e-3);
    s->contact = (br_step_contact){.contact = s->model, .fn = 10.0};
}

// A step from z0 to z1; returns v_x at the end.
static double sliding_step(sliding* s, double vx, double load, double h)
{
    br_twist v = {vx, 0.0, 0.0};
    memcpy(s->z1, s->z0, sizeof s->z1);
    s->contact.z = s->z1;
    br_step_coupled_recorded(&s->body, &v, (br_wrench){load, 0.0, 0.0}, h, &s->contact, 1, s->work,
                             &s->record);
    s->contact.z = s->z0;
    return v.vx;
}

// dv_x/d(...) of that step
static br_step_adjoint sliding_back(sliding* s, double load, double h, br_step_contact_adjoint* a)
{
    br_step_adjoint io = {.v1_bar = {1.0, 0.0, 0.0}, .by_law = 1};
    a->z1 = s->z1;
    br_step_vjp(&s->body, &s->record, (br_wrench){load, 0.0, 0.0}, h, &s->contact, a, 1, &io,
                s->work);
    return io;
}

/* Oracle: closed form. Bristles that stick are springs: m (v1 - v0) = h load - h fn (sigma0 (z0 + h v1) + (sigma1 + sigma2) v1). */
static void a_body_that_sticks_has_the_slope_of_its_springs(void** state)
{
    (void)state;
    static sliding s;
    const double h = 1e-3, fn = 10.0, load = 1.0;
    for (int which = 0; which < MODELS; which++) {
        const br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC);
        sliding_init(&s, which, law);
        const double hard = h * fn * (law.sigma0 * h + law.sigma1 + law.sigma2), K = 1.0 + hard;
        const double v = sliding_step(&s, 0.0, load, h);
        br_step_contact_adjoint a = {.z0_bar = s.z1};
        const br_step_adjoint io = sliding_back(&s, load, h, &a);
        assert_int_equal(io.flags, 0);
        assert_near(v, h * load / K, 1e-12 * v);
        assert_near(io.load.fx, h / K, 1e-12 * h /* rounding */);
        assert_near(io.v0.vx, 1.0 / K, 1e-12);
        assert_near(a.fn, -v * hard / (fn * K), 1e-12 * v /* not 0: a Coulomb engine gives 0 */);
        assert_true(a.fn < 0.0);
        br_contact_destroy(s.model);
    }
}

/* Oracle: one-sided differences. At fn = 0 derivatives are those of pressing, and the state before has no effect. */
static void a_contact_that_lifts_has_the_slope_of_pressing(void** state)
{
    (void)state;
    static sliding s;
    const double h = 1e-3, load = 1.0, e = 1e-6; // [N]
    for (int which = 0; which < MODELS; which++) {
        static double z0_bar[MOST_STATES];
        sliding_init(&s, which, br_law_default(BR_LAW_ELASTO_PLASTIC));
        for (size_t i = 0; i < br_contact_get_part_count(s.model); i++) {
            s.z0[i] = 1e-6;
        }
        s.contact.fn = e;
        const double pressed = sliding_step(&s, 0.01, load, h);
        s.contact.fn = 0.0;
        const double lifted = sliding_step(&s, 0.01, load, h);
        br_step_contact_adjoint a = {.z0_bar = z0_bar};
        const br_step_adjoint io = sliding_back(&s, load, h, &a);
        assert_int_equal(io.flags, BR_GRADIENT_LIFTED);
        assert_near(io.v0.vx, 1.0, 1e-15);
        assert_near(a.fn, (pressed - lifted) / e, 1e-5 * fabs(a.fn) /* one-sided */);
        assert_true(a.fn < 0.0);
        for (size_t i = 0; i < br_contact_get_state_count(s.model); i++) {
            assert_true(z0_bar[i] == 0.0);
        }
        br_contact_destroy(s.model);
    }
}

/* Oracle: definition. One pass is not enough for a body that starts to slide: the flag, and the identity of both directions all the same. */
static void a_step_that_did_not_converge_is_flagged(void** state)
{
    (void)state;
    static sliding s;
    const double h = 1e-3, load = 100.0;
    for (int which = 0; which < MODELS; which++) {
        sliding_init(&s, which, br_law_default(BR_LAW_LUGRE));
        s.body.passes = 1;
        sliding_step(&s, 0.3, load, h);
        assert_false(s.record.converged);
        br_step_contact_adjoint a = {0};
        const br_step_adjoint io = sliding_back(&s, load, h, &a);
        br_step_contact_tangent t = {.z1 = s.z1};
        br_step_tangent forward = {.load = {1.0, 0.0, 0.0}};
        br_step_jvp(&s.body, &s.record, (br_wrench){load, 0.0, 0.0}, h, &s.contact, &t, 1, &forward,
                    s.work);
        assert_true(io.flags & BR_GRADIENT_OPEN);
        assert_int_equal(io.flags, forward.flags);
        assert_near(forward.v1.vx, io.load.fx, 1e-13 * fabs(io.load.fx) /* rounding */);
        br_contact_destroy(s.model);
    }
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
        cmocka_unit_test(few_states_are_set_apart),
        cmocka_unit_test(a_body_that_sticks_has_the_slope_of_its_springs),
        cmocka_unit_test(a_contact_that_lifts_has_the_slope_of_pressing),
        cmocka_unit_test(a_step_that_did_not_converge_is_flagged),
    };
    if (argc > 2) {
        states_of_a_test = strtoull(argv[2], NULL, 10);
    }
    cmocka_set_test_filter(argc > 1 ? argv[1] : NULL);
    return cmocka_run_group_tests(tests, create_shapes, destroy_shapes);
}
