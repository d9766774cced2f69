/*
 * One implicit step of three bristles that decay together; the equations are in bundle.h.
 */
#include "planar/bundle.h"

#include "law/law_internal.h"

#include <float.h>

// The bristles at a trial x.
typedef struct trial {
    double z[3]; // t_i/(1 + D_i x)
    double zn;
    double power; // P = y.D^-1 z
    double B, Q;  // x = B alpha(Q)
} trial;

static trial trial_at(const br_law* law, const bundle_motion* m, const double t[3], double h,
                      double x)
{
    const double factor[3] = {1.0, 1.0, m->f.value};
    trial at = {.power = 0.0};
    for (int i = 0; i < 3; i++) {
        at.z[i] = t[i] / (1.0 + factor[i] * x);
        at.power += m->y[i].value * at.z[i] / factor[i];
    }
    at.zn = hypot(hypot(at.z[0], at.z[1]), at.z[2]);

    // B = h sigma0 rho (vn + P/zn)/(2 g),  Q = sigma0 rho zn/g
    const double stiff = law->sigma0 * m->rho.value / m->g.value;
    const double along = at.zn > 0.0 ? at.power / at.zn : 0.0;
    at.B = 0.5 * h * stiff * fmax(m->vn.value + along, 0.0);
    at.Q = stiff * at.zn;
    return at;
}

// A change of a trial: dz and dP as they come, the rest relative to the motion's.
typedef struct change {
    double z[3], power, vn, rho, g; // of z, P, vn, rho, g
    double B, Q;                    // what follows
} change;

static void follow(const br_law* law, const bundle_motion* m, const trial* at, double h, change* d)
{
    const double per_g = law->sigma0 / m->g.value, rho = m->rho.value;
    const double dzn = (at->z[0] * d->z[0] + at->z[1] * d->z[1] + at->z[2] * d->z[2]) / at->zn;
    const double H = m->vn.value + at->power / at->zn;
    const double dH = d->vn + (d->power - at->power / at->zn * dzn) / at->zn;
    d->B = 0.5 * h * per_g * (d->rho * H + rho * dH) - at->B * d->g / m->g.value;
    d->Q = per_g * (d->rho * at->zn + rho * dzn) - at->Q * d->g / m->g.value;
}

// The change of a trial with x
static change change_by_x(const br_law* law, const bundle_motion* m, const double t[3], double h,
                          double x, const trial* at)
{
    const double factor[3] = {1.0, 1.0, m->f.value};
    change d = {.power = 0.0};
    for (int i = 0; i < 3; i++) {
        const double below = 1.0 + factor[i] * x;
        d.z[i] = -t[i] / below * factor[i] / below;
        d.power += m->y[i].value * d.z[i] / factor[i];
    }
    follow(law, m, at, h, &d);
    return d;
}

// The change of a trial with component j of the twist, x held
static change change_by_twist(const br_law* law, const bundle_motion* m, const double t[3],
                              double h, double x, const trial* at, int j)
{
    const double factor[3] = {1.0, 1.0, m->f.value}, d_factor[3] = {0.0, 0.0, m->f.d[j]};
    change d = {.vn = m->vn.d[j], .rho = m->rho.d[j], .g = m->g.d[j]};
    for (int i = 0; i < 3; i++) {
        const double below = 1.0 + factor[i] * x;
        d.z[i] = (h * m->y[i].d[j] - t[i] / below * x * d_factor[i]) / below;
        d.power += (m->y[i].d[j] * at->z[i] + m->y[i].value * d.z[i] -
                    m->y[i].value * at->z[i] * d_factor[i] / factor[i]) /
                   factor[i];
    }
    follow(law, m, at, h, &d);
    return d;
}

// Where the next trial is, and on which side of the root this one lies.
typedef struct advice {
    double next;
    int too_high;
} advice;

// Newton for x = B alpha(Q), written as Q = alpha^-1(x/B): alpha is flat at both ends of its band,
// its inverse steep, and Q falls with x. Beyond the band alpha is 1.
static advice advise(const br_law* law, const trial* at, const change* d, double x)
{
    const double share = x / at->B, share_x = (1.0 - share * d->B) / at->B;
    if (at->Q >= 1.0) {
        return (advice){x - (x - at->B) / (1.0 - d->B), x > at->B};
    }
    if (!(share < 1.0)) {
        return (advice){-1.0, 1};
    }
    // alpha = (1 + sin a)/2, Q = (1 + s_ba)/2 + a (1 - s_ba)/pi
    const double band = (1.0 - law->s_ba) / BR_PI;
    const double residual = at->Q - (0.5 * (1.0 + law->s_ba) + band * asin(2.0 * share - 1.0));
    const double slope = d->Q - band * share_x / sqrt(fmax(share * (1.0 - share), DBL_MIN));
    return (advice){x - residual / slope, residual < 0.0};
}

