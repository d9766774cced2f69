/*
 * The inside of a body's run: its state, and how its contacts and loads act on it.
 *
 * The state is pose (x, y, theta), velocity (vx, vy, w) and the bristles of all contacts.
 */
#ifndef BRISTLE_SIM_BODY_INTERNAL_H
#define BRISTLE_SIM_BODY_INTERNAL_H

#include "bristle/body.h"
#include "bristle/step.h"

#include "math/mat3.h"
#include "sim/contact.h"

enum { POSE = 0, VELOCITY = 3, BRISTLES = 6 }; // where the parts of the state begin

// Where a wrench acts: axes turned by (cosine, sine) in the world, at `arm` from the CoM in these axes.
typedef struct lever {
    double cosine, sine;
    br_vec2 arm;
} lever;

// Motion of what a contact touches, in the world: of the origin of its frame.
typedef struct ground {
    br_pose at;
    br_twist v; // velocity
    br_twist a; // acceleration
} ground;

// A contact at an instant.
typedef struct held_moment {
    double fn;            // normal force of one of `count` [N]
    double change;        // of it [N/s]
    lever lever;          // from the CoM to the CoP
    br_twist twist;       // at the CoP
    br_contact_slip slip; // how it slips; its wrench f per normal force [-, -, m]
} held_moment;

// A contact in a run.
typedef struct held {
    const br_body_contact* def;
    contact contact;
    size_t at;              // its first state
    br_contact_state state; // as last told
    int steady;             // the normal force is the same all over this smooth piece
    int open;               // no normal force on this smooth piece: no bristles, no friction
    br_outline* edge;       // hull of the patch; NULL: nobody asks whether it is on the body
    int left;               // the patch has left the body: open for good
    int overhangs;          // a part of it has, and that was told
    int moves;              // the ground has a place of its own, mostly over time
    ground ground;          // as of the last bri_held_move()
    double gripped;         // normal force that a grip controller holds [N]
    double instant;         // the last of its instants that it has seen, counted from 0 [-]
    br_profile clock;       // breaks at its instants; without one it is constant
    double booked;     // normal force up to which the ledger has the work put into the bristles [N]
    held_moment now;   // at the last bri_body_update()
    double slip_rate;  // at the end of the last step [m/s]
    double rates[3];   // the same at its begin, middle and end, in adaptive steps [m/s]
    double way;        // slipped so far, the integral of the slip rate [m]
    double way_before; // the same at the begin of the last step [m]
    br_twist twist_before; // at the CoP there
    int relaxed;           // its bristles were, there
    double load;           // where it was last measured [-]
    br_wrench load_f;      // the bristles' wrench there, per normal force [-, -, m]
    double most_load;      // largest share of what friction can hold so far [-]; NaN: nobody asks

    // at the last linearisation
    double force;     // normal force of all `count` [N]
    mat3 by_pose;     // of the twist at the CoP
    mat3 by_velocity; // the same; transposed it takes the wrench to the CoM
    br_twist du;      // of the twist at the CoP, by the last bri_body_solve_front()
} held;

// Energy that has gone since the start, by quadrature over the run [J], and the powers where that has
// come to [W].
typedef struct body_powers {
    double friction; // taken from the body
    double loads;    // given to it
    double gravity;  // by the part of gravity that changes
    double ground;   // by ground and a pusher that move
    double bristles; // put into the bristles, at the normal force that is
    double normal;   // put into the bristles by changes of normal force
} body_powers;

typedef struct body_ledger {
    double t0, t;                   // the last step, and how far [s]
    body_powers before, sum;        // at these times
    body_powers begin, middle, now; // powers at its begin, middle and end
    double start;                   // kinetic and stored at the start [J]
} body_ledger;

// Fixed steps: what they need, and the last one.
typedef struct body_steps {
    br_step_body body;
    br_step_contact* contacts;    // (contact_count); NULL: steps are adaptive
    double* work;                 // of br_step_coupled()
    double t0, t1;                // of the last step; t0 = t1: none yet [s]
    br_body_energy before, after; // at its ends
    double heat, gravity;         // so far: what became heat, what gravity gave [J]
} body_steps;

