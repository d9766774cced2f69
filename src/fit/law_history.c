/*
 * The force of a law along a measured motion, with its derivatives.
 *
 * The speed is linear between rows; where it changes sign, the interval is cut there. Over a piece of one
 * direction s the way Delta >= 0 is the independent variable, so nothing is stiff but what slides far, and
 * u = sigma0 z, the bristle's coefficient, the state (docs/equations.md, F-1 to F-4):
 *
 *   LuGre           du/dx = sigma0 (s - u/g)                  g linear over the piece           (F-1)
 *   elasto-plastic  du/dx = sigma0 (s - alpha(|u|/g) u/g)                                       (F-2)
 *   Dahl            du/dx = sigma0 s sgn(w) |w|^alpha,  w = 1 - s u/(mu_c fn)                   (F-3)
 *   f = fn (u + sigma1 (v - alpha |v| u/g) + sigma2 v) + offset                                 (F-4)
 *
 * LuGre's step is the exact solution for a steady value that moves linearly, Dahl's the exact one at the
 * mean normal force, the elasto-plastic one the L-stable SDIRK method of order 2.
 */
#include "fit/law_history.h"

#include <math.h>
#include <string.h>

#include "bristle/math.h"

// Whatever takes `with` is compiled twice: 1 with derivatives, 0 without, which leaves them unset.
#define INLINE static inline __attribute__((always_inline))

// A number and its derivatives by all parameters: forward-mode differentiation.
typedef struct number {
    double v;
    double d[WIDTH];
} number;

// a x + b y of derivatives
INLINE void mix(double* out, double a, const double* x, double b, const double* y, const int with)
{
    for (int k = 0; with && k < WIDTH; k++) {
        out[k] = a * x[k] + b * y[k];
    }
}

static double sign(double x)
{
    return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : 0.0;
}

// What a row gives.
typedef struct sample {
    double t, v;
    double v_by[2]; // dv by delay and by speed_offset
    double fn, fn_gain;
    number g; // of (2) at |v|, without asymmetry
} sample;

// What depends on v depends on the nuisances of v.
static void add_speed(double* d, double by_v, const sample* at)
{
    d[BR_FIT_DELAY] += by_v * at->v_by[0];
    d[BR_FIT_SPEED_OFFSET] += by_v * at->v_by[1];
}

// g = mu_c + (mu_s - mu_c) exp(-|v/v_s|^gamma)                                        (2) of law.c
INLINE void strength_eval(const double* p, const sample* at, number* g, const int with)
{
    const double ratio = fabs(at->v) / p[BR_FIT_V_S];
    const double power = p[BR_FIT_GAMMA] == 2.0 ? ratio * ratio : pow(ratio, p[BR_FIT_GAMMA]);
    const double e = exp(-power);
    const double drop = (p[BR_FIT_MU_S] - p[BR_FIT_MU_C]) * e;
    const double fall = e == 0.0 ? 0.0 : drop * power;
    g->v = p[BR_FIT_MU_C] + drop;
    if (!with) {
        return;
    }
    memset(g->d, 0, sizeof g->d);
    g->d[BR_FIT_MU_C] = 1.0 - e;
    g->d[BR_FIT_MU_S] = e;
    g->d[BR_FIT_V_S] = fall * p[BR_FIT_GAMMA] / p[BR_FIT_V_S];
    if (ratio > 0.0) {
        g->d[BR_FIT_GAMMA] = -fall * log(ratio);
        add_speed(g->d, -fall * p[BR_FIT_GAMMA] / at->v, at);
    }
}

// Coulomb's and Dahl's have but mu_c.
static int has_stribeck(br_law_kind kind)
{
    return kind != BR_LAW_COULOMB && kind != BR_LAW_DAHL;
}

