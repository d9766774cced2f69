/// @file body.h
/// A planar rigid body in time, held and slowed by friction contacts.
///
///     m p'' = m gravity + sum loads + sum friction,   I theta'' = the torques of these about the CoM
///
/// p is the centre of mass (CoM), in world axes. A contact is fixed to the world (a finger that the
/// body slides past) or to the body (an object on a table). SI units.
///
/// Bristles live in the axes of their contact. On a body that spins as it slides they turn with it, and
/// follow the slip late: friction points a little to the side, so that a puck drifts off its line.
#ifndef BRISTLE_BODY_H
#define BRISTLE_BODY_H

#include "bristle/contact.h"
#include "bristle/grip.h"
#include "bristle/outline.h"
#include "bristle/profile.h"
#include "bristle/run.h"
#include "bristle/step.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a contact patch or a point is fixed to.
typedef enum br_frame {
    BR_FRAME_WORLD, ///< its coordinates start at the world's origin; it does not turn with the body
    BR_FRAME_BODY   ///< its coordinates start at the CoM and turn with the body
} br_frame;

/// A contact of the body.
typedef struct br_body_contact {
    br_frame frame;            ///< where the patch's coordinates live
    const br_contact* contact; ///< patch, law and method; borrowed, may serve many
    br_profile normal_force; ///< of one contact [N], >= 0; with `grip` that of the start, constant
    const br_grip* grip; ///< controls the normal force from its first period on; borrowed; NULL:
                         ///< nobody does. Then `weight` is 0
    double weight; ///< share of the body's weight that one contact bears besides [-], >= 0: it adds
                   ///< weight mass br_body_normal_gravity(); 0: normal_force alone
    size_t count;  ///< identical contacts sharing the motion, >= 1
    /// Place and angle over time of what the body touches: x, y [m], angle [rad]. BR_FRAME_WORLD: of the
    /// finger, where the patch's coordinates start. BR_FRAME_BODY: of the table or belt, of which only
    /// the velocity counts. Without jumps: no steps, no hold. Not for fixed steps.
    br_profile motion[3];
    /// Of the contact, with BR_FRAME_WORLD and the body's outline: a patch that leaves the body opens the
    /// contact for good. Borrowed; NULL: the finger reaches everywhere.
    const br_patch* patch;
} br_body_contact;

/// A load on the body.
typedef struct br_body_load {
    br_profile fx;  ///< [N]
    br_profile fy;  ///< [N]
    br_profile tau; ///< [N m], about the point where the force acts
    br_frame axes;  ///< of fx and fy: BR_FRAME_WORLD, or BR_FRAME_BODY, so that they turn with it
    br_frame frame; ///< where `point` lives
    br_vec2 point;  ///< where the force acts [m]; BR_FRAME_BODY and (0, 0): at the CoM
} br_body_load;

/// A round tip that moves as it is told, whatever it meets, and pushes the body's outline: a compliant
/// contact with friction. Start from br_body_pusher_default().
typedef struct br_body_pusher {
    br_profile x;     ///< of the tip's centre, world [m]; without jumps: no steps, no hold
    br_profile y;     ///< [m]
    double radius;    ///< of the tip [m], >= 0
    double mu;        ///< friction of the tip on the body [-], >= 0; a tip that sticks creeps by
                      ///< up to 0.01 mm/s
    double stiffness; ///< of tip and edge [N/m], > 0
    double damping;   ///< [N s/m], >= 0; from 10 um of depth on in full
} br_body_pusher;

/// Where the bristles are when a run begins. Those of a contact that begins to press within it are steady by
/// the same rule, at the velocity of that moment, or else at 0.
typedef enum br_body_start {
    BR_START_BY_MOTION, ///< steady if the rim of a contact moves faster than the Stribeck speed, else
                        ///< settled
    BR_START_STEADY, ///< where steady sliding at the first velocity has them; 0 where it is at rest
    BR_START_SETTLED, ///< where they hold gravity and the first loads, if they can; for a body at rest
    BR_START_RELAXED ///< at 0: friction builds up, and its damping jumps where the body moves
} br_body_start;

/// What moves. Start from br_body_default().
typedef struct br_body {
    double mass;                     ///< [kg], > 0
    double inertia;                  ///< about the CoM [kg m^2], > 0
    br_pose pose;                    ///< of the CoM at the start [m, m, rad]
    br_twist velocity;               ///< of the CoM at the start, world axes [m/s, m/s, rad/s]
    br_body_start start;             ///< where the bristles are then
    br_vec2 gravity;                 ///< in the plane, world axes [m/s^2]
    br_profile gravity_change[2];    ///< adds to `gravity` over time, x and y [m/s^2]
    const br_body_contact* contacts; ///< borrowed (contact_count)
    size_t contact_count;            ///< may be 0
    const br_outline* outline;       ///< in the body's frame, borrowed; NULL: not known
    const br_body_pusher* pusher; ///< needs the outline; borrowed; NULL: none. Not for fixed steps
    const br_body_load* loads;    ///< borrowed (load_count)
    size_t load_count;            ///< may be 0
} br_body;

