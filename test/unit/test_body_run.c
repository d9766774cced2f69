/* Tests of body.h: definitions, memory, orders of convergence, integrators against each other. */
#include "bodies.h"

#include "sim/contact.h"

static record kept, other;

// --- definitions ------------------------------------------------------------------------------------

static void expect_refused(const br_body* body, const br_run_def* def, const char* field,
                           const char* text)
{
    br_reason why = {0};
    const br_run_watch watch = {
        .size = sizeof(br_run_watch), .start = take_columns, .row = keep_row, .user = &kept};
    kept.rows = 0;
    assert_status(br_body_run(body, def, &watch, NULL, &why), BR_ERR_DEF);
    assert_string_equal(why.field, field);
    assert_non_null(strstr(why.text, text));
    assert_int_equal(kept.rows, 0);
}

/* Oracle: the ranges of body.h and rig.h. */
static void bad_bodies_and_runs_are_refused(void** state)
{
    (void)state;
    const br_body good = box_with(NULL, 0);
    const br_run_def second = run_for(1.0, 11);
    br_body body = good;
    body.mass = 0.0;
    expect_refused(&body, &second, "mass", "> 0, got 0");
    body.mass = (double)NAN;
    expect_refused(&body, &second, "mass", "nan");
    body = good, body.inertia = -1.0;
    expect_refused(&body, &second, "inertia", "got -1");
    body = good, body.velocity.w = HUGE_VAL;
    expect_refused(&body, &second, "velocity", "inf");
    body = (br_body){0}; // not started from br_body_default()
    expect_refused(&body, &second, "size", "start from br_body_default()");

    br_run_def def = second;
    def.duration = 0.0;
    expect_refused(&good, &def, "duration", "got 0");
    def = second, def.method = BR_INTEGRATOR_FIXED, def.step = -1e-3;
    expect_refused(&good, &def, "step", "-0.001");
    def = second, set_step(&def, 0.99e-9);
    expect_refused(&good, &def, "step", "more than 1e+09 steps");
    def = second, def.rtol = 1.0;
    expect_refused(&good, &def, "rtol", "got 1");
}

/* Oracle: the ranges of body.h. */
static void bad_contacts_and_loads_are_refused(void** state)
{
    (void)state;
    br_contact* model = reduced_with(NULL, br_law_default(BR_LAW_ELASTO_PLASTIC));
    const br_body_contact good = {
        .contact = model, .normal_force = br_profile_constant(1.0), .count = 1};
    br_body_contact finger = good;
    br_body body = box_with(&finger, 1);
    const br_run_def def = run_for(1.0, 11);
    finger.contact = NULL;
    expect_refused(&body, &def, "contacts[0].contact", "missing");
    finger = good, finger.count = 0;
    expect_refused(&body, &def, "contacts[0].count", ">= 1");
    finger = good, finger.frame = (br_frame)7;
    expect_refused(&body, &def, "contacts[0].frame", "7");

    br_body_load load = {.fx = br_profile_constant(0.0),
                         .fy = br_profile_constant(0.0),
                         .tau = br_profile_constant((double)NAN)};
    finger = good;
    body.loads = &load, body.load_count = 1;
    expect_refused(&body, &def, "loads[0].tau", "finite");
    load.tau = br_profile_constant(0.0), load.point.x = (double)NAN;
    expect_refused(&body, &def, "loads[0].point", "finite");
    br_contact_destroy(model);
}

static br_wrench last_wrench;

static void keep_wrench(const double* row, void* user)
{
    (void)user;
    last_wrench = wrench_in(row, 0);
}

static const br_run_watch keep_wrenches = {
    .size = sizeof(br_run_watch), .start = take_columns, .row = keep_wrench};

