/*
 * Derivatives of the blocks model, block by block; the equations are in blocks_eval.c.
 *
 * With Z = (z_x, z_y, zeta), V = (v_x, v_y, w) of a block and D = diag(1, 1, f):
 *   rate = (v_x, v_y, t w) - k D Z
 *   d(rate)/dZ = -k D - (D Z) (dk/dZ)^T
 *   d(rate)/dV = diag(1, 1, t) - (D Z) (dk/dV)^T - k zeta e_3 (df/dV)^T
 *   k = sigma0 s/g                                       LuGre
 *   k = sigma0/(2 g) rho alpha(Q) H,  rho = s/vn,  Q = sigma0 zn rho/g,  H = vn + P/zn,
 *   P = v_b.z + w zeta/f                                 elasto-plastic
 */
#include "planar/blocks_internal.h"

#include "law/law_internal.h"

// All but g is homogeneous in V, so it is worked out for V/n: nothing overflows.
block_slip block_slip_of(const br_blocks* m, size_t i, br_vec2 v, double w, double n)
{
    const double x = v.x / n, y = v.y / n, turn = w / n, t = m->t[i];
    const double ax = m->shape_xx[i] * x + m->shape_xy[i] * y;
    const double ay = m->shape_xy[i] * x + m->shape_yy[i] * y;
    const by_twist q = {x * x + y * y, {2.0 * x, 2.0 * y, 0.0}};
    const by_twist turning = {turn * turn * t, {0.0, 0.0, 2.0 * turn * t}};
    const by_twist per_n2 = over(mix(1.0, q, 1.0, turning)); // 1, but its derivatives count
    const by_twist along = times((by_twist){ax * x + ay * y, {2.0 * ax, 2.0 * ay, 0.0}}, per_n2);
    const by_twist psi = times(turning, per_n2);
    const by_twist none = {0.0, {0.0, 0.0, 0.0}};

    // s^2 = q + T (along + c0 psi),  1/f = max(along + 1.3 psi, 0.45),  vn^2 = q + T/f^2
    block_slip b = {.n = n};
    b.s = root(mix(1.0, q, 1.0, times(turning, mix(1.0, along, m->turn[i], psi))));
    b.per_f = mix(1.0, along, BLOCK_SPIN, psi);
    if (b.per_f.value < BLOCK_SPIN_LEAST) {
        b.per_f = none;
        b.per_f.value = BLOCK_SPIN_LEAST;
    }
    b.vn = root(mix(1.0, q, 1.0, times(turning, times(b.per_f, b.per_f))));
    const by_twist speed = root(mix(1.0, q, 1.0, turning)); // dn/dV
    b.g = of(speed, br_law_g(&m->law, n), g_slope(&m->law, n));
    return b;
}

// k with its derivatives with respect to Z and V.
typedef struct decay {
    double k;
    double z[3], v[3];
} decay;

static decay decay_lugre(const br_law* law, const block_slip* b)
{
    decay out = {.k = law->sigma0 * b->n * b->s.value / b->g.value};
    for (int j = 0; j < 3; j++) {
        // dk = sigma0 ds/g - k dg/g
        out.v[j] = (law->sigma0 * b->s.d[j] - out.k * b->g.d[j]) / b->g.value;
    }
    return out;
}

// The bristles of a block, zn > 0 where they are plastic.
typedef struct bristles {
    double z[3];   // z_x, z_y, zeta
    double norm;   // zn
    double hat[3]; // dzn/dZ
} bristles;

static bristles bristles_of(const double z[3], double per_t)
{
    bristles b = {.z = {z[0], z[1], z[2]}};
    b.norm = hypot(hypot(z[0], z[1]), z[2] * sqrt(per_t));
    const double over_norm = b.norm > 0.0 ? 1.0 / b.norm : 0.0;
    b.hat[0] = z[0] * over_norm;
    b.hat[1] = z[1] * over_norm;
    b.hat[2] = z[2] * per_t * over_norm;
    return b;
}

