/* Tests of the module planar: steps of a body with its contacts. */
#include "step_fixture.h"

static const br_twist sliding = {0.02, -0.01, 3.0};

/* Oracle: invariant. What came in is what is there and what was lost, for every method and order. */
static void the_ledger_adds_up(void** state)
{
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 400; i++) {
        fixture f;
        fixture_init(&f, i % MODELS, law_of(i / MODELS % 2));
        fixture_shake(&f, &seed, 1e-6);
        f.contact.arm = (br_vec2){uniform(&seed, -0.02, 0.02), uniform(&seed, -0.02, 0.02)};
        f.contact.angle = uniform(&seed, -3.0, 3.0);
        f.contact.count = 1 + i % 3;
        const br_step_body body = body_of(0.3, 0.02, 1 + i / 8 % 2);
        const br_wrench load = {1.0, -2.0, 0.01};
        br_twist v = sliding;
        double before = 0.0;
        for (int k = 0; k < 5; k++) {
            f.contact.fn = uniform(&seed, 0.1, 3.0);
            const double h = pow(10.0, uniform(&seed, -6.0, -1.0));
            before = fixture_stored(&f);
            const br_step_result r = br_step_coupled(&body, &v, load, h, &f.contact, 1, f.work);
            const br_step_ledger* e = &r.energy;

            // rounding, also of what the load alone would do: friction cancels it in stick
            const double size = ledger_size(e) + 0.5 * (h * 2.3) * (h * 2.3) / 0.3;
            assert_near(ledger_gap(e), 0.0, 1e-12 * size);
            assert_true(e->dissipated + e->numerical >= -1e-13 * size);
            assert_near(e->stored_before, before, 1e-12 * size);
            assert_near(e->stored_after, fixture_stored(&f), 1e-12 * size);
        }
        fixture_free(&f);
    }
}

/* Oracle: momentum. The mean wrenches explain the change of the twist, and so the pose. */
static void the_mean_wrench_explains_the_change_of_momentum(void** state)
{
    (void)state;
    uint64_t seed = 2;
    for (int i = 0; i < 100; i++) {
        fixture f;
        fixture_init(&f, i % MODELS, law_of(1));
        f.contact.fn = 2.0;
        f.contact.count = 2;
        f.contact.arm = (br_vec2){0.004, -0.007};
        f.contact.angle = 0.5;
        const br_step_body body = body_of(0.3, 0.02, 1 + i / MODELS % 2);
        const br_wrench load = {0.5, -2.0, 0.01};
        const double h = pow(10.0, uniform(&seed, -5.0, -2.0));
        const br_twist v0 = {0.01 * uniform(&seed, -1.0, 1.0), 0.01, uniform(&seed, -1.0, 1.0)};
        br_twist v = v0;
        br_step_coupled(&body, &v, load, h, &f.contact, 1, f.work);
        const br_wrench w = f.contact.f;
        const br_vec2 force = br_vec2_rotate((br_vec2){w.fx, w.fy}, f.contact.angle);
        const double torque = w.tau + br_vec2_cross(f.contact.arm, force);
        const double size = h * 4.0 + 1e-9; // [N s]
        assert_near(0.3 * (v.vx - v0.vx), h * (load.fx + 2.0 * force.x),
                    1e-11 * size /* rounding */);
        assert_near(0.3 * (v.vy - v0.vy), h * (load.fy + 2.0 * force.y), 1e-11 * size);
        assert_near(body.mass[2][2] * (v.w - v0.w), h * (load.tau + 2.0 * torque), 1e-13 * size);
        fixture_free(&f);
    }
}

