/*
 * Tests of body.h: a body step by step, and runs that start from its state.
 */
#include "bodies.h"

static record kept, other;

// A body with everything that may act in a step, of which each case takes a part.
typedef struct scene {
    br_patch *disc, *base;
    br_outline* outline;
    br_contact *cells, *blocks;
    br_grip grip;
    br_body_pusher tip;
    br_body_load load;
    br_body_contact contact[2];
    br_body body;
    double h, duration;
} scene;

static const double times[] = {0.0, 0.0203, 0.05}, forces[] = {3.0, 0.0, 5.0};
static const double tip_times[] = {0.0, 10.0}, tip_places[] = {-0.082, 0.918};

static br_profile sine(double amplitude, double frequency)
{
    return (br_profile){.kind = BR_PROFILE_SINE, .amplitude = amplitude, .frequency = frequency};
}

static void make_scene(scene* e)
{
    *e = (scene){.h = 1e-3, .duration = 0.1};
    e->disc = disc_at((br_vec2){0.002, 0.001}, 0.3);
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_RECTANGLE, def.size_x = 0.15, def.size_y = 0.08;
    assert_status(br_patch_create(&def, &e->base, NULL), BR_OK);
    assert_status(br_outline_create(e->base, 1.0, 0, &e->outline, NULL), BR_OK);
    const br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC);
    e->cells = cells_on(e->disc, law, 5);
    e->blocks = blocks_on(e->base, law, 3);
    e->contact[0] = (br_body_contact){.frame = BR_FRAME_BODY,
                                      .contact = e->cells,
                                      .count = 1,
                                      .normal_force = br_profile_constant(3.0)};
    e->contact[1] = (br_body_contact){.frame = BR_FRAME_WORLD,
                                      .contact = e->blocks,
                                      .count = 2,
                                      .normal_force = br_profile_constant(1.0)};
    e->body = box_with(e->contact, 1);
    e->body.velocity = (br_twist){0.3, -0.2, 5.0};
}

static void free_scene(scene* e)
{
    br_contact_destroy(e->cells);
    br_contact_destroy(e->blocks);
    br_outline_destroy(e->outline);
    br_patch_destroy(e->base);
    br_patch_destroy(e->disc);
}

static void with_weight(scene* e)
{
    e->contact[0].normal_force = br_profile_constant(0.0);
    e->contact[0].weight = 1.0;
    e->body.gravity = (br_vec2){2.0, -1.0};
    e->body.gravity_change[0] = sine(1.0, 7.0);
}

static void with_a_belt(scene* e)
{
    e->contact[0].motion[0] = sine(0.01, 5.0);
    e->contact[0].motion[2] = sine(0.5, 3.0);
    e->body.velocity = (br_twist){0.0, 0.0, 0.0};
}

static void with_a_finger_that_moves(scene* e)
{
    e->contact[0].frame = BR_FRAME_WORLD;
    e->contact[0].at = (br_vec2){0.01, 0.0};
    e->contact[0].motion[1] = sine(0.02, 4.0);
    e->contact[0].motion[2] = sine(0.4, 2.0);
}

static void with_grip(scene* e)
{
    e->contact[0].frame = BR_FRAME_WORLD;
    e->grip = (br_grip){
        .period = 0.01, .aim = 0.8, .slip_limit = 1e-3, .release = 0.1, .least = 0.1, .most = 50.0};
    e->contact[0].grip = &e->grip;
    e->body.gravity = (br_vec2){0.0, -9.81};
    e->body.velocity = (br_twist){0.0, 0.0, 0.0};
}

static void with_a_pusher(scene* e)
{
    e->contact[0].weight = 1.0;
    e->contact[0].contact = e->blocks;
    e->body.velocity = (br_twist){0.0, 0.0, 0.0};
    e->body.outline = e->outline;
    e->tip = br_body_pusher_default(e->body.mass);
    e->tip.x =
        (br_profile){.kind = BR_PROFILE_TABLE, .count = 2, .t = tip_times, .value = tip_places};
    e->tip.y = br_profile_constant(0.02);
    e->body.pusher = &e->tip;
    e->duration = 0.3;
}

