/* Tests of body.h: fixed steps. */
#include "bodies.h"

static record kept, other;

/* Oracle: invariant. A step of 0.1 s is bounded and passive: a box that slides, spins and is pushed loses
 * no more than it has and got, gives heat only, and comes to rest. */
static void long_fixed_steps_are_bounded_and_passive(void** state)
{
    (void)state;
    br_patch* patch = disc_at((br_vec2){0.002, 0.0}, 0.0);
    br_contact* cells = cells_on(patch, br_law_default(BR_LAW_ELASTO_PLASTIC), 9);
    const double t[] = {0.0, 1.0}, push[] = {3.0, 0.5};
    const br_body_load load = {.fx = {.kind = BR_PROFILE_STEPS, .count = 2, .t = t, .value = push},
                               .fy = br_profile_constant(0.0),
                               .tau = br_profile_constant(0.0),
                               .frame = BR_FRAME_BODY,
                               .point = {0.0, 0.01}};
    const br_body_contact foot = {.frame = BR_FRAME_BODY,
                                  .contact = cells,
                                  .normal_force = br_profile_constant(1.0),
                                  .count = 2};
    br_body body = box_with(&foot, 1);
    body.velocity = (br_twist){0.5, -1.0, 20.0};
    body.loads = &load, body.load_count = 1;
    br_run_def def = run_for(6.0, 61);
    set_step(&def, 0.1);
    run_body(&body, &def, &kept);
    for (size_t i = 1; i < kept.rows; i++) {
        const body_energy *before = &kept.row[i - 1].energy, *after = &kept.row[i].energy;
        assert_true(after->dissipated >= before->dissipated - 1e-14);
        assert_near(after->residual, 0.0, 1e-13 /* J of 2 J, rounding */);
    }
    const br_twist end = kept.row[60].velocity;
    assert_near(hypot(end.vx, end.vy) + 0.01 * fabs(end.w), 0.0, 1e-9 /* m/s: it sticks */);
    br_contact_destroy(cells);
    br_patch_destroy(patch);
}

// Runs whose bristles start at 0 while the body slides, at the start or where it comes down again.
typedef struct touch_down {
    br_twist velocity;
    double lifts, lands; // no normal force between [s]
    double error[2];     // of the position after the stop, at most, in steps of 1 ms and 0.1 ms
} touch_down;

/* Oracle: the adaptive run, which takes the impulse sigma1 fn z_max of a contact that starts relaxed.
 * Errors: that of one step of order 1, h dv/2 = 9 um at 1 ms and 0.4 um at 0.1 ms, over 0.4 to 44 mm;
 * with spin, that of turning the patch in steps, too. */
static void fixed_steps_touch_down(void** state)
{
    (void)state;
    static const touch_down cases[] = {
        {{0.1, 0.0, 0.0}, 0.0, 0.0, {1e-2, 1e-3}},
        {{1.0, 0.0, 0.0}, 0.0, 0.0, {1e-3, 1e-4}},
        {{0.5, 0.0, 50.0}, 0.0, 0.0, {2e-3, 1e-3}},
        {{0.5, 0.2, 10.0}, 0.01, 0.02, {2e-3, 1e-3}},
    };
    br_patch* patch = disc_at((br_vec2){0.0, 0.0}, 0.0);
    br_contact* blocks = blocks_on(patch, br_law_default(BR_LAW_ELASTO_PLASTIC), 3);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const touch_down* c = &cases[i];
        const double t[] = {0.0, c->lifts, c->lands}, fn[] = {9.81, 0.0, 9.81};
        const br_body_contact foot = {.frame = BR_FRAME_BODY,
                                      .contact = blocks,
                                      .normal_force = {.kind = BR_PROFILE_STEPS,
                                                       .count = c->lands > 0.0 ? 3 : 1,
                                                       .t = t,
                                                       .value = fn},
                                      .count = 1};
        br_body body = box_with(&foot, 1);
        body.mass = 1.0, body.inertia = 5e-4;
        body.velocity = c->velocity;
        body.start = BR_START_RELAXED;
        br_run_def def = run_for(0.2, 2);
        set_tolerance(&def, 1e-8);
        run_body(&body, &def, &other);
        const double distance = hypot(other.row[1].pose.x, other.row[1].pose.y);
        for (int k = 0; k < 2; k++) {
            set_step(&def, k == 0 ? 1e-3 : 1e-4);
            run_body(&body, &def, &kept);
            const double error = end_error(&kept, &other) / distance;
            print_message("%g m/s, h %g s: %.3f %% of %.4f m\n", c->velocity.vx, def.step,
                          100.0 * error, distance);
            assert_true(error <= c->error[k]);
        }
    }
    br_contact_destroy(blocks);
    br_patch_destroy(patch);
}

/* Oracle: definition. Without loads nothing is their work; gravity's is that of the weight along the
 * distance, but for order 1, which takes the velocity at the end of each step: h m g.(v - v0)/2. */
static void gravity_is_no_load(void** state)
{
    (void)state;
    br_contact* model = reduced_with(NULL, br_law_default(BR_LAW_ELASTO_PLASTIC));
    const br_body_contact foot = {.frame = BR_FRAME_BODY,
                                  .contact = model,
                                  .normal_force = br_profile_constant(1.0),
                                  .count = 1};
    br_body body = box_with(&foot, 1);
    body.gravity = (br_vec2){0.0, -standard_gravity};
    for (int i = 0; i < 2; i++) {
        br_run_def def = run_for(0.5, 51);
        const double h = i == 0 ? 1e-2 : 1e-3;
        set_step(&def, h);
        run_body(&body, &def, &kept);
        for (size_t k = 0; k < kept.rows; k++) {
            const body_energy* e = &kept.row[k].energy;
            const double distance = kept.row[k].pose.y - body.pose.y;
            const double ahead = i == 0 ? 0.5 * h * kept.row[k].velocity.vy : 0.0;
            assert_near(e->work_loads, 0.0, 0.0);
            assert_near(e->work_gravity, -body.mass * standard_gravity * (distance + ahead),
                        1e-13 /* J of 2 J, rounding */);
            assert_near(e->residual, 0.0, 1e-13);
            assert_true(k == 0 || e->dissipated >= kept.row[k - 1].energy.dissipated);
        }
        assert_true(kept.row[50].velocity.vy < -0.1); // it slides
    }
    br_contact_destroy(model);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_fixed_steps_are_bounded_and_passive),
        cmocka_unit_test(fixed_steps_touch_down),
        cmocka_unit_test(gravity_is_no_load),
    };
    return run_group(argc, argv, tests);
}
