/*
 * Derivatives of the reduced model, for implicit integrators: those of one bundle (kernel_moved.inc) with the
 * motion of contact_reduced_pass.c, converted from zeta = S^-1 z to the state and the wrench.
 *
 *   dz = S rate,   f = -(sigma0 z + s dz + sigma2 U v) fn                            (26), (32), D-1
 */
#include "planar/contact_reduced.h"

// Rates of zeta and their derivatives. At v = 0: the rate of a motion along each axis, mean of both sides.
static kernel_slopes slopes_of(const br_contact* m, const kernel_motion* motion, const double* z)
{
    const kernel* lone = m->kernel->lone;
    double zeta[3];
    kernel_slopes out, side;
    reduced_zeta(m, z, zeta);
    lone->moved_slopes(motion, &m->law, zeta, &out);
    for (int j = 0; motion->vn.v == 0.0 && j < 3; j++) {
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
    const kernel_motion motion = bri_reduced_motion(m, v);
    const kernel_slopes slopes = slopes_of(m, &motion, z);
    for (int i = 0; i < 3; i++) {
        const double sigma0 = turn[i] * law->sigma0, dz = s[i] * slopes.rate[i];
        const double sigma1 = turn[i] * law->sigma1 * (1.0 - motion.less.v);
        out->f_fn[i] = -(sigma0 * z[i] + sigma1 * dz + law->sigma2 * u[i]);
        for (int j = 0; j < 3; j++) {
            // the spin of a point decays, although its zeta is 0
            const double dz_z = i == j ? slopes.by_z[i][i] : s[i] * slopes.by_z[i][j] * per_s[j];
            const double dz_v = s[i] * slopes.by_v[i][j];
            const double faded = turn[i] * law->sigma1 * motion.less.d[j] * dz;
            out->f_v[i][j] = -((i == j) * viscous[i] + sigma1 * dz_v - faded) * fn;
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
