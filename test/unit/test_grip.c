/* Tests of grip.h: a controller that holds an object with the least force. */
#include "bodies.h"

static record kept, other;

// An object of 0.2 kg between two fingers, mu = 0.5, with 4 N each at the start.
typedef struct hand {
    br_patch* patch;
    br_contact* model;
    br_grip grip;
    br_body_contact contact;
    br_body body;
} hand;

enum { METHODS = 3 };
static const double mu = 0.5, start = 4.0 /* N */;

static hand make_hand(int method)
{
    hand h = {.patch = disc_at((br_vec2){0.0, 0.0}, 0.0), .grip = br_grip_default()};
    br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC);
    law.mu_c = law.mu_s = mu;
    h.model = method == 0   ? blocks_on(h.patch, law, 3)
              : method == 1 ? cells_on(h.patch, law, 9)
                            : reduced_with(NULL, law);
    return h;
}

// Where the hand lives now; the body points into it.
static br_body* put(hand* h)
{
    h->contact = (br_body_contact){.contact = h->model,
                                   .normal_force = br_profile_constant(start),
                                   .grip = &h->grip,
                                   .count = 2};
    h->body = box_with(&h->contact, 1);
    h->body.gravity.y = -standard_gravity;
    return &h->body;
}

static void drop(hand* h)
{
    br_contact_destroy(h->model);
    br_patch_destroy(h->patch);
}

static double last_force(const record* r)
{
    return r->row[r->rows - 1].fn[0];
}

/* Oracle: closed form. up: fn demand/aim, at most 2 fn; down: exp(-period/release); within the bounds. */
static void the_law_goes_up_at_once_and_down_slowly(void** state)
{
    (void)state;
    br_grip g = br_grip_default();
    g.most = 10.0;
    assert_near(br_grip_eval(&g, 2.0, 0.9, 0.0), 2.0 * 0.9 / 0.8, 1e-15 /* rounding */);
    assert_near(br_grip_eval(&g, 2.0, 0.8, 0.0), 2.0, 1e-15);
    assert_near(br_grip_eval(&g, 2.0, 0.4, 0.0), 1.0 + exp(-0.1), 1e-15);
    assert_near(br_grip_eval(&g, 2.0, 0.4, 1.2e-3), 2.0 * 1.2 / 0.8, 1e-15);
    assert_near(br_grip_eval(&g, 2.0, 1.0, 1.0), 4.0, 1e-15);
    assert_near(br_grip_eval(&g, 8.0, 1.0, 1.0), 10.0, 0.0 /* the bound */);
    g.release = 0.0;
    assert_near(br_grip_eval(&g, 2.0, 0.4, 0.0), 1.0, 1e-15);
    assert_near(br_grip_eval(&g, 2.0, 0.0, 0.0), g.least, 0.0 /* the bound */);
}

/* Oracle: closed form. Two fingers hold the weight with aim of what friction can: m g = 2 mu fn aim,
 * with any method, in adaptive and in fixed steps, above and below 1 ms. */
static void the_least_force_holds_the_weight(void** state)
{
    (void)state;
    const double steps[] = {0.0, 1e-3, 5e-3};
    for (int method = 0; method < METHODS; method++) {
        hand h = make_hand(method);
        br_body* body = put(&h);
        const double least = body->mass * standard_gravity / (2.0 * mu * h.grip.aim);
        for (int k = 0; k < 3; k++) {
            br_run_def def = run_for(2.0, 201);
            set_step(&def, steps[k]);
            run_body(body, &def, &kept);
            // the load is right to 1e-3, and what release has left after 2 s is e^-20 of 1.5 N
            assert_near_relative(last_force(&kept), least, 1e-3);
            assert_near(kept.row[200].load[0], h.grip.aim, 1e-3);
            assert_int_equal(kept.events, 0);
            assert_near(kept.row[200].energy.residual, 0.0,
                        1e-8 /* J, of 2 mJ that gravity gives */);
        }
        drop(&h);
    }
}

/* Oracle: another run. With the CoM beside the fingers force and torque are held together: what the
 * controller comes to, times its aim, is where a constant grip starts to slip. */
static void the_least_force_holds_a_torque_besides(void** state)
{
    (void)state;
    for (int method = 0; method < METHODS; method++) {
        hand h = make_hand(method);
        br_body* body = put(&h);
        body->pose.x = 0.005;
        br_run_def def = run_for(2.0, 201);
        run_body(body, &def, &kept);
        assert_int_equal(kept.events, 0);
        const double limit = h.grip.aim * last_force(&kept);
        for (int side = -1; side <= 1; side += 2) {
            h.contact.grip = NULL;
            h.contact.normal_force = br_profile_constant((1.0 + 0.02 * side) * limit);
            run_body(body, &def, &other);
            const double turned = fabs(other.row[200].pose.theta);
            assert_true(side > 0 ? turned < 1e-3 : turned > 0.1); // rad: held, or it hangs down
        }
        drop(&h);
    }
}

/* Oracle: invariant. Under a load that stays the force comes down and never turns back, however short the
 * period is against the bristles' own time sigma1/sigma0 = 0.8 ms. */
static void the_force_does_not_chatter(void** state)
{
    (void)state;
    const double period[] = {5e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.05};
    hand h = make_hand(0);
    br_body* body = put(&h);
    for (int k = 0; k < 6; k++) {
        h.grip.period = period[k];
        br_run_def def = run_for(0.3, 601);
        run_body(body, &def, &kept);
        for (size_t i = 1; i < kept.rows; i++) {
            // what is left of the bristles' ringing: a ten-thousandth of the force
            assert_true(kept.row[i].fn[0] <= kept.row[i - 1].fn[0] + 1e-4);
        }
    }
    drop(&h);
}