INLINE void sample_eval(const law_history* h, const double* p, size_t i, sample* out,
                        const int with)
{
    const br_fit_law_data* data = &h->data;
    const double load = data->load ? fabs(data->load[i]) : 0.0;
    const double fn = data->fn ? data->fn[i] : 1.0;
    out->t = data->t ? data->t[i] : (double)i;
    out->v = (h->speed ? h->speed[2 * i] : data->v[i]) - p[BR_FIT_SPEED_OFFSET];
    out->v_by[0] = h->speed ? h->speed[2 * i + 1] : 0.0;
    out->v_by[1] = -1.0;
    out->fn = fn * (1.0 + p[BR_FIT_LOAD_GAIN] * load);
    out->fn_gain = fn * load;
    if (has_stribeck(h->kind)) {
        strength_eval(p, out, &out->g, with);
    } else {
        out->g.v = p[BR_FIT_MU_C];
        if (with) {
            memset(out->g.d, 0, sizeof out->g.d);
            out->g.d[BR_FIT_MU_C] = 1.0;
        }
    }
}

// g for one direction: (1 + e s) g
INLINE number directed(const double* p, const number* g, double s, const int with)
{
    number out;
    const double factor = 1.0 + p[BR_FIT_ASYMMETRY] * s;
    out.v = factor * g->v;
    mix(out.d, factor, g->d, 0.0, g->d, with);
    if (with) {
        out.d[BR_FIT_ASYMMETRY] += s * g->v;
    }
    return out;
}

// A piece of the motion in one direction.
typedef struct piece {
    double s;      // direction, 1 or -1
    number way;    // Delta [m], >= 0
    number g0, g1; // at its ends
    number fn;     // mean
} piece;

// (1 - e^-x)/x and its slope
static double fade(double x, double e, double* slope)
{
    if (x < 1e-3) {
        *slope = -0.5 + x * (1.0 / 3.0 - x / 8.0);
        return 1.0 - x * (0.5 - x * (1.0 / 6.0 - x / 24.0));
    }
    const double value = (1.0 - e) / x;
    *slope = (e - value) / x;
    return value;
}

INLINE void lugre_piece(const double* p, const piece* m, number* u, const int with)
{
    // X = sigma0 Delta/g at the mean of both ends
    const double g = 0.5 * (m->g0.v + m->g1.v), X = p[BR_FIT_SIGMA0] * m->way.v / g;
    double x_p[WIDTH], half[WIDTH];
    mix(half, 0.5, m->g0.d, 0.5, m->g1.d, with);
    mix(x_p, p[BR_FIT_SIGMA0] / g, m->way.d, -X / g, half, with);
    if (with) {
        x_p[BR_FIT_SIGMA0] += m->way.v / g;
    }

    // u1 = s g1 - s (g1 - g0) phi(X) + (u0 - s g0) e^-X,  phi = (1 - e^-X)/X                     (F-1)
    const double e = exp(-X), jump = m->s * (m->g1.v - m->g0.v), left = u->v - m->s * m->g0.v;
    double slope;
    const double phi = fade(X, e, &slope);
    const double by_x = -jump * slope - left * e;
    const double by_g0 = m->s * (phi - e), by_g1 = m->s * (1.0 - phi);
    u->v = m->s * m->g1.v - jump * phi + left * e;
    for (int k = 0; with && k < WIDTH; k++) {
        u->d[k] = e * u->d[k] + by_g0 * m->g0.d[k] + by_g1 * m->g1.d[k] + by_x * x_p[k];
    }
}

// Plastic share (6) of law.c over q, its slope, and its derivative by s_ba.
typedef struct share {
    double alpha, by_q, by_s_ba;
} share;

static share share_eval(double q, double s_ba)
{
    if (q <= s_ba || q <= 0.0) {
        return (share){0.0, 0.0, 0.0};
    }
    if (q >= 1.0) {
        return (share){1.0, 0.0, 0.0};
    }
    const double band = 1.0 - s_ba, angle = BR_PI * (q - 0.5 * (1.0 + s_ba)) / band;
    const double by_q = 0.5 * BR_PI / band * cos(angle);
    return (share){0.5 * sin(angle) + 0.5, by_q, by_q * (q - 1.0) / band};
}