/* Oracle: the steps with the twist held. A body of endless mass keeps its twist. */
static void a_very_heavy_body_is_a_held_twist(void** state)
{
    (void)state;
    uint64_t seed = 3;
    for (int i = 0; i < 200; i++) {
        fixture f;
        fixture_init(&f, i % MODELS, law_of(i / MODELS % 2));
        fixture_shake(&f, &seed, 1e-6);
        f.contact.fn = 2.0;
        static double z[MOST_STATES];
        memcpy(z, f.z, sizeof z);
        const double speed = pow(10.0, uniform(&seed, -5.0, 0.0));
        const br_twist v0 = {speed, -0.3 * speed, 100.0 * speed * uniform(&seed, -1.0, 1.0)};
        const double h = pow(10.0, uniform(&seed, -6.0, -1.0));
        const br_step_body body = body_of(1e15, 1.0, 1);
        br_twist v = v0;
        br_step_coupled(&body, &v, (br_wrench){0.0, 0.0, 0.0}, h, &f.contact, 1, f.work);
        const br_wrench held = fixture_held(&f, z, v0, h);
        const double size = 2.0 * (1.2 + 800.0 * speed); // [N]
        assert_near(f.contact.f.fx, held.fx, 1e-9 * size /* the twist moves by 1e-15 of itself */);
        assert_near(f.contact.f.fy, held.fy, 1e-9 * size);
        assert_near(f.contact.f.tau, held.tau, 1e-11 * size);
        for (size_t k = 0; k < f.states; k++) {
            assert_near(f.z[k], z[k], 1e-9 * 2e-6);
        }
        fixture_free(&f);
    }
}

// Where a body has come to after a time, from rest or sliding; `load` is held.
static br_pose travel(fixture* f, const br_step_body* body, br_twist* v, br_wrench load,
                      double time, int steps)
{
    br_pose pose = {0.0, 0.0, 0.0};
    const double h = time / steps;
    for (int i = 0; i < steps; i++) {
        const br_step_result r = br_step_coupled(body, v, load, h, &f->contact, 1, f->work);
        pose.x += h * r.mean.vx;
        pose.y += h * r.mean.vy;
        pose.theta += h * r.mean.w;
    }
    return pose;
}

/* Oracle: order of convergence. A sliding body that speeds up, without events. */
static void steps_converge_with_their_order(void** state)
{
    (void)state;
    for (int which = 0; which < MODELS; which++) {
        for (int order = 1; order <= 2; order++) {
            fixture f;
            const br_step_body body = body_of(0.2, 0.02, order);
            const br_wrench load = {3.0, -1.0, 0.0};
            double last = 0.0, end[5];
            for (int k = 0; k < 5; k++) {
                const int steps = k == 4 ? 2048 : 32 << k;
                fixture_init(&f, which, law_of(0));
                f.contact.fn = 1.0;
                br_twist v = {0.05, 0.02, 1.0};
                end[k] = travel(&f, &body, &v, load, 4e-3, steps).x;
                fixture_free(&f);
            }
            for (int k = 0; k < 4; k++) {
                const double error = fabs(end[k] - end[4]), gain = last / error;
                assert_true(k < 2 || (order == 1 ? gain > 1.7 && gain < 2.5 : gain > 3.0));
                last = error;
            }
        }
    }
}

