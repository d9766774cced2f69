/*
 * Does a contact stick or slip, how far did it slip, and how near did it come to slipping?
 */
#include "sim/body_internal.h"

// Friction is in proportion to fn, so any number does where the contact presses.
static double force_of(const held* h)
{
    return h->open ? 0.0 : 1.0;
}

br_contact_slip held_slip(const held* h, const double* y, br_twist v)
{
    return br_contact_slip_eval(h->contact.now, y + h->at, v, force_of(h), h->state);
}

double held_load(const held* h, const double* y)
{
    return br_contact_load_eval(h->contact.now, y + h->at, held_twist(h, y), force_of(h));
}

// No sum of cells carries a larger share than its most loaded cell, at the least friction there is.
static int may_exceed(const held* h, const double* y, double load)
{
    const contact* c = &h->contact;
    return c->size != 2 || c->law->sigma0 * contact_deflection(c, y + h->at) > c->law->mu_c * load;
}

void held_note_load(held* h, const double* y)
{
    if (h->most_load < 1.0 && !h->open && may_exceed(h, y, h->most_load)) {
        h->most_load = fmax(h->most_load, held_load(h, y));
    }
}

// Slip of each contact; then, for patches that press on a body of known outline, whether some and
// whether all of them is on it.
void body_event(double t, const double* y, double* g, void* user)
{
    body_system* s = user;
    const size_t count = s->body->contact_count;
    for (size_t i = 0; i < count; i++) {
        held* h = &s->contacts[i];
        if (h->contact.grows && !h->steady) {
            contact_spread(&h->contact, held_force(s, h, t, NULL));
        }
        held_move(s, h, t);
        g[i] = held_slip(h, y, held_twist(h, y)).margin;
        if (s->has_edges) {
            const int presses = h->edge && !h->open;
            g[count + i] = presses ? held_on_body(s, h, y) : 1.0;
            g[2 * count + i] = presses && !h->overhangs ? held_within_body(s, h, y) : 1.0;
        }
    }
}
