/*
 * Contacts that move, and loads that turn with the body.
 */
#include "bodies.h"

static record kept, other;

static br_law rubber(void)
{
    br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC);
    law.mu_c = 0.4, law.mu_s = 0.5, law.sigma0 = 1e5, law.sigma1 = 100.0;
    return law;
}

// All models of a disc.
typedef struct models {
    br_patch* patch;
    br_limit* surface;
    br_contact* cells;
    br_contact* blocks;
    br_contact* reduced;
    br_body_contact contact[3]; // one with each, 3 N
} models;

static void make_models(models* m, br_law law, br_vec2 centre, br_frame frame)
{
    m->patch = disc_at(centre, 0.3);
    m->surface = surface_of(m->patch, BR_LIMIT_SMOOTH);
    m->cells = cells_on(m->patch, law, 11);
    m->blocks = blocks_on(m->patch, law, 5);
    m->reduced = reduced_with(m->surface, law);
    for (int i = 0; i < 3; i++) {
        m->contact[i] =
            (br_body_contact){.frame = frame, .count = 1, .normal_force = br_profile_constant(3.0)};
    }
    m->contact[0].contact = m->cells;
    m->contact[1].contact = m->blocks;
    m->contact[2].contact = m->reduced;
}

static void free_models(models* m)
{
    br_contact_destroy(m->cells);
    br_contact_destroy(m->blocks);
    br_contact_destroy(m->reduced);
    br_limit_destroy(m->surface);
    br_patch_destroy(m->patch);
}

static br_profile sine(double amplitude, double frequency, double phase)
{
    return (br_profile){
        .kind = BR_PROFILE_SINE, .amplitude = amplitude, .frequency = frequency, .phase = phase};
}

/* Oracle: the same seen from the gripper, where its acceleration is a gravity that changes. A gripper that
 * oscillates along both axes shakes its object loose; relative to it the object moves alike, with the
 * same friction and the same energy lost. */
static void an_oscillating_gripper_is_oscillating_gravity(void** state)
{
    (void)state;
    const double a[2] = {0.01, 0.006}, f[2] = {4.0, 7.0}, phase[2] = {0.4, 1.9};
    for (int i = 0; i < 6; i++) {
        models m;
        make_models(&m, rubber(), (br_vec2){0.004, -0.003}, i % 2 ? BR_FRAME_BODY : BR_FRAME_WORLD);
        br_body_contact* contact = &m.contact[i / 2];
        br_body body = box_with(contact, 1);
        body.start = BR_START_RELAXED;
        body.gravity.y = -2.0;
        br_run_def def = run_for(0.5, 51);
        set_tolerance(&def, 1e-9);
        double place[2], velocity[2];
        for (int k = 0; k < 2; k++) {
            const double pulsation = 2.0 * BR_PI * f[k];
            body.gravity_change[k] = sine(a[k] * pulsation * pulsation, f[k], phase[k]);
            place[k] = a[k] * sin(phase[k]);
            velocity[k] = a[k] * pulsation * cos(phase[k]);
        }
        run_body(&body, &def, &other);

        for (int k = 0; k < 2; k++) {
            body.gravity_change[k] = br_profile_constant(0.0);
            contact->motion[k] = sine(a[k], f[k], phase[k]);
        }
        body.pose = (br_pose){place[0], place[1], 0.0};
        body.velocity = (br_twist){velocity[0], velocity[1], 0.0};
        run_body(&body, &def, &kept);
        assert_true(distance(other.row[50].pose, other.row[0].pose) > 1e-3); // it comes loose
        for (size_t k = 0; k < kept.rows; k++) {
            const double t = kept.row[k].t;
            const br_pose seen = {
                kept.row[k].pose.x - a[0] * sin(2.0 * BR_PI * f[0] * t + phase[0]),
                kept.row[k].pose.y - a[1] * sin(2.0 * BR_PI * f[1] * t + phase[1]),
                kept.row[k].pose.theta};
            assert_near(distance(seen, other.row[k].pose), 0.0,
                        1e-7 /* m, tolerances in 1e3 steps */);
            assert_near(seen.theta, other.row[k].pose.theta, 1e-5 /* rad, the same on 10 mm */);
            assert_near(kept.row[k].energy.dissipated, other.row[k].energy.dissipated, 1e-7);
            assert_near(kept.row[k].energy.residual, 0.0, 1e-7 /* J of 0.1 J turned over */);
        }
        free_models(&m);
    }
}

/* Oracle: closed form. What sticks to something that turns goes round with it: a box on a turntable, and one
 * that a finger holds beside its middle. */
