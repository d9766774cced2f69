/*
 * The motion of the three bristles of a reduced contact, and a pass over them in an implicit step of a body.
 *
 * A bundle (kernel.h) with zeta = S^-1 z and, h below being the surface,
 *   y = -h |v_S|,   vn = |y|,   rho = |v_S|/vn = 1/|h|
 *   F = S (bristles' force) + sigma2 U v                                                      (26)
 * With x frozen, y = S v + delta with delta = y - S v frozen keeps F linear and symmetric in v.
 *
 * h has degree 0 in v, so |v_S| dh/dv is the Jacobian of h at the twist v/|v_S| and stays finite as
 * v goes to 0. The decay cache has x, delta, 1 - e (REDUCED_MEMO).
 */
#include "planar/contact_reduced.h"

#include "law/law_internal.h"

enum { CACHE_DELTA = 1, CACHE_LESS = 4 };

kernel_motion bri_reduced_motion_along(const br_contact* m, int axis)
{
    static const br_twist twist[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    const double speed = axis == 2 ? m->value.r : 1.0;
    double h[3];
    bri_reduced_surface(m, twist[axis], h);
    const double h_norm = vec3_norm(h);
    return (kernel_motion){.y = {{.v = -h[0] * speed}, {.v = -h[1] * speed}, {.v = -h[2] * speed}},
                           .rho = {.v = h_norm > 0.0 ? 1.0 / h_norm : 1.0},
                           .g = {.v = br_law_g(&m->def.law, 0.0)}};
}

// At rest y = 0; its slope along each axis is the mean of both sides.
static kernel_motion motion_at_rest(const br_contact* m)
{
    kernel_motion motion = {.rho = {.v = 1.0}, .g = {.v = br_law_g(&m->def.law, 0.0)}};
    for (int j = 0; j < 3; j++) {
        const kernel_motion along = bri_reduced_motion_along(m, j);
        for (int i = 0; i < 3; i++) {
            motion.y[i].d[j] = along.y[i].v;
        }
    }
    return motion;
}

// |v_S| dh/dv for v that is not 0, h as bri_reduced_surface() gives it.
static void surface_slopes(const br_contact* m, br_twist v, const double h[3], double out[3][3])
{
    const double s[3] = {1.0, 1.0, m->value.r}, speed = reduced_speed(m, v);
    if (m->surface) {
        const br_twist slip = reduced_slip(m, v);
        const br_twist unit = {slip.vx / speed, slip.vy / speed, slip.w / speed};
        br_limit_jacobian_eval(m->surface, unit, out);
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            // h = -v_S/|v_S| of the ellipsoid                                                 (22)
            const double round = -((i == j) - h[i] * h[j]) * s[j];
            out[i][j] = m->surface ? out[i][j] * (i < 2 ? 1.0 : m->look.per_r) : round;
        }
    }
}

// y, vn, rho, g of a body that moves, and their derivatives; h is the surface, h_norm = |h|
static kernel_motion slip_of(const br_contact* m, br_twist v, const double h[3], double h_norm)
{
    kernel_motion out;
    const double s[3] = {1.0, 1.0, m->value.r}, vs[3] = {v.vx, v.vy, m->value.r * v.w};
    const double speed = reduced_speed(m, v);
    double slopes[3][3];
    surface_slopes(m, v, h, slopes);
    out.vn.v = h_norm * speed;
    out.rho.v = 1.0 / h_norm;
    double e_speed;
    out.g = (kernel_number){.v = br_law_g(&m->def.law, speed)};
    out.less = (kernel_number){.v = 1.0 - bri_damping_share(&m->def.law, speed, &e_speed)};
    for (int j = 0; j < 3; j++) {
        // d|v_S| = S v_S/|v_S|,  d|h| = h.dh/|h|
        const double speed_v = s[j] * vs[j] / speed;
        const double column[3] = {slopes[0][j], slopes[1][j], slopes[2][j]};
        const double norm_v = vec3_dot(h, column) / h_norm; // times |v_S|
        for (int i = 0; i < 3; i++) {
            out.y[i].v = -h[i] * speed;
            out.y[i].d[j] = -(column[i] + h[i] * speed_v);
        }
        out.vn.d[j] = norm_v + h_norm * speed_v;
        out.rho.d[j] = -norm_v / (speed * h_norm * h_norm);
        out.g.d[j] = bri_g_slope(&m->def.law, speed) * speed_v;
        out.less.d[j] = -e_speed * speed_v;
    }
    return out;
}

kernel_motion bri_reduced_motion(const br_contact* m, br_twist v)
{
    double h[3];
    bri_reduced_surface(m, v, h);
    const double h_norm = vec3_norm(h);

    // at rest, or nothing resists: the patch has shrunk to a point and the body pivots on it
    return h_norm == 0.0 ? motion_at_rest(m) : slip_of(m, v, h, h_norm);
}

void bri_reduced_pass(const br_contact* m, const kernel_step* in, kernel_force* out)
{
    const double *v = in->v, s[3] = {1.0, 1.0, m->value.r};
    const kernel_motion motion = bri_reduced_motion(m, (br_twist){v[0], v[1], v[2]});
    const double sigma2 = m->def.law.sigma2, viscous[3] = {sigma2, sigma2, sigma2 * m->value.u};
    double zeta[3];
    reduced_zeta(m, in->z, zeta);
    const kernel_step step = {.z = zeta, .h = in->h, .decay_cache = in->decay_cache};
    kernel_force force;
    m->kernel->lone->moved(&motion, &m->law, &step, &force);
    in->decay_cache[CACHE_LESS] = motion.less.v;
    out->elastic = force.elastic;
    out->follows = !m->surface;
    for (int i = 0; i < 3; i++) {
        in->decay_cache[CACHE_DELTA + i] = m->surface ? motion.y[i].v - s[i] * v[i] : 0.0;
        out->f[i] = s[i] * force.f[i] + viscous[i] * v[i];
        for (int j = 0; j < 3; j++) {
            out->f_v[i][j] = s[i] * force.f_v[i][j] + (i == j) * viscous[i];
        }
    }
}

int bri_reduced_sticks(const br_contact* m, const kernel_step* in)
{
    const kernel_law* law = &m->law;
    if (m->surface || !law->plastic) {
        return 0;
    }
    // y = S v, rho = 1: elastic while sigma0 |zeta + h y| <= s_ba g
    const double v[3] = {in->v[0], in->v[1], m->value.r * in->v[2]};
    double t[3], e_speed;
    reduced_zeta(m, in->z, t);
    for (int i = 0; i < 3; i++) {
        t[i] += in->h * v[i];
    }
    const double speed = vec3_norm(v), reach = law->sigma0 * vec3_norm(t);
    const double less = 1.0 - bri_damping_share(&m->def.law, speed, &e_speed);
    in->decay_cache[CACHE_LESS] = less;
    return reach <= law->s_ba * br_law_g(&m->def.law, speed) && less <= STICKING_LESS;
}

void bri_reduced_follow_body(double* decay_cache)
{
    memset(decay_cache + CACHE_DELTA, 0, 3 * sizeof *decay_cache);
}
