/// @file mechanism.h
/// Motion of a mechanism with friction at one contact point.
///
/// Huang et al. (H+), section VI. A mechanism is a struct of callbacks that compute M, Q, A, b and
/// J of constrained.h at any instant; write your own, or use one of those at the end of this header.
/// Constraints may depend on time, A qd = c(q, t), (2): a shaken floor, a turning wire. The callbacks
/// then set `rate` = -c and the motion of the surface at the contact point.
/// Memoryless laws switch between stick and slip at located instants. The contact is two-sided: a
/// bead on its wire, not a foot on the ground.
#ifndef BRISTLE_MECHANISM_H
#define BRISTLE_MECHANISM_H

#include <stdbool.h>

#include "bristle/constrained.h"
#include "bristle/math.h"
#include "bristle/profile.h"
#include "bristle/run.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Maximum number of profiles of a mechanism.
#define BR_MECHANISM_PROFILES 16

/// Time and state of a mechanism at one instant.
typedef struct br_mechanism_at {
    double t;         ///< time [s]
    double within;    ///< a time inside the smooth piece of the profiles to evaluate [s]
    const double* q;  ///< coordinates (n)
    const double* qd; ///< velocities (n)
} br_mechanism_at;

/// Terms of a mechanism at one instant. The run owns the arrays and sets them to 0 before each call. Code that calls the
/// mechanisms of this header itself may set rate, surface_velocity and surface_acceleration to NULL.
typedef struct br_mechanism_terms {
    double* M;        ///< mass matrix (n x n)
    double* Q;        ///< applied force, with centrifugal and Coriolis terms (n)
    double potential; ///< potential energy [J]
    double power;     ///< power of the applied forces that are not in the potential [W]
    double* A;        ///< constraints (m x n), the rows of the contact first
    double* b;        ///< right-hand side of A qdd = b, (7) (m)
    double* gap;      ///< what the constraints keep at zero, d(gap)/dq = A [m] (m)
    double* rate;     ///< d(gap)/dt at fixed q, -c of (2); 0: the constraint is at rest [m/s] (m)
    double* point;    ///< contact point [m] (d)
    double* J;        ///< its Jacobian (d x n)
    double* bias;     ///< Jd qd [m/s^2] (d)
    double* normal;   ///< unit normals; row i of A is parallel to normal_i J (normals x d)
    /// velocity of the surface at the contact point [m/s] (d); only its tangential part is used, the
    /// part along the normals follows from `rate`
    double* surface_velocity;
    /// acceleration of the surface's particle at the contact point [m/s^2] (d); tangential part only
    double* surface_acceleration;
} br_mechanism_terms;

/// Meaning of the coordinates of a mechanism, and the column names of coordinates and velocities.
typedef enum br_coordinates {
    BR_COORDINATES_ANY,    ///< anything [m or rad]: q1, q2, ...; qd1, qd2, ...
    BR_COORDINATES_ANGLES, ///< [rad]: theta1, theta2, ...; w1, w2, ...
    BR_COORDINATES_POINT   ///< the contact point itself [m], n = d: x, y(, z); vx, vy(, vz)
} br_coordinates;

/// A mechanism. Callbacks fill their part of the terms and must not fail.
typedef struct br_mechanism {
    size_t n;       ///< number of coordinates, 1 to BR_CONSTRAINED_MOST
    size_t m;       ///< number of constraints, normals to BR_CONSTRAINED_MOST
    size_t d;       ///< dimensions of the contact point, 2 or 3
    size_t normals; ///< number of normals: 1, or 2 in space (a wire); memoryless laws need d - 1

    /// M, Q, potential and power
    void (*dynamics)(const br_mechanism_at* at, br_mechanism_terms* out, void* user);
    /// A, b, gap and, if they depend on time, rate
    void (*constraint)(const br_mechanism_at* at, br_mechanism_terms* out, void* user);
    /// point, J, bias, normal and, if the surface moves, surface_velocity and surface_acceleration
    void (*contact)(const br_mechanism_at* at, br_mechanism_terms* out, void* user);

    br_coordinates coordinates; ///< meaning of the coordinates, for the names of columns
    /// all profiles that the callbacks use, borrowed; unused entries are NULL
    const br_profile* profiles[BR_MECHANISM_PROFILES];
    void* user; ///< passed to the callbacks, borrowed
} br_mechanism;

