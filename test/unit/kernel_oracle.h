/*
 * The planar models as the papers write them, bundle by bundle, in long double: the oracle of the
 * kernel.
 *
 * W&K = Waltersson & Karayiannidis, "Planar Friction Modelling with LuGre Dynamics and Limit
 * Surfaces". Numbers in brackets are that paper's equations; docs/explanation/models.md explains blocks.
 */
#ifndef BRISTLE_TEST_KERNEL_ORACLE_H
#define BRISTLE_TEST_KERNEL_ORACLE_H

#include "bristle/law.h"
#include "planar/kernel.h"

#include <math.h>

#define ORACLE_PI 3.14159265358979323846264338327950288L

// How a bundle moves.
typedef struct oracle_motion {
    long double v[3]; // of its centroid, and its spin w [m/s, m/s, rad/s]
    long double t;    // 0 for a cell [m^2]
    long double n;    // rms speed
    long double s;    // effective speed
    long double f;    // the third bristle decays f times as fast
    long double vn;   // speed in the bristles' norm
    long double g;    // steady-state coefficient
} oracle_motion;

// What happened to a bundle.
typedef struct oracle_rates {
    long double dz[3];
    long double k, f;
    long double steep; // how far an error of q goes: whole |z| q alpha'(q)
} oracle_rates;

// g = mu_c + (mu_s - mu_c) exp(-|v/v_s|^gamma)                                                    (2)
static inline long double oracle_g(const br_law* law, long double speed)
{
    const long double power = powl(speed / law->v_stribeck, law->gamma);
    return law->mu_c + ((long double)law->mu_s - law->mu_c) * expl(-power);
}

// s = sigma1/(1 + n^2/v_d^2); 0 and infinity: sigma1                                            (D-1)
static inline long double oracle_damping(const br_law* law, long double speed)
{
    const int is_constant = law->v_damping == 0.0 || isinf(law->v_damping);
    const long double ratio = is_constant ? 0.0L : speed / law->v_damping;
    return law->sigma1 / (1.0L + ratio * ratio);
}

// alpha of (18), third case as in W-18, over q = |z|/z_max; `slope` may be NULL
static inline long double oracle_share(const br_law* law, long double q, long double* slope)
{
    const long double band = 1.0L - law->s_ba;
    const long double angle = ORACLE_PI * (q - 0.5L * (1.0L + law->s_ba)) / band;
    const int inside = q > law->s_ba && q < 1.0L;
    if (slope) {
        *slope = inside ? 0.5L * ORACLE_PI / band * cosl(angle) : 0.0L;
    }
    return inside ? 0.5L * sinl(angle) + 0.5L : q >= 1.0L ? 1.0L : q <= law->s_ba ? 0.0L : q;
}

static inline oracle_motion oracle_move(const br_law* law, const kernel_bundles* b, size_t i,
                                        const double v[3])
{
    oracle_motion m = {
        .v = {v[0] - (long double)v[2] * b->y[i], v[1] + (long double)v[2] * b->x[i], v[2]},
        .t = b->t ? b->t[i] : 0.0L,
        .f = 1.0L};
    const long double slide2 = m.v[0] * m.v[0] + m.v[1] * m.v[1], turning2 = m.v[2] * m.v[2] * m.t;
    m.n = m.s = m.vn = sqrtl(slide2 + turning2);
    m.g = oracle_g(law, m.n);
    if (!b->t || m.n == 0.0L) {
        return m;
    }
    // psi = w^2 t/n^2,  along = a^T (S/t) a of a = v/n
    const long double psi = turning2 / (m.n * m.n), x = m.v[0] / m.n, y = m.v[1] / m.n;
    const long double along = b->xx[i] * x * x + 2.0L * b->xy[i] * x * y + b->yy[i] * y * y;

    // s = n sqrt(|a|^2 + psi along + c0 psi^2),  1/f = max(along + 1.3 psi, 0.45)
    m.s = m.n * sqrtl(x * x + y * y + psi * along + b->turn[i] * psi * psi);
    m.f = 1.0L / fmaxl(along + 1.3L * psi, 0.45L);
    m.vn = sqrtl(slide2 + turning2 / (m.f * m.f));
    return m;
}

