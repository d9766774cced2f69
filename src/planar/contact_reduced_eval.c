/*
 * Rates and wrench of the reduced methods: three bristles and a limit surface.
 *
 * W&K = Waltersson & Karayiannidis, "Planar Friction Modelling with LuGre Dynamics and Limit
 * Surfaces", section V. Numbers in brackets are that paper's equations.
 *
 *   twist v -> v_S = S v -> h(r, v) (29) -> beta (17), (18) -> dz (31), (32) -> wrench (26)
 *
 * with S = diag(1, 1, r). Deviations from print (docs/equations.md): W-22 (S), W-18 (third case),
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
        h[2] = f.tau * m->inverse_r; //                                                        (29)
        return;
    }
    // h = -v_S/|v_S|                                                                    (22), W-22
    h[0] = -v.vx / speed;
    h[1] = -v.vy / speed;
    h[2] = -m->value.r * v.w / speed;
}

// beta(S^-1 z, -h |v_S|): how plastic the bristles are                                   (16)-(18)
double bri_reduced_beta(const br_law* law, const double zeta[3], const double h[3], double g)
{
    if (law->kind == BR_LAW_LUGRE) {
        return 1.0;
    }
    const double z_norm = vec3_norm(zeta), h_norm = vec3_norm(h);
    if (z_norm == 0.0 || h_norm == 0.0) {
        return 0.0; // its factor z |v_S| is 0
    }
    // epsilon = (v^ . z^ + 1)/2,  beta = epsilon alpha(|z|),  z_max = |h| g/sigma0      (16), (17)
    const double share = bri_plastic_share(law->sigma0 * z_norm / (h_norm * g), law->s_ba, NULL);
    const double cosine = -vec3_dot(h, zeta) / (h_norm * z_norm);
    return 0.5 * (cosine + 1.0) * share;
}

br_wrench bri_reduced_wrench(const br_contact* m, const double z[3], const double dz[3], br_twist v,
                             double fn)
{
    const br_law* law = &m->def.law;
    const double viscous = law->sigma2 * m->value.u;
    const double torque = m->turn * (law->sigma0 * z[2] + law->sigma1 * dz[2]) + viscous * v.w;
    return (br_wrench){-(law->sigma0 * z[0] + law->sigma1 * dz[0] + law->sigma2 * v.vx) * fn,
                       -(law->sigma0 * z[1] + law->sigma1 * dz[1] + law->sigma2 * v.vy) * fn,
                       -torque * fn};
}

// Speeds whose squares leave the range of numbers, as the paper writes it.
static br_wrench eval_plain(const br_contact* m, const double* z, br_twist v, double fn, double* dz)
{
    const double s[3] = {1.0, 1.0, m->z_per_zeta};
    const double speed = reduced_speed(m, v), g = br_law_g(&m->def.law, speed);
    double h[3], zeta[3];
    bri_reduced_surface(m, v, h);
    reduced_zeta(m, z, zeta);

    // dz = -(S h + z beta sigma0 / g) |v_S|                                       (31), (32), W-31
    const double decay = bri_reduced_beta(&m->def.law, zeta, h, g) * m->def.law.sigma0 / g;
    for (int i = 0; i < 3; i++) {
        dz[i] = -(s[i] * h[i] + z[i] * decay) * speed;
    }
    return bri_reduced_wrench(m, z, dz, v, fn);
}

// Squares of slower and of faster speeds vanish or overflow [m/s].
#define LEAST_SPEED 1e-140
#define MOST_SPEED  1e140

static int is_moderate(const br_contact* m, br_twist v)
{
    const double speed = fabs(v.vx) + fabs(v.vy) + m->value.r * fabs(v.w);
    return speed == 0.0 || (speed > LEAST_SPEED && speed < MOST_SPEED);
}

br_wrench bri_reduced_eval(const br_contact* m, const double* z, const br_twist* v, double fn,
                           double* dz, kernel_load* load)
{
    if (!is_moderate(m, *v)) {
        if (load) {
            *load = bri_reduced_load(m, z, *v);
        }
        return eval_plain(m, z, *v, fn, dz);
    }
    double h[3];
    if (m->look.lookup == KERNEL_GIVEN) {
        bri_reduced_surface(m, *v, h);
    }
    kernel_one* alone = kernel_one_of(m->kernel->reduced->few, &m->look, &m->law);
    return alone(&m->look, &m->law, z, v, fn, h, dz, load);
}

br_wrench bri_reduced_steady(const br_contact* m, br_twist v, double fn, double* z)
{
    const double g = br_law_g(&m->def.law, reduced_speed(m, v));
    double h[3];
    bri_reduced_surface(m, v, h);

    // z* = -S h g/sigma0                                                                      (30)
    const double per = -g / m->def.law.sigma0;
    const double steady[3] = {h[0] * per, h[1] * per, m->z_per_zeta * h[2] * per};
    if (z) {
        memcpy(z, steady, sizeof steady);
    }
    return bri_reduced_wrench(m, steady, (const double[3]){0.0, 0.0, 0.0}, v, fn);
}

// One by one: where the surface is not the kernel's, or a speed is out of its range.
static void eval_each(const br_contact* m, const kernel_contacts* many)
{
    for (size_t i = 0; i < many->count; i++) {
        const double z[3] = {many->z[0][i], many->z[1][i], many->z[2][i]};
        const br_twist v = {many->v[0][i], many->v[1][i], many->v[2][i]};
        double dz[3];
        const br_wrench f = bri_reduced_eval(m, z, &v, many->fn[i], dz, NULL);
        const double wrench[3] = {f.fx, f.fy, f.tau};
        for (int k = 0; k < 3; k++) {
            many->dz[k][i] = dz[k];
            many->f[k][i] = wrench[k];
        }
    }
}

static int are_moderate(const br_contact* m, const kernel_contacts* many)
{
    int all = 1;
    for (size_t i = 0; i < many->count; i++) {
        all &= is_moderate(m, (br_twist){many->v[0][i], many->v[1][i], many->v[2][i]});
    }
    return all;
}

void bri_reduced_arrays_eval(const br_contact* m, const kernel_contacts* many)
{
    if (m->turn == 1.0 && m->look.lookup != KERNEL_GIVEN && are_moderate(m, many)) {
        m->kernel->reduced->batch(&m->look, &m->law, many);
    } else {
        eval_each(m, many);
    }
}
