/*
 * Limit surface of an axisymmetric patch as a curve: built from a pressure, and evaluated.
 *
 * Between its nodes (curve.h) g or k is a polynomial of degree 5 that has the value, slope and
 * curvature of the nodes (Hermite): C2. So wrench = -grad D is C1, f.v = -D and the Jacobian is
 * symmetric, all to rounding.
 */
#include "limit/curve.h"

#include "patch/patch_internal.h"

#include <string.h>

// Below this exponent of the power law r is under 1e-3 of the radius: a point.
static const double point_k = 0.05;

// Below this exponent the pressure is too steep for the polynomials of the basis.
static const double steep_k = 0.3;

// All pressure at the centre: g(d) = d, k(e) = 1.
static void fill_point(limit_curve* out)
{
    memset(out->number, 0, sizeof out->number);
    for (size_t i = 0; i < CURVE_NODES; i++) {
        const curve_piece piece = (curve_piece)(i / CURVE_WIDTH);
        const double d = curve_argument(piece, curve_node(i % CURVE_WIDTH));
        out->number[i] = piece == OUTSIDE ? 1.0 : d;
        out->number[CURVE_NODES + i] = piece == OUTSIDE ? 0.0 : 1.0;
    }
}

// sum[i] += p[0] numbers[0][i] + ... + p[3] numbers[3][i]: four samples in one pass
static void add_four(double* restrict sum, const double* restrict p,
                     const curve_numbers* restrict numbers)
{
    const double *a = &numbers[0][0][0], *b = &numbers[1][0][0];
    const double *c = &numbers[2][0][0], *d = &numbers[3][0][0];
    for (size_t i = 0; i < (size_t)3 * CURVE_NODES; i++) {
        sum[i] += (p[0] * a[i] + p[1] * b[i]) + (p[2] * c[i] + p[3] * d[i]);
    }
}

// The power law (44) at the samples, summed and normalised: p = (1 - rho^k)^(1/k). A steep one
// becomes a sum of rings: less accurate, but still a pressure.
static void sum_power_law(const curve_basis* basis, double k, limit_curve* out)
{
    if (k < point_k) {
        fill_point(out);
        return;
    }
    double total = 0.0, sample[CURVE_RINGS];
    for (int j = 0; j < CURVE_RINGS; j++) {
        sample[j] = exp(log(-expm1(k * basis->log_rho[j])) / k);
        total += basis->weight[j] * sample[j];
    }
    const int is_steep = k < steep_k;
    for (int j = 0; j < CURVE_RINGS; j++) {
        sample[j] *= (is_steep ? basis->weight[j] : 1.0) / total;
    }
    memset(out->number, 0, sizeof out->number);
    for (int j = 0; j < CURVE_RINGS; j += 4) {
        add_four(out->number, sample + j, (is_steep ? basis->rings : basis->sample) + j);
    }
}

br_status bri_curve_init(const curve_basis* basis, const br_patch* patch, double fn,
                         limit_curve* out)
{
    BR_ASSERT(basis && patch && out);
    const br_patch_def* def = br_patch_get_def(patch);
    if (!patch_is_axisymmetric(def) || !(fn >= 0.0)) {
        return BR_ERR_ARG;
    }
    const br_patch_value value = br_patch_eval(patch, fn);
    out->radius = patch_radius(def, fn);
    out->r = value.r;
    out->u = value.u;
    if (def->pressure == BR_PRESSURE_POWER) {
        sum_power_law(basis, br_by_force_eval(def->k, fn), out);
    } else {
        const int is_ring = def->shape == BR_SHAPE_RING;
        memcpy(out->number, is_ring ? basis->ring : basis->uniform, sizeof out->number);
    }
    return BR_OK;
}

// g or k with its derivatives by d or e.
typedef struct piece_value {
    double value, slope, curvature;
} piece_value;

// The Hermite polynomial of degree 5 between two nodes, t in [0, 1] from the first to the second: a
// cubic through the values and slopes plus t^2 (1-t)^2 times the missing curvatures.
static piece_value hermite(const limit_curve* curve, size_t node, double step, double per_step,
                           double t)
{
    const double* c = curve->number + node;
    const double p0 = c[0], p1 = c[1];
    const double m0 = step * c[CURVE_NODES], m1 = step * c[CURVE_NODES + 1];
    const double q0 = step * step * c[2 * CURVE_NODES], q1 = step * step * c[2 * CURVE_NODES + 1];

    // cubic p0 + m0 t + a t^2 + b t^3, then t^2 (1-t)^2 (e (1-t) + f t)
    const double a = 3.0 * (p1 - p0) - 2.0 * m0 - m1, b = 2.0 * (p0 - p1) + m0 + m1;
    const double e = 0.5 * (q0 - 2.0 * a), f = 0.5 * (q1 - 2.0 * a - 6.0 * b);
    const double u = 1.0 - t, z = t * u, y = 1.0 - 2.0 * t, x = e * u + f * t;
    const double value = p0 + t * (m0 + t * (a + t * b)) + z * z * x;
    const double slope = m0 + t * (2.0 * a + 3.0 * b * t) + z * (2.0 * y * x + z * (f - e));
    const double curvature =
        2.0 * a + 6.0 * b * t + (2.0 * y * y - 4.0 * z) * x + 4.0 * z * y * (f - e);
    return (piece_value){value, slope * per_step, curvature * (per_step * per_step)};
}

