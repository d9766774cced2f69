/// @file body.h
/// Motion of a planar rigid body with friction contacts.
///
///     m p'' = m gravity + sum loads + sum friction,   I theta'' = the torques of these about the CoM
///
/// p is the centre of mass (CoM), in world axes. A contact is fixed to the world (a finger that the
/// body slides past) or to the body (an object on a table). SI units.
///
/// Bristles are stored in the axes of their contact. On a body that spins as it slides they turn with it and
/// follow the slip with a delay: friction points a little to the side, so a puck drifts off its line.
#ifndef BRISTLE_BODY_H
#define BRISTLE_BODY_H

#include <stdbool.h>

#include "bristle/contact.h"
#include "bristle/grip.h"
#include "bristle/modes.h"
#include "bristle/outline.h"
#include "bristle/profile.h"
#include "bristle/run.h"
#include "bristle/step.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a contact patch or a point is fixed to.
typedef enum br_frame {
    BR_FRAME_WORLD, ///< world coordinates, from the world's origin; does not turn with the body
    BR_FRAME_BODY   ///< body coordinates, from the CoM; turns with the body
} br_frame;

/// A contact of the body.
typedef struct br_body_contact {
    br_frame frame;            ///< frame of the patch's coordinates
    const br_contact* contact; ///< patch, law and method; borrowed, several contacts may share one
    br_profile normal_force; ///< of one contact [N], >= 0; with `grip` the initial force, constant
    /// controller of the normal force from its first period on; borrowed; NULL: none. With a controller `weight` must
    /// be 0
    const br_grip* grip;
    /// share of the body's weight that one contact bears in addition [-], >= 0: it adds weight mass
    /// br_body_normal_gravity(); 0: normal_force alone. For several feet see br_body_share_weight()
    double weight;
    size_t count; ///< number of identical contacts that share the motion, >= 1
    /// Origin of the patch's coordinates [m]. BR_FRAME_BODY: position of a foot on the body, from the CoM, in the
    /// body's axes. BR_FRAME_WORLD: position of a finger in the world when `motion` is 0.
    br_vec2 at;
    /// Motion of what the body touches: x, y [m], angle [rad] over time. BR_FRAME_WORLD: of the finger, whose patch
    /// moves with it and turns about `at` + (x, y). BR_FRAME_BODY: of the table or belt; only its velocity counts,
    /// so a constant position other than 0 is an error. It must not jump: no steps, no hold.
    br_profile motion[3];
    /// Patch of the contact; borrowed; may be NULL. BR_FRAME_WORLD, if the body has an outline: when the whole patch
    /// has left the body, the contact stays open; NULL: the contact never leaves the body. BR_FRAME_BODY: the
    /// support area for br_body_share_weight().
    const br_patch* patch;
} br_body_contact;

/// A load on the body.
typedef struct br_body_load {
    br_profile fx;  ///< force along x [N]
    br_profile fy;  ///< force along y [N]
    br_profile tau; ///< torque about `point` [N m]
    br_frame axes;  ///< axes of fx and fy: of the world, or of the body, which turn with it
    br_frame frame; ///< frame of `point`
    br_vec2 point;  ///< where the force acts [m]; BR_FRAME_BODY and (0, 0): at the CoM
} br_body_load;

/// A round tip that pushes the body's outline: a compliant contact with friction. Its motion is prescribed;
/// the body does not affect it. Start from br_body_pusher_default().
typedef struct br_body_pusher {
    br_profile x;  ///< x of the tip's centre, world [m]; must not jump: no steps, no hold
    br_profile y;  ///< y of the tip's centre, world [m]; must not jump
    double radius; ///< radius of the tip [m], >= 0
    double mu;     ///< friction coefficient of tip and body [-], >= 0; a sticking tip creeps by up
                   ///< to 0.01 mm/s
    double stiffness; ///< contact stiffness of tip and edge [N/m], > 0
    /// contact damping [N s/m], >= 0; rises to this value over the first 10 um of depth
    double damping;
} br_body_pusher;

/// State of the bristles when a run starts (docs/explanation/models.md, "Start of the bristles"). A contact whose normal force
/// becomes positive during the run starts in steady state by the same rule, with its velocity then, or else at 0.
typedef enum br_body_start {
    BR_START_BY_MOTION, ///< steady if the rim of a contact moves faster than the Stribeck speed, else settled
    BR_START_STEADY, ///< deflections of steady sliding at the initial velocity; 0 at rest
    BR_START_SETTLED, ///< for a body at rest: deflections that balance gravity and the initial loads; if
                      ///< friction cannot, at their limit against the initial acceleration
    BR_START_RELAXED ///< 0: friction builds up; the damping force jumps at t = 0 if the body moves
} br_body_start;

