/*
 * Derivatives of the distributed model, cell by cell: rates and wrench by state, twist, normal force
 * and the parameters of the law.
 *
 *   dz = v - k z,   k = sigma0 |v|/g                                 for LuGre                    (10)
 *                   k = alpha(q) sigma0 (v.z^ + |v|)/(2 g)           elasto-plastic          (15)-(18)
 *   with q = sigma0 |z|/g, z^ = z/|z|. Hence
 *   d(dz)/dz = -k I - z (dk/dz)^T,   d(dz)/dv = I - z (dk/dv)^T,   d(dz)/dp = -z dk/dp
 *   and those of the wrench by l = (sigma0 z + sigma1 dz + sigma2 v) p                            (9)
 *
 * Numbers in brackets are W&K's equations.
 */
#include "planar/distributed_internal.h"

#include "law/law_internal.h"
#include "planar/lever.h"

// k, its derivatives with respect to z and v, and what it is made of.
typedef struct decay {
    double k;
    br_vec2 z, v;
    yielding yields;
} decay;

static br_vec2 unit(br_vec2 a, double norm)
{
    return norm > 0.0 ? br_vec2_scale(1.0 / norm, a) : (br_vec2){0.0, 0.0};
}

static decay decay_lugre(const br_law* law, br_vec2 v)
{
    const double speed = br_vec2_norm(v), g = br_law_g(law, speed), dg = g_slope(law, speed);
    const double k = law->sigma0 * speed / g;
    const yielding yields = {speed, g, k, 0.0, 1.0, 0.0};
    return (decay){
        k, {0.0, 0.0}, br_vec2_scale((law->sigma0 - k * dg) / g, unit(v, speed)), yields};
}

static decay decay_plastic(const br_law* law, br_vec2 z, br_vec2 v)
{
    const double speed = br_vec2_norm(v), z_norm = br_vec2_norm(z);
    const double g = br_law_g(law, speed), dg = g_slope(law, speed);
    const double q = law->sigma0 * z_norm / g;
    double d_alpha;
    const double alpha = plastic_share(q, law->s_ba, &d_alpha);
    if (!(alpha > 0.0)) {
        // elastic; NaN stays NaN
        return (decay){alpha, {0.0, 0.0}, {0.0, 0.0}, {speed, g, alpha, 0.0, 0.0, 0.0}};
    }
    const br_vec2 z_hat = unit(z, z_norm), v_hat = unit(v, speed);
    const double half = 0.5 * law->sigma0 / g, along = br_vec2_dot(v, z_hat), sum = along + speed;

    // dk/dz = half ((sigma0/g) alpha' sum z^ + alpha (v - along z^)/|z|)
    const double radial = law->sigma0 / g * d_alpha * sum - alpha * along / z_norm;
    const br_vec2 dk_dz =
        br_vec2_add(br_vec2_scale(half * radial, z_hat), br_vec2_scale(half * alpha / z_norm, v));
    // dk/dv = half (alpha (z^ + v^) - (alpha' q + alpha) sum dg/g v^)
    const double fall = (d_alpha * q + alpha) * sum * dg / g;
    const br_vec2 dk_dv = br_vec2_add(br_vec2_scale(half * alpha, z_hat),
                                      br_vec2_scale(half * (alpha - fall), v_hat));
    const yielding yields = {speed, g, half * sum, q, alpha, d_alpha};
    return (decay){half * alpha * sum, dk_dz, dk_dv, yields};
}

// One cell: deflection, velocity and decay.
typedef struct cell {
    br_vec2 z, v;
    decay d;
} cell;

// `v` in patch axes
static cell cell_of(const br_distributed* m, size_t i, const double* z, br_twist v)
{
    const br_twist here = lever_twist(v, m->x[i], m->y[i]);
    cell c = {.z = {z[i], z[m->count + i]}, .v = {here.vx, here.vy}};
    c.d =
        m->law.kind == BR_LAW_LUGRE ? decay_lugre(&m->law, c.v) : decay_plastic(&m->law, c.z, c.v);
    return c;
}

// out (xx, xy, yx, yy) = a I - z d^T for cell i of n
static void put(double* out, size_t n, size_t i, double a, br_vec2 z, br_vec2 d)
{
    out[i] = a - z.x * d.x;
    out[n + i] = -z.x * d.y;
    out[2 * n + i] = -z.y * d.x;
    out[3 * n + i] = a - z.y * d.y;
}

void distributed_gradient_plain(const br_distributed* m, const double* z, br_twist v,
                                const br_distributed_gradient* out)
{
    const size_t n = m->count;
    for (size_t i = 0; i < n; i++) {
        const cell c = cell_of(m, i, z, v);
        const double counts = m->weight[i] > 0.0; // padding does not move
        put(out->dz_z, n, i, -c.d.k * counts, br_vec2_scale(counts, c.z), c.d.z);
        put(out->dz_v, n, i, counts, br_vec2_scale(counts, c.z), c.d.v);
    }
}

// What the bristle of a cell does to the wrench per w fn: -(sigma0 z + sigma1 dz + sigma2 v)   (9)
static br_wrench force_of(const br_law* law, br_vec2 z, br_vec2 dz, br_vec2 v)
{
    return (br_wrench){-(law->sigma0 * z.x + law->sigma1 * dz.x + law->sigma2 * v.x),
                       -(law->sigma0 * z.y + law->sigma1 * dz.y + law->sigma2 * v.y), 0.0};
}