/* Oracle: central differences of the trial's wrench. */
static void the_tangent_is_the_difference(void** state)
{
    (void)state;
    uint64_t seed = 5;
    double worst = 0.0;
    for (int i = 0; i < 600; i++) {
        fixture f;
        fixture_init(&f, i % MODELS, law_of(i / MODELS % 2));
        fixture_shake(&f, &seed, 1e-6);
        f.contact.fn = 2.0;
        f.contact.arm = (br_vec2){0.004, -0.007};
        f.contact.angle = 0.5;
        const double h = pow(10.0, uniform(&seed, -5.0, -2.0));
        const double speed = pow(10.0, uniform(&seed, -4.0, -1.0));
        const br_twist u = {speed * uniform(&seed, 0.2, 1.0), speed * uniform(&seed, -1.0, 1.0),
                            100.0 * speed * uniform(&seed, 0.2, 1.0)};
        const br_step_trial at = br_step_trial_eval(&f.contact, 1, u, h, f.work);
        double largest = 0.0, error = 0.0;
        for (int j = 0; j < 3; j++) {
            const double d = 1e-6 * speed * (j < 2 ? 1.0 : 100.0), unit = j < 2 ? 1.0 : 0.01;
            br_twist up = u, down = u;
            *(j == 0 ? &up.vx : j == 1 ? &up.vy : &up.w) += d;
            *(j == 0 ? &down.vx : j == 1 ? &down.vy : &down.w) -= d;
            const br_wrench a = br_step_trial_eval(&f.contact, 1, up, h, f.work).f;
            const br_wrench b = br_step_trial_eval(&f.contact, 1, down, h, f.work).f;
            const double df[3] = {a.fx - b.fx, a.fy - b.fy, a.tau - b.tau};
            for (int k = 0; k < 3; k++) {
                const double size = k < 2 ? 1.0 : 100.0; // torque as force at 10 mm
                const double slope = -df[k] / (2.0 * d);
                largest = fmax(largest, fabs(at.tangent[k][j]) * size / unit * 0.01);
                error = fmax(error, fabs(at.tangent[k][j] - slope) * size / unit * 0.01);
            }
        }
        worst = fmax(worst, error / largest);
        fixture_free(&f);
    }
    assert_true(worst < 1e-7); // what central differences leave
}

// Largest difference of two 3x3 matrices over the largest entry, torques and spins scaled by 10 mm
static double difference(const double a[3][3], const double b[3][3])
{
    const double unit[3] = {1.0, 1.0, 100.0};
    double most = 0.0, size = 0.0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            most = fmax(most, fabs(a[i][j] - b[i][j]) * unit[i] * unit[j]);
            size = fmax(size, fabs(b[i][j]) * unit[i] * unit[j]);
        }
    }
    return most / size;
}

/* Oracle: one lane at a time. Forces, tangents and secants agree on every patch, law, regime. */
static void fast_and_plain_agree(void** state)
{
    (void)state;
    uint64_t seed = 15;
    for (int i = 0; i < 400; i++) {
        br_law law = law_of(i % 4 > 0);
        law.s_ba = i % 4 == 1 ? 0.0 : i % 4 == 2 ? 0.9 : uniform(&seed, 0.0, 0.98);
        fixture f, g;
        fixture_init(&f, CELLS, law);
        br_contact_def def = disc_def(CELLS, law);
        def.plain = 1;
        g = f;
        assert_status(br_contact_create(&def, &g.made, NULL), BR_OK);
        fixture_shake(&f, &seed, pow(10.0, uniform(&seed, -8.0, -5.5)));
        g.contact.contact = g.made;
        f.contact.z = g.contact.z = f.z;
        f.contact.fn = g.contact.fn = 2.0;
        const double h = pow(10.0, uniform(&seed, -6.0, -1.0));
        const double speed = i % 10 ? pow(10.0, uniform(&seed, -8.0, 1.0)) : 0.0;
        const br_twist u = {speed * uniform(&seed, -1.0, 1.0), speed * uniform(&seed, -1.0, 1.0),
                            i % 3 ? 100.0 * speed * uniform(&seed, -1.0, 1.0) : 0.0};
        const br_step_trial a = br_step_trial_eval(&f.contact, 1, u, h, f.work);
        const br_step_trial b = br_step_trial_eval(&g.contact, 1, u, h, g.work);

        // rounding; slopes lose digits at the ends of the band, where alpha is flat
        const double size = 2.0 * (1.2 + 800.0 * speed + 1e6 * 1e-5); // [N]
        assert_near(a.f.fx, b.f.fx, 1e-12 * size);
        assert_near(a.f.fy, b.f.fy, 1e-12 * size);
        assert_near(a.f.tau, b.f.tau, 1e-14 * size);
        assert_true(difference(a.tangent, b.tangent) < 1e-8);
        assert_true(difference(a.secant, b.secant) < 1e-9);
        fixture_free(&g);
        fixture_free(&f);
    }
}

