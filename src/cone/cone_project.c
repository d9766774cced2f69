/*
 * The nearest force of a friction cone, in closed form.
 *
 * With f_n = n.f, f_t the rest and e = f_t/|f_t|, the nearest force is
 *
 *   f itself                                where |f_t| <= mu f_n          (the cone)
 *   0                                       where mu |f_t| <= -f_n         (its polar cone)
 *     s d,  d = n + mu e,  s = (f_n + mu |f_t|)/(1 + mu^2)      elsewhere: projection on the ray d
 */
#include "bristle/cone.h"

#include "math/vec3.h"

#include <string.h>

static void set_diagonal(double derivative[3][3], double value)
{
    memset(derivative, 0, 9 * sizeof(double));
    for (int i = 0; i < 3; i++) {
        derivative[i][i] = value;
    }
}

// J = d d^T/(1 + mu^2) + mu s/|f_t| (I - n n^T - e e^T)
static void set_derivative(const br_cone* cone, const double e[3], const double d[3], double turn,
                           double derivative[3][3])
{
    const double along = 1.0 / (1.0 + cone->mu * cone->mu);
    const double* n = cone->n;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const double rest = (i == j) - n[i] * n[j] - e[i] * e[j];
            derivative[i][j] = along * d[i] * d[j] + turn * rest;
        }
    }
}

void br_cone_project(const br_cone* cone, const double f[3], double nearest[3],
                     double derivative[3][3])
{
    const double mu = cone->mu, fn = vec3_dot(cone->n, f);
    double ft[3], e[3], d[3];
    vec3_combine(1.0, f, -fn, cone->n, ft);
    const double size = vec3_norm(ft);
    const int is_inside = size <= mu * fn, is_polar = mu * size <= -fn;
    if (is_inside || is_polar) {
        vec3_combine(is_inside ? 1.0 : 0.0, f, 0.0, f, nearest);
        if (derivative) {
            set_diagonal(derivative, is_inside ? 1.0 : 0.0);
        }
        return;
    }
    const double s = (fn + mu * size) / (1.0 + mu * mu);
    for (int i = 0; i < 3; i++) {
        e[i] = ft[i] / size; // 1/size may overflow
    }
    vec3_combine(1.0, cone->n, mu, e, d);
    vec3_combine(s, d, 0.0, d, nearest);
    if (derivative) {
        set_derivative(cone, e, d, mu * s / size, derivative);
    }
}

void br_cone_project_batch(const br_cone* cone, size_t count, const double* f, double* nearest)
{
    for (size_t i = 0; i < count; i++) {
        br_cone_project(cone, f + 3 * i, nearest + 3 * i, NULL);
    }
}
