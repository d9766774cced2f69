/*
 * Sliding friction from tables: monotone cubics between the nodes.
 *
 * PCHIP: F. N. Fritsch & R. E. Carlson, "Monotone Piecewise Cubic Interpolation", SIAM J. Numer. Anal. 17 (1980), with the
 * slopes of F. N. Fritsch & J. Butland (1984). It has no extrema but those of the nodes: g stays between the smallest
 * and the largest node, f_v >= 0, and so sliding friction cannot create energy. (docs/explanation/equations.md, D-2)
 */
#include "law/law_internal.h"

#include <stdio.h>

// --- interpolation ------------------------------------------------------------------------------------

// Slope at an inner node between secants a and b over the widths h and k: 0 at an extremum, else their weighted
// harmonic mean.
static double inner_slope(double h, double a, double k, double b)
{
    if (!(a * b > 0.0)) {
        return 0.0;
    }
    const double of_a = 2.0 * k + h, of_b = k + 2.0 * h;
    return (of_a + of_b) / (of_a / a + of_b / b);
}

// Slope at an end: of the parabola through three nodes, limited so that the piece is monotone.
static double end_slope(double h, double a, double k, double b)
{
    const double slope = ((2.0 * h + k) * a - h * b) / (h + k);
    if (!(slope * a > 0.0)) {
        return 0.0;
    }
    return a * b <= 0.0 && fabs(slope) > 3.0 * fabs(a) ? 3.0 * a : slope;
}

static double secant(const double* x, const double* y, size_t i)
{
    return (y[i + 1] - y[i]) / (x[i + 1] - x[i]);
}

static void set_slopes(size_t count, const double* x, const double* y, double* slope)
{
    const size_t last = count - 1;
    if (count == 2) {
        slope[0] = slope[1] = secant(x, y, 0);
        return;
    }
    slope[0] = end_slope(x[1] - x[0], secant(x, y, 0), x[2] - x[1], secant(x, y, 1));
    slope[last] = end_slope(x[last] - x[last - 1], secant(x, y, last - 1),
                            x[last - 1] - x[last - 2], secant(x, y, last - 2));
    for (size_t i = 1; i < last; i++) {
        slope[i] =
            inner_slope(x[i] - x[i - 1], secant(x, y, i - 1), x[i + 1] - x[i], secant(x, y, i));
    }
}

// Index of the piece that contains x, which is between the first and the last node.
static size_t piece_of(const br_curve* c, double x)
{
    size_t low = 0, high = c->count - 1;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (x < c->x[middle]) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return low;
}

// Hermite's cubic of a piece: y0 + h t (m0 + t (b + t a)), t in [0, 1].
static double cubic(const br_curve* c, const double* y, const double* m, double x, double* slope)
{
    const size_t i = piece_of(c, x);
    const double h = c->x[i + 1] - c->x[i], t = (x - c->x[i]) / h;
    const double s = (y[i + 1] - y[i]) / h, a = m[i] + m[i + 1] - 2.0 * s;
    const double b = 3.0 * s - 2.0 * m[i] - m[i + 1];
    *slope = m[i] + t * (2.0 * b + 3.0 * a * t);
    return y[i] + h * t * (m[i] + t * (b + a * t));
}

double bri_curve_share(const br_curve* curve, double x, double* slope)
{
    double unused, *const by_x = slope ? slope : &unused;
    const size_t last = curve->count - 1;
    if (x >= curve->x[last]) {
        *by_x = 0.0;
        return curve->share[last];
    }
    if (isnan(x)) {
        return *by_x = x;
    }
    const double share = cubic(curve, curve->share, curve->share_slope, x, by_x);
    return fmin(fmax(share, 0.0), 1.0); // rounding
}

double br_law_f_v(const br_law* law, double v, double* slope)
{
    const double x = fabs(v) / law->v_stribeck;
    if (!has_table_of_f_v(law) || !(x < law->curve->x[law->curve->count - 1])) {
        if (slope) {
            *slope = law->sigma2;
        }
        return law->sigma2 * v;
    }
    double by_x;
    const double size = cubic(law->curve, law->curve->viscous, law->curve->viscous_slope, x, &by_x);
    if (slope) {
        *slope = law->sigma2 * by_x;
    }
    return copysign(law->sigma2 * law->v_stribeck * fmax(size, 0.0), v);
}

// --- definition ---------------------------------------------------------------------------------------

static br_status fail(br_reason* why, const char* column, size_t i, const char* text, double got)
{
    char field[32];
    snprintf(field, sizeof field, "%s[%zu]", column, i);
    br_reason_set(why, field, "%s, got %g", text, got);
    return BR_ERR_ARG;
}