/* Oracle: physics. Under a load below the static limit the body settles and then stays. */
static void a_held_body_does_not_creep(void** state)
{
    (void)state;
    uint64_t seed = 6;
    for (int i = 0; i < 40; i++) {
        fixture f;
        fixture_init(&f, i % MODELS, law_of(1));
        f.contact.fn = 2.0;
        const double part = uniform(&seed, 0.3, 0.8), angle = uniform(&seed, -3.0, 3.0);
        const br_wrench load = {part * 2.0 * cos(angle), part * 2.0 * sin(angle), 0.0};
        const int order = 1 + i / MODELS % 2;
        const br_step_body body = body_of(0.2, 0.05, order);
        br_twist v = {0.0, 0.0, 0.0};
        travel(&f, &body, &v, load, 0.5, 500);
        const br_pose crept = travel(&f, &body, &v, load, 0.5, (int)pow(10.0, 1 + i % 3));
        // reduced contacts end exactly at rest; cells settle on, ever more slowly
        const double most = f.which >= TABLE ? 1e-16 : 1e-9; // [m]
        assert_true(hypot(crept.x, crept.y) <= most);
        fixture_free(&f);
    }
}

/* Oracle: a change of axes. Everything turned by an angle turns the answer. */
static void everything_turns_with_the_axes(void** state)
{
    (void)state;
    for (int i = 0; i < 2 * MODELS; i++) {
        fixture f, g;
        fixture_init(&f, i % MODELS, law_of(1));
        fixture_init(&g, i % MODELS, law_of(1));
        const double turn = 0.7;
        const br_step_body body = body_of(0.2, 0.02, 1 + i / MODELS);
        f.contact.fn = g.contact.fn = 1.5;
        f.contact.arm = (br_vec2){0.003, 0.01};
        g.contact.arm = br_vec2_rotate(f.contact.arm, turn);
        f.contact.angle = 0.2;
        g.contact.angle = 0.2 + turn;
        const br_vec2 push = br_vec2_rotate((br_vec2){0.5, -1.9}, turn);
        const br_vec2 speed = br_vec2_rotate((br_vec2){sliding.vx, sliding.vy}, turn);
        br_twist v = sliding, u = {speed.x, speed.y, sliding.w};
        for (int k = 0; k < 50; k++) {
            const double h = k % 2 ? 1e-3 : 1e-4;
            br_step_coupled(&body, &v, (br_wrench){0.5, -1.9, 0.003}, h, &f.contact, 1, f.work);
            br_step_coupled(&body, &u, (br_wrench){push.x, push.y, 0.003}, h, &g.contact, 1,
                            g.work);
        }
        const br_vec2 turned = br_vec2_rotate((br_vec2){v.vx, v.vy}, turn);
        assert_near(u.vx, turned.x, 1e-9 * 0.02 /* rounding, grown over 50 steps */);
        assert_near(u.vy, turned.y, 1e-9 * 0.02);
        assert_near(u.w, v.w, 1e-9 * 3.0);
        assert_near(g.contact.f.fx, f.contact.f.fx, 1e-8 * 1.5);
        assert_near(g.contact.f.tau, f.contact.f.tau, 1e-10 * 1.5);
        fixture_free(&f);
        fixture_free(&g);
    }
}

