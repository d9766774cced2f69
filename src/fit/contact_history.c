/*
 * The wrench of a contact of bristles along a measured motion, with its derivatives.
 *
 * A part moves with m and, if it has an extent (a block), turns with w; sizes of spins are times its extent, so that
 * all three have one unit. With the effective speed s, the mean square speed N, the spin's share 1/f of docs/models.md
 *
 *   e = (m_x, m_y, w/f),   T = g e/s: where steady sliding has u = sigma0 z,   kappa = sigma0 s/g
 *   du_i/dt = kappa f_i (T_i - beta u_i),   f_i = 1, 1, f                                           (F-7)
 *
 * LuGre: beta = 1. Over a row T and the twist are linear in time and kappa is that of the mean twist:
 *   u1 = T1 - (T1 - T0) phi(X) + (u0 - T0) e^-X,   X = kappa f h,   T of the mean twist where the motion turns back
 * Elasto-plastic: beta = alpha(|u|/|T|) (1 + u.T/(|u||T|))/2, by an L-stable method of order 2, whose stages have one
 * unknown, beta itself.
 *
 *   force of a part: u + sigma1 e kappa f (T - beta u)/sigma0 + sigma2 (m, w),   e = 1/(1 + N/v_d^2)
 */
#include "fit/contact_history.h"

#include <string.h>

#include "math/scalar.h"
#include "math/vec3.h"

#define DUAL_SEEDS CONTACT_STATES // inputs of the bristle states
#include "math/dual.h"

#include "law/law_formulas.inc"

#include "fit/history.h"

// A length, and a number, of a part as duals.
static dual length_of(by_k a, double size)
{
    dual out = dual_seed(size * a.v, CONTACT_SIZE, a.v);
    out.d[CONTACT_K] = size * a.d[0];
    return out;
}

static dual number_of(by_k a)
{
    return dual_seed(a.v, CONTACT_K, a.d[0]);
}

static dual input(const double* p, int k)
{
    return dual_seed(p[k], k, 1.0);
}

// Motion of a part at a twist.
typedef struct sliding {
    dual v[3];      // m and the spin
    dual target[3]; // T
    dual rate[3];   // kappa f_i
    dual share;     // e
} sliding;

// e of a part with the mean square speed N                                                           (D-1)
static dual damping_share_of(const double* p, dual N)
{
    const double v_d = p[CONTACT_V_DAMPING], per_d2 = 1.0 / (v_d * v_d);
    if (v_d == 0.0) {
        return dual_constant(1.0);
    }
    const double e = damping_left(N.v * per_d2);
    return dual_chain(N, e, 0.5 * damping_fall(per_d2, e));
}

// g of a part with the mean square speed N > 0; gamma = 2                                                (2)
static dual strength_of(const double* p, dual N)
{
    const double v_s = p[CONTACT_V_S], n = sqrt(N.v);
    const strength_slopes s = strength_by(p[CONTACT_MU_C], p[CONTACT_MU_S], v_s, 2.0, 1, n);
    dual g = dual_chain(N, s.g, 0.5 * s.n / n);
    dual_add(&g, CONTACT_MU_C, s.mu_c);
    dual_add(&g, CONTACT_MU_S, s.mu_s);
    dual_add(&g, CONTACT_V_S, s.v_s);
    return g;
}

// N, s and 1/f of a block that moves and turns
static void block_eval(const contact_part* part, const dual v[3], dual* N, dual* s, dual* share)
{
    const dual xx = dual_square(v[0]), xy = dual_product(v[0], v[1]), yy = dual_square(v[1]);
    const dual q = dual_sum(xx, yy), T = dual_square(v[2]);
    const dual mixed = dual_scale(2.0, dual_product(number_of(part->xy), xy));
    const dual straight =
        dual_sum(dual_product(number_of(part->xx), xx), dual_product(number_of(part->yy), yy));
    *N = dual_sum(q, T);
    const dual along = dual_quotient(dual_sum(straight, mixed), *N), psi = dual_quotient(T, *N);
    *share = dual_block_lag(along, psi);
    *s = dual_root(dual_block_speed2(q, T, along, dual_product(number_of(part->turn), psi)));
}

