/*
 * The layer without any engine: invariants, and a tiny engine that has no solver of its own.
 */
#include "check.h"

#include "bristle/math.h"
#include "tiny_engine.h"

#include <math.h>
#include <string.h>

static const double slope = 15.0 * 3.14159265358979323846 / 180.0;

static void tilt(tiny_engine* e)
{
    e->gravity[0] = 9.81 * sin(slope);
    e->gravity[2] = -9.81 * cos(slope);
}

// Largest motion per second along the plane of all boxes, in the last `seconds`.
static double creep_of(tiny_engine* e, double h, double settle, double seconds)
{
    double from[TINY_BODIES][2], most = 0.0;
    for (double t = 0.0; t < settle; t += h) {
        tiny_step(e, h);
    }
    for (size_t i = 0; i < e->count; i++) {
        from[i][0] = e->bodies[i].x[0];
        from[i][1] = e->bodies[i].x[1];
    }
    for (double t = 0.0; t < seconds; t += h) {
        tiny_step(e, h);
    }
    for (size_t i = 0; i < e->count; i++) {
        most = fmax(most, hypot(e->bodies[i].x[0] - from[i][0], e->bodies[i].x[1] - from[i][1]));
    }
    return most / seconds;
}

/* Oracle: statics. mu = 0.5 > tan 15 degrees: nothing moves. The bound is a thousandth of what issue trackers call creep. */
static void rigid_stack_on_a_slope_does_not_creep(void** state)
{
    (void)state;
    const double steps[2] = {1.0 / 60.0, 1.0 / 240.0};
    for (int k = 0; k < 2; k++) {
        tiny_engine e;
        tiny_open(&e, NULL);
        tilt(&e);
        for (int i = 0; i < 3; i++) {
            tiny_add(&e, (tiny_box){{0.05, 0.05, 0.03}, 0.5, sqrt(0.5)}, 0.0, 0.0, 0.03 + 0.06 * i);
        }
        assert_near(creep_of(&e, steps[k], 1.0, 2.0), 0.0, 1e-9 /* m/s */);
        tiny_close(&e);
    }
}

static const tiny_box brick = {{0.05, 0.05, 0.03}, 0.5, 0.7};

/* Oracle: closed form. A box slides v^2/(2 mu g); Euler's steps take h v/2 off, the bristles' elasticity 0.1 mm. */
static void rigid_box_slides_as_far_as_coulomb_lets_it(void** state)
{
    (void)state;
    const double h = 1.0 / 240.0, v = 1.0, mu = 0.4;
    tiny_engine e;
    tiny_open(&e, NULL);
    tiny_add(&e, (tiny_box){{0.05, 0.05, 0.01}, 0.5, mu}, 0.0, 0.0, 0.01);
    e.bodies[0].v[0] = v;
    for (int i = 0; i < 240; i++) {
        tiny_step(&e, h);
    }
    assert_near(e.bodies[0].x[0], v * v / (2.0 * mu * 9.81) - 0.5 * h * v, 4e-4 /* m */);
    tiny_close(&e);
}

// Three bricks, pushed at random; in every tenth step one of them jumps.
static void push(tiny_engine* e, uint64_t* seed)
{
    for (size_t i = 0; i < e->count; i++) {
        for (int k = 0; k < 6; k++) {
            const double size = k < 2 ? 4.0 : k == 2 ? 1.0 : 0.05;
            e->force[i][k] = uniform(seed, -size, size) - (k < 2 ? 3.0 * e->bodies[i].x[k] : 0.0);
        }
    }
}

/* Oracle: the second law. Friction never gives more than its bristles hold: 1e5 steps, to rounding of some mJ. */
static void rigid_friction_gains_no_energy_in_random_pushes(void** state)
{
    (void)state;
    uint64_t seed = 1;
    tiny_engine e;
    tiny_open(&e, NULL);
    for (int i = 0; i < 3; i++) {
        tiny_add(&e, brick, 0.3 * i, 0.0, 0.03);
    }
    double gain = 0.0;
    for (int i = 0; i < 100000; i++) {
        if (i % 20 == 0) {
            push(&e, &seed);
        }
        tiny_step(&e, i % 2 ? 1.0 / 60.0 : 1.0 / 240.0);
        gain = fmax(gain, e.report.gain);
    }
    assert_true(isfinite(tiny_energy(&e)));
    assert_near(gain, 0.0, 1e-15 /* J */);
    tiny_close(&e);
}

// Two bodies in space, pressed together and sliding on each other, as a step's input.
typedef struct encounter {
    brg_body bodies[3]; // the third one touches nothing
    brg_point points[4];
} encounter;

