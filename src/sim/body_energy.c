/*
 * Energy balance of a body's run.
 *
 * Powers are integrated by Simpson's rule over each step; the state at its middle is from the integrator's
 * interpolant. A row within the step uses the integral of the same parabola. The works of constant gravity
 * and of jumps of the normal force or of a field of mu are exact. Fixed steps compute their own energies.
 */
#include "sim/body_internal.h"

#include "planar/contact_some.h"

// Energy in the bristles at force fn and at a pose; the contact remains there.
static double stored_at(contact_run* h, double fn, br_pose pose, const double* z)
{
    bri_contact_fill_at(&h->contact, fn, pose);
    return fn * bri_contact_energy_per_force(&h->contact, z);
}

// d/dt of W = fn stored(fn), the energy in the bristles of a contact, at fixed bristles. A central
// difference where the patch depends on the force.
static double normal_power(contact_run* h, const contact_moment* m, br_pose at, const double* z)
{
    const double step = 1e-5 * m->fn;
    if (m->change == 0.0) {
        return 0.0;
    }
    if (!h->contact.grows || step == 0.0) {
        return m->change * bri_contact_energy_per_force(&h->contact, z);
    }
    const double below = stored_at(h, m->fn - step, at, z),
                 above = stored_at(h, m->fn + step, at, z);
    bri_contact_fill_at(&h->contact, m->fn, at);
    return m->change * (above - below) / (2.0 * step);
}

// The same by the motion over a field at constant force: a central difference along the motion.
static double field_power(contact_run* h, const contact_moment* m, br_pose at, const double* y)
{
    const double dt =
        bri_contact_is_on_uniform(h->contact.now) ? 0.0 : bri_contact_run_short_time(h, m->twist);
    if (dt == 0.0) {
        return 0.0;
    }
    const br_pose pose = pose_of(y);
    const br_twist v = velocity_of(y);
    const double before = stored_at(h, m->fn, contact_pose_after(h, pose, v, -dt), y + h->at),
                 after = stored_at(h, m->fn, contact_pose_after(h, pose, v, dt), y + h->at);
    bri_contact_fill_at(&h->contact, m->fn, at);
    return (after - before) / (2.0 * dt);
}

void bri_body_ledger_book(body_system* s, contact_run* h, double fn, const double* y)
{
    const double* z = y + h->at;
    const double before = h->booked > 0.0 ? stored_at(h, h->booked, h->booked_at, z) : 0.0;
    const br_pose pose = contact_pose_over(h, y);
    bri_contact_fill_at(&h->contact, fn, pose);
    if (h->contact.jumps && !s->steps.contacts) {
        bri_contact_run_hold_field(h, y);
    }
    const double after = stored_at(h, fn, pose, z);
    s->ledger.sum.normal += (double)h->def->count * (after - before);
    h->booked = fn;
    h->booked_at = pose;
}

static double power_of(br_wrench f, br_twist v)
{
    return f.fx * v.vx + f.fy * v.vy + f.tau * v.w;
}

// Powers on the body, without those of its contacts.
static body_powers powers_on_body(const body_system* s, double t, const double* y)
{
    const br_twist v = velocity_of(y);
    const br_vec2 constant = s->body->gravity, g = bri_body_gravity(s, t, NULL);
    return (body_powers){.loads = power_of(bri_body_loads(s, t, pose_of(y), NULL, NULL), v),
                         .gravity = s->body->mass *
                                    ((g.x - constant.x) * v.vx + (g.y - constant.y) * v.vy),
                         .ground = power_of(bri_body_push(s, t, y), v)};
}

// Add the powers of a contact at the moment m, which was evaluated last; dz: rates of its bristles.
static void add_contact_powers(body_powers* p, contact_run* h, const contact_moment* m,
                               const double* y, const double* dz)
{
    const double *z = y + h->at, force = (double)h->def->count * m->fn;
    if (h->open) {
        return;
    }
    if (h->moves) {
        // power of friction along the motion of the ground
        p->ground += force * power_of(wrench_from(&m->lever, m->slip.f),
                                      contact_ground_twist(h, pose_of(y)));
    }
    p->bristles += force * bri_contact_energy_rate_per_force(&h->contact, z, dz);
    p->friction -= force * power_of(m->slip.f, m->twist);
    const br_pose at = contact_pose_over(h, y);
    p->normal += (double)h->def->count * normal_power(h, m, at, z);
    if (h->contact.on_pose) {
        p->normal += (double)h->def->count * field_power(h, m, at, y);
    }
}

// Powers at the end of a step, where the whole system is evaluated anyway, for the next step.
static body_powers powers_at(body_system* s, double t, const double* y)
{
    body_powers p = powers_on_body(s, t, y);
    bri_body_update(s, t, y);
    for (size_t i = 0; i < s->body->contact_count; i++) {
        contact_run* h = &s->contacts[i];
        bri_contact_run_move(s, h, t);
        contact_fill(h, h->now.fn, y); // other evaluations may have changed it
        add_contact_powers(&p, h, &h->now, y, s->rates + h->at);
        h->slip_rate = h->now.slip.slip_rate;
    }
    return p;
}

// Powers in the middle of a step, where only the contacts are evaluated.
static body_powers powers_between(body_system* s, double t, const double* y)
{
    body_powers p = powers_on_body(s, t, y);
    for (size_t i = 0; i < s->body->contact_count; i++) {
        contact_run* h = &s->contacts[i];
        double* dz = s->rates_middle + h->at;
        const contact_moment m = bri_contact_run_at(s, h, t, y, dz, 1);
        add_contact_powers(&p, h, &m, y, dz);
        h->rates[1] = m.slip.slip_rate;
    }
    return p;
}