static void sliding_eval(const double* p, const contact_part* part, const double twist[3],
                         sliding* out)
{
    const double size = p[CONTACT_SIZE], w = twist[2];
    const dual x = length_of(part->x, size), y = length_of(part->y, size);
    dual N, s, share = dual_constant(1.0);
    out->v[0] = dual_difference(dual_constant(twist[0]), dual_scale(w, y));
    out->v[1] = dual_sum(dual_constant(twist[1]), dual_scale(w, x));
    out->v[2] = dual_scale(w, length_of(part->extent, size));
    const double v[3] = {out->v[0].v, out->v[1].v, out->v[2].v};
    if (!(vec3_dot(v, v) > 0.0)) {
        for (int i = 0; i < 3; i++) {
            out->rate[i] = out->target[i] = dual_constant(0.0);
        }
        out->share = dual_constant(1.0);
        return;
    }
    if (part->extent.v > 0.0) {
        block_eval(part, out->v, &N, &s, &share);
    } else {
        N = dual_sum(dual_square(out->v[0]), dual_square(out->v[1]));
        s = dual_root(N);
    }
    const dual g = strength_of(p, N), per = dual_quotient(g, s);
    out->share = damping_share_of(p, N);
    out->rate[0] = out->rate[1] = dual_quotient(input(p, CONTACT_SIGMA0), per);
    out->rate[2] = dual_product(out->rate[0], dual_quotient(dual_constant(1.0), share));
    out->target[0] = dual_product(per, out->v[0]);
    out->target[1] = dual_product(per, out->v[1]);
    out->target[2] = dual_product(per, dual_product(out->v[2], share));
}

// --- LuGre -----------------------------------------------------------------------------------------------

static void twist_between(const double a[3], const double b[3], double share, double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = a[i] + share * (b[i] - a[i]);
    }
}

// From twist v0 and motion a to twist v1 and motion b.
static void lugre_row(const double* p, const contact_part* part, const double v0[3],
                      const double v1[3], const sliding* a, const sliding* b, double dt, dual u[3])
{
    sliding mean;
    double middle[3];
    twist_between(v0, v1, 0.5, middle);
    sliding_eval(p, part, middle, &mean);
    double along = 0.0;
    for (int i = 0; i < 3; i++) {
        along += a->target[i].v * b->target[i].v;
    }
    const int turns = along <= 0.0;
    for (int i = 0; i < 3; i++) {
        const dual t0 = turns ? mean.target[i] : a->target[i];
        const dual t1 = turns ? mean.target[i] : b->target[i];
        u[i] = history_relax(u[i], t0, t1, dual_scale(dt, mean.rate[i]));
    }
}

// --- elasto-plastic --------------------------------------------------------------------------------------

// beta of u towards T, and its derivatives by its arguments.
typedef struct decay {
    double beta, by_u[3], by_target[3], by_s_ba;
} decay;

static decay decay_eval(const double u[3], const double target[3], double s_ba)
{
    decay d = {.beta = 0.0};
    const double nu = sqrt(vec3_dot(u, u)), nt = sqrt(vec3_dot(target, target));
    if (!(nu > 0.0 && nt > 0.0)) {
        return d;
    }
    const double q = nu / nt, c = vec3_dot(u, target) / (nu * nt), aligned = 0.5 * (1.0 + c);
    const plastic_share a = share_eval(q, s_ba);
    d.beta = a.alpha * aligned;
    d.by_s_ba = a.by_s_ba * aligned;
    for (int i = 0; i < 3; i++) {
        const double eu = u[i] / nu, et = target[i] / nt;
        d.by_u[i] = a.by_q * aligned * eu / nt + 0.5 * a.alpha * (et - c * eu) / nu;
        d.by_target[i] = -a.by_q * aligned * q * et / nt + 0.5 * a.alpha * (eu - c * et) / nt;
    }
    return d;
}

// beta with its derivatives by the seeds of u and T.
static dual decay_dual(const decay* d, const dual u[3], const dual target[3])
{
    dual beta = dual_seed(d->beta, CONTACT_S_BA, d->by_s_ba);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < CONTACT_STATES; k++) {
            beta.d[k] += d->by_u[i] * u[i].d[k] + d->by_target[i] * target[i].d[k];
        }
    }
    return beta;
}

