/*
 * Oracle: central differences of whole rollouts, with Newton's iteration carried to the end (this program compiles the
 * stage of its own with a tighter tolerance); tapes of other lengths give the same bits.
 */
#define STAGE_TOLERANCE 1e-13
#include "planar/step_stage.c" // NOLINT(bugprone-suspicious-include)

#include "gradient_fixture.h"

enum { STEPS = 1000, KNOTS = 5, FEET = 2, STATES = 2 * MOST_STATES };

// A body on a foot that moves with it, held by a finger that does not.
typedef struct scene {
    br_rollout_def def;
    br_contact* made[FEET];
    br_contact like[FEET];
    br_rollout_contact contacts[FEET];
    br_law law[FEET];
    double fn[KNOTS * FEET], load[KNOTS * 3], t[KNOTS], z[STATES];
    double* tape;
} scene;

// All that a rollout depends on, one by one.
enum { INPUTS = KNOTS * FEET + KNOTS * 3 + 6 + 2 + 3 * FEET + BR_BY_COUNT * FEET + 1 + 2 };

static double* input_of(scene* s, size_t i)
{
    double* const numbers[] = {&s->def.pose.x, &s->def.pose.y,  &s->def.pose.theta,
                               &s->def.v.vx,   &s->def.v.vy,    &s->def.v.w,
                               &s->def.mass,   &s->def.inertia, &s->def.h,
                               &s->z[0],       &s->z[7]};
    const size_t own = sizeof numbers / sizeof *numbers;
    if (i < KNOTS * FEET) {
        return &s->fn[i];
    }
    i -= KNOTS * FEET;
    if (i < KNOTS * 3) {
        return &s->load[i];
    }
    i -= KNOTS * 3;
    if (i < own) {
        return numbers[i];
    }
    i -= own;
    if (i < 3 * FEET) {
        br_rollout_contact* c = &s->contacts[i / 3];
        return i % 3 == 0 ? &c->position.x : i % 3 == 1 ? &c->position.y : &c->angle;
    }
    i -= 3 * FEET;
    return law_number(&s->law[i / BR_BY_COUNT], (int)(i % BR_BY_COUNT));
}

static void scene_init(scene* s, br_law_kind kind, int order, double v_damping)
{
    static const int which[FEET] = {BLOCKS, CELLS};
    memset(s, 0, sizeof *s);
    for (int k = 0; k < FEET; k++) {
        s->law[k] = br_law_default(kind);
        s->law[k].mu_c = 0.4 + 0.1 * k;
        s->law[k].mu_s = 0.5 + 0.1 * k;
        s->law[k].v_stribeck = 0.02;
        s->law[k].gamma = 1.6;
        s->law[k].sigma0 = 2e4;
        s->law[k].sigma1 = 10.0;
        s->law[k].sigma2 = 0.3;
        s->law[k].v_damping = v_damping;
        const br_contact_def def = disc_def(which[k], s->law[k]);
        assert_status(br_contact_create(&def, &s->made[k], NULL), BR_OK);
    }
    for (int i = 0; i < KNOTS; i++) {
        s->t[i] = 0.25 * i;
        s->fn[FEET * i] = 6.0 + i % 2;
        s->fn[FEET * i + 1] = 3.0 - 0.4 * i; // it slips in the end
        s->load[3 * i] = 1.2 * sin(2.0 * i);
        s->load[3 * i + 1] = -2.0;
        s->load[3 * i + 2] = 0.02 * cos(3.0 * i);
    }
    s->contacts[0] =
        (br_rollout_contact){.frame = BR_ROLLOUT_BODY, .position = {0.02, -0.01}, .angle = 0.3};
    s->contacts[1] = (br_rollout_contact){
        .frame = BR_ROLLOUT_WORLD, .position = {-0.01, 0.03}, .angle = -0.7, .count = 2};
    s->def = br_rollout_def_default();
    s->def.mass = 0.5;
    s->def.inertia = 4e-4;
    s->def.order = order;
    s->def.steps = STEPS;
    s->def.count = FEET;
    s->def.knots = KNOTS;
    s->def.pose = (br_pose){0.01, 0.02, 0.4};
    s->def.v = (br_twist){0.05, -0.02, 0.5};
    s->z[0] = 1e-6;
    s->z[7] = -2e-6;
    s->tape = NULL;
}

