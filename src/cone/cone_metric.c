/*
 * The force x of a friction cone with the smallest (x - f)^T M (x - f).
 *
 * In the axes n, t1, t2, with M = L L^T (Cholesky), Q = diag(-mu^2, 1, 1) (x is in K or -K where
 * x^T Q x <= 0) and L^-1 Q L^-T = V diag(q_1, q_2, -q_3) V^T, y = V^T L^T x are axes in which M is 1
 * and the cone is upright with an ellipse for its base:
 *
 *   kappa_1 y_1^2 + kappa_2 y_2^2 <= y_3^2,  y_3 >= 0,     kappa_i = q_i/q_3
 *
 * For c = V^T L^T f outside that cone and its polar cone, the conditions of Karush, Kuhn and Tucker
 * are solved by y_i = c_i t/d_i, y_3 = t with d_i = t + kappa_i (t - c_3) and the one root t of
 *
 *   g(t) = kappa_1 c_1^2/d_1^2 + kappa_2 c_2^2/d_2^2 = 1,     t >= max(c_3, 0)
 *
 * There g falls, and 1/sqrt(g) is concave: Newton's method from the left cannot overshoot.
 */
#include "bristle/cone.h"

#include "math/mat3.h"
#include "math/vec3.h"

#include <string.h>

enum { MAX_STEPS = 100 };

static void exchange(double* a, double* b)
{
    const double kept = *a;
    *a = *b;
    *b = kept;
}

// Move the only negative number of the diagonal to the end, its column pointing into the cone.
static void order(mat3* q, mat3* back, int n)
{
    int last = 0;
    for (int i = 1; i < 3; i++) {
        last = q->at[i][i] < q->at[last][last] ? i : last;
    }
    exchange(&q->at[2][2], &q->at[last][last]);
    for (int k = 0; k < 3; k++) {
        exchange(&back->at[k][2], &back->at[k][last]);
    }
    const double sign = back->at[n][2] < 0.0 ? -1.0 : 1.0;
    for (int k = 0; k < 3; k++) {
        back->at[k][2] *= sign;
    }
}

// M times a power of 4, about 1: the projection is the same to the last bit, and cubes of numbers in its axes neither
// overflow nor underflow.
static mat3 scaled_to_one(const double* M)
{
    mat3 scaled;
    double largest = 0.0;
    int exponent = 0;
    for (int i = 0; i < 9; i++) {
        largest = fmax(largest, fabs(M[i]));
    }
    if (isfinite(largest)) {
        frexp(largest, &exponent);
    }
    for (int i = 0; i < 9; i++) {
        scaled.at[i / 3][i % 3] = ldexp(M[i], (exponent & 1) - exponent);
    }
    return scaled;
}

// Largest over smallest eigenvalue; infinite where rounding leaves one that is not positive.
static double condition_of(mat3 m)
{
    mat3 V;
    mat3_diagonalise(&m, &V);
    const double low = fmin(fmin(m.at[0][0], m.at[1][1]), m.at[2][2]);
    const double high = fmax(fmax(m.at[0][0], m.at[1][1]), m.at[2][2]);
    return low > 0.0 ? high / low : HUGE_VAL;
}

br_status br_cone_metric_init(const br_cone* cone, const double* M, br_cone_metric* out,
                              br_reason* why)
{
    BR_ASSERT(cone && M && out);
    *out = (br_cone_metric){.kappa = {0.0, 0.0}};
    const mat3 given = scaled_to_one(M);
    mat3 axes, L, V;
    const int n =
        cone->mu < 1.0 ? 0 : 2; // from small to large numbers in Q: sums lose no precision
    memcpy(axes.at[n], cone->n, sizeof cone->n);
    memcpy(axes.at[(n + 1) % 3], cone->t1, sizeof cone->t1);
    memcpy(axes.at[(n + 2) % 3], cone->t2, sizeof cone->t2);
    const mat3 turned = mat3_transpose(axes);
    const mat3 mass = mat3_multiply(mat3_multiply(axes, given), turned);
    if (!mat3_is_symmetric(given) || !mat3_cholesky(mass, &L)) {
        br_reason_set(why, "M", "must be symmetric and positive definite");
        return BR_ERR_ARG;
    }
    const double condition = condition_of(given);
    if (!(condition <= BR_CONE_CONDITION)) {
        br_reason_set(why, "M", "must have a condition number of at most %g, got %.3g",
                      BR_CONE_CONDITION, condition);
        return BR_ERR_ARG;
    }
    // x = back y, back = L^-T V;  y = to f, to = back^-1 = back^T M
    const mat3 down = mat3_invert_lower(L), up = mat3_transpose(down);
    mat3 Q = mat3_identity();
    Q.at[n][n] = -cone->mu * cone->mu;
    mat3 q = mat3_multiply(mat3_multiply(down, Q), up);
    mat3_diagonalise(&q, &V);
    mat3 back = mat3_multiply(up, V);
    order(&q, &back, n);
    const mat3 to = mat3_multiply(mat3_multiply(mat3_transpose(back), mass), axes);
    back = mat3_multiply(turned, back);
    *out = (br_cone_metric){.cone = *cone,
                            .kappa = {-q.at[0][0] / q.at[2][2], -q.at[1][1] / q.at[2][2]}};
    memcpy(out->back, back.at, sizeof back.at);
    memcpy(out->to, to.at, sizeof to.at);
    return BR_OK;
}

