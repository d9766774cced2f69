/*
 * Derivatives of the reduced model, for implicit integrators and for identification: those of one bundle
 * (kernel_moved.inc) that moves as contact_reduced_pass.c says, from zeta = S^-1 z to the state and the wrench.
 *
 *   dz = S rate,   f = -(sigma0 z + sigma1 dz + sigma2 U v) fn                            (26), (32)
 */
#include "planar/contact_reduced.h"

// Rates of zeta and their derivatives. At v = 0: the rate of a motion along each axis, mean of both sides.
static kernel_slopes slopes_of(const br_contact* m, const double* z, br_twist v)
{
    const kernel* lone = m->kernel->lone;
    const kernel_motion motion = bri_reduced_motion(m, v);
    double zeta[3];
    kernel_slopes out, side;
    reduced_zeta(m, z, zeta);
    lone->moved_slopes(&motion, &m->law, zeta, &out);
    for (int j = 0; motion.vn.value == 0.0 && j < 3; j++) {
        const kernel_motion along = bri_reduced_motion_along(m, j);
        lone->moved_slopes(&along, &m->law, zeta, &side);
        for (int i = 0; i < 3; i++) {
            out.by_v[i][j] = side.rate[i];
        }
    }
    return out;
}

void bri_reduced_gradient(const br_contact* m, const double* z, br_twist v, double fn,
                          br_contact_gradient* out)
{
    const br_law* law = &m->def.law;
    const double s[3] = {1.0, 1.0, m->look.per_turn * m->look.r},
                 per_s[3] = {1.0, 1.0, m->look.turn * m->look.per_r};
    const double turn[3] = {1.0, 1.0, m->look.turn}, u[3] = {v.vx, v.vy, m->value.u * v.w};
    const double viscous[3] = {law->sigma2, law->sigma2, law->sigma2 * m->value.u};
    const kernel_slopes slopes = slopes_of(m, z, v);
    for (int i = 0; i < 3; i++) {
        const double sigma0 = turn[i] * law->sigma0, sigma1 = turn[i] * law->sigma1;
        out->f_fn[i] = -(sigma0 * z[i] + sigma1 * s[i] * slopes.rate[i] + law->sigma2 * u[i]);
        for (int j = 0; j < 3; j++) {
            // a point's spin decays by itself, though its zeta stays 0
            const double dz_z = i == j ? slopes.by_z[i][i] : s[i] * slopes.by_z[i][j] * per_s[j];
            const double dz_v = s[i] * slopes.by_v[i][j];
            out->f_v[i][j] = -((i == j) * viscous[i] + sigma1 * dz_v) * fn;
            if (out->f_z) {
                out->f_z[3 * i + j] = -((i == j) * sigma0 + sigma1 * dz_z) * fn;
            }
            if (out->dz_z) {
                out->dz_z[3 * i + j] = dz_z;
            }
            if (out->dz_v) {
                out->dz_v[3 * i + j] = dz_v;
            }
        }
    }
}

void bri_reduced_sensitivity(const br_contact* m, const double* z, br_twist v, double fn,
                             br_contact_sensitivity* out)
{
    const double speed = reduced_speed(m, v);
    const double viscous[3] = {v.vx, v.vy, m->value.u * v.w}, turn[3] = {1.0, 1.0, m->look.turn};
    const kernel_motion motion = bri_reduced_motion(m, v);
    double zeta[3], dz[3], k_by[BR_BY_COUNT];
    reduced_zeta(m, z, zeta);
    m->kernel->lone->moved_sensitivity(&motion, &m->law, zeta, speed * speed, k_by);
    bri_reduced_eval(m, z, &v, fn, dz, NULL);
    for (int k = 0; k < BR_BY_COUNT; k++) {
        for (int i = 0; i < 3; i++) {
            const double direct = k == BR_BY_SIGMA0   ? turn[i] * z[i]
                                  : k == BR_BY_SIGMA1 ? turn[i] * dz[i]
                                  : k == BR_BY_SIGMA2 ? viscous[i]
                                                      : 0.0;
            const double by_rate = -z[i] * k_by[k];
            out->f[k][i] = -(direct + turn[i] * m->def.law.sigma1 * by_rate) * fn;
            if (out->dz) {
                out->dz[3 * k + i] = by_rate;
            }
        }
    }
}