static void with_an_outline_that_is_left(scene* e)
{
    e->contact[0].frame = BR_FRAME_WORLD;
    e->contact[0].patch = e->disc;
    e->body.outline = e->outline;
    e->body.velocity = (br_twist){1.5, 0.1, 1.0};
}

static void with_two_contacts_and_a_load(scene* e)
{
    e->body.contact_count = 2;
    e->load = (br_body_load){.fx = sine(2.0, 10.0),
                             .axes = BR_FRAME_BODY,
                             .frame = BR_FRAME_BODY,
                             .point = {0.01, 0.02}};
    e->body.loads = &e->load;
    e->body.load_count = 1;
}

// It opens, and presses again at a time that is no multiple of the step.
static void with_a_force_that_jumps(scene* e)
{
    e->contact[0].normal_force =
        (br_profile){.kind = BR_PROFILE_STEPS, .count = 3, .t = times, .value = forces};
}

static void with_long_steps(scene* e)
{
    with_two_contacts_and_a_load(e);
    e->h = 0.02;
}

static void (*const scenes[])(scene*) = {with_weight,
                                         with_a_belt,
                                         with_a_finger_that_moves,
                                         with_grip,
                                         with_a_pusher,
                                         with_an_outline_that_is_left,
                                         with_two_contacts_and_a_load,
                                         with_a_force_that_jumps,
                                         with_long_steps};
enum { SCENES = sizeof scenes / sizeof *scenes };

static br_body_stepper* stepper_of(const br_body* body)
{
    br_body_stepper* stepper = NULL;
    br_reason why = {"", ""};
    const br_status status = br_body_stepper_create(body, &stepper, &why);
    if (status != BR_OK) {
        fail_msg("%s: %s %s", br_status_get_text(status), why.field, why.text);
    }
    return stepper;
}

static void step_on(br_body_stepper* stepper, double h, size_t count)
{
    const br_body_step_def def = br_body_step_def_default(h);
    br_reason why = {"", ""};
    for (size_t i = 0; i < count; i++) {
        if (br_body_step(stepper, &def, NULL, &why) != BR_OK) {
            fail_msg("%s %s", why.field, why.text);
        }
    }
}

// Of position and velocity; h (t + h) - t differs from h by rounding, which stick and slip make a little larger.
static const double rounding = 1e-11; // m, rad, m/s, rad/s

static void assert_at(const br_body_state* at, const record* run)
{
    const br_pose p = run->row[run->rows - 1].pose;
    const br_twist v = run->row[run->rows - 1].velocity;
    assert_near(at->pose.x, p.x, rounding);
    assert_near(at->pose.y, p.y, rounding);
    assert_near(at->pose.theta, p.theta, rounding);
    assert_near(at->velocity.vx, v.vx, rounding);
    assert_near(at->velocity.vy, v.vy, rounding);
    assert_near(at->velocity.w, v.w, rounding);
}

/* Oracle: br_body_run() with fixed steps of the same size, with each of weight, motion, grip, pusher, outline,
 * several contacts, both frames, breaks within a step. */
static void steps_are_those_of_a_fixed_run(void** state)
{
    (void)state;
    for (int i = 0; i < SCENES; i++) {
        scene e;
        make_scene(&e);
        scenes[i](&e);
        br_run_def def = run_for(e.duration, 11);
        set_step(&def, e.h);
        run_body(&e.body, &def, &kept);
        br_body_stepper* stepper = stepper_of(&e.body);
        step_on(stepper, e.h, (size_t)round(e.duration / e.h));
        const br_body_state* at = br_body_stepper_get_state(stepper);
        print_message("scene %d: x %.9g, run %.9g m\n", i, at->pose.x, kept.row[10].pose.x);
        assert_near(at->t, e.duration, 1e-12 /* s, rounding */);
        assert_at(at, &kept);
        assert_int_equal((int)at->contacts[0].state, (int)kept.row[10].state[0]);
        br_body_stepper_destroy(stepper);
        free_scene(&e);
    }
}

