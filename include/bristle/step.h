/// @file step.h
/// One implicit step, of any size, of a planar rigid body on any number of frictional contacts.
///
/// Bounded and passive at any step: no step creates energy, even where Newton's iteration has not converged. Reduced
/// contacts need their `guard` for that. SI units. The body's twist is taken at a point (for example the centre of mass)
/// and in axes that the caller chooses; contacts are placed relative to both. Wrenches are what acts on the body. docs/explanation/steps.md shows which step to use when.
#ifndef BRISTLE_STEP_H
#define BRISTLE_STEP_H

#include <stdbool.h>

#include "bristle/contact.h"
#include "bristle/math.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A contact of the body: model, state, position and normal force. Set members that are not used to 0.
typedef struct br_step_contact {
    const br_contact* contact; ///< borrowed; on a patch that changes with the force the one that
                               ///< br_contact_at_force() gives at fn
    double* z;                 ///< its state, advanced in place
    /// CoP from the point where the body's twist is taken, in its axes [m]. It is constant over the step, so that
    /// the energy balance is exact. The position half a step later is the most accurate.
    br_vec2 arm;
    double angle; ///< of the contact frame's axes in those of the twist [rad]
    double fn;    ///< normal force of one contact over the step [N], >= 0; 0 resets the bristles
    size_t count; ///< how many such contacts share the motion and the state; 0 and 1: one
    /// Twist of the ground under this contact (a belt, a finger), constant over the step [m/s, m/s,
    /// rad/s]; 0: it is at rest. It is rigidly extended to the point where the body's twist is
    /// taken, in its axes. Friction acts on the difference. Not for br_step_host_step() and
    /// br_step_group_step(), whose twists are relative already.
    br_twist ground;
    br_wrench f; ///< out: mean wrench of one contact on the body over the step, at the CoP, in the
                 ///< contact frame's axes [N, N, N m]
} br_step_contact;

/// A body and how it is stepped. Start from br_step_body_default().
typedef struct br_step_body {
    double mass[3][3]; ///< symmetric, positive definite, for the twist's point and axes
                       ///< [kg, kg, kg m; kg, kg, kg m; kg m, kg m, kg m^2]
    int order;         ///< 1 or 2; 2 falls back to 1 in a step that would gain energy, and where a
                       ///< contact closes while the body slides
    int passes; ///< largest number of passes over the bristles in a stage, >= 1; 40 is nearly always enough;
        ///< fewer cost accuracy and the bound of bristles, but not passivity
} br_step_body;

/// Where the energy of a step went [J], all contacts together, at this step's normal forces:
/// kinetic_before + stored_before + load + ground = kinetic_after + stored_after + dissipated + numerical.
/// A change of normal force between two steps changes the stored energy, which is not in the ledger: it is the
/// difference of br_contact_stored() at both forces.
typedef struct br_step_ledger {
    double kinetic_before; ///< of the body, at the start
    double stored_before;  ///< in the bristles, at the start
    double load;           ///< work of the load
    double ground;         ///< work of friction along the motion of the ground
    double kinetic_after;  ///< of the body, at the end
    double stored_after;   ///< in the bristles, at the end
    double dissipated;     ///< turned into heat by friction; with order 1 >= 0 but for rounding
    double numerical; ///< lost by the method in the body's motion; with order 1 m |dv|^2/2, with
                      ///< order 2 the sum of both is >= 0
} br_step_ledger;

/// Result of a step.
typedef struct br_step_result {
    br_twist mean;         ///< twist that takes the pose over the step: pose += h mean
    br_step_ledger energy; ///< where the energy went
    int order;             ///< the order that was used, 1 or 2
    int passes;            ///< passes over the bristles
    bool converged;        ///< 1: Newton's iteration converged in every stage
} br_step_result;

/// A body whose twist is taken at its centre of mass, order 1, 40 passes.
/// @param mass     [kg], > 0
/// @param inertia  about the centre of mass [kg m^2], > 0
BR_API br_step_body br_step_body_default(double mass, double inertia);

/// Check the inputs of a step. The steps themselves never fail: a negative inertia or NaN gives a wrong result
/// without a message. Call this where numbers come from outside; it costs some microseconds.
/// @param body      may be NULL, where a host owns the body
/// @param why       may be NULL; names the field when the result is not BR_OK, e.g. "mass[2][2]",
///                  "contacts[0].fn"
/// @return BR_OK, BR_ERR_DEF (body, contacts) or BR_ERR_ARG (v, load, h)
BR_API br_status br_step_check(const br_step_body* body, br_twist v, br_wrench load, double h,
                               const br_step_contact* contacts, size_t count, br_reason* why);

/// Doubles of workspace that a step with these contacts needs.
BR_API size_t br_step_get_work(const br_step_contact* contacts, size_t count);