static encounter two_bodies(void)
{
    encounter e = {.bodies = {{.inv_mass = {2, 2, 2},
                               .inv_inertia = {900, 0, 0, 0, 800, 0, 0, 0, 700},
                               .x = {0, 0, -0.03},
                               .R = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                               .v = {0.1, 0.2, 0.3},
                               .w = {0.1, -0.2, 3.0}},
                              {.inv_mass = {1, 1, 1},
                               .inv_inertia = {500, 20, 0, 20, 600, 0, 0, 0, 400},
                               .x = {0.01, 0, 0.03},
                               .R = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                               .v = {-0.3, 0.05, -0.1},
                               .w = {0.3, 0.1, -2.0}},
                              {.inv_mass = {1, 1, 1}, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}}}};
    for (int k = 0; k < 4; k++) {
        e.points[k] = (brg_point){.x = {k & 1 ? 0.04 : -0.03, k & 2 ? 0.05 : -0.05, 0.0},
                                  .n = {0, 0, 1},
                                  .gap = -1e-6,
                                  .mu = 0.4,
                                  .pair = 7,
                                  .a = 0,
                                  .b = 1};
    }
    return e;
}

static void solve(const encounter* e, brg_change* change)
{
    brg_world* world;
    assert_status(brg_create(NULL, &world, NULL), BR_OK);
    assert_status(brg_after(world, 1e-3, e->bodies, 3, e->points, 4, NULL, 0, change), BR_OK);
    assert_int_equal(brg_get_report(world).contacts, 1);
    brg_destroy(world);
}

// Solution of 3 equations by Cramer's rule.
static void solve_three(const double* m, const double* rhs, double* out)
{
    double det = 0.0;
    for (int i = 0; i < 3; i++) {
        out[i] = 0.0;
        const int p = (i + 1) % 3, q = (i + 2) % 3;
        det += m[i] * (m[3 + p] * m[6 + q] - m[3 + q] * m[6 + p]);
        for (int k = 0; k < 3; k++) {
            const int r = (k + 1) % 3, s = (k + 2) % 3;
            out[i] += rhs[k] * (m[3 * r + p] * m[3 * s + q] - m[3 * r + q] * m[3 * s + p]);
        }
    }
    for (int i = 0; i < 3; i++) {
        out[i] /= det;
    }
}

/* Oracle: Newton. Impulses on both bodies are opposite, and so are their moments about any point. */
static void rigid_changes_keep_momentum(void** state)
{
    (void)state;
    const encounter e = two_bodies();
    brg_change change[3];
    double sum[6] = {0};
    solve(&e, change);
    for (int i = 0; i < 2; i++) {
        const brg_body* b = &e.bodies[i];
        double p[3], l[3];
        solve_three(b->inv_inertia, change[i].dw, l);
        for (int k = 0; k < 3; k++) {
            p[k] = change[i].dv[k] / b->inv_mass[k];
            sum[k] += p[k];
        }
        for (int k = 0; k < 3; k++) {
            sum[3 + k] +=
                l[k] + b->x[(k + 1) % 3] * p[(k + 2) % 3] - b->x[(k + 2) % 3] * p[(k + 1) % 3];
        }
    }
    assert_true(fabs(change[1].dv[0]) > 1e-3);
    for (int k = 0; k < 6; k++) {
        assert_near(sum[k], 0.0, 1e-14 /* N s: rounding */);
    }
    assert_near(change[2].dv[0], 0.0, 0.0 /* it touches nothing */);
}

static void turn(const double* R, double* x)
{
    double y[3];
    for (int i = 0; i < 3; i++) {
        y[i] = R[3 * i] * x[0] + R[3 * i + 1] * x[1] + R[3 * i + 2] * x[2];
    }
    memcpy(x, y, sizeof y);
}

// M = R M R^T, or R M
static void turn_matrix(const double* R, double* M, int both)
{
    double out[9] = {0};
    for (int i = 0; i < 9; i++) {
        for (int k = 0; k < 9; k++) {
            const double right = both ? R[3 * (i % 3) + k % 3] : k % 3 == i % 3;
            out[i] += R[3 * (i / 3) + k / 3] * M[k] * right;
        }
    }
    memcpy(M, out, sizeof out);
}

/* Oracle: invariance. A scene that is turned as a whole has turned changes. */
static void rigid_changes_turn_with_the_scene(void** state)
{
    (void)state;
    const double R[9] = {2.0 / 3,  -1.0 / 3, 2.0 / 3, 2.0 / 3, 2.0 / 3,
                         -1.0 / 3, -1.0 / 3, 2.0 / 3, 2.0 / 3};
    encounter e = two_bodies(), turned = e;
    brg_change change[3], other[3];
    for (int i = 0; i < 3; i++) {
        brg_body* b = &turned.bodies[i];
        turn(R, b->x), turn(R, b->v), turn(R, b->w);
        turn_matrix(R, b->inv_inertia, 1);
        turn_matrix(R, b->R, 0);
    }
    for (int k = 0; k < 4; k++) {
        turn(R, turned.points[k].x), turn(R, turned.points[k].n);
    }
    solve(&e, change);
    solve(&turned, other);
    for (int i = 0; i < 3; i++) {
        turn(R, change[i].dv), turn(R, change[i].dw);
        for (int k = 0; k < 3; k++) {
            assert_near(other[i].dv[k], change[i].dv[k], 1e-9 /* m/s: Newton's tolerance */);
            assert_near(other[i].dw[k], change[i].dw[k], 1e-7 /* rad/s */);
        }
    }
}