/// Definition of a run. Start from br_mechanism_def_default().
typedef struct br_mechanism_def {
    size_t size;            ///< set by the default function; do not touch
    br_mechanism mechanism; ///< the mechanism
    const double* q;        ///< initial coordinates (n)
    const double* qd;       ///< initial velocity (n), or NULL: at rest
    bool project; ///< true: move a start that violates the constraint onto it; false: refuse it
    br_law law;   ///< friction at the contact; Coulomb and stiction: mu_c may be 0
    br_dahl_form dahl;             ///< for Dahl only
    const br_dahl_axes* dahl_axes; ///< for BR_DAHL_PER_AXIS and BR_DAHL_AS_PRINTED, or NULL: sigma0
                                   ///< and alpha of the law for all axes; borrowed
    br_normal normal;              ///< which normal force
    /// friction of the coordinates themselves, bearings (n), or NULL: none; borrowed. Laws with a state, at normal
    /// force 1: mu_c [N or N m], sigma0 per m or rad; mu_c = 0: only sigma2 is used
    const br_law* joints;
    double stabilisation; ///< Baumgarte's rate [1/s], >= 0
} br_mechanism_def;

/// Summary of a run.
typedef struct br_mechanism_report {
    br_integrator_cost cost; ///< cost of the integration
    double drift;            ///< largest |gap| of a row [m]
    double residual;         ///< largest energy residual of a row [J]
    double
        turnover; ///< largest kinetic + |potential| + |work_applied| + |work_constraints| + 100 fn atol
                  ///< of a row [J]
    double margin;        ///< smallest Painleve margin of a row [-], see br_constrained_slide_value
    double kinetic;       ///< kinetic energy at the end [J]
    double potential;     ///< potential energy at the end minus that at the start [J]
    double work_applied;  ///< work of the applied forces that are not in the potential [J]
    double work_friction; ///< work of friction [J]
    double work_constraints; ///< work of moving constraints and surfaces [J]
    /// smallest normal force of a row [N]. Constraints hold in both directions, like a slot: below 0 they pull, where a
    /// body that only rests on a surface would lift off
    double fn_min;
    double fn_min_t; ///< when [s]
} br_mechanism_report;

/// Columns of the rows of a mechanism.
///
/// BR_COLUMNS_MAIN:
/// - t: time [s]
/// - coordinates and velocities, named by br_coordinates
/// - x, y(, z): contact point [m], unless the coordinates are that
/// - fn: normal force [N], signed along its normal, for two normals its size
/// - fx, fy(, fz): friction on the mechanism at the contact point [N]
/// - f1, f2, ..., with `joints`: friction of the coordinates themselves [N or N m]
/// - mode: slide or stick; laws with a state stick if their resistance is below 0.99 mu_c fn
///
/// BR_COLUMNS_ENERGY [J], works since the start:
/// - work_applied: of the applied forces that are not in the potential
/// - work_friction: of friction against the slip, joints included
/// - work_constraints: of moving constraints and surfaces
/// - residual: energy minus its start value minus the three works
///
/// BR_COLUMNS_MORE: drift, |gap| [m].
/// @param sets      sum of br_column_set
/// @param[out] out  the columns; may be NULL
/// @return number of columns
BR_API size_t br_mechanism_get_columns(const br_mechanism_def* def, unsigned sets, br_column* out);