/// Advance the body's twist and the state of all its contacts. Never allocates, never fails; NaN in
/// gives NaN out.
/// @param[in,out] v         the body's twist over the ground [m/s, m/s, rad/s]
/// @param load              wrench on the body besides friction, constant over the step, at the twist's
///                          point, in its axes [N, N, N m]
/// @param h                 step [s], 1e-100 to 1e20
/// @param[in,out] contacts  (count); z and f change
/// @param work              of the caller, br_step_get_work() doubles; it need not be kept between steps
BR_API br_step_result br_step_coupled(const br_step_body* body, br_twist* v, br_wrench load,
                                      double h, br_step_contact* contacts, size_t count,
                                      double* work);

/// A host that owns the body (a physics engine) and takes friction as an impulse: what is known of
/// the body, and what was identified from the host's motion. Start from br_step_host_default().
typedef struct br_step_host {
    /// A: how an impulse at the twist's point changes the twist; symmetric, positive (semi)definite
    /// [1/kg, 1/kg, 1/(kg m); ...; 1/(kg m), 1/(kg m), 1/(kg m^2)]. Contacts in several planes:
    /// br_step_group.
    double inverse_mass[3][3];
    bool
        start_only; ///< 1: the host gives the twist at the start of the step, without the effect of other
                    ///< forces in the step, which is observed
    bool identify;            ///< 1: the scale of A is identified from the host's motion
    bool softened;            ///< 1: A is a guess, see br_step_host_guess()
    int passes;               ///< as in br_step_body
    double scale;             ///< identified: factor of A [-], 1 at first
    br_twist offset;          ///< identified: change by other forces in a step [m/s, m/s, rad/s]
    br_twist given;           ///< the last step's twist as it came in [m/s, m/s, rad/s]
    br_twist predicted;       ///< the last step's twist at its end [m/s, m/s, rad/s]
    br_wrench impulse;        ///< of the last step [N s, N s, N m s]
    br_wrench impulse_before; ///< of the step before [N s, N s, N m s]
    br_twist change_before;   ///< of the twist in the step before [m/s, m/s, rad/s]
    bool seen;                ///< 1: there was a step before
} br_step_host;

/// Friction on a host's body in a step.
typedef struct br_step_answer {
    /// Mean wrench of all contacts on the body, at the twist's point, in its axes [N, N, N m]: apply the
    /// impulse h f.
    br_wrench f;
    br_twist predicted;    ///< the body's twist at the end, if A is right [m/s, m/s, rad/s]
    br_step_energy energy; ///< of the contacts, at the predicted twist
    int passes;            ///< passes over the bristles
    bool converged;        ///< 1: Newton's iteration converged
    bool softened;         ///< 1: A is a guess: bounded, but softer than the law
} br_step_answer;

/// A of a body whose twist is taken at its centre of mass, with other forces given, nothing identified.
/// @param mass     [kg], > 0; INFINITY where A is to be set or guessed
/// @param inertia  about the centre of mass [kg m^2], > 0
BR_API br_step_host br_step_host_default(double mass, double inertia);

/// Guess A where nothing is known: the body weighs at least a quarter of what presses its contacts.
/// Bounded, but softer than the law, until `identify` has found the scale.
/// @param fn  normal force of all contacts [N], > 0
/// @param u   of the patch (27), about the twist's point [m^2], > 0
BR_API void br_step_host_guess(br_step_host* host, double fn, double u);

/// Impulse of friction for a body that the host advances; the states follow the predicted
/// twist. With the true A it is br_step_coupled() with order 1; with A up to several times too large
/// it is still passive, but a body that should stick creeps. Never allocates, never fails.
/// @param u                 twist of the body after all other forces of the step, or at its start if
///                          host->start_only [m/s, m/s, rad/s]
/// @param[in,out] contacts  (count); z and f change
/// @param work              of the caller, br_step_get_work() doubles
BR_API br_step_answer br_step_host_step(br_step_host* host, br_twist u, double h,
                                        br_step_contact* contacts, size_t count, double* work);

/// Report the body's twist at the end of each step, after the host has applied the impulse. Required with
/// start_only or identify.
BR_API void br_step_host_learn(br_step_host* host, br_twist u1);

/// Contacts in planes of their own, on any number of bodies of a host, in one step. Contact k has
/// its own twist V_k, of one body over the other in that contact's plane. The host chooses its
/// point and its axes. All twists V = u + h A f depend on all wrenches f. Set members that are not
/// used to 0.
typedef struct br_step_group {
    /// A (3n x 3n, row by row): how impulses at the twists' points change the twists; symmetric,
    /// positive semidefinite, of any rank [as in br_step_host]. J M^-1 J^T with J (3n rows) the Jacobian
    /// of all twists; where the host's normal forces depend on the motion within the step, M includes them.
    const double* inverse_mass;
    int passes; ///< largest number of passes over the bristles, >= 1; 0: 120, which is nearly always enough
    const double*
        fn_f; ///< N (n x 3n, row by row) of fn = fn_free + N f, where normal forces depend
              ///< on friction within the step, as in a wedge [-, -, 1/m]; NULL: they are constant
    const double* fn_free; ///< (n) normal forces without friction, with fn_f [N]
} br_step_group;