/// State of a contact during a motion, without its bristles.
typedef struct br_body_contact_state {
    br_slip_state state; ///< sticks, slips or is open
    bool left;           ///< true: the patch has left the body, and the contact stays open
    bool overhangs;      ///< true: a part of the patch is off the body, or was
    double grip_force;   ///< force that the grip controller applies [N], >= 0; unused without one
    double grip_instant; ///< index of its last sampling instant, from 0 [-]; unused without one
} br_body_contact_state;

/// State of a body during a motion: a step continues from it, and a run may start from it.
typedef struct br_body_state {
    double t;          ///< time [s], finite
    br_pose pose;      ///< pose of the CoM, world [m, m, rad]
    br_twist velocity; ///< velocity of the CoM, world axes [m/s, m/s, rad/s]
    double* z;         ///< bristles of all contacts, one contact after the other [m, ...]
                       ///< (br_body_get_state_count())
    br_body_contact_state* contacts; ///< state of each contact (contact_count)
} br_body_state;

/// A body, its contacts and its loads. Start from br_body_default().
typedef struct br_body {
    size_t size;                     ///< set by the default function; do not touch
    double mass;                     ///< [kg], > 0
    double inertia;                  ///< moment of inertia about the CoM [kg m^2], > 0
    br_pose pose;                    ///< initial pose of the CoM [m, m, rad]
    br_twist velocity;               ///< initial velocity of the CoM, world axes [m/s, m/s, rad/s]
    br_body_start start;             ///< initial state of the bristles
    br_vec2 gravity;                 ///< gravity in the plane, world axes [m/s^2]
    br_profile gravity_change[2];    ///< x and y of what is added to `gravity` over time [m/s^2]
    const br_body_contact* contacts; ///< borrowed (contact_count)
    size_t contact_count;            ///< number of contacts, may be 0
    const br_outline* outline;       ///< outline in the body's frame, borrowed; NULL: not known
    const br_body_pusher* pusher;    ///< pusher, needs the outline; borrowed; NULL: none
    const br_body_load* loads;       ///< borrowed (load_count)
    size_t load_count;               ///< number of loads, may be 0
    /// State that a run starts from instead of t = 0, `pose`, `velocity` and `start`; borrowed; NULL: those.
    const br_body_state* from;
} br_body;

/// Columns of the rows of a body. With several contacts their columns are numbered (fx1, fx2, ...). Friction is
/// the force on the body of one of the contact's `count` identical contacts.
///
/// BR_COLUMNS_MAIN:
/// - t: time [s]
/// - x, y, theta: pose of the CoM, world [m, m, rad]
/// - vx, vy, w: velocity of the CoM, world axes [m/s, m/s, rad/s]
/// - fx, fy, tau, of each contact: friction at the origin of the contact's frame, in its axes [N,
///   N, N m]. BR_COLUMNS_WORLD: fx and fy in the world's axes
/// - fn, of each contact: normal force [N]
///
/// BR_COLUMNS_ENERGY, energies and works since the start [J]:
/// - kinetic and stored (in the bristles): current values
/// - dissipated: by friction and by the numerical damping of fixed steps
/// - work_loads: done by the loads
/// - work_gravity: done by gravity (for fixed steps of order 1 see docs/explanation/steps.md)
/// - work_normal: put into the bristles by changes of normal force and pressure
/// - work_contacts: done by moving contacts and the pusher
/// - residual: the integration error in kinetic + stored - (their start values) + dissipated =
///   work_loads + work_gravity + work_normal + work_contacts
///
/// Adaptive runs integrate each power separately: that of the loads, that of friction, and the part
/// of the latter that the bristles store, fn sigma0 z.dz. So the residual contains errors of the
/// body's motion and of the bristles. The energy balance of a fixed step is exact by construction.
///
/// Of each contact: BR_COLUMNS_COP: tau_cop, the torque at the patch's CoP instead [N m]. BR_COLUMNS_SLIP: state; slip, slip
/// rate, see br_contact_slip_eval() [m/s]; load, share of what friction can hold, see br_contact_load_eval() [-], in [0, 1].
/// BR_COLUMNS_MORE: slipped, distance so far, the integral of the slip rate [m]; most_load, the largest load so far, between
/// the rows, too [-]. BR_COLUMNS_PUSHER: pusher_fx, pusher_fy, force of the pusher on the body, world axes [N].
/// BR_COLUMNS_CENTRES, of each contact: cop_x, cop_y, centre of pressure, and cof_x, cof_y, centre of friction, both in the
/// contact's frame [m]; mu_factor, mean factor of its field [-] (br_contact_get_centres()). BR_COLUMNS_BRISTLES: z1, z2, ...,
/// the bristles of all contacts, one contact after the other, as br_body_state.z has them (br_body_get_state_count()). Only
/// these need contacts that have been created.
/// @param sets      sum of br_column_set
/// @param[out] out  the columns; may be NULL
/// @return number of columns
BR_API size_t br_body_get_columns(const br_body* body, unsigned sets, br_column* out);

