/*
 * Derivatives of the blocks model, block by block: rates and wrench by state, twist, normal force and
 * the parameters of the law. The equations are in blocks_eval.c.
 *
 * With Z = (z_x, z_y, zeta), V = (v_x, v_y, w) of a block and D = diag(1, 1, f):
 *   rate = (v_x, v_y, t w) - k D Z
 *   d(rate)/dZ = -k D - (D Z) (dk/dZ)^T
 *   d(rate)/dV = diag(1, 1, t) - (D Z) (dk/dV)^T - k zeta e_3 (df/dV)^T
 *   d(rate)/dp = -(D Z) dk/dp
 *   k = sigma0 s/g                                       LuGre
 *   k = sigma0/(2 g) rho alpha(Q) H,  rho = s/vn,  Q = sigma0 zn rho/g,  H = vn + P/zn,
 *   P = v_b.z + w zeta/f                                 elasto-plastic
 */
#include "planar/blocks_internal.h"

#include "law/law_internal.h"
#include "planar/lever.h"

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

// k with its derivatives with respect to Z and V, and what it is made of.
typedef struct decay {
    double k;
    double z[3], v[3];
    yielding yields;
} decay;

static decay decay_lugre(const br_law* law, const block_slip* b)
{
    decay out = {.k = law->sigma0 * b->n * b->s.value / b->g.value};
    for (int j = 0; j < 3; j++) {
        // dk = sigma0 ds/g - k dg/g
        out.v[j] = (law->sigma0 * b->s.d[j] - out.k * b->g.d[j]) / b->g.value;
    }
    out.yields = (yielding){b->n, b->g.value, out.k, 0.0, 1.0, 0.0};
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
        return (decay){.k = alpha, .yields = {n, g, alpha, 0.0, 0.0, 0.0}}; // NaN stays NaN
    }
    // H/n and its derivatives with respect to Z (over n) and V
    const double dp_dz[3] = {v.x / n, v.y / n, w / n * b->per_f.value};
    const double p = dp_dz[0] * z->z[0] + dp_dz[1] * z->z[1] + dp_dz[2] * z->z[2];
    const double dp_dv[3] = {z->z[0], z->z[1], z->z[2] * b->per_f.value};
    const double h = b->vn.value + p / z->norm, half = 0.5 * law->sigma0 / g;
    decay out = {.k = half * rho.value * alpha * h * n,
                 .yields = {n, g, half * rho.value * h * n, q, alpha, d_alpha}};
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

// At rest k = 0, and its slope depends on the direction: along each axis of V the mean of both sides.
// LuGre's k is even in V; elasto-plastic it is the part with P. `f` comes out along each axis.
static decay decay_at_rest(const br_blocks* m, size_t i, const bristles* z, double f[3])
{
    const br_law* law = &m->law;
    const double g = br_law_g(law, 0.0), speed[3] = {1.0, 1.0, sqrt(m->t[i])};
    decay out = {.k = 0.0, .yields = {.g = g}};
    for (int j = 0; j < 3; j++) {
        f[j] = 1.0;
        if (law->kind == BR_LAW_LUGRE || z->norm == 0.0 || speed[j] == 0.0) {
            continue;
        }
        const block_slip b = block_slip_of(m, i, (br_vec2){j == 0, j == 1}, j == 2, speed[j]);
        const double rho = b.s.value / b.vn.value, power = z->z[j] * (j == 2 ? b.per_f.value : 1.0);
        const double alpha = plastic_share(law->sigma0 * z->norm * rho / g, law->s_ba, NULL);
        out.v[j] = 0.5 * law->sigma0 / g * rho * alpha * power / z->norm;
        f[j] = 1.0 / b.per_f.value;
    }
    return out;
}

// One block: Z, V, the decay and f.
typedef struct block {
    double z[3], v[3];
    double unit[3]; // diag(1, 1, t)
    decay d;
    by_twist f;        // 1 at rest, where k = 0
    double f_along[3]; // f that goes with dk/dV: at rest that of each axis
} block;

