/*
 * Internal header of a body's run: its state, and how contacts and loads act on the body.
 *
 * The state is pose (x, y, theta), velocity (vx, vy, w) and the bristles of all contacts.
 */
#ifndef BRISTLE_SIM_BODY_INTERNAL_H
#define BRISTLE_SIM_BODY_INTERNAL_H

#include "bristle/body.h"
#include "bristle/step.h"

#include "math/mat3.h"
#include "sim/contact.h"
#include "sim/run.h"

enum { POSE = 0, VELOCITY = 3, BRISTLES = 6 }; // offsets in the state

// Frame of a wrench: axes turned by (cosine, sine) in the world, origin at `arm` from the CoM in its axes.
typedef struct lever {
    double cosine, sine;
    br_vec2 arm;
} lever;

// Motion of the ground that a contact touches, in the world, at the origin of the ground's frame.
typedef struct ground {
    br_pose at;
    br_twist v; // velocity
    br_twist a; // acceleration
} ground;

// A contact at an instant.
typedef struct contact_moment {
    double fn;            // normal force of one of `count` [N]
    double change;        // its rate [N/s]
    lever lever;          // from the CoM to the CoP
    br_twist twist;       // at the CoP
    br_contact_slip slip; // how it slips; its wrench f per normal force [-, -, m]
} contact_moment;

// Values of a contact in an output row.
typedef struct contact_row {
    br_wrench f; // friction at the origin of its frame, in the requested axes
    double tau_cop, fn, slip_rate, slipped, load;
} contact_row;

// A contact in a run.
typedef struct contact_run {
    const br_body_contact* def;
    contact contact;
    size_t at;            // its first state
    br_slip_state state;  // as last reported
    int steady;           // the normal force is constant in this smooth piece
    int open;             // no normal force on this smooth piece: no bristles, no friction
    br_outline* edge;     // hull of the patch; NULL: its position on the body is not checked
    int left;             // the patch has left the body: open for the rest of the run
    int overhangs;        // a part of the patch has left the body, and that was reported
    int moves;            // the ground moves, or its frame is not at the origin
    ground ground;        // as of the last bri_contact_run_move()
    double gripped;       // normal force that a grip controller holds [N]
    double instant;       // last instant of that controller, counted from 0 [-]
    br_profile clock;     // breaks at the controller's instants; constant without one
    double booked;        // normal force for which the ledger has the energy of the bristles [N]
    br_pose booked_at;    // and the pose over the other surface
    contact_moment now;   // at the last bri_body_update()
    contact_row row;      // of the last row
    double slip_rate;     // at the end of the last step [m/s]
    double rates[3];      // the same at start, middle and end of an adaptive step [m/s]
    double slip_distance; // integral of the slip rate so far [m]
    double slip_distance_before; // the same at the start of the last step [m]
    br_twist twist_before;       // at the CoP, at the start of the last step
    int relaxed;                 // the bristles were relaxed there
    double load;                 // share of the friction limit, when last measured [-]
    br_wrench load_f;            // the bristles' wrench then, per normal force [-, -, m]
    double most_load;            // largest `load` so far [-]; NaN: not requested

    // at the last linearisation
    double force;     // normal force of all `count` [N]
    mat3 by_pose;     // derivative of the twist at the CoP
    mat3 by_velocity; // the same; its transpose takes a wrench from the CoP to the CoM
    br_twist du;      // change of the twist at the CoP, by the last bri_body_solve_front()
} contact_run;

// Energies and works since the start [J], see br_body_get_columns().
typedef struct body_energy {
    double kinetic, stored, dissipated;
    double work_loads, work_gravity, work_normal, work_contacts;
    double residual;
} body_energy;

// Works since the start, by quadrature over the run [J]; or powers at an instant [W].
typedef struct body_powers {
    double friction; // taken from the body
    double loads;    // given to it
    double gravity;  // by the part of gravity that changes over time
    double ground;   // by moving ground and a moving pusher
    double bristles; // put into the bristles at constant normal force
    double normal;   // put into the bristles by changes of normal force
} body_powers;

