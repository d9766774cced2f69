/*
 * Where the contacts of a body are: feet on it, fingers in the world.
 */
#include "bodies.h"

static record kept, other;

enum { MODELS = 3 };

static br_law rubber(void)
{
    br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC);
    law.mu_c = 0.4, law.mu_s = 0.5, law.sigma0 = 1e5, law.sigma1 = 100.0;
    return law;
}

static br_contact* model_on(const br_patch* patch, int model)
{
    br_contact_def def =
        def_with((br_method[]){BR_METHOD_DISTRIBUTED, BR_METHOD_BLOCKS, BR_METHOD_ELLIPSOID}[model],
                 rubber());
    def.patch = patch;
    def.resolution = 5;
    return created(def);
}

static const br_vec2 places[2] = {{0.05, 0.01}, {-0.04, -0.02}};

// Two feet or fingers, placed by `at`, which share one contact, or by the centre of a patch each.
typedef struct pair {
    br_patch* patch[2];
    br_contact* contact[2];
    br_body_contact at[2], centred[2];
} pair;

static void make_pair(pair* p, int model, br_frame frame)
{
    br_patch* patch = disc_at((br_vec2){0.003, 0.001}, 0.0);
    br_contact* shared = model_on(patch, model);
    for (int i = 0; i < 2; i++) {
        const br_vec2 centre = {places[i].x + 0.003, places[i].y + 0.001};
        br_patch* own = disc_at(centre, 0.0);
        const br_body_contact common = {
            .frame = frame, .count = 1, .normal_force = br_profile_constant(1.0 + i)};
        p->at[i] = p->centred[i] = common;
        p->at[i].contact = shared;
        p->at[i].at = places[i];
        p->centred[i].contact = model_on(own, model);
        p->patch[i] = own;
        p->contact[i] = (br_contact*)p->centred[i].contact;
    }
    br_patch_destroy(patch);
}

static void free_pair(pair* p)
{
    br_contact_destroy((br_contact*)p->at[0].contact);
    for (int i = 0; i < 2; i++) {
        br_contact_destroy(p->contact[i]);
        br_patch_destroy(p->patch[i]);
    }
}

// 1e-9 m: cells of a patch are laid about its centre, so that only rounding and the steps that it changes differ.
static void assert_same_motion(const record* a, const record* b)
{
    assert_int_equal(a->rows, b->rows);
    for (size_t i = 0; i < a->rows; i++) {
        assert_near(distance(a->row[i].pose, b->row[i].pose), 0.0, 1e-9);
        assert_near(a->row[i].pose.theta, b->row[i].pose.theta, 1e-8);
    }
}

/* Oracle: the same contacts placed by the centres of patches of their own. `at` moves the origin of a contact's
 * frame, where its torque is reported: tau about the CoM (frame body) or the world's origin is tau + at x f. */
static void a_place_does_what_the_centre_of_a_patch_does(void** state)
{
    (void)state;
    for (int c = 0; c < 4 * MODELS; c++) {
        const br_frame frame = c % 2 ? BR_FRAME_BODY : BR_FRAME_WORLD;
        pair p;
        make_pair(&p, c / 4, frame);
        br_run_def def = run_for(0.05, 11);
        set_step(&def, c / 2 % 2 ? 1e-4 : 0.0);
        br_body body = box_with(p.at, 2);
        body.velocity = (br_twist){0.1, 0.05, 4.0};
        run_body(&body, &def, &kept);
        body.contacts = p.centred;
        run_body(&body, &def, &other);
        assert_same_motion(&kept, &other);
        for (int i = 0; i < 2; i++) {
            const br_wrench f = kept.row[5].f[i], g = other.row[5].f[i];
            assert_near(f.fx, g.fx, 1e-6);
            assert_near(f.tau + places[i].x * f.fy - places[i].y * f.fx, g.tau, 1e-7);
        }
        free_pair(&p);
    }
}

/* Oracle: mechanics. A bar of 1 kg and 120 x 20 mm that spins about its centre on two feet of radius r at a distance
 * L from there loses mu m g (L + r^2/(8 L)) of torque (the mean distance of a small disc), so it turns by
 * I w^2/(2 mu m g (L + r^2/(8 L))) = 0.0608 rad. Tolerance: bristles bent by mu/sigma0 = 4 um spring back when it stops, and forth. */
static void a_bar_on_two_feet_stops_by_their_distance(void** state)
{
    (void)state;
    br_law law = rubber();
    law.mu_s = law.mu_c, law.sigma2 = 0.0;
    br_patch_def patch_def = br_patch_def_default();
    patch_def.radius.coefficient = 0.005;
    br_patch* patch = NULL;
    assert_status(br_patch_create(&patch_def, &patch, NULL), BR_OK);
    br_contact* foot = blocks_on(patch, law, 5);
    const br_body_contact common = {
        .frame = BR_FRAME_BODY, .contact = foot, .count = 1, .weight = 0.5};
    br_body_contact feet[2] = {common, common};
    feet[0].at.x = 0.05;
    feet[1].at.x = -0.05;
    br_body bar = box_with(feet, 2);
    bar.mass = 1.0;
    bar.inertia = (0.12 * 0.12 + 0.02 * 0.02) / 12.0;
    bar.velocity.w = 4.4;
    const br_run_def def = run_for(0.1, 11);
    run_body(&bar, &def, &kept);
    const double torque = law.mu_c * standard_gravity * (0.05 + 0.005 * 0.005 / (8.0 * 0.05));
    const double turned = bar.inertia * bar.velocity.w * bar.velocity.w / (2.0 * torque);
    assert_near(turned, 0.0608, 1e-4);
    assert_near(kept.row[10].pose.theta, turned, 2.0 * law.mu_c / law.sigma0 / 0.05);
    assert_near(distance(kept.row[10].pose, bar.pose), 0.0, 1e-9);
    br_contact_destroy(foot);
    br_patch_destroy(patch);
}

