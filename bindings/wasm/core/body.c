/*
 * Numbers over time, and planar bodies: bristle/profile.h, body.h, step.h, grip.h.
 */
#include "bristle/body.h"

#include <string.h>

#include "contact.h"
#include "glue.h"
#include "record.h"

// --- profiles: one piece of memory with its arrays

// `n`: mean, amplitude, frequency, phase, start, hold
EXPORT(br_profile*, profile_make, int kind, const double* n, const double* times,
       const double* values, size_t count)
{
    br_reason why = {"", ""};
    br_profile* p = br_allocate(1, sizeof *p + 2 * count * sizeof(double));
    if (!p) {
        return fail(BR_ERR_MEMORY, &why);
    }
    double* numbers = (double*)(void*)(p + 1);
    memcpy(numbers, times, count * sizeof *numbers);
    memcpy(numbers + count, values, count * sizeof *numbers);
    *p = (br_profile){.kind = (br_profile_kind)kind,
                      .mean = n[0],
                      .amplitude = n[1],
                      .frequency = n[2],
                      .phase = n[3],
                      .start = n[4],
                      .hold = n[5],
                      .count = count,
                      .t = count > 0 ? numbers : NULL,
                      .value = count > 0 ? numbers + count : NULL};
    const br_status status = br_profile_check(p, &why);
    if (status != BR_OK) {
        br_release(p);
        return fail(status, &why);
    }
    return p;
}

EXPORT(void, profile_eval, const br_profile* p, size_t count, const double* t, double* out)
{
    for (size_t i = 0; i < count; i++) {
        out[i] = br_profile_eval(p, t[i], t[i], NULL);
    }
}

// --- grip controllers: period, aim, slip_limit, release, least, most

static br_grip grip_of(const double* n)
{
    return (br_grip){.period = n[0],
                     .aim = n[1],
                     .slip_limit = n[2],
                     .release = n[3],
                     .least = n[4],
                     .most = n[5]};
}

// 1: good, 0: last_error() says why not
EXPORT(int, grip_check, const double* n)
{
    const br_grip grip = grip_of(n);
    br_reason why = {"", ""};
    const br_status status = br_grip_check(&grip, &why);
    if (status != BR_OK) {
        fail(status, &why);
    }
    return status == BR_OK;
}

EXPORT(void, grip_eval, const double* n, size_t count, const double* fn, const double* load,
       const double* slip_rate, double* out)
{
    const br_grip grip = grip_of(n);
    for (size_t i = 0; i < count; i++) {
        out[i] = br_grip_eval(&grip, fn[i], load[i], slip_rate[i]);
    }
}

// --- bodies, as a run needs them

typedef struct body_thing {
    br_body body;
    br_body_contact* contacts;
    br_grip* grips;
    br_body_load* loads;
    br_outline* outline;
    br_body_pusher pusher;
} body_thing;

EXPORT(void, body_destroy, body_thing* thing)
{
    br_release(thing->contacts);
    br_release(thing->grips);
    br_release(thing->loads);
    br_outline_destroy(thing->outline);
    br_release(thing);
}

static int take_memory(body_thing* thing, size_t contacts, size_t loads)
{
    thing->contacts = br_allocate(contacts, sizeof *thing->contacts);
    thing->grips = br_allocate(contacts, sizeof *thing->grips);
    thing->loads = br_allocate(loads, sizeof *thing->loads);
    return thing->contacts && thing->grips && thing->loads;
}

// `n`: mass, inertia, pose (3), velocity (3); gravity as profiles
EXPORT(body_thing*, body_make, const double* n, int start, const br_profile* gravity_x,
       const br_profile* gravity_y, size_t contacts, size_t loads)
{
    body_thing* thing = br_allocate(1, sizeof *thing);
    if (!thing || !take_memory(thing, contacts, loads)) {
        if (thing) {
            body_destroy(thing);
        }
        return fail(BR_ERR_MEMORY, &(br_reason){"", ""});
    }
    br_body* b = &thing->body;
    *b = br_body_default();
    b->mass = n[0];
    b->inertia = n[1];
    b->pose = (br_pose){n[2], n[3], n[4]};
    b->velocity = (br_twist){n[5], n[6], n[7]};
    b->start = (br_body_start)start;
    b->gravity_change[0] = *gravity_x;
    b->gravity_change[1] = *gravity_y;
    b->contacts = thing->contacts;
    b->contact_count = contacts;
    b->loads = thing->loads;
    b->load_count = loads;
    return thing;
}