/* Oracle: closed form of the instant; only what the run reaches counts. */
static void negative_normal_forces_are_refused_with_their_time(void** state)
{
    (void)state;
    br_contact* model = reduced_with(NULL, br_law_default(BR_LAW_ELASTO_PLASTIC));
    static const double t[] = {0.5, 1.5}, line[] = {1.0, -1.0}, t2[] = {0.0, 0.75};
    const struct {
        br_profile fn;
        const char* when;
    } cases[] = {
        {br_profile_constant(-1.0), "t = 0 s"},
        {{.kind = BR_PROFILE_TABLE, .count = 2, .t = t, .value = line}, "t = 1 s"},
        {{.kind = BR_PROFILE_STEPS, .count = 2, .t = t2, .value = line}, "t = 0.75 s"},
        // 1 + 2 sin(2 pi t) < 0 from 7/12 on
        {{.kind = BR_PROFILE_SINE, .mean = 1.0, .amplitude = 2.0, .frequency = 1.0},
         "t = 0.583333 s"},
        // 1 - 2 sin(2 pi t) < 0 from 1/12 on, in all three forms of the profile
        {{.kind = BR_PROFILE_SINE, .mean = 1.0, .amplitude = -2.0, .frequency = 1.0},
         "t = 0.0833333 s"},
        {{.kind = BR_PROFILE_SINE, .mean = 1.0, .amplitude = 2.0, .frequency = -1.0},
         "t = 0.0833333 s"},
        {{.kind = BR_PROFILE_SINE, .mean = 1.0, .amplitude = 2.0, .frequency = 1.0, .phase = BR_PI},
         "t = 0.0833333 s"},
        {{.kind = BR_PROFILE_SINE, .mean = 1.0, .amplitude = 2.0, .frequency = 1.0, .start = 0.7},
         "t = 0.7 s"},
        // held from 0.6 on
        {{.kind = BR_PROFILE_SINE, .mean = 1.0, .amplitude = 2.0, .frequency = 1.0, .hold = 0.1},
         "t = 0.6 s"},
        {{.kind = BR_PROFILE_SINE, .mean = -3.0, .amplitude = 2.0, .frequency = 1.0}, "t = 0 s"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const br_body_contact finger = {.contact = model, .normal_force = cases[i].fn, .count = 1};
        const br_body body = box_with(&finger, 1);
        br_run_def def = run_for(2.0, 11);
        expect_refused(&body, &def, "contacts[0].normal_force", cases[i].when);

        // a motion is checked alike
        const br_motion motion = {
            .size = sizeof(br_motion), .contact = model, .normal_force = cases[i].fn};
        br_reason why = {"", ""};
        assert_status(br_motion_run(&motion, &def, &keep_wrenches, NULL, &why), BR_ERR_DEF);
        assert_string_equal(why.field, "normal_force");
        assert_non_null(strstr(why.text, cases[i].when));
    }
    br_contact_destroy(model);
}

/* Oracle: closed form. A table that ends at 0 never is negative, wherever rounding puts its end; nor
 * does it matter what comes after the run. */
static void normal_forces_that_are_not_negative_run(void** state)
{
    (void)state;
    for (int i = 1; i < 100; i++) {
        const double end[] = {0.0, 0.01 * i}, down[] = {1.0 / 3.0, 0.0};
        const br_profile ramp = {.kind = BR_PROFILE_TABLE, .count = 2, .t = end, .value = down};
        assert_true(isinf(br_profile_negative_from(&ramp, 2.0)));
    }
    br_contact* model = reduced_with(NULL, br_law_default(BR_LAW_ELASTO_PLASTIC));
    const br_profile fn = {
        .kind = BR_PROFILE_SINE, .mean = 1.0, .amplitude = 2.0, .frequency = 1.0}; // from 7/12 s on
    const br_body_contact finger = {.contact = model, .normal_force = fn, .count = 1};
    const br_body body = box_with(&finger, 1);
    br_run_def def = run_for(0.5, 11);
    run_body(&body, &def, &kept);
    br_contact_destroy(model);
}

static double last_row[64];

static void keep_numbers(const double* row, void* user)
{
    (void)user;
    memcpy(last_row, row, taken.count * sizeof *row);
}

/* Oracle: the run with all columns: those of other sets have the same numbers, to the last bit. Forces in the world's
 * axes: those of the contact's frame, turned with it. */
static void sets_of_columns_change_no_number(void** state)
{
    (void)state;
    br_contact* model = reduced_with(NULL, br_law_default(BR_LAW_ELASTO_PLASTIC));
    const br_body_contact feet[2] = {
        {.frame = BR_FRAME_BODY, .contact = model, .weight = 0.5, .count = 1, .at = {0.05, 0.0}},
        {.frame = BR_FRAME_BODY, .contact = model, .weight = 0.5, .count = 1, .at = {-0.05, 0.0}}};
    br_body body = box_with(feet, 2);
    body.pose.theta = 0.7;
    body.velocity = (br_twist){0.3, 0.0, 3.0};
    br_run_def def = run_for(0.1, 11);
    const br_run_watch watch = {
        .size = sizeof(br_run_watch), .start = take_columns, .row = keep_numbers};
    for (int fixed = 0; fixed < 2; fixed++) {
        set_step(&def, fixed ? 1e-3 : 0.0);
        def.columns = BR_COLUMNS_ALL;
        assert_status(br_body_run(&body, &def, &watch, NULL, NULL), BR_OK);
        br_column all[64];
        double numbers[64];
        const size_t count = taken.count;
        memcpy(all, taken.list, sizeof all);
        memcpy(numbers, last_row, sizeof numbers);
        for (unsigned sets = BR_COLUMNS_MAIN; sets < BR_COLUMNS_ALL; sets += 2) {
            if (sets & BR_COLUMNS_WORLD) {
                continue; // no set: it turns forces
            }
            def.columns = sets;
            assert_status(br_body_run(&body, &def, &watch, NULL, NULL), BR_OK);
            assert_true(taken.count < count);
            for (size_t i = 0; i < taken.count; i++) {
                const size_t place = br_column_find(all, count, taken.list[i].name);
                assert_near(last_row[i], numbers[place], 0.0);
            }
        }
        def.columns = BR_COLUMNS_MAIN | BR_COLUMNS_WORLD;
        assert_status(br_body_run(&body, &def, &watch, NULL, NULL), BR_OK);
        const br_wrench world = wrench_in(last_row, 1);
        const double fx = numbers[br_column_find(all, count, "fx2")];
        const double fy = numbers[br_column_find(all, count, "fy2")];
        const br_vec2 turned = br_vec2_rotate((br_vec2){fx, fy}, pose_in(last_row).theta);
        assert_true(fabs(pose_in(last_row).theta) > 0.1);
        assert_near(world.fx, turned.x, 0.0);
        assert_near(world.fy, turned.y, 0.0);
    }
    br_contact_destroy(model);
}

/* Oracle: br_contact_eval() of the bristles in a row: their friction is that of the row. The first columns stay as they
 * are without bristles. */
static void bristles_of_a_row_give_its_friction(void** state)
{
    (void)state;
    br_contact* model = reduced_with(NULL, br_law_default(BR_LAW_ELASTO_PLASTIC));
    const br_body_contact feet[2] = {
        {.frame = BR_FRAME_BODY, .contact = model, .weight = 0.5, .count = 1, .at = {0.05, 0.0}},
        {.frame = BR_FRAME_BODY, .contact = model, .weight = 0.5, .count = 1, .at = {-0.05, 0.0}}};
    br_body body = box_with(feet, 2);
    body.pose.theta = 0.7;
    body.velocity = (br_twist){0.3, 0.0, 3.0};
    br_run_def def = run_for(0.02, 11); // it still slides
    const br_run_watch watch = {
        .size = sizeof(br_run_watch), .start = take_columns, .row = keep_numbers};
    const size_t each = br_contact_get_state_count(model);
    const size_t before = br_body_get_columns(&body, BR_COLUMNS_ALL, NULL);
    def.columns = BR_COLUMNS_ALL | BR_COLUMNS_BRISTLES;
    assert_status(br_body_run(&body, &def, &watch, NULL, NULL), BR_OK);
    assert_int_equal(taken.count, before + 2 * each);
    assert_int_equal(br_body_get_columns(&body, def.columns, NULL), taken.count);
    assert_string_equal(taken.list[before].name, "z1");
    assert_int_equal(br_column_find(taken.list, taken.count, "z6"), before + 5);
    const double* row = last_row;
    const double c = cos(row[3]), s = sin(row[3]);
    double rates[3];
    for (size_t foot = 0; foot < 2; foot++) {
        const double arm = feet[foot].at.x;
        const br_twist v = {c * row[4] + s * row[5], c * row[5] - s * row[4] + row[6] * arm,
                            row[6]};
        const double fn = row[br_column_find_numbered(taken.list, taken.count, "fn", foot + 1)];
        const br_wrench f = br_contact_eval(model, row + before + foot * each, v, fn, rates);
        const double fx = row[br_column_find_numbered(taken.list, taken.count, "fx", foot + 1)];
        const double fy = row[br_column_find_numbered(taken.list, taken.count, "fy", foot + 1)];
        assert_true(hypot(f.fx, f.fy) > 0.1);
        assert_near(f.fx, fx, 1e-12 * fn); // the same formula: rounding
        assert_near(f.fy, fy, 1e-12 * fn);
    }
    br_contact_destroy(model);
}

/* Oracle: contacts of their own. One contact on a patch that grows serves two, under different forces:
 * it does not change, so the motion is the same to the last bit. */
static void growing_contacts_may_be_shared(void** state)
{
    (void)state;
    br_patch_def patch_def = br_patch_def_default();
    patch_def.radius = (br_by_force){0.006, 1.0 / 3.0, 0.01};
    br_patch* patch = NULL;
    assert_status(br_patch_create(&patch_def, &patch, NULL), BR_OK);
    const br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC);
    br_contact *cells = cells_on(patch, law, 5), *twin = cells_on(patch, law, 5);
    br_body_contact both[2] = {
        {.contact = cells, .normal_force = br_profile_constant(0.3), .count = 1},
        {.contact = cells,
         .normal_force = {.kind = BR_PROFILE_SINE, .mean = 1, .amplitude = 0.5, .frequency = 10},
         .count = 1}};
    br_body body = box_with(both, 2);
    body.velocity = (br_twist){0.1, 0.05, 3.0};
    const br_run_def def = run_for(0.1, 11);
    run_body(&body, &def, &kept);
    both[1].contact = twin;
    run_body(&body, &def, &other);
    for (size_t i = 0; i < kept.rows; i++) {
        assert_near(distance(kept.row[i].pose, other.row[i].pose), 0.0, 0.0);
        assert_near(kept.row[i].f[1].fx, other.row[i].f[1].fx, 0.0);
    }
    br_contact_destroy(twin);
    br_contact_destroy(cells);
    br_patch_destroy(patch);
}

