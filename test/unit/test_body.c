/* Tests of body.h: mechanics of a rigid body on friction. */
#include "bodies.h"

static record kept;

// --- without friction -------------------------------------------------------------------------------

/* Oracle: closed form. A body under constant gravity and a load at its CoM falls along a parabola and
 * spins up uniformly; energy is conserved. A contact without normal force changes nothing. */
static void a_free_body_falls_along_a_parabola(void** state)
{
    (void)state;
    br_contact* model = reduced_with(NULL, br_law_default(BR_LAW_ELASTO_PLASTIC));
    const br_body_contact contact = {
        .contact = model, .normal_force = br_profile_constant(0.0), .count = 3};
    const br_body_load load = {.fx = br_profile_constant(0.3),
                               .fy = br_profile_constant(0.0),
                               .tau = br_profile_constant(2e-4),
                               .frame = BR_FRAME_BODY};
    for (size_t contacts = 0; contacts <= 1; contacts++) {
        br_body body = box_with(&contact, contacts);
        body.gravity.y = -standard_gravity;
        body.velocity = (br_twist){0.4, 1.0, 3.0};
        body.loads = &load, body.load_count = 1;
        br_run_def def = run_for(2.0, 21);
        set_tolerance(&def, 1e-10);
        run_body(&body, &def, &kept);
        for (size_t i = 0; i < kept.rows; i++) {
            const double t = kept.row[i].t;
            const body_energy* e = &kept.row[i].energy;
            assert_near(kept.row[i].pose.x, 0.4 * t + 0.5 * 1.5 * t * t, 1e-9 /* m, tolerance */);
            assert_near(kept.row[i].pose.y, t - 0.5 * standard_gravity * t * t, 1e-9);
            assert_near(kept.row[i].pose.theta, 3.0 * t + 0.5 * 2e-4 / body.inertia * t * t, 1e-9);
            assert_near(e->residual, 0.0, 1e-9 /* J, required */);
            assert_near(e->dissipated, 0.0, 1e-12);
        }
    }
    br_contact_destroy(model);
}

/* Oracle: invariants. A force at a point of the body in free space: its impulse is the change of
 * momentum, its impulse's moment that of spin; the work of a force at a body point is what the body
 * gains. */
static void loads_at_points_turn_and_push(void** state)
{
    (void)state;
    const br_vec2 points[] = {{0.03, 0.02}, {-0.01, 0.05}};
    const br_frame frames[] = {BR_FRAME_BODY, BR_FRAME_WORLD};
    for (int k = 0; k < 2; k++) {
        const br_body_load load = {
            .fx = br_profile_constant(0.5),
            .fy = {.kind = BR_PROFILE_SINE, .amplitude = 0.3, .frequency = 1},
            .tau = br_profile_constant(0.0),
            .frame = frames[k],
            .point = points[k]};
        br_body body = box_with(NULL, 0);
        body.loads = &load, body.load_count = 1;
        br_run_def def = run_for(1.0, 2001);
        set_tolerance(&def, 1e-9);
        run_body(&body, &def, &kept);
        double spin = 0.0; // moment of the load about the CoM, by the trapezoidal rule
        for (size_t i = 0; i + 1 < kept.rows; i++) {
            double moment[2];
            for (size_t j = 0; j < 2; j++) {
                const br_pose p = kept.row[i + j].pose;
                const double fy = 0.3 * sin(2.0 * BR_PI * kept.row[i + j].t);
                const br_vec2 arm = k == 0 ? br_vec2_rotate(points[k], p.theta)
                                           : (br_vec2){points[k].x - p.x, points[k].y - p.y};
                moment[j] = br_vec2_cross(arm, (br_vec2){0.5, fy});
            }
            spin += 0.5 * (moment[0] + moment[1]) * def.every / body.inertia;
        }
        const size_t last = kept.rows - 1;
        const body_energy* e = &kept.row[last].energy;
        assert_near(kept.row[last].velocity.vx, 0.5 / 0.2, 1e-9 /* m/s, tolerance */);
        assert_near(kept.row[last].velocity.vy, 0.0, 1e-8 /* a whole period */);
        assert_near_relative(kept.row[last].velocity.w, spin, 1e-5 /* trapezoidal rule, 0.5 ms */);
        assert_near(e->residual, 0.0, 1e-8 /* J of 1 J: tolerance times steps */);
        assert_near(e->work_loads, e->kinetic, 1e-8);
    }
}

