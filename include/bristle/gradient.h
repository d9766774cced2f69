/// @file gradient.h
/// Derivatives of implicit steps: how the end of a step depends on everything that it started from.
///
/// Forward (Jacobian-vector products, `_jvp`) and backward (vector-Jacobian products, `_vjp`). A `_vjp` takes what a number L depends on
/// at the end of a step, `x_bar` = dL/dx, and gives what L depends on before it. Exact to rounding where the step
/// is smooth; bristles that stick have a slope, too. Flags report what is not exact. Never allocates, never fails: memory is the
/// caller's. docs/explanation/gradients.md has the equations, the kinks and what to expect of them. SI units.
#ifndef BRISTLE_GRADIENT_H
#define BRISTLE_GRADIENT_H

#include "bristle/step.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Parameters of a law, as positions in arrays of derivatives: those of br_law_get_parameter().
typedef enum br_by {
    BR_BY_MU_C,      ///< [-]
    BR_BY_MU_S,      ///< [-]
    BR_BY_V_S,       ///< br_law.v_stribeck [m/s]
    BR_BY_GAMMA,     ///< [-]
    BR_BY_SIGMA0,    ///< [1/m]
    BR_BY_SIGMA1,    ///< [s/m]
    BR_BY_SIGMA2,    ///< [s/m]
    BR_BY_S_BA,      ///< [-]
    BR_BY_ALPHA,     ///< Dahl's exponent, which no contact has: always 0
    BR_BY_V_DAMPING, ///< [m/s]
    BR_BY_COUNT      ///< how many
} br_by;

/// Why a derivative is not exact, as bits; 0: it is.
typedef enum br_gradient_flag {
    /// Newton's iteration did not converge: the derivative of the equations, at the twist that was found.
    BR_GRADIENT_OPEN = 1,
    /// A part is at rest where loading and unloading have different slopes: their mean.
    BR_GRADIENT_KINK = 2,
    /// A normal force is 0: that of pressing. The bristles that lift forget their state.
    BR_GRADIENT_LIFTED = 4,
    /// The guard of a reduced contact took energy from its bristles: as if it had not.
    BR_GRADIENT_PAID = 8,
    /// A pivot of the tangent is less than 1e-6 of the mass: the step is near a fold, where it jumps.
    BR_GRADIENT_FOLD = 16,
    /// Derivatives of this contact or this step are not offered: all of them are 0.
    BR_GRADIENT_REFUSED = 32
} br_gradient_flag;

/// How a stage of a step was closed.
typedef enum br_step_closing {
    BR_CLOSED_BY_LAW,  ///< by the law at the twist of the end
    BR_CLOSED_LIMITED, ///< with damping that was limited, and decays of another twist
    BR_CLOSED_STUCK,   ///< all stick, with damping that fades: that of another twist
    BR_CLOSED_PAID     ///< limited, and the guard of a reduced contact acted
} br_step_closing;

/// What a step leaves for its derivatives. Plain numbers: it may be copied and kept.
typedef struct br_step_record {
    br_twist v0;             ///< twist at the start [m/s, m/s, rad/s]
    br_twist v1;             ///< twist at the end [m/s, m/s, rad/s]
    br_twist newton;         ///< twist at which the decays were found [m/s, m/s, rad/s]
    br_twist middle;         ///< order 2: twist at the end of the first stage [m/s, m/s, rad/s]
    br_twist middle_newton;  ///< order 2: `newton` of the first stage [m/s, m/s, rad/s]
    br_step_closing closing; ///< of the last stage
    br_step_closing middle_closing; ///< order 2: of the first stage
    int order;                      ///< the order that was used, 1 or 2
    bool converged;                 ///< Newton's iteration converged in every stage
} br_step_record;

/// br_step_coupled() that leaves a record.
/// @param[out] record  may be NULL: skipped
BR_API br_step_result br_step_coupled_recorded(const br_step_body* body, br_twist* v,
                                               br_wrench load, double h, br_step_contact* contacts,
                                               size_t count, double* work, br_step_record* record);

/// How a contact whose patch follows the normal force changes with it, at one force. It is in the caller's memory.
typedef struct br_contact_slopes br_contact_slopes;

/// Size of the memory that br_contact_slopes_at() needs [bytes]; 0 if the patch does not depend on the normal force.
BR_API size_t br_contact_slopes_get_size(const br_contact* contact);