// --- a body on everything: fingers and feet, turned, growing, swinging, with loads --------------------

typedef struct everything {
    br_patch *finger, *foot;
    br_contact *cells, *more_cells;
    br_body_contact contacts[2];
    br_body_load loads[2];
    br_body body;
} everything;

// Soft LuGre bristles that slide all the time: smooth, so that orders of convergence show.
static void make_everything(everything* e, int grows)
{
    br_law law = br_law_default(BR_LAW_LUGRE);
    law.sigma0 = 300.0, law.sigma1 = 1.0, law.sigma2 = 0.5, law.v_stribeck = 0.1;
    br_patch_def def = br_patch_def_default();
    def.centre = (br_vec2){0.004, -0.002};
    def.angle = 0.4;
    if (grows) {
        def.radius = (br_by_force){0.015, 1.0, 0.03};
    }
    e->finger = NULL;
    assert_status(br_patch_create(&def, &e->finger, NULL), BR_OK);
    e->foot = disc_at((br_vec2){-0.01, 0.005}, 0.0);
    e->cells = cells_on(e->finger, law, 9);
    e->more_cells = cells_on(e->foot, law, 4);
    e->contacts[0] = (br_body_contact){
        .frame = BR_FRAME_WORLD,
        .contact = e->cells,
        .normal_force = {.kind = BR_PROFILE_SINE, .mean = 1.0, .amplitude = 0.3, .frequency = 2},
        .count = 2};
    e->contacts[1] = (br_body_contact){.frame = BR_FRAME_BODY,
                                       .contact = e->more_cells,
                                       .normal_force = br_profile_constant(0.5),
                                       .count = 1};
    e->loads[0] = (br_body_load){.fx = br_profile_constant(0.3),
                                 .fy = {.kind = BR_PROFILE_SINE, .amplitude = 0.5, .frequency = 3},
                                 .tau = br_profile_constant(1e-3),
                                 .frame = BR_FRAME_BODY,
                                 .point = {0.02, 0.01}};
    e->loads[1] = e->loads[0];
    e->loads[1].frame = BR_FRAME_WORLD;
    e->body = box_with(e->contacts, 2);
    e->body.velocity = (br_twist){0.3, 0.2, 8.0};
    e->body.gravity = (br_vec2){0.0, -3.0};
    e->body.loads = e->loads, e->body.load_count = 2;
}

