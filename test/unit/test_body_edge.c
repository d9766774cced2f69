/*
 * A finger that leaves the body.
 */
#include "bodies.h"

static record kept;

// When a part of the patch was off the body first [s]; < 0: never.
static double overhang_at;
static int overhangs;

static void note_event(const br_run_event* event, void* user)
{
    if (event->kind == BR_EVENT_OVERHANG) {
        overhang_at = event->t;
        overhangs++;
    }
    keep_event(event, user);
}

static void run_noting(const br_body* body, const br_run_def* def)
{
    br_reason why;
    const br_run_watch watch = {.size = sizeof(br_run_watch),
                                .start = take_columns,
                                .row = keep_row,
                                .event = note_event,
                                .user = &kept};
    kept.rows = kept.events = 0;
    kept.contacts = body->contact_count;
    overhangs = 0, overhang_at = -1.0;
    if (br_body_run(body, def, &watch, NULL, &why) != BR_OK) {
        fail_msg("%s %s", why.field, why.text);
    }
}

// A finger of 10 mm radius, or a pad of that half edge, on a body of 150 mm length or diameter that is so
// heavy that friction does not slow it.
typedef struct passing {
    br_patch *patch, *shape;
    br_outline* outline;
    br_contact* model;
    br_body_contact finger;
    br_body body;
} passing;

static void make_passing(passing* p, br_shape patch, br_shape body)
{
    br_patch_def def = br_patch_def_default();
    def.shape = patch;
    def.size_x = def.size_y = def.length = 0.02;
    assert_status(br_patch_create(&def, &p->patch, NULL), BR_OK);
    def.shape = body;
    def.radius = br_by_force_constant(0.075);
    def.size_x = 0.15, def.size_y = 0.08;
    assert_status(br_patch_create(&def, &p->shape, NULL), BR_OK);
    assert_status(br_outline_create(p->shape, 1.0, 0, &p->outline, NULL), BR_OK);
    p->model = blocks_on(p->patch, br_law_default(BR_LAW_ELASTO_PLASTIC), 3);
    p->finger = (br_body_contact){.frame = BR_FRAME_WORLD,
                                  .contact = p->model,
                                  .patch = p->patch,
                                  .normal_force = br_profile_constant(1.0),
                                  .count = 1};
    p->body = box_with(&p->finger, 1);
    p->body.mass = 1e9, p->body.inertia = 1e9;
    p->body.outline = p->outline;
}

static void free_passing(passing* p)
{
    br_contact_destroy(p->model);
    br_outline_destroy(p->outline);
    br_patch_destroy(p->shape);
    br_patch_destroy(p->patch);
}

static const br_shape patches[] = {BR_SHAPE_DISC, BR_SHAPE_RECTANGLE, BR_SHAPE_LINE};
static const br_shape bodies[] = {BR_SHAPE_RECTANGLE, BR_SHAPE_DISC};

/* Oracle: closed form. At 1 m/s from the middle a part of the patch is off after (75 - 10) ms, all of it after
 * (75 + 10) ms, whether the body moves or the finger. A square pad on a disc is off where its corner is. */
static void a_finger_leaves_at_the_edge(void** state)
{
    (void)state;
    static const double t[] = {0.0, 1.0}, position[] = {0.0, -1.0};
    for (int i = 0; i < 12; i++) {
        passing p;
        const br_shape patch = patches[i % 3], shape = bodies[i / 3 % 2];
        make_passing(&p, patch, shape);
        if (i < 6) {
            p.body.velocity.vx = 1.0;
        } else {
            p.finger.motion[0] =
                (br_profile){.kind = BR_PROFILE_TABLE, .count = 2, .t = t, .value = position};
        }
        const br_run_def def = run_for(0.1, 101);
        run_noting(&p.body, &def);
        const int corner = patch == BR_SHAPE_RECTANGLE && shape == BR_SHAPE_DISC;
        const double partly = corner ? sqrt(0.075 * 0.075 - 1e-4) - 0.01 : 0.065;
        assert_int_equal(overhangs, 1);
        assert_near(overhang_at, partly, 1e-9 /* s: 1e-9 m at 1 m/s, friction and tolerance */);
        const br_run_event last = kept.event[kept.events - 1];
        assert_int_equal(last.kind, BR_EVENT_LEAVE);
        assert_near(last.t, 0.085, 1e-9);
        assert_true(fabs(kept.row[80].f[0].fx) > 0.5);
        assert_near(kept.row[90].f[0].fx, 0.0, 0.0);
        assert_near(kept.row[90].energy.stored, 0.0, 0.0);
        assert_near(kept.row[100].energy.residual, 0.0, 1e-9 * 0.5 * p.body.mass);
        free_passing(&p);
    }
}

