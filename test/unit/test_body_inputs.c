/*
 * What acts on a body from outside: gravity over time, its weight on contacts.
 */
#include "bodies.h"

static record kept;

// A box on a plane that is tilted, in blocks; two such feet bear its weight.
typedef struct tilted {
    br_patch* patch;
    br_contact* model;
    br_body_contact foot;
    br_body body;
} tilted;

static void make_tilted(tilted* e)
{
    static const double t[] = {0.0, 0.3, 0.8}, g[] = {0.0, 6.0, 2.0};
    br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC);
    law.mu_c = 0.4, law.mu_s = 0.5;
    e->patch = disc_at((br_vec2){0.0, 0.0}, 0.0);
    e->model = blocks_on(e->patch, law, 3);
    e->foot =
        (br_body_contact){.frame = BR_FRAME_BODY, .contact = e->model, .weight = 0.5, .count = 2};
    e->body = box_with(&e->foot, 1);
    e->body.gravity = (br_vec2){0.0, -0.5};
    e->body.gravity_change[0] =
        (br_profile){.kind = BR_PROFILE_TABLE, .count = 3, .t = t, .value = g};
    e->body.gravity_change[1] =
        (br_profile){.kind = BR_PROFILE_SINE, .mean = 0.0, .amplitude = 1.0, .frequency = 3.0};
}

static void free_tilted(tilted* e)
{
    br_contact_destroy(e->model);
    br_patch_destroy(e->patch);
}

/* Oracle: closed form. The three parts of gravity are those of 9.81 m/s^2 on any slope. */
static void normal_gravity_is_what_the_plane_leaves(void** state)
{
    (void)state;
    assert_near(br_body_normal_gravity((br_vec2){0.0, 0.0}), 9.81, 1e-15);
    for (double slope = 0.0; slope < 1.5; slope += 0.1) {
        const double g = 9.81 * sin(slope);
        assert_near(br_body_normal_gravity((br_vec2){0.6 * g, -0.8 * g}), 9.81 * cos(slope),
                    1e-14 * 9.81 / cos(slope) /* rounding of the difference of squares */);
    }
    assert_near(br_body_normal_gravity((br_vec2){9.81, 0.0}), 0.0, 0.0);
    assert_near(br_body_normal_gravity((br_vec2){9.0, -9.0}), 0.0, 0.0);
}

/* Oracle: the same force and the same loads by other means. The weight as a normal force, gravity as a
 * load: the run is the same, but for the integration's error. */
static void weight_and_gravity_are_a_force_and_a_load(void** state)
{
    (void)state;
    static record other;
    tilted e;
    make_tilted(&e);
    e.body.gravity_change[1] = br_profile_constant(0.0);
    e.body.gravity_change[0].kind = BR_PROFILE_STEPS; // so that the weight is steps, too
    br_run_def def = run_for(1.0, 101);
    set_tolerance(&def, 1e-8);
    run_body(&e.body, &def, &kept);

    double force[3], value[3];
    for (int i = 0; i < 3; i++) {
        const double g = e.body.gravity_change[0].value[i];
        value[i] = e.body.mass * g;
        force[i] = 0.5 * e.body.mass * sqrt(9.81 * 9.81 - g * g - 0.25);
    }
    br_body_load pull = {.frame = BR_FRAME_BODY};
    pull.fx = e.foot.normal_force = e.body.gravity_change[0];
    pull.fx.value = value;
    e.foot.normal_force.value = force;
    e.foot.weight = 0.0;
    e.body.gravity_change[0] = br_profile_constant(0.0);
    e.body.loads = &pull, e.body.load_count = 1;
    run_body(&e.body, &def, &other);
    assert_true(kept.row[100].pose.x > 0.1); // it slides
    assert_near(end_error(&kept, &other), 0.0, 1e-6 /* m of 0.2 m, tolerances of 1e-8 a step */);
    free_tilted(&e);
}

