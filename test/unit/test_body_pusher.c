/*
 * A round tip that pushes a body in time.
 */
#include "bodies.h"

#include "bristle/pushing.h"

static record kept;

// A box of 150 x 80 mm on its whole base, and a tip that moves at a constant speed.
typedef struct pushed {
    br_patch* base;
    br_outline* outline;
    br_limit* surface;
    br_contact* model;
    br_body_contact foot;
    br_body_pusher tip;
    br_body body;
    double t[2], x[2];
} pushed;

static void make_pushed(pushed* e, double speed, double beside)
{
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_RECTANGLE, def.size_x = 0.15, def.size_y = 0.08;
    assert_status(br_patch_create(&def, &e->base, NULL), BR_OK);
    assert_status(br_outline_create(e->base, 1.0, 0, &e->outline, NULL), BR_OK);
    br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC);
    law.mu_s = law.mu_c = 0.3, law.sigma0 = 1e5, law.sigma1 = 100.0, law.sigma2 = 0.0;
    e->model = cells_on(e->base, law, 21);
    e->surface = surface_of(e->base, BR_LIMIT_EXACT);
    e->foot =
        (br_body_contact){.frame = BR_FRAME_BODY, .contact = e->model, .weight = 1.0, .count = 1};
    e->body = box_with(&e->foot, 1);
    e->body.outline = e->outline;
    e->tip = br_body_pusher_default(e->body.mass);
    e->t[0] = 0.0, e->t[1] = 10.0;
    e->x[0] = -0.075 - e->tip.radius, e->x[1] = e->x[0] + 10.0 * speed;
    e->tip.x = (br_profile){.kind = BR_PROFILE_TABLE, .count = 2, .t = e->t, .value = e->x};
    e->tip.y = br_profile_constant(beside);
    e->body.pusher = &e->tip;
}

static void free_pushed(pushed* e)
{
    br_contact_destroy(e->model);
    br_limit_destroy(e->surface);
    br_outline_destroy(e->outline);
    br_patch_destroy(e->base);
}

/* Oracle: statics. A box that is pushed through its middle goes with the tip, which presses with mu m g; the
 * tip's work is the friction's heat and what the box has. */
static void push_a_box(double step)
{
    pushed e;
    make_pushed(&e, 0.1, 0.0);
    br_run_def def = run_for(1.0, 101);
    set_step(&def, step);
    run_body(&e.body, &def, &kept);
    const double force = 0.3 * e.body.mass * standard_gravity;
    const double depth = force / e.tip.stiffness;
    assert_near(kept.row[100].velocity.vx, 0.1, 1e-7 /* m/s, tolerance */);
    assert_near(kept.row[100].pose.x, 0.1 - depth, 1e-7 /* m */);
    assert_near(kept.row[100].f[0].fx, -force, 1e-4 * force /* bristles, header of body.h */);
    const body_energy* energy = &kept.row[100].energy;
    assert_near(energy->work_contacts, energy->dissipated + energy->kinetic + energy->stored, 1e-6);
    assert_near(energy->work_contacts, force * 0.1, 0.05 * force * 0.1 /* the start */);
    free_pushed(&e);
}

static void a_box_goes_with_the_tip(void** state)
{
    (void)state;
    push_a_box(0.0);
    push_a_box(1e-3);
    push_a_box(1e-2);
}

/* Oracle: the quasi-static push of the same box on the exact limit surface, an independent solver. At 10 mm/s
 * inertia is nothing; what is left is the depth of the tip, 6 um, its creep, up to 50 um, and 21 cells across. */
static void a_slow_push_is_quasistatic(void** state)
{
    (void)state;
    for (int k = 0; k < 6; k++) {
        pushed e;
        const int i = k % 3;
        make_pushed(&e, 0.01, i == 0 ? 0.02 : i == 1 ? -0.03 : 0.005);
        e.tip.mu = i == 1 ? 0.0 : 0.2; // slides, or sticks at first
        br_run_def def = run_for(5.0, 11);
        set_step(&def, k < 3 ? 0.0 : 5e-3);
        run_body(&e.body, &def, &kept);
        br_pushing pushing = br_pushing_default();
        pushing.surface = e.surface;
        pushing.outline = e.outline;
        pushing.radius = e.tip.radius;
        pushing.mu = e.tip.mu;
        br_pose pose = {0.0, 0.0, 0.0};
        br_pushing_step(&pushing, &pose, (br_vec2){e.x[0], e.tip.y.mean},
                        (br_vec2){e.x[0] + 0.05, e.tip.y.mean});
        const br_pose end = kept.row[10].pose;
        print_message("in time %.5f %.5f m %.4f rad, quasi-static %.5f %.5f m %.4f rad\n", end.x,
                      end.y, end.theta, pose.x, pose.y, pose.theta);
        assert_near(distance(end, pose), 0.0, 5e-5);
        assert_near(end.theta, pose.theta, 1e-3);
        assert_true(fabs(pose.theta) > 0.04);
        free_pushed(&e);
    }
}

/* Oracle: momentum. A tip that meets a free body hands over an impulse, then the body goes on alone; the tip
 * moves as prescribed, and the damping takes a part: speeds from v (all lost) to 2 v (none). */
static void a_free_body_is_knocked_on(void** state)
{
    (void)state;
    double last = 0.0;
    for (int i = 0; i < 2; i++) {
        pushed e;
        make_pushed(&e, 0.2, 0.0);
        e.body.contact_count = 0;
        e.x[0] -= 0.01, e.x[1] -= 0.01;
        e.tip.damping *= i == 0 ? 1.0 : 0.0;
        br_run_def def = run_for(0.3, 31);
        set_tolerance(&def, 1e-9);
        run_body(&e.body, &def, &kept);
        assert_near(kept.row[4].velocity.vx, 0.0, 0.0); // not yet
        last = kept.row[30].velocity.vx;
        assert_near(kept.row[30].energy.residual, 0.0, 1e-9);
        assert_true(i == 1 || (last > 0.2 && last < 0.3));
        free_pushed(&e);
    }
    assert_near(last, 0.4, 1e-6);
}

/* Oracle: definition. */
static void bad_pushers_are_refused(void** state)
{
    (void)state;
    pushed e;
    br_reason why;
    make_pushed(&e, 0.1, 0.0);
    br_run_def def = run_for(0.1, 2);
    const br_run_watch watch = {
        .size = sizeof(br_run_watch), .start = take_columns, .row = keep_row, .user = &kept};
    e.tip.stiffness = 0.0;
    assert_status(br_body_run(&e.body, &def, &watch, NULL, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "pusher.stiffness");
    e.tip.stiffness = 1e5, e.tip.mu = -1.0;
    assert_status(br_body_run(&e.body, &def, &watch, NULL, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "pusher.mu");
    e.tip.mu = 0.3, e.body.outline = NULL;
    assert_status(br_body_run(&e.body, &def, &watch, NULL, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "pusher");
    free_pushed(&e);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_goes_with_the_tip),
        cmocka_unit_test(a_slow_push_is_quasistatic),
        cmocka_unit_test(a_free_body_is_knocked_on),
        cmocka_unit_test(bad_pushers_are_refused),
    };
    return run_group(argc, argv, tests);
}