/// Where the energy went since the start [J]:
/// kinetic + stored - (their start values) + dissipated = work_loads + work_gravity + work_normal +
/// work_contacts, up to the residual, which is the integration's error. Adaptive runs integrate each power by itself:
/// that of the loads on the body, that of friction, and what the bristles take up of the latter,
/// fn sigma0 z.dz; so the residual sees errors of the body's motion and of the bristles'. A fixed
/// step's ledger balances by its own terms.
typedef struct br_body_energy {
    double kinetic;       ///< now
    double stored;        ///< in the bristles, now
    double dissipated;    ///< by friction; by a fixed step's own damping, too
    double work_loads;    ///< done by the loads
    double work_gravity;  ///< done by gravity (docs/steps.md: in fixed steps of order 1)
    double work_normal;   ///< put into the bristles by changes of normal force and pressure
    double work_contacts; ///< done by contacts that move and by the pusher
    double residual;      ///< what is missing
} br_body_energy;

/// One row of the result.
typedef struct br_body_row {
    double t;          ///< [s]
    br_pose pose;      ///< of the CoM, world [m, m, rad]
    br_twist velocity; ///< of the CoM, world axes [m/s, m/s, rad/s]
    const br_wrench*
        f; ///< friction of one of each contact's `count`, on the body, at the origin of
           ///< the contact's frame, in its axes [N, N, N m] (contact_count)
    const double*
        tau_cop;      ///< the torque of each f at the patch's CoP instead [N m] (contact_count)
    const double* fn; ///< normal forces [N] (contact_count)
    br_vec2 push;     ///< force of the pusher on the body, world axes [N]
    const br_contact_state* state; ///< of each contact (contact_count)
    const double* slip_rate;       ///< see br_contact_slip_eval() [m/s] (contact_count)
    const double* slipped; ///< way so far, the integral of the slip rate [m] (contact_count)
    const double*
        load; ///< share of what friction can hold, see br_contact_load_eval() [-], in [0, 1]
              ///< (contact_count)
    const double* most_load; ///< the largest so far, between the rows, too (contact_count)
    br_body_energy energy;   ///< up to here
} br_body_row;

/// A body of 1 kg and 1 kg m^2 at rest at the origin, no gravity, no contact, no load.
BR_API br_body br_body_default(void);

/// A tip of 5 mm at the origin, mu 0.3, 1e5 N/m, damped critically for a body of this mass [kg].
BR_API br_body_pusher br_body_pusher_default(double mass);

/// The part of gravity that presses a body on its plane: sqrt(9.81^2 - |in_plane|^2) [m/s^2], which is
/// 9.81 on a level table and 9.81 cos(slope) on a slope; 0 where the plane's part is 9.81 or more.
/// @param in_plane  gravity in the plane [m/s^2]
BR_API double br_body_normal_gravity(br_vec2 in_plane);

/// What a body stands on at its start: its contacts with BR_FRAME_BODY, together. A body that stands still
/// on a level plane has its CoM over the centre of pressure; what is not balanced is weight |cop|.
typedef struct br_body_stand {
    double weight; ///< mass br_body_normal_gravity() [N]
    double force;  ///< with which the contacts press [N]
    br_vec2 cop;   ///< where, from the CoM, body axes [m]; (0, 0) without force
    double
        radius; ///< how far the pressure reaches: root of the mean square distance from `cop` [m]
} br_body_stand;

/// What a body stands on. Never allocates, never fails.
BR_API br_body_stand br_body_stand_eval(const br_body* body);

/// Run a body. Contacts stick and slip as br_contact_slip_eval() says, in adaptive and in fixed steps; one
/// is open while its normal force is 0. The friction of a row is that of bristles with errors up to the
/// tolerances: while
/// the body slides at v it is off by sigma1 sigma0 v/g times those of z, which is 0.08 fn for 1e-10 m at
/// 1 m/s with W&K's numbers, while the motion is not. Take a smaller `atol_z` where that counts.
/// @param def        adaptive or fixed; fixed steps have their limits (br_body_contact.motion, br_body.pusher)
/// @param watch      BR_EVENT_STICK, _SLIP, _OPEN, _LEAVE and _OVERHANG, whose pressure stays as it is until the
///                   whole patch has left
/// @param[out] cost  may be NULL
/// @param[out] why   may be NULL; a negative normal force is refused with its time
/// @return BR_OK, BR_ERR_DEF, BR_ERR_MEMORY, BR_ERR_ABSENT, BR_ERR_STOPPED or BR_ERR_CONVERGENCE
BR_API br_status br_body_run(const br_body* body, const br_run_def* def, const br_run_watch* watch,
                             br_integrator_cost* cost, br_reason* why);

#ifdef __cplusplus
}
#endif

#endif
