/*
 * Friction laws at a point that moves in two or three dimensions.
 *
 * H+ = Huang et al., "Closed-Form Representations of Friction", section V; W&K = Waltersson &
 * Karayiannidis, section IV. The bristle is theirs, extended from the plane to any dimension.
 *
 * Deviations from print (docs/explanation/equations.md): H-36 (Dahl with a guard, isotropic by default).
 */
#include "constrained/constrained_internal.h"

#include "law/law_internal.h"

// beta(z, v): plastic share of a bristle                                             (W&K 16-18)
static double beta(const br_law* law, size_t d, const double* z, const double* v, double g)
{
    if (law->kind != BR_LAW_ELASTO_PLASTIC) {
        return 1.0;
    }
    const double z_norm = norm(z, d), v_norm = norm(v, d);
    const double share = bri_plastic_share(law->sigma0 * z_norm / g, law->s_ba, NULL);
    if (share == 0.0 || v_norm == 0.0) {
        return 0.0; // elastic; or |v| = 0, which makes dz = v for any beta
    }
    // epsilon = (v^ . z^ + 1)/2,  beta = epsilon alpha(|z|)                          (W&K 16, 17)
    const double cosine = dot(v, z, d) / (v_norm * z_norm);
    return 0.5 * (cosine + 1.0) * share;
}

// dz = v - z beta sigma0 |v|/g                                                      (W&K 10, 15)
static void bristle_rate(const br_law* law, size_t d, const double* z, const double* v, double* dz)
{
    const double speed = norm(v, d);
    const double g = br_law_g(law, speed);
    const double decay = beta(law, d, z, v, g) * law->sigma0 * speed / g;
    for (size_t i = 0; i < d; i++) {
        dz[i] = v[i] - decay * z[i];
    }
}

// Dahl's stiffness and exponent along axis i.
static double sigma_of(const br_law* law, const br_dahl_axes* axes, size_t i)
{
    return axes ? axes->sigma[i] : law->sigma0;
}

static double alpha_of(const br_law* law, const br_dahl_axes* axes, size_t i)
{
    return axes ? axes->alpha[i] : law->alpha;
}

br_resistance br_point_law_eval(const br_law* law, const br_dahl_axes* axes, size_t d,
                                const double* z, const double* v)
{
    BR_ASSERT(law && v && (z || !br_law_has_state(law->kind)));
    br_resistance out = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    if (law->kind == BR_LAW_DAHL) {
        for (size_t i = 0; i < d; i++) {
            out.fixed[i] = -sigma_of(law, axes, i) * z[i];
        }
    } else if (br_law_has_state(law->kind)) {
        // F = -(sigma0 z + s dz + sigma2 v) |F_N|                                             (D-1)
        double dz[3];
        bristle_rate(law, d, z, v, dz);
        add(out.per_normal, -law->sigma0, z, d);
        add(out.per_normal, -law->sigma1 * bri_damping_share(law, norm(v, d), NULL), dz, d);
        const double speed = norm(v, d);
        const int has_table = has_table_of_f_v(law) && speed > 0.0;
        add(out.per_normal, has_table ? -br_law_f_v(law, speed, NULL) / speed : -law->sigma2, v, d);
    } else {
        // F = -mu |F_N| p^                                                              (H+ 21)
        const double speed = norm(v, d);
        const double mu = br_law_sliding(law, speed, 1.0, 1.0, NULL);
        add(out.per_normal, speed == 0.0 ? 0.0 : -mu / speed, v, d);
    }
    return out;
}

// dF/dt = sigma |v| |1 - F.v^/Fc|^(alpha-1) (v^ - F/Fc): for alpha = 1 the same as (36)
static void dahl_vector(const br_law* law, size_t d, const double* z, const double* v, double fc,
                        double* dz)
{
    const double speed = norm(v, d);
    const double along = speed == 0.0 ? 0.0 : law->sigma0 * dot(z, v, d) / (speed * fc);
    const double distance = fmax(fabs(1.0 - along), law->alpha < 1.0 ? dahl_least_distance : 0.0);
    const double factor = law->alpha == 1.0 ? 1.0 : pow(distance, law->alpha - 1.0);
    for (size_t i = 0; i < d; i++) {
        dz[i] = factor * (v[i] - law->sigma0 * speed / fc * z[i]);
    }
}

// dF_k/dt = sigma_k (1 - F_k sgn(k')/F_ck)^alpha_k k',  F_ck = Fc |k'|/|v|                 (36)
static void dahl_per_axis(const br_law* law, const br_dahl_axes* axes, int guarded, size_t d,
                          const double* z, const double* v, double fc, double* dz)
{
    const double speed = norm(v, d);
    for (size_t i = 0; i < d; i++) {
        const double alpha = alpha_of(law, axes, i);
        const double decay = sigma_of(law, axes, i) * z[i] * speed / fc, r = decay / v[i];
        const double factor = guarded ? dahl_factor(1.0 - r, alpha, NULL) : pow(1.0 - r, alpha);
        // alpha = 1 has no division by k'; otherwise (36) requires k' != 0
        dz[i] = alpha == 1.0 ? v[i] - decay : v[i] == 0.0 ? 0.0 : factor * v[i];
    }
}

void br_point_law_rate(const br_law* law, br_dahl_form form, const br_dahl_axes* axes, size_t d,
                       const double* z, const double* v, double fn, double* dz)
{
    BR_ASSERT(law && v && dz && (z || !br_law_has_state(law->kind)));
    if (!br_law_has_state(law->kind)) {
        memset(dz, 0, d * sizeof *dz);
    } else if (law->kind != BR_LAW_DAHL) {
        bristle_rate(law, d, z, v, dz);
    } else {
        const double fc = law->mu_c * (fn < dahl_least_fn ? dahl_least_fn : fn);
        if (form == BR_DAHL_VECTOR) {
            dahl_vector(law, d, z, v, fc, dz);
        } else {
            dahl_per_axis(law, axes, form == BR_DAHL_PER_AXIS, d, z, v, fc, dz);
        }
    }
}
