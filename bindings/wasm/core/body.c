/*
 * Planar bodies: bristle/body.h.
 */
#include "bristle/body.h"

#include <math.h>
#include <string.h>

#include "bristle/grip.h"
#include "glue.h"
#include "record.h"

// --- bodies for runs and steps

typedef struct body_thing {
    br_body body;
    br_body_stepper* stepper; // NULL before body_prepare()
    br_body_contact* contacts;
    br_body_friction* friction;
    br_body_load* loads;
    br_outline* outline;
    br_body_pusher pusher;
} body_thing;

EXPORT(void, body_destroy, body_thing* thing)
{
    br_body_stepper_destroy(thing->stepper);
    br_release(thing->contacts);
    br_release(thing->friction);
    br_release(thing->loads);
    br_outline_destroy(thing->outline);
    br_release(thing);
}

static int take_memory(body_thing* thing, size_t contacts, size_t loads)
{
    thing->contacts = br_allocate(contacts, sizeof *thing->contacts);
    thing->friction = br_allocate(contacts, sizeof *thing->friction);
    thing->loads = br_allocate(loads, sizeof *thing->loads);
    return thing->contacts && thing->friction && thing->loads;
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

// `at`: of the contact (2); `grip` and `patch` may be NULL; weight NaN: see body_share_weight()
EXPORT(void, body_set_contact, body_thing* thing, size_t index, int frame,
       const contact_object* contact, const br_profile* normal_force, double weight, size_t count,
       const double* at, const br_profile* x, const br_profile* y, const br_profile* angle,
       const br_grip* grip, const br_patch* patch)
{
    thing->contacts[index] = (br_body_contact){.frame = (br_frame)frame,
                                               .contact = contact->contact,
                                               .normal_force = *normal_force,
                                               .weight = weight,
                                               .count = count,
                                               .at = {at[0], at[1]},
                                               .motion = {*x, *y, *angle},
                                               .grip = grip,
                                               .patch = patch};
}

static int share(br_body* body, br_body_contact* contacts, int* bears, double* weight)
{
    br_reason why = {"", ""};
    for (size_t i = 0; bears && i < body->contact_count; i++) {
        bears[i] = isnan(contacts[i].weight);
    }
    const br_status status =
        bears && weight ? br_body_share_weight(body, bears, weight, &why) : BR_ERR_MEMORY;
    for (size_t i = 0; status == BR_OK && i < body->contact_count; i++) {
        contacts[i].weight = bears[i] ? weight[i] : contacts[i].weight;
    }
    return passed(status, &why);
}

// Divide the weight among the contacts whose weight is NaN. Returns 1, or 0 and sets last_error()
EXPORT(int, body_share_weight, body_thing* thing)
{
    const size_t count = thing->body.contact_count;
    int* bears = br_allocate(count + 1, sizeof *bears);
    double* weight = br_allocate(count + 1, sizeof *weight);
    const int good = share(&thing->body, thing->contacts, bears, weight);
    br_release(bears);
    br_release(weight);
    return good;
}

// `n`: r, u, cop (2) of a contact whose `patch` is NULL; ratio, angle and axes of its anisotropy
EXPORT(void, body_set_friction, body_thing* thing, size_t index, const br_law* law, unsigned rule,
       const br_patch* patch, const double* n)
{
    thing->friction[index] =
        (br_body_friction){.law = *law,
                           .rule = rule,
                           .patch = patch,
                           .value = {.cop = {n[2], n[3]}, .r = n[0], .u = n[1]},
                           .anisotropy = {n[4], n[5], (br_axes)n[6]}};
}

// `out`: sigma0, sigma1, v_damping of each contact. Returns 1, or 0 and sets last_error()
EXPORT(int, body_complete_friction, const body_thing* thing, double* out)
{
    br_reason why = {"", ""};
    const br_status status = br_body_complete_friction(&thing->body, thing->friction, NULL, &why);
    for (size_t i = 0; status == BR_OK && i < thing->body.contact_count; i++) {
        const br_law* law = &thing->friction[i].law;
        put_three(out, i, law->sigma0, law->sigma1, law->v_damping);
    }
    return passed(status, &why);
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

// Returns 1, or 0 and sets last_error()
EXPORT(int, body_set_outline, body_thing* thing, const br_patch* shape)
{
    br_reason why = {"", ""};
    const br_status status = br_outline_create(shape, 0.0, 0, &thing->outline, &why);
    thing->body.outline = thing->outline;
    return passed(status, &why);
}

// negative stiffness and damping: chosen automatically
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

// --- state of a body: t, pose (3), velocity (3), 5 of each contact, the bristles of all contacts

enum { FRONT = 7, COURSE = 5 };

// A state whose bristles are in `place`; the states of its contacts are filled in.
static void read_place(const body_thing* thing, double* place, br_body_state* to)
{
    const double* row = place + FRONT;
    to->t = place[0];
    to->pose = (br_pose){place[1], place[2], place[3]};
    to->velocity = (br_twist){place[4], place[5], place[6]};
    for (size_t i = 0; i < thing->body.contact_count; i++, row += COURSE) {
        to->contacts[i] = (br_body_contact_state){.state = (br_slip_state)row[0],
                                                  .left = row[1] != 0.0,
                                                  .overhangs = row[2] != 0.0,
                                                  .grip_force = row[3],
                                                  .grip_instant = row[4]};
    }
}

static double* bristles_of(const body_thing* thing, double* place)
{
    return place + FRONT + COURSE * thing->body.contact_count;
}

static void write_place(const body_thing* thing, double* place)
{
    const br_body_state* from = br_body_stepper_get_state(thing->stepper);
    double* row = place + FRONT;
    place[0] = from->t;
    memcpy(place + 1, &from->pose, sizeof from->pose);
    memcpy(place + 4, &from->velocity, sizeof from->velocity);
    for (size_t i = 0; i < thing->body.contact_count; i++, row += COURSE) {
        const br_body_contact_state* c = &from->contacts[i];
        const double numbers[COURSE] = {(double)c->state, (double)c->left, (double)c->overhangs,
                                        c->grip_force, c->grip_instant};
        memcpy(row, numbers, sizeof numbers);
    }
    memcpy(bristles_of(thing, place), from->z,
           br_body_get_state_count(&thing->body) * sizeof *place);
}

// A body that starts at `place`; release its contacts.
static int start_at(const body_thing* thing, double* place, br_body_state* state, br_body* out)
{
    *state = (br_body_state){.z = bristles_of(thing, place)};
    state->contacts = br_allocate(thing->body.contact_count + 1, sizeof *state->contacts);
    if (!state->contacts) {
        return passed(BR_ERR_MEMORY, &(br_reason){"", ""});
    }
    read_place(thing, place, state);
    *out = thing->body;
    out->from = state;
    return 1;
}

// Call it when the body is complete. It starts at `place`; if `is_new`, at its initial state, which is written there.
// Returns 1, or 0 and sets last_error()
EXPORT(int, body_prepare, body_thing* thing, double* place, int is_new)
{
    br_reason why = {"", ""};
    br_body body = thing->body;
    br_body_state state = {0};
    if (!is_new && !start_at(thing, place, &state, &body)) {
        return 0;
    }
    const br_status status = br_body_stepper_create(&body, &thing->stepper, &why);
    br_release(state.contacts);
    if (!passed(status, &why)) {
        return 0;
    }
    write_place(thing, place);
    return 1;
}

EXPORT(record*, body_run, const body_thing* thing, double* place, const double* n, int method,
       const double* at, size_t at_count, int is_watched)
{
    br_body body;
    br_body_state state;
    if (!start_at(thing, place, &state, &body)) {
        return NULL;
    }
    record* r = record_create(is_watched);
    if (!r) {
        br_release(state.contacts);
        return NULL;
    }
    const br_run_def def = record_run_def(n, method, at, at_count);
    const br_run_watch watch = record_watch(r);
    br_reason why = {"", ""};
    const br_status status = br_body_run(&body, &def, &watch, &r->cost, &why);
    br_release(state.contacts);
    return record_end(r, status, &why);
}

// --- one step

// `n`: h, load (3); `place` advances; `out`: dissipated, work, numerical, work_contacts, push (2), converged, then the
// wrench of each contact (3). Returns 1, or 0 and sets last_error()
EXPORT(int, body_step, body_thing* thing, double* place, const double* n, int order, double* out)
{
    br_reason why = {"", ""};
    br_body_step_def def = br_body_step_def_default(n[0]);
    br_body_step_result r;
    br_body_state* state = br_body_stepper_get_state(thing->stepper);
    def.load = wrench_at(n + 1, 0);
    def.order = order;
    read_place(thing, place, state);
    memcpy(state->z, bristles_of(thing, place),
           br_body_get_state_count(&thing->body) * sizeof *place);
    const br_status status = br_body_step(thing->stepper, &def, &r, &why);
    if (!passed(status, &why)) {
        return 0;
    }
    write_place(thing, place);
    const double numbers[] = {r.dissipated,       r.work_loads + r.work_gravity,
                              r.numerical,        r.work_contacts,
                              r.push.x,           r.push.y,
                              (double)r.converged};
    memcpy(out, numbers, sizeof numbers);
    memcpy(out + 7, r.f, thing->body.contact_count * sizeof *r.f);
    return 1;
}