/// The slopes of a contact with the normal force: of the weights, positions and extents of its parts, or of its limit surface. They are central differences of 1e-5
/// of the force, each cell integrated by the same rule. Their relative error is about 1e-9. Costs two br_contact_at(). Never allocates, never fails.
/// @param contact      the one that br_contact_at() takes, not the one that it returns; it must outlive the slopes
/// @param fn           normal force [N], > 0
/// @param pose         as in br_contact_at()
/// @param[out] memory  br_contact_slopes_get_size() bytes, aligned as malloc aligns
/// @return the slopes, valid as long as the memory; NULL if the size is 0 or fn is not > 0
BR_API const br_contact_slopes* br_contact_slopes_at(const br_contact* contact, double fn,
                                                     br_pose pose, void* memory);

/// Slopes of br_contact_get_patch_value() with the normal force: of the CoP [m/N], r [m/N] and u [m^2/N]; area is 0. A contact whose CoP moves
/// has it in its arm, too: dL/dfn gains dL/d(arm) times the CoP's slope, turned into the axes of the arm.
BR_API br_patch_value br_contact_slopes_get_patch_value(const br_contact_slopes* slopes);

/// Derivatives of br_contact_step() backwards. Set members that are not used to 0.
typedef struct br_contact_step_adjoint {
    br_wrench f_bar;      ///< in: dL/df [1/N, 1/N, 1/(N m) of L]
    const double* z1_bar; ///< in: dL/dz of the state at the end; NULL: 0
    bool by_law;          ///< in: 1: law, h and length, too
    /// in: how the patch follows the normal force; NULL: it is held
    const br_contact_slopes* slopes;
    double* z0_bar; ///< out: of the state at the start; may be z1_bar; NULL: skipped
    br_twist v;     ///< out: of the twist
    double fn;      ///< out: of the normal force, the patch as `slopes` has it
    double h;       ///< out: of the step
    double
        length; ///< out: of a factor on all lengths of the patch, at 1, states as they are stored
    double law[BR_BY_COUNT]; ///< out: of the law's parameters
    unsigned flags;          ///< out: br_gradient_flag
} br_contact_step_adjoint;

/// Derivatives of br_contact_step() backwards.
/// @param z0  state before the step
/// @param z1  state after it
/// @param v, fn, h  as in br_contact_step()
BR_API void br_contact_step_vjp(const br_contact* contact, const double* z0, const double* z1,
                                br_twist v, double fn, double h, br_contact_step_adjoint* io);

/// Derivatives of br_contact_step() forwards, along a direction. Set members that are not used to 0.
typedef struct br_contact_step_tangent {
    const double* z0_dot; ///< in: direction of the state at the start; NULL: 0
    /// in: how the patch follows the normal force; NULL: it is held
    const br_contact_slopes* slopes;
    br_twist v;              ///< in: of the twist
    double fn;               ///< in: of the normal force, the patch as `slopes` has it
    double h;                ///< in: of the step
    double length;           ///< in: of a factor on all lengths of the patch
    double law[BR_BY_COUNT]; ///< in: of the law's parameters
    double* z1_dot;          ///< out: of the state at the end; NULL: skipped; not z0_dot
    br_wrench f;             ///< out: of the wrench
    unsigned flags;          ///< out: br_gradient_flag
} br_contact_step_tangent;

/// Derivatives of br_contact_step() forwards; parameters as in br_contact_step_vjp().
BR_API void br_contact_step_jvp(const br_contact* contact, const double* z0, const double* z1,
                                br_twist v, double fn, double h, br_contact_step_tangent* io);

/// A contact in the derivatives of a step backwards. Set members that are not used to 0.
typedef struct br_step_contact_adjoint {
    const double* z1;     ///< in: state after the step
    const double* z1_bar; ///< in: dL/dz of it; NULL: 0
    br_wrench f_bar;      ///< in: dL/df of br_step_contact.f
    /// in: how the patch follows the normal force; NULL: it is held. Not for groups with fn_f
    const br_contact_slopes* slopes;
    double* z0_bar;  ///< out: of the state before; may be z1_bar; NULL: skipped
    double fn;       ///< out: of the normal force, the patch as `slopes` has it
    br_vec2 arm;     ///< out: of the arm
    double angle;    ///< out: of the angle
    br_twist ground; ///< out: of the ground's twist
    double
        length; ///< out: of a factor on all lengths of the patch, at 1, states as they are stored
    double law[BR_BY_COUNT]; ///< out: of the law's parameters
} br_step_contact_adjoint;

/// A body in the derivatives of a step backwards. Set members that are not used to 0.
typedef struct br_step_adjoint {
    br_twist v1_bar;   ///< in: dL/dV of the twist at the end
    br_twist mean_bar; ///< in: dL/d(mean) of br_step_result.mean
    bool by_law;       ///< in: 1: h, law and length of the contacts, too
    br_twist v0;       ///< out: of the twist at the start
    br_wrench load;    ///< out: of the load
    double mass[3][3]; ///< out: of the mass matrix, each entry by itself
    double h;          ///< out: of the step, if by_law
    double
        pivot; ///< out: least pivot of the tangent over the mass [-]; near 0 at a fold, where the step jumps
    unsigned flags; ///< out: br_gradient_flag
} br_step_adjoint;