/* Oracle: invariance. Bodies and points in another order have the same changes. */
static void rigid_changes_do_not_depend_on_the_order(void** state)
{
    (void)state;
    const encounter e = two_bodies();
    encounter other = e;
    brg_change change[3], swapped[3];
    for (int i = 0; i < 3; i++) {
        other.bodies[i] = e.bodies[2 - i];
    }
    for (int k = 0; k < 4; k++) {
        other.points[k] = e.points[3 - k];
        other.points[k].a = 2, other.points[k].b = 1;
    }
    solve(&e, change);
    solve(&other, swapped);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            assert_near(swapped[2 - i].dv[k], change[i].dv[k], 1e-9 /* m/s: Newton's tolerance */);
            assert_near(swapped[2 - i].dw[k], change[i].dw[k], 1e-7 /* rad/s */);
        }
    }
}

/* Oracle: statics and Newton. A row holds a box without friction on the slope; with a limit it pulls with that. */
static void rigid_rows_hold_up_to_their_limit(void** state)
{
    (void)state;
    const double h = 1.0 / 240.0, weight = 0.5 * 9.81 * sin(slope);
    for (int limited = 0; limited < 2; limited++) {
        tiny_engine e;
        tiny_open(&e, NULL);
        tilt(&e);
        tiny_add(&e, (tiny_box){{0.05, 0.05, 0.03}, 0.5, 0.0}, 0.0, 0.0, 0.03);
        const brg_joint slide = {.axes = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .a = -1, .b = 0, .locked = 1};
        for (int i = 0; i < 240; i++) {
            e.row_count = brg_joint_get_rows(&slide, e.bodies, e.rows);
            e.rows[0].target = 0.0;
            e.rows[0].lower = limited ? -0.5 * h * weight : -HUGE_VAL;
            tiny_step(&e, h);
        }
        assert_near(e.bodies[0].v[0], limited ? 0.5 * 9.81 * sin(slope) : 0.0,
                    1e-9 /* m/s after 1 s */);
        tiny_close(&e);
    }
}

/* Oracle: statics. The lower box of a hinged pair has no friction and hangs at the upper one. */
static void rigid_joint_carries_a_box_that_cannot_hold_itself(void** state)
{
    (void)state;
    const double h = 1.0 / 60.0;
    tiny_engine e;
    tiny_open(&e, NULL);
    tilt(&e);
    tiny_add(&e, brick, 0.0, 0.0, 0.03);
    tiny_add(&e, (tiny_box){{0.05, 0.05, 0.03}, 0.5, 0.0}, 0.12, 0.0, 0.03);
    const brg_joint weld = {
        .x = {0.06, 0, 0.03}, .axes = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .a = 0, .b = 1, .locked = 63};
    double from = 0.0;
    for (int i = 0; i < 300; i++) {
        e.row_count = brg_joint_get_rows(&weld, e.bodies, e.rows);
        for (size_t k = 0; k < e.row_count; k++) {
            e.rows[k].target = 0.0;
        }
        from = i == 60 ? e.bodies[1].x[0] : from;
        tiny_step(&e, h);
    }
    assert_near(e.bodies[1].x[0], from, 4e-9 /* m in 4 s */);
    tiny_close(&e);
}

/* Oracle: statics. While a body sleeps nothing changes; when it wakes, its bristles still hold it. */
static void rigid_sleeping_bodies_keep_their_bristles(void** state)
{
    (void)state;
    const double h = 1.0 / 60.0;
    tiny_engine e;
    tiny_open(&e, NULL);
    tilt(&e);
    tiny_add(&e, brick, 0.0, 0.0, 0.03);
    creep_of(&e, h, 1.0, h);
    const double x = e.bodies[0].x[0];
    brg_body asleep = e.bodies[0];
    asleep.asleep = 1;
    for (int i = 0; i < 10; i++) {
        brg_change change;
        assert_status(brg_after(e.friction, h, &asleep, 1, i < 5 ? e.points : NULL, i < 5 ? 4 : 0,
                                NULL, 0, &change),
                      BR_OK);
        assert_near(change.dv[0], 0.0, 0.0 /* left alone */);
        assert_int_equal(brg_get_report(e.friction).islands, 0);
    }
    creep_of(&e, h, 1.0, h);
    assert_near(e.bodies[0].x[0], x, 1e-9 /* m */);
    tiny_close(&e);
}

/* Oracle: definition. A point that bounces leaves with the velocity that the engine gave it, friction acts. */
static void rigid_restitution_is_the_engines(void** state)
{
    (void)state;
    encounter e = two_bodies();
    brg_change change[3];
    for (int k = 0; k < 4; k++) {
        e.points[k].bounces = 1;
        e.points[k].impulse = 0.02;
    }
    memset(e.bodies[0].w, 0, sizeof e.bodies[0].w);
    memset(e.bodies[1].w, 0, sizeof e.bodies[1].w);
    e.bodies[1].v[2] = e.bodies[0].v[2] + 0.5;
    solve(&e, change);
    const double after = e.bodies[1].v[2] + change[1].dv[2] - e.bodies[0].v[2] - change[0].dv[2] +
                         change[1].dw[1] * 0.0; // at the common CoP the faces do not turn
    assert_near(after, 0.5, 2e-2 /* m/s: the corners turn a little about the centres */);
    assert_true(change[1].dv[0] > 1e-3);
}

