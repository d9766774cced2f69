/*
 * Where the energy of a body's run goes.
 *
 * Powers are integrated along the run by Simpson's rule on the integrator's own interpolant, from each
 * row or step end to the next. The works of constant gravity and of jumps of the normal force are exact. Fixed
 * steps tell their own energies.
 */
#include "sim/body_internal.h"

// d/dt of W = fn stored(fn), the energy in the bristles of a contact, at fixed bristles. A patch that
// depends on the force is asked on both sides.
static double normal_power(held* h, const double* z)
{
    const double step = 1e-5 * h->fn;
    if (h->change == 0.0) {
        return 0.0;
    }
    if (!h->contact.grows || step == 0.0) {
        return h->change * bri_contact_stored(&h->contact, z);
    }
    bri_contact_spread(&h->contact, h->fn - step);
    const double below = (h->fn - step) * bri_contact_stored(&h->contact, z);
    bri_contact_spread(&h->contact, h->fn + step);
    const double above = (h->fn + step) * bri_contact_stored(&h->contact, z);
    bri_contact_spread(&h->contact, h->fn);
    return h->change * (above - below) / (2.0 * step);
}

void bri_body_ledger_book(body_system* s, held* h, double fn, const double* z)
{
    bri_contact_spread(&h->contact, h->booked);
    const double before = h->booked * bri_contact_stored(&h->contact, z);
    bri_contact_spread(&h->contact, fn);
    const double after = fn * bri_contact_stored(&h->contact, z);
    s->ledger.sum.normal += (double)h->def->count * (after - before);
    h->booked = fn;
}

// What friction does along the motion of the ground.
static double ground_power(const held* h, const double* y)
{
    const br_pose pose = bri_body_pose(y);
    const lever l = bri_held_lever(h, pose);
    const br_wrench f = bri_lever_wrench(&l, h->unit);
    const br_twist g = bri_held_ground_twist(h, pose);
    return (double)h->def->count * h->fn * (f.fx * g.vx + f.fy * g.vy + f.tau * g.w);
}

static body_powers powers_at(body_system* s, double t, const double* y)
{
    bri_body_update(s, t, y);
    const br_twist v = bri_body_velocity(y);
    const br_wrench load = bri_body_loads(s, t, bri_body_pose(y), NULL, NULL);
    const br_vec2 constant = s->body->gravity, g = bri_body_gravity(s, t, NULL);
    body_powers p = {.loads = load.fx * v.vx + load.fy * v.vy + load.tau * v.w,
                     .gravity =
                         s->body->mass * ((g.x - constant.x) * v.vx + (g.y - constant.y) * v.vy)};
    const br_wrench push = bri_body_push(s, t, y);
    p.ground = push.fx * v.vx + push.fy * v.vy + push.tau * v.w;
    for (size_t i = 0; i < s->body->contact_count; i++) {
        held* h = &s->contacts[i];
        h->slip_rate = 0.0;
        if (h->open) {
            continue;
        }
        const double count = (double)h->def->count;
        bri_contact_spread(&h->contact, h->fn); // looking for events may have changed it
        bri_held_move(s, h, t);
        p.ground += h->moves ? ground_power(h, y) : 0.0;
        const br_twist u = bri_held_twist(h, y);
        h->slip_rate = bri_held_slip(h, y, u).slip_rate;
        p.bristles +=
            count * h->fn * bri_contact_stored_rate(&h->contact, y + h->at, s->rates + h->at);
        p.friction -= count * h->fn * (h->unit.fx * u.vx + h->unit.fy * u.vy + h->unit.tau * u.w);
        p.normal += count * normal_power(h, y + h->at);
    }
    return p;
}

static double kinetic(const br_body* body, const double* y)
{
    const br_twist v = bri_body_velocity(y);
    return 0.5 * (body->mass * (v.vx * v.vx + v.vy * v.vy) + body->inertia * v.w * v.w);
}

void bri_body_ledger_begin(body_system* s, double t, const double* y)
{
    if (t == 0.0) {
        // what the first normal forces put into bristles that do not begin relaxed was there before
        s->ledger.start = kinetic(s->body, y) + s->ledger.sum.normal;
        s->ledger.sum.normal = 0.0;
    }
    s->ledger.t = t;
    s->ledger.now = powers_at(s, t, y);
}

static double simpson(double h, double begin, double middle, double end)
{
    return h / 6.0 * (begin + 4.0 * middle + end);
}

// The ways that the contacts slipped, by the same rule: go on for dt at the rates that are.
static void slip_on(body_system* s, double dt)
{
    for (size_t i = 0; i < s->body->contact_count; i++) {
        s->contacts[i].way += dt * s->contacts[i].slip_rate;
    }
}

void bri_body_ledger_pass(void* system, const br_integrator* integrator, double t, const double* y)
{
    body_system* s = system;
    body_ledger* sum = &s->ledger;
    const double h = t - sum->t;
    if (!(h > 0.0)) {
        return;
    }
    slip_on(s, h / 6.0);
    br_integrator_at(integrator, sum->t + 0.5 * h, s->y_middle);
    const body_powers middle = powers_at(s, sum->t + 0.5 * h, s->y_middle);
    slip_on(s, 4.0 * h / 6.0);
    const body_powers end = powers_at(s, t, y);
    slip_on(s, h / 6.0);
    sum->sum.bristles += simpson(h, sum->now.bristles, middle.bristles, end.bristles);
    sum->sum.friction += simpson(h, sum->now.friction, middle.friction, end.friction);
    sum->sum.loads += simpson(h, sum->now.loads, middle.loads, end.loads);
    sum->sum.gravity += simpson(h, sum->now.gravity, middle.gravity, end.gravity);
    sum->sum.ground += simpson(h, sum->now.ground, middle.ground, end.ground);
    sum->sum.normal += simpson(h, sum->now.normal, middle.normal, end.normal);
    sum->now = end;
    sum->t = t;
    for (size_t i = 0; i < s->body->contact_count; i++) {
        bri_held_note_load(&s->contacts[i], y);
    }
}

// What friction took from the body and did not put into the bristles has become heat.
br_body_energy bri_body_ledger_energy(const body_system* s, const double* y)
{
    const br_body* body = s->body;
    const body_powers* sum = &s->ledger.sum;
    br_body_energy e = {.kinetic = kinetic(body, y),
                        .work_loads = sum->loads,
                        .work_normal = sum->normal,
                        .work_contacts = sum->ground};
    for (size_t i = 0; i < body->contact_count; i++) {
        const held* h = &s->contacts[i];
        const double fn = s->steps.contacts ? h->booked : h->fn;
        e.stored += (double)h->def->count * fn * bri_contact_stored(&h->contact, y + h->at);
    }
    if (s->steps.contacts) {
        e.work_gravity = s->steps.gravity;
        e.dissipated = s->steps.heat;
    } else {
        e.work_gravity =
            sum->gravity + body->mass * (body->gravity.x * (y[POSE] - body->pose.x) +
                                         body->gravity.y * (y[POSE + 1] - body->pose.y));
        e.dissipated = sum->friction - sum->bristles;
    }
    e.residual = e.kinetic - s->ledger.start + e.stored + e.dissipated - e.work_loads -
                 e.work_gravity - e.work_normal - e.work_contacts;
    return e;
}