typedef struct body_system {
    const br_body* body;
    const br_run_def* def;
    const br_run_watch* watch;
    held* contacts; // (contact_count)
    size_t n;       // states
    int has_edges;  // some contact may leave the body
    int is_turned;  // gravity in the plane changes over time
    double within;  // a time inside the smooth piece that counts [s]
    double swing;   // longest step that follows the swings of all profiles [s]

    // the last evaluation by bri_body_update(), which the integrator often asks for again: what `now`
    // of the contacts belongs to
    double kept_t;  // NAN: none
    double* kept_y; // (n)
    double* rates;  // (n)

    body_ledger ledger;
    body_steps steps;
    double* y_middle;     // scratch (n)
    double* rates_middle; // scratch (n)

    // what a row points to (contact_count)
    br_wrench* row_f;
    double* row_fn;
    double* row_slipped;
    double* row_slip_rate;
    double* row_tau_cop;
    double* row_load;
    double* row_most_load;
    br_contact_state* row_state;

    // linear algebra, see bri_body_factor()
    mat3 pull;             // d(wrench on the CoM)/d(pose) at fixed bristles and contact twists
    mat3 drag;             // d(wrench of the pusher on the CoM)/d(velocity)
    mat3 by_pose;          // -d(acceleration)/d(pose), bristles eliminated
    mat3 inverse;          // of shift I - d(acceleration)/d(velocity), all else eliminated
    double per_shift;      // 1/shift
    double per_inertia[3]; // 1/mass, 1/mass, 1/inertia
} body_system;

// Bring the motion of what a contact touches to time t; nothing happens where it stays.
void bri_held_move(const body_system* s, held* h, double t);
int bri_held_is_moved(const held* h);

// Derivatives of the twist at the CoP: fills by_pose and by_velocity.
void bri_held_twist_slopes(held* h, const lever* l, br_pose pose, br_twist v);

// Add to dfdt of the bristles and to the wrench's slope what the motion of the ground alone does, after
// bri_contact_linearise(); `more` is scratch of the contact's states.
void bri_held_ground_slopes(const held* h, const lever* l, const double* y, double* dfdt,
                            double* more, br_wrench* slope);

static inline void add_wrench(br_wrench* sum, double factor, br_wrench f)
{
    sum->fx += factor * f.fx;
    sum->fy += factor * f.fy;
    sum->tau += factor * f.tau;
}

// Twist of the body at the end of a lever, in its axes, and the wrench there taken to the CoM.
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
static inline lever held_lever(const held* h, br_pose pose)
{
    const br_vec2 cop = h->contact.value.cop;
    if (h->def->frame == BR_FRAME_BODY) {
        return (lever){cos(pose.theta), sin(pose.theta), cop};
    }
    const ground* g = &h->ground;
    const br_vec2 from_com = {g->at.x - pose.x, g->at.y - pose.y};
    if (!h->moves) {
        return (lever){1.0, 0.0, br_vec2_add(from_com, cop)};
    }
    return (lever){cos(g->at.theta), sin(g->at.theta),
                   br_vec2_add(br_vec2_rotate(from_com, -g->at.theta), cop)};
}

// Twist of the ground, rigidly extended to the CoM, and that of the body relative to it.
static inline br_twist held_ground_twist(const held* h, br_pose pose)
{
    const ground* g = &h->ground;
    return (br_twist){g->v.vx - g->v.w * (pose.y - g->at.y), g->v.vy + g->v.w * (pose.x - g->at.x),
                      g->v.w};
}

static inline br_twist held_relative(const held* h, br_pose pose, br_twist v)
{
    if (!h->moves) {
        return v;
    }
    const br_twist g = held_ground_twist(h, pose);
    return (br_twist){v.vx - g.vx, v.vy - g.vy, v.w - g.w};
}

// Twist at the CoP of a contact, with its lever at hand or without.
static inline br_twist held_twist_by(const held* h, const lever* l, const double* y)
{
    return twist_at(l, held_relative(h, pose_of(y), velocity_of(y)));
}

static inline br_twist held_twist(const held* h, const double* y)
{
    const lever l = held_lever(h, pose_of(y));
    return held_twist_by(h, &l, y);
}

// What the pusher does to the CoM, and how that changes with pose, velocity and time; nothing without one.
br_wrench bri_body_push(const body_system* s, double t, const double* y);
void bri_body_push_slopes(const body_system* s, double t, const double* y, br_wrench* slope,
                          mat3* by_pose, mat3* by_velocity);

// Gravity in the plane at time t, world axes [m/s^2]; slope may be NULL.
br_vec2 bri_body_gravity(const body_system* s, double t, br_vec2* slope);

// Normal force of one of a contact's `count` at time t [N], and its rate; slope may be NULL.
double bri_held_force(const body_system* s, const held* h, double t, double* slope);