/// Result of a step of a group.
typedef struct br_step_group_answer {
    br_step_energy energy; ///< of all contacts, at the twists u1 and this step's normal forces
    size_t rank;           ///< of A: number of degrees of freedom, at most 3n
    int passes;            ///< passes over the bristles
    bool converged;        ///< 1: Newton's iteration converged
    bool follows; ///< 1: normal forces satisfy fn = fn_free + N f to 1e-6, or were constant
} br_step_group_answer;

/// Doubles of workspace that br_step_group_step() needs: those of the contacts and some 40 n^2.
BR_API size_t br_step_group_get_work(const br_step_contact* contacts, size_t count);

/// Advance the state of all contacts and give the wrenches. With A of one body and contacts in one
/// plane it is br_step_coupled() with order 1. Passive for any A and any normal forces >= 0: the
/// bodies lose the energy of |u1 - u| in the metric of A and the work of friction, and gain none. Never
/// allocates, never fails; NaN in gives NaN out.
/// @param u                 (count) twists after all other forces of the step [m/s, m/s, rad/s]
/// @param h                 step [s], 1e-100 to 1e20
/// @param[in,out] contacts  (count); arm and angle place contact k relative to the point and axes of
///                          its own twist; z and f change, and fn with fn_f (start with the
///                          last step's; a patch that changes with it stays that of the start)
/// @param[out] f            (count) mean wrench of contact k, times its count, at its twist's point,
///                          in its axes [N, N, N m]: apply the impulses h f
/// @param[out] u1           (count) twists at the end, if A is right [m/s, m/s, rad/s]; NULL:
///                          skipped
/// @param work              of the caller, br_step_group_get_work() doubles; it need not be kept between steps
BR_API br_step_group_answer br_step_group_step(const br_step_group* group, const br_twist* u,
                                               double h, br_step_contact* contacts, size_t count,
                                               br_wrench* f, br_twist* u1, double* work);

/// Resistance of contacts that end a step with a given twist, for hosts with their own iteration. The
/// states do not change; when the host has converged, br_contact_step() does the same step.
typedef struct br_step_trial {
    br_wrench f;          ///< on the body, at the twist's point, in its axes [N, N, N m]
    double tangent[3][3]; ///< -df/du, not symmetric, not always positive [N s/m, ...; N m s]
    double secant[3][3]; ///< the same with frozen decays, f = -secant u - rest: symmetric, positive
                         ///< definite; the one that keeps the energy balance
} br_step_trial;

/// The trial of a step that ends with the twist u. Never allocates, never fails.
/// @param u     twist at the end of the step [m/s, m/s, rad/s]
/// @param h     step [s], 1e-100 to 1e20
/// @param work  of the caller, br_step_get_work() doubles
BR_API br_step_trial br_step_trial_eval(br_step_contact* contacts, size_t count, br_twist u,
                                        double h, double* work);

/// Contacts with their states and the workspace of steps in one object, for callers that do not want to size memory.
/// One thread at a time.
typedef struct br_stepper br_stepper;

/// What a stepper consists of. Start from br_stepper_def_default().
typedef struct br_stepper_def {
    size_t size; ///< set by the default function; do not touch
    /// Models, arms, angles and normal forces of the contacts at the start (count), copied. The models are borrowed
    /// and must outlive the stepper. `z` is ignored: the stepper owns the states, which start at 0.
    const br_step_contact* contacts;
    size_t count; ///< of contacts; may be 0
    bool group;   ///< 1: the workspace also fits br_step_group_step()
} br_stepper_def;

/// No contacts, no group.
BR_API br_stepper_def br_stepper_def_default(void);

/// Create a stepper.
/// @param[out] out  the stepper, or NULL on failure; free it with br_stepper_destroy()
/// @param[out] why  may be NULL; filled when the result is not BR_OK
/// @return BR_OK, BR_ERR_DEF or BR_ERR_MEMORY
BR_API br_status br_stepper_create(const br_stepper_def* def, br_stepper** out, br_reason* why);

/// Free a stepper; NULL is allowed.
BR_API void br_stepper_destroy(br_stepper* stepper);

/// The contacts (count), owned by the stepper. Between steps the caller may change all members but `contact` and `z`,
/// and the numbers that `z` points to; `contact` only to the same contact at another force or pose, br_contact_at().
BR_API br_step_contact* br_stepper_get_contacts(br_stepper* stepper);

/// Workspace that fits these contacts, for br_step_host_step(), br_step_trial_eval() and, if the definition has
/// `group`, br_step_group_step().
BR_API double* br_stepper_get_work(br_stepper* stepper);

/// br_step_coupled() with the stepper's contacts. Never allocates, never fails; NaN in gives NaN out.
BR_API br_step_result br_stepper_step(br_stepper* stepper, const br_step_body* body, br_twist* v,
                                      br_wrench load, double h);

#ifdef __cplusplus
}
#endif

#endif