// `v` in patch axes
static block block_of(const br_blocks* m, size_t i, const double* z, br_twist v)
{
    const size_t count = m->count;
    const br_twist here = lever_twist(v, m->x[i], m->y[i]);
    const br_vec2 v_b = {here.vx, here.vy};
    const double n = hypot(br_vec2_norm(v_b), v.w * sqrt(m->t[i]));
    block b = {.z = {z[i], z[count + i], z[2 * count + i]},
               .v = {here.vx, here.vy, v.w},
               .unit = {1.0, 1.0, m->t[i]},
               .f = {1.0, {0.0, 0.0, 0.0}}};
    const bristles bristle = bristles_of(b.z, m->per_t[i]);
    if (n < BLOCK_REST) {
        b.d = decay_at_rest(m, i, &bristle, b.f_along);
        return b;
    }
    const block_slip s = block_slip_of(m, i, v_b, v.w, n);
    b.d = m->law.kind == BR_LAW_LUGRE ? decay_lugre(&m->law, &s)
                                      : decay_plastic(&m->law, &s, v_b, v.w, &bristle);
    b.f = over(s.per_f);
    for (int j = 0; j < 3; j++) {
        b.f.d[j] /= n;
        b.f_along[j] = b.f.value;
    }
    return b;
}

// An entry of D Z.
static double stretched(const block* b, int row)
{
    return (row == 2 ? b->f.value : 1.0) * b->z[row];
}

static double rate_of(const block* b, int row)
{
    return b->unit[row] * b->v[row] - b->d.k * stretched(b, row);
}

// An entry of d(rate)/dZ.
static double rate_by_z(const block* b, int row, int column)
{
    const double k = row == column ? b->d.k * (row == 2 ? b->f.value : 1.0) : 0.0;
    return -k - stretched(b, row) * b->d.z[column];
}

// An entry of d(rate)/dV.
static double rate_by_v(const block* b, int row, int column)
{
    const double same = row == column ? b->unit[row] : 0.0;
    const double f = row == 2 ? b->f_along[column] : 1.0;
    const double by_f = row == 2 ? b->d.k * b->f.d[column] : 0.0;
    return same - b->z[row] * (f * b->d.v[column] + by_f);
}

void br_blocks_gradient_eval(const br_blocks* m, const double* z, br_twist v,
                             const br_blocks_gradient* out)
{
    BR_ASSERT(m && z && out && out->dz_z && out->dz_v);
    const size_t n = m->count;
    const br_twist turned = axes_enter(m->axes, v);
    for (size_t i = 0; i < n; i++) {
        const block b = block_of(m, i, z, turned);
        const int counts = m->weight[i] > 0.0; // padding does not move
        for (int k = 0; k < 9; k++) {
            const size_t at = (size_t)k * n + i;
            out->dz_z[at] = counts ? rate_by_z(&b, k / 3, k % 3) : 0.0;
            out->dz_v[at] = counts ? rate_by_v(&b, k / 3, k % 3) : 0.0;
        }
    }
}

// What block i does to the wrench per fn, from its bristles' resistance per w_b fn.
static br_wrench resist(const br_blocks* m, size_t i, const double l[3])
{
    const double weight = -m->weight[i];
    return lever_wrench((br_wrench){weight * l[0], weight * l[1], weight * l[2]}, m->x[i], m->y[i]);
}

// Wrench per fn: -w_b (sigma0 Z + sigma1 rate + sigma2 diag(1, 1, t) V)
static br_wrench block_wrench(const br_blocks* m, size_t i, const block* b)
{
    double l[3];
    for (int j = 0; j < 3; j++) {
        l[j] = m->law.sigma0 * b->z[j] + m->law.sigma1 * rate_of(b, j) +
               m->law.sigma2 * b->unit[j] * b->v[j];
    }
    return resist(m, i, l);
}

// The wrench's change with the block's bristle `column`, per fn.
static br_wrench block_by_z(const br_blocks* m, size_t i, const block* b, int column)
{
    double l[3];
    for (int j = 0; j < 3; j++) {
        l[j] = m->law.sigma0 * (j == column) + m->law.sigma1 * rate_by_z(b, j, column);
    }
    return resist(m, i, l);
}