// --- sliding ----------------------------------------------------------------------------------------

/* Oracle: closed form. A box sliding on a table with Coulomb friction stops after v/(mu g), having gone
 * v^2/(2 mu g); what it had has become heat. The damping of bristles that are bent from 0 to mu/sigma0
 * takes sigma1 mu/sigma0 g from the speed at once. The impulse of friction is the change of momentum. */
static void a_sliding_box_stops_by_coulombs_law(void** state)
{
    (void)state;
    br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC);
    law.mu_s = law.mu_c = 0.4, law.sigma2 = 0.0;
    br_patch* patch = disc_at((br_vec2){0.0, 0.0}, 0.0);
    br_contact* model = cells_on(patch, law, 11);
    const double fn = 0.2 * standard_gravity;
    const br_body_contact contact = {.frame = BR_FRAME_BODY,
                                     .contact = model,
                                     .normal_force = br_profile_constant(fn),
                                     .count = 1};
    br_body body = box_with(&contact, 1);
    body.start = BR_START_RELAXED;
    body.pose.theta = 0.7; // friction does not know it
    body.velocity = (br_twist){0.6, 0.8, 0.0};
    br_run_def def = run_for(0.5, 1001);
    run_body(&body, &def, &kept);
    const size_t last = kept.rows - 1;
    const double bristle = 0.4 / law.sigma0; // the bristles deflect by that distance
    const double speed = 1.0 - law.sigma1 * bristle * standard_gravity;
    const double reach = speed * speed / (2.0 * 0.4 * standard_gravity);

    assert_near(kept.row[last].pose.x, 0.6 * reach, 5.0 * bristle);
    assert_near(kept.row[last].pose.y, 0.8 * reach, 5.0 * bristle);
    assert_near(kept.row[last].pose.theta, 0.7, 1e-9 /* rad */);
    assert_near(kept.row[last].energy.dissipated, 0.1, 1e-6 /* J: stored in bristles, tolerance */);
    assert_int_equal(kept.row[last].state[0], BR_STATE_STICK);
    assert_int_equal(kept.events, 2); // it slips once its relaxed bristles are stretched
    assert_int_equal(kept.event[0].kind, BR_EVENT_SLIP);
    assert_near(kept.event[0].t, 0.0, 1e-5 /* s: ten bristle lengths at 1 m/s */);
    assert_int_equal(kept.event[1].kind, BR_EVENT_STICK);
    assert_near(kept.event[1].t, speed / (0.4 * standard_gravity), 1e-5 /* s: as above */);
    assert_near(kept.row[last].slipped[0], reach, 5.0 * bristle);

    double impulse = 0.0; // along the motion, from the rows by the trapezoidal rule
    for (size_t i = 1; i < last; i++) {
        const br_vec2 world = br_vec2_rotate((br_vec2){kept.row[i].f[0].fx, kept.row[i].f[0].fy},
                                             kept.row[i].pose.theta);
        impulse += (0.6 * world.x + 0.8 * world.y) * def.every;
    }
    assert_near(impulse, -0.2, 0.2 * 0.01 /* N s: jumps at start and end within a row */);
    br_contact_destroy(model);
    br_patch_destroy(patch);
}

// A puck of 20 mm diameter on ice, 0.1 kg: uniform disc under its own weight.
static br_body puck_with(const br_body_contact* contact)
{
    br_body body = br_body_default();
    body.mass = 0.1;
    body.inertia = 0.5 * 0.1 * 0.01 * 0.01;
    body.contacts = contact, body.contact_count = 1;
    return body;
}

// Coulomb friction on the puck: the bristles are short and hardly damped, so that they follow at once.
static br_law ice(void)
{
    br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC);
    law.mu_s = law.mu_c = 0.2, law.sigma1 = 10.0, law.sigma2 = 0.0;
    return law;
}

// When a motion has come to rest, and how far its friction was from the limit surface until then.
typedef struct ending {
    double stops, spin_stops;  // sliding, spinning end [s]
    double first, last;        // v/(R w) at the start, and at 2 % of the speed
    double worst_f, worst_tau; // over mu fn, mu fn R
} ending;