typedef struct body_ledger {
    double t0, t;                            // start and end of the last step [s]
    body_powers before, sum;                 // at these times
    body_powers at_start, at_middle, at_end; // powers of the step
    double start;                            // kinetic and stored at the start [J]
} body_ledger;

// Fixed steps: memory, and the last step.
typedef struct body_steps {
    br_step_body body;
    br_wrench load;            // additional load on the CoM, world axes [N, N, N m]
    br_wrench push;            // of the pusher on the CoM, over the last step [N, N, N m]
    double press;              // normal force of its tip at the step's end [N]
    br_body_step_result sum;   // over all steps since the caller reset it; its f is not used
    br_wrench* impulse;        // of one of each contact since that reset, or NULL [N s, N s, N m s]
    br_step_contact* contacts; // (contact_count); NULL: steps are adaptive
    double* work;              // of br_step_coupled()
    double t0, t1;             // of the last step; t0 = t1: none yet [s]
    body_energy before, after; // at its ends
    double heat, gravity;      // dissipated energy and work of gravity so far [J]
} body_steps;

typedef struct body_system {
    const br_body* body;
    const br_run_def* def;
    const br_run_watch* watch;
    run_row row;
    contact_run* contacts; // (contact_count)
    size_t n;              // states
    br_body_state start;   // initial state; its arrays are those of br_body.from, or NULL
    int is_started;        // the first smooth piece has been entered
    int has_edges;         // some contact may leave the body
    int has_jumps;         // some contact jumps where the cells of a field of mu meet
    int is_turned;         // gravity in the plane changes over time
    double within;         // a time inside the current smooth piece [s]
    double longest_step;   // longest step that resolves all profiles [s]

    // the last evaluation by bri_body_update(), to which `now` of the contacts belongs; cached because
    // the integrator often requests it again
    double cached_t;  // NAN: none
    double* cached_y; // (n)
    double* rates;    // (n)

    body_ledger ledger;
    body_steps steps;
    double* y_middle;     // scratch (n)
    double* rates_middle; // scratch (n)

    // linear algebra, see bri_body_factor()
    mat3 pull;             // d(wrench on the CoM)/d(pose) at fixed bristles and contact twists
    mat3 drag;             // d(wrench of the pusher on the CoM)/d(velocity)
    mat3 by_pose;          // -d(acceleration)/d(pose), bristles eliminated
    mat3 inverse;          // of shift I - d(acceleration)/d(velocity), all else eliminated
    double per_shift;      // 1/shift
    double per_inertia[3]; // 1/mass, 1/mass, 1/inertia
} body_system;

// Update the motion of a contact's ground to time t; does nothing where the ground does not move.
void bri_contact_run_move(const body_system* s, contact_run* h, double t);
int bri_contact_run_is_moved(const contact_run* h);

// Derivatives of the twist at the CoP: fills by_pose and by_velocity.
void bri_contact_run_twist_slopes(contact_run* h, const lever* l, br_pose pose, br_twist v);

// Add the effect of the ground's motion to dfdt of the bristles and to the slope of the wrench. Call
// bri_contact_linearise() first; `more` is scratch of the contact's states.
void bri_contact_run_ground_slopes(const contact_run* h, const lever* l, const double* y,
                                   double* dfdt, double* more, br_wrench* slope);

static inline void add_wrench(br_wrench* sum, double factor, br_wrench f)
{
    sum->fx += factor * f.fx;
    sum->fy += factor * f.fy;
    sum->tau += factor * f.tau;
}

// Twist of the body at the end of a lever, in the lever's axes; and a wrench there, moved to the CoM.
static inline br_twist twist_at(const lever* l, br_twist v)
{
    return (br_twist){l->cosine * v.vx + l->sine * v.vy - v.w * l->arm.y,
                      l->cosine * v.vy - l->sine * v.vx + v.w * l->arm.x, v.w};
}

