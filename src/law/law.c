/*
 * One-dimensional friction laws: force and rate.
 *
 * W&K = Waltersson & Karayiannidis, "Planar Friction Modelling with LuGre Dynamics and Limit
 * Surfaces", section III; H+ = Huang et al., "Closed-Form Representations of Friction", section V.
 * Numbers in brackets are W&K's equations unless H+ is named.
 *
 *   z, v, fn -> g(v) (2) -> alpha(z, v) (5), (6) -> dz (1), (4) -> f (3)
 *
 * Deviations from print (docs/equations.md): W-6 (|z| in alpha), H-36 (guarded Dahl).
 */
#include "law/law_internal.h"

br_law br_law_default(br_law_kind kind)
{
    return (br_law){.kind = kind,
                    .mu_c = 1.0,
                    .mu_s = 1.2,
                    .v_stribeck = 1e-3,
                    .gamma = 2.0,
                    .sigma0 = 1e6,
                    .sigma1 = 800.0,
                    .sigma2 = 0.2,
                    .s_ba = 0.9,
                    .alpha = 1.0};
}

// The rule of br_law_from_mu(): chosen, not derived. Bristles this stiff give way by less than one
// sees, and not so little that the damping time were too short for fixed steps of 1 ms.
static const double DEFLECTION = 2e-3;         // at break-away, over r [-]
static const double LARGEST_DEFLECTION = 5e-5; // [m]: a crate on a floor still swings above 30 Hz
static const double R_OF_POINT = 1e-3;         // what a point counts as [m]
static const double LONGEST_DAMPING = 5e-3;    // [s]: 3 degrees aside at 10 rad/s

double br_law_damping_time(double omega)
{
    return omega * LONGEST_DAMPING <= 2.0 ? LONGEST_DAMPING : 2.0 / omega;
}

br_law br_law_from_mu(double mu, double r, double mass, double fn)
{
    const double deflection = DEFLECTION * (r == 0.0 ? R_OF_POINT : r);
    br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC);
    law.mu_c = law.mu_s = mu;
    law.sigma0 = mu / (deflection > LARGEST_DEFLECTION ? LARGEST_DEFLECTION : deflection);
    law.sigma1 = law.sigma0 * (mass == 0.0 ? BR_LAW_DAMPING_TIME
                                           : br_law_damping_time(sqrt(law.sigma0 * fn / mass)));
    law.sigma2 = 0.0;
    return law;
}

const char* br_law_name(br_law_kind kind)
{
    switch (kind) {
#define NAME_CASE(name, text)                                                                      \
    case name:                                                                                     \
        return text;
        BR_LAW_LIST(NAME_CASE)
#undef NAME_CASE
    }
    return "unknown law";
}

int br_law_has_state(br_law_kind kind)
{
    return kind == BR_LAW_DAHL || kind == BR_LAW_LUGRE || kind == BR_LAW_ELASTO_PLASTIC;
}

static int has_stribeck(br_law_kind kind)
{
    return kind == BR_LAW_STRIBECK || kind == BR_LAW_LUGRE || kind == BR_LAW_ELASTO_PLASTIC;
}

static int has_bristle(br_law_kind kind)
{
    return kind == BR_LAW_LUGRE || kind == BR_LAW_ELASTO_PLASTIC;
}

// One parameter: must it count, its value, and whether zero is allowed.
typedef struct parameter {
    const char* name;
    int counts;
    double value;
    int may_be_zero;
} parameter;

static br_status check_parameter(const parameter* p, br_reason* why)
{
    const int in_range = p->may_be_zero ? p->value >= 0.0 : p->value > 0.0;
    if (!p->counts || (isfinite(p->value) && in_range)) {
        return BR_OK;
    }
    br_reason_set(why, p->name, "must be finite and %s 0, got %g", p->may_be_zero ? ">=" : ">",
                  p->value);
    return BR_ERR_DEF;
}

static br_status check_relations(const br_law* law, br_reason* why)
{
    const int uses_mu_s = law->kind == BR_LAW_STICTION || has_stribeck(law->kind);
    if (uses_mu_s && law->mu_s < law->mu_c) {
        br_reason_set(why, "mu_s", "must be >= mu_c = %g, got %g", law->mu_c, law->mu_s);
        return BR_ERR_DEF;
    }
    if (law->kind == BR_LAW_ELASTO_PLASTIC && !(law->s_ba < 1.0)) {
        br_reason_set(why, "s_ba", "must be in [0, 1), got %g", law->s_ba);
        return BR_ERR_DEF;
    }
    return BR_OK;
}