// The root q of q (1 + A alpha(q)) = C: Newton's method in a bracket, on a function that increases.
static double plastic_root(double A, double C, double s_ba)
{
    if (C <= s_ba) {
        return C;
    }
    if (C >= 1.0 + A) {
        return C / (1.0 + A);
    }
    double low = fmax(s_ba, C / (1.0 + A)), high = fmin(1.0, C), q = 0.5 * (low + high);
    for (int i = 0; i < 80; i++) {
        const share a = share_eval(q, s_ba);
        const double miss = q * (1.0 + A * a.alpha) - C;
        if (miss > 0.0) {
            high = q;
        } else {
            low = q;
        }
        const double next = q - miss / (1.0 + A * (a.alpha + a.by_q * q));
        if (fabs(next - q) < 1e-9) {
            return fmax(low, fmin(next, high)); // what Newton leaves is the square of this
        }
        q = next > low && next < high ? next : 0.5 * (low + high);
    }
    return q;
}

// A stage of the implicit method: U = c + A g (s - alpha(|U|/g) U/g), A = weight sigma0 Delta/g.     (F-2)
INLINE void plastic_stage(const double* p, const piece* m, double weight, const number* g,
                          const number* c, number* U, const int with)
{
    const double A = weight * p[BR_FIT_SIGMA0] * m->way.v / g->v, s_ba = p[BR_FIT_S_BA];
    const double C = m->s * c->v / g->v + A;
    const double q = plastic_root(A, C, s_ba);
    const share a = share_eval(q, s_ba);
    const double per = 1.0 / (1.0 + A * (a.alpha + a.by_q * q)), g_v = g->v;
    double way_p[WIDTH];
    mix(way_p, weight * p[BR_FIT_SIGMA0] / g_v, m->way.d, -A / g_v, g->d, with); // A's
    U->v = m->s * g_v * q;
    if (!with) {
        return;
    }
    way_p[BR_FIT_SIGMA0] += weight * m->way.v / g_v;
    for (int k = 0; with && k < WIDTH; k++) {
        const double C_p = m->s * (c->d[k] - c->v * g->d[k] / g_v) / g_v + way_p[k];
        U->d[k] = (C_p - way_p[k] * a.alpha * q) * per;
    }
    U->d[BR_FIT_S_BA] -= A * a.by_s_ba * q * per;

    // from q to U = s g q
    for (int k = 0; with && k < WIDTH; k++) {
        U->d[k] = m->s * (g_v * U->d[k] + q * g->d[k]);
    }
}

// One step of the method, over all of the piece.
INLINE void plastic_step(const double* p, const piece* m, number* u, const int with)
{
    static const double gamma = 0.29289321881345254; // 1 - 1/sqrt(2): L-stable, of order 2
    number g, U, c;
    g.v = m->g0.v + gamma * (m->g1.v - m->g0.v);
    mix(g.d, 1.0 - gamma, m->g0.d, gamma, m->g1.d, with);
    plastic_stage(p, m, gamma, &g, u, &U, with);

    // the second stage begins at u0 + (1 - gamma) of the first one's slope
    const double on = (1.0 - gamma) / gamma;
    c.v = u->v + on * (U.v - u->v);
    mix(c.d, 1.0 - on, u->d, on, U.d, with);
    plastic_stage(p, m, gamma, &m->g1, &c, u, with);
}