/* Oracle: the definition. A finger turns about its own position, at + (x, y). */
static void a_finger_turns_about_its_own_place(void** state)
{
    (void)state;
    static const double t[2] = {0.0, 1.0}, turn[2] = {0.0, 2.0};
    const br_profile angle = {.kind = BR_PROFILE_TABLE, .count = 2, .t = t, .value = turn};
    br_patch* patch = disc_at((br_vec2){0.01, 0.0}, 0.0);
    br_contact* tip = model_on(patch, 1);
    br_body_contact finger = {.contact = tip, .count = 1, .normal_force = br_profile_constant(5.0)};
    finger.motion[2] = angle;
    br_body_contact placed = finger;
    placed.at = (br_vec2){0.02, -0.01};
    finger.motion[0] = br_profile_constant(0.02);
    finger.motion[1] = br_profile_constant(-0.01);
    const br_run_def def = run_for(0.2, 11);
    br_body body = box_with(&placed, 1);
    run_body(&body, &def, &kept);
    body.contacts = &finger;
    run_body(&body, &def, &other);
    assert_same_motion(&kept, &other);
    assert_true(kept.row[10].pose.theta > 0.3); // it is taken along

    const br_pose at = br_body_contact_pose_eval(&placed, body.pose, 0.5);
    assert_near(at.x, 0.02, 1e-15);
    assert_near(at.y, -0.01, 1e-15);
    assert_near(at.theta, 1.0, 1e-15);
    placed.frame = BR_FRAME_BODY;
    const br_pose foot = br_body_contact_pose_eval(&placed, (br_pose){1.0, 2.0, 0.5 * BR_PI}, 0.5);
    assert_near(foot.x, 1.01, 1e-15);
    assert_near(foot.y, 2.02, 1e-15);
    assert_near(foot.theta, 0.5 * BR_PI, 1e-15);
    br_contact_destroy(tip);
    br_patch_destroy(patch);
}

/* Oracle: the definition. A body stands on its feet where they are. */
static void a_body_stands_on_its_feet(void** state)
{
    (void)state;
    pair p;
    make_pair(&p, 1, BR_FRAME_BODY);
    br_body body = box_with(p.at, 2);
    const br_body_stand stand = br_body_stand_eval(&body);
    body.contacts = p.centred;
    const br_body_stand same = br_body_stand_eval(&body);
    assert_near(stand.cop.x, (1.0 * 0.053 + 2.0 * -0.037) / 3.0, 1e-9);
    assert_near(stand.cop.y, (1.0 * 0.011 + 2.0 * -0.019) / 3.0, 1e-9);
    assert_near(stand.radius, same.radius, 1e-9);
    free_pair(&p);
}

/* Oracle: the header. A table that stays may be nowhere but at 0; a finger may. A position is finite. */
static void a_place_without_effect_is_refused(void** state)
{
    (void)state;
    pair p;
    make_pair(&p, 1, BR_FRAME_BODY);
    br_body body = box_with(p.at, 2);
    const br_run_def def = run_for(0.01, 2);
    const br_run_watch watch = {
        .size = sizeof(br_run_watch), .start = take_columns, .row = keep_row, .user = &kept};
    br_reason why;
    p.at[1].motion[0] = br_profile_constant(0.05);
    assert_status(br_body_run(&body, &def, &watch, NULL, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "contacts[1].motion");
    assert_non_null(strstr(why.text, "`at`"));
    static const double t[2] = {0.0, 1.0}, position[2] = {0.0, 0.1};
    const br_profile belt = {.kind = BR_PROFILE_TABLE, .count = 2, .t = t, .value = position};
    p.at[1].motion[2] = belt; // about an axis at 0.05
    run_body(&body, &def, &kept);
    p.at[1].motion[1] = belt;
    p.at[1].motion[2] = br_profile_constant(0.1);
    assert_status(br_body_run(&body, &def, &watch, NULL, &why), BR_ERR_DEF);
    p.at[0].frame = p.at[1].frame = BR_FRAME_WORLD;
    run_body(&body, &def, &kept);
    p.at[1].at.y = HUGE_VAL;
    assert_status(br_body_run(&body, &def, &watch, NULL, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "contacts[1].at");
    free_pair(&p);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_place_does_what_the_centre_of_a_patch_does),
        cmocka_unit_test(a_bar_on_two_feet_stops_by_their_distance),
        cmocka_unit_test(a_finger_turns_about_its_own_place),
        cmocka_unit_test(a_body_stands_on_its_feet),
        cmocka_unit_test(a_place_without_effect_is_refused),
    };
    return run_group(argc, argv, tests);
}