static double kinetic(const br_body* body, const double* y)
{
    const br_twist v = velocity_of(y);
    return 0.5 * (body->mass * (v.vx * v.vx + v.vy * v.vy) + body->inertia * v.w * v.w);
}

void bri_body_ledger_restart(body_system* s, double t, const double* y)
{
    body_ledger* ledger = &s->ledger;
    if (!s->is_started) {
        // energy of bristles that do not start relaxed belongs to the initial energy
        ledger->start = kinetic(s->body, y) + ledger->sum.normal;
        ledger->sum.normal = 0.0;
    }
    ledger->t0 = ledger->t = t;
    ledger->before = ledger->sum;
    ledger->at_end = powers_at(s, t, y);
}

// Weights of the values at start, middle and end of a step for the integral of their parabola over the
// share x of the step; for x = 1 this is Simpson's rule.
static void weights_over(double x, double weight[3])
{
    weight[0] = x * (1.0 - x * (1.5 - x * (2.0 / 3.0)));
    weight[1] = x * x * (2.0 - x * (4.0 / 3.0));
    weight[2] = x * x * (x * (2.0 / 3.0) - 0.5);
}

// The works at a time t within the last step.
static body_powers sum_at(const body_ledger* l, double t)
{
    const double dt = l->t - l->t0;
    const body_powers *a = &l->at_start, *b = &l->at_middle, *c = &l->at_end;
    body_powers sum = l->before;
    double w[3];
    weights_over(dt > 0.0 ? (t - l->t0) / dt : 0.0, w);
    sum.friction += dt * (w[0] * a->friction + w[1] * b->friction + w[2] * c->friction);
    sum.loads += dt * (w[0] * a->loads + w[1] * b->loads + w[2] * c->loads);
    sum.gravity += dt * (w[0] * a->gravity + w[1] * b->gravity + w[2] * c->gravity);
    sum.ground += dt * (w[0] * a->ground + w[1] * b->ground + w[2] * c->ground);
    sum.bristles += dt * (w[0] * a->bristles + w[1] * b->bristles + w[2] * c->bristles);
    sum.normal += dt * (w[0] * a->normal + w[1] * b->normal + w[2] * c->normal);
    return sum;
}

double bri_body_ledger_slipped(const body_system* s, const contact_run* h, double t)
{
    const double t0 = s->ledger.t0, dt = s->ledger.t - t0;
    double w[3];
    weights_over(dt > 0.0 ? (t - t0) / dt : 0.0, w);
    return h->slip_distance_before +
           dt * (w[0] * h->rates[0] + w[1] * h->rates[1] + w[2] * h->rates[2]);
}

// Add a step of the integrator, or the part of one up to an event.
static void pass_step(body_system* s, const br_integrator* integrator)
{
    body_ledger* l = &s->ledger;
    const double t1 = br_integrator_get_t(integrator), middle = 0.5 * (l->t + t1);
    for (size_t i = 0; i < s->body->contact_count; i++) {
        s->contacts[i].slip_distance_before = s->contacts[i].slip_distance;
        s->contacts[i].rates[0] = s->contacts[i].slip_rate;
    }
    br_integrator_at(integrator, middle, s->y_middle);
    l->before = l->sum;
    l->at_start = l->at_end;
    l->at_middle = powers_between(s, middle, s->y_middle);
    l->at_end = powers_at(s, t1, br_integrator_get_y(integrator));
    l->t0 = l->t;
    l->t = t1;
    l->sum = sum_at(l, t1);
    for (size_t i = 0; i < s->body->contact_count; i++) {
        contact_run* h = &s->contacts[i];
        h->rates[2] = h->slip_rate;
        h->slip_distance = bri_body_ledger_slipped(s, h, t1);
    }
}

void bri_body_ledger_pass(void* system, const br_integrator* integrator, double t, const double* y)
{
    body_system* s = system;
    if (br_integrator_get_t(integrator) > s->ledger.t) {
        pass_step(s, integrator);
    }
    if (t < s->ledger.t) {
        return; // a row, which measures its own load
    }
    for (size_t i = 0; i < s->body->contact_count; i++) {
        bri_contact_run_note_load(&s->contacts[i], y);
    }
}

// Energy that friction took from the body and did not store in the bristles is dissipated.
body_energy bri_body_ledger_energy(const body_system* s, double t, const double* y)
{
    const br_body* body = s->body;
    const body_powers sum = s->steps.contacts ? s->ledger.sum : sum_at(&s->ledger, t);
    body_energy e = {.kinetic = kinetic(body, y),
                     .work_loads = sum.loads,
                     .work_normal = sum.normal,
                     .work_contacts = sum.ground};
    for (size_t i = 0; i < body->contact_count; i++) {
        const contact_run* h = &s->contacts[i];
        const double fn = s->steps.contacts ? h->booked : h->row.fn;
        e.stored +=
            (double)h->def->count * fn * bri_contact_energy_per_force(&h->contact, y + h->at);
    }
    if (s->steps.contacts) {
        e.work_gravity = s->steps.gravity;
        e.dissipated = s->steps.heat;
    } else {
        e.work_gravity =
            sum.gravity + body->mass * (body->gravity.x * (y[POSE] - s->start.pose.x) +
                                        body->gravity.y * (y[POSE + 1] - s->start.pose.y));
        e.dissipated = sum.friction - sum.bristles;
    }
    e.residual = e.kinetic - s->ledger.start + e.stored + e.dissipated - e.work_loads -
                 e.work_gravity - e.work_normal - e.work_contacts;
    return e;
}
