/*
 * A planar contact over a step of any size with the twist held.
 */
#include "planar/contact_reduced.h"

static br_wrench let_go(const br_contact* c, double* z, br_step_energy* energy)
{
    memset(z, 0,
           br_contact_get_state_count(c) * sizeof *z); // what is stored is in proportion to fn
    if (energy) {
        *energy = (br_step_energy){0.0, 0.0, 0.0};
    }
    return (br_wrench){0.0, 0.0, 0.0};
}

br_wrench br_contact_step(const br_contact* c, double* z, br_twist v, double fn, double h,
                          br_step_energy* energy)
{
    BR_ASSERT(c && z && h > 0.0);
    if (fn <= 0.0) {
        return let_go(c, z, energy);
    }
    if (contact_is_reduced(c)) {
        return bri_reduced_hold(c, z, v, fn, h, energy);
    }
    const br_twist turned = axes_enter(c->axes, v);
    kernel_closed done;
    c->kernel->hold(&c->parts, &c->law, z, (const double[3]){turned.vx, turned.vy, turned.w}, h,
                    &done);
    if (energy) {
        energy->stored = fn * done.after;
        energy->dissipated = fn * h * done.heat;
        energy->work = fn * (done.after - done.before) + energy->dissipated;
    }
    return contact_wrench(c, done.f, fn);
}
