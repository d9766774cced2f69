/// @file reduced.h
/// Reduced planar friction: three coupled bristles stand for a whole contact patch.
///
/// Section V of Waltersson & Karayiannidis (W&K); numbers in brackets are that paper's equations. SI
/// units. Twists and wrenches are taken at the centre of pressure (CoP), in the axes of the contact
/// frame; the wrench is what the ground does to the body. The state is z = (z_x, z_y, z_tau)
/// [m, m, m^2], three doubles of the caller's, all 0 at first.
#ifndef BRISTLE_REDUCED_H
#define BRISTLE_REDUCED_H

#include "bristle/law.h"
#include "bristle/limit.h"
#include "bristle/math.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a reduced model is made of. Start from br_reduced_def_default().
typedef struct br_reduced_def {
    size_t size;             ///< set by the default function; do not touch
    br_law law;              ///< BR_LAW_LUGRE or BR_LAW_ELASTO_PLASTIC
    const br_limit* surface; ///< h(r, v) of (29), borrowed, brings its own r and u; NULL: the
                             ///< ellipsoid (22) of the following three. br_reduced_spread() changes
                             ///< a surface that depends on the force: such a one is for one model
    double r;                ///< rim radius (23) [m], >= 0 (0: a single point); without surface
    double u;                ///< viscous torque factor (27) [m^2], >= 0; without surface
    br_vec2 cop;             ///< where the CoP is, contact frame [m]; without surface
    int guard;               ///< 1: steps never give energy back that was not put in
    int plain;               ///< 1: only the plain code, also where there is a fast path
} br_reduced_def;

/// Immutable after creation, but for br_reduced_spread() on a patch that depends on the force; one
/// model may serve many threads. State lives with the caller.
typedef struct br_reduced br_reduced;

/// Table I of W&K (p = 1), elasto-plastic, guarded, the ellipsoid of a disc of 10 mm radius at the
/// origin.
BR_API br_reduced_def br_reduced_def_default(void);

/// Create a model. Copies the definition; borrows `surface`, which must outlive the model.
/// @param[out] out  the model, or NULL on failure; free it with br_reduced_destroy()
/// @param[out] why  may be NULL; filled when the result is not BR_OK
/// @return BR_OK, BR_ERR_DEF or BR_ERR_MEMORY
BR_API br_status br_reduced_create(const br_reduced_def* def, br_reduced** out, br_reason* why);

/// Free a model; NULL is allowed.
BR_API void br_reduced_destroy(br_reduced* model);

/// CoP, r and u that the model uses; without a surface the area is 0.
BR_API br_patch_value br_reduced_get_patch_value(const br_reduced* model);

/// The bristle law of the model.
BR_API const br_law* br_reduced_get_law(const br_reduced* model);

/// Does the patch of the model's surface depend on the normal force?
BR_API int br_reduced_depends_on_force(const br_reduced* model);

/// What z_tau is in proportion to while the patch changes with the force [m^2]: u, so that the angle by
/// which the bristles are turned stays, as in the cells of a distributed model. 1 on a surface of
/// BR_LIMIT_PUBLISHED, with which z_tau stays, as in W&K's code.
BR_API double br_reduced_get_turn(const br_reduced* model);

/// Make the model, and its surface by br_limit_spread(), that of a normal force: r, u, the CoP and
/// where needed h. Does nothing for a patch that does not depend on the force, or at the force of the
/// last call. Never allocates, never fails. It changes the model and its surface: not while another
/// thread uses either. What the change puts into the bristles is fn times the difference of their stored
/// energy, see br_step_stored() and docs/contact_changes.md.
/// @param fn          normal force [N], >= 0; NaN makes every later wrench NaN
/// @param[in,out] z   state [m, m, m^2], whose z_tau follows br_reduced_get_turn(); NULL: there is none,
///                    or none yet
BR_API void br_reduced_spread(br_reduced* model, double fn, double z[3]);