/* Oracle: the same island solved at once. A tower that is split into parts stands, and friction gains nothing. */
static void rigid_split_islands_hold(void** state)
{
    (void)state;
    brg_def def = brg_def_default();
    def.largest = 4;
    tiny_engine e;
    tiny_open(&e, &def);
    e.gravity[0] = 9.81 * sin(0.1);
    for (int i = 0; i < 10; i++) {
        tiny_add(&e, (tiny_box){{0.1, 0.1, 0.02}, 0.5, 0.7}, 0.0, 0.0, 0.02 + 0.04 * i);
    }
    assert_near(creep_of(&e, 1.0 / 240.0, 2.0, 1.0), 0.0, 1e-6 /* m/s */);
    assert_near(e.bodies[9].x[0], 0.0, 1e-3 /* m: 0.1 mm at once; parts give way at the start */);
    assert_int_equal(e.report.parts, 3);
    assert_near(e.report.gain, 0.0, 1e-15 /* J */);
    tiny_close(&e);
}

/* Oracle: statics. Nothing carries the pile in the first step but the sweeps over all of its normal rows. */
static void rigid_split_pyramids_do_not_fall_through(void** state)
{
    (void)state;
    enum { ROWS = 10 };
    brg_def def = brg_def_default();
    def.largest = 20;
    tiny_engine e;
    tiny_open(&e, &def);
    for (int r = 0; r < ROWS; r++) {
        for (int k = 0; k < ROWS - r; k++) {
            tiny_add(&e, (tiny_box){{0.05, 0.05, 0.03}, 0.5, 0.7}, 0.11 * (k + 0.5 * r), 0.0,
                     0.03 + 0.06 * r);
        }
    }
    assert_near(creep_of(&e, 1.0 / 60.0, 0.5, 0.5), 0.0, 1e-9 /* m/s; 40 sweeps lost the pile */);
    assert_int_equal(e.report.parts, 5);
    assert_int_equal(e.report.contacts, 100);
    assert_near(e.bodies[54].x[2], 0.03 + 0.06 * (ROWS - 1), 1e-8 /* m: softness of the rows */);
    tiny_close(&e);
}

/* Oracle: statics. Those who want no limit give the largest number there is. */
static void rigid_islands_may_have_no_limit(void** state)
{
    (void)state;
    brg_def def = brg_def_default();
    def.largest = def.keep = INT32_MAX;
    tiny_engine e;
    tiny_open(&e, &def);
    tilt(&e);
    tiny_add(&e, brick, 0.0, 0.0, 0.03);
    assert_near(creep_of(&e, 1.0 / 60.0, 1.0, 1.0), 0.0, 1e-9 /* m/s */);
    assert_int_equal(e.report.contacts, 1);
    tiny_close(&e);
}

/* Oracle: invariance. An engine that swaps the bodies of its pairs, and the order of its points, holds as well. */
static void rigid_pairs_may_be_reversed(void** state)
{
    (void)state;
    double x[2];
    for (int reversed = 0; reversed < 2; reversed++) {
        tiny_engine e;
        tiny_open(&e, NULL);
        tilt(&e);
        for (int i = 0; i < 3; i++) {
            tiny_add(&e, brick, 0.0, 0.0, 0.03 + 0.06 * i);
        }
        e.reverses = reversed;
        assert_near(creep_of(&e, 1.0 / 60.0, 1.0, 2.0), 0.0, 1e-9 /* m/s */);
        x[reversed] = e.bodies[2].x[0];
        tiny_close(&e);
    }
    assert_near(x[1], x[0], 1e-9 /* m: order of sums, with Newton's tolerance over 3 s */);
}

/* Oracle: statics. A step whose brg_before() had no bodies, or was not called, holds like the others. */
static void rigid_last_friction_is_removed_where_it_was_applied(void** state)
{
    (void)state;
    const double h = 1.0 / 60.0;
    for (int calls = 0; calls < 2; calls++) {
        tiny_engine e;
        tiny_open(&e, NULL);
        tilt(&e);
        tiny_add(&e, brick, 0.0, 0.0, 0.03);
        creep_of(&e, h, 1.0, h);
        brg_body b = e.bodies[0];
        brg_change change;
        if (calls) {
            assert_status(brg_before(e.friction, h, 0, NULL), BR_OK);
        }
        b.v[0] += h * e.gravity[0];
        b.v[2] += h * e.gravity[2];
        assert_status(brg_after(e.friction, h, &b, 1, e.points, 4, NULL, 0, &change), BR_OK);
        assert_near(b.v[0] + change.dv[0], 0.0, 1e-6 /* m/s: of 42 mm/s */);
        tiny_close(&e);
    }
}

