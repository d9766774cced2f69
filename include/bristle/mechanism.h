/// @file mechanism.h
/// A mechanism with friction at one contact point, in time.
///
/// Huang et al. (H+), section VI. A mechanism is a small struct of callbacks that tell M, Q, A, b and
/// J of constrained.h at any instant; write your own, or take one of those at the end of this header.
/// Memoryless laws switch between stick and slip at located instants. The contact is two-sided: a
/// bead on its wire, not a foot on the ground.
#ifndef BRISTLE_MECHANISM_H
#define BRISTLE_MECHANISM_H

#include "bristle/constrained.h"
#include "bristle/math.h"
#include "bristle/profile.h"
#include "bristle/run.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The most profiles of a mechanism.
#define BR_MECHANISM_PROFILES 16

/// An instant of a mechanism.
typedef struct br_mechanism_at {
    double t;         ///< [s]
    double within;    ///< a time inside the smooth piece of the profiles that counts [s]
    const double* q;  ///< coordinates (n)
    const double* qd; ///< velocities (n)
} br_mechanism_at;

/// What a mechanism tells of an instant. The arrays are the run's, zeroed before each call.
typedef struct br_mechanism_terms {
    double* M;        ///< mass matrix (n x n)
    double* Q;        ///< applied force, with centrifugal and Coriolis terms (n)
    double potential; ///< potential energy [J]
    double power;     ///< of the applied forces that are not in the potential [W]
    double* A;        ///< constraints (m x n); the contact's rows come first
    double* b;        ///< A qdd = b (m)
    double* gap;      ///< what the constraints keep at zero, d(gap)/dq = A [m] (m)
    double* point;    ///< contact point [m] (d)
    double* J;        ///< its Jacobian (d x n)
    double* bias;     ///< Jd qd [m/s^2] (d)
    double* normal;   ///< unit normals; row i of A is along normal_i J (normals x d)
} br_mechanism_terms;

/// A mechanism. Callbacks fill their part of the terms and must not fail.
typedef struct br_mechanism {
    size_t n;       ///< coordinates, 1 to BR_CONSTRAINED_MOST
    size_t m;       ///< constraints, normals to BR_CONSTRAINED_MOST
    size_t d;       ///< dimensions of the contact point, 2 or 3
    size_t normals; ///< 1, or 2 in space (a wire); memoryless laws need d - 1

    /// M, Q, potential and power
    void (*dynamics)(const br_mechanism_at* at, br_mechanism_terms* out, void* user);
    /// A, b and gap
    void (*constraint)(const br_mechanism_at* at, br_mechanism_terms* out, void* user);
    /// point, J, bias and normal
    void (*contact)(const br_mechanism_at* at, br_mechanism_terms* out, void* user);

    /// all that the callbacks use, borrowed, NULL where no more
    const br_profile* profiles[BR_MECHANISM_PROFILES];
    void* user; ///< handed to the callbacks, borrowed
} br_mechanism;

/// A row of the result. Pointers are valid during the call.
typedef struct br_mechanism_row {
    double t;             ///< [s]
    const double* q;      ///< coordinates (n)
    const double* qd;     ///< velocities (n)
    const double* point;  ///< contact point [m] (d)
    double fn;            ///< normal force [N], signed along its normal; for two normals its size
    double friction[3];   ///< friction on the mechanism at the contact point [N] (d)
    const double* joints; ///< friction on the coordinates themselves [N or N m] (n); NULL: none
    int sticks;           ///< 1: sticks; laws with a state: resists less than 0.99 mu_c fn
    double work_applied;  ///< of the applied forces that are not in the potential, so far [J]
    double work_friction; ///< of friction, that of the joints included, so far [J]
    double drift;         ///< |gap| [m]
    double residual;      ///< energy minus its start minus both works [J]
} br_mechanism_row;

/// What to run. Start from br_mechanism_def_default().
typedef struct br_mechanism_def {
    size_t size;            ///< set by the default function; do not touch
    br_mechanism mechanism; ///< what moves
    const double* q;        ///< start (n)
    const double* qd;       ///< velocity at the start (n), or NULL: at rest
    int project;            ///< 1: move a start that is off the constraint onto it; 0: refuse it
    br_law law;             ///< friction at the contact; Coulomb and stiction: mu_c may be 0
    br_dahl_form dahl;      ///< for Dahl alone
    br_normal normal;       ///< which normal force
    const br_law*
        joints; ///< friction in the coordinates themselves, bearings (n), or NULL: none; borrowed.
                ///< Laws with a state, at normal force 1: mu_c [N or N m], sigma0 per m or
                ///< rad; mu_c = 0: sigma2 alone counts
    double stabilisation; ///< Baumgarte's rate [1/s], >= 0
} br_mechanism_def;

/// What a run gave, besides its rows.
typedef struct br_mechanism_report {
    br_integrator_cost cost; ///< what it cost
    double drift;            ///< largest |gap| of a row [m]
    double residual;         ///< largest energy residual of a row [J]
    double turnover;         ///< largest kinetic + |potential| + |work_applied| of a row [J]
    double margin;           ///< least Painleve margin of a row [-], see br_constrained_slide_value
    double kinetic;          ///< energy at the end [J]
    double potential;        ///< energy at the end, less that at the start [J]
    double work_applied;     ///< [J]
    double work_friction;    ///< [J]
} br_mechanism_report;

/// Coulomb friction, geometric normal force, stabilisation 20/s.
BR_API br_mechanism_def br_mechanism_def_default(void);

/// Check a definition and its start without running it.
/// @param[out] why  may be NULL
/// @return BR_OK, BR_ERR_DEF (field "start" if it is off the constraint) or BR_ERR_MEMORY
BR_API br_status br_mechanism_check(const br_mechanism_def* def, br_reason* why);

