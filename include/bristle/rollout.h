/// @file rollout.h
/// Rollouts: a body on contacts in fixed steps, and the derivatives of all of it backwards.
///
/// Normal forces and loads are linear between knots, so that a gripping profile or a load is a few numbers. One sweep back gives how any number of
/// the run depends on the knots, the start, the contacts' positions, the mass and the law. Memory is the caller's tape, with checkpoints.
/// docs/explanation/gradients.md. SI units.
#ifndef BRISTLE_ROLLOUT_H
#define BRISTLE_ROLLOUT_H

#include "bristle/gradient.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Where a contact of a rollout is fixed.
typedef enum br_rollout_frame {
    BR_ROLLOUT_WORLD, ///< to the world: a finger or a table edge that stays where it is
    BR_ROLLOUT_BODY   ///< to the body: a foot that moves with it over the ground
} br_rollout_frame;

/// A contact of a rollout. Set members that are not used to 0.
typedef struct br_rollout_contact {
    const br_contact* contact; ///< borrowed; its patch does not change with the force
    br_rollout_frame frame;    ///< to which it is fixed
    br_vec2
        position; ///< of its CoP, in the world or from the body's centre of mass in the body's axes [m]
    double angle; ///< of the contact frame in the world or in the body [rad]
    size_t count; ///< how many such contacts share motion and state; 0 and 1: one
} br_rollout_contact;

/// A body in fixed steps from a start, under normal forces and loads that are linear between knots. Arrays are
/// borrowed. Start from br_rollout_def_default().
typedef struct br_rollout_def {
    size_t size;    ///< set by the default function; do not touch
    double mass;    ///< [kg], > 0
    double inertia; ///< about the centre of mass [kg m^2], > 0
    int order;      ///< of the steps, 1 or 2
    int passes;     ///< largest number of passes over the bristles in a stage, >= 1
    double h;       ///< step [s], > 0
    size_t steps;   ///< number of steps, >= 1
    const br_rollout_contact* contacts; ///< (count)
    size_t count;                       ///< of contacts, >= 0
    size_t knots;                       ///< number of knots, >= 1
    /// Times of the knots, increasing [s] (knots). Numbers are linear between them and constant outside, as in
    /// BR_PROFILE_TABLE, and a step takes those of its middle. NULL: evenly spread from 0 to the end.
    const double* t;
    const double* fn; ///< normal forces of one of each contact [N] (knots x count), >= 0
    const double*
        load; ///< wrench on the body at its centre of mass, world axes [N, N, N m] (knots x 3); NULL: 0
    br_pose pose;    ///< of the centre of mass at the start [m, m, rad]
    br_twist v;      ///< at the start, world axes [m/s, m/s, rad/s]
    const double* z; ///< states of all contacts at the start, one after the other; NULL: 0
    /// Keep the states of every so many steps; those in between are computed again by br_rollout_vjp(). 0: as many as make
    /// the tape shortest, about the square root of the number of steps; 1: all, which is fastest.
    size_t every;
} br_rollout_def;

/// One step of order 1 of 1 ms, 1 kg, 0.01 kg m^2, no contacts, 40 passes, at rest at the origin; one knot, all steps
/// kept.
BR_API br_rollout_def br_rollout_def_default(void);

/// Check a rollout: the other functions do not.
/// @param[out] why  may be NULL; names the field when the result is not BR_OK, e.g. "fn[3]"
/// @return BR_OK or BR_ERR_DEF
BR_API br_status br_rollout_check(const br_rollout_def* def, br_reason* why);

/// Doubles of a tape: the memory that br_rollout_run() writes and br_rollout_vjp() reads, with their workspace.
BR_API size_t br_rollout_get_tape(const br_rollout_def* def);

/// What a rollout gives; arrays of the caller, NULL: skipped.
typedef struct br_rollout_output {
    br_pose* pose;    ///< out: (steps + 1), the first is that of the start [m, m, rad]
    br_twist* v;      ///< out: (steps + 1) [m/s, m/s, rad/s]
    br_wrench* f;     ///< out: (steps x count) br_step_contact.f [N, N, N m]
    double* z;        ///< out: states of all contacts at the end
    size_t passes;    ///< out: over the bristles, in all steps
    size_t open;      ///< out: steps in which Newton's iteration did not converge
    br_pose end_pose; ///< out: at the end [m, m, rad]
    br_twist end_v;   ///< out: at the end [m/s, m/s, rad/s]
} br_rollout_output;

/// Run a rollout. Never allocates, never fails.
/// @param[out] tape     of the caller, br_rollout_get_tape() doubles
/// @param[in,out] out   may be NULL
BR_API void br_rollout_run(const br_rollout_def* def, double* tape, br_rollout_output* out);

/// Derivatives of a rollout backwards; arrays of the caller, NULL: 0 for inputs, skipped for outputs.
typedef struct br_rollout_adjoint {
    const br_pose* pose_bar; ///< in: dL/d(pose) (steps + 1)
    const br_twist* v_bar;   ///< in: dL/dV (steps + 1)
    const br_wrench* f_bar;  ///< in: dL/df (steps x count)
    const double* z_bar;     ///< in: of the states at the end
    bool by_law;             ///< in: 1: law, length and h, too
    double* fn;              ///< out: of the knots' normal forces (knots x count)
    double* load;            ///< out: of the knots' loads (knots x 3)
    br_vec2* position;       ///< out: of the contacts' positions (count)
    double* angle;           ///< out: of the contacts' angles (count)
    double* length;          ///< out: of factors on the lengths of their patches (count)
    double* law;             ///< out: of the laws' parameters (count x BR_BY_COUNT)
    double* z;               ///< out: of the states at the start
    br_pose pose;            ///< out: of the pose at the start
    br_twist v;              ///< out: of the twist at the start
    double mass;             ///< out: of the mass
    double inertia;          ///< out: of the inertia
    double
        h; ///< out: of the step, knots at times that do not change with it, if by_law and t is given
    double pivot;   ///< out: least pivot of all steps, as in br_step_adjoint
    size_t inexact; ///< out: steps with flags
    unsigned flags; ///< out: br_gradient_flag of all steps
} br_rollout_adjoint;

/// Derivatives of a rollout backwards: one sweep over its steps. Never allocates, never fails.
/// @param[in,out] tape  that br_rollout_run() has written with the same definition; it stays valid
BR_API void br_rollout_vjp(const br_rollout_def* def, double* tape, br_rollout_adjoint* io);

#ifdef __cplusplus
}
#endif

#endif