static decay decay_plastic(const br_law* law, const block_slip* b, br_vec2 v, double w,
                           const bristles* z)
{
    const by_twist rho = times(b->s, over(b->vn)); // derivatives times n
    const double g = b->g.value, n = b->n, stretch = law->sigma0 * z->norm / g;
    double d_alpha;
    const double q = stretch * rho.value, alpha = plastic_share(q, law->s_ba, &d_alpha);
    if (!(alpha > 0.0)) {
        return (decay){.k = alpha}; // elastic; NaN stays NaN
    }
    // H/n and its derivatives with respect to Z (over n) and V
    const double dp_dz[3] = {v.x / n, v.y / n, w / n * b->per_f.value};
    const double p = dp_dz[0] * z->z[0] + dp_dz[1] * z->z[1] + dp_dz[2] * z->z[2];
    const double dp_dv[3] = {z->z[0], z->z[1], z->z[2] * b->per_f.value};
    const double h = b->vn.value + p / z->norm, half = 0.5 * law->sigma0 / g;
    decay out = {.k = half * rho.value * alpha * h * n};
    for (int j = 0; j < 3; j++) {
        const double dh_dz = (dp_dz[j] - p / z->norm * z->hat[j]) / z->norm;
        out.z[j] = half * rho.value * n * (d_alpha * q / z->norm * z->hat[j] * h + alpha * dh_dz);

        const double dh_dv = b->vn.d[j] + (dp_dv[j] + w / n * z->z[2] * b->per_f.d[j]) / z->norm;
        const double dg = n * b->g.d[j] / g; // relative, times n
        const double dq = stretch * rho.d[j] - q * dg;
        out.v[j] = half * (d_alpha * dq * rho.value * h +
                           alpha * (rho.d[j] * h + rho.value * dh_dv - rho.value * h * dg));
    }
    return out;
}

// At rest k = 0, and its slope depends on the direction: that of a bristle without size, with the
// mean of both sides at the kink.
static decay decay_at_rest(const br_law* law, const bristles* z)
{
    const double g = br_law_g(law, 0.0);
    decay out = {.k = 0.0};
    if (law->kind == BR_LAW_ELASTO_PLASTIC && z->norm > 0.0) {
        const double alpha = plastic_share(law->sigma0 * z->norm / g, law->s_ba, NULL);
        for (int j = 0; j < 3; j++) {
            out.v[j] = 0.5 * law->sigma0 / g * alpha * z->z[j] / z->norm;
        }
    }
    return out;
}

// The two matrices of one block, rows of Z's rates.
static void put(const br_blocks_gradient* out, size_t n, size_t i, const decay* d,
                const double z[3], const by_twist* f, double t)
{
    const double unit_v[3] = {1.0, 1.0, t}, factor[3] = {1.0, 1.0, f->value};
    for (size_t row = 0; row < 3; row++) {
        for (size_t column = 0; column < 3; column++) {
            const size_t at = (3 * row + column) * n + i;
            const double same = row == column, df = row == 2 ? f->d[column] : 0.0;
            out->dz_z[at] = -same * d->k * factor[row] - factor[row] * z[row] * d->z[column];
            out->dz_v[at] = same * unit_v[row] - z[row] * (factor[row] * d->v[column] + d->k * df);
        }
    }
}

static void block_gradient(const br_blocks* m, size_t i, const double z[3], br_twist v,
                           const br_blocks_gradient* out)
{
    const br_vec2 v_b = {v.vx - v.w * m->y[i], v.vy + v.w * m->x[i]};
    const double n = hypot(br_vec2_norm(v_b), v.w * sqrt(m->t[i]));
    const bristles bristle = bristles_of(z, m->per_t[i]);
    by_twist f = {1.0, {0.0, 0.0, 0.0}};
    decay d = decay_at_rest(&m->law, &bristle);
    if (n != 0.0) {
        const block_slip b = block_slip_of(m, i, v_b, v.w, n);
        d = m->law.kind == BR_LAW_LUGRE ? decay_lugre(&m->law, &b)
                                        : decay_plastic(&m->law, &b, v_b, v.w, &bristle);
        f = over(b.per_f);
        for (int j = 0; j < 3; j++) {
            f.d[j] /= n;
        }
    }
    put(out, m->count, i, &d, z, &f, m->t[i]);
}

void br_blocks_gradient_eval(const br_blocks* m, const double* z, br_twist v,
                             const br_blocks_gradient* out)
{
    BR_ASSERT(m && z && out && out->dz_z && out->dz_v);
    const size_t n = m->count;
    const br_twist turned = axes_enter(m->axes, v);
    for (size_t i = 0; i < n; i++) {
        if (m->weight[i] > 0.0) {
            block_gradient(m, i, (double[3]){z[i], z[n + i], z[2 * n + i]}, turned, out);
            continue;
        }
        for (size_t k = 0; k < 9; k++) {
            out->dz_z[k * n + i] = out->dz_v[k * n + i] = 0.0; // padding does not move
        }
    }
}