// Elastic all along, which one step gives exactly, or in four steps: the band of alpha is narrow.
INLINE void plastic_piece(const double* p, const piece* m, number* u, const int with)
{
    enum { STEPS = 4 };
    const double end = m->s * u->v + p[BR_FIT_SIGMA0] * m->way.v;
    if (end <= p[BR_FIT_S_BA] * fmin(m->g0.v, m->g1.v)) {
        plastic_step(p, m, u, with);
        return;
    }
    piece part = {.s = m->s, .way.v = m->way.v / STEPS, .g1 = m->g0};
    mix(part.way.d, 1.0 / STEPS, m->way.d, 0.0, m->way.d, with);
    for (int i = 1; i <= STEPS; i++) {
        const double done = (double)i / STEPS;
        part.g0 = part.g1;
        part.g1.v = m->g0.v + done * (m->g1.v - m->g0.v);
        mix(part.g1.d, 1.0 - done, m->g0.d, done, m->g1.d, with);
        plastic_step(p, &part, u, with);
    }
}

// |w| after tau of dw/dtau = -w^alpha, and its derivative by alpha.
static double dahl_flow(double w, double tau, double alpha, double* by_alpha)
{
    const double e = alpha - 1.0;
    *by_alpha = 0.0;
    if (w == 0.0) {
        return 0.0;
    }
    const double l = log(w), s = exp(e * l) * tau;
    if (1.0 + e * s <= 0.0) {
        return 0.0; // exponents below 1 arrive
    }
    // ln w1 = ln w - ln(1 + e s)/e
    const double fall = fabs(e) * s < 1e-9 ? s : log1p(e * s) / e, w1 = w * exp(-fall);
    const double change =
        fabs(e) < 1e-4 ? 0.5 * s * s - s * l : (fall - s * (1.0 + e * l) / (1.0 + e * s)) / e;
    *by_alpha = w1 * change;
    return w1;
}

INLINE void dahl_piece(const double* p, const piece* m, number* u, const int with)
{
    // fc = mu_c fn, tau = sigma0 Delta/fc, w = 1 - s u/fc                                       (F-3)
    const double fc = m->g0.v * m->fn.v, tau = p[BR_FIT_SIGMA0] * m->way.v / fc;
    const double r = m->s * u->v / fc, w = 1.0 - r, alpha = p[BR_FIT_ALPHA];
    double by_alpha;
    const double w1 = copysign(dahl_flow(fabs(w), tau, alpha, &by_alpha), w);

    // the flow's rates at both ends give its derivatives by w and tau
    const double rate0 = pow(fabs(w), alpha), rate1 = pow(fabs(w1), alpha);
    const double by_w = rate0 > 0.0 ? rate1 / rate0 : 0.0, by_tau = -copysign(rate1, w);
    double fc_p[WIDTH];
    mix(fc_p, m->fn.v, m->g0.d, m->g0.v, m->fn.d, with);
    u->v = m->s * fc * (1.0 - w1);
    for (int k = 0; with && k < WIDTH; k++) {
        const double w_p = -(m->s * u->d[k] - r * fc_p[k]) / fc;
        double tau_p = (p[BR_FIT_SIGMA0] * m->way.d[k] - tau * fc_p[k]) / fc;
        tau_p += k == BR_FIT_SIGMA0 ? m->way.v / fc : 0.0;
        const double w1_p = by_w * w_p + by_tau * tau_p;
        u->d[k] = m->s * (fc_p[k] * (1.0 - w1) - fc * w1_p);
    }
    if (with) {
        u->d[BR_FIT_ALPHA] -= m->s * fc * sign(w) * by_alpha;
    }
}

INLINE void piece_pass(const law_history* h, const double* p, const piece* m, number* u,
                       const int with)
{
    if (h->kind == BR_LAW_LUGRE) {
        lugre_piece(p, m, u, with);
    } else if (h->kind == BR_LAW_ELASTO_PLASTIC) {
        plastic_piece(p, m, u, with);
    } else {
        dahl_piece(p, m, u, with);
    }
}

// g where the motion turns: mu_s, of Dahl mu_c.
static number strength_at_rest(const law_history* h, const double* p)
{
    const int at = has_stribeck(h->kind) ? BR_FIT_MU_S : BR_FIT_MU_C;
    number g = {.v = p[at]};
    g.d[at] = 1.0;
    return g;
}