/* Oracle: the second law. A patch may change between hull and disc, and a body may become kinematic, in any step. */
static void rigid_pairs_may_change_their_kind(void** state)
{
    (void)state;
    brg_world* world;
    assert_status(brg_create(NULL, &world, NULL), BR_OK);
    for (int i = 0; i < 32; i++) {
        encounter e = two_bodies();
        brg_change change[3];
        double impulse[18];
        for (int k = 0; k < 4; k++) {
            e.points[k].disc = 0.02 * (i % 3);
        }
        if (i % 5 == 4) {
            memset(e.bodies[1].inv_mass, 0, sizeof e.bodies[1].inv_mass);
            memset(e.bodies[1].inv_inertia, 0, sizeof e.bodies[1].inv_inertia);
        }
        assert_status(brg_before(world, 1e-3, 3, impulse), BR_OK);
        assert_status(brg_after(world, 1e-3, e.bodies, 3, e.points, 4, NULL, 0, change), BR_OK);
        assert_true(isfinite(change[0].dv[0]) && isfinite(change[1].dw[2]));
        assert_near(brg_get_report(world).gain, 0.0, 1e-15 /* J */);
    }
    brg_destroy(world);
}

// A puck of 0.5 kg on `count` points on a rim of 40 mm, spinning; those from `pressing` on are 0.15 mm above the ground.
static brg_contact spin_on(brg_world* world, int count, int pressing, brg_change* change)
{
    enum { MOST = 128 };
    const double h = 1.0 / 240.0, per_inertia = 1.0 / (0.5 * 0.5 * 0.04 * 0.04);
    const brg_body puck = {.inv_mass = {2, 2, 2},
                           .inv_inertia = {per_inertia, 0, 0, 0, per_inertia, 0, 0, 0, per_inertia},
                           .x = {0, 0, 0.01},
                           .R = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                           .v = {0, 0, -9.81 * h},
                           .w = {0, 0, 10}};
    brg_point points[MOST];
    brg_contact contact;
    assert_in_range(count, 3, MOST);
    for (int i = 0; i < count; i++) {
        const double angle = 2.0 * BR_PI * i / count;
        points[i] = (brg_point){.x = {0.04 * cos(angle), 0.04 * sin(angle), 0.0},
                                .n = {0, 0, 1},
                                .gap = i < pressing ? 0.0 : 1.5e-4,
                                .mu = 0.5,
                                .pair = 1,
                                .a = -1,
                                .b = 0};
    }
    assert_status(brg_after(world, h, &puck, 1, points, (size_t)count, NULL, 0, change), BR_OK);
    assert_int_equal(brg_get_contact(world, 1, &contact), 1);
    return contact;
}

/* Oracle: symmetry, and the ring of 32 points. Patches take the outermost points of any number; the CoP is that of all. */
static void rigid_pairs_may_have_many_points(void** state)
{
    (void)state;
    double torque[2];
    for (int i = 0; i < 2; i++) {
        brg_world* world;
        brg_change change;
        assert_status(brg_create(NULL, &world, NULL), BR_OK);
        const brg_contact c = spin_on(world, i ? 128 : 32, 128, &change);
        torque[i] = c.f[2];
        assert_near(c.f[0], 0.0, 1e-9 /* N */);
        assert_near(c.f[1], 0.0, 1e-9 /* N */);
        assert_near(c.fn, 0.5 * 9.81, 1e-2 /* N: the softness of normal rows */);
        brg_destroy(world);
    }
    assert_near_relative(torque[1], torque[0], 0.01 /* polygons of 32 corners */);
    brg_world* world;
    brg_change change;
    assert_status(brg_create(NULL, &world, NULL), BR_OK);
    spin_on(world, 40, 4, &change); // the first 4 carry it
    assert_true(change.dw[2] < -0.1);
    brg_destroy(world);
}

/* Oracle: counts. Memory is that of the pairs that touch, however many did before. */
static void rigid_memory_is_that_of_live_pairs(void** state)
{
    (void)state;
    counting count = {0};
    br_set_allocator(counting_allocate, counting_release, &count);
    brg_world* world;
    assert_status(brg_create(NULL, &world, NULL), BR_OK);
    size_t most = 0;
    for (uint64_t i = 0; i < 2000; i++) {
        encounter e = two_bodies();
        brg_change change[3];
        for (int k = 0; k < 4; k++) {
            e.points[k].pair = 1000 + i;
        }
        assert_status(brg_after(world, 1e-3, e.bodies, 3, e.points, 4, NULL, 0, change), BR_OK);
        most = i == 200 ? count.alive : most;
        assert_true(i < 200 || count.alive <= 3 * most);
    }
    brg_destroy(world);
    br_set_allocator(NULL, NULL, NULL);
    assert_int_equal(count.alive, 0);
}

/* Oracle: the contract. After a step that was refused there is no last friction: a body that is NaN for good does not leave
 * the others with a force for ever. */
