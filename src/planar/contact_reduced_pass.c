/*
 * The three bristles of a reduced contact within an implicit step of a body.
 *
 * A bundle (kernel.h) with zeta = S^-1 z and, h below being the surface,
 *   y = -h |v_S|,   vn = |y|,   rho = |v_S|/vn = 1/|h|
 *   F = S (bristles' force) + sigma2 U v                                                      (26)
 * With x frozen, y = S v + delta with delta = y - S v frozen keeps F linear and symmetric in v.
 *
 * Memo: x, delta (REDUCED_MEMO).
 */
#include "planar/contact_reduced.h"

#include "law/law_internal.h"

enum { MEMO_DELTA = 1 };

// At rest y = 0; its slope along each axis is the mean of both sides.
static void slopes_at_rest(const br_contact* m, kernel_motion* motion)
{
    static const br_twist axis[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    const double s[3] = {1.0, 1.0, m->value.r};
    for (int j = 0; j < 3; j++) {
        double surface[3];
        bri_reduced_surface(m, axis[j], surface);
        for (int i = 0; i < 3; i++) {
            motion->y[i].d[j] = -surface[i] * s[j];
        }
    }
}

// y, vn, rho, g of a body that moves, and their derivatives; h is the surface, of the size h_norm
static void slip_of(const br_contact* m, br_twist v, const double h[3], double h_norm,
                    kernel_motion* motion)
{
    const double s[3] = {1.0, 1.0, m->value.r}, vs[3] = {v.vx, v.vy, m->value.r * v.w};
    const double speed = reduced_speed(m, v);
    double slopes[3][3];
    bri_reduced_surface_slopes(m, v, h, slopes);
    motion->vn.value = h_norm * speed;
    motion->rho.value = 1.0 / h_norm;
    motion->g = (kernel_number){.value = br_law_g(&m->def.law, speed)};
    for (int j = 0; j < 3; j++) {
        // d|v_S| = S v_S/|v_S|,  d|h| = h.dh/|h|
        const double speed_v = s[j] * vs[j] / speed;
        const double column[3] = {slopes[0][j], slopes[1][j], slopes[2][j]};
        const double norm_v = vec3_dot(h, column) / h_norm; // times |v_S|
        for (int i = 0; i < 3; i++) {
            motion->y[i].value = -h[i] * speed;
            motion->y[i].d[j] = -(column[i] + h[i] * speed_v);
        }
        motion->vn.d[j] = norm_v + h_norm * speed_v;
        motion->rho.d[j] = -norm_v / (speed * h_norm * h_norm);
        motion->g.d[j] = bri_g_slope(&m->def.law, speed) * speed_v;
    }
}

static kernel_motion motion_of(const br_contact* m, br_twist v)
{
    kernel_motion motion = {.rho = {.value = 1.0}, .g = {.value = br_law_g(&m->def.law, 0.0)}};
    double h[3];
    bri_reduced_surface(m, v, h);
    const double h_norm = vec3_norm(h);

    // at rest; or nothing resists, as where a surface has become a point's and the body turns on it
    if (h_norm == 0.0) {
        slopes_at_rest(m, &motion);
    } else {
        slip_of(m, v, h, h_norm, &motion);
    }
    return motion;
}

void bri_reduced_pass(const br_contact* m, const kernel_step* in, kernel_force* out)
{
    const double *v = in->v, s[3] = {1.0, 1.0, m->value.r};
    const kernel_motion motion = motion_of(m, (br_twist){v[0], v[1], v[2]});
    const double sigma2 = m->def.law.sigma2, viscous[3] = {sigma2, sigma2, sigma2 * m->value.u};
    double zeta[3];
    reduced_zeta(m, in->z, zeta);
    const kernel_step step = {.z = zeta, .h = in->h, .memo = in->memo};
    kernel_force force;
    m->kernel->moved(&motion, &m->law, &step, &force);
    out->elastic = in->memo[0] == 0.0 && !m->surface;
    for (int i = 0; i < 3; i++) {
        in->memo[MEMO_DELTA + i] = m->surface ? motion.y[i].value - s[i] * v[i] : 0.0;
        out->f[i] = s[i] * force.f[i] + viscous[i] * v[i];
        for (int j = 0; j < 3; j++) {
            out->f_v[i][j] = s[i] * force.f_v[i][j] + (i == j) * viscous[i];
        }
    }
}

// The largest sigma1 that cannot make the heat negative, (2 sigma0/kappa)(1 + sqrt(1 + kappa h/2)),
// or the law's if that is less; x = h kappa.
static double passive_sigma1(const br_law* law, double x, double h)
{
    const double most = 2.0 * law->sigma0 * h * (1.0 + sqrt(1.0 + 0.5 * x));
    return x * law->sigma1 > most ? most / x : law->sigma1;
}

static double sigma1_of(const br_contact* m, const kernel_step* in, int limited)
{
    return limited && m->def.guard ? passive_sigma1(&m->def.law, in->memo[0], in->h)
                                   : m->def.law.sigma1;
}

void bri_reduced_linear(const br_contact* m, const kernel_step* in, int limited, kernel_linear* out)
{
    const br_law* law = &m->def.law;
    const double s[3] = {1.0, 1.0, m->value.r}, u[3] = {1.0, 1.0, m->value.u};
    const double sigma1 = sigma1_of(m, in, limited), rest = 1.0 / (1.0 + in->memo[0]);
    const double stiff = (law->sigma0 + sigma1 / in->h) * rest;
    double zeta[3];
    reduced_zeta(m, in->z, zeta);
    *out = (kernel_linear){.rest = {0.0}};
    for (int i = 0; i < 3; i++) {
        const double moved = zeta[i] + in->h * in->memo[MEMO_DELTA + i];
        out->slope[i][i] = s[i] * stiff * in->h * s[i] + law->sigma2 * u[i];
        out->rest[i] = s[i] * (stiff * moved - sigma1 / in->h * zeta[i]);
    }
}

// Heat per h fn without that of sigma2, zd = (zeta1 - zeta0)/h, kappa = x/h:
// sigma0 kappa |zeta1|^2 + sigma1 (|zd|^2 + kappa zeta1.zd) + sigma0 h |zd|^2/2
static double heat_of(const br_law* law, double sigma1, double x, double h, const double zeta1[3],
                      const double zd[3])
{
    const double kappa = x / h, rate = vec3_dot(zd, zd);
    return law->sigma0 * kappa * vec3_dot(zeta1, zeta1) +
           sigma1 * (rate + kappa * vec3_dot(zeta1, zd)) + 0.5 * law->sigma0 * h * rate;
}

void bri_reduced_close(const br_contact* m, const kernel_step* in, int limited, double* z1,
                       kernel_closed* out)
{
    const br_law* law = &m->def.law;
    const double s[3] = {1.0, 1.0, m->value.r}, u[3] = {1.0, 1.0, m->value.u};
    const double *v = in->v, *delta = in->memo + MEMO_DELTA, x = in->memo[0];
    const double sigma1 = sigma1_of(m, in, limited);
    double before[3], after[3], zd[3], l[3];
    reduced_zeta(m, in->z, before);
    for (int i = 0; i < 3; i++) {
        after[i] = (before[i] + in->h * (s[i] * v[i] + delta[i])) / (1.0 + x);
        zd[i] = (after[i] - before[i]) / in->h;
        l[i] = law->sigma0 * after[i] + sigma1 * zd[i];
    }
    // the body moves with y - delta
    out->heat = heat_of(law, sigma1, x, in->h, after, zd) - vec3_dot(l, delta);
    for (int i = 0; i < 3; i++) {
        out->heat += law->sigma2 * u[i] * v[i] * v[i];
        out->f[i] = s[i] * l[i] + law->sigma2 * u[i] * v[i];
    }
    reduced_z(m, after, z1);
    out->before = 0.5 * law->sigma0 * vec3_dot(before, before);
    out->after = 0.5 * law->sigma0 * vec3_dot(after, after);
}