static void destroy_everything(everything* e)
{
    br_contact_destroy(e->cells);
    br_contact_destroy(e->more_cells);
    br_patch_destroy(e->finger);
    br_patch_destroy(e->foot);
}

/* Oracle: order of convergence. With steps of a given size the Rosenbrock method has its order 4 only if
 * every term of the Jacobian and of df/dt is right. */
static void rosenbrock_steps_converge_with_order_four(void** state)
{
    (void)state;
    for (int grows = 0; grows < 2; grows++) {
        everything e;
        make_everything(&e, grows);
        br_run_def def = run_for(0.02, 2); // long before it comes to rest, which is a kink
        set_tolerance(&def, 1e-13);
        run_body(&e.body, &def, &other);
        double error[3];
        for (int i = 0; i < 3; i++) {
            set_tolerance(&def, 0.5); // the size of the step is what counts
            def.atol = def.atol_z = 1e3;
            def.max_step = 1e-3 / (1 << i);
            run_body(&e.body, &def, &kept);
            error[i] = end_error(&kept, &other);
        }
        print_message("errors %.2e, %.2e, %.2e m\n", error[0], error[1], error[2]);
        assert_true(error[0] > 1e-12);
        assert_true(error[0] / error[1] > 11.0); // 16 for order 4, 8 for order 3
        assert_true(error[1] / error[2] > 11.0);
        destroy_everything(&e);
    }
}