static void rigid_refused_steps_leave_no_friction(void** state)
{
    (void)state;
    brg_world* world;
    brg_change change[3];
    double impulse[18];
    encounter e = two_bodies();
    assert_status(brg_create(NULL, &world, NULL), BR_OK);
    assert_status(brg_after(world, 1e-3, e.bodies, 3, e.points, 4, NULL, 0, change), BR_OK);
    assert_status(brg_before(world, 1e-3, 3, impulse), BR_OK);
    assert_true(fabs(impulse[0]) > 1e-6);
    e.bodies[2].v[0] = (double)NAN;
    for (int i = 0; i < 2; i++) {
        assert_status(brg_after(world, 1e-3, e.bodies, 3, e.points, 4, NULL, 0, change),
                      BR_ERR_ARG);
        assert_status(brg_before(world, 1e-3, 3, impulse), BR_OK);
        for (int k = 0; k < 18; k++) {
            assert_near(impulse[k], 0.0, 0.0 /* exact */);
        }
    }
    e.bodies[2].v[0] = 0.0;
    assert_status(brg_after(world, 1e-3, e.bodies, 3, e.points, 4, NULL, 0, change), BR_OK);
    assert_true(change[0].dv[0] != 0.0);
    brg_destroy(world);
}

/* Oracle: the contract. Finite numbers whose products overflow are refused, too, and do not stay in the bristles. */
static void rigid_numbers_that_overflow_are_refused(void** state)
{
    (void)state;
    brg_world* world;
    brg_change change[3];
    double impulse[18];
    assert_status(brg_create(NULL, &world, NULL), BR_OK);
    for (int i = 0; i < 3; i++) {
        encounter e = two_bodies();
        *(double*[]){&e.bodies[0].v[0], &e.bodies[0].w[2], &e.points[1].x[0]}[i] = 1e300;
        assert_status(brg_after(world, 1e-3, e.bodies, 3, e.points, 4, NULL, 0, change),
                      BR_ERR_ARG);
        assert_status(brg_before(world, 1e-3, 3, impulse), BR_OK);
        for (int k = 0; k < 18; k++) {
            assert_near(impulse[k], 0.0, 0.0 /* exact */);
        }
        for (int k = 0; k < 3; k++) {
            assert_near(change[k].dv[0], 0.0, 0.0 /* exact */);
        }
        e = two_bodies();
        assert_status(brg_after(world, 1e-3, e.bodies, 3, e.points, 4, NULL, 0, change), BR_OK);
        assert_true(change[0].dv[0] != 0.0 && isfinite(change[0].dv[0]));
    }
    brg_destroy(world);
}

/* Oracle: the same points without a past. Points of a pair that was away, or that changes the order of its bodies, are
 * not kept; friction has no part in it. */
static void rigid_points_of_the_past_are_dropped(void** state)
{
    (void)state;
    for (int swaps = 0; swaps < 2; swaps++) {
        brg_world *world, *fresh;
        assert_status(brg_create(NULL, &world, NULL), BR_OK);
        assert_status(brg_create(NULL, &fresh, NULL), BR_OK);
        brg_change change[3], expected[3];
        encounter e = two_bodies();
        for (int k = 0; k < 4; k++) {
            e.points[k].mu = 0.0;
            e.points[k].gap = 1e-4;
        }
        for (int i = 0; i < (swaps ? 6 : 1); i++) {
            assert_status(brg_after(world, 1e-3, e.bodies, 3, e.points, 4, NULL, 0, change), BR_OK);
            for (int k = 0; swaps && k < 4; k++) {
                brg_point* p = &e.points[k];
                *p = (brg_point){.x = {p->x[0], p->x[1], p->x[2]},
                                 .n = {-p->n[0], -p->n[1], -p->n[2]},
                                 .gap = p->gap,
                                 .pair = p->pair,
                                 .a = p->b,
                                 .b = p->a};
            }
        }
        for (int i = 0; !swaps && i < 10; i++) { // the pair is away
            assert_status(brg_after(world, 1e-3, e.bodies, 3, NULL, 0, NULL, 0, change), BR_OK);
        }
        assert_status(brg_after(world, 1e-3, e.bodies, 3, e.points, 2, NULL, 0, change), BR_OK);
        assert_status(brg_after(fresh, 1e-3, e.bodies, 3, e.points, 2, NULL, 0, expected), BR_OK);
        assert_true(swaps || brg_get_report(world).kept == 0);
        for (int k = 0; !swaps && k < 3; k++) {
            assert_near(change[1].dw[k], expected[1].dw[k], 1e-12 /* rounding */);
        }
        assert_true(brg_get_report(world).kept <= 2); // those two that were there one step before
        brg_destroy(world);
        brg_destroy(fresh);
    }
}

/* Oracle: a coefficient of 1000. Infinite ones, an idiom of engines, hold like large ones. */
static void rigid_infinite_coefficients_hold(void** state)
{
    (void)state;
    const double all[] = {1e3, 1e20, INFINITY};
    double v[3];
    for (int i = 0; i < 3; i++) {
        encounter e = two_bodies();
        brg_change change[3];
        for (int k = 0; k < 4; k++) {
            e.points[k].mu = all[i];
        }
        solve(&e, change);
        v[i] = change[1].dv[0];
    }
    assert_true(v[0] > 0.05);
    assert_near(v[1], v[0], 1e-3 * v[0]); // bristles of other stiffness
    assert_near(v[2], v[1], 0.0 /* the same */);
}