// Point to its own arrays, which may have moved, and take the laws.
static void scene_connect(scene* s)
{
    for (int k = 0; k < FEET; k++) {
        s->like[k] = contact_like(s->made[k], &s->law[k]);
        s->contacts[k].contact = &s->like[k];
    }
    s->def.contacts = s->contacts;
    s->def.fn = s->fn;
    s->def.load = s->load;
    s->def.t = s->t;
    s->def.z = s->z;
}

static void scene_free(scene* s)
{
    for (int k = 0; k < FEET; k++) {
        br_contact_destroy(s->made[k]);
    }
}

// L: pose and twist at the end, the pose half-way, forces of some steps and all states at the end, with weights.
typedef struct weights {
    br_pose pose[STEPS + 1];
    br_twist v[STEPS + 1];
    br_wrench f[STEPS * FEET];
    double z[STATES];
} weights;

static void weigh(weights* w)
{
    memset(w, 0, sizeof *w);
    w->pose[STEPS] = (br_pose){30.0, -20.0, 1.0};
    w->pose[STEPS / 2] = (br_pose){-10.0, 15.0, 0.7};
    w->v[STEPS] = (br_twist){3.0, 2.0, -0.1};
    w->f[FEET * 700] = (br_wrench){0.1, -0.2, 3.0};
    w->f[FEET * 300 + 1] = (br_wrench){-0.1, 0.1, 2.0};
    for (int i = 0; i < 60; i++) {
        w->z[i] = 1e3 * cos(i);
    }
}

static double loss(scene* s, const weights* w)
{
    static br_pose pose[STEPS + 1];
    static br_twist v[STEPS + 1];
    static br_wrench f[STEPS * FEET];
    static double z[STATES];
    br_rollout_output out = {.pose = pose, .v = v, .f = f, .z = z};
    double sum = 0.0;
    scene_connect(s);
    br_rollout_run(&s->def, s->tape, &out);
    assert_int_equal(out.open, 0);
    for (int i = 0; i <= STEPS; i++) {
        sum +=
            w->pose[i].x * pose[i].x + w->pose[i].y * pose[i].y + w->pose[i].theta * pose[i].theta;
        sum += w->v[i].vx * v[i].vx + w->v[i].vy * v[i].vy + w->v[i].w * v[i].w;
    }
    for (int i = 0; i < STEPS * FEET; i++) {
        sum += w->f[i].fx * f[i].fx + w->f[i].fy * f[i].fy + w->f[i].tau * f[i].tau;
    }
    for (int i = 0; i < 60; i++) {
        sum += w->z[i] * z[i];
    }
    return sum;
}

// dL by all inputs, in the order of input_of().
static unsigned sweep(scene* s, const weights* w, double* out)
{
    double fn[KNOTS * FEET], load[KNOTS * 3], angle[FEET], law[FEET * BR_BY_COUNT];
    static double z[STATES];
    br_vec2 position[FEET];
    br_rollout_adjoint a = {.pose_bar = w->pose,
                            .v_bar = w->v,
                            .f_bar = w->f,
                            .z_bar = w->z,
                            .by_law = 1,
                            .fn = fn,
                            .load = load,
                            .position = position,
                            .angle = angle,
                            .law = law,
                            .z = z};
    scene_connect(s);
    br_rollout_vjp(&s->def, s->tape, &a);
    memcpy(out, fn, sizeof fn);
    out += KNOTS * FEET;
    memcpy(out, load, sizeof load);
    out += KNOTS * 3;
    const double numbers[] = {a.pose.x, a.pose.y,  a.pose.theta, a.v.vx, a.v.vy, a.v.w,
                              a.mass,   a.inertia, a.h,          z[0],   z[7]};
    memcpy(out, numbers, sizeof numbers);
    out += sizeof numbers / sizeof *numbers;
    for (int k = 0; k < FEET; k++, out += 3) {
        out[0] = position[k].x;
        out[1] = position[k].y;
        out[2] = angle[k];
    }
    memcpy(out, law, sizeof law);
    return a.flags;
}