// One piece from speed v0 to v1 of one sign in a time dt.
INLINE void pass_one_way(const law_history* h, const double* p, const sample* a, const sample* b,
                         const number* g0, const number* g1, number way, number* u, const int with)
{
    piece m = {.s = sign(way.v), .way = way};
    if (m.s == 0.0) {
        return;
    }
    m.way.v = fabs(way.v);
    m.way.d[BR_FIT_DELAY] *= m.s;
    m.way.d[BR_FIT_SPEED_OFFSET] *= m.s;
    m.g0 = directed(p, g0, m.s, with);
    m.g1 = directed(p, g1, m.s, with);
    m.fn.v = 0.5 * (a->fn + b->fn);
    m.fn.d[BR_FIT_LOAD_GAIN] = 0.5 * (a->fn_gain + b->fn_gain);
    piece_pass(h, p, &m, u, with);
}

// The bristle from row a to row b.
INLINE void interval_pass(const law_history* h, const double* p, const sample* a, const sample* b,
                          number* u, const int with)
{
    const double dt = b->t - a->t;
    if (a->v * b->v >= 0.0) {
        number way = {.v = 0.5 * dt * (a->v + b->v)};
        add_speed(way.d, 0.5 * dt, a);
        add_speed(way.d, 0.5 * dt, b);
        pass_one_way(h, p, a, b, &a->g, &b->g, way, u, with);
        return;
    }
    // it turns after the share a.v/(a.v - b.v) of dt: ways dt v^2/(2 (v_a - v_b)) to both sides
    const number rest = strength_at_rest(h, p);
    const double turn = a->v / (a->v - b->v), left = 1.0 - turn;
    number there = {.v = 0.5 * dt * turn * a->v};
    number back = {.v = 0.5 * dt * left * b->v};
    add_speed(there.d, dt * turn * (1.0 - 0.5 * turn), a);
    add_speed(there.d, dt * turn * 0.5 * turn, b);
    add_speed(back.d, dt * left * 0.5 * left, a);
    add_speed(back.d, dt * left * (1.0 - 0.5 * left), b);
    pass_one_way(h, p, a, b, &a->g, &rest, there, u, with);
    pass_one_way(h, p, a, b, &rest, &b->g, back, u, with);
}

// f = fn (u + sigma1 (v - alpha |v| u/g) + sigma2 v) + offset                                   (F-4)
INLINE void bristle_force(const law_history* h, const double* p, const sample* at, const number* u,
                          number* f, const int with)
{
    const double s = sign(at->v), speed = fabs(at->v);
    const number g = directed(p, &at->g, s, with);
    const double q = u->v / g.v;
    share a = {1.0, 0.0, 0.0};
    if (h->kind == BR_LAW_ELASTO_PLASTIC) {
        a = share_eval(s * q, p[BR_FIT_S_BA]);
    }
    const double e = 1.0 + p[BR_FIT_ASYMMETRY] * s, sigma1 = p[BR_FIT_SIGMA1];
    const double rate = at->v - a.alpha * speed * q;
    const double by_q = -sigma1 * speed * (a.alpha + s * q * a.by_q);
    const double sum = u->v + sigma1 * rate + p[BR_FIT_SIGMA2] * e * at->v;
    f->v = at->fn * sum;
    if (!with) {
        return;
    }
    for (int k = 0; k < WIDTH; k++) {
        f->d[k] = at->fn * (u->d[k] + by_q * (u->d[k] - q * g.d[k]) / g.v);
    }
    f->d[BR_FIT_SIGMA1] += at->fn * rate;
    f->d[BR_FIT_SIGMA2] += at->fn * e * at->v;
    f->d[BR_FIT_ASYMMETRY] += at->fn * p[BR_FIT_SIGMA2] * speed;
    f->d[BR_FIT_S_BA] -= at->fn * sigma1 * speed * q * a.by_s_ba;
    add_speed(f->d, at->fn * (sigma1 * (1.0 - a.alpha * s * q) + p[BR_FIT_SIGMA2] * e), at);
    f->d[BR_FIT_LOAD_GAIN] += at->fn_gain * sum;
}

