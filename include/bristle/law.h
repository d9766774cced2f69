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
/// | LuGre          | (sigma0 z + s dz + sigma2 v) fn    | bristle deflection [m]               |
/// | elasto-plastic | the same                           | bristle deflection [m]               |
///
/// Tables may replace g(v) and sigma2 v, W&K's f_v(v): br_law_set_curve().
/// The damping s is sigma1, or s = sigma1/(1 + v^2/v_damping^2), which fades with speed: damping is needed to
/// stop a body that vibrates on its bristles, but not while it slides.
#ifndef BRISTLE_LAW_H
#define BRISTLE_LAW_H

#include <stdbool.h>

#include "bristle/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The list of laws: enumerator, name in commands and scenario files.
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

/// Maximum number of nodes of a br_curve.
#define BR_CURVE_NODES 64

/// Sliding friction from tables: g(v) of (2) and f_v(v) of (3), over the speed |v|. Filled in by br_law_set_curve(),
/// which checks it. Between nodes monotone cubics (PCHIP, Fritsch and Carlson), with a continuous slope; beyond the last
/// node g is constant and f_v proportional to v. Scaled by the law that it was made for, x = |v|/v_stribeck:
///
///     g = mu_c + (mu_s - mu_c) share(x),   f_v = sigma2 v_stribeck viscous(x) sgn v
///
/// A law borrows it; it may be shared by any number of laws, and copied.
typedef struct br_curve {
    size_t count;                         ///< number of nodes, 2 to BR_CURVE_NODES
    bool has_g;                           ///< false: g is (2)
    bool has_f_v;                         ///< false: f_v is sigma2 v
    double x[BR_CURVE_NODES];             ///< speed over v_stribeck, increasing from 0 [-] (count)
    double share[BR_CURVE_NODES];         ///< (g - mu_c)/(mu_s - mu_c) [-], in [0, 1] (count)
    double share_slope[BR_CURVE_NODES];   ///< its slope by x (count)
    double viscous[BR_CURVE_NODES];       ///< f_v/(sigma2 v_stribeck) [-], >= 0 (count)
    double viscous_slope[BR_CURVE_NODES]; ///< its slope by x (count)
} br_curve;

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
    double v_damping;  ///< speed v_d at which half of sigma1 is left [m/s], >= 0 (LuGre,
        ///< elasto-plastic); 0 and INFINITY: constant damping, as the papers print it
    const br_curve*
        curve; ///< sliding friction from tables (Stribeck, LuGre, elasto-plastic), borrowed; NULL: (2) and
               ///< sigma2 v. Planar contacts take tables of g alone
} br_law;

/// A parameter of a law. Files, fits and bindings use this one list.
typedef struct br_law_parameter {
    const char* name;     ///< name in files, "mu_c"; v_stribeck is "v_s" there
    const char* unit;     ///< unit, "-" for pure numbers
    const char* text;     ///< what it is, in one line
    size_t offset;        ///< byte offset of its double in br_law
    double low;           ///< lower limit of its value
    double high;          ///< upper limit of its value, not allowed itself; INFINITY: none
    bool may_be_low;      ///< true: `low` itself is allowed
    unsigned laws;        ///< bit 1 << kind is set for each law that has it
    bool is_required;     ///< true: these laws require it
    double default_value; ///< its value if it is neither required nor given
} br_law_parameter;

/// Parameter `index` of all laws, in the order of br_law; NULL beyond the last.
BR_API const br_law_parameter* br_law_get_parameter(size_t index);

/// Force and rate of a law at one instant.
typedef struct br_law_value {
    double f;  ///< resistance along +v [N]
    double dz; ///< rate of z [m/s]
} br_law_value;

/// Partial derivatives of br_law_value. At a kink of the law (v = 0), the mean of both sides.
typedef struct br_law_gradient {
    double f_z;   ///< df/dz [N/m]
    double f_v;   ///< df/dv [N s/m]
    double f_fn;  ///< df/dfn [-]
    double dz_z;  ///< d(dz)/dz [1/s]
    double dz_v;  ///< d(dz)/dv [-]
    double dz_fn; ///< d(dz)/dfn [m/(s N)]
} br_law_gradient;

