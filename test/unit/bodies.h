/*
 * Bodies and contacts for the tests of body.h, and a list that keeps the rows of a run.
 */
#ifndef BRISTLE_TEST_BODIES_H
#define BRISTLE_TEST_BODIES_H

#include "rows.h"

#include "bristle/sim.h"

#include <stdio.h>
#include <string.h>

enum { MOST_ROWS = 4096, MOST_EVENTS = 64, MOST_CONTACTS = 2 };

static const double standard_gravity = 9.81; // [m/s^2]

// Where the energy went since the start [J].
typedef struct body_energy {
    double kinetic, stored, dissipated;
    double work_loads, work_gravity, work_normal, work_contacts;
    double residual;
} body_energy;

// What a run reported.
typedef struct record {
    size_t rows, events;
    struct {
        double t;
        br_pose pose;
        br_twist velocity;
        br_wrench f[MOST_CONTACTS];
        br_slip_state state[MOST_CONTACTS];
        double slip_rate[MOST_CONTACTS], slipped[MOST_CONTACTS];
        double fn[MOST_CONTACTS];
        double load[MOST_CONTACTS], most_load[MOST_CONTACTS];
        body_energy energy;
    } row[MOST_ROWS];
    br_run_event event[MOST_EVENTS];
    size_t contacts; // how many a row has
} record;

static inline void keep_row(const double* row, void* user)
{
    record* r = user;
    assert_true(r->rows < MOST_ROWS);
    const size_t i = r->rows++;
    r->row[i].t = row[0];
    r->row[i].pose = pose_in(row);
    r->row[i].velocity = twist_in(row);
    r->row[i].energy = (body_energy){number_of(row, "kinetic"),       number_of(row, "stored"),
                                     number_of(row, "dissipated"),    number_of(row, "work_loads"),
                                     number_of(row, "work_gravity"),  number_of(row, "work_normal"),
                                     number_of(row, "work_contacts"), number_of(row, "residual")};
    for (size_t k = 0; k < r->contacts; k++) {
        r->row[i].f[k] = wrench_in(row, k);
        r->row[i].state[k] = (br_slip_state)number_of_one(row, "state", k);
        r->row[i].slip_rate[k] = number_of_one(row, "slip", k);
        r->row[i].slipped[k] = number_of_one(row, "slipped", k);
        r->row[i].fn[k] = number_of_one(row, "fn", k);
        r->row[i].load[k] = number_of_one(row, "load", k);
        r->row[i].most_load[k] = number_of_one(row, "most_load", k);
    }
}

static inline void keep_event(const br_run_event* event, void* user)
{
    record* r = user;
    if (event->kind == BR_EVENT_OVERHANG) {
        return; // changes no state
    }
    assert_true(r->events < MOST_EVENTS);
    r->event[r->events++] = *event;
}

// Run a body and keep its rows and events; the record belongs to this function until the next call.
static inline const record* run_body(const br_body* body, const br_run_def* def, record* out)
{
    br_reason why;
    const br_run_watch watch = {.size = sizeof(br_run_watch),
                                .start = take_columns,
                                .row = keep_row,
                                .event = keep_event,
                                .user = out};
    out->rows = out->events = 0;
    out->contacts = body->contact_count;
    const br_status status = br_body_run(body, def, &watch, NULL, &why);
    if (status != BR_OK) {
        fail_msg("%s: %s %s", br_status_get_text(status), why.field, why.text);
    }
    return out;
}

static inline br_run_def run_for(double duration, size_t rows)
{
    br_run_def def = br_run_def_default();
    def.duration = duration;
    def.every = duration / (double)(rows - 1);
    return def;
}

// Fixed steps of this size, which have no tolerances; 0: adaptive ones.
static inline void set_step(br_run_def* def, double step)
{
    def->method = step > 0.0 ? BR_INTEGRATOR_FIXED : BR_INTEGRATOR_ROSENBROCK;
    def->step = step;
    if (step > 0.0) {
        def->rtol = def->atol = def->atol_z = 0.0;
    }
}

// Tolerances that follow the relative one.
static inline void set_tolerance(br_run_def* def, double rtol)
{
    def->rtol = rtol;
    def->atol = 1e-2 * rtol;
    def->atol_z = 1e-4 * rtol;
}

// A disc of 10 mm radius, placed.
static inline br_patch* disc_at(br_vec2 centre, double angle)
{
    br_patch_def def = br_patch_def_default();
    def.centre = centre;
    def.angle = angle;
    br_patch* patch = NULL;
    assert_status(br_patch_create(&def, &patch, NULL), BR_OK);
    return patch;
}

static inline br_contact* created(br_contact_def def)
{
    br_contact* contact = NULL;
    assert_status(br_contact_create(&def, &contact, NULL), BR_OK);
    return contact;
}

static inline br_contact_def def_with(br_method method, br_law law)
{
    br_contact_def def = br_contact_def_default();
    def.method = method;
    def.law = law;
    return def;
}

static inline br_contact* cells_on(const br_patch* patch, br_law law, size_t resolution)
{
    br_contact_def def = def_with(BR_METHOD_DISTRIBUTED, law);
    def.patch = patch;
    def.resolution = resolution;
    return created(def);
}

static inline br_contact* blocks_on(const br_patch* patch, br_law law, size_t across)
{
    br_contact_def def = def_with(BR_METHOD_BLOCKS, law);
    def.patch = patch;
    def.resolution = across;
    return created(def);
}

// A reduced contact as published, or, if surface is NULL, the ellipsoid of a disc of 10 mm.
static inline br_contact* reduced_with(const br_limit* surface, br_law law)
{
    br_contact_def def = def_with(surface ? BR_METHOD_REDUCED : BR_METHOD_ELLIPSOID, law);
    def.surface = surface;
    def.r = 0.02 / 3.0;
    def.u = 0.5 * 0.01 * 0.01;
    def.guard = 0;
    return created(def);
}

static inline br_limit* surface_of(const br_patch* patch, br_limit_method method)
{
    br_limit_def def = br_limit_def_default();
    def.patch = patch;
    def.method = method;
    br_limit* surface = NULL;
    assert_status(br_limit_create(&def, &surface, NULL), BR_OK);
    return surface;
}

// A body of 0.2 kg, 150 x 80 mm.
static inline br_body box_with(const br_body_contact* contacts, size_t count)
{
    br_body body = br_body_default();
    body.mass = 0.2;
    body.inertia = 0.2 / 12.0 * (0.15 * 0.15 + 0.08 * 0.08);
    body.contacts = contacts;
    body.contact_count = count;
    return body;
}

static inline double distance(br_pose a, br_pose b)
{
    return hypot(a.x - b.x, a.y - b.y);
}

// Difference of the end poses, as the rim of 20 mm sees it [m].
static inline double end_error(const record* a, const record* b)
{
    const br_pose p = a->row[a->rows - 1].pose, q = b->row[b->rows - 1].pose;
    return distance(p, q) + 0.02 * fabs(p.theta - q.theta);
}

#endif
