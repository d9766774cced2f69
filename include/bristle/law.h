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

/// The parameters of a bristle, in the order in which the planar models give their sensitivities.
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

/// Where the energy of a step of a planar model went [J]:
/// work = (stored at the end - stored at the begin) + dissipated.
typedef struct br_step_energy {
    double stored;     ///< in the bristles at the end, with this step's normal force
    double work;       ///< done by the body on the contact
    double dissipated; ///< turned into heat, >= 0 (for a reduced model: if it is guarded)
} br_step_energy;

/// Table I of W&K, p = 1, with Dahl's exponent 1.
BR_API br_law br_law_default(br_law_kind kind);

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