// The root of x = B alpha(Q), kept in a bracket.
static double plastic_decay(const br_law* law, const bundle_motion* m, const double t[3], double h)
{
    trial at = trial_at(law, m, t, h, 0.0);
    if (!(at.Q > law->s_ba && at.B > 0.0)) {
        return at.Q > law->s_ba ? at.B : 0.0 * at.Q; // elastic; NaN stays NaN
    }
    double low = 0.0, high = law->sigma0 * h * m->rho.value * m->vn.value / m->g.value;
    high = fmax(high, at.B); // the same but for rounding
    double x = fmin(at.B, law->s_ba > 0.0 ? at.Q / law->s_ba - 1.0 : at.Q);
    for (int i = 0; i < 100; i++) {
        at = trial_at(law, m, t, h, x);
        const change d = change_by_x(law, m, t, h, x, &at);
        const advice to = advise(law, &at, &d, x);
        *(to.too_high ? &high : &low) = x;
        const int inside = to.next >= low && to.next <= high;
        const double next = inside ? to.next : 0.5 * (low + high);
        if (fabs(next - x) <= 4.0 * DBL_EPSILON * (1.0 + x)) {
            return next;
        }
        x = next;
    }
    return x;
}

// h sigma0 s/g: the decay where beta = 1
static double whole_decay(const br_law* law, const bundle_motion* m, double h)
{
    return h * law->sigma0 * m->rho.value * m->vn.value / m->g.value;
}

double bundle_decay(const br_law* law, const bundle_motion* m, const double t[3], double h)
{
    return law->kind == BR_LAW_LUGRE ? whole_decay(law, m, h) : plastic_decay(law, m, t, h);
}

static void lugre_slopes(const br_law* law, const bundle_motion* m, double h, double dx[3])
{
    const double x = whole_decay(law, m, h);
    const by_twist s = times(m->rho, m->vn);
    for (int j = 0; j < 3; j++) {
        dx[j] = (h * law->sigma0 * s.d[j] - x * m->g.d[j]) / m->g.value;
    }
}

void bundle_decay_slopes(const br_law* law, const bundle_motion* m, const double t[3], double h,
                         double x, double dx[3])
{
    if (law->kind == BR_LAW_LUGRE) {
        lugre_slopes(law, m, h, dx);
        return;
    }
    const trial at = trial_at(law, m, t, h, x);
    double steep;
    const double alpha = plastic_share(at.Q, law->s_ba, &steep);
    dx[0] = dx[1] = dx[2] = 0.0 * alpha; // NaN stays NaN
    if (!(alpha > 0.0)) {
        return;
    }
    // dx = alpha dB + B alpha' dQ, both also by way of x
    const change by_x = change_by_x(law, m, t, h, x, &at);
    const double below = 1.0 - alpha * by_x.B - at.B * steep * by_x.Q;
    for (int j = 0; j < 3; j++) {
        const change d = change_by_twist(law, m, t, h, x, &at, j);
        dx[j] = (alpha * d.B + at.B * steep * d.Q) / below;
    }
}

void bundle_force(const br_law* law, const bundle_step* step, double force[3])
{
    for (int i = 0; i < 3; i++) {
        force[i] = law->sigma0 * step->z1[i] + step->sigma1 * (step->z1[i] - step->z0[i]) / step->h;
    }
}

double bundle_heat(const br_law* law, const bundle_step* step)
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        const double z1 = step->z1[i], kappa = step->decay[i] / step->h;
        const double zd = (z1 - step->z0[i]) / step->h;
        sum += law->sigma0 * kappa * z1 * z1 + step->sigma1 * zd * (zd + kappa * z1) +
               0.5 * law->sigma0 * step->h * zd * zd;
    }
    return sum;
}

// Shorten z to z_max = g/(sigma0 rho), and give what lies beyond.
static void split(const br_law* law, const bundle_motion* m, double z[3], double beyond[3])
{
    const double norm = hypot(hypot(z[0], z[1]), z[2]);
    const double most = m->g.value / (law->sigma0 * m->rho.value);
    const double share = norm > most ? most / norm : 1.0;
    for (int i = 0; i < 3; i++) {
        beyond[i] = (1.0 - share) * z[i];
        z[i] *= share;
    }
}

void bundle_pass_eval(const bundle_pass* in, step_law kind, double* memo, size_t stride, vector3* f,
                      matrix3* f_v)
{
    const br_law* law = in->law;
    const double h = in->h, stiff = law->sigma0 + law->sigma1 / h;
    bundle_motion m = *in->motion;
    double inner[3] = {in->z0[0], in->z0[1], in->z0[2]}, beyond[3] = {0.0, 0.0, 0.0}, t[3], dx[3];
    if (kind == LAW_WHOLE) {
        memo[stride] = m.g.value;
    } else {
        m.g = (by_twist){.value = memo[stride]};
        split(law, &m, inner, beyond);
    }
    for (int i = 0; i < 3; i++) {
        t[i] = inner[i] + h * m.y[i].value;
    }
    const double x = memo[0] = bundle_decay(law, &m, t, h);
    bundle_decay_slopes(law, &m, t, h, x, dx);
    for (int i = 0; i < 3; i++) {
        const double factor = i < 2 ? 1.0 : m.f.value, rest = 1.0 / (1.0 + factor * x);
        const double z1 = rest * t[i] + beyond[i] / (1.0 + factor * memo[2 * stride]);
        f->e[i] = stiff * z1 - law->sigma1 / h * in->z0[i];
        for (int j = 0; j < 3; j++) {
            const double d_factor = i < 2 ? 0.0 : m.f.d[j];
            const double fall = rest * t[i] * (factor * dx[j] + x * d_factor);
            f_v->e[i][j] = stiff * rest * (h * m.y[i].d[j] - fall);
        }
    }
}
