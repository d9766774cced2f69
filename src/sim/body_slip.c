/*
 * Does a contact stick or slip, how far did it slip, and how near did it come to slipping?
 */
#include "sim/body_internal.h"

// The largest load is right to this, so that it need not be measured in every step [-].
static const double load_seen = 1e-3;

// Friction is in proportion to fn, so any number does where the contact presses.
static double force_of(const held* h)
{
    return h->open ? 0.0 : 1.0;
}

br_contact_slip bri_held_slip(const held* h, const double* y, br_twist v)
{
    return br_contact_slip_eval(h->contact.now, y + h->at, v, force_of(h), h->state);
}

double bri_held_load(const held* h, const double* y)
{
    return br_contact_load_eval(h->contact.now, y + h->at, bri_held_twist(h, y), force_of(h));
}

// The load that a wrench carries is convex and grows in proportion to it: from the one that was
// measured it has grown by no more than the load of the difference, for which forces and torques are
// taken apart (a patch that is lopsided holds less torque than mu r).
static int may_exceed(const held* h, br_wrench f, br_twist v)
{
    const br_law* law = h->contact.law;
    const double r = h->contact.value.r, slow = 0.1 * law->v_stribeck;
    const br_wrench d = {f.fx - h->load_f.fx, f.fy - h->load_f.fy, f.tau - h->load_f.tau};
    const double most = hypot(d.fx, d.fy) + (r > 0.0 ? 2.0 * fabs(d.tau) / r : 0.0);
    const int fast = hypot(hypot(v.vx, v.vy), r * v.w) > slow; // g is not mu_s any more
    return fast || !(h->load + most / law->mu_c <= h->most_load + load_seen);
}

void bri_held_note_load(held* h, const double* y)
{
    if (h->most_load >= 1.0 || h->open) {
        return;
    }
    const br_wrench f = bri_contact_bristle_wrench(&h->contact, y + h->at);
    if (may_exceed(h, f, bri_held_twist(h, y))) {
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
    for (size_t i = 0; i < count; i++) {
        held* h = &s->contacts[i];
        if (h->contact.grows && !h->steady) {
            bri_contact_spread(&h->contact, bri_held_force(s, h, t, NULL));
        }
        bri_held_move(s, h, t);
        g[i] = bri_held_slip(h, y, bri_held_twist(h, y)).margin;
        if (s->has_edges) {
            const int presses = h->edge && !h->open;
            g[count + i] = presses ? bri_held_on_body(s, h, y) : 1.0;
            g[2 * count + i] = presses && !h->overhangs ? bri_held_within_body(s, h, y) : 1.0;
        }
    }
}