/// Default definition: Coulomb friction, geometric normal force, stabilisation 20/s; `mechanism` and `q` must be set.
BR_API br_mechanism_def br_mechanism_def_default(void);

/// Check a definition and its start without running it.
/// @param[out] why  may be NULL
/// @return BR_OK, BR_ERR_DEF (field "start" if it violates the constraint; "rate" or "b" if A, b, gap and
BR_API br_status br_mechanism_check(const br_mechanism_def* def, br_reason* why);

/// Run a mechanism. With a memoryless law there are events where the contact sticks, slips, reverses and folds.
/// @param run          adaptive; default tolerances 1e-11 and 1e-12
/// @param[out] report  may be NULL
/// @param[out] why     may be NULL
/// @return as br_mechanism_check(), with "rate" and "b" checked at every row, and BR_ERR_ABSENT, BR_ERR_STOPPED or
///         BR_ERR_CONVERGENCE
BR_API br_status br_mechanism_run(const br_mechanism_def* def, const br_run_def* run,
                                  const br_run_watch* watch, br_mechanism_report* report,
                                  br_reason* why);

/// Motion of a path or a slope: as a rigid body, and of its surface along it. All zero: at rest.
typedef struct br_path_motion {
    /// motion of the path's origin [m]: x, y, and z of a wire in space. Position and velocity must not jump within a run,
    /// br_profile_jump(): that would need an infinite force
    br_profile offset[3];
    /// rotation about that origin [rad]: in the plane from x towards y; a wire in space about the vertical, from z
    /// towards x. It must not jump either
    br_profile angle;
    /// velocity of the surface along the path, towards +x (a helix: upwards) [m/s]: a conveyor. It may jump
    br_profile velocity;
} br_path_motion;

/// Position and velocity of a point of a moving path, without the velocity of its surface.
/// @param motion         motion of the path
/// @param d              2 in the plane, 3 in space
/// @param t              time [s]
/// @param s              the point on the path at rest [m] (d)
/// @param[out] p         position [m] (d)
/// @param[out] velocity  velocity [m/s] (d), may be NULL
BR_API void br_path_place(const br_path_motion* motion, size_t d, double t, const double* s,
                          double* p, double* velocity);

/// A block on a slope, sections VI and Fig. 3 of H+. Coordinates x, y of the block [m].
typedef struct br_slope_block {
    double mass;      ///< [kg], > 0
    double gravity;   ///< [m/s^2], downwards
    double angle;     ///< inclination of the slope against x [rad], in (-pi/2, pi/2); 0: a floor
    br_profile force; ///< applied force along the slope, towards +x [N]
    br_path_motion motion; ///< motion of the slope
} br_slope_block;

/// The mechanism of a block. Borrows `block`.
BR_API br_mechanism br_slope_block_mechanism(const br_slope_block* block);

/// Position of a block at x [m] on its slope at rest.
/// @param[out] q  coordinates (2)
BR_API void br_slope_block_start(const br_slope_block* block, double x, double* q);

/// Two links in a vertical plane, the end on the parabola y = beta x^2 + gamma: Fig. 4 of H+.
/// Coordinates theta1 (against x), theta2 (against link 1) [rad]; point masses at the links' ends.
typedef struct br_two_link {
    double mass[2];        ///< [kg], > 0
    double length[2];      ///< [m], > 0
    double gravity;        ///< [m/s^2], downwards
    double beta;           ///< [1/m]
    double gamma;          ///< [m]
    br_profile torque[2];  ///< applied torques at the joints [N m]
    br_path_motion motion; ///< motion of the parabola
} br_two_link;

/// The mechanism of an arm. Borrows `arm`.
BR_API br_mechanism br_two_link_mechanism(const br_two_link* arm);

/// Joint angles with the arm's end at the point `end` [m].
/// @param elbow_up  0: theta2 in [0, pi], 1: in [-pi, 0]
/// @param[out] q    joint angles [rad] (2)
/// @return 1, or 0 if the arm cannot reach the point
BR_API int br_two_link_start(const br_two_link* arm, br_vec2 end, int elbow_up, double* q);

