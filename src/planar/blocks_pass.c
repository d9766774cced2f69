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
    if (n < BLOCK_REST) {
        return motion;
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

// The damping of a block that decays by x, its spin f times as fast
static double sigma1_of(const br_law* law, double x, double f, double h, int limited)
{
    return limited ? passive_sigma1(law, fmax(f, 1.0) * x, h) : law->sigma1;
}

void blocks_step_linear(const br_blocks* m, const step_pass* in, int limited, step_linear* out)
{
    const br_law* law = &m->law;
    step_force sum = {.elastic = 1};
    for (size_t i = 0; i < m->count; i++) {
        const double x = in->memo[i], f = in->memo[3 * m->count + i];
        const double sigma1 = sigma1_of(law, x, f, in->h, limited);
        const double stiff = law->sigma0 + sigma1 / in->h;
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

// Block i over a step with decay x, its spin f times as fast
static bundle_step step_of(const br_blocks* m, size_t i, const step_pass* in, double x, double f,
                           int limited)
{
    bundle_step s = {
        .y = {in->v.vx - in->v.w * m->y[i], in->v.vy + in->v.w * m->x[i], sqrt(m->t[i]) * in->v.w},
        .decay = {x, x, f * x},
        .sigma1 = sigma1_of(&m->law, x, f, in->h, limited),
        .h = in->h};
    bristles_of(m, i, in->z, s.z0);
    for (int j = 0; j < 3; j++) {
        s.z1[j] = m->weight[i] > 0.0 ? (s.z0[j] + in->h * s.y[j]) / (1.0 + s.decay[j]) : 0.0;
    }
    return s;
}

// Put the bristles of block i back.
static void store(const br_blocks* m, size_t i, const bundle_step* s, double* z1)
{
    z1[i] = s->z1[0];
    z1[m->count + i] = s->z1[1];
    z1[2 * m->count + i] = s->z1[2] * sqrt(m->t[i]);
}

void blocks_step_close(const br_blocks* m, const step_pass* in, int limited, double* z1,
                       step_closed* out)
{
    *out = (step_closed){.heat = 0.0};
    for (size_t i = 0; i < m->count; i++) {
        const bundle_step s = step_of(m, i, in, in->memo[i], in->memo[3 * m->count + i], limited);
        close_block(m, i, &s, out);
        store(m, i, &s, z1);
    }
}

// All blocks over a step with the twist held; the new state goes to z1 unless that is NULL.
static step_closed hold_twist(const br_blocks* m, const step_pass* in, int limited, double* z1)
{
    step_closed out = {.heat = 0.0};
    for (size_t i = 0; i < m->count; i++) {
        const bundle_motion motion = motion_of(m, i, in->v);
        double t[3];
        bristles_of(m, i, in->z, t);
        for (int j = 0; j < 3; j++) {
            t[j] += in->h * motion.y[j].value;
        }
        const double x = bundle_decay(&m->law, &motion, t, in->h);
        const bundle_step s = step_of(m, i, in, x, motion.f.value, limited);
        close_block(m, i, &s, &out);
        if (z1) {
            store(m, i, &s, z1);
        }
    }
    return out;
}

static br_wrench let_go(const br_blocks* m, double* z, br_step_energy* energy)
{
    memset(z, 0, 3 * m->count * sizeof *z); // costs nothing: what is stored is in proportion to fn
    if (energy) {
        *energy = (br_step_energy){0.0, 0.0, 0.0};
    }
    return (br_wrench){0.0, 0.0, 0.0};
}

br_wrench br_blocks_step(const br_blocks* m, double* z, br_twist v, double fn, double h,
                         br_step_energy* energy)
{
    BR_ASSERT(m && z && h > 0.0);
    if (fn <= 0.0) {
        return let_go(m, z, energy);
    }
    const step_pass in = {.z = z, .v = axes_enter(m->axes, v), .h = h};

    // with the true damping, unless all blocks together would give energy back
    const int limited = hold_twist(m, &in, 0, NULL).heat < 0.0;
    const step_closed sum = hold_twist(m, &in, limited, z);
    if (energy) {
        energy->stored = fn * sum.after;
        energy->dissipated = fn * h * sum.heat;
        energy->work = fn * (sum.after - sum.before) + energy->dissipated;
    }
    const vector3 f = sum.f;
    return axes_leave(m->axes, (br_wrench){-fn * f.e[0], -fn * f.e[1], -fn * f.e[2]});
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