// The equations of a stage: U_i = (c_i + a_i T_i)/(1 + a_i beta).
typedef struct stage {
    double c[3], a[3], target[3], s_ba;
} stage;

// The root of beta = beta(U(beta)) in [0, 1] by Newton's method in a bracket; d: there. Returns dbeta(U)/dbeta.
static double stage_solve(const stage* s, double U[3], decay* d, double* beta)
{
    double low = 0.0, high = 1.0, slope = 0.0;
    *beta = 0.5;
    for (int i = 0; i < 60; i++) {
        for (int k = 0; k < 3; k++) {
            U[k] = (s->c[k] + s->a[k] * s->target[k]) / (1.0 + s->a[k] * *beta);
        }
        *d = decay_eval(U, s->target, s->s_ba);
        slope = 0.0;
        for (int k = 0; k < 3; k++) {
            slope -= d->by_u[k] * s->a[k] * U[k] / (1.0 + s->a[k] * *beta);
        }
        const double miss = *beta - d->beta;
        low = miss < 0.0 ? *beta : low;
        high = miss >= 0.0 ? *beta : high;
        const double next = *beta - miss / (1.0 - slope);
        const int is_inside = next >= low && next <= high;
        const double step = (is_inside ? next : 0.5 * (low + high)) - *beta;
        if (fabs(step) < 1e-12) {
            break;
        }
        *beta += step;
    }
    return slope;
}

// A stage of weight `part` of a step: from c to u.
static void plastic_stage(const double* p, const sliding* at, double part, const dual c[3],
                          dual u[3])
{
    stage s = {.s_ba = p[CONTACT_S_BA]};
    dual a[3];
    for (int i = 0; i < 3; i++) {
        a[i] = dual_scale(part, at->rate[i]);
        s.a[i] = a[i].v;
        s.c[i] = c[i].v;
        s.target[i] = at->target[i].v;
    }
    double U[3], beta;
    decay d;
    const double slope = stage_solve(&s, U, &d, &beta);

    // with constant beta first, then the effect of beta
    for (int i = 0; i < 3; i++) {
        const dual top = dual_sum(c[i], dual_product(a[i], at->target[i]));
        u[i] = dual_quotient(top, dual_sum(dual_constant(1.0), dual_scale(beta, a[i])));
    }
    const dual moves = decay_dual(&d, u, at->target);
    for (int i = 0; i < 3; i++) {
        const double by_beta = -s.a[i] * U[i] / (1.0 + s.a[i] * beta);
        for (int k = 0; k < CONTACT_STATES; k++) {
            u[i].d[k] += by_beta * moves.d[k] / (1.0 - slope);
        }
    }
}

static void plastic_row(const double* p, const contact_part* part, const double from[3],
                        const double to[3], double dt, dual u[3])
{
    const double h = dt / HISTORY_STEPS;
    for (int i = 0; i < HISTORY_STEPS; i++) {
        sliding at;
        double twist[3];
        dual first[3], c[3];
        twist_between(from, to, (i + HISTORY_STAGE) / HISTORY_STEPS, twist);
        sliding_eval(p, part, twist, &at);
        plastic_stage(p, &at, HISTORY_STAGE * h, u, first);
        for (int k = 0; k < 3; k++) {
            c[k] = dual_between(u[k], first[k], HISTORY_ON);
        }
        twist_between(from, to, (i + 1.0) / HISTORY_STEPS, twist);
        sliding_eval(p, part, twist, &at);
        plastic_stage(p, &at, HISTORY_STAGE * h, c, u);
    }
}

// --- rows ------------------------------------------------------------------------------------------------

// Rates dz of the bristles times sigma0: kappa f (T - beta u)
static void rates(const contact_history* h, const double* p, const sliding* at, const dual u[3],
                  dual out[3])
{
    dual beta = dual_constant(1.0);
    if (h->is_plastic) {
        const double U[3] = {u[0].v, u[1].v, u[2].v};
        const double T[3] = {at->target[0].v, at->target[1].v, at->target[2].v};
        const decay d = decay_eval(U, T, p[CONTACT_S_BA]);
        beta = decay_dual(&d, u, at->target);
    }
    for (int i = 0; i < 3; i++) {
        const dual miss = dual_difference(at->target[i], dual_product(beta, u[i]));
        out[i] = dual_product(at->rate[i], miss);
    }
}

