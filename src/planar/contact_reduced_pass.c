/*
 * The three bristles of a reduced model within an implicit step of a body.
 *
 * A bundle (bundle.h) with zeta = S^-1 z and, h below being the surface,
 *   y = -h |v_S|,   vn = |y|,   rho = |v_S|/vn = 1/|h|,   f = 1
 *   F = S (bristles' force) + sigma2 U v                                                      (26)
 * With x frozen, y = S v + delta with delta = y - S v frozen keeps F linear and symmetric in v.
 *
 * Memo: x, g, frozen x, delta (REDUCED_MEMO).
 */
#include "planar/contact_reduced.h"
#include "planar/step_internal.h"

#include "law/law_internal.h"
#include "planar/bundle.h"

enum { MEMO_DELTA = 3 };

// At rest y = 0; its slope along each axis is the mean of both sides.
static void slopes_at_rest(const br_contact* m, bundle_motion* motion)
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
                    bundle_motion* motion)
{
    const double s[3] = {1.0, 1.0, m->value.r}, vs[3] = {v.vx, v.vy, m->value.r * v.w};
    const double speed = reduced_speed(m, v);
    double slopes[3][3];
    bri_reduced_surface_slopes(m, v, h, slopes);
    motion->vn.value = h_norm * speed;
    motion->rho.value = 1.0 / h_norm;
    motion->g = (by_twist){.value = br_law_g(&m->def.law, speed)};
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
        motion->g.d[j] = g_slope(&m->def.law, speed) * speed_v;
    }
}

static bundle_motion motion_of(const br_contact* m, br_twist v)
{
    bundle_motion motion = {
        .rho = {.value = 1.0}, .f = {.value = 1.0}, .g = {.value = br_law_g(&m->def.law, 0.0)}};
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

void bri_reduced_pass(const br_contact* m, const step_pass* in, step_force* out)
{
    const bundle_motion motion = motion_of(m, in->v);
    const double s[3] = {1.0, 1.0, m->value.r}, v[3] = {in->v.vx, in->v.vy, in->v.w};
    const double viscous[3] = {m->def.law.sigma2, m->def.law.sigma2,
                               m->def.law.sigma2 * m->value.u};
    bundle_pass pass = {.law = &m->def.law, .motion = &motion, .h = in->h};
    reduced_zeta(m, in->z, pass.z0);
    bundle_pass_eval(&pass, in->law, in->memo, 1, &out->f, &out->f_v);
    out->elastic = in->memo[0] == 0.0 && !m->surface;
    for (int i = 0; i < 3; i++) {
        in->memo[MEMO_DELTA + i] = m->surface ? motion.y[i].value - s[i] * v[i] : 0.0;
        out->f.e[i] = s[i] * out->f.e[i] + viscous[i] * v[i];
        for (int j = 0; j < 3; j++) {
            out->f_v.e[i][j] = s[i] * out->f_v.e[i][j] + (i == j) * viscous[i];
        }
    }
}

static double sigma1_of(const br_contact* m, const step_pass* in, int limited)
{
    return limited && m->def.guard ? passive_sigma1(&m->def.law, in->memo[0], in->h)
                                   : m->def.law.sigma1;
}

void bri_reduced_linear(const br_contact* m, const step_pass* in, int limited, step_linear* out)
{
    const br_law* law = &m->def.law;
    const double s[3] = {1.0, 1.0, m->value.r}, u[3] = {1.0, 1.0, m->value.u};
    const double sigma1 = sigma1_of(m, in, limited), rest = 1.0 / (1.0 + in->memo[0]);
    const double stiff = (law->sigma0 + sigma1 / in->h) * rest;
    double zeta[3];
    reduced_zeta(m, in->z, zeta);
    *out = (step_linear){.rest = {{0.0}}};
    for (int i = 0; i < 3; i++) {
        const double moved = zeta[i] + in->h * in->memo[MEMO_DELTA + i];
        out->slope.e[i][i] = s[i] * stiff * in->h * s[i] + law->sigma2 * u[i];
        out->rest.e[i] = s[i] * (stiff * moved - sigma1 / in->h * zeta[i]);
    }
}

void bri_reduced_close(const br_contact* m, const step_pass* in, int limited, double* z1,
                       step_closed* out)
{
    const br_law* law = &m->def.law;
    const double s[3] = {1.0, 1.0, m->value.r}, u[3] = {1.0, 1.0, m->value.u};
    const double v[3] = {in->v.vx, in->v.vy, in->v.w}, x = in->memo[0];
    const double* delta = in->memo + MEMO_DELTA;
    bundle_step step = {.decay = {x, x, x}, .sigma1 = sigma1_of(m, in, limited), .h = in->h};
    reduced_zeta(m, in->z, step.z0);
    for (int i = 0; i < 3; i++) {
        step.z1[i] = (step.z0[i] + in->h * (s[i] * v[i] + delta[i])) / (1.0 + x);
    }
    double l[3];
    bundle_force(law, &step, l);
    out->heat = bundle_heat(law, &step) - vec3_dot(l, delta); // the body moves with y - delta
    for (int i = 0; i < 3; i++) {
        out->heat += law->sigma2 * u[i] * v[i] * v[i];
        out->f.e[i] = s[i] * l[i] + law->sigma2 * u[i] * v[i];
    }
    reduced_z(m, step.z1, z1);
    out->before = 0.5 * law->sigma0 * vec3_dot(step.z0, step.z0);
    out->after = 0.5 * law->sigma0 * vec3_dot(step.z1, step.z1);
}