/* Oracle: the contract. In a large island a row that cannot move, along a locked axis, has no impulse. */
static void rigid_locked_axes_may_be_in_large_islands(void** state)
{
    (void)state;
    brg_def def = brg_def_default();
    def.largest = 1;
    brg_world* world;
    assert_status(brg_create(&def, &world, NULL), BR_OK);
    encounter e = two_bodies();
    brg_point points[5];
    brg_change change[3];
    memcpy(points, e.points, sizeof e.points);
    points[4] = (brg_point){.n = {0, 0, 1}, .gap = -1e-3, .mu = 0.4, .pair = 9, .a = -1, .b = 0};
    e.bodies[0].inv_mass[2] = 0.0;
    memset(e.bodies[0].inv_inertia, 0, sizeof e.bodies[0].inv_inertia);
    assert_status(brg_after(world, 1e-3, e.bodies, 3, points, 5, NULL, 0, change), BR_OK);
    assert_int_equal(brg_get_report(world).parts, 2);
    assert_near(change[0].dv[2], 0.0, 0.0 /* locked */);
    assert_true(isfinite(change[0].dv[0]) && isfinite(change[1].dv[0]));
    brg_destroy(world);
}

/* Oracle: closed form. A slow spring pulls a box up to mu_s m g; the box slips until the spring has 2 mu_c - mu_s. */
static void rigid_box_on_a_spring_sticks_and_slips(void** state)
{
    (void)state;
    const double h = 1.0 / 240.0, mu = 0.3, ratio = 1.5, k = 200.0;
    brg_def def = brg_def_default();
    def.static_ratio = ratio;
    tiny_engine e;
    tiny_open(&e, &def);
    tiny_add(&e, (tiny_box){{0.05, 0.05, 0.03}, 0.5, mu}, 0.0, 0.0, 0.03);
    double most = 0.0, least = 1e9, at_most = 0.0;
    int slips = 0;
    for (int i = 0; i < 20 * 240; i++) {
        const double f = k * (2e-3 * i * h - e.bodies[0].x[0]) / (mu * 0.5 * 9.81);
        e.force[0][0] = f * mu * 0.5 * 9.81;
        most = fmax(most, f);
        least = most > 1.2 ? fmin(least, f) : least;
        at_most = fmax(at_most, f);
        if (f < at_most - 0.5) { // a slip has ended
            slips++;
            at_most = f;
        }
        tiny_step(&e, h);
    }
    assert_near(most, ratio, 0.03 /* bristles already slide from 0.9 on; 0.0057 in a step */);
    assert_near(least, 2.0 - ratio, 0.05 /* it slips from 1.48; damping of bristles */);
    // the spring needs 5.5 s for the first, then 7.36 mm, 3.7 s, for each
    assert_int_equal(slips, 4);
    tiny_close(&e);
}

