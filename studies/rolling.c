/*
 * Rolling contact: bristles carried through the patch, an upwind sweep over its nodes.
 *
 *   dz/dt + V_r dz/dxi = v - |v| z/z_max,    z = 0 where bristles enter       
 *
 * xi runs from the leading edge, z_max = g/sigma0 times the pressure over its mean (stiffness of the
 * tread) or g/sigma0 (stiffness of the pressure). A brush has no decay: z = z_max where it would be longer.
 */
#include "rolling.h"

#include <math.h>

static double spacing(const rolling* w)
{
    return 2.0 * w->half_length / (double)w->cells;
}

// Integral of the parabolic pressure over its mean up to s = xi/2a.
static double parabola(double s)
{
    return s * s * (3.0 - 2.0 * s);
}

// Mean pressure of the half cells around a node over that of the patch [-].
static double share_at(const rolling* w, size_t i)
{
    const double n = (double)w->cells;
    const double from = fmax(((double)i - 0.5) / n, 0.0), to = fmin(((double)i + 0.5) / n, 1.0);
    return w->pressure == ROLLING_UNIFORM ? 1.0 : (parabola(to) - parabola(from)) / (to - from);
}

static double x_at(const rolling* w, size_t i)
{
    return w->half_length - spacing(w) * (double)i;
}

// Stiffness that a node stands for [N/m]: sigma0 fn over the length, by the trapezoidal rule.
static double stiffness_at(const rolling* w, size_t i)
{
    const double end = i == 0 || i == w->cells ? 0.5 : 1.0;
    const double share = w->stiffness == ROLLING_OF_PRESSURE ? share_at(w, i) : 1.0;
    return w->law.sigma0 * w->fn * share * end / (double)w->cells;
}

static double longest(const rolling* w, size_t i, double speed)
{
    const double share = w->stiffness == ROLLING_OF_TREAD ? share_at(w, i) : 1.0;
    return br_law_g(&w->law, speed) / w->law.sigma0 * share;
}

// z1 = mean + tau v, cut to z_max                                                      brush
static br_vec2 brush(br_vec2 mean, br_vec2 v, double tau, double z_max)
{
    const br_vec2 z = {mean.x + tau * v.x, mean.y + tau * v.y};
    const double length = hypot(z.x, z.y);
    const double cut = length > z_max ? z_max / length : 1.0;
    return (br_vec2){cut * z.x, cut * z.y};
}

// z1 = z* + (mean - z*) exp(-|v| tau/z_max),  z* = z_max v/|v|                         LuGre
static br_vec2 lugre(br_vec2 mean, br_vec2 v, double tau, double z_max)
{
    const double speed = hypot(v.x, v.y);
    if (!(z_max > 0.0)) {
        return (br_vec2){0.0, 0.0};
    }
    if (!(speed > 0.0)) {
        return mean;
    }
    const double gone = -expm1(-speed * tau / z_max);
    return (br_vec2){mean.x + gone * (z_max * v.x / speed - mean.x),
                     mean.y + gone * (z_max * v.y / speed - mean.y)};
}

// One node: what was there and what comes from upwind, mixed, then the law over the time of stay tau.
//
//   C = h |V_r|/d,   mean = (z + C z_upwind)/(1 + C),   tau = h/(1 + C)              
static br_vec2 next_at(const rolling* w, rolling_motion m, double h, size_t i, br_vec2 z,
                       br_vec2 upwind)
{
    const double courant = h * fabs(m.rolling) / spacing(w), tau = h / (1.0 + courant);
    const br_vec2 mean = {(z.x + courant * upwind.x) / (1.0 + courant),
                          (z.y + courant * upwind.y) / (1.0 + courant)};
    const double x = x_at(w, i) + 0.5 * tau * m.rolling; // half of the path within tau upwind
    const br_vec2 v = {m.slip.vx, m.slip.vy + m.slip.w * x};
    const double z_max = longest(w, i, hypot(v.x, v.y));
    return w->bristle == ROLLING_BRUSH ? brush(mean, v, tau, z_max) : lugre(mean, v, tau, z_max);
}

void rolling_advance(const rolling* w, rolling_motion m, double h, br_vec2* z)
{
    const size_t last = w->cells;
    const int backwards = m.rolling < 0.0;
    br_vec2 upwind = {0.0, 0.0};
    for (size_t k = 0; k <= last; k++) {
        const size_t i = backwards ? last - k : k;
        // bristles enter without deflection; in a wheel that stands none enters
        const int enters = k == 0 && m.rolling != 0.0;
        z[i] = enters ? (br_vec2){0.0, 0.0} : next_at(w, m, h, i, z[i], upwind);
        upwind = z[i];
    }
}

// f = -sum k z,   tau = -sum k x z_y                                                  
br_wrench rolling_wrench(const rolling* w, const br_vec2* z)
{
    br_wrench f = {0.0, 0.0, 0.0};
    for (size_t i = 0; i <= w->cells; i++) {
        const double k = stiffness_at(w, i);
        f.fx -= k * z[i].x;
        f.fy -= k * z[i].y;
        f.tau -= k * x_at(w, i) * z[i].y;
    }
    return f;
}

double rolling_energy(const rolling* w, const br_vec2* z)
{
    double sum = 0.0;
    for (size_t i = 0; i <= w->cells; i++) {
        sum += 0.5 * stiffness_at(w, i) * (z[i].x * z[i].x + z[i].y * z[i].y);
    }
    return sum;
}