/* Oracle: the adaptive run. Fixed steps find the edge between their ends, and the balance closes. */
static void fixed_steps_see_the_edge(void** state)
{
    (void)state;
    passing p;
    make_passing(&p, BR_SHAPE_DISC, BR_SHAPE_RECTANGLE);
    p.body.velocity.vx = 1.0;
    br_run_def def = run_for(0.1, 101);
    set_step(&def, 3e-3);
    run_noting(&p.body, &def);
    assert_near(kept.event[kept.events - 1].t, 0.085, 1e-7);
    assert_near(kept.row[95].f[0].fx, 0.0, 0.0);
    assert_near(kept.row[100].energy.residual, 0.0, 1e-14 * p.body.mass);
    free_passing(&p);
}

/* Oracle: statics. A heavy box slides down past its finger and then falls freely: its friction has ended. */
static void what_was_left_falls(void** state)
{
    (void)state;
    passing p;
    make_passing(&p, BR_SHAPE_DISC, BR_SHAPE_RECTANGLE);
    p.body.mass = 0.5, p.body.inertia = 1e-3;
    p.body.gravity.y = -standard_gravity;
    br_run_def def = run_for(0.5, 501);
    set_tolerance(&def, 1e-8);
    run_noting(&p.body, &def);
    const double left = kept.event[kept.events - 1].t;
    assert_true(left > 0.1 && left < 0.2); // 50 mm at 9.81 - 2 m/s^2
    const size_t k = (size_t)(left / def.every) + 2;
    const double dt = kept.row[500].t - kept.row[k].t;
    assert_near(kept.row[500].velocity.vy, kept.row[k].velocity.vy - standard_gravity * dt, 1e-9);
    assert_near(kept.row[500].energy.residual, 0.0, 1e-6 /* J of 5 J */);
    free_passing(&p);
}

/* Oracle: definition. A finger that does not press may go anywhere; one that presses beside the body is open;
 * one that does so from the start is refused. */
static void only_fingers_that_press_are_watched(void** state)
{
    (void)state;
    static const double t[] = {0.0, 0.05, 0.15}, fn[] = {1.0, 0.0, 1.0};
    static const double when[] = {0.0, 0.2}, far[] = {0.0, -0.2}, back[] = {-0.1, 0.05};
    passing p;
    make_passing(&p, BR_SHAPE_DISC, BR_SHAPE_RECTANGLE);
    p.finger.normal_force = (br_profile){.kind = BR_PROFILE_STEPS, .count = 3, .t = t, .value = fn};
    p.finger.motion[0] =
        (br_profile){.kind = BR_PROFILE_TABLE, .count = 2, .t = when, .value = far};
    br_run_def def = run_for(0.2, 201);
    run_noting(&p.body, &def);
    assert_int_equal(kept.event[kept.events - 1].kind, BR_EVENT_LEAVE);
    assert_near(kept.row[200].f[0].fx, 0.0, 0.0);
    assert_true(fabs(kept.row[40].f[0].fx) > 0.5);

    p.finger.motion[0].value = back; // off at the start, on it at 0.15 s
    br_reason why;
    const br_run_watch watch = {
        .size = sizeof(br_run_watch), .start = take_columns, .row = keep_row, .user = &kept};
    assert_status(br_body_run(&p.body, &def, &watch, NULL, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "contacts[0].patch");
    static const double later[] = {0.0, 0.0, 1.0};
    p.finger.normal_force.value = later;
    run_noting(&p.body, &def);
    assert_true(fabs(kept.row[180].f[0].fx) > 0.5);
    assert_int_equal(overhangs, 0);
    free_passing(&p);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_finger_leaves_at_the_edge),
        cmocka_unit_test(fixed_steps_see_the_edge),
        cmocka_unit_test(what_was_left_falls),
        cmocka_unit_test(only_fingers_that_press_are_watched),
    };
    return run_group(argc, argv, tests);
}