static br_status check_speeds(size_t count, const double* v, br_reason* why)
{
    if (count < 2 || count > BR_CURVE_NODES) {
        br_reason_set(why, "count", "must be 2..%d nodes, got %zu", BR_CURVE_NODES, count);
        return BR_ERR_ARG;
    }
    if (v[0] != 0.0) {
        return fail(why, "v", 0, "must be 0: a table starts at rest", v[0]);
    }
    for (size_t i = 1; i < count; i++) {
        if (!isfinite(v[i]) || !(v[i] > v[i - 1])) {
            return fail(why, "v", i, "must be finite and larger than the speed before it", v[i]);
        }
    }
    return BR_OK;
}

static br_status check_strengths(size_t count, const double* g, br_reason* why)
{
    for (size_t i = 0; g && i < count; i++) {
        if (!isfinite(g[i]) || !(g[i] > 0.0)) {
            return fail(why, "g", i, "must be finite and > 0, else friction creates energy", g[i]);
        }
    }
    return BR_OK;
}

static br_status check_viscous(size_t count, const double* v, const double* f_v, br_reason* why)
{
    if (f_v && f_v[count - 1] == 0.0) {
        return fail(why, "f_v", count - 1,
                    "must be > 0: beyond the last node f_v is proportional to v; leave f_v out "
                    "where nothing is viscous",
                    0.0);
    }
    if (f_v && f_v[0] != 0.0) {
        return fail(why, "f_v", 0, "must be 0 at rest", f_v[0]);
    }
    for (size_t i = 1; f_v && i < count; i++) {
        if (!isfinite(f_v[i]) || !(f_v[i] >= 0.0)) {
            return fail(why, "f_v", i, "must be finite and >= 0, else friction creates energy",
                        f_v[i]);
        }
    }
    if (f_v && isinf(f_v[count - 1] / v[count - 1])) {
        return fail(why, "f_v", count - 1, "is too large: f_v/v, which is sigma2, is infinite",
                    f_v[count - 1]);
    }
    return BR_OK;
}

// The speed of the first node with the share 1 - 1/e of the largest change of g, as v_s of (2) has it.
static double speed_of(size_t count, const double* v, const double* g)
{
    double most = 0.0;
    for (size_t i = 1; i < count; i++) {
        most = fmax(most, fabs(g[i] - g[0]));
    }
    for (size_t i = 1; i < count && most > 0.0; i++) {
        if (fabs(g[i] - g[0]) >= 0.632 * most) {
            return v[i];
        }
    }
    return v[count - 1];
}

static void set_strength(br_law* law, br_curve* c, const double* v, const double* g)
{
    law->mu_c = law->mu_s = g[0];
    for (size_t i = 1; i < c->count; i++) {
        law->mu_c = fmin(law->mu_c, g[i]);
        law->mu_s = fmax(law->mu_s, g[i]);
    }
    law->v_stribeck = speed_of(c->count, v, g);
    const double drop = law->mu_s - law->mu_c;
    for (size_t i = 0; i < c->count; i++) {
        c->share[i] = drop > 0.0 ? (g[i] - law->mu_c) / drop : 0.0;
    }
}

static void set_viscous(br_law* law, br_curve* c, const double* v, const double* f_v)
{
    const size_t last = c->count - 1;
    law->sigma2 = f_v[last] / v[last];
    c->has_f_v = true;
    for (size_t i = 0; i <= last; i++) {
        c->viscous[i] = f_v[i] / (law->sigma2 * law->v_stribeck);
    }
}

br_status br_law_set_curve(br_law* law, br_curve* curve, size_t count, const double* v,
                           const double* g, const double* f_v, br_reason* why)
{
    BR_ASSERT(law && curve && v);
    br_status status = check_speeds(count, v, why);
    status = status == BR_OK ? check_strengths(count, g, why) : status;
    status = status == BR_OK ? check_viscous(count, v, f_v, why) : status;
    if (status != BR_OK) {
        return status;
    }
    *curve = (br_curve){.count = count, .has_g = g != NULL};
    if (g) {
        set_strength(law, curve, v, g);
    }
    for (size_t i = 0; i < count; i++) {
        curve->x[i] = v[i] / law->v_stribeck;
    }
    if (f_v) {
        set_viscous(law, curve, v, f_v);
    }
    set_slopes(count, curve->x, curve->share, curve->share_slope);
    set_slopes(count, curve->x, curve->viscous, curve->viscous_slope);
    law->curve = curve;
    return BR_OK;
}

// --- passivity ----------------------------------------------------------------------------------------

enum { POINTS = 16 }; // of each piece

double bri_curve_margin(const br_law* law)
{
    const br_curve* c = law->curve;
    double margin = law->sigma2 - law->sigma1 * (law->mu_s / br_law_g(law, HUGE_VAL) - 1.0);
    for (size_t i = 0; i + 1 < c->count; i++) {
        for (int k = 1; k <= POINTS; k++) {
            const double x = c->x[i] + (c->x[i + 1] - c->x[i]) * k / POINTS;
            const double v = x * law->v_stribeck;
            const double g = br_law_g(law, v), viscous = br_law_f_v(law, v, NULL) / v;
            margin = fmin(margin, viscous - law->sigma1 * (law->mu_s / g - 1.0));
        }
    }
    return margin;
}