/// Default body: 1 kg and 1 kg m^2 at rest at the origin, no gravity, no contact, no load.
BR_API br_body br_body_default(void);

/// Default pusher: a tip of 5 mm radius at the origin, mu 0.3, 1e5 N/m, critically damped for a body of `mass` [kg].
BR_API br_body_pusher br_body_pusher_default(double mass);

/// Pose of a contact's frame, the origin of the patch's coordinates, in the world [m, m, rad]. Never allocates,
/// never fails.
/// @param pose  pose of the body [m, m, rad]
/// @param t     time [s]; BR_FRAME_WORLD: `motion` at this time
BR_API br_pose br_body_contact_pose_eval(const br_body_contact* of, br_pose pose, double t);

/// Component of gravity normal to the plane, sqrt(9.81^2 - |in_plane|^2) [m/s^2]: 9.81 on a level table,
/// 9.81 cos(slope) on a slope, 0 if |in_plane| is 9.81 or more.
/// @param in_plane  gravity in the plane [m/s^2]
BR_API double br_body_normal_gravity(br_vec2 in_plane);

/// Support of a body at its start: all contacts with BR_FRAME_BODY together. A body at rest on a level plane
/// has its CoM above the centre of pressure; the unbalanced torque is weight |cop|.
typedef struct br_body_stand {
    double weight; ///< mass br_body_normal_gravity() [N]
    double force;  ///< sum of the contacts' normal forces [N]
    br_vec2 cop;   ///< centre of pressure from the CoM, body axes [m]; (0, 0) without force
    double radius; ///< root mean square distance of the pressure from `cop` [m]
} br_body_stand;

/// Support of a body. Never allocates, never fails.
BR_API br_body_stand br_body_stand_eval(const br_body* body);

/// Shares of a body's weight that its feet bear, with the CoM above the common centre of pressure (CoP). Two and
/// three feet: the lever rule. More: the smallest sum of squares >= 0, as for feet on equal springs; a foot may
/// then bear nothing. The pressure within a patch does not change. If the CoM is above the convex hull of the
/// patches but not of their CoPs, the weight acts at the nearest point of the latter hull, and the remaining
/// torque is not balanced (br_body_stand_eval()). The height of the CoM is ignored: on a slope the shares are
/// those of a flat body.
/// @param body         the body; `contact` of its contacts may be NULL if `patch` is set; without a patch a foot
///                     counts as a disc of 1.5 r about its CoP. A patch that depends on the force is evaluated at
///                     equal shares
/// @param bears        nonzero for contacts that bear weight (contact_count)
/// @param[out] weight  values for br_body_contact.weight, 0 for contacts that bear none (contact_count)
/// @param[out] why     may be NULL
/// @return BR_OK, BR_ERR_MEMORY, or BR_ERR_DEF if the CoM is outside the hull of the patches
BR_API br_status br_body_share_weight(const br_body* body, const int* bears, double* weight,
                                      br_reason* why);

/// Friction of a body's contact; some of its parameters may follow the rule of br_law_from_mu().
typedef struct br_body_friction {
    br_law law;            ///< mu_s, mu_c and all parameters that do not follow the rule are given
    unsigned rule;         ///< parameters that follow the rule, sum of br_law_rule; 0: none
    const br_patch* patch; ///< patch of the contact; borrowed; NULL: `value` describes it
    br_patch_value value;  ///< r [m], u [m^2] and cop [m] of a contact without patch
    br_anisotropy anisotropy; ///< of the contact; ratio 0 and 1: isotropic
} br_body_friction;

/// Complete the friction laws of a body's contacts from mu alone. sigma0 of each follows from the r
/// of its patch. sigma1 and v_damping follow from T = br_law_damping_time(omega), where omega is
/// the mean frequency of the body's initial vibration modes on all contacts together. Normal forces
/// are the largest of each contact, with the initial gravity.
/// @param body             the body; `contact` of its contacts may be NULL; all else is valid, and `weight` is set
/// @param[in,out] friction friction of each contact; its `law` is completed (contact_count)
/// @param[out] modes       vibration modes of the body with the completed laws; may be NULL
/// @param[out] why         may be NULL
/// @return BR_OK or BR_ERR_MEMORY
BR_API br_status br_body_complete_friction(const br_body* body, br_body_friction* friction,
                                           br_modes* modes, br_reason* why);

