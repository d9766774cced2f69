/*
 * The blocks of a blocks model within an implicit step of a body, and with the twist held.
 *
 * A block is a bundle (bundle.h) with the third bristle scaled to a length, zeta/sqrt(t):
 *   y = (v_b, sqrt(t) w),   rho = s/vn,   s, f, g, vn as in blocks_eval.c
 *   F_b = bristles' force + sigma2 v_b,   torque of its own = sqrt(t) (third bristle + sigma2 y_3)
 *
 * Memo: x, g, frozen x, f of each block (4 n).
 */
#include "planar/blocks_internal.h"
#include "planar/step_internal.h"

#include "planar/bundle.h"

// Block i that moves with the twist v at the CoP; derivatives are with respect to (v_b, w).
static bundle_motion motion_of(const br_blocks* m, size_t i, br_twist v)
{
    const br_vec2 v_b = {v.vx - v.w * m->y[i], v.vy + v.w * m->x[i]};
    const double spin = sqrt(m->t[i]), n = hypot(br_vec2_norm(v_b), v.w * spin);
    bundle_motion motion = {
        .y = {{v_b.x, {1.0, 0.0, 0.0}}, {v_b.y, {0.0, 1.0, 0.0}}, {spin * v.w, {0.0, 0.0, spin}}},
        .rho = {.value = 1.0},
        .f = {.value = 1.0},
        .g = {.value = br_law_g(&m->law, 0.0)}};
    if (n == 0.0) {
        return motion; // at rest
    }
    const block_slip slip = block_slip_of(m, i, v_b, v.w, n);
    motion.vn = of(slip.vn, n * slip.vn.value, 1.0);
    motion.rho = times(slip.s, over(slip.vn));
    motion.f = over(slip.per_f);
    for (int j = 0; j < 3; j++) {
        motion.rho.d[j] /= n;
        motion.f.d[j] /= n;
    }
    motion.g = slip.g;
    return motion;
}

// The bristles of block i, all three as lengths
static void bristles_of(const br_blocks* m, size_t i, const double* z, double out[3])
{
    out[0] = z[i];
    out[1] = z[m->count + i];
    out[2] = z[2 * m->count + i] * sqrt(m->per_t[i]);
}

// Add a block's force and its derivatives with respect to (v_b, w) to those of the patch.
static void add_block(const br_blocks* m, size_t i, vector3 f, const matrix3* f_v, step_force* sum)
{
    const matrix3 j = {{{1.0, 0.0, -m->y[i]}, {0.0, 1.0, m->x[i]}, {0.0, 0.0, 1.0}}};
    sum->f = vector3_mix(1.0, sum->f, m->weight[i], matrix3_apply_transposed(&j, f));
    matrix3_add_congruent(&sum->f_v, m->weight[i], &j, f_v);
}

static void pass_block(const br_blocks* m, const step_pass* in, size_t i, step_force* out)
{
    const size_t n = m->count;
    const bundle_motion motion = motion_of(m, i, in->v);
    bundle_pass pass = {.law = &m->law, .motion = &motion, .h = in->h};
    bristles_of(m, i, in->z, pass.z0);
    in->memo[3 * n + i] = motion.f.value;
    vector3 f;
    matrix3 f_v;
    bundle_pass_eval(&pass, in->law, in->memo + i, n, &f, &f_v);
    out->elastic &= in->memo[i] == 0.0;

    // the third bristle's force times sqrt(t) is a torque
    const double spin = sqrt(m->t[i]), viscous[3] = {1.0, 1.0, m->t[i]};
    const double motion_b[3] = {motion.y[0].value, motion.y[1].value, in->v.w};
    f.e[2] *= spin;
    for (int j = 0; j < 3; j++) {
        f_v.e[2][j] *= spin;
        f.e[j] += m->law.sigma2 * viscous[j] * motion_b[j];
        f_v.e[j][j] += m->law.sigma2 * viscous[j];
    }
    add_block(m, i, f, &f_v, out);
}

void blocks_step_pass(const br_blocks* m, const step_pass* in, step_force* out)
{
    *out = (step_force){.elastic = 1};
    for (size_t i = 0; i < m->count; i++) {
        if (m->weight[i] > 0.0) {
            pass_block(m, in, i, out);
        }
    }
}