/* Oracle: order of convergence. Fixed steps have order 2 up to 1 ms and order 1 above. */
static void fixed_steps_converge_with_their_orders(void** state)
{
    (void)state;
    everything e;
    make_everything(&e, 0);
    br_run_def def = run_for(0.12, 2);
    set_tolerance(&def, 1e-11);
    run_body(&e.body, &def, &other);
    const double steps[] = {4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4};
    double error[5];
    for (int i = 0; i < 5; i++) {
        set_step(&def, steps[i]);
        run_body(&e.body, &def, &kept);
        error[i] = end_error(&kept, &other);
        assert_near(kept.row[1].energy.residual, 0.0, 1e-14 /* J of 0.02 J, rounding */);
    }
    print_message("order 1: %.2e, %.2e m; order 2: %.2e, %.2e, %.2e m\n", error[0], error[1],
                  error[2], error[3], error[4]);
    assert_near(error[0] / error[1], 2.0, 0.4);
    assert_near(error[2] / error[3], 4.0, 0.8);
    assert_near(error[3] / error[4], 4.0, 0.8);
    destroy_everything(&e);
}

/* Oracle: CVODE, an independent integrator, on the same system and with the same linear algebra. Its
 * error falls with the tolerance, and it ends where the Rosenbrock method does. */
static void cvode_and_rosenbrock_agree(void** state)
{
    (void)state;
#ifdef BRISTLE_HAS_CVODE
    for (int grows = 0; grows < 2; grows++) {
        everything e;
        make_everything(&e, grows);
        br_run_def def = run_for(0.1, 2);
        double error[2];
        for (int i = 0; i < 2; i++) {
            const double rtol = i ? 1e-9 : 1e-6;
            set_tolerance(&def, rtol);
            def.method = BR_INTEGRATOR_ROSENBROCK;
            run_body(&e.body, &def, &other);
            def.method = BR_INTEGRATOR_CVODE;
            run_body(&e.body, &def, &kept);
            error[i] = end_error(&kept, &other);
            assert_near(error[i], 0.0, 10.0 * rtol * 0.1 /* m, over a distance of 0.1 m */);
            assert_near(kept.row[1].energy.residual, 0.0, 10.0 * rtol /* J of 0.1 J */);
        }
        print_message("differences %.2e m, %.2e m\n", error[0], error[1]);
        assert_true(error[1] < 0.1 * error[0]);
        destroy_everything(&e);
    }
#endif
}

// --- imposed motions --------------------------------------------------------------------------------

/* Oracle: the other integrator. CVODE takes the systems with structure of imposed motions, too. */
static void imposed_motions_run_on_cvode(void** state)
{
    (void)state;
#ifdef BRISTLE_HAS_CVODE
    const br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC);
    br_patch* patch = disc_at((br_vec2){0.0, 0.0}, 0.4);
    br_contact* cells = cells_on(patch, law, 7);
    br_contact* blocks = blocks_on(patch, law, 2);
    br_contact* reduced = reduced_with(NULL, law);
    const br_contact* const contacts[] = {cells, blocks, reduced};
    for (int k = 0; k < 3; k++) {
        const br_motion motion = {
            .size = sizeof(br_motion),
            .contact = contacts[k],
            .vx = {.kind = BR_PROFILE_SINE, .mean = 2e-3, .amplitude = 1e-3, .frequency = 5.0},
            .vy = br_profile_constant(-1e-3),
            .w = br_profile_constant(0.2),
            .normal_force = br_profile_constant(1.0)};
        br_wrench f[2];
        for (int kind = 0; kind < 2; kind++) {
            br_run_def def = run_for(0.1, 2);
            set_tolerance(&def, 1e-8);
            def.atol = 0.0; // a motion has but bristles
            def.method = kind ? BR_INTEGRATOR_CVODE : BR_INTEGRATOR_ROSENBROCK;
            assert_status(br_motion_run(&motion, &def, &keep_wrenches, NULL, NULL), BR_OK);
            f[kind] = last_wrench;
        }
        assert_near(f[0].fx, f[1].fx, 1e-5 /* N: sigma0 times 10 times the tolerance of z */);
        assert_near(f[0].fy, f[1].fy, 1e-5);
        assert_near(f[0].tau, f[1].tau, 1e-7 /* N m: that at 10 mm */);
    }
    br_contact_destroy(reduced);
    br_contact_destroy(blocks);
    br_contact_destroy(cells);
    br_patch_destroy(patch);