static void what_sticks_goes_round(void** state)
{
    (void)state;
    static const double t[] = {0.0, 1.0}, angle[] = {0.2, 1.2};
    for (int i = 0; i < 6; i++) {
        models m;
        const int on_table = i % 2;
        make_models(&m, rubber(), (br_vec2){0.01, 0.0}, on_table ? BR_FRAME_BODY : BR_FRAME_WORLD);
        br_body_contact* contact = &m.contact[i / 2];
        contact->motion[0] = br_profile_constant(0.3);
        contact->motion[1] = br_profile_constant(-0.1);
        contact->motion[2] =
            (br_profile){.kind = BR_PROFILE_TABLE, .count = 2, .t = t, .value = angle};
        br_body body = box_with(contact, 1);
        const br_vec2 arm = br_vec2_rotate((br_vec2){0.05, 0.02}, 0.2);
        body.pose = (br_pose){0.3 + arm.x, -0.1 + arm.y, 0.7};
        body.velocity = (br_twist){-arm.y, arm.x, 1.0}; // 1 rad/s, as the ground
        const br_run_def def = run_for(0.9, 10);
        run_body(&body, &def, &kept);
        for (size_t k = 0; k < kept.rows; k++) {
            const br_vec2 now = br_vec2_rotate(arm, kept.row[k].t);
            // the finger's bristles turn by m w^2 R L/(fn sigma0 u) = 3e-5 rad, and oscillate at first to twice that
            assert_near(kept.row[k].pose.x, 0.3 + now.x, 1e-5);
            assert_near(kept.row[k].pose.y, -0.1 + now.y, 1e-5);
            assert_near(kept.row[k].pose.theta, 0.7 + kept.row[k].t, 1e-4);
            assert_near(kept.row[k].energy.residual, 0.0, 1e-7);
        }
        free_models(&m);
    }
}

/* Oracle: closed form. A box that is put on a belt slips until it has the belt's speed v, at v/(mu g); the belt
 * gives m v^2, half of which is heat, and the box is v^2/(2 mu g) behind. */
static void a_belt_takes_a_box_along(void** state)
{
    (void)state;
    static const double t[] = {-1.0, 10.0}, position[] = {-0.5, 5.0};
    models m;
    br_law law = rubber();
    law.mu_s = law.mu_c, law.sigma2 = 0.0;
    make_models(&m, law, (br_vec2){0.0, 0.0}, BR_FRAME_BODY);
    for (int i = 0; i < 3; i++) {
        br_body_contact* contact = &m.contact[i];
        contact->normal_force = br_profile_constant(0.0);
        contact->weight = 1.0;
        contact->motion[0] =
            (br_profile){.kind = BR_PROFILE_TABLE, .count = 2, .t = t, .value = position};
        br_body body = box_with(contact, 1);
        const br_run_def def = run_for(0.5, 51);
        run_body(&body, &def, &kept);
        const double mu_g = law.mu_c * standard_gravity, energy = body.mass * 0.25;
        assert_near(kept.row[10].velocity.vx, mu_g * kept.row[10].t,
                    1e-6 /* m/s, steady from the start */);
        assert_near(kept.row[50].velocity.vx, 0.5, 1e-6);
        assert_near(kept.row[50].pose.x, 0.25 - 0.125 / mu_g, 5.0 * law.mu_c / law.sigma0);
        assert_near(kept.row[50].energy.work_contacts, energy,
                    1e-4 * energy /* the bristles' share */);
        assert_near(kept.row[50].energy.dissipated, 0.5 * energy, 1e-4 * energy);
        assert_near(kept.row[50].energy.residual, 0.0, 1e-5 * energy);
    }
    free_models(&m);
}

/* Oracle: order of convergence. The linearisation knows how ground that moves and turns changes twist and
 * wrench by itself, and how loads turn. */
