/*
 * Rates and wrench of the reduced methods: three bristles and a limit surface.
 *
 * W&K = Waltersson & Karayiannidis, "Planar Friction Modelling with LuGre Dynamics and Limit
 * Surfaces", section V. Numbers in brackets are that paper's equations.
 *
 *   twist v -> v_S = S v -> h(r, v) (29) -> beta (17), (18) -> dz (31), (32) -> wrench (26)
 *
 * with S = diag(1, 1, r). Deviations from print (docs/explanation/equations.md): W-22 (S), W-18 (third case),
 * W-31 (sign).
 */
#include "planar/contact_reduced.h"

#include "law/law_internal.h"

void bri_reduced_surface(const br_contact* m, br_twist v, double h[3])
{
    const double speed = reduced_speed(m, v);
    if (speed < REDUCED_REST) {
        h[0] = h[1] = h[2] = 0.0;
        return;
    }
    if (m->surface) {
        const br_wrench f = br_limit_eval(m->surface, reduced_slip(m, v)).wrench;
        h[0] = f.fx;
        h[1] = f.fy;
        h[2] = f.tau * m->look.per_r; //                                                        (29)
        return;
    }
    // h = -v_S/|v_S|                                                                    (22), W-22
    h[0] = -v.vx / speed;
    h[1] = -v.vy / speed;
    h[2] = -m->value.r * v.w / speed;
}

// In the axes of the bristles.
static br_wrench eval_inside(const br_contact* m, const double* z, const br_twist* v, double fn,
                             double* dz, kernel_load* load)
{
    double h[3];
    if (m->look.lookup == KERNEL_GIVEN) {
        bri_reduced_surface(m, *v, h);
    }
    kernel_one* alone = kernel_one_of(m->kernel->reduced->few, &m->look, &m->law);
    return alone(&m->look, &m->law, z, v, fn, h, dz, load);
}

br_wrench bri_reduced_eval(const br_contact* m, const double* z, const br_twist* v, double fn,
                           double* dz, kernel_load* load)
{
    if (!m->is_stretched) {
        return eval_inside(m, z, v, fn, dz, load);
    }
    const br_twist entered = map2_enter(m->map, *v);
    return map2_leave(m->map, eval_inside(m, z, &entered, fn, dz, load));
}

br_wrench bri_reduced_steady(const br_contact* m, br_twist v, double fn, double* z)
{
    if (m->is_stretched) {
        v = map2_enter(m->map, v);
    }
    const br_law* law = &m->def.law;
    const double g = br_law_g(law, reduced_speed(m, v));
    double h[3];
    bri_reduced_surface(m, v, h);

    // z* = -S h g/sigma0,  f = -(sigma0 z* + sigma2 U v) fn                        (30), (26), (27)
    if (z) {
        z[0] = -h[0] * g / law->sigma0;
        z[1] = -h[1] * g / law->sigma0;
        z[2] = -m->look.per_turn * m->look.r * h[2] * g / law->sigma0;
    }
    br_wrench f = {(g * h[0] - law->sigma2 * v.vx) * fn, (g * h[1] - law->sigma2 * v.vy) * fn,
                   (g * m->value.r * h[2] - law->sigma2 * m->value.u * v.w) * fn};
    if (m->is_stretched) {
        f = map2_leave(m->map, f);
    }
    return f;
}

// --- arrays of contacts -----------------------------------------------------------------------------------

// The arrays with the surfaces in `h`, if the kernel does not compute these itself.
static kernel_contacts with_surfaces(const br_contact* m, const kernel_contacts* many,
                                     double h[3][REDUCED_MOST])
{
    kernel_contacts c = *many;
    BR_ASSERT(c.count <= REDUCED_MOST);
    for (size_t i = 0; m->look.lookup == KERNEL_GIVEN && i < c.count; i++) {
        double own[3];
        bri_reduced_surface(m, (br_twist){c.v[0][i], c.v[1][i], c.v[2][i]}, own);
        for (int k = 0; k < 3; k++) {
            h[k][i] = own[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        c.h[k] = h[k];
    }
    return c;
}

// In the axes of the bristles; h = 0: rates, else a step of that size (NaN included, which gives NaN).
static void arrays_inside(const br_contact* m, const kernel_contacts* many, double h)
{
    double surfaces[3][REDUCED_MOST];
    const kernel_contacts c = with_surfaces(m, many, surfaces);
    if (h != 0.0) {
        m->kernel->reduced->hold(&m->look, &m->law, &c, h, m->def.guard);
    } else {
        m->kernel->reduced->batch(&m->look, &m->law, &c);
    }
}

static void arrays_stretched(const br_contact* m, const kernel_contacts* many, double h)
{
    double vx[REDUCED_MOST], vy[REDUCED_MOST];
    kernel_contacts c = *many;
    BR_ASSERT(c.count <= REDUCED_MOST);
    for (size_t i = 0; i < c.count; i++) {
        const br_twist v = map2_enter(m->map, (br_twist){c.v[0][i], c.v[1][i], c.v[2][i]});
        vx[i] = v.vx;
        vy[i] = v.vy;
    }
    c.v[0] = vx;
    c.v[1] = vy;
    arrays_inside(m, &c, h);
    for (size_t i = 0; i < c.count; i++) {
        const br_wrench f = map2_leave(m->map, (br_wrench){c.f[0][i], c.f[1][i], c.f[2][i]});
        c.f[0][i] = f.fx;
        c.f[1][i] = f.fy;
    }
}

void bri_reduced_arrays_eval(const br_contact* m, const kernel_contacts* many)
{
    (m->is_stretched ? arrays_stretched : arrays_inside)(m, many, 0.0);
}

void bri_reduced_arrays_hold(const br_contact* m, const kernel_contacts* many, double h)
{
    (m->is_stretched ? arrays_stretched : arrays_inside)(m, many, h);
}

br_wrench bri_reduced_hold(const br_contact* m, double* z, br_twist v, double fn, double h,
                           br_step_energy* energy)
{
    const double start[3] = {z[0], z[1], z[2]}, twist[3] = {v.vx, v.vy, v.w};
    double f[3], e[3];
    const kernel_contacts one = {.count = 1,
                                 .z = {start, start + 1, start + 2},
                                 .v = {twist, twist + 1, twist + 2},
                                 .fn = &fn,
                                 .dz = {z, z + 1, z + 2},
                                 .f = {f, f + 1, f + 2},
                                 .energy = {e, e + 1, e + 2}};
    bri_reduced_arrays_hold(m, &one, h);
    if (energy) {
        *energy = (br_step_energy){.stored = e[0], .work = e[1], .dissipated = e[2]};
    }
    return (br_wrench){f[0], f[1], f[2]};
}