/// Doubles of workspace that br_step_vjp() and br_step_jvp() need.
BR_API size_t br_step_gradient_get_work(const br_step_contact* contacts, size_t count);

/// Derivatives of br_step_coupled_recorded() backwards.
/// @param record    that the step left
/// @param load, h   as in the step
/// @param contacts  (count) as before the step: their z is the state before it; f is not read
/// @param[in,out] adjoints  (count)
/// @param work      of the caller, br_step_gradient_get_work() doubles
BR_API void br_step_vjp(const br_step_body* body, const br_step_record* record, br_wrench load,
                        double h, const br_step_contact* contacts,
                        br_step_contact_adjoint* adjoints, size_t count, br_step_adjoint* io,
                        double* work);

/// A contact in the derivatives of a step forwards. Set members that are not used to 0.
typedef struct br_step_contact_tangent {
    const double* z1;     ///< in: state after the step
    const double* z0_dot; ///< in: direction of the state before; NULL: 0
    /// in: how the patch follows the normal force; NULL: it is held. Not for groups with fn_f
    const br_contact_slopes* slopes;
    double fn;               ///< in: of the normal force, the patch as `slopes` has it
    br_vec2 arm;             ///< in: of the arm
    double angle;            ///< in: of the angle
    br_twist ground;         ///< in: of the ground's twist
    double length;           ///< in: of a factor on all lengths of the patch
    double law[BR_BY_COUNT]; ///< in: of the law's parameters
    double* z1_dot;          ///< out: of the state after; NULL: skipped; not z0_dot
    br_wrench f;             ///< out: of br_step_contact.f
} br_step_contact_tangent;

/// A body in the derivatives of a step forwards. Set members that are not used to 0.
typedef struct br_step_tangent {
    br_twist v0;       ///< in: direction of the twist at the start
    br_wrench load;    ///< in: of the load
    double mass[3][3]; ///< in: of the mass matrix
    double h;          ///< in: of the step
    br_twist v1;       ///< out: of the twist at the end
    br_twist mean;     ///< out: of br_step_result.mean
    double pivot;      ///< out: as in br_step_adjoint
    unsigned flags;    ///< out: br_gradient_flag
} br_step_tangent;

/// Derivatives of br_step_coupled_recorded() forwards; parameters as in br_step_vjp().
BR_API void br_step_jvp(const br_step_body* body, const br_step_record* record, br_wrench load,
                        double h, const br_step_contact* contacts,
                        br_step_contact_tangent* tangents, size_t count, br_step_tangent* io,
                        double* work);

// --- hosts and groups -----------------------------------------------------------------------------------------

/// br_step_host_step() that leaves a record, of order 1; v0 is the twist without friction, `offset` included.
/// @param[out] record  may be NULL: skipped
BR_API br_step_answer br_step_host_step_recorded(br_step_host* host, br_twist u, double h,
                                                 br_step_contact* contacts, size_t count,
                                                 double* work, br_step_record* record);

/// A host's step in derivatives backwards. Set members that are not used to 0.
typedef struct br_step_host_adjoint {
    br_twist predicted_bar;    ///< in: dL/dV of br_step_answer.predicted
    br_wrench f_bar;           ///< in: dL/df of br_step_answer.f
    bool by_law;               ///< in: 1: h, law and length of the contacts, too
    br_twist u;                ///< out: of the host's twist, and of `offset` with start_only
    double inverse_mass[3][3]; ///< out: of the inverse mass, each entry by itself
    double scale;              ///< out: of its factor
    double h;                  ///< out: of the step, if by_law
    double pivot;              ///< out: as in br_step_adjoint
    unsigned flags;            ///< out: br_gradient_flag
} br_step_host_adjoint;

/// Derivatives of br_step_host_step_recorded() backwards. What br_step_host_learn() identifies counts as constant.
/// @param host      as it was in the step, before br_step_host_learn()
/// @param record    that the step left
/// @param contacts  (count) as before the step: their z is the state before it; f is not read
/// @param[in,out] adjoints  (count)
/// @param work      of the caller, br_step_gradient_get_work() doubles
BR_API void br_step_host_vjp(const br_step_host* host, const br_step_record* record, double h,
                             const br_step_contact* contacts, br_step_contact_adjoint* adjoints,
                             size_t count, br_step_host_adjoint* io, double* work);

