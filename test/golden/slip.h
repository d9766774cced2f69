/*
 * The in-hand slip-stick runs of W&K, Figs 27-35: a box between two fingers at the origin, which open
 * and close every 10 ms; and how far a run is from a stored one of golden/wk/slip_*.
 */
#ifndef BRISTLE_TEST_SLIP_H
#define BRISTLE_TEST_SLIP_H

#include "rows.h"
#include "wk.h"

#include "bristle/sim.h"

enum { HOLDS = 200 };

// The normal force of one finger: fN1 oscillates, fN2 drops for a while.
static double hold_t[HOLDS], hold_fn[HOLDS];

static br_profile fingers(int case_number, int profile)
{
    for (int i = 0; i < HOLDS; i++) {
        const double t = hold_t[i] = 0.01 * i, sine = sin(4.0 * BR_PI * t);
        const int drops = case_number == 1 ? i >= 31 && i <= 49 : i >= 33 && i <= 49;
        const double oscillating = case_number == 1 ? 3.6 + 0.9 * sine : 1.73 + 0.91 * sine;
        const double dropping = case_number == 1 ? (drops ? 2.9 : 4.0) : (drops ? 0.84 : 2.0);
        hold_fn[i] = profile == 1 ? oscillating : dropping;
    }
    return (br_profile){.kind = BR_PROFILE_STEPS, .count = HOLDS, .t = hold_t, .value = hold_fn};
}

// The box: 0.2 kg, 150 x 80 mm, held off its CoM.
static br_body box(int case_number, const br_body_contact* contact)
{
    br_body body = br_body_default();
    body.mass = 0.2;
    body.inertia = 0.2 / 12.0 * (0.15 * 0.15 + 0.08 * 0.08);
    body.pose.x = case_number == 1 ? 0.025 : 0.002;
    body.start = BR_START_RELAXED;
    body.gravity.y = -9.81;
    body.contacts = contact;
    body.contact_count = 1;
    return body;
}

// How far the rows are from the stored ones.
typedef struct misfit {
    size_t row;
    double place, angle, force, torque; // largest [m, rad, N, N m]
    double residual;                    // of the energy [J]
} misfit;

static void compare_row(const double* row, void* user)
{
    misfit* m = user;
    const size_t i = m->row++;
    const double x = number_of(row, "x") - table_get(&golden, i, "px");
    const double y = number_of(row, "y") - table_get(&golden, i, "py");
    const double fx = number_of(row, "fx") - table_get(&golden, i, "fx");
    const double fy = number_of(row, "fy") - table_get(&golden, i, "fy");
    assert_near(row[0], table_get(&golden, i, "t_end"), 1e-12 /* s, rounding */);
    m->place = fmax(m->place, hypot(x, y));
    m->angle = fmax(m->angle, fabs(number_of(row, "theta") - table_get(&golden, i, "theta")));
    m->force = fmax(m->force, hypot(fx, fy));
    m->torque = fmax(m->torque, fabs(number_of(row, "tau") - table_get(&golden, i, "tau")));
    m->residual = fmax(m->residual, fabs(number_of(row, "residual")));
}

static misfit run(const br_body* body, const br_run_def* def)
{
    misfit m = {0};
    const br_run_watch watch = {
        .size = sizeof(br_run_watch), .start = take_columns, .row = compare_row, .user = &m};
    br_reason why;
    const br_status status = br_body_run(body, def, &watch, NULL, &why);
    if (status != BR_OK) {
        fail_msg("%s %s", why.field, why.text);
    }
    assert_int_equal(m.row, golden.rows);
    return m;
}

// A distributed contact, or the published reduced one, whose surface is made at the force `fn`; with it
// what it was created from. Only steps know the guard.
typedef struct finger {
    br_patch* patch;
    br_limit* surface;
    br_contact* contact;
} finger;

static finger distributed_finger(br_patch* patch)
{
    br_contact_def def = br_contact_def_default();
    def.method = BR_METHOD_DISTRIBUTED;
    def.patch = patch;
    finger f = {.patch = patch};
    assert_status(br_contact_create(&def, &f.contact, NULL), BR_OK);
    return f;
}

static finger reduced_finger(br_patch* patch, double fn, int guarded)
{
    br_limit_def surface_def = br_limit_def_default();
    surface_def.patch = patch;
    surface_def.fn = fn;
    surface_def.method = BR_LIMIT_PUBLISHED;
    finger f = {.patch = patch};
    assert_status(br_limit_create(&surface_def, &f.surface, NULL), BR_OK);
    br_contact_def def = br_contact_def_default();
    def.method = BR_METHOD_REDUCED;
    def.surface = f.surface;
    def.guard = guarded;
    assert_status(br_contact_create(&def, &f.contact, NULL), BR_OK);
    return f;
}

static void finger_destroy(finger* f)
{
    br_contact_destroy(f->contact);
    br_limit_destroy(f->surface);
    br_patch_destroy(f->patch);
}

static br_body_contact two_of(const finger* f, int case_number, int profile)
{
    return (br_body_contact){.frame = BR_FRAME_WORLD,
                             .contact = f->contact,
                             .normal_force = fingers(case_number, profile),
                             .count = 2};
}

#endif
