/*
 * Derivatives of the reduced model, for implicit integrators and for identification.
 *
 *   dz = -(S h |v_S| + z a),   a = beta sigma0 |v_S|/g                                          (32)
 *
 * h has degree 0 in v, so |v_S| dh/dv is the Jacobian of h at the twist v/|v_S| and stays finite as
 * v goes to 0. Numbers in brackets are W&K's equations.
 */
#include "planar/contact_reduced.h"

#include "law/law_internal.h"

// How plastic the bristles are, beta of (16)-(18), and its derivatives.
typedef struct plastic {
    double beta;
    double q;          // |z|/z_max, z_max = |h| g/sigma0
    double by_q;       // epsilon d alpha/dq
    double by_zeta[3]; // d beta/d zeta [1/m]
    double by_h[3];    // d beta/d h [-]
} plastic;

// One state and twist, and what both kinds of derivatives need.
typedef struct point {
    double s[3];  // diagonal of S, the third over the turn of the state
    double speed; // |v_S|
    double g, dg; // g(|v_S|) and its slope
    double h[3];
    double unit; // sigma0 |v_S|/g: the decay a where beta = 1
    plastic p;
} point;

// beta and its derivatives, for z and h that are not 0                                    (16)-(18)
static plastic plastic_of(const br_law* law, const double zeta[3], const double h[3], double g)
{
    plastic p = {.beta = law->kind == BR_LAW_LUGRE};
    const double z_norm = vec3_norm(zeta), h_norm = vec3_norm(h);
    if (law->kind == BR_LAW_LUGRE || z_norm == 0.0 || h_norm == 0.0) {
        return p; // elastic at z = 0, with all slopes
    }
    double slope;
    p.q = law->sigma0 * z_norm / (h_norm * g);
    const double alpha = bri_plastic_share(p.q, law->s_ba, &slope);
    const double cosine = -vec3_dot(h, zeta) / (h_norm * z_norm);
    p.beta = 0.5 * (cosine + 1.0) * alpha;
    p.by_q = 0.5 * (cosine + 1.0) * slope;
    for (int i = 0; i < 3; i++) {
        const double along_z = zeta[i] / z_norm, along_v = -h[i] / h_norm;
        p.by_zeta[i] =
            (0.5 * alpha * (along_v - cosine * along_z) + p.by_q * p.q * along_z) / z_norm;
        p.by_h[i] = (0.5 * alpha * (cosine * along_v - along_z) + p.by_q * p.q * along_v) / h_norm;
    }
    return p;
}

static point point_of(const br_contact* m, const double z[3], br_twist v)
{
    point at = {.s = {1.0, 1.0, m->z_per_zeta}, .speed = reduced_speed(m, v)};
    double zeta[3];
    at.g = br_law_g(&m->def.law, at.speed);
    at.dg = bri_g_slope(&m->def.law, at.speed);
    at.unit = m->def.law.sigma0 * at.speed / at.g;
    bri_reduced_surface(m, v, at.h);
    reduced_zeta(m, z, zeta);
    at.p = plastic_of(&m->def.law, zeta, at.h, at.g);
    return at;
}

void bri_reduced_surface_slopes(const br_contact* m, br_twist v, const double h[3],
                                double out[3][3])
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
            out[i][j] = m->surface ? out[i][j] * (i < 2 ? 1.0 : m->inverse_r) : round;
        }
    }
}

static void rates_by_v(const br_contact* m, const point* at, const double z[3], br_twist v,
                       double out[3][3])
{
    const double vs[3] = {v.vx, v.vy, m->value.r * v.w};
    const double by_speed =
        m->def.law.sigma0 / at->g *
        (at->p.beta - at->speed * at->dg / at->g * (at->p.beta + at->p.by_q * at->p.q));
    double slopes[3][3];
    bri_reduced_surface_slopes(m, v, at->h, slopes);
    for (int j = 0; j < 3; j++) {
        // d|v_S|/dv = S v_S/|v_S|,  da/dv by way of |v_S| and by way of h
        const double speed_v = (j < 2 ? 1.0 : m->value.r) * vs[j] / at->speed;
        const double column[3] = {slopes[0][j], slopes[1][j], slopes[2][j]};
        const double a_v =
            by_speed * speed_v + m->def.law.sigma0 / at->g * vec3_dot(at->p.by_h, column);
        for (int i = 0; i < 3; i++) {
            out[i][j] = -(at->s[i] * (column[i] + at->h[i] * speed_v) + z[i] * a_v);
        }
    }
}

