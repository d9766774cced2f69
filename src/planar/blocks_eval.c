/*
 * Planar friction in blocks, plain: block by block.
 *
 *   twist -> v_b, n of each block -> mean slip s, f -> g, beta -> dz, dzeta -> force, torque -> sums
 *
 * A block has weight w_b, centroid (x, y), covariance S and t = tr S. Its points move with
 * v_b + w z x rho, whose mean square is n^2 = |v_b|^2 + w^2 t. Over n:
 *   a = v_b/n,  psi = w^2 t/n^2 = 1 - |a|^2     how much of the motion is the block's own turning
 *   along = a^T (S/t) a                         how much of the block lies along its motion
 *   s = n sqrt(|a|^2 + psi along + c0 psi^2)    effective speed: the mean unit velocity is v_b/s
 *   1/f = max(along + 1.3 psi, 0.45)            the spin relaxes f times as fast
 *   g = g(n),  k = beta sigma0 s/g
 *   dz = v_b - k z,   dzeta = t w - k f zeta
 * Far from the centre of rotation (psi = 0) this is the exact second order in S. With the centre of
 * rotation in the centroid a square piece of half edge e has slope 0.881/(e w) and torque 0.765 e,
 * which gives c0 = 2 and 1.3; a straight one has slope 1/(e w), c0 = 3. The blend in between and
 * c0 linear in 4 det S/t^2 are chosen, not derived; docs/models.md has the errors.
 * With S = 0 it is the distributed model, (10) and (15)-(18) of Waltersson & Karayiannidis (W&K).
 */
#include "planar/blocks_internal.h"

#include "law/law_internal.h"

block_motion block_motion_of(const br_blocks* m, size_t i, br_twist v)
{
    block_motion b = {.v = {v.vx - v.w * m->y[i], v.vy + v.w * m->x[i]}, .w = v.w, .per_f = 1.0};
    const double turning = v.w * sqrt(m->t[i]);
    b.n = br_vec2_norm((br_vec2){br_vec2_norm(b.v), turning});
    if (b.n == 0.0) {
        return b; // at rest: k = 0
    }
    const br_vec2 a = br_vec2_scale(1.0 / b.n, b.v);
    b.psi = turning / b.n * (turning / b.n);
    const double along =
        m->shape_xx[i] * a.x * a.x + 2.0 * m->shape_xy[i] * a.x * a.y + m->shape_yy[i] * a.y * a.y;

    // s = n sqrt(|a|^2 + psi along + c0 psi^2)
    b.s = b.n * sqrt(br_vec2_dot(a, a) + b.psi * along + m->turn[i] * b.psi * b.psi);
    // 1/f = max(along + 1.3 psi, 0.45)
    b.per_f = fmax(along + BLOCK_SPIN * b.psi, BLOCK_SPIN_LEAST);
    return b;
}

// beta: as (16)-(18) of W&K with zn, vn for |z|, |v| and the spin as a third component.
double block_beta(const br_law* law, const block_motion* b, br_vec2 z, double zeta, double per_t,
                  double g)
{
    if (law->kind == BR_LAW_LUGRE) {
        return 1.0;
    }
    // zn = sqrt(|z|^2 + zeta^2/t),  vn = sqrt(|v_b|^2 + w^2 t/f^2)
    const double zn = br_vec2_norm((br_vec2){br_vec2_norm(z), zeta * sqrt(per_t)});
    const double vn = br_vec2_norm((br_vec2){br_vec2_norm(b->v), b->n * sqrt(b->psi) * b->per_f});
    if (zn == 0.0 || vn == 0.0) {
        return 0.0; // k z is 0 whatever k is
    }
    // beta = alpha(sigma0 zn s/(g vn)) (1 + (v_b.z + w zeta/f)/(zn vn))/2
    const double share = plastic_share(law->sigma0 * zn / g * (b->s / vn), law->s_ba, NULL);
    const double power = br_vec2_dot(b->v, z) / vn + b->w / vn * zeta * b->per_f;
    return 0.5 * (1.0 + power / zn) * share;
}

br_wrench blocks_eval_plain(const br_blocks* m, const double* z, br_twist v, double fn, double* dz)
{
    const br_law* law = &m->law;
    const size_t n = m->count;
    br_wrench sum = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < n; i++) {
        const br_vec2 z_b = {z[i], z[n + i]};
        const double zeta = z[2 * n + i];
        const int counts = m->weight[i] > 0.0; // padding does not move
        const block_motion b = block_motion_of(m, i, v);
        const double g = br_law_g(law, b.n);

        // k = beta sigma0 s/g,  dz = v_b - k z,  dzeta = t w - k f zeta
        const double k = block_beta(law, &b, z_b, zeta, m->per_t[i], g) * law->sigma0 * b.s / g;
        const br_vec2 rate = br_vec2_sub(b.v, br_vec2_scale(k, z_b));
        const double spin = m->t[i] * v.w - k / b.per_f * zeta;
        dz[i] = counts ? rate.x : 0.0;
        dz[n + i] = counts ? rate.y : 0.0;
        dz[2 * n + i] = counts ? spin : 0.0;

        // l = w_b fn (sigma0 z + sigma1 dz + sigma2 v), its spin likewise; f = -sum l
        const double p = m->weight[i] * fn;
        const double lx = p * (law->sigma0 * z_b.x + law->sigma1 * rate.x + law->sigma2 * b.v.x);
        const double ly = p * (law->sigma0 * z_b.y + law->sigma1 * rate.y + law->sigma2 * b.v.y);
        const double lt =
            p * (law->sigma0 * zeta + law->sigma1 * spin + law->sigma2 * m->t[i] * v.w);
        sum.fx -= lx;
        sum.fy -= ly;
        sum.tau -= m->x[i] * ly - m->y[i] * lx + lt;
    }
    return sum;
}

// dz = dzeta = 0 with beta = 1:   z* = v_b/k,   zeta* = t w/(k f),   k = sigma0 s/g
void br_blocks_steady_state_eval(const br_blocks* m, br_twist v, double* z)
{
    BR_ASSERT(m && z);
    const br_twist u = axes_enter(m->axes, v);
    for (size_t i = 0; i < m->count; i++) {
        const block_motion b = block_motion_of(m, i, u);
        const int counts = m->weight[i] > 0.0 && b.s > 0.0;
        const double per_k = counts ? br_law_g(&m->law, b.n) / (m->law.sigma0 * b.s) : 0.0;
        z[i] = per_k * b.v.x;
        z[m->count + i] = per_k * b.v.y;
        z[2 * m->count + i] = per_k * b.per_f * m->t[i] * b.w;
    }
}