/* Oracle: invariant. The balance of energy closes with gravity and weight that change, in steps of any
 * kind. */
static void the_balance_closes_under_gravity_that_changes(void** state)
{
    (void)state;
    tilted e;
    make_tilted(&e);
    for (int fixed = 0; fixed < 2; fixed++) {
        br_run_def def = run_for(1.0, 201);
        set_tolerance(&def, 1e-7);
        set_step(&def, fixed ? 1e-3 : 0.0);
        run_body(&e.body, &def, &kept);
        const body_energy* end = &kept.row[200].energy;
        assert_true(end->dissipated > 0.02 && end->work_gravity > 0.02);
        assert_near(end->residual, 0.0, fixed ? 1e-14 : 1e-5 * end->work_gravity);
    }
    free_tilted(&e);
}

/* Oracle: closed form. Two discs of a third and two thirds of the force; one that the world holds does not count. */
static void the_support_of_a_body_is_the_joint_pressure_of_its_feet(void** state)
{
    (void)state;
    br_patch* patches[] = {disc_at((br_vec2){0.06, 0.0}, 0.0), disc_at((br_vec2){0.0, 0.03}, 0.0)};
    br_contact* feet[] = {blocks_on(patches[0], br_law_default(BR_LAW_LUGRE), 3),
                          blocks_on(patches[1], br_law_default(BR_LAW_LUGRE), 3)};
    const br_body_contact contacts[] = {
        {.frame = BR_FRAME_BODY, .contact = feet[0], .weight = 1.0 / 3.0, .count = 1},
        {.frame = BR_FRAME_BODY, .contact = feet[1], .weight = 1.0 / 3.0, .count = 2},
        {.frame = BR_FRAME_WORLD,
         .contact = feet[0],
         .normal_force = br_profile_constant(7.0),
         .count = 1}};
    br_body body = box_with(contacts, 3);
    body.gravity = (br_vec2){3.0, 0.0};
    const br_body_stand stand = br_body_stand_eval(&body);
    assert_near(stand.weight, 0.2 * sqrt(9.81 * 9.81 - 9.0), 1e-14);
    assert_near(stand.force, stand.weight, 1e-14);
    assert_near(stand.cop.x, 0.02, 1e-12 /* m: cells */);
    assert_near(stand.cop.y, 0.02, 1e-12);

    // u of each disc, and two thirds times a third of the square of their distance
    const double u = br_contact_get_patch_value(feet[0]).u;
    assert_near(stand.radius, sqrt(u + 2.0 / 9.0 * (0.06 * 0.06 + 0.03 * 0.03)), 1e-12);
    body.contact_count = 0;
    assert_true(br_body_stand_eval(&body).force == 0.0);
    for (int i = 0; i < 2; i++) {
        br_contact_destroy(feet[i]);
        br_patch_destroy(patches[i]);
    }
}

/* Oracle: definition. */
static void bad_inputs_are_refused(void** state)
{
    (void)state;
    tilted e;
    br_reason why;
    make_tilted(&e);
    const br_run_def def = run_for(0.1, 2);
    const br_run_watch watch = {
        .size = sizeof(br_run_watch), .start = take_columns, .row = keep_row, .user = &kept};
    e.foot.weight = -1.0;
    assert_status(br_body_run(&e.body, &def, &watch, NULL, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "contacts[0].weight");
    e.foot.weight = 0.5;
    e.body.gravity_change[1].mean = (double)NAN;
    assert_status(br_body_run(&e.body, &def, &watch, NULL, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "gravity_change");
    free_tilted(&e);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normal_gravity_is_what_the_plane_leaves),
        cmocka_unit_test(weight_and_gravity_are_a_force_and_a_load),
        cmocka_unit_test(the_balance_closes_under_gravity_that_changes),
        cmocka_unit_test(the_support_of_a_body_is_the_joint_pressure_of_its_feet),
        cmocka_unit_test(bad_inputs_are_refused),
    };
    return run_group(argc, argv, tests);
}