static void check_rollout(br_law_kind kind, int order, double v_damping)
{
    static scene s;
    static weights w;
    static double found[INPUTS];
    scene_init(&s, kind, order, v_damping);
    scene_connect(&s);
    weigh(&w);
    assert_status(br_rollout_check(&s.def, NULL), BR_OK);
    s.tape = calloc(br_rollout_get_tape(&s.def), sizeof *s.tape);
    loss(&s, &w);
    assert_int_equal(sweep(&s, &w, found), 0);
    for (size_t i = 0; i < INPUTS; i++) {
        double* x = input_of(&s, i);
        const double at = *x, size = fmax(fabs(at), i < KNOTS * FEET + KNOTS * 3 + 6 ? 0.01 : 1e-6);
        double best = HUGE_VAL, nearest = 0.0, before = HUGE_VAL;
        for (double e = 1e-3; e > 5e-7 && at != 0.0; e *= 0.1) {
            *x = at + e * size;
            const double plus = loss(&s, &w);
            *x = at - e * size;
            const double slope = (plus - loss(&s, &w)) / (2.0 * e * size),
                         gap = fabs(slope - before);
            *x = at;
            if (gap < best) {
                best = gap;
                nearest = slope;
            }
            before = slope;
        }
        // 1e-5 of the slope, or of what a change of a tenth of the input's size does to L ~ 1
        if (best < HUGE_VAL && fabs(found[i] - nearest) > 1e-5 * fabs(nearest) + 1e-7 / size) {
            print_error("input %zu (%g): %.9g, differences %.9g +- %.1g\n", i, at, found[i],
                        nearest, best);
        }
        if (best < HUGE_VAL) {
            assert_near(found[i], nearest, 1e-5 * fabs(nearest) + 1e-7 / size);
        }
    }
    free(s.tape);
    scene_free(&s);
}

static void rollouts_agree_with_differences(void** state)
{
    (void)state;
    check_rollout(BR_LAW_ELASTO_PLASTIC, 1, 0.0);
}

static void lugre_agrees_with_differences(void** state)
{
    (void)state;
    check_rollout(BR_LAW_LUGRE, 1, 0.0);
}

static void order_2_agrees_with_differences(void** state)
{
    (void)state;
    check_rollout(BR_LAW_ELASTO_PLASTIC, 2, 0.0);
}

static void fading_damping_agrees_with_differences(void** state)
{
    (void)state;
    check_rollout(BR_LAW_ELASTO_PLASTIC, 1, 0.02);
}

/* Oracle: closed form. A body that is held and sticks hangs on springs of n fn sigma0; once it is at rest,
 * y = F/(n fn sigma0), and its derivatives are not 0. Damping is critical with 775 rad/s, so that nothing is left after 1 s. */
static void a_body_that_sticks_has_a_slope(void** state)
{
    (void)state;
    const double fn = 3.0, load[3] = {0.0, -1.5, 0.0}, stiff = 2.0 * fn * 2e4, y = load[1] / stiff;
    for (int order = 1; order <= 2; order++) {
        br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC);
        br_contact* finger;
        law.mu_c = law.mu_s = 0.8;
        law.sigma0 = 2e4;
        law.sigma1 = 51.6;
        const br_contact_def def = disc_def(BLOCKS, law);
        assert_status(br_contact_create(&def, &finger, NULL), BR_OK);
        const br_rollout_contact fixed = {.contact = finger, .count = 2};
        br_rollout_def run = br_rollout_def_default();
        run.mass = 0.2;
        run.inertia = 5e-4;
        run.order = order;
        run.steps = STEPS;
        run.contacts = &fixed;
        run.count = 1;
        run.fn = &fn;
        run.load = load;
        br_pose bar[STEPS + 1] = {{0.0, 0.0, 0.0}};
        bar[STEPS].y = 1.0;
        double by_fn, by_load[3], by_law[BR_BY_COUNT];
        br_rollout_adjoint a = {
            .pose_bar = bar, .by_law = 1, .fn = &by_fn, .load = by_load, .law = by_law};
        br_rollout_output out = {0};
        double* tape = calloc(br_rollout_get_tape(&run), sizeof *tape);
        br_rollout_run(&run, tape, &out);
        br_rollout_vjp(&run, tape, &a);
        // 1e-9: a thousand sums, each rounded
        assert_near(out.end_pose.y, y, 1e-9 * fabs(y));
        assert_near(by_fn, -y / fn, 1e-9 * fabs(y / fn));
        assert_near(by_load[1], 1.0 / stiff, 1e-9 / stiff);
        assert_near(by_law[BR_BY_SIGMA0], -y / 2e4, 1e-9 * fabs(y / 2e4));
        assert_int_equal(a.flags, 0);
        free(tape);
        br_contact_destroy(finger);
    }
}

