/*
 * Derivatives of the one-dimensional laws, for implicit integrators.
 *
 * The laws have kinks at v = 0 (|v|, and alpha, which becomes 0 when the motion reverses); there the
 * derivative is the mean of both sides. Numbers in brackets as in law.c.
 */
#include "law/law_internal.h"

// Plastic share and slopes of alpha z |v| at one point, alpha as in (5).
typedef struct plastic {
    double alpha;   // for v != 0
    double d_alpha; // d alpha/d q
    double speed_v; // "d|v|/dv": sgn v; at v = 0 the mean of both sides, each with its own alpha
} plastic;

static plastic plastic_eval(const br_law* law, double q, double z, double v)
{
    if (law->kind == BR_LAW_LUGRE) {
        return (plastic){1.0, 0.0, sign(v)};
    }
    plastic p = {.speed_v = v == 0.0 ? 0.5 * sign(z) : sign(v)};
    if (!(v * z < 0.0)) {
        p.alpha = bri_plastic_share(q, law->s_ba, &p.d_alpha);
    }
    return p;
}

static br_law_gradient bristle_gradient(const br_law* law, double z, double v, double fn)
{
    const double g = br_law_g(law, v);
    const double dg = bri_g_slope(law, v);
    const double q = law->sigma0 * fabs(z) / g; // |z|/z_max
    const double a = law->sigma0 * fabs(v) / g; // relaxation rate, da/dv = sigma0 sgn(v)/g - a dg/g
    const plastic p = plastic_eval(law, q, z, v);

    // dz = v - alpha(q) a z; q is proportional to |z| and to 1/g
    const double dz = v - p.alpha * a * z;
    const double dz_z = -a * (p.alpha + p.d_alpha * q);
    const double dz_v = 1.0 - z * (p.alpha * (law->sigma0 * p.speed_v / g - a * dg / g) -
                                   a * p.d_alpha * q * dg / g);

    // f = (sigma0 z + s dz + sigma2 v) fn                                                (3), D-1
    double e_v;
    const double s = law->sigma1 * bri_damping_share(law, v, &e_v);
    const double fading = damping_fades(law) ? law->sigma1 * e_v * dz : 0.0; // avoids 0 * infinity
    double viscous_v;
    const double viscous = br_law_f_v(law, v, &viscous_v);
    return (br_law_gradient){
        .f_z = (law->sigma0 + s * dz_z) * fn,
        .f_v = (s * dz_v + fading + viscous_v) * fn,
        .f_fn = law->sigma0 * z + s * dz + viscous,
        .dz_z = dz_z,
        .dz_v = dz_v,
        .dz_fn = 0.0,
    };
}

static br_law_gradient dahl_gradient(const br_law* law, double z, double v, double fn)
{
    const int is_loaded = !(fn < dahl_least_fn);
    const double fc = law->mu_c * (is_loaded ? fn : dahl_least_fn);
    const double ratio = law->sigma0 * z / fc;
    const double r = ratio * sign(v);
    double slope;
    const double factor = dahl_factor(1.0 - r, law->alpha, &slope);

    // dz = factor(1 - r) v; at v = 0 r jumps between +ratio and -ratio                    (H+ 36)
    const double at_rest = 0.5 * (dahl_factor(1.0 - ratio, law->alpha, NULL) +
                                  dahl_factor(1.0 + ratio, law->alpha, NULL));
    return (br_law_gradient){
        .f_z = fn > 0.0 ? law->sigma0 : 0.0,
        .dz_z = -slope * law->sigma0 * fabs(v) / fc,
        .dz_v = v == 0.0 ? at_rest : factor,
        .dz_fn = is_loaded ? slope * v * r / fn : 0.0,
    };
}

static br_law_gradient memoryless_gradient(const br_law* law, double v, double fn)
{
    br_law_gradient gradient = {.f_fn = br_law_sliding(law, v, sign(v), 1.0, NULL)};
    br_law_sliding(law, v, sign(v), fn, &gradient.f_v);
    return gradient;
}

br_law_gradient br_law_gradient_eval(const br_law* law, double z, double v, double fn)
{
    switch (law->kind) {
    case BR_LAW_DAHL:
        return dahl_gradient(law, z, v, fn);
    case BR_LAW_LUGRE:
    case BR_LAW_ELASTO_PLASTIC:
        return bristle_gradient(law, z, v, fn);
    default:
        return memoryless_gradient(law, v, fn);
    }
}
