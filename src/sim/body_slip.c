/*
 * Does a contact stick or slip, how far did it slip, and how near did it come to slipping?
 */
#include "sim/body_internal.h"

#include <string.h>

// The largest load is right to this, so that it need not be measured in every step [-].
static const double load_seen = 1e-3;

// Friction is in proportion to fn, so any number does where the contact presses.
static double force_of(const held* h)
{
    return h->open ? 0.0 : 1.0;
}

br_contact_slip bri_held_slip(const held* h, const double* y, br_twist v, double* dz)
{
    if (h->open && dz) {
        memset(dz, 0, contact_states(&h->contact) * sizeof *dz); // no bristles
    }
    return br_contact_slip_eval(h->contact.now, y + h->at, v, force_of(h), h->state,
                                h->open ? NULL : dz);
}

double bri_held_load(const held* h, const double* y)
{
    return br_contact_load_eval(h->contact.now, y + h->at, held_twist(h, y), force_of(h));
}

// The load that a wrench carries is convex and grows in proportion to it: from the one that was
// measured it has grown by no more than the load of the difference, for which forces and torques are
// taken apart (a patch that is lopsided holds less torque than mu r). At rest parts hold mu_s, while
// they move at least the g of the fastest of them: that much less, and no more, carries the load.
static double most_load(const held* h, br_wrench f, br_twist v)
{
    const contact* c = &h->contact;
    const double r = c->value.r, fastest = hypot(v.vx, v.vy) + c->reach * fabs(v.w);
    const br_wrench d = {f.fx - h->load_f.fx, f.fy - h->load_f.fy, f.tau - h->load_f.tau};
    const double more = hypot(d.fx, d.fy) + (r > 0.0 ? 2.0 * fabs(d.tau) / r : 0.0);
    return (c->law->mu_s * h->load + more) / br_law_g(c->law, fastest);
}

void bri_held_note_load(held* h, const double* y)
{
    if (!(h->most_load < 1.0) || h->open) {
        return;
    }
    const br_wrench f = bri_contact_bristle_wrench(&h->contact, y + h->at);
    if (!(most_load(h, f, held_twist(h, y)) <= h->most_load + load_seen)) {
        h->load = bri_held_load(h, y);
        h->load_f = f;
        h->most_load = fmax(h->most_load, h->load);
    }
}

// Slip of each contact; then, for patches that press on a body of known outline, whether some and
// whether all of them is on it.
void bri_body_event(double t, const double* y, double* g, void* user)
{
    body_system* s = user;
    const size_t count = s->body->contact_count;
    bri_body_update(s, t, y);
    for (size_t i = 0; i < count; i++) {
        held* h = &s->contacts[i];
        g[i] = h->now.slip.margin;
        if (s->has_edges) {
            const int presses = h->edge && !h->open;
            g[count + i] = presses ? bri_held_on_body(s, h, y) : 1.0;
            g[2 * count + i] = presses && !h->overhangs ? bri_held_within_body(s, h, y) : 1.0;
        }
    }
}