static ending watch_puck(const br_limit* exact, double limit)
{
    ending e = {0};
    for (size_t i = 1; i < kept.rows; i++) {
        const br_twist v = kept.row[i].velocity;
        const double speed = hypot(v.vx, v.vy), rim = 0.01 * fabs(v.w);
        e.stops = speed > 1e-3 ? kept.row[i].t : e.stops;
        e.spin_stops = rim > 1e-3 ? kept.row[i].t : e.spin_stops;
        if (fmin(speed, rim) > 0.02) {
            const br_wrench f = br_limit_eval(exact, v).wrench;
            const double size = hypot(kept.row[i].f[0].fx, kept.row[i].f[0].fy) / limit;
            e.worst_f = fmax(e.worst_f, fabs(size - hypot(f.fx, f.fy)));
            e.worst_tau = fmax(e.worst_tau, fabs(kept.row[i].f[0].tau / limit - f.tau) / 0.01);
            e.last = speed / rim;
            e.first = e.first > 0.0 ? e.first : e.last;
            assert_true(size < 1.0);
        }
    }
    return e;
}

/* Oracle: Coulomb theory. Spinning makes sliding easier: the friction of a puck is what the exact limit
 * surface gives at its twist. Sliding and spinning end together, and with v/(R w) = 0.653 at the start
 * that ratio stays (Farkas, Bartels, Unger & Wolf 2003). */
static void a_spinning_puck_slides_on_and_stops_at_once(void** state)
{
    (void)state;
    br_patch* patch = disc_at((br_vec2){0.0, 0.0}, 0.0);
    br_limit* exact = surface_of(patch, BR_LIMIT_EXACT);
    br_contact* model = cells_on(patch, ice(), 21);
    const double fn = 0.1 * standard_gravity;
    const br_body_contact contact = {.frame = BR_FRAME_BODY,
                                     .contact = model,
                                     .normal_force = br_profile_constant(fn),
                                     .count = 1};
    br_body body = puck_with(&contact);
    static const br_twist starts[] = {{1.0, 0.0, 20.0}, {0.653, 0.0, 100.0}, {0.3, 0.0, 150.0}};
    for (int k = 0; k < 3; k++) {
        body.velocity = starts[k];
        const br_run_def def = run_for(1.0, 2001);
        run_body(&body, &def, &kept);
        const ending e = watch_puck(exact, 0.2 * fn);
        print_message("w %3.0f rad/s: sliding ends at %.4f s, spinning at %.4f s; v/(R w) %.3f to "
                      "%.3f; limit surface %.1e, %.1e\n",
                      starts[k].w, e.stops, e.spin_stops, e.first, e.last, e.worst_f, e.worst_tau);
        assert_near(e.stops, e.spin_stops, 1e-3 /* s: v_s/(mu g) and a row of 0.5 ms */);

        // the CoR is between the centres of cells of R/10.5: (1/10.5)^2 = 0.9 %
        assert_near(e.worst_f, 0.0, 0.01);
        assert_near(e.worst_tau, 0.0, 0.01);
        if (k == 1) {
            assert_near(e.last, 0.653, 0.01 /* that, over a factor 30 of speed */);
        }
    }
    br_contact_destroy(model);
    br_limit_destroy(exact);
    br_patch_destroy(patch);
}

// --- sticking and slipping --------------------------------------------------------------------------

/* Oracle: Coulomb's law with stiction. A slowly growing push is held up to mu_s fn, slips then, and
 * sticks again some time after it has gone; rows and events agree. */