static inline br_wrench wrench_from(const lever* l, br_wrench f)
{
    return (br_wrench){l->cosine * f.fx - l->sine * f.fy, l->sine * f.fx + l->cosine * f.fy,
                       f.tau + l->arm.x * f.fy - l->arm.y * f.fx};
}

static inline br_pose pose_of(const double* y)
{
    return (br_pose){y[POSE], y[POSE + 1], y[POSE + 2]};
}

static inline br_twist velocity_of(const double* y)
{
    return (br_twist){y[VELOCITY], y[VELOCITY + 1], y[VELOCITY + 2]};
}

// The lever of a contact for a body at `pose`, from the CoM to the CoP in the contact frame's axes.
static inline lever contact_lever(const contact_run* h, br_pose pose)
{
    const br_vec2 cop = h->contact.value.cop;
    if (h->def->frame == BR_FRAME_BODY) {
        return (lever){cos(pose.theta), sin(pose.theta), br_vec2_add(h->def->at, cop)};
    }
    const ground* g = &h->ground;
    const br_vec2 from_com = {g->at.x - pose.x, g->at.y - pose.y};
    if (!h->moves) {
        return (lever){1.0, 0.0, br_vec2_add(from_com, cop)};
    }
    return (lever){cos(g->at.theta), sin(g->at.theta),
                   br_vec2_add(br_vec2_rotate(from_com, -g->at.theta), cop)};
}

// The pose `of` in the frame `in`.
static inline br_pose pose_within(br_pose in, br_pose of)
{
    const br_vec2 at = br_vec2_rotate((br_vec2){of.x - in.x, of.y - in.y}, -in.theta);
    return (br_pose){at.x, at.y, of.theta - in.theta};
}

// Pose of the contact frame over the surface that the patch slides on: the ground, for a patch on the body, else the
// body. `dt` [s] later, if both move on as they do.
static inline br_pose contact_pose_after(const contact_run* h, br_pose pose, br_twist v, double dt)
{
    const br_pose body = br_pose_advance(pose, v, dt),
                  under = br_pose_advance(h->ground.at, h->ground.v, dt);
    if (h->def->frame == BR_FRAME_WORLD) {
        return pose_within(body, under);
    }
    const br_vec2 at = br_pose_apply(body, h->def->at);
    return pose_within(under, (br_pose){at.x, at.y, body.theta});
}

// The same at the pose of y; 0 for a contact that does not depend on it.
static inline br_pose contact_pose_over(const contact_run* h, const double* y)
{
    const br_pose none = {0.0, 0.0, 0.0};
    return h->contact.on_pose ? contact_pose_after(h, pose_of(y), (br_twist){0.0, 0.0, 0.0}, 0.0)
                              : none;
}

// Update a contact to the normal force fn and to the pose of y; its ground must have been moved.
static inline void contact_fill(contact_run* h, double fn, const double* y)
{
    bri_contact_fill_at(&h->contact, fn, contact_pose_over(h, y));
}

// Twist of the ground, rigidly extended to the CoM; and the twist of the body relative to it.
static inline br_twist contact_ground_twist(const contact_run* h, br_pose pose)
{
    const ground* g = &h->ground;
    return (br_twist){g->v.vx - g->v.w * (pose.y - g->at.y), g->v.vy + g->v.w * (pose.x - g->at.x),
                      g->v.w};
}

static inline br_twist contact_relative_twist(const contact_run* h, br_pose pose, br_twist v)
{
    if (!h->moves) {
        return v;
    }
    const br_twist g = contact_ground_twist(h, pose);
    return (br_twist){v.vx - g.vx, v.vy - g.vy, v.w - g.w};
}

// Twist at the CoP of a contact, with a known lever or without.
static inline br_twist contact_twist_by(const contact_run* h, const lever* l, const double* y)
{
    return twist_at(l, contact_relative_twist(h, pose_of(y), velocity_of(y)));
}

static inline br_twist contact_twist(const contact_run* h, const double* y)
{
    const lever l = contact_lever(h, pose_of(y));
    return contact_twist_by(h, &l, y);
}

