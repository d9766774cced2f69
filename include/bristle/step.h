/// @file step.h
/// One implicit step, of any size, of a planar rigid body on any number of frictional contacts.
///
/// Bounded and passive at any step: no energy comes out that was not put in, also where Newton's
/// iteration did not come to its end. SI units. The body's twist is taken at a point of the caller's
/// choice (the centre of mass, say) and in axes of the caller's choice; contacts are placed relative
/// to both. Wrenches are what acts on the body. docs/steps.md tells which step to use when.
#ifndef BRISTLE_STEP_H
#define BRISTLE_STEP_H

#include "bristle/contact.h"
#include "bristle/math.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A contact of the body: what it is made of, its state, where it is, how hard it presses. Zero what is
/// not set.
typedef struct br_step_contact {
    const br_contact* contact; ///< borrowed; on a patch that changes with the force the one that
                               ///< br_contact_spread() gives at fn
    double* z;                 ///< its state, advanced in place
    /// CoP from the point where the body's twist is taken, in its axes [m]. Held over the step, so that
    /// the balance of energy is exact: best where it is half a step later.
    br_vec2 arm;
    double angle; ///< of the contact frame's axes in those of the twist [rad]
    double fn;    ///< normal force of one contact over the step [N], >= 0; 0 lets the bristles go
    size_t count; ///< how many such contacts share the motion and the state; 0 and 1: one
    br_wrench f;  ///< out: mean wrench of one contact on the body over the step, at the CoP, in the
                  ///< contact frame's axes [N, N, N m]
} br_step_contact;

/// A body and how it is stepped. Start from br_step_body_default().
typedef struct br_step_body {
    double mass[3][3]; ///< symmetric, positive definite, for the twist's point and axes
                       ///< [kg, kg, kg m; kg, kg, kg m; kg m, kg m, kg m^2]
    int order;         ///< 1 or 2; 2 falls back to 1 in a step that would gain energy, and where a
                       ///< contact begins while the body slides
    int passes; ///< most passes over the bristles in a stage, >= 1; 40 is nearly always enough,
                ///< fewer cost accuracy, but neither bounds nor passivity
} br_step_body;

/// Where the energy of a step went [J], all contacts together, at this step's normal forces:
/// kinetic_before + stored_before + load = kinetic_after + stored_after + dissipated + numerical.
/// What a change of normal force between two steps puts into the bristles is the caller's to book:
/// the difference of br_contact_stored() at both forces.
typedef struct br_step_ledger {
    double kinetic_before; ///< of the body, at the begin
    double stored_before;  ///< in the bristles, at the begin
    double load;           ///< work of the load
    double kinetic_after;  ///< of the body, at the end
    double stored_after;   ///< in the bristles, at the end
    double dissipated;     ///< turned into heat by friction; with order 1 >= 0 but for rounding
    double numerical; ///< lost by the method in the body's motion; with order 1 m |dv|^2/2, with
                      ///< order 2 the sum of both is >= 0
} br_step_ledger;

/// What a step says of itself.
typedef struct br_step_result {
    br_twist mean;         ///< twist that takes the pose over the step: pose += h mean
    br_step_ledger energy; ///< where the energy went
    int order;             ///< the order that was used, 1 or 2
    int passes;            ///< passes over the bristles
    int converged;         ///< 1: Newton came to its end in every stage
} br_step_result;

/// A body whose twist is taken at its centre of mass, order 1, 40 passes.
/// @param mass     [kg], > 0
/// @param inertia  about the centre of mass [kg m^2], > 0
BR_API br_step_body br_step_body_default(double mass, double inertia);

/// Is what a step would be given well defined? For whoever is not sure of his numbers: the steps never
/// fail, and give what comes out of a negative inertia or of NaN. It costs some microseconds.
/// @param body      may be NULL: a host owns it
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
/// @param load              wrench on the body besides friction, held over the step, at the twist's
///                          point, in its axes [N, N, N m]
/// @param h                 step [s], > 0, any size
/// @param[in,out] contacts  (count); z and f change
/// @param work              caller's, br_step_get_work() doubles, need not be kept between steps
BR_API br_step_result br_step_coupled(const br_step_body* body, br_twist* v, br_wrench load,
                                      double h, br_step_contact* contacts, size_t count,
                                      double* work);

/// A host that owns the body (a physics engine) and takes friction as an impulse: what is known of
/// the body, and what was learnt from the host's answers. Start from br_step_host_default().
typedef struct br_step_host {
    /// A: how an impulse at the twist's point changes the twist; symmetric, positive (semi)definite
    /// [1/kg, 1/kg, 1/(kg m); ...; 1/(kg m), 1/(kg m), 1/(kg m^2)]. Contacts in several planes:
    /// br_step_group.
    double inverse_mass[3][3];
    int start_only; ///< 1: the host gives the twist at the step's begin, without what other forces do in
                    ///< the step, which is observed
    int identify;             ///< 1: the scale of A is learnt from the host's answers
    int softened;             ///< 1: A is a guess, see br_step_host_guess()
    int passes;               ///< as in br_step_body
    double scale;             ///< learnt: A counts this many times [-], 1 at first
    br_twist offset;          ///< learnt: what other forces add in a step [m/s, m/s, rad/s]
    br_twist given;           ///< the last step's twist as it came in [m/s, m/s, rad/s]
    br_twist predicted;       ///< the last step's twist at its end [m/s, m/s, rad/s]
    br_wrench impulse;        ///< of the last step [N s, N s, N m s]
    br_wrench impulse_before; ///< of the step before [N s, N s, N m s]
    br_twist change_before;   ///< of the twist in the step before [m/s, m/s, rad/s]
    int seen;                 ///< 1: there was a step before
} br_step_host;

