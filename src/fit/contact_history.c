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
 *   force of a part: u + sigma1 kappa f (T - beta u)/sigma0 + sigma2 (m, w)
 */
#include "fit/contact_history.h"

#include <math.h>
#include <string.h>

#include "bristle/math.h"

// A number and its derivatives by what bristles know: forward-mode differentiation.
typedef struct number {
    double v;
    double d[CONTACT_STATES];
} number;

static inline number constant(double v)
{
    return (number){.v = v};
}

// value, and x a' + y b' for its derivatives
static inline number chain2(double value, double x, const number* a, double y, const number* b)
{
    number out;
    out.v = value;
    for (int k = 0; k < CONTACT_STATES; k++) {
        out.d[k] = x * a->d[k] + y * b->d[k];
    }
    return out;
}

static inline number chain(double value, double slope, number a)
{
    return chain2(value, slope, &a, 0.0, &a);
}

static inline number sum(number a, number b)
{
    return chain2(a.v + b.v, 1.0, &a, 1.0, &b);
}

static inline number difference(number a, number b)
{
    return chain2(a.v - b.v, 1.0, &a, -1.0, &b);
}

static inline number product(number a, number b)
{
    return chain2(a.v * b.v, b.v, &a, a.v, &b);
}

static inline number quotient(number a, number b)
{
    const double q = a.v / b.v;
    return chain2(q, 1.0 / b.v, &a, -q / b.v, &b);
}

static inline number times(double factor, number a)
{
    return chain(factor * a.v, factor, a);
}

static inline number root(number a)
{
    const double r = sqrt(a.v);
    return chain(r, r > 0.0 ? 0.5 / r : 0.0, a);
}

// A length of a part, or a number of it that has none.
static number length_of(by_k a, double size)
{
    number out = {.v = size * a.v};
    out.d[CONTACT_SIZE] = a.v;
    out.d[CONTACT_K] = size * a.k;
    return out;
}

static number number_of(by_k a)
{
    number out = {.v = a.v};
    out.d[CONTACT_K] = a.k;
    return out;
}

static number input(const double* p, int k)
{
    number out = {.v = p[k]};
    out.d[k] = 1.0;
    return out;
}

// How a part slides at a twist.
typedef struct sliding {
    number v[3];      // m and the spin
    number target[3]; // T
    number kappa;
    number faster; // f
    int rests;
} sliding;

// g = mu_c + (mu_s - mu_c) exp(-N/v_s^2)
static number strength(const double* p, number N)
{
    const number v_s = input(p, CONTACT_V_S);
    const number ratio = quotient(N, product(v_s, v_s));
    const number e = chain(exp(-ratio.v), -exp(-ratio.v), ratio);
    const number mu_c = input(p, CONTACT_MU_C);
    return sum(mu_c, product(difference(input(p, CONTACT_MU_S), mu_c), e));
}

// N, s and 1/f of a block that moves and turns; p = max(A + 1.3 T, 0.45 N) = N/f, s^2 = q + T (A + c0 T)/N
static void block_eval(const contact_part* part, const number v[3], number* N, number* s,
                       number* share)
{
    static const double spin = 1.3, spin_least = 0.45; // docs/models.md
    const number xx = product(v[0], v[0]), xy = product(v[0], v[1]), yy = product(v[1], v[1]);
    const number q = sum(xx, yy), T = product(v[2], v[2]);
    const number along =
        sum(product(number_of(part->xx), xx), times(2.0, product(number_of(part->xy), xy)));
    const number A = sum(along, product(number_of(part->yy), yy));
    const number p = sum(A, times(spin, T));
    *N = sum(q, T);
    *share = p.v < spin_least * N->v ? constant(spin_least) : quotient(p, *N);
    const number turning = sum(A, product(number_of(part->turn), T));
    *s = root(sum(q, quotient(product(T, turning), *N)));
}

