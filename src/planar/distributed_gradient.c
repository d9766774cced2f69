/*
 * Derivatives of the distributed model, cell by cell.
 *
 *   dz = v - k z,   k = sigma0 |v|/g                                 for LuGre                    (10)
 *                   k = alpha(q) sigma0 (v.z^ + |v|)/(2 g)           elasto-plastic          (15)-(18)
 *   with q = sigma0 |z|/g, z^ = z/|z|. Hence
 *   d(dz)/dz = -k I - z (dk/dz)^T,   d(dz)/dv = I - z (dk/dv)^T
 *
 * Numbers in brackets are W&K's equations.
 */
#include "planar/distributed_internal.h"

#include "law/law_internal.h"

// k and its derivatives with respect to z and v.
typedef struct decay {
    double k;
    br_vec2 z, v;
} decay;

static br_vec2 unit(br_vec2 a, double norm)
{
    return norm > 0.0 ? br_vec2_scale(1.0 / norm, a) : (br_vec2){0.0, 0.0};
}

static decay decay_lugre(const br_law* law, br_vec2 v)
{
    const double speed = br_vec2_norm(v), g = br_law_g(law, speed), dg = g_slope(law, speed);
    const double k = law->sigma0 * speed / g;
    return (decay){k, {0.0, 0.0}, br_vec2_scale((law->sigma0 - k * dg) / g, unit(v, speed))};
}

static decay decay_plastic(const br_law* law, br_vec2 z, br_vec2 v)
{
    const double speed = br_vec2_norm(v), z_norm = br_vec2_norm(z);
    const double g = br_law_g(law, speed), dg = g_slope(law, speed);
    const double q = law->sigma0 * z_norm / g;
    double d_alpha;
    const double alpha = plastic_share(q, law->s_ba, &d_alpha);
    if (!(alpha > 0.0)) {
        return (decay){alpha, {0.0, 0.0}, {0.0, 0.0}}; // elastic; NaN stays NaN
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
    return (decay){half * alpha * sum, dk_dz, dk_dv};
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
        const br_vec2 v_t = {v.vx - v.w * m->y[i], v.vy + v.w * m->x[i]};
        const br_vec2 z_t = {z[i], z[n + i]};
        const double counts = m->weight[i] > 0.0; // padding does not move
        const decay d = m->law.kind == BR_LAW_LUGRE ? decay_lugre(&m->law, v_t)
                                                    : decay_plastic(&m->law, z_t, v_t);
        put(out->dz_z, n, i, -d.k * counts, br_vec2_scale(counts, z_t), d.z);
        put(out->dz_v, n, i, counts, br_vec2_scale(counts, z_t), d.v);
    }
}

void br_distributed_gradient_eval(const br_distributed* m, const double* z, br_twist v,
                                  const br_distributed_gradient* out)
{
    BR_ASSERT(m && z && out && out->dz_z && out->dz_v);
    m->gradient(m, z, axes_enter(m->axes, v), out);
}