/// Kind of path, a curve y(x), that the end of a chain slides on.
typedef enum br_path_kind {
    BR_PATH_POLYNOMIAL, ///< y = c_0 + c_1 x + c_2 x^2 + ...
    BR_PATH_TABLE       ///< a natural cubic spline through points, straight beyond its ends
} br_path_kind;

/// A path.
typedef struct br_path {
    br_path_kind kind; ///< which
    size_t count;      ///< number of coefficients, >= 1, or points, >= 2
    const double* c;   ///< coefficients [m, -, 1/m, ...] (count), borrowed
    const double* x;   ///< x of the points, increasing [m] (count), borrowed
    const double* y;   ///< y of the points [m] (count), borrowed
    const double* yxx; ///< second derivatives at the points [1/m] (count), borrowed: br_path_bend()
} br_path;

/// Second derivatives of the spline through points.
/// @param x,y        points, x increasing [m] (count), count >= 2
/// @param[out] yxx   second derivatives [1/m] (count)
/// @param work       scratch (count)
BR_API void br_path_bend(size_t count, const double* x, const double* y, double* yxx, double* work);

/// Height y of a path at x [m] and its first two derivatives.
/// @param[out] slope,bend  first [-] and second [1/m] derivative
BR_API double br_path_eval(const br_path* path, double x, double* slope, double* bend);

/// Maximum number of links of a chain.
#define BR_CHAIN_MOST 8

/// Links in a vertical plane, the end on a path. Coordinates are the joint angles: theta1 against x, each other
/// against the link before it [rad]; point masses at the links' ends. Two links on a parabola are br_two_link.
typedef struct br_chain {
    size_t n;                         ///< number of links, 2 to BR_CHAIN_MOST
    double mass[BR_CHAIN_MOST];       ///< [kg], > 0
    double length[BR_CHAIN_MOST];     ///< [m], > 0
    double gravity;                   ///< [m/s^2], downwards
    br_path path;                     ///< path of the end
    br_profile torque[BR_CHAIN_MOST]; ///< applied torques at the joints [N m]
    br_path_motion motion;            ///< motion of the path
} br_chain;

/// The mechanism of a chain. Borrows `chain`.
BR_API br_mechanism br_chain_mechanism(const br_chain* chain);

/// The shape of a wire.
typedef enum br_bead_wire {
    BR_BEAD_WIRE_PARABOLA, ///< y = beta x^2 + gamma, z = 0; towards +x
    BR_BEAD_WIRE_HELIX     ///< (R cos a, pitch a/(2 pi), R sin a); towards +y
} br_bead_wire;

/// A bead on a wire in space, y upwards. Coordinates x, y, z of the bead [m].
typedef struct br_bead {
    double mass;           ///< [kg], > 0
    double gravity;        ///< [m/s^2], along -y
    br_bead_wire wire;     ///< its shape
    double beta;           ///< beta of a parabola [1/m]
    double gamma;          ///< gamma of a parabola [m]
    double radius;         ///< radius of a helix [m], > 0
    double pitch;          ///< height of a turn of a helix [m], > 0
    br_profile force;      ///< applied force along the wire [N]
    br_path_motion motion; ///< motion of the wire
} br_bead;

/// The mechanism of a bead. Borrows `bead`.
BR_API br_mechanism br_bead_mechanism(const br_bead* bead);

/// Position of a bead on its wire at rest, and the wire's direction there.
/// @param at            x of a parabola [m]; angle a of a helix [rad]
/// @param[out] q        coordinates [m] (3)
/// @param[out] tangent  unit vector along the wire (3)
BR_API void br_bead_start(const br_bead* bead, double at, double* q, double* tangent);

#ifdef __cplusplus
}
#endif

#endif