static void sliding_eval(const double* p, const contact_part* part, const double twist[3],
                         sliding* out)
{
    const double size = p[CONTACT_SIZE], w = twist[2];
    const number x = length_of(part->x, size), y = length_of(part->y, size);
    number N, s, share = constant(1.0);
    out->v[0] = difference(constant(twist[0]), times(w, y));
    out->v[1] = sum(constant(twist[1]), times(w, x));
    out->v[2] = times(w, length_of(part->extent, size));
    const double speed2 =
        out->v[0].v * out->v[0].v + out->v[1].v * out->v[1].v + out->v[2].v * out->v[2].v;
    out->rests = !(speed2 > 0.0);
    if (out->rests) {
        out->kappa = out->target[0] = out->target[1] = out->target[2] = constant(0.0);
        out->faster = constant(1.0);
        return;
    }
    if (part->extent.v > 0.0) {
        block_eval(part, out->v, &N, &s, &share);
    } else {
        N = sum(product(out->v[0], out->v[0]), product(out->v[1], out->v[1]));
        s = root(N);
    }
    const number g = strength(p, N), per = quotient(g, s);
    out->faster = quotient(constant(1.0), share);
    out->kappa = quotient(input(p, CONTACT_SIGMA0), per);
    out->target[0] = product(per, out->v[0]);
    out->target[1] = product(per, out->v[1]);
    out->target[2] = product(per, product(out->v[2], share));
}

// --- LuGre -----------------------------------------------------------------------------------------------

// (1 - e^-x)/x
static number fade(number x, number e)
{
    if (x.v < 1e-3) {
        const double v = x.v;
        return chain(1.0 - v * (0.5 - v * (1.0 / 6.0 - v / 24.0)), -0.5 + v * (1.0 / 3.0 - v / 8.0),
                     x);
    }
    return quotient(difference(constant(1.0), e), x);
}

static void lugre_row(const sliding* a, const sliding* mean, const sliding* b, double dt,
                      number u[3])
{
    double along = 0.0;
    for (int i = 0; i < 3; i++) {
        along += a->target[i].v * b->target[i].v;
    }
    const int turns = along <= 0.0;
    for (int i = 0; i < 3; i++) {
        const number t0 = turns ? mean->target[i] : a->target[i];
        const number t1 = turns ? mean->target[i] : b->target[i];
        const number rate = i < 2 ? mean->kappa : product(mean->kappa, mean->faster);
        const number X = times(dt, rate), e = chain(exp(-X.v), -exp(-X.v), X);
        const number moved = product(difference(t1, t0), fade(X, e));
        u[i] = sum(difference(t1, moved), product(difference(u[i], t0), e));
    }
}

// --- elasto-plastic --------------------------------------------------------------------------------------

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// alpha over q = |u|/|T|, and its slopes by q and s_ba                                    (6) of law.c
static double plastic_share(double q, double s_ba, double* by_q, double* by_s_ba)
{
    *by_q = *by_s_ba = 0.0;
    if (q <= s_ba || q >= 1.0) {
        return q >= 1.0;
    }
    const double band = 1.0 - s_ba, angle = BR_PI * (q - 0.5 * (1.0 + s_ba)) / band;
    *by_q = 0.5 * BR_PI / band * cos(angle);
    *by_s_ba = *by_q * (q - 1.0) / band;
    return 0.5 * sin(angle) + 0.5;
}

// beta of u towards T, and its derivatives by all that it depends on.
typedef struct decay {
    double beta, by_u[3], by_target[3], by_s_ba;
} decay;

static decay decay_eval(const double u[3], const double target[3], double s_ba)
{
    decay d = {.beta = 0.0};
    const double nu = sqrt(dot(u, u)), nt = sqrt(dot(target, target));
    if (!(nu > 0.0 && nt > 0.0)) {
        return d;
    }
    double by_q, by_s_ba;
    const double q = nu / nt, c = dot(u, target) / (nu * nt);
    const double alpha = plastic_share(q, s_ba, &by_q, &by_s_ba), aligned = 0.5 * (1.0 + c);
    d.beta = alpha * aligned;
    d.by_s_ba = by_s_ba * aligned;
    for (int i = 0; i < 3; i++) {
        const double eu = u[i] / nu, et = target[i] / nt;
        d.by_u[i] = by_q * aligned * eu / nt + 0.5 * alpha * (et - c * eu) / nu;
        d.by_target[i] = -by_q * aligned * q * et / nt + 0.5 * alpha * (eu - c * et) / nt;
    }
    return d;
}