/* Oracle: closed form and the limit that was requested. A load that grows from the weight to four times as
 * much is gripped as m g + load = 2 mu fn aim a period before, without slip. */
static void a_growing_load_is_followed_without_slip(void** state)
{
    (void)state;
    hand h = make_hand(0);
    br_body* body = put(&h);
    const double t[] = {0.5, 1.5}, pull[] = {0.0, -3.0 * body->mass * standard_gravity};
    const br_body_load load = {.fy = {.kind = BR_PROFILE_TABLE, .count = 2, .t = t, .value = pull},
                               .frame = BR_FRAME_BODY};
    body->loads = &load, body->load_count = 1;
    br_run_def def = run_for(2.0, 401);
    for (int fixed = 0; fixed < 2; fixed++) {
        set_step(&def, fixed ? 1e-3 : 0.0);
        run_body(body, &def, &kept);
        for (size_t i = 0; i < kept.rows; i++) {
            assert_true(kept.row[i].slip_rate[0] < h.grip.slip_limit);
            assert_true(kept.row[i].load[0] < 0.9);
            assert_true(kept.row[i].slipped[0] < 1e-5); // m: ten bristle lengths
        }
        const double least = 4.0 * body->mass * standard_gravity / (2.0 * mu * h.grip.aim);
        assert_near_relative(last_force(&kept), least, 1e-3 /* of the load */);
    }
    drop(&h);
}

/* Oracle: invariants. A grip that is too loose doubles at most from instant to instant, until slip has
 * ended; then it comes to the least force. */
static void a_slipping_object_is_caught(void** state)
{
    (void)state;
    hand h = make_hand(0);
    br_body* body = put(&h);
    h.contact.normal_force = br_profile_constant(1.0); // half of what would hold it
    br_run_def def = run_for(2.0, 201);
    run_body(body, &def, &kept);
    assert_int_equal(kept.row[0].state[0], BR_STATE_STICK);
    assert_int_equal(kept.row[200].state[0], BR_STATE_STICK);
    for (size_t i = 1; i < kept.rows; i++) {
        assert_true(kept.row[i].fn[0] <= 2.0 * kept.row[i - 1].fn[0] * (1.0 + 1e-12));
    }
    assert_true(kept.row[200].slipped[0] < 2e-3); // m: 50 ms of falling with half the weight
    assert_near_relative(last_force(&kept), body->mass * standard_gravity / (2.0 * mu * h.grip.aim),
                         1e-3 /* of the load */);
    drop(&h);
}

/* Oracle: the same run. Rows that are requested between the instants, and breaks of other profiles, do not
 * make the controller look more often: forces are the same at the same times. */
static void instants_alone_count(void** state)
{
    (void)state;
    hand h = make_hand(0);
    br_body* body = put(&h);
    br_run_def def = run_for(0.5, 51);
    run_body(body, &def, &kept);
    const br_body_load nothing = {.fx = {.kind = BR_PROFILE_SINE, .frequency = 1.0, .hold = 3e-3},
                                  .frame = BR_FRAME_BODY};
    body->loads = &nothing, body->load_count = 1;
    def = run_for(0.5, 501);
    run_body(body, &def, &other);
    for (size_t i = 0; i < kept.rows; i++) {
        assert_near(other.row[10 * i].fn[0], kept.row[i].fn[0],
                    1e-5 /* N, rtol of 1e-6 and 4 N, a few times */);
        if (i > 0) { // a row at an instant still has the force up to there
            assert_near(other.row[10 * i - 9].fn[0], kept.row[i].fn[0], 1e-5);
        }
    }
    drop(&h);
}

/* Oracle: the ranges of grip.h and body.h. */
static void bad_controllers_are_refused(void** state)
{
    (void)state;
    hand h = make_hand(2);
    br_body* body = put(&h);
    br_run_def def = run_for(1.0, 11);
    const br_run_watch watch = {
        .size = sizeof(br_run_watch), .start = take_columns, .row = keep_row, .user = &kept};
    br_reason why;
    double* const field[] = {&h.grip.period,  &h.grip.aim,   &h.grip.aim,  &h.grip.slip_limit,
                             &h.grip.release, &h.grip.least, &h.grip.most, &h.grip.period};
    const double bad[] = {0.0, 0.0, 1.0, (double)NAN, -1.0, 0.0, 1e-3, 1e-9};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        h.grip = br_grip_default();
        *field[i] = bad[i];
        assert_status(br_body_run(body, &def, &watch, NULL, &why), BR_ERR_DEF);
        assert_string_equal(why.field, "contacts[0].grip");
    }
    h.grip = br_grip_default();
    h.grip.most = 3.0; // the start has more
    assert_status(br_body_run(body, &def, &watch, NULL, &why), BR_ERR_DEF);
    h.grip.most = 5.0;
    h.contact.weight = 1.0;
    assert_status(br_body_run(body, &def, &watch, NULL, &why), BR_ERR_DEF);
    h.contact.weight = 0.0;
    h.contact.normal_force.kind = BR_PROFILE_SINE;
    assert_status(br_body_run(body, &def, &watch, NULL, &why), BR_ERR_DEF);
    drop(&h);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_law_goes_up_at_once_and_down_slowly),
        cmocka_unit_test(the_least_force_holds_the_weight),
        cmocka_unit_test(the_least_force_holds_a_torque_besides),
        cmocka_unit_test(the_force_does_not_chatter),
        cmocka_unit_test(a_growing_load_is_followed_without_slip),
        cmocka_unit_test(a_slipping_object_is_caught),
        cmocka_unit_test(instants_alone_count),
        cmocka_unit_test(bad_controllers_are_refused),
    };
    return run_group(argc, argv, tests);
}