static void a_push_is_held_up_to_mu_s(void** state)
{
    (void)state;
    const br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC); // mu_s 1.2, mu_c 1
    br_patch* patch = disc_at((br_vec2){0.0, 0.0}, 0.0);
    br_limit* surface = surface_of(patch, BR_LIMIT_PUBLISHED);
    br_contact* cells = cells_on(patch, law, 11);
    br_contact* blocks = blocks_on(patch, law, 3);
    br_contact* reduced = reduced_with(surface, law);
    const double t[] = {0.0, 1.0, 1.3, 1.3001}, push[] = {0.0, 1.25, 1.25, 0.0};
    const br_body_load load = {.fx = {.kind = BR_PROFILE_TABLE, .count = 4, .t = t, .value = push},
                               .fy = br_profile_constant(0.0),
                               .tau = br_profile_constant(0.0),
                               .frame = BR_FRAME_BODY};
    br_body_contact contacts[3] = {{.contact = cells}, {.contact = blocks}, {.contact = reduced}};
    for (int k = 0; k < 3; k++) {
        contacts[k].frame = BR_FRAME_BODY;
        contacts[k].normal_force = br_profile_constant(1.0);
        contacts[k].count = 1;
        br_body body = box_with(&contacts[k], 1);
        body.loads = &load, body.load_count = 1;
        br_run_def def = run_for(2.0, 401);
        run_body(&body, &def, &kept);
        assert_int_equal(kept.events, 2);
        assert_int_equal(kept.event[0].kind, BR_EVENT_SLIP);
        assert_int_equal(kept.event[1].kind, BR_EVENT_STICK);
        assert_near(1.25 * kept.event[0].t, 1.2, 0.01 * 1.2 /* it slides within some ms */);
        assert_true(kept.event[1].t > 1.3);
        for (size_t i = 0; i < kept.rows; i++) {
            const double now = kept.row[i].t;
            const int slips = now > kept.event[0].t && now < kept.event[1].t;
            assert_int_equal(kept.row[i].state[0], slips ? BR_STATE_SLIP : BR_STATE_STICK);
        }
        assert_near(kept.row[400].energy.residual, 0.0, 1e-5 * kept.row[400].energy.dissipated);
    }
    br_contact_destroy(cells);
    br_contact_destroy(blocks);
    br_contact_destroy(reduced);
    br_limit_destroy(surface);
    br_patch_destroy(patch);
}

/* Oracle: a fresh run. Without normal force there is no friction and the bristles are reset: what
 * follows is what a body of that pose and velocity does on fresh bristles. */
static void contact_without_force_is_forgotten(void** state)
{
    (void)state;
    br_patch* patch = disc_at((br_vec2){0.001, 0.0}, 0.3);
    br_contact* model = cells_on(patch, br_law_default(BR_LAW_ELASTO_PLASTIC), 11);
    const double t[] = {0.0, 0.2, 0.25}, fn[] = {3.0, 0.0, 2.0};
    br_body_contact contact = {
        .frame = BR_FRAME_WORLD,
        .contact = model,
        .normal_force = {.kind = BR_PROFILE_STEPS, .count = 3, .t = t, .value = fn},
        .count = 2};
    br_body body = box_with(&contact, 1);
    body.gravity.y = -standard_gravity;
    static record fresh;
    br_run_def def = run_for(0.5, 51);
    set_tolerance(&def, 1e-9);
    run_body(&body, &def, &kept);
    const double drop = 0.5 * standard_gravity * 0.05 * 0.05;
    assert_near(kept.row[25].pose.y - kept.row[20].pose.y, -drop, 1e-8 /* m, free fall */);
    assert_near(kept.row[25].energy.stored, 0.0, 0.0 /* nothing is left */);
    assert_near(kept.row[22].f[0].fy, 0.0, 0.0);
    assert_near(kept.row[50].energy.residual, 0.0, 1e-8 /* J, tolerance */);

    body.pose = kept.row[25].pose;
    body.velocity = kept.row[25].velocity;
    contact.normal_force = br_profile_constant(2.0);
    def.duration = 0.25;
    run_body(&body, &def, &fresh);
    for (size_t i = 0; i < fresh.rows; i++) {
        assert_near(distance(fresh.row[i].pose, kept.row[25 + i].pose), 0.0,
                    1e-9 /* m, tolerance */);
    }
    br_contact_destroy(model);
    br_patch_destroy(patch);
}

/* Oracle: invariant. kinetic + stored + dissipated = all works, with a normal force that oscillates, jumps
 * and spreads the patch, and the residual falls with the tolerance. */