// A stage at work: U_i = (c_i + a_i T_i)/(1 + a_i beta).
typedef struct stage {
    double c[3], a[3], target[3], s_ba;
} stage;

static void stage_state(const stage* s, double beta, double U[3])
{
    for (int i = 0; i < 3; i++) {
        U[i] = (s->c[i] + s->a[i] * s->target[i]) / (1.0 + s->a[i] * beta);
    }
}

// The root of beta = beta(U(beta)) in [0, 1] by Newton's method in a bracket; d: there. Returns dbeta(U)/dbeta.
static double stage_solve(const stage* s, double U[3], decay* d, double* beta)
{
    double low = 0.0, high = 1.0, slope = 0.0;
    *beta = 0.5;
    for (int i = 0; i < 60; i++) {
        stage_state(s, *beta, U);
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
static void plastic_stage(const double* p, const sliding* at, double part, const number c[3],
                          number u[3])
{
    stage s = {.s_ba = p[CONTACT_S_BA]};
    number a[3];
    for (int i = 0; i < 3; i++) {
        a[i] = times(part, i < 2 ? at->kappa : product(at->kappa, at->faster));
        s.a[i] = a[i].v;
        s.c[i] = c[i].v;
        s.target[i] = at->target[i].v;
    }
    double U[3], beta;
    decay d;
    const double slope = stage_solve(&s, U, &d, &beta);

    // with beta held, then what beta does
    number moves = constant(beta);
    moves.d[CONTACT_S_BA] = d.by_s_ba;
    for (int i = 0; i < 3; i++) {
        const number top = sum(c[i], product(a[i], at->target[i]));
        u[i] = quotient(top, sum(constant(1.0), times(beta, a[i])));
        for (int k = 0; k < CONTACT_STATES; k++) {
            moves.d[k] += d.by_u[i] * u[i].d[k] + d.by_target[i] * at->target[i].d[k];
        }
    }
    for (int i = 0; i < 3; i++) {
        const double by_beta = -s.a[i] * U[i] / (1.0 + s.a[i] * beta);
        for (int k = 0; k < CONTACT_STATES; k++) {
            u[i].d[k] += by_beta * moves.d[k] / (1.0 - slope);
        }
    }
}

static void twist_between(const double a[3], const double b[3], double share, double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = a[i] + share * (b[i] - a[i]);
    }
}

// Four steps of the method for each row: the band of alpha is narrow.
static void plastic_row(const double* p, const contact_part* part, const double from[3],
                        const double to[3], double dt, number u[3])
{
    enum { STEPS = 4 };
    static const double gamma = 0.29289321881345254; // 1 - 1/sqrt(2): L-stable, of order 2
    const double h = dt / STEPS, on = (1.0 - gamma) / gamma;
    for (int i = 0; i < STEPS; i++) {
        sliding at;
        double twist[3];
        number first[3], c[3];
        twist_between(from, to, (i + gamma) / STEPS, twist);
        sliding_eval(p, part, twist, &at);
        plastic_stage(p, &at, gamma * h, u, first);
        for (int k = 0; k < 3; k++) {
            c[k] = chain2(u[k].v + on * (first[k].v - u[k].v), 1.0 - on, &u[k], on, &first[k]);
        }
        twist_between(from, to, (i + 1.0) / STEPS, twist);
        sliding_eval(p, part, twist, &at);
        plastic_stage(p, &at, gamma * h, c, u);
    }
}

// --- rows ------------------------------------------------------------------------------------------------

static void twist_at(const br_fit_contact_data* d, size_t i, double out[3])
{
    out[0] = d->vx[i];
    out[1] = d->vy[i];
    out[2] = d->w[i];
}

static void advance(const contact_history* h, const double* p, const contact_part* part, size_t i,
                    const sliding* before, const sliding* now, number u[3])
{
    const double dt = h->data.t[i] - h->data.t[i - 1];
    double from[3], to[3], middle[3];
    twist_at(&h->data, i - 1, from);
    twist_at(&h->data, i, to);
    if (h->is_plastic) {
        plastic_row(p, part, from, to, dt, u);
        return;
    }
    sliding mean;
    twist_between(from, to, 0.5, middle);
    sliding_eval(p, part, middle, &mean);
    lugre_row(before, &mean, now, dt, u);
}

// Rates dz of the bristles times sigma0: kappa f (T - beta u)
static void rates(const contact_history* h, const double* p, const sliding* at, const number u[3],
                  number out[3])
{
    number beta = constant(1.0);
    if (h->is_plastic) {
        const double U[3] = {u[0].v, u[1].v, u[2].v};
        const double T[3] = {at->target[0].v, at->target[1].v, at->target[2].v};
        const decay d = decay_eval(U, T, p[CONTACT_S_BA]);
        beta = constant(d.beta);
        beta.d[CONTACT_S_BA] = d.by_s_ba;
        for (int k = 0; k < CONTACT_STATES; k++) {
            for (int i = 0; i < 3; i++) {
                beta.d[k] += d.by_u[i] * u[i].d[k] + d.by_target[i] * at->target[i].d[k];
            }
        }
    }
    for (int i = 0; i < 3; i++) {
        const number rate = i < 2 ? at->kappa : product(at->kappa, at->faster);
        out[i] = product(rate, difference(at->target[i], product(beta, u[i])));
    }
}

// Where the wrench of a row goes.
typedef struct row_place {
    double *wrench, *jacobian; // of this row
    size_t count;              // rows: the stride of components
    double factor;             // -fn
} row_place;

// Add the three of a part's force, as a wrench, to a column.
static void put(double* to, size_t count, const double f[3])
{
    for (int r = 0; r < 3; r++) {
        to[(size_t)r * count] += f[r];
    }
}

static void add_part(const contact_history* h, const double* p, const contact_part* part,
                     const sliding* at, const number u[3], const row_place* to)
{
    number dz[3], f[3], wrench[3];
    const number sigma0 = input(p, CONTACT_SIGMA0);
    rates(h, p, at, u, dz);
    for (int i = 0; i < 3; i++) {
        dz[i] = quotient(dz[i], sigma0);
        f[i] = sum(u[i], sum(times(p[CONTACT_SIGMA1], dz[i]), times(p[CONTACT_SIGMA2], at->v[i])));
    }
    const number x = length_of(part->x, p[CONTACT_SIZE]), y = length_of(part->y, p[CONTACT_SIZE]);
    const number extent = length_of(part->extent, p[CONTACT_SIZE]), w = number_of(part->weight);
    wrench[0] = product(w, f[0]);
    wrench[1] = product(w, f[1]);
    wrench[2] =
        product(w, sum(difference(product(x, f[1]), product(y, f[0])), product(extent, f[2])));
    const double c = to->factor, cw = c * w.v;
    put(to->wrench, to->count, (const double[]){c * wrench[0].v, c * wrench[1].v, c * wrench[2].v});
    for (int k = 0; k < CONTACT_STATES; k++) {
        put(to->jacobian + 3 * (size_t)k * to->count, to->count,
            (const double[]){c * wrench[0].d[k], c * wrench[1].d[k], c * wrench[2].d[k]});
    }
    const number* by_sigma[2] = {dz, at->v};
    for (int k = 0; k < 2; k++) {
        const number* s = by_sigma[k];
        const double torque = x.v * s[1].v - y.v * s[0].v + extent.v * s[2].v;
        put(to->jacobian + 3 * (size_t)(CONTACT_SIGMA1 + k) * to->count, to->count,
            (const double[]){cw * s[0].v, cw * s[1].v, cw * torque});
    }
}

// What a part keeps from row to row.
typedef struct part_state {
    number u[3];
    sliding last;
} part_state;

size_t bri_contact_history_room(const contact_parts* parts)
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
        const row_place to = {wrench + i, jacobian + i, count, -h->data.fn[i]};
        double twist[3];
        twist_at(&h->data, i, twist);
        for (size_t k = 0; k < h->parts->count; k++) {
            const contact_part* part = &h->parts->part[k];
            sliding now;
            sliding_eval(p, part, twist, &now);
            if (i > 0) {
                advance(h, p, part, i, &states[k].last, &now, states[k].u);
            }
            states[k].last = now;
            add_part(h, p, part, &now, states[k].u, &to);
        }
    }
}