static void steps_over_moving_ground_have_order_four(void** state)
{
    (void)state;
    models m, finger;
    br_law law = rubber();
    law.kind = BR_LAW_LUGRE;
    law.sigma0 = 300.0, law.sigma1 = 1.0; // so soft that the steps follow the bristles
    make_models(&m, law, (br_vec2){0.01, 0.0}, BR_FRAME_BODY);
    make_models(&finger, law, (br_vec2){-0.01, 0.02}, BR_FRAME_WORLD);
    for (int i = 0; i < 3; i++) {
        br_body_contact contact[2] = {m.contact[i], finger.contact[i]};
        for (int k = 0; k < 3; k++) {
            contact[0].motion[k] = sine(0.02 + 0.3 * (k == 2), 5.0 + k, 0.3 * k);
            contact[1].motion[k] = sine(0.03 + 0.4 * (k == 2), 4.0 + k, 1.0 + k);
        }
        br_body_load push = {.fx = sine(1.0, 6.0, 0.2),
                             .fy = br_profile_constant(0.5),
                             .axes = BR_FRAME_BODY,
                             .frame = BR_FRAME_WORLD,
                             .point = {0.02, 0.01}};
        br_body body = box_with(contact, 2);
        body.loads = &push, body.load_count = 1;
        body.velocity = (br_twist){2.0, -1.0, 6.0}; // it slips all the time
        br_run_def def = run_for(0.02, 2);
        set_tolerance(&def, 1e-13);
        run_body(&body, &def, &other);
        double error[3];
        for (int k = 0; k < 3; k++) {
            set_tolerance(&def, 0.5); // the size of the step is what counts
            def.atol = def.atol_z = 1e3;
            def.max_step = 1e-3 / (1 << k);
            run_body(&body, &def, &kept);
            error[k] = end_error(&kept, &other);
        }
        print_message("errors %.2e, %.2e, %.2e m\n", error[0], error[1], error[2]);
        assert_true(error[0] / error[1] > 11.0); // 16 for order 4, 8 for order 3
        assert_true(error[1] / error[2] > 11.0 || error[2] < 5e-12 /* m, the reference's own */);
        def.max_step = HUGE_VAL;
    }
    free_models(&m);
    free_models(&finger);
}

/* Oracle: closed form. A force that turns with a spinning body, F/(m w) (sin, 1 - cos), at a point beside its
 * middle, whose torque a load takes away. */
static void a_load_in_body_axes_turns_with_it(void** state)
{
    (void)state;
    br_body_load push = {.fx = br_profile_constant(0.4),
                         .tau = br_profile_constant(0.4 * 0.03),
                         .axes = BR_FRAME_BODY,
                         .frame = BR_FRAME_BODY,
                         .point = {0.0, 0.03}};
    br_body body = box_with(NULL, 0);
    body.loads = &push, body.load_count = 1;
    body.velocity.w = 5.0;
    br_run_def def = run_for(1.0, 11);
    set_tolerance(&def, 1e-9);
    run_body(&body, &def, &kept);
    for (size_t k = 0; k < kept.rows; k++) {
        const double turn = 5.0 * kept.row[k].t, scale = 0.4 / (0.2 * 5.0);
        assert_near(kept.row[k].velocity.vx, scale * sin(turn), 1e-8 /* m/s, tolerance */);
        assert_near(kept.row[k].velocity.vy, scale * (1.0 - cos(turn)), 1e-8);
        assert_near(kept.row[k].velocity.w, 5.0, 1e-10);
    }
}

/* Oracle: definition. */
static void jumps_are_refused(void** state)
{
    (void)state;
    models m;
    br_reason why;
    make_models(&m, rubber(), (br_vec2){0.0, 0.0}, BR_FRAME_WORLD);
    br_body body = box_with(&m.contact[0], 1);
    br_run_def def = run_for(0.1, 2);
    const br_run_watch watch = {
        .size = sizeof(br_run_watch), .start = take_columns, .row = keep_row, .user = &kept};
    static const double t[] = {0.0}, value[] = {0.0};
    m.contact[0].motion[1] =
        (br_profile){.kind = BR_PROFILE_STEPS, .count = 1, .t = t, .value = value};
    assert_status(br_body_run(&body, &def, &watch, NULL, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "contacts[0].motion");
    m.contact[0].motion[1] = sine(0.1, 1.0, 0.0);
    m.contact[0].motion[1].hold = 0.01;
    assert_status(br_body_run(&body, &def, &watch, NULL, &why), BR_ERR_DEF);
    m.contact[0].motion[1].hold = 0.0;
    br_body_load push = {.axes = (br_frame)7};
    body.loads = &push, body.load_count = 1;
    assert_status(br_body_run(&body, &def, &watch, NULL, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "loads[0].axes");
    free_models(&m);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_oscillating_gripper_is_oscillating_gravity),
        cmocka_unit_test(what_sticks_goes_round),
        cmocka_unit_test(a_belt_takes_a_box_along),
        cmocka_unit_test(steps_over_moving_ground_have_order_four),
        cmocka_unit_test(a_load_in_body_axes_turns_with_it),
        cmocka_unit_test(jumps_are_refused),
    };
    return run_group(argc, argv, tests);
}
