/*
 * Stick, slip and load of the contacts of a body.
 */
#include "law/law_internal.h"
#include "sim/body_internal.h"

#include <float.h>
#include <string.h>

// Accuracy of the largest load [-]; so it need not be measured in every step.
static const double load_seen = 1e-3;

// Friction is proportional to fn, so any positive number will do for a closed contact.
static double force_of(const contact_run* h)
{
    return h->open ? 0.0 : 1.0;
}

br_contact_slip bri_contact_run_slip(const contact_run* h, const double* y, br_twist v, double* dz)
{
    if (h->open && dz) {
        memset(dz, 0, contact_states(&h->contact) * sizeof *dz); // no bristles
    }
    return br_contact_slip_eval(h->contact.now, y + h->at, v, force_of(h), h->state,
                                h->open ? NULL : dz);
}

double bri_contact_run_load(const contact_run* h, const double* y)
{
    return br_contact_load_eval(h->contact.now, y + h->at, contact_twist(h, y), force_of(h));
}

// Upper bound of the load. The load is a convex, homogeneous function of the wrench. So it has grown
// since its last measurement by at most the load of the wrench's change, for which force and torque are
// bounded separately (an asymmetric patch holds less torque than mu r). Parts at rest hold mu_s, moving
// parts at least g at the speed of the fastest one.
static double most_load(const contact_run* h, br_wrench f, br_twist v)
{
    const contact* c = &h->contact;
    const br_twist u = bri_contact_enter(c, v);
    const double r = c->value.r, fastest = hypot(u.vx, u.vy) + c->reach * fabs(u.w);
    const br_wrench d = {f.fx - h->load_f.fx, f.fy - h->load_f.fy, f.tau - h->load_f.tau};
    const double more = hypot(d.fx, d.fy) / c->softest + (r > 0.0 ? 2.0 * fabs(d.tau) / r : 0.0);
    // a table need not fall with the speed
    const double weakest = has_table_of_g(c->law) ? c->law->mu_c : br_law_g(c->law, fastest);
    return (c->law->mu_s * h->load + more) / weakest;
}

void bri_contact_run_note_load(contact_run* h, const double* y)
{
    if (!(h->most_load < 1.0) || h->open) {
        return;
    }
    const br_wrench f = bri_contact_bristle_wrench(&h->contact, y + h->at);
    // on a field the bound does not hold: its friction limit is another one
    if (h->contact.on_field ||
        !(most_load(h, f, contact_twist(h, y)) <= h->most_load + load_seen)) {
        h->load = bri_contact_run_load(h, y);
        h->load_f = f;
        h->most_load = fmax(h->most_load, h->load);
    }
}

// Event functions: the slip margin of each contact; then, on fields with jumps, how far its points are from the next;
// then, for bodies with an outline, how far a part and how far all of each patch is on the body.
void bri_body_event(double t, const double* y, double* g, void* user)
{
    body_system* s = user;
    const size_t count = s->body->contact_count;
    bri_body_update(s, t, y);
    for (size_t i = 0; i < count; i++) {
        contact_run* h = &s->contacts[i];
        // a margin of 0 sticks, too; an event function must not be 0, or it has no sign to change
        g[i] = h->now.slip.margin > 0.0 ? h->now.slip.margin : fmin(h->now.slip.margin, -DBL_MIN);
        const size_t edges = s->has_jumps ? 2 : 1;
        if (s->has_jumps) {
            const int jumps = h->contact.jumps && !h->open && !s->steps.contacts;
            g[count + i] = jumps ? bri_contact_run_to_edge(h, y) : 1.0;
        }
        if (s->has_edges) {
            const int presses = h->edge && !h->open;
            g[edges * count + i] = presses ? bri_contact_run_on_body(s, h, y) : 1.0;
            g[(edges + 1) * count + i] =
                presses && !h->overhangs ? bri_contact_run_within_body(s, h, y) : 1.0;
        }
    }
}