// `grip` and `patch` may be NULL
EXPORT(void, body_set_contact, body_thing* thing, size_t index, int frame,
       const held_contact* contact, const br_profile* normal_force, double weight, size_t count,
       const br_profile* x, const br_profile* y, const br_profile* angle, const double* grip,
       const br_patch* patch)
{
    br_body_contact* c = &thing->contacts[index];
    *c = (br_body_contact){.frame = (br_frame)frame,
                           .contact = contact->contact,
                           .normal_force = *normal_force,
                           .weight = weight,
                           .count = count,
                           .motion = {*x, *y, *angle},
                           .patch = patch};
    if (grip) {
        thing->grips[index] = grip_of(grip);
        c->grip = &thing->grips[index];
    }
}

EXPORT(void, body_set_load, body_thing* thing, size_t index, const br_profile* fx,
       const br_profile* fy, const br_profile* tau, int axes, int frame, double x, double y)
{
    thing->loads[index] = (br_body_load){.fx = *fx,
                                         .fy = *fy,
                                         .tau = *tau,
                                         .axes = (br_frame)axes,
                                         .frame = (br_frame)frame,
                                         .point = {x, y}};
}

// 1: good, 0: last_error() says why not
EXPORT(int, body_set_outline, body_thing* thing, const br_patch* shape)
{
    br_reason why = {"", ""};
    const br_status status = br_outline_create(shape, 0.0, 0, &thing->outline, &why);
    if (status != BR_OK) {
        fail(status, &why);
    }
    thing->body.outline = thing->outline;
    return status == BR_OK;
}

// a negative stiffness and damping: those that suit
EXPORT(void, body_set_pusher, body_thing* thing, const br_profile* x, const br_profile* y,
       double radius, double mu, double stiffness, double damping)
{
    const br_body_pusher usual = br_body_pusher_default(thing->body.mass);
    thing->pusher = (br_body_pusher){.x = *x,
                                     .y = *y,
                                     .radius = radius,
                                     .mu = mu,
                                     .stiffness = stiffness < 0.0 ? usual.stiffness : stiffness,
                                     .damping = damping < 0.0 ? usual.damping : damping};
    thing->body.pusher = &thing->pusher;
}

enum { BODY_COLUMNS = 17, CONTACT_COLUMNS = 10 };

static void put_contact(double* to, const br_body_row* row, size_t i)
{
    const double numbers[CONTACT_COLUMNS] = {
        row->f[i].fx,          row->f[i].fy,      row->f[i].tau,   row->fn[i],   row->tau_cop[i],
        (double)row->state[i], row->slip_rate[i], row->slipped[i], row->load[i], row->most_load[i]};
    memcpy(to, numbers, sizeof numbers);
}

// A record of rows, and how many contacts each of them has.
typedef struct body_watch {
    record* record;
    size_t contacts;
} body_watch;

// t, pose (3), velocity (3), pusher's force (2), energy (8), then 10 of each contact
static void body_row(const br_body_row* row, void* user)
{
    const body_watch* to_whom = user;
    double* to = record_row(to_whom->record);
    if (!to) {
        return;
    }
    const br_body_energy* e = &row->energy;
    const double numbers[BODY_COLUMNS] = {
        row->t,           row->pose.x,     row->pose.y,   row->pose.theta, row->velocity.vx,
        row->velocity.vy, row->velocity.w, row->push.x,   row->push.y,     e->kinetic,
        e->stored,        e->dissipated,   e->work_loads, e->work_gravity, e->work_normal,
        e->work_contacts, e->residual};
    memcpy(to, numbers, sizeof numbers);
    for (size_t i = 0; i < to_whom->contacts; i++) {
        put_contact(to + BODY_COLUMNS + CONTACT_COLUMNS * i, row, i);
    }
}

static void body_event(const br_run_event* event, void* user)
{
    record_event(event, ((body_watch*)user)->record);
}

static int body_stop(double t, void* user)
{
    return record_stop(t, ((body_watch*)user)->record);
}