// Prepare a contact's grip controller, if it has one, and ask it at the time t of a piece's begin, which
// may be one of its instants.
void bri_held_grip_create(held* h);
void bri_held_grip(const body_system* s, held* h, double t, const double* y);

// Is it the same all over a smooth piece?
int bri_held_is_steady(const body_system* s, const held* h);

// Prepare to watch whether a contact's patch is on the body.
br_status bri_held_edge_create(const body_system* s, held* h, br_reason* why);
void bri_held_edge_release(held* h);

// How far some of the patch, and how far all of it, is on the body [m], < 0: off it; for those watched.
double bri_held_on_body(const body_system* s, const held* h, const double* y);
double bri_held_within_body(const body_system* s, const held* h, const double* y);

// Put the bristles where `start` says, at t = 0; and those of a contact that was open and presses with
// now.fn from t on.
void bri_body_begin(body_system* s, double* y);
void bri_held_touch(const body_system* s, held* h, double t, double* y);

// Sum of the loads at time t, at the CoM. With slope: their rates, too; with by_pose: derivatives.
br_wrench bri_body_loads(const body_system* s, double t, br_pose pose, br_wrench* slope,
                         mat3* by_pose);

// The callbacks of br_ode.
void bri_body_rate(double t, const double* y, double* dy, void* user);
void bri_body_linearise(double t, const double* y, double* dfdt, void* user);
int bri_body_factor(double shift, void* user);
void bri_body_solve(double* b, void* user);

// Those of stage_passes.
void bri_body_take_stage(const stage* g, void* user);
double bri_body_end_step(const stage_end* g, void* user);

// Rates of pose and velocity, into dy, by the sum of all wrenches on the CoM.
void bri_body_accelerate(const body_system* s, double t, const double* y, br_wrench sum,
                         double* dy);

// Eliminated bristles: add what they do to the body to `sum`, in proportion to bri_contact_eliminate().
void bri_held_add_back(const held* h, br_wrench back, br_wrench* sum);

// Solve for the body, its right side in x, when all bristles are eliminated, which gives the du of every contact.
void bri_body_solve_front(body_system* s, br_wrench back, double* x);

// Evaluate at (t, y), unless that was the last evaluation: brings `now` of the contacts up to date.
void bri_body_update(body_system* s, double t, const double* y);

// Fill in a contact at (t, y), but for how it slips: nothing but pose and velocity are read of y.
void bri_held_place(const body_system* s, held* h, double t, const double* y, held_moment* m);

// A contact at (t, y), and the rates of its bristles; without `slips` only its wrench is filled in of
// `slip`. With it dz may be NULL.
held_moment bri_held_at(const body_system* s, held* h, double t, const double* y, double* dz,
                        int slips);

// The ledger: begin anew at (t, y) where the system may have jumped; go on over the integrator's last
// step. Energy and a contact's way at a time within that; `fn` is the force of each contact there.
void bri_body_ledger_begin(body_system* s, double t, const double* y);
void bri_body_ledger_pass(void* system, const br_integrator* integrator, double t, const double* y);
br_body_energy bri_body_ledger_energy(const body_system* s, double t, const double* y,
                                      const double* fn);
double bri_body_ledger_way(const body_system* s, const held* h, double t);

// Book what the change of a contact's normal force and pressure to those of `fn` puts into its bristles.
void bri_body_ledger_book(body_system* s, held* h, double fn, const double* z);

// Fixed steps, by br_step_coupled(): of order 2 up to 1 ms, of order 1 above.
br_status bri_body_steps_create(body_system* s, double* y, br_reason* why);
void bri_body_steps_release(body_system* s);
size_t bri_body_advance(double t, double h, double* y, void* user);

// Energy and a contact's way at a time within the last step, linear between its ends.
br_body_energy bri_body_steps_energy(const body_system* s, double t);
double bri_body_steps_way(const body_system* s, const held* h, double t);

// How a contact, spread as it is, slips with the twist v at its CoP, going on from its state; dz: rates
// of its bristles, may be NULL.
br_contact_slip bri_held_slip(const held* h, const double* y, br_twist v, double* dz);

// The share of what friction can hold that it carries; keep the largest so far.
double bri_held_load(const held* h, const double* y);
void bri_held_note_load(held* h, const double* y);
void bri_body_event(double t, const double* y, double* g, void* user);

// Are body and run well defined?
br_status bri_body_check(const br_body* body, const br_run_def* def, br_reason* why);

#endif