static br_vec2 rate_of(const cell* c)
{
    return br_vec2_sub(c->v, br_vec2_scale(c->d.k, c->z));
}

// The force's change with the velocity of the cell, along e.
static br_wrench force_by_v(const br_law* law, const cell* c, br_vec2 e)
{
    const br_vec2 dz = br_vec2_sub(e, br_vec2_scale(br_vec2_dot(c->d.v, e), c->z));
    return force_of(law, (br_vec2){0.0, 0.0}, dz, e);
}

// The force's change with the deflection of the cell, along e.
static br_wrench force_by_z(const br_law* law, const cell* c, br_vec2 e)
{
    const br_vec2 radial = br_vec2_scale(br_vec2_dot(c->d.z, e), c->z);
    const br_vec2 dz = br_vec2_scale(-1.0, br_vec2_add(br_vec2_scale(c->d.k, e), radial));
    return force_of(law, e, dz, (br_vec2){0.0, 0.0});
}

// The columns of d wrench/dz of cell i.
static void put_by_z(const br_distributed* m, size_t i, const cell* c, double fn, double* f_z)
{
    const size_t n = m->count;
    for (size_t k = 0; k < 2; k++) {
        const br_vec2 e = {k == 0, k == 1};
        br_wrench f = {0.0, 0.0, 0.0};
        lever_add(&f, m->weight[i] * fn, lever_wrench(force_by_z(&m->law, c, e), m->x[i], m->y[i]));
        axes_put(m->axes, f, f_z + k * n + i, 2 * n);
    }
}

void br_distributed_wrench_gradient_eval(const br_distributed* m, const double* z, br_twist v,
                                         double fn, br_distributed_wrench_gradient* out)
{
    BR_ASSERT(m && z && out);
    br_wrench by_v[3] = {{0.0, 0.0, 0.0}}, by_fn = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < m->count; i++) {
        const cell c = cell_of(m, i, z, axes_enter(m->axes, v));
        const double x = m->x[i], y = m->y[i], w = m->weight[i];
        lever_add(&by_fn, w, lever_wrench(force_of(&m->law, c.z, rate_of(&c), c.v), x, y));
        for (int k = 0; k < 3; k++) {
            const br_twist axis = axes_enter(m->axes, (br_twist){k == 0, k == 1, k == 2});
            const br_twist e = lever_twist(axis, x, y);
            const br_wrench l = force_by_v(&m->law, &c, (br_vec2){e.vx, e.vy});
            lever_add(&by_v[k], w * fn, lever_wrench(l, x, y));
        }
        if (out->f_z) {
            put_by_z(m, i, &c, fn, out->f_z);
        }
    }
    axes_put(m->axes, by_fn, out->f_fn, 1);
    for (int k = 0; k < 3; k++) {
        axes_put(m->axes, by_v[k], out->f_v[0] + k, 3);
    }
}

// d(dz)/dp of one cell, each parameter; and d force/dp per w fn.
static void cell_sensitivity(const br_law* law, const cell* c, br_vec2 dz[BR_BY_COUNT],
                             br_wrench f[BR_BY_COUNT])
{
    const br_vec2 none = {0.0, 0.0}, rate = rate_of(c);
    double k_by[BR_BY_COUNT];
    decay_sensitivity(law, &c->d.yields, k_by);
    for (int i = 0; i < BR_BY_COUNT; i++) {
        dz[i] = br_vec2_scale(-k_by[i], c->z);
        f[i] = force_of(law, none, dz[i], none);
    }
    lever_add(&f[BR_BY_SIGMA0], -1.0, (br_wrench){c->z.x, c->z.y, 0.0});
    lever_add(&f[BR_BY_SIGMA1], -1.0, (br_wrench){rate.x, rate.y, 0.0});
    lever_add(&f[BR_BY_SIGMA2], -1.0, (br_wrench){c->v.x, c->v.y, 0.0});
}

void br_distributed_sensitivity_eval(const br_distributed* m, const double* z, br_twist v,
                                     double fn, br_distributed_sensitivity* out)
{
    BR_ASSERT(m && z && out);
    const size_t n = m->count;
    br_wrench sum[BR_BY_COUNT] = {{0.0, 0.0, 0.0}};
    for (size_t i = 0; i < n; i++) {
        const cell c = cell_of(m, i, z, axes_enter(m->axes, v));
        const double w = m->weight[i], counts = w > 0.0;
        br_vec2 dz[BR_BY_COUNT];
        br_wrench f[BR_BY_COUNT];
        cell_sensitivity(&m->law, &c, dz, f);
        for (size_t k = 0; k < BR_BY_COUNT; k++) {
            lever_add(&sum[k], w * fn, lever_wrench(f[k], m->x[i], m->y[i]));
            if (out->dz) {
                out->dz[2 * n * k + i] = counts * dz[k].x;
                out->dz[2 * n * k + n + i] = counts * dz[k].y;
            }
        }
    }
    for (int k = 0; k < BR_BY_COUNT; k++) {
        axes_put(m->axes, sum[k], out->f[k], 1);
    }
}

void br_distributed_gradient_eval(const br_distributed* m, const double* z, br_twist v,
                                  const br_distributed_gradient* out)
{
    BR_ASSERT(m && z && out && out->dz_z && out->dz_v);
    m->gradient(m, z, axes_enter(m->axes, v), out);
}