/// Energy balance of a step of a planar contact [J]:
/// work = (stored at the end - stored at the start) + dissipated.
typedef struct br_step_energy {
    double stored;     ///< energy in the bristles at the end, with this step's normal force
    double work;       ///< work of the body on the contact
    double dissipated; ///< converted to heat, >= 0 (for a reduced contact: if it is guarded)
} br_step_energy;

/// Default parameters: Table I of W&K, p = 1, with Dahl's exponent 1 and constant damping.
BR_API br_law br_law_default(br_law_kind kind);

/// Damping time of bristles under an imposed motion, where no body vibrates on them [s].
#define BR_LAW_DAMPING_TIME 1e-3

/// Law from the friction coefficient alone, if nothing else was measured. Elasto-plastic bristles that
/// do not creep, whose damping fades with speed, and that are passive:
///
///     mu_s = mu_c = mu,  sigma2 = 0,  s_ba = 0.9
///     mu/sigma0 = 2e-3 r, at most 50 um     deflection at break-away: 2 um per mm of the patch's r
///     sigma1, v_damping                     br_law_set_damping() with T of br_law_damping_time(),
///                                           omega = sqrt(sigma0 fn/mass)
///
/// Never fails; NaN in gives NaN out; br_law_check() reports arguments out of range.
/// @param mu    coefficient of friction [-], > 0
/// @param r     mean distance of the patch from its CoP (br_patch_value) [m], >= 0; 0, a point, counts
///              as 1 mm
/// @param mass  mass that vibrates on the bristles [kg]; for a body that also turns about the patch the
///              geometric mean of mass and inertia/u, u of br_patch_value, or see modes.h;
///              0: the motion is imposed, T = BR_LAW_DAMPING_TIME
/// @param fn    normal force of all contacts that share the motion [N], >= 0
BR_API br_law br_law_from_mu(double mu, double r, double mass, double fn);

/// Damping time T = sigma1/sigma0 of br_law_from_mu() for a body that vibrates at `omega` on its
/// bristles [s]: 2/omega, which is a damping ratio of 1, but at most 20 ms.
/// @param omega  angular frequency [rad/s], >= 0; 0: no bristles hold the body
BR_API double br_law_damping_time(double omega);

/// Set the damping of br_law_from_mu() in a law whose other parameters are given:
///
///     sigma1 = sigma0 T,   v_damping = 2 mu_c/sigma1
///
/// The damping force alone is then at most mu_c fn, and the law is passive for any mu_s >= mu_c.
/// v_damping is the largest speed of a body that vibrates after a stop, mu_c/sigma0 times omega = 2/T.
/// @param time  T [s], >= 0; see br_law_damping_time(), BR_LAW_DAMPING_TIME
BR_API void br_law_set_damping(br_law* law, double time);

/// Flags of the parameters that follow the rule of br_law_from_mu().
typedef enum br_law_rule {
    BR_RULE_SIGMA0 = 1,    ///< from mu_s and the patch's r
    BR_RULE_SIGMA1 = 2,    ///< from the damping time
    BR_RULE_V_DAMPING = 4, ///< from the damping time
    BR_RULE_ALL = 7        ///< all of them
} br_law_rule;

/// Set the parameters of a law that follow the rule of br_law_from_mu(); the others do not change.
/// @param rule  sum of br_law_rule
/// @param r     see br_law_from_mu() [m], >= 0
/// @param time  see br_law_set_damping() [s], >= 0
BR_API void br_law_complete(br_law* law, unsigned rule, double r, double time);

/// Name of a law in commands and scenario files, e.g. "elasto-plastic"; static, never NULL.
BR_API const char* br_law_get_name(br_law_kind kind);

/// Check that the parameters are finite and in range.
/// @param[out] why  may be NULL; names the field when the result is not BR_OK
/// @return BR_OK or BR_ERR_DEF
BR_API br_status br_law_check(const br_law* law, br_reason* why);