/* Oracle: a change of the point where the twist is taken, which makes a full mass matrix. */
static void the_point_of_the_twist_does_not_matter(void** state)
{
    (void)state;
    for (int which = 0; which < MODELS; which++) {
        fixture f, g;
        fixture_init(&f, which, law_of(1));
        fixture_init(&g, which, law_of(1));
        f.contact.fn = g.contact.fn = 1.5;
        f.contact.arm = (br_vec2){0.003, 0.01};

        // about the CoP: M = J^-T M J^-1
        const br_step_body body = body_of(0.2, 0.02, 1);
        br_step_body moved = body;
        const double m = 0.2, x = -f.contact.arm.x, y = -f.contact.arm.y;
        moved.mass[0][2] = moved.mass[2][0] = -m * y;
        moved.mass[1][2] = moved.mass[2][1] = m * x;
        moved.mass[2][2] += m * (x * x + y * y);
        br_twist v = sliding, u = {v.vx + v.w * y, v.vy - v.w * x, v.w};
        const br_wrench load = {0.5, -1.9, 0.003};
        const br_wrench there = {0.5, -1.9, 0.003 + x * load.fy - y * load.fx};
        br_step_coupled(&body, &v, load, 1e-3, &f.contact, 1, f.work);
        br_step_coupled(&moved, &u, there, 1e-3, &g.contact, 1, g.work);
        assert_near(u.vx, v.vx + v.w * y, 1e-9 * 0.02 /* what Newton leaves */);
        assert_near(u.vy, v.vy - v.w * x, 1e-9 * 0.02);
        assert_near(u.w, v.w, 1e-9 * 3.0);
        fixture_free(&f);
        fixture_free(&g);
    }
}

/* Oracle: definition. No normal force: no friction, bristles forgotten; contact again: no kick. */
static void a_lifted_contact_forgets(void** state)
{
    (void)state;
    uint64_t seed = 8;
    for (int i = 0; i < 2 * MODELS; i++) {
        fixture f;
        fixture_init(&f, i % MODELS, law_of(1));
        fixture_shake(&f, &seed, 1e-6);
        const br_step_body body = body_of(0.2, 0.02, 1 + i / MODELS);
        br_twist v = sliding;
        f.contact.fn = 0.0;
        br_step_result r =
            br_step_coupled(&body, &v, (br_wrench){0.4, 0.0, 0.0}, 1e-3, &f.contact, 1, f.work);
        assert_near(v.vx, sliding.vx + 0.4 * 1e-3 / 0.2, 1e-16 /* m a = f */);
        assert_near(v.vy, sliding.vy, 1e-16);
        assert_near(f.contact.f.fx, 0.0, 0.0);
        assert_near(fixture_stored(&f), 0.0, 0.0);
        for (size_t k = 0; k < f.states; k++) {
            assert_near(f.z[k], 0.0, 0.0);
        }
        f.contact.fn = 2.0;
        r = br_step_coupled(&body, &v, (br_wrench){0.0, 0.0, 0.0}, 1e-3, &f.contact, 1, f.work);
        assert_near(r.energy.stored_before, 0.0, 0.0);
        assert_true(r.energy.kinetic_after + r.energy.stored_after < r.energy.kinetic_before);
        fixture_free(&f);
    }
}

// Least heat of a body on the table's reduced contact that is pushed back and forth; its ledgers add up.
static double least_heat(int guard)
{
    br_contact_def def = disc_def(TABLE, law_of(1));
    def.guard = guard;
    br_contact* m = NULL;
    assert_status(br_contact_create(&def, &m, NULL), BR_OK);
    double z[3] = {0.0, 0.0, 0.0}, work[64], least = 0.0;
    br_step_contact c = {.contact = m, .z = z, .fn = 1.0, .count = 1};
    assert_true(br_step_get_work(&c, 1) <= sizeof work / sizeof *work);
    const br_step_body body = body_of(0.2, 0.02, 1);
    br_twist v = {0.0, 0.0, 0.0};
    for (int i = 0; i < 2000; i++) {
        const br_wrench load = {0.7 * sin(0.02 * i), 0.5 * sin(0.03 * i), 4e-3 * cos(0.017 * i)};
        const br_step_ledger e = br_step_coupled(&body, &v, load, 1e-4, &c, 1, work).energy;
        assert_near(ledger_gap(&e), 0.0, 1e-12 * (ledger_size(&e) + 1e-8 /* of the load */));
        least = fmin(least, e.dissipated);
    }
    br_contact_destroy(m);
    return least;
}

/* Oracle: definition. Only the guard keeps the published reduced method from giving energy away. */
static void the_guard_is_off_by_request(void** state)
{
    (void)state;
    assert_true(least_heat(1) >= -1e-20);
    assert_true(least_heat(0) < -1e-10); // [J], of 2e-7 stored
}