// out = A x
static void apply(const double A[3][3], const double x[3], double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = vec3_dot(A[i], x);
    }
}

// g(t) and its slope
static double base_size(const double kappa[2], const double c[3], double t, double* slope)
{
    double g = 0.0;
    *slope = 0.0;
    for (int i = 0; i < 2; i++) {
        const double d = t + kappa[i] * (t - c[2]);
        const double share = kappa[i] * c[i] * c[i] / (d * d);
        g += share;
        *slope -= 2.0 * share * (1.0 + kappa[i]) / d;
    }
    return g;
}

// The root of g(t) = 1 by Newton's method on 1/sqrt(g), from a point at its left.
static double find_height(const double kappa[2], const double c[3])
{
    // either term of g alone reaches 1 no later than both
    double t = fmax(c[2], 0.0);
    for (int i = 0; i < 2; i++) {
        t = fmax(t, (sqrt(kappa[i]) * fabs(c[i]) + kappa[i] * c[2]) / (1.0 + kappa[i]));
    }
    for (int step = 0; step < MAX_STEPS; step++) {
        double slope;
        const double g = base_size(kappa, c, t, &slope);
        const double next = t - 2.0 * g * (sqrt(g) - 1.0) / slope;
        if (!(next > t * (1.0 + 1e-16))) {
            break;
        }
        t = next;
    }
    return t;
}

// dy/dc where y_i = c_i t/d_i, y_3 = t and t follows from g = 1
static void upright_derivative(const double kappa[2], const double c[3], double t,
                               double derivative[3][3])
{
    double slope, dt[3] = {0.0, 0.0, 0.0};
    base_size(kappa, c, t, &slope);
    for (int i = 0; i < 2; i++) {
        const double d = t + kappa[i] * (t - c[2]);
        dt[i] -= 2.0 * kappa[i] * c[i] / (d * d) / slope;
        dt[2] -= 2.0 * kappa[i] * kappa[i] * c[i] * c[i] / (d * d * d) / slope;
    }
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 2; i++) {
            const double d = t + kappa[i] * (t - c[2]);
            const double dd = (1.0 + kappa[i]) * dt[j] - kappa[i] * (j == 2);
            derivative[i][j] = ((i == j) * t + c[i] * dt[j] - c[i] * t * dd / d) / d;
        }
        derivative[2][j] = dt[j];
    }
}

// Project c in the upright axes; derivative may be NULL.
static void project_upright(const double kappa[2], const double c[3], double y[3],
                            double derivative[3][3])
{
    const double base = sqrt(kappa[0] * c[0] * c[0] + kappa[1] * c[1] * c[1]);
    const double polar = sqrt(c[0] * c[0] / kappa[0] + c[1] * c[1] / kappa[1]);
    const int is_inside = base <= c[2];
    if (is_inside || polar <= -c[2]) {
        for (int i = 0; i < 3; i++) {
            y[i] = is_inside ? c[i] : 0.0 * c[i];
            for (int j = 0; derivative && j < 3; j++) {
                derivative[i][j] = is_inside && i == j;
            }
        }
        return;
    }
    const double t = find_height(kappa, c);
    for (int i = 0; i < 2; i++) {
        y[i] = c[i] * t / (t + kappa[i] * (t - c[2]));
    }
    y[2] = t;
    if (derivative) {
        upright_derivative(kappa, c, t, derivative);
    }
}

// Rounding of the transformation leaves x outside of the cone, by its condition number. The nearest force on the ray
// d of the cone beside x is in the cone, and is as near to f but for the square of that error.
static void put_on_cone(const br_cone_metric* metric, const double c[3], double x[3])
{
    const br_cone* cone = &metric->cone;
    if (!(br_cone_margin(cone, x) < -BR_CONE_ROUNDING * (1.0 + cone->mu) * vec3_norm(x))) {
        return;
    }
    const double fn = vec3_dot(cone->n, x);
    double ft[3], d[3], y[3];
    vec3_combine(1.0, x, -fn, cone->n, ft);
    vec3_combine(1.0, cone->n, cone->mu / vec3_norm(ft), ft, d);
    apply(metric->to, d, y);
    vec3_combine(fmax(vec3_dot(y, c) / vec3_dot(y, y), 0.0), d, 0.0, d, x);
}

void br_cone_metric_project(const br_cone_metric* metric, const double f[3], double nearest[3],
                            double derivative[3][3])
{
    double c[3], y[3];
    mat3 upright, to, back;
    apply(metric->to, f, c);
    project_upright(metric->kappa, c, y, derivative ? upright.at : NULL);
    if (br_cone_margin(&metric->cone, f) >= 0.0) {
        memmove(nearest, f, 3 * sizeof *f); // exactly, without the transformation
    } else {
        apply(metric->back, y, nearest);
        put_on_cone(metric, c, nearest);
    }
    if (derivative) {
        memcpy(to.at, metric->to, sizeof to.at);
        memcpy(back.at, metric->back, sizeof back.at);
        const mat3 turned = mat3_multiply(mat3_multiply(back, upright), to);
        memcpy(derivative, turned.at, sizeof turned.at);
    }
}

void br_cone_metric_project_batch(const br_cone_metric* metric, size_t count, const double* f,
                                  double* nearest)
{
    for (size_t i = 0; i < count; i++) {
        br_cone_metric_project(metric, f + 3 * i, nearest + 3 * i, NULL);
    }
}
