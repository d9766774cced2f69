/*
 * One implicit step of three bristles that decay together; the equations are in bundle.h.
 */
#include "planar/bundle.h"

#include "law/law_internal.h"

#include <float.h>

// |z| of bristles that are no longer than 1e150 m
static double length(const double z[3])
{
    return sqrt(z[0] * z[0] + z[1] * z[1] + z[2] * z[2]);
}

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
    at.zn = length(at.z);

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

// The bristles along x, with t of length 1: Q = T |t/(1 + D x)|, B = half (vn + y.D^-1 z/zn).
typedef struct ray {
    double T;
    double flat, spin;             // squares of the first two bristles and of the third, sum 1
    double along_flat, along_spin; // what each adds to y.D^-1 t
    double f, vn, half;
} ray;

static ray ray_of(const br_law* law, const bundle_motion* m, const double t[3], double h)
{
    const double norm = length(t), per_norm = norm > 0.0 ? 1.0 / norm : 0.0;
    const double x = t[0] * per_norm, y = t[1] * per_norm, z = t[2] * per_norm;
    const double stiff = law->sigma0 * m->rho.value / m->g.value;
    return (ray){.T = stiff * norm,
                 .flat = x * x + y * y,
                 .spin = z * z,
                 .along_flat = m->y[0].value * x + m->y[1].value * y,
                 .along_spin = m->y[2].value * z / m->f.value,
                 .f = m->f.value,
                 .vn = m->vn.value,
                 .half = 0.5 * h * stiff};
}

// Q and B at x, and their slopes.
typedef struct ray_point {
    double Q, Q_x, B, B_x;
} ray_point;

static ray_point ray_at(const ray* r, double x)
{
    const double a = 1.0 / (1.0 + x), b = 1.0 / (1.0 + r->f * x);
    const double fa = r->flat * a * a, sb = r->spin * b * b, w = sqrt(fa + sb);
    const double w_x = -(fa * a + sb * b * r->f) / w;
    const double pa = r->along_flat * a, pb = r->along_spin * b, along = (pa + pb) / w;
    const double along_x = -(pa * a + pb * b * r->f + along * w_x) / w;
    return (ray_point){.Q = r->T * w,
                       .Q_x = r->T * w_x,
                       .B = r->half * fmax(r->vn + along, 0.0),
                       .B_x = r->half * along_x};
}

// x where Q = q, from a guess: Newton for 1/Q, which is nearly a straight line (and is one if f = 1).
static double ray_where(const ray* r, double q, double x)
{
    for (int i = 0; i < 20; i++) {
        const ray_point p = ray_at(r, x);
        const double step = -p.Q / p.Q_x * (p.Q / q - 1.0);
        x = fmax(x + step, 0.0);
        if (!(step * step > DBL_EPSILON * (1.0 + x) * (1.0 + x))) {
            break;
        }
    }
    return x;
}

// x = B beyond the band, where alpha = 1
static double saturated(const ray* r, double x)
{
    for (int i = 0; i < 20; i++) {
        const ray_point p = ray_at(r, x);
        const double step = (p.B - x) / (1.0 - p.B_x);
        x = fmax(x + step, 0.0);
        if (!(fabs(step) > 4.0 * DBL_EPSILON * (1.0 + x))) {
            break;
        }
    }
    return x;
}

// x = B alpha(Q) in the band, in u of alpha = sin^2(pi u), Q = s_ba + 2 (1 - s_ba) u, which is steep
// nowhere: B alpha - x increases. `high` is the upper end of u.
static double in_band(const ray* r, double s_ba, double high)
{
    const double per_u = 2.0 * (1.0 - s_ba);

    // B is at most 2 half vn, and Q at least what that leaves: u is not 0, also where s_ba is
    const double least = r->T / (1.0 + 2.0 * fmax(r->f, 1.0) * r->half * r->vn);
    double low = fmin(fmax((least - s_ba) / per_u, 0.0), high);
    double x = s_ba > 0.0 ? ray_where(r, s_ba, r->T / s_ba - 1.0) : r->T;
    const double share = x / ray_at(r, x).B; // alpha if Q stayed at the lower end
    double u = share < 1.0 ? asin(sqrt(share)) / BR_PI : 0.5 * high;
    u = fmin(fmax(u, low), high);

    // bisection halves the bracket where Newton leaves it
    for (int i = 0; i < 60; i++) {
        const double q = s_ba + per_u * u;
        x = ray_where(r, q, x);
        const ray_point p = ray_at(r, x);
        const double sine = sin(BR_PI * u), bend = sin(2.0 * BR_PI * u), alpha = sine * sine;
        const double residual = p.B * alpha - x;
        const double slope = (p.B_x * alpha - 1.0) * per_u / p.Q_x + BR_PI * p.B * bend;
        const double step = -residual / slope, next = u + step;
        *(residual > 0.0 ? &high : &low) = u;
        const int inside = next >= low && next <= high;
        u = inside ? next : 0.5 * (low + high);

        // what Newton leaves is about (2 pi step)^2/(2 bend), and part^2 of Q
        const double part = per_u * step / q;
        if (inside && 40.0 * step * step <= DBL_EPSILON * bend && part * part <= DBL_EPSILON) {
            break;
        }
    }
    return ray_where(r, s_ba + per_u * u, x);
}

static double plastic_decay(const br_law* law, const bundle_motion* m, const double t[3], double h)
{
    const ray r = ray_of(law, m, t, h);
    const ray_point begin = ray_at(&r, 0.0);
    if (!(r.T > law->s_ba)) {
        return 0.0 * r.T; // elastic; NaN stays NaN
    }
    if (!(begin.B > 0.0)) {
        return begin.B;
    }
    if (r.f == 1.0) { // z1 is parallel to t: B does not depend on x
        return r.T >= 1.0 + begin.B ? begin.B : r.T / plastic_root(begin.B, r.T, law->s_ba) - 1.0;
    }
    if (r.T <= 1.0) {
        return in_band(&r, law->s_ba, 0.5 * (r.T - law->s_ba) / (1.0 - law->s_ba));
    }
    const double end = ray_where(&r, 1.0, r.T - 1.0);
    return ray_at(&r, end).B <= end ? saturated(&r, end) : in_band(&r, law->s_ba, 0.5);
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
    const double norm = length(z);
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