// A cell: y of its start, its width, and 1 over the width.
typedef struct curve_cell {
    double y, width, per_width;
} curve_cell;

#define SHARE(i) ((i) / (double)CURVE_CELLS)
#define NODE(i)  (SHARE(i) * SHARE(i) * SHARE(i) * SHARE(i)) // curve_node(), of constants
#define CELL(i)                                                                                    \
    {                                                                                              \
        NODE(i), NODE(i + 1) - NODE(i), 1.0 / (NODE(i + 1) - NODE(i))                              \
    }
static const curve_cell cells[CURVE_CELLS] = {CELL(0),  CELL(1),  CELL(2),  CELL(3),  CELL(4),
                                              CELL(5),  CELL(6),  CELL(7),  CELL(8),  CELL(9),
                                              CELL(10), CELL(11), CELL(12), CELL(13), CELL(14),
                                              CELL(15), CELL(16), CELL(17), CELL(18), CELL(19)};
_Static_assert(CURVE_CELLS == 20, "one entry of `cells` for each");
#undef SHARE
#undef NODE
#undef CELL

// g at d in [0, 1], or k at e in [0, 1].
static piece_value interpolate(const limit_curve* curve, int outside, double at)
{
    const curve_piece piece = outside ? OUTSIDE : at < 0.5 ? CENTRE : RIM;
    const double y = piece == CENTRE ? 2.0 * at : piece == RIM ? 2.0 * (1.0 - at) : 1.0 - at;
    const double along = CURVE_CELLS * sqrt(sqrt(y)), last = CURVE_CELLS - 1.0;
    const size_t i = (size_t)(along < last ? along : last);                  // NaN ends here, too
    const double slope = piece == CENTRE ? 0.5 : piece == RIM ? -0.5 : -1.0; // of curve_argument()
    const double per_slope = piece == CENTRE ? 2.0 : piece == RIM ? -2.0 : -1.0;
    return hermite(curve, piece * (size_t)CURVE_WIDTH + i, slope * cells[i].width,
                   per_slope * cells[i].per_width, (y - cells[i].y) * cells[i].per_width);
}

// D as a function of the speed t = |v_t| and the spin s = R |w|, with its derivatives.
typedef struct polar {
    double d;
    double by_t, by_s;
    double by_tt, by_ts, by_ss;
} polar;

static polar eval_polar(const limit_curve* curve, double t, double s)
{
    if (t <= s) { // D = s g(t/s)
        const double d = t / s;
        const piece_value g = interpolate(curve, 0, d);
        const double c = g.curvature / s;
        return (polar){s * g.value, g.slope, g.value - d * g.slope, c, -d * c, d * d * c};
    }
    // D = t k(s/t)
    const double e = s / t;
    const piece_value k = interpolate(curve, 1, e);
    const double c = k.curvature / t;
    return (polar){t * k.value, k.value - e * k.slope, k.slope, e * e * c, -e * c, c};
}

br_limit_value bri_curve_eval(const limit_curve* curve, br_twist v)
{
    BR_ASSERT(curve);
    const double t = hypot(v.vx, v.vy), s = curve->radius * fabs(v.w);
    if (!isfinite(t + s)) {
        return (br_limit_value){(double)NAN, {(double)NAN, (double)NAN, (double)NAN}, 0};
    }
    if (!(t > 0.0 || s > 0.0)) {
        return (br_limit_value){0.0, {0.0, 0.0, 0.0}, 1};
    }
    const polar p = eval_polar(curve, t, s);
    const double f = t > 0.0 ? p.by_t / t : 0.0;
    const double tau = curve->radius * p.by_s;
    return (br_limit_value){p.d, {-f * v.vx, -f * v.vy, v.w < 0.0 ? tau : -tau}, 0};
}

void bri_curve_jacobian_eval(const limit_curve* curve, br_twist v, double jacobian[3][3])
{
    BR_ASSERT(curve);
    const double t = hypot(v.vx, v.vy), s = curve->radius * fabs(v.w);
    if (!(t > 0.0 || s > 0.0) || !isfinite(t + s)) {
        for (int i = 0; i < 9; i++) {
            jacobian[i / 3][i % 3] = isfinite(t + s) ? 0.0 : (double)NAN;
        }
        return;
    }
    // Hess D = D_tt c c^T + D_t/t (1 - c c^T) along the plane, c = v_t/t; D_t/t = D_tt at t = 0
    const polar p = eval_polar(curve, t, s);
    const double across = t > 0.0 ? p.by_t / t : p.by_tt;
    const double c[2] = {t > 0.0 ? v.vx / t : 1.0, t > 0.0 ? v.vy / t : 0.0};
    const double arm = v.w < 0.0 ? -curve->radius : curve->radius;
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            jacobian[i][j] = -(p.by_tt - across) * (c[i] * c[j]) - (i == j ? across : 0.0);
        }
        jacobian[i][2] = jacobian[2][i] = -arm * p.by_ts * c[i];
    }
    jacobian[2][2] = -arm * arm * p.by_ss;
}
