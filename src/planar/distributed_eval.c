/*
 * Distributed planar friction, plain: reads like the paper, cell by cell.
 *
 * W&K = Waltersson & Karayiannidis, "Planar Friction Modelling with LuGre Dynamics and Limit
 * Surfaces", section IV. Numbers in brackets are that paper's equations.
 *
 *   twist v -> v_t of each cell -> g (2), beta (16)-(18) -> dz (10), (15) -> force (9) -> sums (19), (20)
 *
 * Deviations from print (docs/equations.md): W-18 (third case).
 */
#include "planar/distributed_internal.h"

#include "law/law_internal.h"

// beta(z, v): how plastic a bristle is                                                  (16)-(18)
double distributed_beta(const br_law* law, br_vec2 z, br_vec2 v, double g)
{
    if (law->kind == BR_LAW_LUGRE) {
        return 1.0;
    }
    const double z_norm = br_vec2_norm(z), v_norm = br_vec2_norm(v);
    const double share = plastic_share(law->sigma0 * z_norm / g, law->s_ba, NULL);
    if (share == 0.0 || v_norm == 0.0) {
        return 0.0; // elastic, or dz = v whatever it is: its factor |v| is 0
    }
    // epsilon = (v^ . z^ + 1)/2,  beta = epsilon alpha(|z|)                              (16), (17)
    const double cosine = br_vec2_dot(v, z) / (v_norm * z_norm);
    return 0.5 * (cosine + 1.0) * share;
}

// Rate of one bristle
static inline br_vec2 rate_of(const br_law* law, br_vec2 z, br_vec2 v)
{
    const double speed = br_vec2_norm(v), g = br_law_g(law, speed);

    // dz = v - z beta sigma0 |v| / g(|v|)                                               (10), (15)
    const double decay = distributed_beta(law, z, v, g) * law->sigma0 * speed / g;
    return br_vec2_sub(v, br_vec2_scale(decay, z));
}

br_wrench distributed_eval_plain(const br_distributed* m, const double* z, br_twist v, double fn,
                                 double* dz)
{
    const br_law* law = &m->law;
    const double* zx = z;
    const double* zy = z + m->count;
    br_wrench sum = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < m->count; i++) {
        const br_vec2 v_t = {v.vx - v.w * m->y[i], v.vy + v.w * m->x[i]};
        const br_vec2 z_t = {zx[i], zy[i]};
        const br_vec2 rate = rate_of(law, z_t, v_t);
        dz[i] = m->weight[i] > 0.0 ? rate.x : 0.0;
        dz[m->count + i] = m->weight[i] > 0.0 ? rate.y : 0.0;

        // l = (sigma0 z + sigma1 dz + sigma2 v) p                                              (9)
        const double p = m->weight[i] * fn;
        const double lx = (law->sigma0 * z_t.x + law->sigma1 * rate.x + law->sigma2 * v_t.x) * p;
        const double ly = (law->sigma0 * z_t.y + law->sigma1 * rate.y + law->sigma2 * v_t.y) * p;

        // f = -sum l,  tau = -sum rho x l                                               (19), (20)
        sum.fx -= lx;
        sum.fy -= ly;
        sum.tau -= m->x[i] * ly - m->y[i] * lx;
    }
    return sum;
}

br_distributed_cell_value br_distributed_cell_eval(const br_distributed* m, const double* z,
                                                   br_twist v, double fn, size_t index)
{
    BR_ASSERT(m && z && index < m->count);
    const br_law* law = &m->law;
    const br_vec2 at = axes_turn(m->axes, (br_vec2){m->x[index], m->y[index]});
    const br_vec2 v_t = {v.vx - v.w * at.y, v.vy + v.w * at.x};
    const br_vec2 z_t = axes_turn(m->axes, (br_vec2){z[index], z[m->count + index]});
    const br_vec2 rate = rate_of(law, z_t, v_t);

    // l = (sigma0 z + sigma1 dz + sigma2 v) p                                                  (9)
    const br_vec2 bristle =
        br_vec2_add(br_vec2_scale(law->sigma0, z_t), br_vec2_scale(law->sigma1, rate));
    const br_vec2 l = br_vec2_add(bristle, br_vec2_scale(law->sigma2, v_t));
    const double p = m->weight[index] * fn, counts = m->weight[index] > 0.0;
    return (br_distributed_cell_value){br_vec2_add(m->value.cop, at), v_t, z_t,
                                       br_vec2_scale(counts, rate), br_vec2_scale(-p, l)};
}