// At v = 0: the rate of a motion along each axis, mean of both sides. h changes its sign with v.
static void rates_by_v_at_rest(const br_contact* m, const point* at, const double z[3],
                               double out[3][3])
{
    static const br_twist axis[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    double zeta[3];
    reduced_zeta(m, z, zeta);
    for (int j = 0; j < 3; j++) {
        double h[3];
        bri_reduced_surface(m, axis[j], h);
        const double back[3] = {-h[0], -h[1], -h[2]};
        const double beta = 0.5 * (plastic_of(&m->def.law, zeta, h, at->g).beta -
                                   plastic_of(&m->def.law, zeta, back, at->g).beta);
        for (int i = 0; i < 3; i++) {
            const double per_speed = at->s[i] * h[i] + z[i] * beta * m->def.law.sigma0 / at->g;
            out[i][j] = -per_speed * (j < 2 ? 1.0 : m->value.r);
        }
    }
}

// f = -(sigma0 z + sigma1 dz + sigma2 U v) fn                                                (26)
static void wrench_slopes(const br_contact* m, double fn, double dz_z[3][3], double dz_v[3][3],
                          br_contact_gradient* out)
{
    const br_law* law = &m->def.law;
    const double viscous[3] = {law->sigma2, law->sigma2, law->sigma2 * m->value.u};
    const double turn[3] = {1.0, 1.0, m->turn};
    for (int i = 0; i < 3; i++) {
        const double sigma0 = turn[i] * law->sigma0, sigma1 = turn[i] * law->sigma1;
        for (int j = 0; j < 3; j++) {
            const double f_z = -((i == j) * sigma0 + sigma1 * dz_z[i][j]) * fn;
            out->f_v[i][j] = -((i == j) * viscous[i] + sigma1 * dz_v[i][j]) * fn;
            if (out->f_z) {
                out->f_z[3 * i + j] = f_z;
            }
        }
    }
}

static void rates_of(const point* at, const double z[3], double dz[3])
{
    for (int i = 0; i < 3; i++) {
        dz[i] = -(at->s[i] * at->h[i] * at->speed + z[i] * at->p.beta * at->unit);
    }
}

static void rates_by_z(const br_contact* m, const point* at, const double z[3], double out[3][3])
{
    const double inverse_s[3] = {1.0, 1.0, m->zeta_per_z};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out[i][j] =
                -at->unit * ((i == j) * at->p.beta + z[i] * at->p.by_zeta[j] * inverse_s[j]);
        }
    }
}

void bri_reduced_gradient(const br_contact* m, const double* z, br_twist v, double fn,
                          br_contact_gradient* out)
{
    const point at = point_of(m, z, v);
    double dz_z[3][3], dz_v[3][3], dz[3];
    rates_by_z(m, &at, z, dz_z);
    if (at.speed == 0.0) {
        rates_by_v_at_rest(m, &at, z, dz_v);
    } else {
        rates_by_v(m, &at, z, v, dz_v);
    }
    wrench_slopes(m, fn, dz_z, dz_v, out);
    if (out->dz_z) {
        memcpy(out->dz_z, dz_z, sizeof dz_z);
    }
    if (out->dz_v) {
        memcpy(out->dz_v, dz_v, sizeof dz_v);
    }
    rates_of(&at, z, dz);
    const br_wrench f = bri_reduced_wrench(m, z, dz, v, 1.0);
    out->f_fn[0] = f.fx;
    out->f_fn[1] = f.fy;
    out->f_fn[2] = f.tau;
}

void bri_reduced_sensitivity(const br_contact* m, const double* z, br_twist v, double fn,
                             br_contact_sensitivity* out)
{
    const point at = point_of(m, z, v);
    const double viscous[3] = {v.vx, v.vy, m->value.u * v.w}, turn[3] = {1.0, 1.0, m->turn};
    double a_by[BR_BY_COUNT], dz[3];
    bri_decay_sensitivity(&m->def.law,
                          &(yielding){at.speed, at.g, at.unit, at.p.q, at.p.beta, at.p.by_q}, a_by);
    rates_of(&at, z, dz);
    for (int k = 0; k < BR_BY_COUNT; k++) {
        for (int i = 0; i < 3; i++) {
            const double direct = k == BR_BY_SIGMA0   ? turn[i] * z[i]
                                  : k == BR_BY_SIGMA1 ? turn[i] * dz[i]
                                  : k == BR_BY_SIGMA2 ? viscous[i]
                                                      : 0.0;
            const double by_rate = -z[i] * a_by[k];
            out->f[k][i] = -(direct + turn[i] * m->def.law.sigma1 * by_rate) * fn;
            if (out->dz) {
                out->dz[3 * k + i] = by_rate;
            }
        }
    }
}