// A fixed step with a pusher, whose force is implicit, too. Contacts are those of body_steps, `load` the
// sum of loads and gravity. The energies of the result are those of the body's own mass.
br_step_result bri_body_push_step(body_system* s, double t, double h, br_wrench load, double* y,
                                  br_twist* v);

// Wrench of the pusher on the CoM, and its derivatives by pose, velocity and time; 0 without a pusher.
br_wrench bri_body_push(const body_system* s, double t, const double* y);
void bri_body_push_slopes(const body_system* s, double t, const double* y, br_wrench* slope,
                          mat3* by_pose, mat3* by_velocity);

// Gravity in the plane at time t, world axes [m/s^2]; slope may be NULL.
br_vec2 bri_body_gravity(const body_system* s, double t, br_vec2* slope);

// The same at t = 0, of a body that has no system yet.
br_vec2 bri_body_start_gravity(const br_body* body);

// Normal force of one of a contact's `count` at time t [N], and its rate; slope may be NULL.
double bri_contact_run_force(const body_system* s, const contact_run* h, double t, double* slope);

// Prepare a contact's grip controller, if it has one; and run it at the start t of a smooth piece, if that
// is one of the controller's instants.
void bri_contact_run_grip_create(contact_run* h);
void bri_contact_run_grip(const body_system* s, contact_run* h, double t, const double* y);

// Is the normal force constant in the current smooth piece?
int bri_contact_run_is_steady(const body_system* s, const contact_run* h);

// Memory of a run besides its contacts.
typedef struct body_memory {
    double* doubles;             // state, tolerances, scratch
    double *y, *atol;            // the first two of them (n)
    const br_profile** profiles; // all, NULL at the end
} body_memory;

// Allocate a system for s->body, s->def and s->watch, and set its initial state. bri_body_release() frees
// it, after a failure, too.
br_status bri_body_prepare(body_system* s, body_memory* memory, br_reason* why);
void bri_body_release(body_system* s, body_memory* memory);

// The callbacks of the system for a run.
run_system bri_body_run_system(body_system* s, const body_memory* memory);

// State of the contacts besides their bristles (contact_count).
void bri_body_get_contacts(const body_system* s, br_body_contact_state* out);
void bri_body_set_contacts(body_system* s, const br_body_contact_state* from);

// Prepare to check whether a contact's patch is on the body.
br_status bri_contact_run_edge_create(const body_system* s, contact_run* h, br_reason* why);
void bri_contact_run_edge_release(contact_run* h);

// Distance by which a part of the patch, or all of it, is on the body [m], < 0: off it; needs h->edge.
double bri_contact_run_on_body(const body_system* s, const contact_run* h, const double* y);
double bri_contact_run_within_body(const body_system* s, const contact_run* h, const double* y);

// Set the bristles at t = 0 as br_body.start requests; and those of a contact that was open and presses
// with now.fn from t on.
void bri_body_set_start(body_system* s, double* y);
void bri_contact_run_touch(const body_system* s, contact_run* h, double t, double* y);

// Sum of the loads at time t, at the CoM; slope (time derivative) and by_pose may be NULL.
br_wrench bri_body_loads(const body_system* s, double t, br_pose pose, br_wrench* slope,
                         mat3* by_pose);

// The callbacks of br_ode.
void bri_body_rate(double t, const double* y, double* dy, void* user);
void bri_body_linearise(double t, const double* y, double* dfdt, void* user);
int bri_body_factor(double shift, void* user);
void bri_body_solve(double* b, void* user);

// The callbacks of stage_passes.
void bri_body_take_stage(const stage* g, void* user);
double bri_body_end_step(const stage_end* g, void* user);

// Rates of pose and velocity, into dy, by the sum of all wrenches on the CoM.
void bri_body_accelerate(const body_system* s, double t, const double* y, br_wrench sum,
                         double* dy);