#endif
}

// --- memory -----------------------------------------------------------------------------------------

/* Oracle: a counting allocator. Steps allocate nothing: a run of twice the length allocates as often. */
static void steps_do_not_allocate(void** state)
{
    (void)state;
    everything e;
    make_everything(&e, 1);
    for (int fixed = 0; fixed < 2; fixed++) {
        size_t calls[2];
        for (int twice = 0; twice < 2; twice++) {
            counting count = {0};
            br_run_def def = run_for(twice ? 0.02 : 0.01, 6);
            set_step(&def, fixed ? 1e-3 : 0.0);
            br_set_allocator(counting_allocate, counting_release, &count);
            run_body(&e.body, &def, &kept);
            br_set_allocator(NULL, NULL, NULL);
            assert_int_equal(count.alive, 0);
            calls[twice] = count.calls;
        }
        assert_int_equal(calls[0], calls[1]);
    }
    destroy_everything(&e);
}

/* Oracle: an allocator that fails. Each failure is reported, and nothing leaks. */
static void lack_of_memory_is_reported(void** state)
{
    (void)state;
    everything e;
    make_everything(&e, 0);
    for (int fixed = 0; fixed < 2; fixed++) {
        br_status status = BR_ERR_MEMORY;
        for (size_t fail_at = 1; status != BR_OK; fail_at++) {
            counting count = {.fail_at = fail_at};
            const br_run_watch watch = {.size = sizeof(br_run_watch),
                                        .start = take_columns,
                                        .row = keep_row,
                                        .user = &kept};
            br_run_def def = run_for(0.002, 2);
            set_step(&def, fixed ? 1e-3 : 0.0);
            kept.rows = 0;
            br_set_allocator(counting_allocate, counting_release, &count);
            status = br_body_run(&e.body, &def, &watch, NULL, NULL);
            br_set_allocator(NULL, NULL, NULL);
            assert_true(status == BR_OK || status == BR_ERR_MEMORY);
            assert_int_equal(count.alive, 0);
            assert_true(fail_at < 100);
        }
    }
    destroy_everything(&e);
}

static bool stop_at_half_time(double t, void* user)
{
    (void)user;
    return t > 0.01;
}

/* Oracle: run.h: a nonzero answer stops the run; the rows so far have been given. */
static void a_run_stops_when_asked_to(void** state)
{
    (void)state;
    everything e;
    make_everything(&e, 0);
    const br_run_watch watch = {.size = sizeof(br_run_watch),
                                .start = take_columns,
                                .row = keep_row,
                                .stop = stop_at_half_time,
                                .user = &kept};
    const br_run_def def = run_for(0.02, 21);
    kept.rows = 0, kept.contacts = 2;
    assert_status(br_body_run(&e.body, &def, &watch, NULL, NULL), BR_ERR_STOPPED);
    assert_true(kept.rows > 9 && kept.rows < 21);
    destroy_everything(&e);
}

// --- linear algebra of a contact --------------------------------------------------------------------

enum { MOST_STATES = 600 };

// With x of (shift I - A) x - C B dv = b: is that so by central differences, and the wrench's change?
static void check_solution(contact* c, const double* z, br_twist v, uint64_t* seed)
{
    static double x[MOST_STATES], b[MOST_STATES], moved[MOST_STATES], rate[2][MOST_STATES];
    const size_t n = contact_states(c);
    const double shift = 3e4, sides[] = {-1e-3, 1e-3};
    const br_twist dv = {1e-4, -2e-4, 0.03};
    assert_true(n <= MOST_STATES);
    for (size_t i = 0; i < n; i++) {
        const double unit = i >= 2 * c->parts ? c->value.r : 1.0;
        const int padding = !(c->weight[i % c->parts] > 0.0);
        b[i] = x[i] = padding ? 0.0 : unit * uniform(seed, -1e-3, 1e-3);
    }
    double k[3][3];
    bri_contact_linearise(c, z, v);
    assert_true(bri_contact_factor(c, shift, k));
    const br_wrench by_b = bri_contact_eliminate(c, x, x);
    bri_contact_restore(c, dv, x);

    br_wrench f[2];
    for (int side = 0; side < 2; side++) {
        const double e = sides[side];
        for (size_t i = 0; i < n; i++) {
            moved[i] = z[i] + e * x[i];
        }
        const br_twist u = {v.vx + e * dv.vx, v.vy + e * dv.vy, v.w + e * dv.w};
        f[side] = bri_contact_rate(c, moved, u, 1.0, rate[side]);
    }
    for (size_t i = 0; i < n; i++) {
        const double unit = i >= 2 * c->parts ? c->value.r : 1.0;
        const double slope = (rate[1][i] - rate[0][i]) / (sides[1] - sides[0]);
        assert_near(shift * x[i] - slope, b[i], 1e-8 * unit /* m/s: differences of step 1e-3 */);
    }
    const double change[3] = {dv.vx, dv.vy, dv.w}, sum[3] = {by_b.fx, by_b.fy, by_b.tau};
    const double slope[3] = {f[1].fx - f[0].fx, f[1].fy - f[0].fy, f[1].tau - f[0].tau};
    for (int i = 0; i < 3; i++) {
        double expected = -sum[i];
        for (int j = 0; j < 3; j++) {
            expected -= k[i][j] * change[j];
        }
        assert_near(slope[i] / (sides[1] - sides[0]), expected, i < 2 ? 1e-6 : 1e-8);
    }
}

