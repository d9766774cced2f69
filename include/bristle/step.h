/// @file step.h
/// One implicit step, of any size, of a planar rigid body on any number of frictional contacts.
///
/// Bounded and passive at any step: no energy comes out that was not put in, also where Newton's
/// iteration did not come to its end. SI units. The body's twist is taken at a point of the caller's
/// choice (the centre of mass, say) and in axes of the caller's choice; contacts are placed relative
/// to both. Wrenches are what acts on the body. docs/steps.md tells which step to use when.
#ifndef BRISTLE_STEP_H
#define BRISTLE_STEP_H

#include "bristle/blocks.h"
#include "bristle/distributed.h"
#include "bristle/math.h"
#include "bristle/reduced.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A contact of the body: one of three models, its state, where it is, how hard it presses.
typedef struct br_step_contact {
    const br_distributed* distributed; ///< borrowed; exactly one of the three is not NULL
    const br_blocks* blocks;           ///< borrowed
    const br_reduced* reduced;         ///< borrowed
    double* z;                         ///< the model's state, advanced in place [m; m, m, m^2]
    br_vec2
        arm; ///< CoP from the point where the body's twist is taken, in its axes [m]; for an exact
             ///< energy balance held over the step: best where it is half a step later
    double angle; ///< of the contact frame's axes in those of the twist [rad]
    double fn;    ///< normal force of one contact over the step [N], >= 0; 0 lets the bristles go
    double count; ///< how many such contacts share the motion and the state [-], >= 0; mostly 1
    br_wrench f;  ///< out: mean wrench of one contact on the body over the step, at the CoP, in the
                  ///< contact frame's axes [N, N, N m]
} br_step_contact;

/// A body and how it is stepped. Start from br_step_body_default().
typedef struct br_step_body {
    size_t size;       ///< set by the default function; do not touch
    double mass[3][3]; ///< symmetric, positive definite, for the twist's point and axes
                       ///< [kg, kg, kg m; kg, kg, kg m; kg m, kg m, kg m^2]
    int order;         ///< 1 or 2; 2 falls back to 1 in a step that would gain energy
    int passes; ///< most passes over the bristles in an implicit stage, >= 1; 40 is enough for
                ///< nearly all, fewer cost accuracy but neither bounds nor passivity
} br_step_body;

/// Where the energy of a step went [J], all contacts together, at this step's normal forces:
/// kinetic_before + stored_before + load = kinetic_after + stored_after + dissipated + numerical.
/// What a change of normal force between two steps puts into the bristles is the caller's to book:
/// the difference of br_step_stored() at both forces.
typedef struct br_step_ledger {
    double kinetic_before; ///< of the body, at the begin
    double stored_before;  ///< in the bristles, at the begin
    double load;           ///< work of the load
    double kinetic_after;  ///< of the body, at the end
    double stored_after;   ///< in the bristles, at the end
    double dissipated;     ///< turned into heat by friction
    double numerical;      ///< lost by the method in the body's motion; with order 1 m |dv|^2/2
} br_step_ledger;

/// What a step says of itself.
typedef struct br_step_result {
    br_twist mean;         ///< twist that takes the pose over the step: pose += h mean
    br_step_ledger energy; ///< where the energy went
    int order;             ///< the order that was used, 1 or 2
    int passes;            ///< passes over the bristles
    int converged;         ///< 1: Newton came to its end in every stage
} br_step_result;

/// A body of 1 kg and 1 kg m^2, order 1, 40 passes.
BR_API br_step_body br_step_body_default(void);

/// Doubles of workspace that a step with these contacts needs.
BR_API size_t br_step_get_work(const br_step_contact* contacts, size_t count);

/// Energy stored in a contact's bristles, or in all of those that share its state, at its fn [J].
BR_API double br_step_stored(const br_step_contact* contact);

/// Advance the body's twist and the state of all its contacts. Never allocates, never fails; NaN in
/// gives NaN out.
/// @param[in,out] v         the body's twist over the ground [m/s, m/s, rad/s]
/// @param load              wrench on the body besides friction, held over the step, at the twist's
///                          point, in its axes [N, N, N m]
/// @param h                 step [s], > 0, any size
/// @param[in,out] contacts  (count); z and f change
/// @param work              caller's, br_step_get_work() doubles, need not be kept between steps
BR_API br_step_result br_step_coupled(const br_step_body* body, br_twist* v, br_wrench load,
                                      double h, br_step_contact* contacts, size_t count,
                                      double* work);

#ifdef __cplusplus
}
#endif

#endif
