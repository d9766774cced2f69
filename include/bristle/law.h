/// @file law.h
/// One-dimensional friction laws: force and bristle rate at one point, along one line.
///
/// Section III of Waltersson & Karayiannidis (W&K), section V of Huang et al. (H+). The force is the
/// *resistance along +v* (positive for v > 0), as the papers plot it. All laws are per normal force
/// ("amended"): fn = 1 gives the original form with mu_c, mu_s, sigma0.. read in newtons.
///
/// | kind           | force                              | state z                              |
/// |----------------|------------------------------------|--------------------------------------|
/// | Coulomb        | mu_c fn sgn v, 0 at v = 0          | none                                 |
/// | stiction       | the same; at rest up to mu_s fn    | none                                 |
/// | Stribeck       | (g(v) sgn v + sigma2 v) fn         | none                                 |
/// | Dahl           | sigma0 z                           | f/sigma0 [m] (sigma0 in N/m)         |
/// | LuGre          | (sigma0 z + sigma1 dz + sigma2 v) fn | bristle deflection [m]             |
/// | elasto-plastic | the same                           | bristle deflection [m]               |
#ifndef BRISTLE_LAW_H
#define BRISTLE_LAW_H

#include "bristle/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The laws, written once: enumerator, name as the command spells it.
#define BR_LAW_LIST(X)                                                                             \
    X(BR_LAW_COULOMB, "coulomb")                                                                   \
    X(BR_LAW_STICTION, "stiction")                                                                 \
    X(BR_LAW_STRIBECK, "stribeck")                                                                 \
    X(BR_LAW_DAHL, "dahl")                                                                         \
    X(BR_LAW_LUGRE, "lugre")                                                                       \
    X(BR_LAW_ELASTO_PLASTIC, "elasto-plastic")

/// Which law.
typedef enum br_law_kind {
#define BR_LAW_ENUM(kind, name) kind, ///< see BR_LAW_LIST
    BR_LAW_LIST(BR_LAW_ENUM)
#undef BR_LAW_ENUM
} br_law_kind;

/// A law and its parameters; those a law does not use are ignored. Start from br_law_default().
typedef struct br_law {
    br_law_kind kind;  ///< which law
    double mu_c;       ///< Coulomb coefficient [-], > 0
    double mu_s;       ///< static coefficient [-], >= mu_c (not Coulomb, Dahl)
    double v_stribeck; ///< Stribeck speed v_s of (2) [m/s], > 0 (Stribeck, LuGre, elasto-plastic)
    double gamma;      ///< Stribeck exponent [-], > 0 (as v_stribeck)
    double sigma0;     ///< stiffness [1/m], for Dahl [N/m], > 0 (Dahl, LuGre, elasto-plastic)
    double sigma1;     ///< bristle damping [s/m], >= 0 (LuGre, elasto-plastic)
    double sigma2;     ///< viscous coefficient [s/m], >= 0 (Stribeck, LuGre, elasto-plastic)
    double s_ba;       ///< breakaway fraction z_ba/z_max [-], in [0, 1) (elasto-plastic)
    double alpha;      ///< Dahl's exponent [-], > 0
} br_law;

/// The parameters of a bristle, in the order of the derivatives by them (br_contact_sensitivity).
enum {
    BR_BY_MU_C,       ///< [-]
    BR_BY_MU_S,       ///< [-]
    BR_BY_V_STRIBECK, ///< [m/s]
    BR_BY_GAMMA,      ///< [-]
    BR_BY_SIGMA0,     ///< [1/m]
    BR_BY_SIGMA1,     ///< [s/m]
    BR_BY_SIGMA2,     ///< [s/m]
    BR_BY_S_BA,       ///< [-]
    BR_BY_COUNT       ///< how many
};

/// A parameter of a law: the one list that files, fits and bindings go by.
typedef struct br_law_parameter {
    const char* name; ///< as files call it, "mu_c"; v_stribeck is "v_s" there
    const char* unit; ///< "-" for pure numbers
    const char* text; ///< what it is, in a line
    size_t offset;    ///< of its double in br_law
    double low;       ///< least value, or what it must be greater than
    double high;      ///< what it must be less than; INFINITY: no limit
    int may_be_low;   ///< 1: `low` itself is allowed
    unsigned laws;    ///< bit 1 << kind is set for each law that takes it
    int is_required;  ///< 1: those laws need it
    double otherwise; ///< its value where it is not required and not given
    int by;           ///< its place among derivatives, BR_BY_...; -1: there are none by it
} br_law_parameter;

/// Parameter `index` of all laws, in the order of br_law; NULL beyond the last.
BR_API const br_law_parameter* br_law_get_parameter(size_t index);

/// Force and rate of a law at one instant.
typedef struct br_law_value {
    double f;  ///< resistance along +v [N]
    double dz; ///< rate of z [m/s]
} br_law_value;