/// Deflection rates (31), (32) and wrench (26), as published, unguarded. Never allocates, never
/// fails; NaN in gives NaN out.
/// @param z        state [m, m, m^2]
/// @param v        twist of the body over the ground, at the CoP [m/s, m/s, rad/s]
/// @param fn       normal force [N], >= 0
/// @param[out] dz  rates of z [m/s, m/s, m^2/s]; may not be z itself
/// @return wrench on the body at the CoP [N, N, N m]
BR_API br_wrench br_reduced_eval(const br_reduced* model, const double z[3], br_twist v, double fn,
                                 double dz[3]);

/// Steady-state wrench (30), (26): g(|v_S|) times the limit surface, and the viscous part. v = 0
/// gives 0. Never allocates, never fails.
BR_API br_wrench br_reduced_steady_eval(const br_reduced* model, br_twist v, double fn);

/// Where steady sliding has the bristles (30); v = 0 gives 0. Never allocates, never fails.
/// @param[out] z  state [m, m, m^2]
BR_API void br_reduced_steady_state_eval(const br_reduced* model, br_twist v, double z[3]);

/// Derivatives of br_reduced_eval(): rows fx, fy, tau or dz_x, dz_y, dz_tau; columns z_x, z_y, z_tau
/// or vx, vy, w. The rates do not depend on fn.
typedef struct br_reduced_gradient {
    double dz_z[3][3]; ///< d(dz)/dz [1/s, 1/s, 1/(m s); ...; m/s, m/s, 1/s]
    double dz_v[3][3]; ///< d(dz)/dv [-, -, m; -, -, m; m, m, m^2]
    double f_z[3][3];  ///< d wrench/dz [N/m, N/m, N/m^2; ...; N, N, N/m]
    double f_v[3][3];  ///< d wrench/dv [N s/m, N s/m, N s; ...; N s, N s, N m s]
    double f_fn[3];    ///< d wrench/dfn [-, -, m]
} br_reduced_gradient;

/// Fill the derivatives. At v = 0, where they depend on the direction, each column is the mean of
/// both sides along its axis; elsewhere kinks of the surface are its Jacobian's business. Never
/// allocates, never fails.
BR_API void br_reduced_gradient_eval(const br_reduced* model, const double z[3], br_twist v,
                                     double fn, br_reduced_gradient* out);

/// Derivatives of br_reduced_eval() with respect to the parameters of its law (BR_BY_MU_C..), for
/// identification.
typedef struct br_reduced_sensitivity {
    double dz[BR_BY_COUNT][3]; ///< of the rates, per unit of the parameter
    double f[BR_BY_COUNT][3];  ///< of the wrench, per unit of the parameter
} br_reduced_sensitivity;

/// Fill the derivatives. Never allocates, never fails.
BR_API void br_reduced_sensitivity_eval(const br_reduced* model, const double z[3], br_twist v,
                                        double fn, br_reduced_sensitivity* out);

/// Advance the state over a step of any size with the twist held: implicit in the bristles, bounded,
/// of first order. fn = 0 gives no force and lets the bristles go (z = 0). With the definition's
/// guard a step that would give back more than was stored is damped less and then pays from what is
/// stored.
/// @param[in,out] z    state [m, m, m^2]
/// @param v            twist, held [m/s, m/s, rad/s]
/// @param fn           normal force, held [N], >= 0
/// @param h            step [s], > 0, any size
/// @param[out] energy  may be NULL
/// @return mean wrench on the body at the CoP [N, N, N m]
BR_API br_wrench br_reduced_step(const br_reduced* model, double z[3], br_twist v, double fn,
                                 double h, br_step_energy* energy);

/// Carry the bristles of one model to another when the contact changes at equal normal force: z_tau
/// moves with the CoP, so that the elastic force and torque are the same; a point (r = 0) cannot keep a
/// torque. See docs/contact_changes.md. Never allocates, never fails.
/// @param z         state of `from` [m, m, m^2]
/// @param[out] out  state of `to` [m, m, m^2]; may be z itself
BR_API void br_reduced_carry(const br_reduced* from, const double z[3], const br_reduced* to,
                             double out[3]);

#ifdef __cplusplus
}
#endif

#endif
