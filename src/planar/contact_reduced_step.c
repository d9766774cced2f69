/*
 * Reduced planar friction: steps of any size with the twist held, by the kernel (kernel_reduced_hold.inc).
 */
#include "planar/contact_reduced.h"

br_wrench bri_reduced_hold(const br_contact* m, double* z, br_twist v, double fn, double h,
                           br_step_energy* energy)
{
    const double own[3] = {z[0], z[1], m->turn * z[2]}, twist[3] = {v.vx, v.vy, v.w};
    double surface[3], end[3], f[3], e[3];
    if (m->look.lookup == KERNEL_GIVEN) {
        bri_reduced_surface(m, v, surface);
    }
    const kernel_contacts one = {.count = 1,
                                 .z = {own, own + 1, own + 2},
                                 .v = {twist, twist + 1, twist + 2},
                                 .fn = &fn,
                                 .h = {surface, surface + 1, surface + 2},
                                 .dz = {end, end + 1, end + 2},
                                 .f = {f, f + 1, f + 2},
                                 .energy = {e, e + 1, e + 2}};
    m->kernel->reduced->hold(&m->look, &m->law, &one, h, m->def.guard);
    z[0] = end[0];
    z[1] = end[1];
    z[2] = m->per_turn * end[2];
    if (energy) {
        *energy = (br_step_energy){.stored = e[0], .dissipated = e[1], .work = e[2]};
    }
    return (br_wrench){f[0], f[1], f[2]};
}

// One by one, where the surface is not the kernel's.
static void hold_each(const br_contact* m, const kernel_contacts* many, double h)
{
    for (size_t i = 0; i < many->count; i++) {
        double z[3] = {many->z[0][i], many->z[1][i], many->z[2][i]};
        const br_twist v = {many->v[0][i], many->v[1][i], many->v[2][i]};
        br_step_energy e;
        const br_wrench f = bri_reduced_hold(m, z, v, many->fn[i], h, &e);
        const double wrench[3] = {f.fx, f.fy, f.tau};
        const double energy[3] = {e.stored, e.dissipated, e.work};
        for (int k = 0; k < 3; k++) {
            many->dz[k][i] = z[k];
            many->f[k][i] = wrench[k];
            many->energy[k][i] = energy[k];
        }
    }
}

void bri_reduced_arrays_hold(const br_contact* m, const kernel_contacts* many, double h)
{
    if (m->turn == 1.0 && m->look.lookup != KERNEL_GIVEN) {
        m->kernel->reduced->hold(&m->look, &m->law, many, h, m->def.guard);
    } else {
        hold_each(m, many, h);
    }
}