// Cells, blocks and a reduced contact on a patch at an angle.
typedef struct three_methods {
    br_patch* patch;
    br_limit* surface;
    br_contact* contacts[3];
} three_methods;

static three_methods make_three(int cells_across)
{
    const br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC);
    br_patch* patch = disc_at((br_vec2){0.01, 0.02}, 0.7);
    br_limit* surface = surface_of(patch, BR_LIMIT_SMOOTH);
    return (three_methods){
        patch,
        surface,
        {cells_on(patch, law, cells_across), blocks_on(patch, law, 3), reduced_with(surface, law)}};
}

static void destroy_three(const three_methods* made)
{
    for (int k = 0; k < 3; k++) {
        br_contact_destroy(made->contacts[k]);
    }
    br_limit_destroy(made->surface);
    br_patch_destroy(made->patch);
}

/* Oracle: central differences. The solution of a contact's linear system, and the change of its wrench,
 * for cells, blocks and a reduced contact on a patch at an angle. */
static void contacts_solve_their_own_system(void** state)
{
    (void)state;
    uint64_t seed = 5;
    const three_methods made = make_three(9);
    for (int k = 0; k < 3; k++) {
        contact c;
        assert_status(bri_contact_create(&c, made.contacts[k], NULL), BR_OK);
        static double z[MOST_STATES];
        for (size_t i = 0; i < contact_states(&c); i++) {
            const size_t part = i % c.parts;
            const double mean = i < c.parts       ? 0.7e-6
                                : i < 2 * c.parts ? 0.75e-6
                                                  : 0.1e-6 * c.value.r;
            z[i] = c.weight[part] > 0.0 ? mean * uniform(&seed, 0.9, 1.1) : 0.0;
        }
        check_solution(&c, z, (br_twist){2e-3, 1e-3, 0.2}, &seed);
        bri_contact_release(&c);
    }
    destroy_three(&made);
}

enum { STAGE_STATES = 4000, STAGES_BEFORE = 4 };

typedef struct stage_case {
    double y[STAGE_STATES], u[(STAGES_BEFORE + 1) * STAGE_STATES], at[STAGE_STATES];
    double plain[(STAGES_BEFORE + 1) * STAGE_STATES], place[STAGE_STATES], rate[STAGE_STATES];
    double dfdt[STAGE_STATES], atol[STAGE_STATES], y1[STAGE_STATES];
} stage_case;

static void fill_random(const contact* c, double size, uint64_t* seed, double* out)
{
    for (size_t i = 0; i < contact_states(c); i++) {
        const double unit = i >= 2 * c->parts ? c->value.r : 1.0;
        out[i] = c->weight[i % c->parts] > 0.0 ? unit * uniform(seed, -size, size) : 0.0;
    }
}

// out = base + sum weight_j u_j
static void sum_up(size_t n, const double* base, const double* weight, const double* u, double* out)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = base ? base[i] : 0.0;
        for (int j = 0; j < STAGES_BEFORE; j++) {
            out[i] += weight[j] * u[(size_t)j * STAGE_STATES + i];
        }
    }
}

static void assert_same(size_t n, const double* got, const double* expected, double size)
{
    for (size_t i = 0; i < n; i++) {
        assert_near(got[i], expected[i], 1e-13 * size); // sums in another order
    }
}

