/*
 * Friction cones: the second-order cone of a normal and a friction coefficient.
 *
 * S = Savin, "Friction Cone". Numbers in brackets are its equations. One margin, mu f_n - |f_t|, in
 * the four descriptions of the lecture.
 *
 * Deviation from print (docs/explanation/equations.md): S-10.
 */
#include "bristle/cone.h"

#include "cone/cone_internal.h"
#include "math/vec3.h"

// Unit vector along `normal`, scaled first so that no square over- or underflows.
static int normalise(const double normal[3], double n[3])
{
    const double largest = fmax(fmax(fabs(normal[0]), fabs(normal[1])), fabs(normal[2]));
    if (!(largest > 0.0) || !isfinite(normal[0] + normal[1] + normal[2])) {
        return 0;
    }
    const double scaled[3] = {normal[0] / largest, normal[1] / largest, normal[2] / largest};
    vec3_combine(1.0 / vec3_norm(scaled), scaled, 0.0, scaled, n);
    return 1;
}

// t1 = e_k - (e_k.n) n, normalised; t2 = n x t1
static void set_tangents(br_cone* cone)
{
    int k = 0;
    for (int i = 1; i < 3; i++) {
        k = fabs(cone->n[i]) < fabs(cone->n[k]) ? i : k;
    }
    double axis[3] = {0.0, 0.0, 0.0}, across[3];
    axis[k] = 1.0;
    vec3_combine(1.0, axis, -cone->n[k], cone->n, across);
    vec3_combine(1.0 / vec3_norm(across), across, 0.0, across, cone->t1);
    vec3_cross(cone->n, cone->t1, cone->t2);
}

br_status br_cone_init(const double normal[3], double mu, br_cone* out, br_reason* why)
{
    BR_ASSERT(normal && out);
    *out = (br_cone){.mu = 0.0};
    br_cone cone = {.mu = mu};
    if (!(mu > 0.0) || !isfinite(mu)) {
        br_reason_set(why, "mu", "must be > 0 and finite, got %g", mu);
        return BR_ERR_ARG;
    }
    if (!normalise(normal, cone.n)) {
        br_reason_set(why, "normal", "must be finite and not 0, got %g,%g,%g", normal[0], normal[1],
                      normal[2]);
        return BR_ERR_ARG;
    }
    set_tangents(&cone);
    *out = cone;
    return BR_OK;
}

void br_cone_split(const br_cone* cone, const double f[3], double parts[3])
{
    // f_n = n^T f,  (f_t1, f_t2) = [t1 t2]^T f                                              (4)-(6)
    const double split[3] = {vec3_dot(cone->n, f), vec3_dot(cone->t1, f), vec3_dot(cone->t2, f)};
    parts[0] = split[0];
    parts[1] = split[1];
    parts[2] = split[2];
}

double bri_cone_margin_elements(const br_cone* cone, const double parts[3])
{
    // sqrt(f_t1^2 + f_t2^2) <= mu f_n                                                           (7)
    return cone->mu * parts[0] - hypot(parts[1], parts[2]);
}

double bri_cone_margin_vector(const br_cone* cone, const double f[3])
{
    // |[t1 t2]^T f| <= mu n^T f                                                                 (8)
    return cone->mu * vec3_dot(cone->n, f) - hypot(vec3_dot(cone->t1, f), vec3_dot(cone->t2, f));
}

double bri_cone_margin_null_space(const br_cone* cone, const double* T, const double f[3])
{
    // |T^T f| <= mu n^T f                                                                       (9)
    const double first = T[0] * f[0] + T[2] * f[1] + T[4] * f[2];
    const double second = T[1] * f[0] + T[3] * f[1] + T[5] * f[2];
    return cone->mu * vec3_dot(cone->n, f) - hypot(first, second);
}

double br_cone_margin(const br_cone* cone, const double f[3])
{
    // |(I - n n^T) f| <= mu n^T f                                                              (13)
    const double fn = vec3_dot(cone->n, f);
    double ft[3];
    vec3_combine(1.0, f, -fn, cone->n, ft);
    return cone->mu * fn - vec3_norm(ft);
}

bool br_cone_contains(const br_cone* cone, const double f[3])
{
    // the sign of f_n counts where mu itself is within rounding
    const double allowed = BR_CONE_ROUNDING * (1.0 + cone->mu) * vec3_norm(f);
    return vec3_dot(cone->n, f) >= 0.0 && br_cone_margin(cone, f) >= -allowed;
}

br_cone br_cone_dual(const br_cone* cone)
{
    br_cone dual = *cone;
    dual.mu = 1.0 / cone->mu;
    return dual;
}
