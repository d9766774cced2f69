/*
 * One-dimensional friction laws: force and rate.
 *
 * W&K = Waltersson & Karayiannidis, "Planar Friction Modelling with LuGre Dynamics and Limit
 * Surfaces", section III; H+ = Huang et al., "Closed-Form Representations of Friction", section V.
 * Numbers in brackets are W&K's equations unless H+ is named.
 *
 *   z, v, fn -> g(v) (2) -> alpha(z, v) (5), (6) -> dz (1), (4) -> f (3)
 *
 * g, alpha and the fading damping are formulas of law_formulas.inc.
 *
 * Deviations from print (docs/explanation/equations.md): W-6 (|z| in alpha), H-36 (guarded Dahl), D-1 (damping that
 * fades with speed).
 */
#include "law/law_internal.h"

#include "math/scalar.h"

#include "law/law_formulas.inc"

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

// The rule of br_law_from_mu(): chosen, not derived. The deflection of bristles this stiff is too small to
// be seen, but large enough that the damping time is not too short for fixed steps of 1 ms.
static const double DEFLECTION = 2e-3;         // at break-away, over r [-]
static const double LARGEST_DEFLECTION = 5e-5; // [m]: a crate on a floor still vibrates above 30 Hz
static const double R_OF_POINT = 1e-3;         // r that is used for a point [m]
static const double LONGEST_DAMPING = 20e-3;   // [s]: a damping ratio of 1 down to 16 Hz
static const double DAMPING_FORCE = 2.0;       // sigma1 v_damping/mu_c [-]

double br_law_damping_time(double omega)
{
    return omega * LONGEST_DAMPING <= 2.0 ? LONGEST_DAMPING : 2.0 / omega;
}

void br_law_set_damping(br_law* law, double time)
{
    law->sigma1 = law->sigma0 * time;
    law->v_damping = DAMPING_FORCE * law->mu_c / law->sigma1;
}

br_law br_law_from_mu(double mu, double r, double mass, double fn)
{
    const double deflection = DEFLECTION * (r == 0.0 ? R_OF_POINT : r);
    br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC);
    law.mu_c = law.mu_s = mu;
    law.sigma0 = mu / (deflection > LARGEST_DEFLECTION ? LARGEST_DEFLECTION : deflection);
    law.sigma2 = 0.0;
    br_law_set_damping(&law, mass == 0.0 ? BR_LAW_DAMPING_TIME
                                         : br_law_damping_time(sqrt(law.sigma0 * fn / mass)));
    return law;
}

void br_law_complete(br_law* law, unsigned rule, double r, double time)
{
    if (rule & BR_RULE_SIGMA0) {
        law->sigma0 = br_law_from_mu(law->mu_s, r, 0.0, 0.0).sigma0;
    }
    br_law damped = *law;
    br_law_set_damping(&damped, time);
    if (rule & BR_RULE_SIGMA1) {
        law->sigma1 = damped.sigma1;
    }
    if (rule & BR_RULE_V_DAMPING) {
        law->v_damping = damped.v_damping;
    }
}

const char* br_law_get_name(br_law_kind kind)
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

bool br_law_has_state(br_law_kind kind)
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

// One parameter: does the law use it, its value, and whether zero is allowed.
typedef struct parameter {
    const char* name;
    int is_used;
    double value;
    int may_be_zero;
} parameter;

