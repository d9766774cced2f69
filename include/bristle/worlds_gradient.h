/// @file worlds_gradient.h
/// Derivatives of worlds: how the end of many bodies' steps depends on what each of them started from.
///
/// br_worlds_step_recorded() is br_worlds_step() that also writes a tape. br_worlds_step_vjp() is
/// the backward sweep over its steps. It takes dL/dx of the results and returns dL/dx of all inputs
/// of the steps, world by world. Adjoints have the layout of the arrays: (count) or (rows x count),
/// with the same stride. Doubles only. Memory is the caller's. docs/explanation/gradients.md has the equations,
/// the kinks and the flags, gradient.h the same for a single step. SI units.
///
///     br_worlds_record record = {.every = 1, .tape = tape}; // br_worlds_get_tape(worlds, count, steps, 1) doubles
///     br_worlds_step_recorded(worlds, &a, 1e-3, steps, &record);
///     br_worlds_adjoint d = {.pose_bar = pose_bar, .load = load_bar};
///     d.contacts[0].law[BR_BY_MU_C] = mu_c_bar;
///     br_worlds_step_vjp(worlds, &a, 1e-3, steps, &record, &d);
#ifndef BRISTLE_WORLDS_GRADIENT_H
#define BRISTLE_WORLDS_GRADIENT_H

#include "bristle/gradient.h"
#include "bristle/worlds.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What recorded steps leave besides their results. Set members that are not used to 0.
typedef struct br_worlds_record {
    /// Keep the states of every so many steps; those in between are computed again by br_worlds_step_vjp(). 0: as many as make
    /// the tape shortest, about the square root of the number of steps; 1: all, which is fastest.
    size_t every;
    double* tape;  ///< out: of the caller, br_worlds_get_tape() doubles; not NULL
    double* pose;  ///< out: after each step (steps x 3 x count) [m, m, rad]; NULL: skipped
    double* twist; ///< out: after each step (steps x 3 x count) [m/s, m/s, rad/s]; NULL: skipped
} br_worlds_record;

/// Doubles of a tape.
/// @param count  number of worlds
/// @param every  as in br_worlds_record
/// @return 0 for worlds of floats, which have no derivatives
BR_API size_t br_worlds_get_tape(const br_worlds* worlds, size_t count, size_t steps, size_t every);

/// br_worlds_step() of doubles that leaves a tape. Never allocates, never fails; worlds of floats are stepped and nothing is recorded.
/// @param[in,out] record  its arrays have the layout of `arrays`
BR_API void br_worlds_step_recorded(br_worlds* worlds, const br_worlds_arrays* arrays, double h,
                                    size_t steps, const br_worlds_record* record);

/// A contact in the derivatives of worlds. NULL: 0 for inputs, skipped for outputs.
typedef struct br_worlds_contact_adjoint {
    const double* z_bar; ///< in: dL/dz of the bristles at the end (states x count)
    const double*
        f_bar; ///< in: dL/df of the mean wrench of one contact in the last step (3 x count)
    double* z; ///< out: of the bristles at the start (states x count); may be z_bar
    double*
        fn; ///< out: of the normal force, the patch held (count); (steps x count) where fn_steps > 1
    double* position; ///< out: of the origin of the contact frame (2 x count)
    double* angle;    ///< out: of the angle of the contact frame (count)
    double* scale;    ///< out: of the length of the patch, z as it is stored (count)
    double* ground;   ///< out: of the twist of the ground (3 x count)
    /// out: of the law's parameters, others held (count) each: law[BR_BY_MU_C], ... A derivative by `ratio` is not offered.
    double* law[BR_BY_COUNT];
} br_worlds_contact_adjoint;

/// Worlds in their derivatives. NULL: 0 for inputs, skipped for outputs. Set members that are not used to 0. Numbers that all
/// worlds share have derivatives in each of them, too; the sum is that of the shared number.
typedef struct br_worlds_adjoint {
    const double*
        pose_bar; ///< in: dL/d(pose) at the end (3 x count), or after each step (steps x 3 x count)
    size_t pose_steps; ///< poses in pose_bar: 0 or 1: that of the end; else one for each step
    const double*
        twist_bar; ///< in: dL/d(twist) at the end (3 x count), or after each step (steps x 3 x count)
    size_t twist_steps; ///< as pose_steps
    double* pose;       ///< out: of the pose at the start (3 x count); not pose_bar
    double* twist;      ///< out: of the twist at the start (3 x count); not twist_bar
    double* mass;       ///< out: of the mass, forces held (count)
    double* inertia;    ///< out: of the inertia (count)
    double* load;       ///< out: of the load (3 x count); (steps x 3 x count) where load_steps > 1
    double* h;          ///< out: of the step (count)
    double* pivot;      ///< out: least pivot of all steps, as in br_step_adjoint (count) [-]
    uint8_t* flags;     ///< out: br_gradient_flag of all steps (count)
    br_worlds_contact_adjoint contacts[BR_WORLDS_CONTACTS]; ///< of each contact of the definition
} br_worlds_adjoint;

/// Derivatives of br_worlds_step_recorded() backwards, of the worlds in the mask; those of the others are left as they are. Never
/// allocates, never fails. Worlds of floats have BR_GRADIENT_REFUSED in `flags`, and nothing else is written.
/// @param arrays  as in the recorded steps, with the same parameters, loads and forces; pose, twist and bristles are not read
/// @param h, steps  as in the recorded steps
/// @param record  of the recorded steps; its tape stays valid, `pose` and `twist` are not read
/// @param[in,out] adjoint  arrays of the caller
BR_API void br_worlds_step_vjp(br_worlds* worlds, const br_worlds_arrays* arrays, double h,
                               size_t steps, const br_worlds_record* record,
                               const br_worlds_adjoint* adjoint);

#ifdef __cplusplus
}
#endif

#endif