// Add the force of a part to the wrench of a row and to its derivatives.
static void add_part(const contact_history* h, const double* p, const contact_part* part,
                     const sliding* at, const dual u[3], size_t row, double* to_wrench,
                     double* jacobian)
{
    const size_t count = h->data.count;
    dual dz[3], f[3], wrench[3];
    const dual sigma0 = input(p, CONTACT_SIGMA0);
    rates(h, p, at, u, dz);
    for (int i = 0; i < 3; i++) {
        dz[i] = dual_product(at->share, dual_quotient(dz[i], sigma0)); // multiplied by sigma1
        f[i] = dual_sum(u[i], dual_sum(dual_scale(p[CONTACT_SIGMA1], dz[i]),
                                       dual_scale(p[CONTACT_SIGMA2], at->v[i])));
    }
    const dual x = length_of(part->x, p[CONTACT_SIZE]), y = length_of(part->y, p[CONTACT_SIZE]);
    const dual extent = length_of(part->extent, p[CONTACT_SIZE]), w = number_of(part->weight);
    wrench[0] = dual_product(w, f[0]);
    wrench[1] = dual_product(w, f[1]);
    wrench[2] =
        dual_product(w, dual_sum(dual_difference(dual_product(x, f[1]), dual_product(y, f[0])),
                                 dual_product(extent, f[2])));
    const double c = -h->data.fn[row], cw = c * w.v;
    for (size_t r = 0; r < 3; r++) {
        to_wrench[r * count + row] += c * wrench[r].v;
        for (size_t k = 0; k < CONTACT_STATES; k++) {
            jacobian[(3 * k + r) * count + row] += c * wrench[r].d[k];
        }
    }
    const dual* by_sigma[2] = {dz, at->v};
    for (size_t k = 0; k < 2; k++) {
        const dual* s = by_sigma[k];
        const double torque = x.v * s[1].v - y.v * s[0].v + extent.v * s[2].v;
        const double by[3] = {s[0].v, s[1].v, torque};
        for (size_t r = 0; r < 3; r++) {
            jacobian[(3 * (CONTACT_SIGMA1 + k) + r) * count + row] += cw * by[r];
        }
    }
}

// State of a part between rows.
typedef struct part_state {
    dual u[3];
    sliding last;
} part_state;

size_t bri_contact_history_get_work(const contact_parts* parts)
{
    return parts->count * sizeof(part_state) / sizeof(double) + parts->count;
}

void bri_contact_history(const contact_history* h, const double p[CONTACT_INPUTS], double* wrench,
                         double* jacobian)
{
    const size_t count = h->data.count;
    part_state* states = (part_state*)h->state;
    bri_parts_set(h->parts, p[CONTACT_K]);
    memset(states, 0, h->parts->count * sizeof *states);
    memset(wrench, 0, 3 * count * sizeof *wrench);
    memset(jacobian, 0, 3 * CONTACT_INPUTS * count * sizeof *jacobian);
    for (size_t i = 0; i < count; i++) {
        const size_t j = i > 0 ? i - 1 : 0;
        const double dt = h->data.t[i] - h->data.t[j];
        const double v0[3] = {h->data.vx[j], h->data.vy[j], h->data.w[j]};
        const double v1[3] = {h->data.vx[i], h->data.vy[i], h->data.w[i]};
        for (size_t k = 0; k < h->parts->count; k++) {
            const contact_part* part = &h->parts->part[k];
            sliding now;
            sliding_eval(p, part, v1, &now);
            if (i > 0 && h->is_plastic) {
                plastic_row(p, part, v0, v1, dt, states[k].u);
            } else if (i > 0) {
                lugre_row(p, part, v0, v1, &states[k].last, &now, dt, states[k].u);
            }
            states[k].last = now;
            add_part(h, p, part, &now, states[k].u, i, wrench, jacobian);
        }
    }
}
