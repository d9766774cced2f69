/*
 * Where the bristles of a body are when its run starts, or when a contact of it closes.
 */
#include "bodies.h"

#include <stdlib.h>

static record kept;

static br_law rubber(br_law_kind kind)
{
    br_law law = br_law_default(kind);
    law.mu_c = 0.4, law.mu_s = 0.5, law.sigma0 = 1e5, law.sigma1 = 100.0;
    return law;
}

// A disc that is placed off the origin, at an angle, by each method.
typedef struct models {
    br_patch* patch;
    br_limit* surface;
    br_contact* cells;
    br_contact* blocks;
    br_contact* reduced;
    br_body_contact contact[3]; // one with each
} models;

static void make_models(models* m, br_law law, br_vec2 centre)
{
    m->patch = disc_at(centre, 0.3);
    m->surface = surface_of(m->patch, BR_LIMIT_SMOOTH);
    m->cells = cells_on(m->patch, law, 11);
    m->blocks = blocks_on(m->patch, law, 5);
    m->reduced = reduced_with(m->surface, law);
    for (int i = 0; i < 3; i++) {
        m->contact[i] = (br_body_contact){.frame = BR_FRAME_BODY, .count = 1, .weight = 1.0};
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

static double largest(size_t n, const double* x)
{
    double most = 0.0;
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

/* Oracle: definition. At the steady state no bristle moves, and the wrench is the steady one. */
static void nothing_moves_at_the_steady_state(void** state)
{
    (void)state;
    static const br_twist twist[] = {
        {0.2, -0.1, 0.0}, {0.0, 0.0, 3.0}, {1e-3, 2e-3, -0.5}, {-1e-7, 0.0, 1e-6}};
    for (int kind = BR_LAW_LUGRE; kind <= BR_LAW_ELASTO_PLASTIC; kind++) {
        models m;
        make_models(&m, rubber((br_law_kind)kind), (br_vec2){0.01, -0.02});
        const size_t n = br_contact_get_state_count(m.cells);
        const size_t b = br_contact_get_state_count(m.blocks);
        double* z = malloc(2 * (n + b) * sizeof *z);
        double* dz = z + n + b;
        for (size_t i = 0; i < sizeof twist / sizeof *twist; i++) {
            const br_twist v = twist[i];
            const double small = 1e-12 * (hypot(v.vx, v.vy) + 0.01 * fabs(v.w)); // rounding
            const br_wrench steady = br_contact_steady_eval(m.cells, v, 2.0, z);
            const br_wrench f = br_contact_eval(m.cells, z, v, 2.0, dz);
            assert_near(largest(n, dz), 0.0, small);
            assert_near(hypot(f.fx - steady.fx, f.fy - steady.fy), 0.0, 1e-12);
            assert_near(f.tau, steady.tau, 1e-14);

            br_contact_steady_eval(m.blocks, v, 2.0, z);
            br_contact_eval(m.blocks, z, v, 2.0, dz);
            assert_near(largest(b, dz), 0.0, small);

            br_contact_steady_eval(m.reduced, v, 2.0, z);
            br_contact_eval(m.reduced, z, v, 2.0, dz);
            assert_near(largest(3, dz), 0.0, 1e-9 * (hypot(v.vx, v.vy) + 0.01 * fabs(v.w)));
        }
        free(z);
        free_models(&m);
    }
}

/* Oracle: closed form. A box that slides in its bristles' steady state meets mu fn at once and stops after
 * v^2/(2 mu g). Relaxed ones give sigma1 v fn first, some 250 times that. */
static void a_moving_body_starts_in_steady_state(void** state)
{
    (void)state;
    models m;
    br_law law = rubber(BR_LAW_ELASTO_PLASTIC);
    law.mu_s = law.mu_c, law.sigma2 = 0.0;
    make_models(&m, law, (br_vec2){0.0, 0.0});
    const double reach = 1.0 / (2.0 * law.mu_c * standard_gravity);
    for (int i = 0; i < 3; i++) {
        br_body body = box_with(&m.contact[i], 1);
        body.velocity.vx = 1.0;
        const double limit = law.mu_c * body.mass * standard_gravity;
        const br_run_def def = run_for(0.5, 51);
        run_body(&body, &def, &kept);
        assert_near(kept.row[0].f[0].fx, -limit,
                    1e-6 * limit /* that of the reduced model's table of the surface */);
        assert_near(kept.row[50].pose.x, reach, 5.0 * law.mu_c / law.sigma0 /* bristles deflect */);
        assert_near(kept.row[50].energy.residual, 0.0, 1e-5 /* J of 0.1 J, tolerance */);
        assert_true(kept.row[0].energy.stored > 0.0);

        body.start = BR_START_RELAXED;
        run_body(&body, &def, &kept);
        const double spike = law.sigma1 * body.mass * standard_gravity;
        assert_near(kept.row[0].f[0].fx, -spike, 1e-6 * spike /* as above */);
        assert_near(kept.row[0].energy.stored, 0.0, 0.0);
    }
    free_models(&m);
}

/* Oracle: statics. A body at rest on bristles that hold it stays where it is, with the load as friction; also
 * where a part of the bristles has slipped, as under a torque near the limit. */
static void a_body_at_rest_is_held(void** state)
{
    (void)state;
    models m;
    make_models(&m, rubber(BR_LAW_ELASTO_PLASTIC), (br_vec2){0.002, 0.003});
    for (int i = 0; i < 3; i++) {
        for (int fixed = 0; fixed < 2; fixed++) {
            const double most = 0.5 * 0.2 * standard_gravity; // mu_s fn
            br_body_load push = {.fx = br_profile_constant(0.3 * most),
                                 .fy = br_profile_constant(-0.2 * most),
                                 .tau = br_profile_constant(0.8 * most * 0.01 / 1.5),
                                 .frame = BR_FRAME_BODY};
            br_body body = box_with(&m.contact[i], 1);
            body.loads = &push, body.load_count = 1;
            body.pose = (br_pose){0.3, -0.2, 1.1};
            br_run_def def = run_for(0.2, 21);
            set_step(&def, fixed ? 1e-3 : 0.0);
            run_body(&body, &def, &kept);
            for (size_t k = 0; k < kept.rows; k++) {
                assert_near(distance(kept.row[k].pose, body.pose), 0.0, 1e-12 /* m */);
                assert_near(kept.row[k].pose.theta, body.pose.theta, 1e-10 /* rad */);
            }
            const br_vec2 f = br_vec2_rotate((br_vec2){kept.row[20].f[0].fx, kept.row[20].f[0].fy},
                                             body.pose.theta);
            assert_near(f.x, -0.3 * most, 1e-8 * most);
            assert_near(f.y, 0.2 * most, 1e-8 * most);
            assert_near(kept.row[20].energy.residual, 0.0, 1e-15);
        }
    }
    free_models(&m);
}

/* Oracle: statics. Two fingers and a table share the load; what cannot be held starts with mu_s fn against
 * it, and slides. */
static void several_contacts_share_or_yield(void** state)
{
    (void)state;
    models m, finger;
    make_models(&m, rubber(BR_LAW_LUGRE), (br_vec2){0.0, 0.0});
    make_models(&finger, rubber(BR_LAW_LUGRE), (br_vec2){0.03, 0.01});
    br_body_contact contact[2] = {m.contact[0], finger.contact[1]};
    contact[1].frame = BR_FRAME_WORLD;
    contact[1].weight = 0.0;
    contact[1].count = 2;
    contact[1].normal_force = br_profile_constant(1.0);
    br_body body = box_with(contact, 2);
    body.gravity = (br_vec2){3.0, -4.0}; // 1 N; held are up to 0.8 N and 1 N
    const br_run_def def = run_for(0.1, 11);
    run_body(&body, &def, &kept);
    assert_near(distance(kept.row[10].pose, body.pose), 0.0, 1e-11 /* m */);
    const br_wrench table = kept.row[0].f[0], tips = kept.row[0].f[1];
    assert_near(table.fx + 2.0 * tips.fx, -0.6, 1e-9);
    assert_near(table.fy + 2.0 * tips.fy, 0.8, 1e-9);
    assert_near(table.tau + 2.0 * tips.tau, 0.0, 1e-11);
    assert_true(hypot(tips.fx, tips.fy) > 0.1 && hypot(table.fx, table.fy) > 0.1);

    body.contact_count = 1; // 1 N is more than the table holds
    run_body(&body, &def, &kept);
    const double most = 0.5 * 0.2 * br_body_normal_gravity(body.gravity); // mu_s fn
    assert_near(kept.row[0].f[0].fx, -0.6 * most, 1e-9 * most /* rounding */);
    assert_near(kept.row[0].f[0].fy, 0.8 * most, 1e-9 * most /* rounding */);
    assert_near_relative(kept.row[0].energy.stored, 0.5 * most * 0.5 / 1e5, 1e-9 /* rounding */);
    assert_true(distance(kept.row[10].pose, body.pose) > 1e-4);
    free_models(&m);
    free_models(&finger);
}

// Friction 0.8 without Stribeck's rise and viscosity, as what follows from mu alone.
static br_law dry(br_law_kind kind)
{
    br_law law = br_law_default(kind);
    law.mu_c = law.mu_s = 0.8, law.sigma0 = 1e5, law.sigma1 = 100.0, law.sigma2 = 0.0;
    return law;
}

// A box of 0.2 kg between two fingers that press with 1.2 N each, its CoM aside of them.
static br_body held_box(models* m, int model, double aside)
{
    m->contact[model].frame = BR_FRAME_WORLD;
    m->contact[model].weight = 0.0;
    m->contact[model].count = 2;
    m->contact[model].normal_force = br_profile_constant(1.2);
    br_body body = box_with(&m->contact[model], 1);
    body.inertia = 4e-4;
    body.pose.x = aside;
    body.gravity.y = -standard_gravity;
    return body;
}

/* Oracle: closed form. Friction is 2 mu fn from the start, so that the box falls (g - 2 mu fn/m) t^2/2 =
 * 26.25 mm in 0.5 s. From relaxed bristles it fell 24.7 mm. */
static void a_box_that_friction_cannot_hold_falls_at_once(void** state)
{
    (void)state;
    const double fall = 0.5 * (standard_gravity - 2.0 * 0.8 * 1.2 / 0.2) * 0.5 * 0.5;
    for (int kind = BR_LAW_LUGRE; kind <= BR_LAW_ELASTO_PLASTIC; kind++) {
        models m;
        make_models(&m, dry((br_law_kind)kind), (br_vec2){0.0, 0.0});
        for (int i = 0; i < 9; i++) {
            const br_body body = held_box(&m, i / 3, 0.0);
            br_run_def def = run_for(0.5, 11);
            set_step(&def, i % 3 == 0 ? 0.0 : i % 3 == 1 ? 1e-3 : 5e-3);
            run_body(&body, &def, &kept);
            // an Euler step of order 1 is late by half of it: a h t/2
            const double late = i % 3 == 2 ? 0.5 * 5e-3 * 0.21 * 0.5 : 0.0;
            assert_near(kept.row[10].pose.y, -fall, 1e-6 + 1.01 * late /* m: tolerance */);
            assert_near_relative(kept.row[0].energy.stored, 2.0 * 1.2 * 0.5 * 0.8 * 0.8 / 1e5,
                                 1e-6 /* of the table of a surface */);
            assert_near(kept.row[10].energy.residual, 0.0, 1e-6 /* J of 50 mJ */);
            assert_int_equal(kept.row[0].state[0], BR_STATE_STICK); // it has no speed yet
        }
        free_models(&m);
    }
}

/* Oracle: the principle of maximum dissipation. The friction of the first row is that of sliding along the
 * acceleration that it leaves the body: here a fall and a turn. */
static void friction_at_the_start_is_against_the_acceleration(void** state)
{
    (void)state;
    models m;
    const br_law law = dry(BR_LAW_LUGRE);
    make_models(&m, law, (br_vec2){0.0, 0.0});
    br_contact* const contacts[] = {m.cells, m.blocks, m.reduced};
    for (int i = 0; i < 3; i++) {
        const br_body body = held_box(&m, i, 0.004);
        const br_run_def def = run_for(1e-3, 2);
        run_body(&body, &def, &kept);
        const br_wrench f = kept.row[0].f[0]; // of one finger, at the origin
        const br_vec2 a = {2.0 * f.fx / body.mass, 2.0 * f.fy / body.mass - standard_gravity};
        const double turn = 2.0 * (f.tau + 0.004 * -f.fy) / body.inertia;
        const br_twist slide = {1e-9 * a.x, 1e-9 * (a.y - 0.004 * turn), 1e-9 * turn};
        double z[2048];
        assert_true(br_contact_get_state_count(contacts[i]) <= 2048);
        const br_wrench steady = br_contact_steady_eval(contacts[i], slide, 1.2, z);
        print_message("model %d: a %.6g m/s^2, %.6g rad/s^2; friction off by %.2g N, %.2g N m\n", i,
                      a.y, turn, hypot(f.fx - steady.fx, f.fy - steady.fy), f.tau - steady.tau);
        const double part = 1e-6; // surfaces are balanced to 1e-9 of the load, tables are as smooth
        assert_near(hypot(f.fx - steady.fx, f.fy - steady.fy), 0.0, part * 0.96 /* N */);
        assert_near(f.tau, steady.tau, part * 0.96 * 0.02 / 3.0 /* N m */);
        assert_true(turn < -1.0 && a.y < -0.1);
    }
    free_models(&m);
}

// Friction of a contact and the acceleration of its patch, both at t = 0, by the first row.
static void check_foot(const br_body* body, size_t i, double total)
{
    const br_body_contact* foot = &body->contacts[i];
    const br_vec2 cop = br_contact_get_patch_value(foot->contact).cop;
    br_wrench sum = {body->mass * body->gravity.x, body->mass * body->gravity.y, 0.0};
    for (size_t k = 0; k < body->contact_count; k++) {
        sum.fx += kept.row[0].f[k].fx, sum.fy += kept.row[0].f[k].fy,
            sum.tau += kept.row[0].f[k].tau;
    }
    const double turn = sum.tau / body->inertia;
    const br_twist a = {sum.fx / body->mass - turn * cop.y, sum.fy / body->mass + turn * cop.x,
                        turn};
    const double size = hypot(hypot(a.vx, a.vy), 0.007 * a.w);
    if (size < 1e-3) {
        return; // held, or the body turns about it
    }
    double z[512];
    assert_true(br_contact_get_state_count(foot->contact) <= 512);
    const br_twist slow = {1e-9 / size * a.vx, 1e-9 / size * a.vy, 1e-9 / size * a.w};
    const br_wrench f = kept.row[0].f[i];
    const br_wrench steady = br_contact_steady_eval(foot->contact, slow, kept.row[0].fn[i], z);
    assert_near(hypot(f.fx - steady.fx, f.fy - steady.fy), 0.0,
                1e-5 * total /* N: cells at the pivot */);
}

/* Oracle: the same, for 200 bodies on two feet whose gravity is 0.5 to 2 of what they hold, and aside. */
static void random_bodies_start_against_their_acceleration(void** state)
{
    (void)state;
    unsigned seed = 1;
    for (int n = 0; n < 200; n++) {
        br_patch* patch[2];
        br_contact* contact[2];
        br_body_contact feet[2];
        double x[6];
        for (int i = 0; i < 6; i++) {
            seed = seed * 1664525u + 1013904223u;
            x[i] = (double)(seed >> 8) / 16777216.0;
        }
        for (int i = 0; i < 2; i++) {
            patch[i] =
                disc_at((br_vec2){0.05 * (x[2 * i] - 0.5), 0.05 * (x[2 * i + 1] - 0.5)}, 0.0);
            const br_law law = dry(n % 2 ? BR_LAW_LUGRE : BR_LAW_ELASTO_PLASTIC);
            contact[i] = n % 3 == 0 ? blocks_on(patch[i], law, 3) : cells_on(patch[i], law, 7);
            feet[i] = (br_body_contact){.frame = BR_FRAME_BODY,
                                        .contact = contact[i],
                                        .count = 1,
                                        .normal_force = br_profile_constant(1.0 + i * x[4])};
        }
        br_body body = box_with(feet, 2);
        const double total = 0.8 * (2.0 + x[4]);
        body.gravity.x = (0.5 + 1.5 * x[5]) * total / body.mass;
        const br_run_def def = run_for(1e-3, 2);
        run_body(&body, &def, &kept);
        check_foot(&body, 0, total);
        check_foot(&body, 1, total);
        for (int i = 0; i < 2; i++) {
            br_contact_destroy(contact[i]);
            br_patch_destroy(patch[i]);
        }
    }
}

// A table that is at rest at t = 0 and accelerates with `a` along x: x = -a cos(w t)/w^2.
static void shake(br_body_contact* contact, double a)
{
    const double w = 2.0 * BR_PI;
    contact->motion[0] = (br_profile){
        .kind = BR_PROFILE_SINE, .amplitude = -a / (w * w), .frequency = 1.0, .phase = 0.5 * BR_PI};
}

/* Oracle: closed form. On a table that starts to accelerate with 2 m/s^2, friction is m a at once, and the
 * body follows it; with 12 m/s^2, more than mu g, friction is mu fn at once. */
static void friction_starts_as_the_table_accelerates(void** state)
{
    (void)state;
    const double a[] = {2.0, 12.0}, mu_g = 0.8 * standard_gravity, t = 0.02, w = 2.0 * BR_PI;
    models m;
    make_models(&m, dry(BR_LAW_LUGRE), (br_vec2){0.0, 0.0});
    for (int i = 0; i < 6; i++) {
        const double table = a[i % 2];
        shake(&m.contact[i / 2], table);
        br_body body = box_with(&m.contact[i / 2], 1);
        br_run_def def = run_for(t, 3);
        set_tolerance(&def, 1e-8);
        run_body(&body, &def, &kept);
        assert_near_relative(kept.row[0].f[0].fx, body.mass * fmin(table, mu_g),
                             1e-6 /* that of the reduced model's table of the surface */);
        const double follows = table / (w * w) * (1.0 - cos(w * t)), slides = 0.5 * mu_g * t * t;
        assert_near(kept.row[2].pose.x, i % 2 ? slides : follows,
                    2e-8 /* m of 0.4 mm: bristles deflect less with the acceleration */);
    }
    free_models(&m);
}

// Sliding without Stribeck's rise and viscosity, its bristles heavily damped.
static br_law coulomb_like(void)
{
    br_law law = rubber(BR_LAW_ELASTO_PLASTIC);
    law.mu_s = law.mu_c, law.sigma2 = 0.0, law.sigma1 = 1000.0;
    return law;
}

// 1 N on each contact from 0.1 s on: at once, or linearly up to 0.15 s.
static void press_late(models* m, int rises)
{
    static const double t[] = {0.0, 0.1, 0.15}, at_once[] = {0.0, 1.0, 1.0},
                        rising[] = {0.0, 0.0, 1.0};
    for (int i = 0; i < 3; i++) {
        m->contact[i].weight = 0.0;
        m->contact[i].normal_force =
            (br_profile){.kind = rises ? BR_PROFILE_TABLE : BR_PROFILE_STEPS,
                         .count = 3,
                         .t = t,
                         .value = rises ? rising : at_once};
    }
}

/* Oracle: closed form. A contact that starts to press while the body slides, at once or rising from 0, meets mu fn
 * from then on, in adaptive and in fixed steps, and the balance of energy has what its bristles hold. In the end
 * they draw the body back by mu/sigma0. From 0 they would take the impulse sigma1 fn mu/sigma0, 4 % of the momentum. */
static void a_contact_that_closes_starts_in_steady_state(void** state)
{
    (void)state;
    static const double steps[] = {0.0, 1e-3, 1e-4}; // 0: adaptive
    const br_law law = coulomb_like();
    const double a = law.mu_c / 0.1, back = law.mu_c / law.sigma0;
    models m;
    make_models(&m, law, (br_vec2){0.0, 0.0});
    for (int i = 0; i < 18; i++) {
        const int rises = i / 9;
        const double rise = rises ? 0.05 : 0.0, v = 1.0 - 0.5 * a * rise; // when all force is there
        const double travel = 0.1 + rise - a * rise * rise / 6.0 + 0.5 * v * v / a;
        press_late(&m, rises);
        br_body body = box_with(&m.contact[i % 3], 1);
        body.mass = 0.1;
        body.velocity.vx = 1.0;
        br_run_def def = run_for(0.5, 51);
        set_step(&def, steps[i / 3 % 3]);
        run_body(&body, &def, &kept);
        assert_near(kept.row[50].pose.x, travel - back,
                    1e-8 /* m, table of the reduced contact's surface */ +
                        (rises ? steps[i / 3 % 3] * 1e-3 /* the rise in steps */ : 0.0));
        assert_near(kept.row[50].energy.residual, 0.0, 1e-9 /* J of 0.05 J, tolerance */);
    }
    free_models(&m);
}

/* Oracle: closed form. Ground that moves at 1 m/s takes a body at rest along with mu fn from the moment it
 * touches; ground at rest leaves it alone, and so do bristles. With start: relaxed they start at 0 there, too. */
static void ground_that_closes_takes_the_body_along(void** state)
{
    (void)state;
    static const double t[] = {0.0, 1.0}, x[] = {0.0, 1.0};
    const br_law law = coulomb_like();
    const double a = law.mu_c / 0.1, ahead = law.mu_c / law.sigma0;
    models m;
    make_models(&m, law, (br_vec2){0.0, 0.0});
    press_late(&m, 0);
    const br_run_def def = run_for(0.5, 51);
    for (int i = 0; i < 3; i++) {
        br_body body = box_with(&m.contact[i], 1);
        body.mass = 0.1;
        run_body(&body, &def, &kept);
        assert_near(distance(kept.row[50].pose, body.pose), 0.0, 0.0);
        assert_near(kept.row[50].energy.stored, 0.0, 0.0);

        m.contact[i].motion[0] =
            (br_profile){.kind = BR_PROFILE_TABLE, .count = 2, .t = t, .value = x};
        run_body(&body, &def, &kept);
        assert_near(kept.row[50].pose.x, 0.4 - 0.5 / a + ahead, 1e-8 /* m, as above */);
        assert_near(kept.row[50].energy.residual, 0.0, 1e-7 /* J of 0.1 J; bristles hold 8e-7 J */);

        body.start = BR_START_RELAXED;
        run_body(&body, &def, &kept);
        const double impulse = law.sigma1 * law.mu_c / law.sigma0;
        assert_near(kept.row[11].velocity.vx - a * 0.01, impulse / body.mass,
                    0.01 * impulse / body.mass /* it comes within 20 us */);
    }
    free_models(&m);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_moves_at_the_steady_state),
        cmocka_unit_test(a_moving_body_starts_in_steady_state),
        cmocka_unit_test(a_contact_that_closes_starts_in_steady_state),
        cmocka_unit_test(ground_that_closes_takes_the_body_along),
        cmocka_unit_test(a_body_at_rest_is_held),
        cmocka_unit_test(several_contacts_share_or_yield),
        cmocka_unit_test(a_box_that_friction_cannot_hold_falls_at_once),
        cmocka_unit_test(friction_at_the_start_is_against_the_acceleration),
        cmocka_unit_test(random_bodies_start_against_their_acceleration),
        cmocka_unit_test(friction_starts_as_the_table_accelerates),
    };
    return run_group(argc, argv, tests);
}