/* Oracle: the one-dimensional law. A body on a single point, pushed along a line. */
static void one_cell_is_the_law(void** state)
{
    (void)state;
    const br_support_point one = {0.0, 0.0, 1.0};
    br_patch_def shape = br_patch_def_default();
    shape.shape = BR_SHAPE_POINTS;
    shape.count = 1;
    shape.points = &one;
    br_patch* patch = NULL;
    assert_status(br_patch_create(&shape, &patch, NULL), BR_OK);
    br_contact_def def = br_contact_def_default();
    def.method = BR_METHOD_DISTRIBUTED;
    def.patch = patch;
    br_contact* m = NULL;
    assert_status(br_contact_create(&def, &m, NULL), BR_OK);
    double z[16] = {0.0}, work[128], line = 0.0;
    br_step_contact c = {.contact = m, .z = z, .fn = 2.0, .count = 1};
    assert_true(br_step_get_work(&c, 1) <= sizeof work / sizeof *work);
    const br_step_body body = body_of(0.5, 0.1, 1);
    br_twist v = {0.0, 0.0, 0.0};
    for (int i = 0; i < 200; i++) {
        const double before = v.vx, h = 1e-4;
        const br_wrench load = {0.05 * i, 0.0, 0.0};
        br_step_coupled(&body, &v, load, h, &c, 1, work);
        const double resistance = br_law_step(&def.law, &line, v.vx, 2.0, h);
        assert_near(z[0], line, 1e-7 * 1.2e-6 /* Newton's tolerance */);
        assert_near(0.5 * (v.vx - before), h * (load.fx - resistance), 1e-6 * h);
        assert_near(v.vy, 0.0, 0.0);
    }
    assert_true(v.vx > 1e-3); // it did break away
    br_contact_destroy(m);
    br_patch_destroy(patch);
}

/* Oracle: two definitions of the same. A contact that counts twice is two contacts. */
static void a_contact_that_counts_twice_is_two(void** state)
{
    (void)state;
    for (int which = 0; which < MODELS; which++) {
        fixture f, a, b;
        fixture_init(&f, which, law_of(1));
        fixture_init(&a, which, law_of(1));
        fixture_init(&b, which, law_of(1));
        static double work[2 * MOST_WORK];
        f.contact.count = 2;
        f.contact.fn = a.contact.fn = b.contact.fn = 1.0;
        f.contact.arm = a.contact.arm = b.contact.arm = (br_vec2){0.01, 0.0};
        const br_step_body body = body_of(0.2, 0.02, 2);
        br_twist v = sliding, u = sliding;
        br_step_contact both[2] = {a.contact, b.contact};
        for (int k = 0; k < 20; k++) {
            br_step_coupled(&body, &v, (br_wrench){0.0, -1.0, 0.0}, 1e-3, &f.contact, 1, f.work);
            br_step_coupled(&body, &u, (br_wrench){0.0, -1.0, 0.0}, 1e-3, both, 2, work);
        }
        assert_near(u.vx, v.vx, 1e-10 * 0.02 /* rounding, grown over 20 steps */);
        assert_near(u.w, v.w, 1e-10 * 3.0);
        fixture_free(&f);
        fixture_free(&a);
        fixture_free(&b);
    }
}

/* Oracle: STYLE. A step takes no memory; NaN in gives NaN out and comes back. */
static void steps_take_no_memory_and_pass_nan_on(void** state)
{
    (void)state;
    for (int which = 0; which < MODELS; which++) {
        fixture f;
        fixture_init(&f, which, law_of(1));
        f.contact.fn = 1.0;
        counting count = {0};
        br_set_allocator(counting_allocate, counting_release, &count);
        const br_step_body body = body_of(0.2, 0.02, 2);
        br_twist v = sliding;
        br_step_coupled(&body, &v, (br_wrench){1.0, 0.0, 0.0}, 1e-3, &f.contact, 1, f.work);
        br_set_allocator(NULL, NULL, NULL);
        assert_int_equal(count.calls, 0);
        v.vx = (double)NAN;
        br_step_coupled(&body, &v, (br_wrench){1.0, 0.0, 0.0}, 1e-3, &f.contact, 1, f.work);
        assert_true(isnan(v.vx));
        fixture_free(&f);
    }
}