// The decay k of bristles z: LuGre (10), elasto-plastic (15)-(18) with |z|, |v| as norms of three
static inline oracle_rates oracle_decay(const br_law* law, const oracle_motion* m,
                                        const long double z[3])
{
    oracle_rates out = {.f = m->f};
    const long double whole = law->sigma0 * m->s / m->g;
    const long double per_t = m->t > 0.0L ? 1.0L / m->t : 0.0L;
    const long double zn = sqrtl(z[0] * z[0] + z[1] * z[1] + z[2] * z[2] * per_t);
    if (law->kind == BR_LAW_LUGRE) {
        out.k = whole;
        return out;
    }
    if (zn == 0.0L || m->vn == 0.0L) {
        out.k = 0.0L * zn * m->vn; // k z is 0 whatever k is; NaN stays
        return out;
    }
    // epsilon = (v^ . z^ + 1)/2,  beta = epsilon alpha(|z|/z_max)                        (16), (17)
    long double slope;
    const long double q = law->sigma0 * zn / m->g * (m->s / m->vn);
    const long double power = m->v[0] * z[0] + m->v[1] * z[1] + m->v[2] * z[2] / m->f;
    const long double epsilon = 0.5L * (power / (zn * m->vn) + 1.0L);
    out.k = epsilon * oracle_share(law, q, &slope) * whole;
    out.steep = whole * zn * q * slope;
    return out;
}

// dz = v - k z,  dzeta = t w - k f zeta                                                     (10), (15)
static inline oracle_rates oracle_rate(const br_law* law, const oracle_motion* m,
                                       const long double z[3])
{
    oracle_rates out = oracle_decay(law, m, z);
    out.dz[0] = m->v[0] - out.k * z[0];
    out.dz[1] = m->v[1] - out.k * z[1];
    out.dz[2] = m->t * m->v[2] - out.k * m->f * z[2];
    return out;
}

// A bundle over an implicit step.
typedef struct oracle_step {
    long double x;     // h kappa
    long double z1[3]; // at the end
    long double l[3];  // resistance per weight, without that of the point
} oracle_step;

// z1 = t/(1 + D x), t = z + h u
static inline void oracle_end(const oracle_motion* m, const long double z[3], long double h,
                              long double x, long double z1[3])
{
    z1[0] = (z[0] + h * m->v[0]) / (1.0L + x);
    z1[1] = (z[1] + h * m->v[1]) / (1.0L + x);
    z1[2] = (z[2] + h * m->t * m->v[2]) / (1.0L + m->f * x);
}

// The decay x = h kappa(z1(x)), by bisection: x - h kappa(z1(x)) increases.
static inline long double oracle_root(const br_law* law, const oracle_motion* m,
                                      const long double z[3], long double h)
{
    long double low = 0.0L, high = h * law->sigma0 * m->s / m->g, z1[3];
    for (int i = 0; i < 120; i++) {
        const long double middle = 0.5L * (low + high);
        oracle_end(m, z, h, middle, z1);
        if (h * oracle_decay(law, m, z1).k > middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    oracle_end(m, z, h, 0.0L, z1);
    const long double at_zero = oracle_decay(law, m, z1).k;
    return at_zero == 0.0L ? 0.0L : 0.5L * (low + high);
}

static inline oracle_step oracle_advance(const br_law* law, const oracle_motion* m,
                                         const long double z[3], long double h)
{
    oracle_step s = {.x = oracle_root(law, m, z, h)};
    const long double u[3] = {m->v[0], m->v[1], m->t * m->v[2]};
    oracle_end(m, z, h, s.x, s.z1);
    for (int i = 0; i < 3; i++) {
        // l = sigma0 z1 + s (z1 - z0)/h + sigma2 u                                       (9), D-1
        s.l[i] = law->sigma0 * s.z1[i] + oracle_damping(law, m->n) * (s.z1[i] - z[i]) / h +
                 law->sigma2 * u[i];
    }
    return s;
}

#endif
