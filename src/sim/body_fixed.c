/*
 * A body in fixed steps: br_step_coupled() between the breaks of the profiles.
 *
 * The twist is the CoM's, in world axes. Arms, loads and normal forces are those of the middle of the
 * step, where the body would be with the velocity it has.
 */
#include "sim/body_internal.h"

#include <string.h>

// Up to this step [s] the second order is the better one; above, it extrapolates through stick and slip.
static const double longest_of_order_two = 1e-3 * (1.0 + 1e-9);

br_status bri_body_steps_create(body_system* s, double* y, br_reason* why)
{
    const size_t count = s->body->contact_count;
    body_steps* steps = &s->steps;
    steps->body = br_step_body_default(s->body->mass, s->body->inertia);
    steps->body.order = s->def->step <= longest_of_order_two ? 2 : 1;
    steps->contacts = br_allocate(count + 1, sizeof *steps->contacts);
    for (size_t i = 0; steps->contacts && i < count; i++) {
        const held* h = &s->contacts[i];
        steps->contacts[i] =
            (br_step_contact){.contact = h->def->contact, .z = y + h->at, .count = h->def->count};
    }
    if (steps->contacts) {
        steps->work = br_allocate(br_step_get_work(steps->contacts, count) + 1, sizeof(double));
    }
    if (!steps->contacts || !steps->work) {
        br_reason_set(why, "", "no memory for steps of %zu states", s->n);
        return BR_ERR_MEMORY;
    }
    return BR_OK;
}

void bri_body_steps_release(body_system* s)
{
    br_release(s->steps.contacts);
    br_release(s->steps.work);
}

// Where the contact is and how hard it presses, in the middle of the step.
static void place_contact(body_system* s, size_t i, double t, br_pose middle, double* y)
{
    held* h = &s->contacts[i];
    br_step_contact* c = &s->steps.contacts[i];
    c->z = y + h->at;
    c->fn = h->open ? 0.0 : bri_held_force(s, h, t, NULL);
    bri_body_ledger_book(s, h, c->fn, c->z);
    c->contact = h->contact.now;
    h->twist_before = held_twist(h, y);
    h->relaxed = bri_contact_stored(&h->contact, c->z) == 0.0;
    const lever l = held_lever(h, middle);
    c->angle = h->def->frame == BR_FRAME_BODY ? middle.theta : h->ground.at.theta;
    c->arm =
        (br_vec2){l.cosine * l.arm.x - l.sine * l.arm.y, l.sine * l.arm.x + l.cosine * l.arm.y};
}

static double power_of(br_wrench f, br_twist v)
{
    return f.fx * v.vx + f.fy * v.vy + f.tau * v.w;
}

// The way of each contact over a step to y: the mean of the slip rates at both ends. Bristles that were
// relaxed at its begin, as at a start or a touch-down, have no rate yet: they count as they came out.
static void slip_contacts(body_system* s, const double* y, double h)
{
    for (size_t i = 0; i < s->body->contact_count; i++) {
        held* c = &s->contacts[i];
        const double begin =
            c->relaxed ? bri_held_slip(c, y, c->twist_before, NULL).slip_rate : c->slip_rate;
        c->slip_rate = bri_held_slip(c, y, held_twist(c, y), NULL).slip_rate;
        c->way_before = c->way;
        c->way += 0.5 * h * (begin + c->slip_rate);
        bri_held_note_load(c, y);
    }
}

size_t bri_body_advance(double t, double h, double* y, void* user)
{
    body_system* s = user;
    const size_t count = s->body->contact_count;
    br_twist v = velocity_of(y);
    const br_pose middle = {y[POSE] + 0.5 * h * v.vx, y[POSE + 1] + 0.5 * h * v.vy,
                            y[POSE + 2] + 0.5 * h * v.w};
    for (size_t i = 0; i < count; i++) {
        bri_contact_spread(&s->contacts[i].contact, s->contacts[i].booked); // as the ledger has it
    }
    s->steps.t0 = t;
    s->steps.before = bri_body_ledger_energy(s, t, y, NULL);
    for (size_t i = 0; i < count; i++) {
        place_contact(s, i, t + 0.5 * h, middle, y);
    }
    const br_wrench loads = bri_body_loads(s, t + 0.5 * h, middle, NULL, NULL);
    const br_vec2 gravity = bri_body_gravity(s, t + 0.5 * h, NULL);
    const br_wrench weight = {s->body->mass * gravity.x, s->body->mass * gravity.y, 0.0};
    const br_wrench all = {loads.fx + weight.fx, loads.fy + weight.fy, loads.tau};
    const br_step_result r =
        br_step_coupled(&s->steps.body, &v, all, h, s->steps.contacts, count, s->steps.work);
    y[POSE] += h * r.mean.vx;
    y[POSE + 1] += h * r.mean.vy;
    y[POSE + 2] += h * r.mean.w;
    memcpy(y + VELOCITY, (const double[3]){v.vx, v.vy, v.w}, 3 * sizeof *y);

    slip_contacts(s, y, h);

    // works along the twist that the step's balance takes, so that what is left is heat only
    const br_twist along = r.order == 1 ? v : r.mean;
    s->ledger.sum.loads += h * power_of(loads, along);
    s->steps.gravity += h * power_of(weight, along);
    s->steps.heat += r.energy.dissipated + r.energy.numerical;
    s->steps.t1 = t + h;
    s->steps.after = bri_body_ledger_energy(s, t + h, y, NULL);
    return (size_t)r.passes;
}

static double blend(double x, double a, double b)
{
    return (1.0 - x) * a + x * b;
}

static double share_of_step(const body_system* s, double t)
{
    return fmin((t - s->steps.t0) / (s->steps.t1 - s->steps.t0), 1.0);
}

double bri_body_steps_way(const body_system* s, const held* h, double t)
{
    return blend(share_of_step(s, t), h->way_before, h->way);
}

br_body_energy bri_body_steps_energy(const body_system* s, double t)
{
    const br_body_energy *a = &s->steps.before, *b = &s->steps.after;
    const double x = share_of_step(s, t);
    return (br_body_energy){.kinetic = blend(x, a->kinetic, b->kinetic),
                            .stored = blend(x, a->stored, b->stored),
                            .dissipated = blend(x, a->dissipated, b->dissipated),
                            .work_loads = blend(x, a->work_loads, b->work_loads),
                            .work_gravity = blend(x, a->work_gravity, b->work_gravity),
                            .work_normal = blend(x, a->work_normal, b->work_normal),
                            .work_contacts = blend(x, a->work_contacts, b->work_contacts),
                            .residual = blend(x, a->residual, b->residual)};
}