br_status br_law_check(const br_law* law, br_reason* why)
{
    BR_ASSERT(law);
    const br_law_kind kind = law->kind;
    if ((int)kind < 0 || kind > BR_LAW_ELASTO_PLASTIC) {
        br_reason_set(why, "kind", "must be a br_law_kind, got %d", (int)kind);
        return BR_ERR_DEF;
    }
    const parameter parameters[] = {
        {"mu_c", 1, law->mu_c, 0},
        {"mu_s", kind == BR_LAW_STICTION || has_stribeck(kind), law->mu_s, 0},
        {"v_stribeck", has_stribeck(kind), law->v_stribeck, 0},
        {"gamma", has_stribeck(kind), law->gamma, 0},
        {"sigma0", br_law_has_state(kind), law->sigma0, 0},
        {"sigma1", has_bristle(kind), law->sigma1, 1},
        {"sigma2", has_stribeck(kind), law->sigma2, 1},
        {"s_ba", kind == BR_LAW_ELASTO_PLASTIC, law->s_ba, 1},
        {"alpha", kind == BR_LAW_DAHL, law->alpha, 0},
    };
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++) {
        const br_status status = check_parameter(&parameters[i], why);
        if (status != BR_OK) {
            return status;
        }
    }
    return check_relations(law, why);
}

double br_law_passivity_margin(const br_law* law)
{
    if (!has_bristle(law->kind)) {
        return HUGE_VAL;
    }
    return law->sigma2 - law->sigma1 * (law->mu_s - law->mu_c) / law->mu_c;
}

double br_law_g(const br_law* law, double v)
{
    const double s = v / law->v_stribeck;
    const double power = law->gamma == 2.0 ? s * s : pow(fabs(s), law->gamma);

    // g = mu_c + (mu_s - mu_c) exp(-|v/v_s|^gamma)                                            (2)
    return law->mu_c + (law->mu_s - law->mu_c) * exp(-power);
}

double bri_g_slope(const br_law* law, double v)
{
    const double s = fabs(v) / law->v_stribeck;
    if (s == 0.0) {
        return 0.0; // the mean of both sides, also where gamma <= 1 makes a cusp
    }
    const double power = law->gamma == 2.0 ? s * s : pow(s, law->gamma);
    const double drop = exp(-power);
    if (drop == 0.0) {
        return 0.0; // before power overflows
    }
    return -sign(v) * (law->mu_s - law->mu_c) * law->gamma * power / s / law->v_stribeck * drop;
}

double bri_plastic_share(double q, double s_ba, double* slope)
{
    const double band = 1.0 - s_ba;
    double alpha, d_alpha = 0.0;

    if (q <= s_ba) {
        alpha = 0.0;
    } else if (q >= 1.0) {
        alpha = 1.0;
    } else {
        // alpha = sin(pi (|z| - (z_max + z_ba)/2)/(z_max - z_ba))/2 + 1/2                     (6)
        const double angle = BR_PI * (q - 0.5 * (1.0 + s_ba)) / band;
        alpha = 0.5 * sin(angle) + 0.5;
        d_alpha = 0.5 * BR_PI / band * cos(angle);
    }
    if (slope) {
        *slope = d_alpha;
    }
    return alpha;
}

static br_law_value bristle_eval(const br_law* law, double z, double v, double fn)
{
    const double g = br_law_g(law, v);

    // alpha(z, v): plastic only while z grows                                                 (5)
    double alpha = 1.0;
    if (law->kind == BR_LAW_ELASTO_PLASTIC) {
        alpha = v * z <= 0.0 ? 0.0 : bri_plastic_share(law->sigma0 * fabs(z) / g, law->s_ba, NULL);
    }

    // dz = v - alpha z sigma0 |v| / g                                                    (1), (4)
    const double dz = v - alpha * z * law->sigma0 * fabs(v) / g;

    // f = (sigma0 z + sigma1 dz + sigma2 v) fn                                                (3)
    return (br_law_value){(law->sigma0 * z + law->sigma1 * dz + law->sigma2 * v) * fn, dz};
}

static br_law_value dahl_eval(const br_law* law, double z, double v, double fn)
{
    // df/dt = sigma0 sgn(1 - r) |1 - r|^alpha v,  r = f sgn(v)/Fc                         (H+ 36)
    const double fc = law->mu_c * (fn < dahl_least_fn ? dahl_least_fn : fn);
    const double r = law->sigma0 * z * sign(v) / fc;

    // nothing presses: no force, although z lasts until the next motion wears it off
    return (br_law_value){fn <= 0.0 ? 0.0 : law->sigma0 * z,
                          dahl_factor(1.0 - r, law->alpha, NULL) * v};
}

double br_law_sliding(const br_law* law, double v, double direction, double fn, double* f_v)
{
    const int stribeck = law->kind == BR_LAW_STRIBECK;
    const double mu = stribeck ? br_law_g(law, v) : law->mu_c;
    const double sigma2 = stribeck ? law->sigma2 : 0.0;
    if (f_v) {
        *f_v = ((stribeck ? bri_g_slope(law, v) : 0.0) * direction + sigma2) * fn;
    }
    return (mu * direction + sigma2 * v) * fn;
}

double br_law_holding(const br_law* law, double fn)
{
    return (law->kind == BR_LAW_COULOMB ? law->mu_c : law->mu_s) * fn;
}

br_law_value br_law_eval(const br_law* law, double z, double v, double fn)
{
    switch (law->kind) {
    case BR_LAW_DAHL:
        return dahl_eval(law, z, v, fn);
    case BR_LAW_LUGRE:
    case BR_LAW_ELASTO_PLASTIC:
        return bristle_eval(law, z, v, fn);
    default:
        return (br_law_value){br_law_sliding(law, v, sign(v), fn, NULL), 0.0};
    }
}