/// What friction does to a host's body in a step.
typedef struct br_step_answer {
    /// Mean wrench of all contacts on the body, at the twist's point, in its axes [N, N, N m]: apply the
    /// impulse h f.
    br_wrench f;
    br_twist predicted;    ///< the body's twist at the end, if A is right [m/s, m/s, rad/s]
    br_step_energy energy; ///< of the contacts, at the predicted twist
    int passes;            ///< passes over the bristles
    int converged;         ///< 1: Newton came to its end
    int softened;          ///< 1: A is a guess: bounded, but softer than the law says
} br_step_answer;

/// A of a body whose twist is taken at its centre of mass, with other forces given, nothing learnt.
/// @param mass     [kg], > 0; INFINITY where A is to be set or guessed
/// @param inertia  about the centre of mass [kg m^2], > 0
BR_API br_step_host br_step_host_default(double mass, double inertia);

/// Guess A where nothing is known: the body weighs at least a quarter of what presses its contacts.
/// Bounded, but softer than the law says, until `identify` has learnt better.
/// @param fn  normal force of all contacts [N], > 0
/// @param u   of the patch (27), about the twist's point [m^2], > 0
BR_API void br_step_host_guess(br_step_host* host, double fn, double u);

/// Impulse of friction for a body that the host advances; the states go along with the predicted
/// twist. With the true A it is br_step_coupled() with order 1; with A up to several times too large
/// it is passive still, but a body that should stick creeps. Never allocates, never fails.
/// @param u                 twist of the body after all other forces of the step, or at its begin if
///                          host->start_only [m/s, m/s, rad/s]
/// @param[in,out] contacts  (count); z and f change
/// @param work              caller's, br_step_get_work() doubles
BR_API br_step_answer br_step_host_step(br_step_host* host, br_twist u, double h,
                                        br_step_contact* contacts, size_t count, double* work);

/// Tell what the host made of the impulse, after each step: the body's twist at its end. Needed with
/// start_only or identify.
BR_API void br_step_host_learn(br_step_host* host, br_twist u1);

/// Contacts in planes of their own, on any number of bodies of a host, in one step: contact k has its
/// own twist V_k, of one body over the other in that contact's plane, at a point and in axes of the
/// host's choice, and all twists V = u + h A f depend on all wrenches f. Zero what is not set.
typedef struct br_step_group {
    /// A (3n x 3n, row by row): how impulses at the twists' points change the twists; symmetric,
    /// positive semidefinite, of any rank [as in br_step_host]. J M^-1 J^T with J (3n rows) the Jacobian
    /// of all twists; where the host's normal forces answer to the motion within the step, M with them.
    const double* inverse_mass;
    int passes; ///< most passes over the bristles, >= 1; 0: 120, which is nearly always enough
    const double*
        fn_f; ///< N (n x 3n, row by row) of fn = fn_free + N f, where normal forces follow
              ///< friction within the step, as in a wedge [-, -, 1/m]; NULL: they are held
    const double* fn_free; ///< (n) normal forces without friction, where they follow [N]
} br_step_group;

/// What a step of a group says of itself.
typedef struct br_step_group_answer {
    br_step_energy energy; ///< of all contacts, at the twists u1 and this step's normal forces
    size_t rank;           ///< of A: how many ways there are to move, at most 3n
    int passes;            ///< passes over the bristles
    int converged;         ///< 1: Newton came to its end
    int follows; ///< 1: normal forces are what friction makes of them, to 1e-6, or were held
} br_step_group_answer;

/// Doubles of workspace that br_step_group_step() needs: those of the contacts and some 40 n^2.
BR_API size_t br_step_group_get_work(const br_step_contact* contacts, size_t count);

/// Advance the state of all contacts and give the wrenches. With A of one body and contacts in one
/// plane it is br_step_coupled() with order 1. Passive for any A and any normal forces >= 0: what
/// |u1 - u| costs in the metric of A and what friction takes adds up to what the bodies lose. Never
/// allocates, never fails; NaN in gives NaN out.
/// @param u                 (count) twists after all other forces of the step [m/s, m/s, rad/s]
/// @param h                 step [s], > 0, any size
/// @param[in,out] contacts  (count); arm and angle place contact k relative to the point and axes of
///                          its own twist; z and f change, and fn where it follows (begin with the
///                          last step's; a patch that changes with it stays that of the begin)
/// @param[out] f            (count) mean wrench of contact k, times its count, at its twist's point,
///                          in its axes [N, N, N m]: apply the impulses h f
/// @param[out] u1           (count) twists at the end, if A is right [m/s, m/s, rad/s]; NULL: not
///                          asked for
/// @param work              caller's, br_step_group_get_work() doubles, need not be kept between steps
BR_API br_step_group_answer br_step_group_step(const br_step_group* group, const br_twist* u,
                                               double h, br_step_contact* contacts, size_t count,
                                               br_wrench* f, br_twist* u1, double* work);

/// Resistance of contacts that end a step with a given twist, for hosts that iterate themselves. The
/// states do not change; when the host is done, br_contact_step() does the same step.
typedef struct br_step_trial {
    br_wrench f;          ///< on the body, at the twist's point, in its axes [N, N, N m]
    double tangent[3][3]; ///< -df/du, not symmetric, at times not positive [N s/m, ...; N m s]
    double secant[3][3]; ///< the same with frozen decays, f = -secant u - rest: symmetric, positive
                         ///< definite; the one that keeps the balance of energy
} br_step_trial;

/// Fill a trial. Never allocates, never fails.
BR_API br_step_trial br_step_trial_eval(br_step_contact* contacts, size_t count, br_twist u,
                                        double h, double* work);

#ifdef __cplusplus
}
#endif

#endif