/* Oracle: the run that was not interrupted. A run from the state at half time gives its second half, with its
 * times: the same steps in fixed steps, the same motion up to the tolerances in adaptive ones. */
static void a_run_goes_on_from_a_state(void** state)
{
    (void)state;
    for (int i = 0; i < SCENES; i++) {
        scene e;
        make_scene(&e);
        scenes[i](&e);
        const size_t steps = (size_t)round(e.duration / e.h);
        br_run_def def = run_for(e.duration, 11);
        set_step(&def, e.h);
        run_body(&e.body, &def, &kept);
        br_body_stepper* stepper = stepper_of(&e.body);
        step_on(stepper, e.h, 2 * (steps / 5));
        br_body rest = e.body;
        rest.from = br_body_stepper_get_state(stepper);
        const double start = rest.from->t;
        def = run_for(e.duration - start, 7);
        set_step(&def, e.h);
        run_body(&rest, &def, &other);
        assert_int_equal(other.rows, 7);
        assert_near(other.row[0].t, start, 0.0);
        assert_near(other.row[6].t, e.duration, 1e-12);
        step_on(stepper, e.h, steps - 2 * (steps / 5));
        assert_at(br_body_stepper_get_state(stepper), &other);
        assert_at(br_body_stepper_get_state(stepper), &kept);
        br_body_stepper_destroy(stepper);
        free_scene(&e);
    }
}

/* Oracle: the adaptive run from t = 0. A second run starts from a state that was put together from rows. */
static void adaptive_runs_go_on_too(void** state)
{
    (void)state;
    scene e;
    make_scene(&e);
    with_a_belt(&e);
    br_body_stepper* stepper = stepper_of(&e.body);
    step_on(stepper, 1e-5, 5000); // to 0.05 s
    br_body rest = e.body;
    rest.from = br_body_stepper_get_state(stepper);
    br_run_def def = run_for(0.1, 2);
    set_tolerance(&def, 1e-8);
    run_body(&e.body, &def, &kept);
    def = run_for(0.1 - rest.from->t, 2);
    set_tolerance(&def, 1e-8);
    run_body(&rest, &def, &other);
    assert_near(end_error(&other, &kept), 0.0, 1e-7 /* m: 5000 steps of order 2 before */);
    print_message("residuals %.3g, %.3g J\n", kept.row[1].energy.residual,
                  other.row[1].energy.residual);
    assert_near(other.row[1].energy.residual, 0.0, 1e-7 /* J: 4e-8 of the whole run */);
    br_body_stepper_destroy(stepper);
    free_scene(&e);
}

/* Oracle: closed form. A box put on a belt of speed v slips for v/(mu g), and is v^2/(2 mu g) behind then. */
static void a_belt_takes_a_box_along(void** state)
{
    (void)state;
    scene e;
    make_scene(&e);
    const double t[] = {0.0, 10.0}, x[] = {0.0, 5.0}, mu = 0.3, v = 0.5;
    br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC);
    law.mu_s = law.mu_c = mu, law.sigma0 = 1e5, law.sigma1 = 10.0, law.sigma2 = 0.0;
    br_contact* table = blocks_on(e.base, law, 3);
    e.contact[0].contact = table;
    e.contact[0].weight = 1.0;
    e.contact[0].normal_force = br_profile_constant(0.0);
    e.contact[0].motion[0] = (br_profile){.kind = BR_PROFILE_TABLE, .count = 2, .t = t, .value = x};
    e.body.velocity = (br_twist){0.0, 0.0, 0.0};
    for (int i = 0; i < 2; i++) {
        br_run_def def = run_for(0.5, 51);
        set_step(&def, i == 0 ? 1e-3 : 1e-2);
        run_body(&e.body, &def, &kept);
        const double behind = v * 0.5 - kept.row[50].pose.x, g = standard_gravity;
        // the step in which it sticks is of order 1: h v/2 at most
        assert_near(behind, v * v / (2.0 * mu * g), i == 0 ? 1e-4 : 2.5e-3);
        assert_near(kept.row[50].velocity.vx, v, 1e-4 /* m/s: the bristles oscillate */);
        const body_energy* energy = &kept.row[50].energy;
        assert_near(energy->residual, 0.0, 1e-12 /* J of 0.05, rounding */);
        // the belt gives m v^2: half becomes heat, half is kinetic
        assert_near(energy->work_contacts, e.body.mass * v * v, 1e-2 * e.body.mass * v * v);
        assert_near(energy->dissipated, 0.5 * e.body.mass * v * v, 1e-2 * e.body.mass * v * v);
    }
    br_contact_destroy(table);
    free_scene(&e);
}