/// Replace g(v), f_v(v) or both by tables. Sets mu_c and mu_s to the smallest and the largest g, and sigma2 to the
/// last f_v over its speed. v_stribeck becomes the speed of the first node that has 63 % of the change of g.
/// @param[in,out] law  its other parameters remain
/// @param[out] curve   caller's memory, which must remain as long as the law and what was created from it; not
///                     changed by an error
/// @param count  number of nodes, 2 to BR_CURVE_NODES
/// @param v      speeds [m/s], increasing, the first is 0 (count)
/// @param g      steady coefficient [-], > 0 (count); NULL: remains (2)
/// @param f_v    viscous part [-], >= 0, the first is 0 (count); NULL: remains sigma2 v
/// @param[out] why  may be NULL; the field is "v[3]", "g[3]" or "f_v[3]"
/// @return BR_OK or BR_ERR_ARG: a table that is not sorted, not finite, or that could create energy
BR_API br_status br_law_set_curve(br_law* law, br_curve* curve, size_t count, const double* v,
                                  const double* g, const double* f_v, br_reason* why);

/// Viscous part f_v(v) of (3), odd in v: sigma2 v or from the law's table [-].
/// @param[out] slope  its derivative by v [s/m], may be NULL
BR_API double br_law_f_v(const br_law* law, double v, double* slope);

/// Whether a law has a state; if not, it is memoryless and set-valued at rest.
BR_API bool br_law_has_state(br_law_kind kind);

/// Largest sigma1 v_damping/mu_c for which no step of cells, blocks or an ellipsoid returns energy [-].
#define BR_LAW_PASSIVE_DAMPING 3.5

/// Margin of a sufficient condition for passivity [s/m]: sigma2 - sigma1 (mu_s - mu_c)/mu_c of LuGre or, if it is
/// larger, BR_LAW_PASSIVE_DAMPING mu_c/v_damping - sigma1 of fading damping. Negative: some motions may extract
/// energy from the bristles that was not put in. INFINITY for laws without sigma1. With tables the first term is the
/// minimum of f_v/v - sigma1 (mu_s - g)/g over v.
BR_API double br_law_passivity_margin(const br_law* law);

/// Steady-state coefficient (2), g = mu_c + (mu_s - mu_c) exp(-|v/v_s|^gamma), or that of the law's table [-].
BR_API double br_law_g(const br_law* law, double v);

/// Force and rate. Never fails, never allocates; NaN in gives NaN out, in results that depend on it (Dahl's
/// force is its state, so only its rate depends on v).
/// @param z   state [m]; ignored by memoryless laws
/// @param v   velocity [m/s]; a memoryless law gives 0 at v = 0, see br_law_sliding()
/// @param fn  normal force [N], >= 0; 0 gives no force
BR_API br_law_value br_law_eval(const br_law* law, double z, double v, double fn);

/// Derivatives of br_law_eval() with respect to z, v and fn.
BR_API br_law_gradient br_law_gradient_eval(const br_law* law, double z, double v, double fn);

/// Force of a memoryless law that slides in the direction `sign` (+1 or -1), smooth through v = 0 [N].
/// @param[out] f_v  derivative with respect to v [N s/m], may be NULL
BR_API double br_law_sliding(const br_law* law, double v, double sign, double fn, double* f_v);

/// Largest force that a memoryless law holds at rest [N]: mu_s fn, for Coulomb mu_c fn, with a table g(0) fn.
BR_API double br_law_holding(const br_law* law, double fn);

/// Advance the state over a step of any size at constant velocity.
/// Exact for Dahl and LuGre; elasto-plastic is exact while elastic, and implicit (order 1, bounded and
/// passive at any size) in the plastic range.
/// @param[in,out] z  state [m]
/// @param h          step [s], 1e-100 to 1e20
/// @return mean resistance along +v over the step [N]
BR_API double br_law_step(const br_law* law, double* z, double v, double fn, double h);

#ifdef __cplusplus
}
#endif

#endif