static double log_uniform(uint64_t* seed, double low, double high)
{
    return exp(uniform(seed, log(low), log(high)));
}

/* Oracle: invariant. Whatever is finite stays so, however extreme. */
static void finite_stays_finite(void** state)
{
    (void)state;
    uint64_t seed = 22;
    for (int i = 0; i < 800; i++) {
        fixture f;
        fixture_init(&f, i % MODELS, law_of(i / MODELS % 2));
        fixture_shake(&f, &seed, log_uniform(&seed, 1e-200, 1e3));
        f.contact.fn = log_uniform(&seed, 1e-200, 1e12);
        f.contact.arm.x = log_uniform(&seed, 1e-6, 1e3);
        const br_step_body body = body_of(log_uniform(&seed, 1e-9, 1e9),
                                          log_uniform(&seed, 1e-6, 1e3), 1 + i / (2 * MODELS) % 2);
        const double speed = i % 5 ? log_uniform(&seed, 1e-310, 1e60) : 0.0;
        br_twist v = {i % 7 ? speed : 0.0, -0.3 * speed, speed * log_uniform(&seed, 1e-3, 1e3)};
        const br_wrench load = {log_uniform(&seed, 1e-200, 1e12), 0.0, 0.0};
        const double h = log_uniform(&seed, 1e-12, 1e6);
        for (int k = 0; k < 2; k++) {
            const br_step_result r = br_step_coupled(&body, &v, load, h, &f.contact, 1, f.work);
            assert_true(isfinite(v.vx) && isfinite(v.vy) && isfinite(v.w));
            assert_true(isfinite(f.contact.f.fx) && isfinite(f.contact.f.tau));
            assert_true(isfinite(r.energy.dissipated) && isfinite(r.energy.numerical));
        }
        for (size_t k = 0; k < f.states; k++) {
            assert_true(isfinite(f.z[k]));
        }
        fixture_free(&f);
    }
}

/* Oracle: definition. A body without contacts is m a = f. */
static void a_body_without_contacts_is_free(void** state)
{
    (void)state;
    const br_step_body body = body_of(0.2, 0.02, 2);
    br_twist v = sliding;
    const br_step_result r =
        br_step_coupled(&body, &v, (br_wrench){0.0, -0.2 * 9.81, 0.0}, 0.1, NULL, 0, NULL);
    assert_near(v.vy, sliding.vy - 0.981, 1e-15 /* rounding */);
    assert_near(r.mean.vy, sliding.vy - 0.5 * 0.981, 1e-15);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ledger_adds_up),
        cmocka_unit_test(the_mean_wrench_explains_the_change_of_momentum),
        cmocka_unit_test(a_very_heavy_body_is_a_held_twist),
        cmocka_unit_test(steps_converge_with_their_order),
        cmocka_unit_test(the_tangent_is_the_difference),
        cmocka_unit_test(fast_and_plain_agree),
        cmocka_unit_test(a_held_body_does_not_creep),
        cmocka_unit_test(everything_turns_with_the_axes),
        cmocka_unit_test(the_point_of_the_twist_does_not_matter),
        cmocka_unit_test(a_lifted_contact_forgets),
        cmocka_unit_test(the_guard_is_off_by_request),
        cmocka_unit_test(one_cell_is_the_law),
        cmocka_unit_test(a_contact_that_counts_twice_is_two),
        cmocka_unit_test(steps_take_no_memory_and_pass_nan_on),
        cmocka_unit_test(finite_stays_finite),
        cmocka_unit_test(a_body_without_contacts_is_free),
    };
    return run_disc_group(argc, argv, tests);
}