/// Partial derivatives of br_law_value. Where a law has a kink (v = 0), the mean of both sides.
typedef struct br_law_gradient {
    double f_z;   ///< df/dz [N/m]
    double f_v;   ///< df/dv [N s/m]
    double f_fn;  ///< df/dfn [-]
    double dz_z;  ///< d(dz)/dz [1/s]
    double dz_v;  ///< d(dz)/dv [-]
    double dz_fn; ///< d(dz)/dfn [m/(s N)]
} br_law_gradient;

/// Where the energy of a step of a planar contact went [J]:
/// work = (stored at the end - stored at the begin) + dissipated.
typedef struct br_step_energy {
    double stored;     ///< in the bristles at the end, with this step's normal force
    double work;       ///< done by the body on the contact
    double dissipated; ///< turned into heat, >= 0 (for a reduced contact: if it is guarded)
} br_step_energy;

/// Table I of W&K, p = 1, with Dahl's exponent 1.
BR_API br_law br_law_default(br_law_kind kind);

/// Damping time of bristles in a motion that is given, where there is no body that could ring [s].
#define BR_LAW_DAMPING_TIME 1e-3

/// Friction from its coefficient alone, where nobody has measured more. Elasto-plastic bristles that
/// hold still and, with mu_s = mu_c, are passive for sure, whatever their damping:
///
///     mu_s = mu_c = mu,  sigma2 = 0,  s_ba = 0.9
///     mu/sigma0 = 2e-3 r, at most 50 um     deflection at break-away: 2 um per mm of the patch's r
///     sigma1 = sigma0 T                     T: br_law_damping_time() of omega = sqrt(sigma0 fn/mass)
///
/// Never fails; NaN in gives NaN out, and what is out of range shows in br_law_check().
/// @param mu    coefficient of friction [-], > 0
/// @param r     mean distance of the patch from its CoP (br_patch_value) [m], >= 0; 0, a point, counts
///              as 1 mm
/// @param mass  that swings on the bristles [kg]; of a body that also turns about the patch, whose u is
///              that of br_patch_value, the geometric mean of mass and inertia/u, or see swing.h;
///              0: the motion is given, T = BR_LAW_DAMPING_TIME
/// @param fn    normal force of all contacts that share the motion [N], >= 0
BR_API br_law br_law_from_mu(double mu, double r, double mass, double fn);

/// The damping time T = sigma1/sigma0 of br_law_from_mu() for a body that swings at `omega` on its
/// bristles [s]: 2/omega, which is a damping ratio of 1, but at most 5 ms. While a body slides,
/// friction follows the direction of slip late by T: on one that slides and spins at w, it points
/// aside by w T.
/// @param omega  [rad/s], >= 0; 0: nothing holds it
BR_API double br_law_damping_time(double omega);

/// The name the command uses for a law, e.g. "elasto-plastic"; never NULL.
BR_API const char* br_law_name(br_law_kind kind);

/// Are the parameters finite and in range?
/// @param[out] why  may be NULL; names the field when the result is not BR_OK
/// @return BR_OK or BR_ERR_DEF
BR_API br_status br_law_check(const br_law* law, br_reason* why);

/// 1 if the law has a state, 0 if it is memoryless and set-valued at rest.
BR_API int br_law_has_state(br_law_kind kind);

/// How far LuGre's sufficient condition for passivity is met,
/// sigma2 - sigma1 (mu_s - mu_c)/mu_c [s/m]; negative: some motions may take energy out of the
/// bristles that nobody put in. INFINITY for laws without sigma1.
BR_API double br_law_passivity_margin(const br_law* law);

/// Steady-state coefficient (2), g = mu_c + (mu_s - mu_c) exp(-|v/v_s|^gamma) [-].
BR_API double br_law_g(const br_law* law, double v);

/// Force and rate. Never fails, never allocates; NaN in gives NaN out, in what depends on it (Dahl's
/// force is its state, so only its rate feels v).
/// @param z   state [m]; ignored by memoryless laws
/// @param v   velocity [m/s]; a memoryless law gives 0 at v = 0, see br_law_sliding()
/// @param fn  normal force [N], >= 0; 0 gives no force
BR_API br_law_value br_law_eval(const br_law* law, double z, double v, double fn);

/// Derivatives of br_law_eval() with respect to z, v and fn.
BR_API br_law_gradient br_law_gradient_eval(const br_law* law, double z, double v, double fn);

/// Force of a memoryless law that slides towards `sign` (+1 or -1), smooth through v = 0 [N].
/// @param[out] f_v  derivative with respect to v [N s/m], may be NULL
BR_API double br_law_sliding(const br_law* law, double v, double sign, double fn, double* f_v);

/// Largest force that a memoryless law holds at rest [N]: mu_s fn, for Coulomb mu_c fn.
BR_API double br_law_holding(const br_law* law, double fn);

/// Advance the state over a step of any size with the velocity held.
/// Exact for Dahl and LuGre; elasto-plastic is exact while elastic and implicit (order 1, bounded and
/// passive at any size) in the plastic band.
/// @param[in,out] z  state [m]
/// @param h          step [s], > 0, any size
/// @return mean resistance along +v over the step [N]
BR_API double br_law_step(const br_law* law, double* z, double v, double fn, double h);

#ifdef __cplusplus
}
#endif

#endif