static br_status check_parameter(const parameter* p, br_reason* why)
{
    const int in_range = p->may_be_zero ? p->value >= 0.0 : p->value > 0.0;
    if (!p->is_used || (isfinite(p->value) && in_range)) {
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
    if (has_stribeck(law->kind) && law->curve &&
        !(law->curve->count >= 2 && law->curve->count <= BR_CURVE_NODES)) {
        br_reason_set(why, "curve", "must be NULL or from br_law_set_curve()");
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
        {"v_damping", has_bristle(kind) && law->v_damping != HUGE_VAL, law->v_damping, 1},
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
    const double constant = law->curve
                                ? bri_curve_margin(law)
                                : law->sigma2 - law->sigma1 * (law->mu_s - law->mu_c) / law->mu_c;
    if (!damping_fades(law)) {
        return constant;
    }
    return fmax(constant, BR_LAW_PASSIVE_DAMPING * law->mu_c / law->v_damping - law->sigma1);
}

// (v/v_s)^gamma
static double power_of(const br_law* law, double v)
{
    const double ratio = v / law->v_stribeck;
    return stribeck_power(ratio * ratio, 0.5 * law->gamma, law->gamma == 2.0);
}

double br_law_g(const br_law* law, double v)
{
    const double share = has_table_of_g(law)
                             ? bri_curve_share(law->curve, fabs(v) / law->v_stribeck, NULL)
                             : stribeck_share(power_of(law, v));
    return stribeck_strength(law->mu_c, law->mu_s - law->mu_c, share);
}

// dg/dv of a table; at rest the mean of both sides.
static double table_slope(const br_law* law, double v)
{
    double by_x;
    bri_curve_share(law->curve, fabs(v) / law->v_stribeck, &by_x);
    return (law->mu_s - law->mu_c) / law->v_stribeck * by_x * sign(v);
}

double bri_g_slope(const br_law* law, double v)
{
    if (has_table_of_g(law)) {
        return table_slope(law, v);
    }
    const double power = power_of(law, v);
    const double excess = (law->mu_s - law->mu_c) * stribeck_share(power);
    if (v == 0.0 || excess == 0.0) {
        return 0.0; // the mean of both sides, also at the cusp of gamma <= 1; avoids overflow of power
    }
    return 2.0 * strength_slope(excess, 0.5 * law->gamma, power / v);
}

double bri_damping_share(const br_law* law, double v, double* slope)
{
    const int fades = damping_fades(law);
    const double ratio = fades ? v / law->v_damping : 0.0,
                 per_d = fades ? 1.0 / law->v_damping : 0.0;
    double unused;
    return damping_by(ratio, per_d, slope ? slope : &unused);
}

double bri_plastic_share(double q, double s_ba, double* slope)
{
    const int outside = q <= s_ba || q >= 1.0; // no sines needed
    const double per_band = 1.0 / (1.0 - s_ba);
    const double turn = band_turn(q, 0.5 * (1.0 + s_ba), per_band);
    if (slope) {
        *slope = outside ? 0.0 : share_slope(turn, per_band);
    }
    return outside ? q >= 1.0 : 0.5 * twice_share_in_band(turn);
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

    // f = (sigma0 z + s dz + sigma2 v) fn                                                (3), D-1
    const double s = law->sigma1 * bri_damping_share(law, v, NULL);
    return (br_law_value){(law->sigma0 * z + s * dz + br_law_f_v(law, v, NULL)) * fn, dz};
}

static br_law_value dahl_eval(const br_law* law, double z, double v, double fn)
{
    // df/dt = sigma0 sgn(1 - r) |1 - r|^alpha v,  r = f sgn(v)/Fc                         (H+ 36)
    const double fc = law->mu_c * (fn < dahl_least_fn ? dahl_least_fn : fn);
    const double r = law->sigma0 * z * sign(v) / fc;

    // no load: no force, although z stays until the next motion removes it
    return (br_law_value){fn <= 0.0 ? 0.0 : law->sigma0 * z,
                          dahl_factor(1.0 - r, law->alpha, NULL) * v};
}

double br_law_sliding(const br_law* law, double v, double direction, double fn, double* f_v)
{
    const int stribeck = law->kind == BR_LAW_STRIBECK;
    const double mu = stribeck ? br_law_g(law, v) : law->mu_c;
    double slope = 0.0;
    const double viscous = stribeck ? br_law_f_v(law, v, &slope) : 0.0;
    if (f_v) {
        *f_v = ((stribeck ? bri_g_slope(law, v) : 0.0) * direction + slope) * fn;
    }
    return (mu * direction + viscous) * fn;
}

double br_law_holding(const br_law* law, double fn)
{
    if (has_stribeck(law->kind) && has_table_of_g(law)) {
        return br_law_g(law, 0.0) * fn;
    }
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
