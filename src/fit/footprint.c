/*
 * Friction of candidate supports: see footprint.h.
 */
#include "fit/footprint.h"

double bri_footprint_column(const footprint* f, size_t j, const double v[3], double g[3])
{
    const double vx = v[0] - v[2] * f->y[j], vy = v[1] + v[2] * f->x[j], turn = f->h * v[2];
    const double s = sqrt(vx * vx + vy * vy + turn * turn);
    const double inverse = s > 0.0 ? 1.0 / s : 0.0;
    // d s/d v = (v_j, rho x v_j + h^2 w)/s
    g[0] = vx * inverse;
    g[1] = vy * inverse;
    g[2] = (f->x[j] * vy - f->y[j] * vx + f->h * turn) * inverse;
    return s;
}

// Hess s = (M - g g^T)/s, M = sum of squares under the root: (1, 0, -y; 0, 1, x; -y, x, |rho|^2 + h^2)
static void add_bend(const footprint* f, size_t j, double share, const double g[3], double bend[6])
{
    const double x = f->x[j], y = f->y[j];
    bend[0] += share * (1.0 - g[0] * g[0]);
    bend[1] -= share * g[0] * g[1];
    bend[2] += share * (-y - g[0] * g[2]);
    bend[3] += share * (1.0 - g[1] * g[1]);
    bend[4] += share * (x - g[1] * g[2]);
    bend[5] += share * (x * x + y * y + f->h * f->h - g[2] * g[2]);
}

footprint_value bri_footprint_eval(const footprint* f, const double* weights, const double v[3])
{
    footprint_value sum = {0.0, {0.0}, {0.0}};
    for (size_t j = 0; j < f->count; j++) {
        const double weight = weights[j];
        if (!(weight > 0.0)) {
            continue;
        }
        double g[3];
        const double s = bri_footprint_column(f, j, v, g);
        sum.D += weight * s;
        for (int i = 0; i < 3; i++) {
            sum.slope[i] += weight * g[i];
        }
        if (s > 0.0) {
            add_bend(f, j, weight / s, g, sum.bend);
        }
    }
    return sum;
}

void bri_footprint_moments(const footprint* f, const double* weights, double out[3])
{
    out[0] = out[1] = out[2] = 0.0;
    for (size_t i = 0; i < f->count; i++) {
        out[0] += f->unit * weights[i] * f->x[i];
        out[1] += f->unit * weights[i] * f->y[i];
    }
    for (size_t i = 0; i < f->count; i++) {
        out[2] += weights[i] * hypot(f->unit * f->x[i] - out[0], f->unit * f->y[i] - out[1]);
    }
}

void bri_solve_spd3(const double a[6], const double b[3], double x[3])
{
    // Cholesky's factor L, then L y = b, L^T x = y
    const double l00 = sqrt(a[0]), l10 = a[1] / l00, l20 = a[2] / l00;
    const double l11 = sqrt(a[3] - l10 * l10), l21 = (a[4] - l10 * l20) / l11;
    const double l22 = sqrt(a[5] - l20 * l20 - l21 * l21);
    const double y0 = b[0] / l00, y1 = (b[1] - l10 * y0) / l11;
    const double y2 = (b[2] - l20 * y0 - l21 * y1) / l22;
    x[2] = y2 / l22;
    x[1] = (y1 - l21 * x[2]) / l11;
    x[0] = (y0 - l10 * x[1] - l20 * x[2]) / l00;
}

enum { MOST_ROUNDS = 60, MOST_HALVINGS = 30 };

// Over the load or the speed: where a solution is good enough for derivatives that tests compare to 1e-6.
static const double converged = 1e-12;

// Hess (D^2/2) = grad D grad D^T + D Hess D
static void square_bend(const footprint_value* at, double bend[6])
{
    const double* g = at->slope;
    const double outer[6] = {g[0] * g[0], g[0] * g[1], g[0] * g[2],
                             g[1] * g[1], g[1] * g[2], g[2] * g[2]};
    for (int i = 0; i < 6; i++) {
        bend[i] = outer[i] + at->D * at->bend[i];
    }
}

static double dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

int bri_footprint_slide(const footprint* f, const double* weights, const double load[3],
                        double v[3])
{
    const double size = sqrt(dot3(load, load));
    for (int i = 0; i < 3 && dot3(v, v) == 0.0; i++) { // the ellipsoid's answer: along the load
        v[0] = load[0], v[1] = load[1], v[2] = load[2];
    }
    footprint_value at = bri_footprint_eval(f, weights, v);
    for (int round = 0; round < MOST_ROUNDS; round++) {
        double residual[3], bend[6], step[3], next[3];
        for (int i = 0; i < 3; i++) {
            residual[i] = load[i] - at.D * at.slope[i];
        }
        if (dot3(residual, residual) <= converged * converged * size * size) {
            return 1;
        }
        square_bend(&at, bend);
        bri_solve_spd3(bend, residual, step);
        // Newton's step, halved until it gains
        const double before = 0.5 * at.D * at.D - dot3(load, v), gain = dot3(residual, step);
        double share = 1.0, after = before;
        for (int half = 0; half < MOST_HALVINGS; half++, share *= 0.5) {
            for (int i = 0; i < 3; i++) {
                next[i] = v[i] + share * step[i];
            }
            at = bri_footprint_eval(f, weights, next);
            after = 0.5 * at.D * at.D - dot3(load, next);
            if (after <= before - 1e-4 * share * gain + 1e-15 * size * size) {
                break;
            }
        }
        v[0] = next[0], v[1] = next[1], v[2] = next[2];
        if (!(after <= before + 1e-14 * size * size)) {
            return 0; // also NaN
        }
    }
    return 0;
}

int bri_footprint_stick(const footprint* f, const double* weights, const double c[2],
                        const double velocity[2], double* spin)
{
    // v = (velocity + w (c_y, -c_x), w),   dD/dw = b.grad D,   b = (c_y, -c_x, 1)
    const double b[3] = {c[1], -c[0], 1.0}, speed = hypot(velocity[0], velocity[1]);
    double low = -(double)INFINITY, high = (double)INFINITY;
    for (int round = 0; round < 4 * MOST_ROUNDS; round++) {
        const double v[3] = {velocity[0] + *spin * b[0], velocity[1] + *spin * b[1], *spin};
        const footprint_value at = bri_footprint_eval(f, weights, v);
        const double slope = dot3(b, at.slope), *h = at.bend;
        const double bend = b[0] * b[0] * h[0] + b[1] * b[1] * h[3] + h[5] +
                            2.0 * (b[0] * b[1] * h[1] + b[0] * h[2] + b[1] * h[4]);
        low = slope < 0.0 ? *spin : low;
        high = slope > 0.0 ? *spin : high;
        double next = *spin - slope / bend;
        if (!(next > low && next < high)) { // Newton leaves the bracket: halve it, or widen it
            next = isfinite(low) && isfinite(high)
                       ? 0.5 * (low + high)
                       : *spin - copysign(2.0 * (speed + fabs(*spin)), slope);
        }
        const double step = fabs(next - *spin);
        *spin = next;
        if (step <= converged * (speed + fabs(next))) {
            return 1;
        }
    }
    return 0;
}