// Checkpoints do not change a bit.
static void tapes_of_any_length_agree(void** state)
{
    (void)state;
    static const size_t every[] = {1, 0, 7, STEPS, 5 * STEPS};
    static scene s;
    static weights w;
    static double first[INPUTS], other[INPUTS];
    scene_init(&s, BR_LAW_ELASTO_PLASTIC, 1, 0.0);
    scene_connect(&s);
    weigh(&w);
    size_t longest = 0, shortest = SIZE_MAX;
    for (int i = 0; i < 5; i++) {
        s.def.every = every[i];
        const size_t size = br_rollout_get_tape(&s.def);
        longest = size > longest ? size : longest;
        shortest = size < shortest ? size : shortest;
        s.tape = calloc(size, sizeof *s.tape);
        loss(&s, &w);
        sweep(&s, &w, i == 0 ? first : other);
        sweep(&s, &w, i == 0 ? first : other); // the tape stays valid
        free(s.tape);
        assert_true(i == 0 || memcmp(first, other, sizeof first) == 0);
    }
    assert_true(longest > 5 * shortest);
    scene_free(&s);
}

static void wrong_rollouts_are_refused(void** state)
{
    (void)state;
    static scene s;
    br_reason why;
    scene_init(&s, BR_LAW_LUGRE, 1, 0.0);
#define REFUSED(name, change)                                                                      \
    scene_connect(&s);                                                                             \
    assert_status(br_rollout_check(&s.def, &why), BR_OK);                                          \
    {                                                                                              \
        const scene good = s;                                                                      \
        change;                                                                                    \
        assert_status(br_rollout_check(&s.def, &why), BR_ERR_DEF);                                 \
        assert_string_equal(why.field, name);                                                      \
        s = good;                                                                                  \
    }
    REFUSED("mass", s.def.mass = 0.0)
    REFUSED("inertia", s.def.inertia = NAN)
    REFUSED("h", s.def.h = -1e-3)
    REFUSED("steps", s.def.steps = 0)
    REFUSED("order", s.def.order = 3)
    REFUSED("passes", s.def.passes = 0)
    REFUSED("knots", s.def.knots = 0)
    REFUSED("t", s.t[2] = s.t[1])
    REFUSED("fn", s.fn[3] = -1.0)
    REFUSED("fn", s.def.fn = NULL)
    REFUSED("load", s.load[4] = NAN)
    REFUSED("contacts", s.contacts[1].contact = NULL)
    REFUSED("pose", s.def.pose.theta = INFINITY)
    REFUSED("v", s.def.v.w = NAN)
    scene_free(&s);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rollouts_agree_with_differences),
        cmocka_unit_test(lugre_agrees_with_differences),
        cmocka_unit_test(order_2_agrees_with_differences),
        cmocka_unit_test(fading_damping_agrees_with_differences),
        cmocka_unit_test(a_body_that_sticks_has_a_slope),
        cmocka_unit_test(tapes_of_any_length_agree),
        cmocka_unit_test(wrong_rollouts_are_refused),
    };
    return run_disc_group(argc, argv, tests);
}