/// Run a mechanism. A memoryless law tells when its contact sticks, slips, reverses and folds.
/// @param run          adaptive; of itself with tolerances of 1e-11 and 1e-12
/// @param[out] report  may be NULL
/// @param[out] why     may be NULL
/// @return as br_mechanism_check(), and BR_ERR_ABSENT, BR_ERR_STOPPED or BR_ERR_CONVERGENCE
BR_API br_status br_mechanism_run(const br_mechanism_def* def, const br_run_def* run,
                                  const br_run_watch* watch, br_mechanism_report* report,
                                  br_reason* why);

/// A block on a slope, sections VI and Fig. 3 of H+. Coordinates x, y of the block [m].
typedef struct br_slope_block {
    double mass;      ///< [kg], > 0
    double gravity;   ///< [m/s^2], downwards
    double angle;     ///< of the slope against x [rad], in (-pi/2, pi/2); 0: a floor
    br_profile force; ///< along the slope, towards +x [N]
} br_slope_block;

/// The mechanism of a block, which is borrowed.
BR_API br_mechanism br_slope_block_mechanism(const br_slope_block* block);

/// Where a block at x lies on its slope. @param[out] q  (2)
BR_API void br_slope_block_start(const br_slope_block* block, double x, double* q);

/// Two links in a vertical plane, the end on the parabola y = beta x^2 + gamma: Fig. 4 of H+.
/// Coordinates theta1 (against x), theta2 (against link 1) [rad]; point masses at the links' ends.
typedef struct br_two_link {
    double mass[2];       ///< [kg], > 0
    double length[2];     ///< [m], > 0
    double gravity;       ///< [m/s^2], downwards
    double beta;          ///< [1/m]
    double gamma;         ///< [m]
    br_profile torque[2]; ///< at the joints [N m]
} br_two_link;

/// The mechanism of an arm, which is borrowed.
BR_API br_mechanism br_two_link_mechanism(const br_two_link* arm);

/// Joint angles that put the end at a point.
/// @param elbow_up  0: theta2 in [0, pi], 1: in [-pi, 0]
/// @param[out] q    (2)
/// @return 1, or 0 if the arm cannot reach the point
BR_API int br_two_link_start(const br_two_link* arm, br_vec2 end, int elbow_up, double* q);

/// What the end of a chain slides on: a curve y(x).
typedef enum br_path_kind {
    BR_PATH_POLYNOMIAL, ///< y = c_0 + c_1 x + c_2 x^2 + ...
    BR_PATH_TABLE       ///< a natural cubic spline through points, straight on beyond its ends
} br_path_kind;

/// A path.
typedef struct br_path {
    br_path_kind kind; ///< which
    size_t count;      ///< coefficients, >= 1, or points, >= 2
    const double* c;   ///< coefficients [m, -, 1/m, ...] (count), borrowed
    const double* x;   ///< of the points, increasing [m] (count), borrowed
    const double* y;   ///< of the points [m] (count), borrowed
    const double* yxx; ///< second derivatives at the points [1/m] (count), borrowed: br_path_bend()
} br_path;

/// The second derivatives of the spline through points.
/// @param x,y        (count), count >= 2, x increasing
/// @param[out] yxx   (count)
/// @param work       scratch (count)
BR_API void br_path_bend(size_t count, const double* x, const double* y, double* yxx, double* work);

/// Height of a path and its first two derivatives.
/// @param[out] slope,bend  [-], [1/m]
BR_API double br_path_eval(const br_path* path, double x, double* slope, double* bend);

/// The most links of a chain.
#define BR_CHAIN_MOST 8

/// Links in a vertical plane, the end on a path. Coordinates are the joint angles: theta1 against x, every other
/// against the link before it [rad]; point masses at the links' ends. Two links on a parabola are br_two_link.
typedef struct br_chain {
    size_t n;                         ///< links, 2 to BR_CHAIN_MOST
    double mass[BR_CHAIN_MOST];       ///< [kg], > 0
    double length[BR_CHAIN_MOST];     ///< [m], > 0
    double gravity;                   ///< [m/s^2], downwards
    br_path path;                     ///< of the end
    br_profile torque[BR_CHAIN_MOST]; ///< at the joints [N m]
} br_chain;

/// The mechanism of a chain, which is borrowed.
BR_API br_mechanism br_chain_mechanism(const br_chain* chain);

/// The shape of a wire.
typedef enum br_bead_wire {
    BR_BEAD_WIRE_PARABOLA, ///< y = beta x^2 + gamma, z = 0; towards +x
    BR_BEAD_WIRE_HELIX     ///< (R cos a, pitch a/(2 pi), R sin a); towards +y
} br_bead_wire;

/// A bead on a wire in space, y upwards. Coordinates x, y, z of the bead [m].
typedef struct br_bead {
    double mass;       ///< [kg], > 0
    double gravity;    ///< [m/s^2], along -y
    br_bead_wire wire; ///< its shape
    double beta;       ///< of a parabola [1/m]
    double gamma;      ///< of a parabola [m]
    double radius;     ///< of a helix [m], > 0
    double pitch;      ///< of a helix, height of a turn [m], > 0
    br_profile force;  ///< along the wire [N]
} br_bead;

/// The mechanism of a bead, which is borrowed.
BR_API br_mechanism br_bead_mechanism(const br_bead* bead);

/// Where a bead lies on its wire, and the wire's direction there.
/// @param at            x of a parabola [m]; angle a of a helix [rad]
/// @param[out] q        (3)
/// @param[out] tangent  unit vector along the wire (3)
BR_API void br_bead_start(const br_bead* bead, double at, double* q, double* tangent);

#ifdef __cplusplus
}
#endif

#endif