// Add the effect of eliminated bristles on the body to `sum`; `back` is from bri_contact_eliminate().
void bri_contact_run_add_back(const contact_run* h, br_wrench back, br_wrench* sum);

// Solve for the body after all bristles are eliminated; x has the right side. Sets du of every contact.
void bri_body_solve_front(body_system* s, br_wrench back, double* x);

// Evaluate at (t, y), unless that was the last evaluation; updates `now` of the contacts.
void bri_body_update(body_system* s, double t, const double* y);

// Fill in a contact at (t, y), except `slip`. Reads only pose and velocity of y.
void bri_contact_run_place(const body_system* s, contact_run* h, double t, const double* y,
                           contact_moment* m);

// A contact at (t, y), and the rates of its bristles. Without `slips` only the wrench of `slip` is filled
// in; with `slips` dz may be NULL.
contact_moment bri_contact_run_at(const body_system* s, contact_run* h, double t, const double* y,
                                  double* dz, int slips);

// Energy ledger: restart at (t, y), where the system may have jumped; add the integrator's last step.
// Energy and slip distance at a time within that step; adaptive steps use the normal forces of the row.
void bri_body_ledger_restart(body_system* s, double t, const double* y);
void bri_body_ledger_pass(void* system, const br_integrator* integrator, double t, const double* y);
body_energy bri_body_ledger_energy(const body_system* s, double t, const double* y);
double bri_body_ledger_slipped(const body_system* s, const contact_run* h, double t);

// Add the work that the change of normal force and pressure to those of `fn` does on the bristles, and that of the
// change to the friction at the pose of y.
void bri_body_ledger_book(body_system* s, contact_run* h, double fn, const double* y);

// The field of a contact, body_field.c: a time in which a contact with this twist moves by a small length [s]; hold the
// cells of its points just ahead of (t, y); the distance to their edges, > 0 before; the longest step that sees the
// field's cells.
double bri_contact_run_short_time(const contact_run* h, br_twist u);
void bri_contact_run_hold_field(contact_run* h, const double* y);
double bri_contact_run_to_edge(const contact_run* h, const double* y);
double bri_contact_run_field_step(const contact_run* h, const double* y);

// Add the slopes of friction by the field alone, at fixed bristles: d(wrench on the CoM)/d(pose), and its time
// derivative by the motion of the ground; dfdt of the bristles. `scratch` is of the contact's states.
void bri_contact_run_field_slopes(contact_run* h, const double* y, double* dfdt, double* scratch,
                                  mat3* by_pose, br_wrench* slope);

// Fixed steps, by br_step_coupled(): of order 2 up to 1 ms, of order 1 above.
br_status bri_body_steps_create(body_system* s, double* y, br_reason* why);
void bri_body_steps_release(body_system* s);
size_t bri_body_advance(double t, double h, double* y, void* user);

// The order used for a step of h [s].
int bri_body_step_order(double h);

// The rows of a run: start them, and report the one of time t.
br_status bri_body_row_create(body_system* s, br_reason* why);
void bri_body_emit(void* system, double t, const double* y);

// Energy and slip distance at a time within the last fixed step, linear between its ends.
body_energy bri_body_steps_energy(const body_system* s, double t);
double bri_body_steps_slipped(const body_system* s, const contact_run* h, double t);

// Slip of a contact with the twist v at its CoP, at its current pressure and slip state; dz: rates of its
// bristles, may be NULL.
br_contact_slip bri_contact_run_slip(const contact_run* h, const double* y, br_twist v, double* dz);

// The share of the friction limit that the contact carries; and an update of its largest value.
double bri_contact_run_load(const contact_run* h, const double* y);
void bri_contact_run_note_load(contact_run* h, const double* y);
void bri_body_event(double t, const double* y, double* g, void* user);

// Check the definition of a body and its run; check a state of the body.
br_status bri_body_check(const br_body* body, const br_run_def* def, br_reason* why);
br_status bri_body_check_state(const br_body* body, const br_body_state* at, br_reason* why);

#endif