/* Oracle: the adaptive run. Steps of moving contacts are of order 2, but for those in which they stick or slip. */
static void fixed_steps_follow_what_moves(void** state)
{
    (void)state;
    for (int i = 1; i < 3; i++) {
        scene e;
        make_scene(&e);
        scenes[i](&e);
        br_run_def def = run_for(0.1, 2);
        set_tolerance(&def, 1e-8);
        run_body(&e.body, &def, &kept);
        double error[2];
        for (int k = 0; k < 2; k++) {
            set_step(&def, k == 0 ? 1e-3 : 1e-4);
            run_body(&e.body, &def, &other);
            error[k] = end_error(&other, &kept);
            assert_near(other.row[1].energy.residual, 0.0, 1e-12 /* J, rounding */);
        }
        print_message("errors %.3g, %.3g m\n", error[0], error[1]);
        assert_near(error[0], 0.0, 1e-4 /* m of some 10 mm */);
        assert_true(error[1] < 0.2 * error[0]);
        free_scene(&e);
    }
}

/* Oracle: invariant. The terms of each step balance: what it was given is kinetic, stored or heat. */
static void results_of_steps_balance(void** state)
{
    (void)state;
    for (int i = 0; i < SCENES; i++) {
        scene e;
        make_scene(&e);
        scenes[i](&e);
        e.contact[0].normal_force =
            e.contact[0].grip ? e.contact[0].normal_force : br_profile_constant(3.0);
        e.contact[0].grip = NULL; // forces that change put energy into the bristles, besides
        e.contact[0].weight = 0.0;
        br_body_stepper* stepper = stepper_of(&e.body);
        const br_body_state* at = br_body_stepper_get_state(stepper);
        br_body_step_def def = br_body_step_def_default(e.h);
        def.load = (br_wrench){0.1, 0.2, 0.001};
        br_twist v = at->velocity;
        for (int k = 0; k < 40 && !at->contacts[0].left; k++) {
            br_body_step_result r;
            double stored = 0.0, given = 0.0;
            for (size_t c = 0, z = 0; c < e.body.contact_count; c++) {
                const br_body_contact* one = &e.body.contacts[c];
                stored -= (double)one->count *
                          br_contact_stored(one->contact, at->z + z, one->normal_force.mean);
                z += br_contact_get_state_count(one->contact);
            }
            assert_status(br_body_step(stepper, &def, &r, NULL), BR_OK);
            for (size_t c = 0, z = 0; c < e.body.contact_count; c++) {
                const br_body_contact* one = &e.body.contacts[c];
                stored += (double)one->count *
                          br_contact_stored(one->contact, at->z + z, one->normal_force.mean);
                z += br_contact_get_state_count(one->contact);
            }
            const br_twist w = at->velocity;
            const double kinetic =
                0.5 * e.body.mass * (w.vx * w.vx + w.vy * w.vy - v.vx * v.vx - v.vy * v.vy) +
                0.5 * e.body.inertia * (w.w * w.w - v.w * v.w);
            given = r.work_loads + r.work_gravity + r.work_contacts;
            if (!at->contacts[0].left) {
                assert_near(kinetic + stored + r.dissipated + r.numerical, given,
                            1e-14 /* J, rounding */);
            }
            assert_true(r.converged);
            v = w;
        }
        br_body_stepper_destroy(stepper);
        free_scene(&e);
    }
}