/* Oracle: the contract. A definition out of range is refused with its field; older callers' definitions are not. */
static void rigid_checks_definitions(void** state)
{
    (void)state;
    br_reason why;
    brg_world* world;
    brg_def def = brg_def_default();
    def.softness = 0.0;
    assert_status(brg_create(&def, &world, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "softness");
    assert_null(world);
    def = brg_def_default();
    def.static_ratio = 0.9;
    assert_status(brg_create(&def, &world, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "static_ratio");
    def.size = offsetof(brg_def, static_ratio);
    assert_status(brg_create(&def, &world, &why), BR_OK);
    brg_destroy(world);
}

// Wrong input of kind i; 0: everything is right.
static const char* spoil(int i, encounter* e, brg_row* row, double* h)
{
    const double infinity = HUGE_VAL;
    double* const numbers[] = {h,
                               h,
                               &e->bodies[1].v[0],
                               &e->bodies[2].inv_mass[1],
                               &e->bodies[0].inv_inertia[4],
                               &e->points[0].impulse,
                               &e->points[1].mu,
                               &e->points[1].disc,
                               &e->points[3].gap,
                               &e->points[2].n[2],
                               &row->target,
                               &row->lower,
                               &row->upper,
                               &row->softness,
                               &row->softness};
    const double values[] = {0.0,      (double)NAN, (double)NAN, -1.0,        -1.0,
                             -1.0,     -0.1,        -1.0,        (double)NAN, 0.9,
                             infinity, infinity,    -infinity,   -1.0,        infinity};
    const char* const names[] = {"h",       "h",     "v",     "inv_mass", "inv_inertia",
                                 "impulse", "mu",    "disc",  "gap",      "n",
                                 "target",  "lower", "upper", "softness", "softness"};
    const int count = sizeof values / sizeof *values;
    if (i > 0 && i <= count) {
        *numbers[i - 1] = values[i - 1];
        return names[i - 1];
    }
    e->points[2].b = i == count + 1 ? 3 : i == count + 2 ? 0 : i == count + 3 ? 2 : 1;
    row->b = i == count + 4 ? -2 : i == count + 5 ? row->a : 1;
    return i == 0 ? "" : i <= count + 5 ? "index" : NULL;
}

/* Oracle: the contract. Bad input is refused, and nothing changes. */
static void rigid_refuses_bad_input(void** state)
{
    (void)state;
    brg_world* world;
    assert_status(brg_create(NULL, &world, NULL), BR_OK);
    const char* name = "";
    for (int i = 0; name; i++) {
        encounter e = two_bodies();
        brg_row row = {
            .ja = {1}, .jb = {-1}, .lower = -HUGE_VAL, .upper = HUGE_VAL, .a = 0, .b = 1};
        brg_change change[3];
        double h = 1e-3;
        name = spoil(i, &e, &row, &h);
        const br_status status = brg_after(world, h, e.bodies, 3, e.points, 4, &row, 1, change);
        if (status != (name && *name ? BR_ERR_ARG : BR_OK)) {
            fail_msg("wrong input %d, %s: status %d", i, name ? name : "none", (int)status);
        }
        assert_true((change[0].dv[0] == 0.0) == (status != BR_OK));
    }
    double impulse[6] = {1.0};
    assert_status(brg_before(world, (double)NAN, 1, impulse), BR_ERR_ARG);
    assert_near(impulse[0], 0.0, 0.0 /* nothing is applied */);
    brg_destroy(world);
}

/* Oracle: the contract. A point between world and world is left out. */
static void rigid_points_of_the_world_alone_are_left_out(void** state)
{
    (void)state;
    brg_change change[2][3];
    for (int k = 0; k < 2; k++) {
        encounter e = two_bodies();
        brg_point points[5];
        memcpy(points, e.points, 4 * sizeof *points);
        points[4] = e.points[0];
        points[4].pair = 77;
        points[4].a = points[4].b = -1;
        brg_world* world;
        assert_status(brg_create(NULL, &world, NULL), BR_OK);
        assert_status(
            brg_after(world, 1e-3, e.bodies, 3, points, 4 + (size_t)k, NULL, 0, change[k]), BR_OK);
        brg_destroy(world);
    }
    assert_memory_equal(change[0], change[1], sizeof change[0]);
}

/* Oracle: the contract. Without memory a step has no friction or the last patch, and nothing leaks. */
static void rigid_survives_without_memory(void** state)
{
    (void)state;
    const encounter e = two_bodies();
    int refused = 0;
    for (size_t fail_at = 1; fail_at <= 60; fail_at++) {
        counting count = {.fail_at = fail_at};
        brg_world* world;
        brg_change change[3];
        br_set_allocator(counting_allocate, counting_release, &count);
        if (brg_create(NULL, &world, NULL) == BR_OK) {
            const br_status status =
                brg_after(world, 1e-3, e.bodies, 3, e.points, 4, NULL, 0, change);
            assert_true(status == BR_OK || status == BR_ERR_MEMORY);
            refused += status == BR_ERR_MEMORY;
            count.fail_at = 0;
            assert_status(brg_after(world, 1e-3, e.bodies, 3, e.points, 4, NULL, 0, change), BR_OK);
        }
        brg_destroy(world);
        br_set_allocator(NULL, NULL, NULL);
        assert_int_equal(count.alive, 0);
    }
    assert_true(refused > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rigid_stack_on_a_slope_does_not_creep),
        cmocka_unit_test(rigid_box_slides_as_far_as_coulomb_lets_it),
        cmocka_unit_test(rigid_friction_gains_no_energy_in_random_pushes),
        cmocka_unit_test(rigid_changes_keep_momentum),
        cmocka_unit_test(rigid_changes_turn_with_the_scene),
        cmocka_unit_test(rigid_changes_do_not_depend_on_the_order),
        cmocka_unit_test(rigid_rows_hold_up_to_their_limit),
        cmocka_unit_test(rigid_joint_carries_a_box_that_cannot_hold_itself),
        cmocka_unit_test(rigid_sleeping_bodies_keep_their_bristles),
        cmocka_unit_test(rigid_restitution_is_the_engines),
        cmocka_unit_test(rigid_split_islands_hold),
        cmocka_unit_test(rigid_split_pyramids_do_not_fall_through),
        cmocka_unit_test(rigid_islands_may_have_no_limit),
        cmocka_unit_test(rigid_pairs_may_be_reversed),
        cmocka_unit_test(rigid_last_friction_is_removed_where_it_was_applied),
        cmocka_unit_test(rigid_pairs_may_change_their_kind),
        cmocka_unit_test(rigid_pairs_may_have_many_points),
        cmocka_unit_test(rigid_memory_is_that_of_live_pairs),
        cmocka_unit_test(rigid_refused_steps_leave_no_friction),
        cmocka_unit_test(rigid_numbers_that_overflow_are_refused),
        cmocka_unit_test(rigid_points_of_the_past_are_dropped),
        cmocka_unit_test(rigid_infinite_coefficients_hold),
        cmocka_unit_test(rigid_locked_axes_may_be_in_large_islands),
        cmocka_unit_test(rigid_box_on_a_spring_sticks_and_slips),
        cmocka_unit_test(rigid_checks_definitions),
        cmocka_unit_test(rigid_refuses_bad_input),
        cmocka_unit_test(rigid_points_of_the_world_alone_are_left_out),
        cmocka_unit_test(rigid_survives_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