/// A host's step in derivatives forwards. Set members that are not used to 0.
typedef struct br_step_host_tangent {
    br_twist u;                ///< in: direction of the host's twist, `offset` included
    double inverse_mass[3][3]; ///< in: of the inverse mass
    double scale;              ///< in: of its factor
    double h;                  ///< in: of the step
    br_twist predicted;        ///< out: of br_step_answer.predicted
    br_wrench f;               ///< out: of br_step_answer.f
    double pivot;              ///< out: as in br_step_adjoint
    unsigned flags;            ///< out: br_gradient_flag
} br_step_host_tangent;

/// Derivatives of br_step_host_step_recorded() forwards; parameters as in br_step_host_vjp().
BR_API void br_step_host_jvp(const br_step_host* host, const br_step_record* record, double h,
                             const br_step_contact* contacts, br_step_contact_tangent* tangents,
                             size_t count, br_step_host_tangent* io, double* work);

/// What a step of a group leaves for its derivatives; both arrays belong to the caller.
typedef struct br_step_group_record {
    br_twist* u1;            ///< out: twists at the end (count) [m/s, m/s, rad/s]
    br_twist* newton;        ///< out: twists at which the decays were found (count)
    br_step_closing closing; ///< out: how the step was closed
    bool converged;          ///< out: Newton's iteration converged, and normal forces follow
} br_step_group_record;

/// br_step_group_step() that leaves a record.
/// @param[in,out] record  may be NULL: skipped
BR_API br_step_group_answer br_step_group_step_recorded(const br_step_group* group,
                                                        const br_twist* u, double h,
                                                        br_step_contact* contacts, size_t count,
                                                        br_wrench* f, br_twist* u1, double* work,
                                                        br_step_group_record* record);

/// Doubles of workspace that br_step_group_vjp() and br_step_group_jvp() need: those of the contacts and some 16 n^2.
BR_API size_t br_step_group_gradient_get_work(const br_step_contact* contacts, size_t count);

/// A group in derivatives backwards; arrays of the caller, NULL: 0 for inputs, skipped for outputs.
typedef struct br_step_group_adjoint {
    const br_twist* u1_bar; ///< in: dL/dV of the twists at the end (count)
    const br_wrench* f_bar; ///< in: dL/df of the wrenches f (count)
    const double* fn_bar;   ///< in: with fn_f: dL/dfn of the normal forces at the end (count)
    bool by_law;            ///< in: 1: h, law and length of the contacts, too
    br_twist* u;            ///< out: of the twists without friction (count)
    double* inverse_mass;   ///< out: of A, each entry by itself (3n x 3n)
    double* fn_f;           ///< out: with fn_f: of N (n x 3n)
    double h;               ///< out: of the step, if by_law
    double pivot;           ///< out: as in br_step_adjoint
    unsigned flags;         ///< out: br_gradient_flag
} br_step_group_adjoint;

/// Derivatives of br_step_group_step_recorded() backwards.
/// @param contacts  (count) as before the step: their z is the state before it; f is not read; with fn_f their
///                  normal forces are those after it
/// @param[in,out] adjoints  (count); with fn_f `fn` is that of fn_free, and that of the start has no effect
/// @param work      of the caller, br_step_group_gradient_get_work() doubles
BR_API void br_step_group_vjp(const br_step_group* group, const br_step_group_record* record,
                              double h, const br_step_contact* contacts,
                              br_step_contact_adjoint* adjoints, size_t count,
                              br_step_group_adjoint* io, double* work);

/// A group in derivatives forwards; arrays of the caller, NULL: 0 for inputs, skipped for outputs.
typedef struct br_step_group_tangent {
    const br_twist* u;          ///< in: direction of the twists without friction (count)
    const double* inverse_mass; ///< in: of A (3n x 3n)
    const double* fn_f;         ///< in: with fn_f: of N (n x 3n)
    double h;                   ///< in: of the step
    br_twist* u1;               ///< out: of the twists at the end (count)
    br_wrench* f;               ///< out: of the wrenches f (count)
    double pivot;               ///< out: as in br_step_adjoint
    unsigned flags;             ///< out: br_gradient_flag
} br_step_group_tangent;

/// Derivatives of br_step_group_step_recorded() forwards; parameters as in br_step_group_vjp().
/// @param[in,out] tangents  (count); with fn_f `fn` is the direction of fn_free, and then that of the normal forces
BR_API void br_step_group_jvp(const br_step_group* group, const br_step_group_record* record,
                              double h, const br_step_contact* contacts,
                              br_step_contact_tangent* tangents, size_t count,
                              br_step_group_tangent* io, double* work);

#ifdef __cplusplus
}
#endif

#endif