// Steady sliding: f = fn (g sgn v + sigma2 v), 0 at rest
INLINE void sliding_force(const law_history* h, const double* p, const sample* at, number* f,
                          const int with)
{
    const double s = sign(at->v), sigma2 = h->kind == BR_LAW_COULOMB ? 0.0 : p[BR_FIT_SIGMA2];
    const double e = 1.0 + p[BR_FIT_ASYMMETRY] * s;
    const number g = directed(p, &at->g, s, with);
    const double sum = s * g.v + sigma2 * e * at->v;
    f->v = at->fn * sum;
    if (!with) {
        return;
    }
    mix(f->d, at->fn * s, g.d, 0.0, g.d, with);
    f->d[BR_FIT_SIGMA2] += h->kind == BR_LAW_COULOMB ? 0.0 : at->fn * e * at->v;
    f->d[BR_FIT_ASYMMETRY] += at->fn * sigma2 * fabs(at->v);
    add_speed(f->d, at->fn * sigma2 * e, at);
    f->d[BR_FIT_LOAD_GAIN] += at->fn_gain * sum;
}

// v(t - delay) and its derivative by the delay at every row, side by side; beyond the ends the first and
// last speeds.
static void delay_speeds(const law_history* h, double delay)
{
    const br_fit_law_data* d = &h->data;
    size_t j = 0;
    for (size_t i = 0; i < d->count; i++) {
        const double t = d->t[i] - delay;
        while (j > 0 && d->t[j] > t) {
            j--;
        }
        while (j + 2 < d->count && d->t[j + 1] <= t) {
            j++;
        }
        const double slope = (d->v[j + 1] - d->v[j]) / (d->t[j + 1] - d->t[j]);
        const int outside = t < d->t[0] || t > d->t[d->count - 1];
        const double edge = t < d->t[0] ? d->v[0] : d->v[d->count - 1];
        h->speed[2 * i] = outside ? edge : d->v[j] + slope * (t - d->t[j]);
        h->speed[2 * i + 1] = outside ? 0.0 : -slope;
    }
}

static void write_row(const law_history* h, size_t i, number* f, double* jacobian)
{
    f->d[BR_FIT_OFFSET] = 1.0;
    size_t column = 0;
    for (int k = 0; k < BR_FIT_COUNT; k++) {
        if (h->wanted >> k & 1) {
            jacobian[column++ * h->data.count + i] = f->d[k];
        }
    }
}

INLINE void pass_all(const law_history* h, const double* p, double* forces, double* jacobian,
                     const int with)
{
    const int has_bristles = br_law_has_state(h->kind) && h->data.t;
    sample rows[2];
    number u = {.v = p[BR_FIT_START]}, f;
    u.d[BR_FIT_START] = 1.0;
    for (size_t i = 0; i < h->data.count; i++) {
        sample* now = &rows[i & 1];
        sample_eval(h, p, i, now, with);
        if (has_bristles && i > 0) {
            interval_pass(h, p, &rows[~i & 1], now, &u, with);
        }
        if (!has_bristles) {
            sliding_force(h, p, now, &f, with);
        } else if (h->kind == BR_LAW_DAHL) {
            f = u;
        } else {
            bristle_force(h, p, now, &u, &f, with);
        }
        forces[i] = f.v + p[BR_FIT_OFFSET];
        if (with) {
            write_row(h, i, &f, jacobian);
        }
    }
}

void bri_law_history(const law_history* h, const double p[BR_FIT_COUNT], double* forces,
                     double* jacobian)
{
    if (h->speed) {
        delay_speeds(h, p[BR_FIT_DELAY]);
    }
    if (jacobian) {
        pass_all(h, p, forces, jacobian, 1);
    } else {
        pass_all(h, p, forces, NULL, 0);
    }
}
