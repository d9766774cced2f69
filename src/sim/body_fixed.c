/*
 * A body in fixed steps: br_step_coupled() between the breaks of the profiles.
 *
 * The twist is that of the CoM, in world axes. Arms, loads, normal forces and the twists of the ground are
 * taken at the middle of the step, with the body moved there at its current velocity.
 */
#include "sim/body_internal.h"

#include <string.h>

int bri_body_step_order(double h)
{
    // above this step [s] order 2 extrapolates across changes between stick and slip
    const double longest_of_order_two = 1e-3 * (1.0 + 1e-9);
    return h <= longest_of_order_two ? 2 : 1;
}

br_status bri_body_steps_create(body_system* s, double* y, br_reason* why)
{
    const size_t count = s->body->contact_count;
    body_steps* steps = &s->steps;
    steps->body = br_step_body_default(s->body->mass, s->body->inertia);
    steps->body.order = bri_body_step_order(s->def->step);
    steps->contacts = br_allocate(count + 1, sizeof *steps->contacts);
    for (size_t i = 0; steps->contacts && i < count; i++) {
        const contact_run* h = &s->contacts[i];
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

// Book the force and the pose of the middle of a step, with the bristles of y.
static void book_at(body_system* s, contact_run* h, double fn, br_pose middle, double* y)
{
    const br_pose pose = pose_of(y);
    memcpy(y + POSE, (const double[3]){middle.x, middle.y, middle.theta}, 3 * sizeof *y);
    bri_body_ledger_book(s, h, fn, y);
    memcpy(y + POSE, (const double[3]){pose.x, pose.y, pose.theta}, 3 * sizeof *y);
}

// Position and normal force of a contact at the middle of the step that starts at t.
static void place_contact(body_system* s, size_t i, double t, double size, br_pose middle,
                          double* y)
{
    contact_run* h = &s->contacts[i];
    br_step_contact* c = &s->steps.contacts[i];
    const double t_middle = t + 0.5 * size;
    c->z = y + h->at;
    c->fn = h->open ? 0.0 : bri_contact_run_force(s, h, t_middle, NULL);
    bri_contact_run_move(s, h, t_middle);
    book_at(s, h, c->fn, middle, y);
    c->contact = h->contact.now;
    bri_contact_run_move(s, h, t);
    h->twist_before = contact_twist(h, y);
    bri_contact_run_move(s, h, t_middle);
    c->ground = h->moves ? contact_ground_twist(h, middle) : (br_twist){0.0, 0.0, 0.0};
    h->relaxed = bri_contact_energy_per_force(&h->contact, c->z) == 0.0;
    const lever l = contact_lever(h, middle);
    c->angle = h->def->frame == BR_FRAME_BODY ? middle.theta : h->ground.at.theta;
    c->arm =
        (br_vec2){l.cosine * l.arm.x - l.sine * l.arm.y, l.sine * l.arm.x + l.cosine * l.arm.y};
}

static double power_of(br_wrench f, br_twist v)
{
    return f.fx * v.vx + f.fy * v.vy + f.tau * v.w;
}

// Add the slip distance of each contact over a step of h to (t, y): h times the mean slip rate of both ends.
// For bristles relaxed at the step's start, as at a touch-down, the start rate uses the final bristles.
static void slip_contacts(body_system* s, double t, const double* y, double h)
{
    for (size_t i = 0; i < s->body->contact_count; i++) {
        contact_run* c = &s->contacts[i];
        bri_contact_run_move(s, c, t);
        const double rate_before =
            c->relaxed ? bri_contact_run_slip(c, y, c->twist_before, NULL).slip_rate : c->slip_rate;
        c->slip_rate = bri_contact_run_slip(c, y, contact_twist(c, y), NULL).slip_rate;
        c->slip_distance_before = c->slip_distance;
        c->slip_distance += 0.5 * h * (rate_before + c->slip_rate);
        bri_contact_run_note_load(c, y);
    }
}

// Add the result of a step to the caller's sum.
static void add_result(body_steps* steps, const br_step_result* r, size_t count, double h)
{
    br_body_step_result* sum = &steps->sum;
    sum->work_contacts += r->energy.ground;
    sum->dissipated += r->energy.dissipated;
    sum->numerical += r->energy.numerical;
    sum->passes += r->passes;
    sum->converged = sum->converged && r->converged;
    sum->push.x += h * steps->push.fx;
    sum->push.y += h * steps->push.fy;
    for (size_t i = 0; steps->impulse && i < count; i++) {
        add_wrench(&steps->impulse[i], h, steps->contacts[i].f);
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
        bri_contact_fill_at(&s->contacts[i].contact, s->contacts[i].booked,
                            s->contacts[i].booked_at); // as in the ledger
    }
    s->steps.t0 = t;
    s->steps.before = bri_body_ledger_energy(s, t, y);
    for (size_t i = 0; i < count; i++) {
        place_contact(s, i, t, h, middle, y);
    }
    br_wrench loads = bri_body_loads(s, t + 0.5 * h, middle, NULL, NULL);
    add_wrench(&loads, 1.0, s->steps.load);
    const br_vec2 gravity = bri_body_gravity(s, t + 0.5 * h, NULL);
    const br_wrench weight = {s->body->mass * gravity.x, s->body->mass * gravity.y, 0.0};
    const br_wrench all = {loads.fx + weight.fx, loads.fy + weight.fy, loads.tau};
    const br_step_result r =
        s->body->pusher
            ? bri_body_push_step(s, t, h, all, y, &v)
            : br_step_coupled(&s->steps.body, &v, all, h, s->steps.contacts, count, s->steps.work);
    y[POSE] += h * r.mean.vx;
    y[POSE + 1] += h * r.mean.vy;
    y[POSE + 2] += h * r.mean.w;
    memcpy(y + VELOCITY, (const double[3]){v.vx, v.vy, v.w}, 3 * sizeof *y);

    slip_contacts(s, t + h, y, h);
    add_result(&s->steps, &r, count, h);

    // works along the twist of the step's energy balance, so that the rest is dissipation only
    const br_twist along = r.order == 1 ? v : r.mean;
    const double by_loads = h * power_of(loads, along), by_gravity = h * power_of(weight, along);
    s->steps.sum.work_loads += by_loads;
    s->steps.sum.work_gravity += by_gravity;
    s->ledger.sum.loads += by_loads;
    s->ledger.sum.ground += r.energy.ground;
    s->steps.gravity += by_gravity;
    s->steps.heat += r.energy.dissipated + r.energy.numerical;
    s->steps.t1 = t + h;
    s->steps.after = bri_body_ledger_energy(s, t + h, y);
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

double bri_body_steps_slipped(const body_system* s, const contact_run* h, double t)
{
    return blend(share_of_step(s, t), h->slip_distance_before, h->slip_distance);
}

body_energy bri_body_steps_energy(const body_system* s, double t)
{
    const body_energy *a = &s->steps.before, *b = &s->steps.after;
    const double x = share_of_step(s, t);
    return (body_energy){.kinetic = blend(x, a->kinetic, b->kinetic),
                         .stored = blend(x, a->stored, b->stored),
                         .dissipated = blend(x, a->dissipated, b->dissipated),
                         .work_loads = blend(x, a->work_loads, b->work_loads),
                         .work_gravity = blend(x, a->work_gravity, b->work_gravity),
                         .work_normal = blend(x, a->work_normal, b->work_normal),
                         .work_contacts = blend(x, a->work_contacts, b->work_contacts),
                         .residual = blend(x, a->residual, b->residual)};
}