/* Oracle: definition. What cannot be stepped is refused by name, and the state stays as it was; steps do not
 * allocate. */
static void bad_steps_are_refused(void** state)
{
    (void)state;
    scene e;
    make_scene(&e);
    e.contact[0].normal_force = sine(1.0, 1.0);
    br_body_stepper* stepper = stepper_of(&e.body);
    br_body_state* at = br_body_stepper_get_state(stepper);
    br_body_step_def def = br_body_step_def_default(0.0);
    br_reason why;
    assert_status(br_body_step(stepper, &def, NULL, &why), BR_ERR_ARG);
    assert_string_equal(why.field, "h");
    def.h = 1e-3, def.order = 3;
    assert_status(br_body_step(stepper, &def, NULL, &why), BR_ERR_ARG);
    assert_string_equal(why.field, "order");
    def.order = 0, def.load.tau = (double)NAN;
    assert_status(br_body_step(stepper, &def, NULL, &why), BR_ERR_ARG);
    assert_string_equal(why.field, "load");
    def.load.tau = 0.0, at->t = 0.6; // where the force is negative
    assert_status(br_body_step(stepper, &def, NULL, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "normal_force");
    at->t = 0.1, at->z[0] = (double)INFINITY;
    assert_status(br_body_step(stepper, &def, NULL, &why), BR_ERR_ARG);
    assert_string_equal(why.field, "from.z");
    at->z[0] = 0.0;
    assert_near(at->pose.x, 0.0, 0.0);
    counting count = {0};
    br_set_allocator(counting_allocate, counting_release, &count);
    assert_status(br_body_step(stepper, &def, NULL, &why), BR_OK);
    br_set_allocator(NULL, NULL, NULL);
    assert_int_equal(count.calls, 0);
    assert_near(at->t, 0.101, 1e-15);
    br_body_stepper_destroy(stepper);
    e.body.mass = -1.0;
    assert_status(br_body_stepper_create(&e.body, &stepper, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "mass");
    assert_null(stepper);
    br_body_stepper_destroy(NULL);
    free_scene(&e);
}

/* Oracle: closed form. Rows are at k every, and one at the end where the duration is no multiple of it. */
static void the_last_row_is_at_the_end(void** state)
{
    (void)state;
    static const struct {
        double duration, every;
        size_t rows;
    } cases[] = {{1.0, 0.25, 5}, {1.0, 0.3, 5}, {0.3, 0.1, 4}, {0.1, 1.0, 2}, {1.0, 0.6, 3}};
    scene e;
    make_scene(&e);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int fixed = 0; fixed < 2; fixed++) {
            br_run_def def = br_run_def_default();
            def.duration = cases[i].duration;
            def.every = cases[i].every;
            set_step(&def, fixed ? 7e-3 : 0.0);
            run_body(&e.body, &def, &kept);
            assert_int_equal(kept.rows, cases[i].rows);
            assert_int_equal(br_run_def_get_row_count(&def), cases[i].rows);
            for (size_t k = 0; k + 1 < kept.rows; k++) {
                // the double nearest to the decimal number: hundredths are whole here
                assert_near(kept.row[k].t, round(100.0 * (double)k * def.every) / 100.0, 0.0);
            }
            assert_near(kept.row[kept.rows - 1].t, def.duration, 0.0);
        }
    }
    free_scene(&e);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_those_of_a_fixed_run),
        cmocka_unit_test(a_run_goes_on_from_a_state),
        cmocka_unit_test(adaptive_runs_go_on_too),
        cmocka_unit_test(a_belt_takes_a_box_along),
        cmocka_unit_test(fixed_steps_follow_what_moves),
        cmocka_unit_test(results_of_steps_balance),
        cmocka_unit_test(bad_steps_are_refused),
        cmocka_unit_test(the_last_row_is_at_the_end),
    };
    return run_group(argc, argv, tests);
}