EXPORT(record*, body_run, const body_thing* thing, const double* n, int method, const double* at,
       size_t at_count, int is_watched)
{
    const size_t contacts = thing->body.contact_count;
    record* r = record_create(BODY_COLUMNS + CONTACT_COLUMNS * contacts, is_watched);
    if (!r) {
        return NULL;
    }
    const br_run_def def = record_run_def(n, method, at, at_count);
    body_watch to_whom = {r, contacts};
    const br_run_watch watch = {
        .row = {.body = body_row}, .event = body_event, .stop = body_stop, .user = &to_whom};
    br_reason why = {"", ""};
    const br_status status = br_body_run(&thing->body, &def, &watch, &r->cost, &why);
    return record_end(r, status, &why);
}

// --- one step

// A contact of a step; `n`: arm (2), angle, normal force, count.
static br_status place(br_step_contact* c, const held_contact* from, double* z, const double* n,
                       void** memory, br_reason* why)
{
    if (!(n[4] >= 1.0)) {
        br_reason_set(why, "contacts.count", "must be >= 1, got %g", n[4]);
        return BR_ERR_DEF;
    }
    *c = (br_step_contact){
        .z = z, .arm = {n[0], n[1]}, .angle = n[2], .fn = n[3], .count = (size_t)n[4]};

    // of its own: a contact may be there twice, at two forces
    const size_t bytes = br_contact_get_spread_size(from->contact);
    *memory = bytes > 0 ? br_allocate(bytes, 1) : NULL;
    if (bytes > 0 && !*memory) {
        return BR_ERR_MEMORY;
    }
    c->contact = br_contact_spread(from->contact, c->fn, *memory);
    return BR_OK;
}

// v (3), mean (3), ledger (7), converged; then the wrench of each contact
static void put_step(double* out, const br_step_result* r, br_twist v,
                     const br_step_contact* contacts, size_t count)
{
    put_three(out, 0, v.vx, v.vy, v.w);
    put_three(out, 1, r->mean.vx, r->mean.vy, r->mean.w);
    const br_step_ledger* e = &r->energy;
    const double rest[] = {e->kinetic_before, e->stored_before, e->load,      e->kinetic_after,
                           e->stored_after,   e->dissipated,    e->numerical, (double)r->converged};
    memcpy(out + 6, rest, sizeof rest);
    for (size_t i = 0; i < count; i++) {
        memcpy(out + 14 + 3 * i, &contacts[i].f, sizeof contacts[i].f);
    }
}

static br_status step_with(const br_step_body* body, const double* n, br_step_contact* contacts,
                           size_t count, double* out, br_reason* why)
{
    br_twist v = twist_at(n + 2, 0);
    const br_wrench load = wrench_at(n + 5, 0);
    const br_status status = br_step_check(body, v, load, n[8], contacts, count, why);
    if (status != BR_OK) {
        return status;
    }
    double* work = br_allocate(br_step_get_work(contacts, count), sizeof *work);
    if (!work) {
        return BR_ERR_MEMORY;
    }
    const br_step_result r = br_step_coupled(body, &v, load, n[8], contacts, count, work);
    put_step(out, &r, v, contacts, count);
    br_release(work);
    return BR_OK;
}

// `n`: mass, inertia, v (3), load (3), h; `places`: 5 of each contact. 1: done, 0: last_error() says why not
EXPORT(int, body_step, const double* n, int order, size_t count, held_contact* const* from,
       double* const* z, const double* places, double* out)
{
    br_reason why = {"", ""};
    br_step_body body = br_step_body_default(n[0], n[1]);
    body.order = order;
    br_step_contact* contacts = br_allocate(count, sizeof *contacts);
    void** memories = br_allocate(count, sizeof *memories);
    br_status status = contacts && memories ? BR_OK : BR_ERR_MEMORY;
    for (size_t i = 0; status == BR_OK && i < count; i++) {
        status = place(&contacts[i], from[i], z[i], places + 5 * i, &memories[i], &why);
    }
    if (status == BR_OK) {
        status = step_with(&body, n, contacts, count, out, &why);
    }
    for (size_t i = 0; memories && i < count; i++) {
        br_release(memories[i]);
    }
    br_release(memories);
    br_release(contacts);
    if (status != BR_OK) {
        fail(status, &why);
    }
    return status == BR_OK;
}