static void the_balance_of_energy_closes(void** state)
{
    (void)state;
    br_patch_def patch_def = br_patch_def_default();
    patch_def.radius = (br_by_force){0.006, 1.0 / 3.0, 0.01};
    patch_def.pressure = BR_PRESSURE_POWER;
    br_patch* patch = NULL;
    assert_status(br_patch_create(&patch_def, &patch, NULL), BR_OK);
    br_contact* model = cells_on(patch, br_law_default(BR_LAW_ELASTO_PLASTIC), 11);
    const br_profile forces[] = {
        {.kind = BR_PROFILE_SINE, .mean = 1.6, .amplitude = 1.0, .frequency = 2.0},
        {.kind = BR_PROFILE_SINE, .mean = 1.6, .amplitude = 1.0, .frequency = 2.0, .hold = 0.01}};
    for (int k = 0; k < 2; k++) {
        const br_body_contact contact = {
            .frame = BR_FRAME_WORLD, .contact = model, .normal_force = forces[k], .count = 2};
        br_body body = box_with(&contact, 1);
        body.pose.x = 0.004;
        body.gravity.y = -standard_gravity;
        double residual[2];
        for (int tight = 0; tight < 2; tight++) {
            br_run_def def = run_for(0.6, 61);
            set_tolerance(&def, tight ? 1e-8 : 1e-6);
            run_body(&body, &def, &kept);
            const body_energy* e = &kept.row[60].energy;
            residual[tight] = 0.0;
            for (size_t i = 0; i < kept.rows; i++) {
                residual[tight] = fmax(residual[tight], fabs(kept.row[i].energy.residual));
            }
            assert_true(e->dissipated > 1e-3);
            assert_true(fabs(e->work_normal) > 1e-9); // some: bristles hold 1e-6 J
        }
        print_message("residual %.1e J, %.1e J\n", residual[0], residual[1]);
        assert_near(residual[0], 0.0, 1e-5 /* J of some 0.02 J turned over, rtol 1e-6 */);
        assert_near(residual[1], 0.0, 1e-7 /* rtol 1e-8 */);
        br_run_def fixed = run_for(0.3, 91); // rows between steps, too
        set_step(&fixed, 5e-3);
        run_body(&body, &fixed, &kept);
        for (size_t i = 0; i < kept.rows; i++) {
            assert_near(kept.row[i].energy.residual, 0.0, 1e-14 /* J, rounding */);
        }
    }
    br_contact_destroy(model);
    br_patch_destroy(patch);
}

/* Oracle: symmetry. Turning everything by an angle turns the motion: body-fixed and world-fixed
 * contacts, loads, gravity. Two contacts that are the same are a contact with count 2. */
static void everything_turns_with_the_world(void** state)
{
    (void)state;
    const double angle = 0.8;
    static record turned;
    for (int frame = 0; frame < 2; frame++) {
        br_pose end[2];
        for (int turn = 0; turn < 2; turn++) {
            const double a = turn ? angle : 0.0;
            const br_vec2 place = {0.004, -0.002};
            br_patch* patch = frame == BR_FRAME_WORLD ? disc_at(br_vec2_rotate(place, a), a)
                                                      : disc_at(place, 0.0);
            br_contact* model = cells_on(patch, br_law_default(BR_LAW_ELASTO_PLASTIC), 11);
            br_body_contact contact = {.frame = (br_frame)frame,
                                       .contact = model,
                                       .normal_force = br_profile_constant(0.7),
                                       .count = turn ? 1 : 2};
            const br_body_contact both[2] = {contact, contact};
            br_body body = box_with(turn ? both : &contact, turn ? 2 : 1);
            body.pose.theta = a;
            body.gravity = br_vec2_rotate((br_vec2){0.0, -standard_gravity}, a);
            br_run_def def = run_for(0.3, 31);
            set_tolerance(&def, 1e-9);
            run_body(&body, &def, &turned);
            end[turn] = turned.row[30].pose;
            br_contact_destroy(model);
            br_patch_destroy(patch);
        }
        const br_vec2 back = br_vec2_rotate((br_vec2){end[1].x, end[1].y}, -angle);
        assert_true(hypot(end[0].x, end[0].y) > 0.01); // it has moved
        assert_near(back.x, end[0].x, 1e-8 /* m, tolerance */);
        assert_near(back.y, end[0].y, 1e-8);
        assert_near(end[1].theta - angle, end[0].theta, 1e-7 /* rad */);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_free_body_falls_along_a_parabola),
        cmocka_unit_test(loads_at_points_turn_and_push),
        cmocka_unit_test(a_sliding_box_stops_by_coulombs_law),
        cmocka_unit_test(a_spinning_puck_slides_on_and_stops_at_once),
        cmocka_unit_test(a_push_is_held_up_to_mu_s),
        cmocka_unit_test(contact_without_force_is_forgotten),
        cmocka_unit_test(the_balance_of_energy_closes),
        cmocka_unit_test(everything_turns_with_the_world),
    };
    return run_group(argc, argv, tests);
}