/// Run a body. Contacts stick and slip as br_contact_slip_eval() defines it, with adaptive and with
/// fixed steps; a contact is open while its normal force is 0. The friction in a row contains the
/// errors of the bristles. While the body slides at v, an error of z within the tolerance becomes
/// sigma1 sigma0 v/g times that error of friction. That is 0.08 fn for 1e-10 m at 1 m/s with W&K's
/// parameters. The motion is not affected. Choose a smaller `atol_z` if this matters.
/// @param def        adaptive or fixed; fixed steps end at multiples of their size from the start, and also at breaks
///                   of the profiles
/// @param watch      gets BR_EVENT_STICK, _SLIP, _OPEN, _LEAVE and _OVERHANG; an overhanging patch keeps its pressure
///                   until the whole patch has left
/// @param[out] cost  may be NULL
/// @param[out] why   may be NULL; reports the time of a negative normal force, which is an error
/// @return BR_OK, BR_ERR_DEF, BR_ERR_MEMORY, BR_ERR_ABSENT, BR_ERR_STOPPED or BR_ERR_CONVERGENCE
BR_API br_status br_body_run(const br_body* body, const br_run_def* def, const br_run_watch* watch,
                             br_integrator_cost* cost, br_reason* why);

/// Number of bristle states of all contacts of a body: the length of br_body_state.z.
BR_API size_t br_body_get_state_count(const br_body* body);

/// A body that the caller advances step by step, as br_body_run() does with BR_INTEGRATOR_FIXED, with weight, motion, grip,
/// pusher, outline, loads and gravity. Use it from one thread at a time.
typedef struct br_body_stepper br_body_stepper;

/// Create a stepper. Copies the definition; borrows everything it points to, which must outlive the stepper.
/// The body starts at t = 0, or from `from`.
/// @param[out] out  the stepper, or NULL on failure; free it with br_body_stepper_destroy()
/// @param[out] why  may be NULL; filled when the result is not BR_OK
/// @return BR_OK, BR_ERR_DEF or BR_ERR_MEMORY
BR_API br_status br_body_stepper_create(const br_body* body, br_body_stepper** out, br_reason* why);

/// Free a stepper; NULL is allowed.
BR_API void br_body_stepper_destroy(br_body_stepper* stepper);

/// Current state of the body, owned by the stepper. The caller may change all numbers in it between steps, but not the
/// pointers. Before the first step it is the state that br_body_run() starts from.
BR_API br_body_state* br_body_stepper_get_state(br_body_stepper* stepper);

/// Parameters of a step. Start from br_body_step_def_default().
typedef struct br_body_step_def {
    size_t size; ///< set by the default function; do not touch
    double h;    ///< step size [s], 1e-100 to 1e20
    int order; ///< 1 or 2, see br_step_body; 0: 2 up to 1 ms, else 1, as br_body_run() chooses. A step in
               ///< which the pusher touches the body has order 1
    br_wrench load; ///< additional load on the body at the CoM, world axes [N, N, N m]
    /// Called for each event with its time; may be NULL.
    void (*event)(const br_run_event* event, void* user);
    void* user; ///< passed to `event`, borrowed
} br_body_step_def;

/// Default step of size h [s], automatic order, no additional load.
BR_API br_body_step_def br_body_step_def_default(double h);

/// Result of a step.
typedef struct br_body_step_result {
    /// Mean friction on the body of one of each contact's `count`, at its CoP, in the contact frame's axes [N, N, N m]
    /// (contact_count); valid until the next step
    const br_wrench* f;
    br_vec2 push;         ///< mean force of the pusher over the step, world axes [N]
    double work_loads;    ///< work of the loads, `load` included [J]
    double work_gravity;  ///< work of gravity [J]
    double work_contacts; ///< work of moving contacts and of the pusher [J]
    double dissipated;    ///< dissipated by friction [J]
    double numerical;     ///< lost by numerical damping of the body's motion [J]
    int passes;           ///< number of passes over the bristles
    bool converged;       ///< true: Newton's method converged
} br_body_step_result;

/// Advance a body by h. Same result as br_body_run() with fixed steps of h: a break of a profile within the step
/// splits it. Does not allocate.
/// @param[out] out  may be NULL
/// @param[out] why  may be NULL
/// @return BR_OK, BR_ERR_ARG (h, order, load, a state that is not finite), BR_ERR_DEF (normal force negative
///         within the step) or BR_ERR_CONVERGENCE; the state changes only with BR_OK
BR_API br_status br_body_step(br_body_stepper* stepper, const br_body_step_def* def,
                              br_body_step_result* out, br_reason* why);

#ifdef __cplusplus
}
#endif

#endif