// The wrench's change with a twist at the CoP along e, per fn.
static br_wrench block_by_v(const br_blocks* m, size_t i, const block* b, br_twist e)
{
    const br_twist here = lever_twist(e, m->x[i], m->y[i]);
    const double v[3] = {here.vx, here.vy, here.w};
    double l[3];
    for (int j = 0; j < 3; j++) {
        const double rate =
            rate_by_v(b, j, 0) * v[0] + rate_by_v(b, j, 1) * v[1] + rate_by_v(b, j, 2) * v[2];
        l[j] = m->law.sigma1 * rate + m->law.sigma2 * b->unit[j] * v[j];
    }
    return resist(m, i, l);
}

void br_blocks_wrench_gradient_eval(const br_blocks* m, const double* z, br_twist v, double fn,
                                    br_blocks_wrench_gradient* out)
{
    BR_ASSERT(m && z && out);
    const size_t n = m->count;
    const br_twist turned = axes_enter(m->axes, v);
    br_wrench by_v[3] = {{0.0, 0.0, 0.0}}, by_fn = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < n; i++) {
        const block b = block_of(m, i, z, turned);
        lever_add(&by_fn, 1.0, block_wrench(m, i, &b));
        for (int k = 0; k < 3; k++) {
            const br_twist axis = axes_enter(m->axes, (br_twist){k == 0, k == 1, k == 2});
            lever_add(&by_v[k], fn, block_by_v(m, i, &b, axis));
        }
        for (int k = 0; out->f_z && k < 3; k++) {
            br_wrench by_z = {0.0, 0.0, 0.0};
            lever_add(&by_z, fn, block_by_z(m, i, &b, k));
            axes_put(m->axes, by_z, out->f_z + (size_t)k * n + i, 3 * n);
        }
    }
    axes_put(m->axes, by_fn, out->f_fn, 1);
    for (int k = 0; k < 3; k++) {
        axes_put(m->axes, by_v[k], out->f_v[0] + k, 3);
    }
}

// d(rate)/dp and dl/dp of one block by parameter p, from dk/dp; l is the resistance per w_b fn.
static void by_parameter(const br_law* law, const block* b, int p, double k_by, double rate[3],
                         double l[3])
{
    for (int j = 0; j < 3; j++) {
        const double direct = p == BR_BY_SIGMA0   ? b->z[j]
                              : p == BR_BY_SIGMA1 ? rate_of(b, j)
                              : p == BR_BY_SIGMA2 ? b->unit[j] * b->v[j]
                                                  : 0.0;
        rate[j] = -k_by * stretched(b, j);
        l[j] = direct + law->sigma1 * rate[j];
    }
}

void br_blocks_sensitivity_eval(const br_blocks* m, const double* z, br_twist v, double fn,
                                br_blocks_sensitivity* out)
{
    BR_ASSERT(m && z && out);
    const size_t n = m->count;
    const br_twist turned = axes_enter(m->axes, v);
    br_wrench sum[BR_BY_COUNT] = {{0.0, 0.0, 0.0}};
    for (size_t i = 0; i < n; i++) {
        const block b = block_of(m, i, z, turned);
        double k_by[BR_BY_COUNT];
        decay_sensitivity(&m->law, &b.d.yields, k_by);
        for (int p = 0; p < BR_BY_COUNT; p++) {
            double rate[3], l[3];
            by_parameter(&m->law, &b, p, k_by[p], rate, l);
            lever_add(&sum[p], fn, resist(m, i, l));
            for (size_t j = 0; out->dz && j < 3; j++) {
                out->dz[(3 * (size_t)p + j) * n + i] = m->weight[i] > 0.0 ? rate[j] : 0.0;
            }
        }
    }
    for (int p = 0; p < BR_BY_COUNT; p++) {
        axes_put(m->axes, sum[p], out->f[p], 1);
    }
}