static double sigma1_of(const br_blocks* m, size_t i, const step_pass* in, int limited)
{
    const double faster = fmax(in->memo[3 * m->count + i], 1.0);
    return limited ? passive_sigma1(&m->law, faster * in->memo[i], in->h) : m->law.sigma1;
}

void blocks_step_linear(const br_blocks* m, const step_pass* in, int limited, step_linear* out)
{
    const br_law* law = &m->law;
    step_force sum = {.elastic = 1};
    for (size_t i = 0; i < m->count; i++) {
        const double x = in->memo[i], f = in->memo[3 * m->count + i];
        const double sigma1 = sigma1_of(m, i, in, limited), stiff = law->sigma0 + sigma1 / in->h;
        const double rest[3] = {1.0 / (1.0 + x), 1.0 / (1.0 + x), 1.0 / (1.0 + f * x)};
        const double z0[3] = {in->z[i], in->z[m->count + i], in->z[2 * m->count + i]};
        const double size[3] = {1.0, 1.0, m->t[i]};
        matrix3 slope = {{{0.0}}};
        vector3 constant;
        for (int j = 0; j < 3; j++) {
            slope.e[j][j] = size[j] * (stiff * in->h * rest[j] + law->sigma2);
            constant.e[j] = (stiff * rest[j] - sigma1 / in->h) * z0[j];
        }
        add_block(m, i, constant, &slope, &sum);
    }
    *out = (step_linear){sum.f_v, sum.f};
}

// Add what block i did to the sums.
static void close_block(const br_blocks* m, size_t i, const bundle_step* s, step_closed* out)
{
    const br_law* law = &m->law;
    const double w = m->weight[i], spin = sqrt(m->t[i]);
    double l[3], square0 = 0.0, square1 = 0.0, viscous = 0.0;
    bundle_force(law, s, l);
    for (int j = 0; j < 3; j++) {
        l[j] += law->sigma2 * s->y[j];
        viscous += law->sigma2 * s->y[j] * s->y[j];
        square0 += s->z0[j] * s->z0[j];
        square1 += s->z1[j] * s->z1[j];
    }
    out->f.e[0] += w * l[0];
    out->f.e[1] += w * l[1];
    out->f.e[2] += w * (m->x[i] * l[1] - m->y[i] * l[0] + spin * l[2]);
    out->heat += w * (bundle_heat(law, s) + viscous);
    out->before += 0.5 * law->sigma0 * w * square0;
    out->after += 0.5 * law->sigma0 * w * square1;
}

void blocks_step_close(const br_blocks* m, const step_pass* in, int limited, double* z1,
                       step_closed* out)
{
    const size_t n = m->count;
    *out = (step_closed){.heat = 0.0};
    for (size_t i = 0; i < n; i++) {
        const double x = in->memo[i], spin = sqrt(m->t[i]);
        bundle_step s = {
            .y = {in->v.vx - in->v.w * m->y[i], in->v.vy + in->v.w * m->x[i], spin * in->v.w},
            .decay = {x, x, in->memo[3 * n + i] * x},
            .sigma1 = sigma1_of(m, i, in, limited),
            .h = in->h};
        bristles_of(m, i, in->z, s.z0);
        for (int j = 0; j < 3; j++) {
            s.z1[j] = m->weight[i] > 0.0 ? (s.z0[j] + in->h * s.y[j]) / (1.0 + s.decay[j]) : 0.0;
        }
        close_block(m, i, &s, out);
        z1[i] = s.z1[0];
        z1[n + i] = s.z1[1];
        z1[2 * n + i] = s.z1[2] * spin;
    }
}

step_model blocks_step_model(const br_blocks* m)
{
    return (step_model){.states = 3 * m->count,
                        .bundles = m->count,
                        .memo = 4 * m->count,
                        .law = &m->law,
                        .axes = m->axes,
                        .spin = sqrt(m->value.u)};
}

double blocks_step_stored(const br_blocks* m, const double* z)
{
    double sum = 0.0;
    for (size_t i = 0; i < m->count; i++) {
        double b[3];
        bristles_of(m, i, z, b);
        sum += m->weight[i] * (b[0] * b[0] + b[1] * b[1] + b[2] * b[2]);
    }
    return 0.5 * m->law.sigma0 * sum;
}