static void check_stage(contact* c, uint64_t* seed)
{
    static stage_case s;
    const size_t n = contact_states(c);
    const double a[] = {0.3, -0.2, 0.7, 0.4}, weight[] = {1e3, -4e3, 2e3, 3e3}, shift = 3e4;
    const br_twist v = {0.02, -0.01, 0.5}, du = {1e-6, -2e-6, 3e-4};
    assert_true(n <= STAGE_STATES);
    fill_random(c, 3e-6, seed, s.y);
    fill_random(c, 1e-3, seed, s.dfdt);
    for (int j = 0; j < STAGES_BEFORE; j++) {
        fill_random(c, 1e-7, seed, s.u + j * STAGE_STATES);
    }
    memcpy(s.plain, s.u, sizeof s.u);
    double k[3][3];
    bri_contact_linearise(c, s.y, v);
    assert_true(bri_contact_factor(c, shift, k));

    // one after the other, over all parts
    double* right = s.plain + STAGES_BEFORE * STAGE_STATES;
    bri_contact_restore(c, du, right - STAGE_STATES);
    sum_up(n, s.y, a, s.plain, s.place);
    sum_up(n, NULL, weight, s.plain, right);
    const br_wrench f = bri_contact_rate(c, s.place, v, 1.0, s.rate);
    for (size_t i = 0; i < n; i++) {
        right[i] += s.rate[i] + 1e-4 * s.dfdt[i];
    }
    const br_wrench back = bri_contact_eliminate(c, right, right);

    const stage g = {.n = n,
                     .stride = STAGE_STATES,
                     .before = STAGES_BEFORE,
                     .a = a,
                     .c = weight,
                     .y = s.y,
                     .at = s.at,
                     .u = s.u,
                     .dfdt = s.dfdt,
                     .changing = n,
                     .by_time = 1e-4};
    br_wrench f_got, back_got;
    bri_contact_take_stage(c, &g, 0, du, v, &f_got, &back_got);
    assert_same(n, s.at, s.place, 3e-6);
    assert_same(n, s.u + (STAGES_BEFORE - 1) * STAGE_STATES, right - STAGE_STATES, 1e-7);
    assert_same(n, s.u + STAGES_BEFORE * STAGE_STATES, right, 1e-5);
    assert_same(3, &f_got.fx, &f.fx, 1.0);
    assert_same(3, &back_got.fx, &back.fx, 1.0);

    // the end of the step
    double sum = 0.0;
    bri_contact_restore(c, du, right);
    for (size_t i = 0; i < n; i++) {
        s.atol[i] = 1e-9;
        const double end = s.place[i] + right[i], most = fmax(fabs(s.y[i]), fabs(end));
        sum += pow(right[i] / (1e-9 + 1e-6 * most), 2.0);
        s.rate[i] = end;
    }
    const stage_end e = {s.u + STAGES_BEFORE * STAGE_STATES, s.at, s.y, s.y1, s.atol, 1e-6};
    assert_near(bri_contact_end_step(c, &e, 0, du) / sum, 1.0, 1e-11 /* some 1e3 terms */);
    assert_same(n, s.y1, s.rate, 1e-5);
}

/* Oracle: the same by rate, eliminate and restore, one after the other. Cells in several tiles, blocks and a
 * reduced contact. */
static void stages_in_tiles_are_those_of_whole_contacts(void** state)
{
    (void)state;
    uint64_t seed = 11;
    const three_methods made = make_three(45);
    for (int k = 0; k < 3; k++) {
        contact c;
        assert_status(bri_contact_create(&c, made.contacts[k], NULL), BR_OK);
        assert_true(k != 0 || c.most_tile < c.parts);
        check_stage(&c, &seed);
        bri_contact_release(&c);
    }
    destroy_three(&made);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_bodies_and_runs_are_refused),
        cmocka_unit_test(bad_contacts_and_loads_are_refused),
        cmocka_unit_test(negative_normal_forces_are_refused_with_their_time),
        cmocka_unit_test(normal_forces_that_are_not_negative_run),
        cmocka_unit_test(growing_contacts_may_be_shared),
        cmocka_unit_test(rosenbrock_steps_converge_with_order_four),
        cmocka_unit_test(fixed_steps_converge_with_their_orders),
        cmocka_unit_test(cvode_and_rosenbrock_agree),
        cmocka_unit_test(imposed_motions_run_on_cvode),
        cmocka_unit_test(steps_do_not_allocate),
        cmocka_unit_test(lack_of_memory_is_reported),
        cmocka_unit_test(a_run_stops_when_asked_to),
        cmocka_unit_test(sets_of_columns_change_no_number),
        cmocka_unit_test(bristles_of_a_row_give_its_friction),
        cmocka_unit_test(contacts_solve_their_own_system),
        cmocka_unit_test(stages_in_tiles_are_those_of_whole_contacts),
    };
    return run_group(argc, argv, tests);
}
