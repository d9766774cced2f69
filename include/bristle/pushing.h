/// @file pushing.h
/// Quasi-static pushing: how a body on a plane moves when a slow tip pushes it.
///
/// X&C = Xie & Chakraborty, "Dynamic Models of Planar Sliding", section 5.1; numbers in brackets
/// are that paper's equations. Inertia is neglected: friction under the body balances the pusher,
/// so the pusher's wrench is on the limit surface and the body moves along its normal. X&C use an
/// ellipsoid and a sticking tip; here the tip may slide with its own friction, and the surface
/// may be any br_limit. Forces are over mu N of the support. Body axes unless a comment says otherwise.
#ifndef BRISTLE_PUSHING_H
#define BRISTLE_PUSHING_H

#include "bristle/base.h"
#include "bristle/limit.h"
#include "bristle/math.h"
#include "bristle/outline.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A body and its pusher. Start from br_pushing_default().
typedef struct br_pushing {
    const br_limit* surface;   ///< friction under the body, borrowed; NULL: the ellipsoid
    br_vec2 centre;            ///< ellipsoid: its centre of friction, below the CoM [m]
    double e_t;                ///< ellipsoid (13) along x [-], > 0
    double e_o;                ///< ellipsoid (13) along y [-], > 0
    double e_r;                ///< ellipsoid (13) about the vertical [m], > 0
    const br_outline* outline; ///< outline that the tip touches, borrowed; for br_pushing_step()
    double radius;             ///< radius of the tip [m], >= 0
    double mu;                 ///< friction coefficient of tip and body [-], >= 0
} br_pushing;

/// What the tip does.
typedef enum br_push_mode {
    BR_PUSH_STICK, ///< sticks: moves with the body
    BR_PUSH_LEFT,  ///< slides over the body, to the left as seen in the direction of the push
    BR_PUSH_RIGHT, ///< slides over the body, to the right
    BR_PUSH_BREAK  ///< does not push: apart, at rest or moving away
} br_push_mode;

/// Result of a push.
typedef struct br_push {
    br_twist twist;     ///< twist of the body at its centre of friction [m/s, m/s, rad/s]
    br_wrench friction; ///< friction on the body at its centre of friction, over mu N [-, -, m]
    br_vec2 force;      ///< force of the tip on the body, over mu N [-]
    double sigma;       ///< dissipation over mu N; for an ellipsoid the e-weighted slip speed [m/s]
    br_vec2 point;      ///< contact point [m]
    br_push_mode mode;  ///< what the tip does
} br_push;

/// Motion cone: the directions in which a sticking tip can move, between `left` and `right`.
typedef struct br_motion_cone {
    br_vec2 left;  ///< unit vector; beyond it the tip slides to the left
    br_vec2 right; ///< unit vector; beyond it the tip slides to the right
} br_motion_cone;

/// Default: ellipsoid e = (1, 1, 0.01 m) at the origin, mu = 0.25, a tip of radius 0, no outline.
BR_API br_pushing br_pushing_default(void);

/// Check that every number is in its range.
/// @param[out] why  may be NULL
/// @return BR_OK or BR_ERR_DEF
BR_API br_status br_pushing_check(const br_pushing* pushing, br_reason* why);

/// Centre of friction: the surface's CoP, or the ellipsoid's centre [m].
BR_API br_vec2 br_pushing_get_centre(const br_pushing* pushing);

/// Push by a tip that sticks with any force, (33)-(40). Never fails, never allocates.
/// @param point     contact point [m]
/// @param velocity  velocity of the tip [m/s]
BR_API br_push br_pushing_stick_eval(const br_pushing* pushing, br_vec2 point, br_vec2 velocity);

/// Push by a tip that sticks, slides or moves away. Never fails, never allocates; NaN in gives NaN out.
/// @param normal  unit vector into the body at the contact point [-]
BR_API br_push br_pushing_eval(const br_pushing* pushing, br_vec2 point, br_vec2 normal,
                               br_vec2 velocity);

/// Motion cone of a contact.
BR_API br_motion_cone br_pushing_cone_eval(const br_pushing* pushing, br_vec2 point,
                                           br_vec2 normal);

/// Move a body with a tip that sticks to it with any force, (33)-(40) integrated. Never fails, never allocates.
/// @param[in,out] pose  pose of the body frame in the world [m, m, rad]
/// @param point         contact point, body frame [m]
/// @param velocity      velocity of the tip, world frame [m/s]
/// @param h             length of the step [s], >= 0
/// @return the push at the step's end
BR_API br_push br_pushing_stick_step(const br_pushing* pushing, br_pose* pose, br_vec2 point,
                                     br_vec2 velocity, double h);

/// Move the tip's centre on a straight line and the body with it. In sub-steps of up to 1/300 of
/// the body's size, by the midpoint rule, without drift in the contact. The error of the end
/// position on 2,043 real pushes of some 50 mm is 1e-6 of the distance (median), and 7e-4 at worst.
/// It is more than 1e-5 in a fifth of them, where the tip reaches an edge or starts to slide within
/// a sub-step. Never fails, never allocates. A tip that starts inside the body first pushes it out,
/// by the push of its depth. Where that push would turn the body by more than 1 rad (tips much
/// larger than the body), the body moves along the normal alone. Where 100 such steps do not separate both (a slot that
/// is too narrow for the tip), the disc around the body is moved off the tip.
/// In a concave corner the tip overlaps neither side by more than 1e-6 of the body's size, unless
/// it does not fit in; its friction against turning there, mu times its radius, is neglected
/// (docs/explanation/sliders.md).
/// @param[in,out] pose  pose of the body frame in the world [m, m, rad]
/// @param from,to       start and end of the tip's centre, world frame [m]
/// @return the push at the end of the line, for a tip that takes 1 s for it, without the motion that closes a
///         gap or separates body and tip
BR_API br_push br_pushing_step(const br_pushing* pushing, br_pose* pose, br_vec2 from, br_vec2 to);

/// Many pushes at once, for planners that compare them: `count` tips, each along its own path of `steps` straight
/// lines, each against its own copy of the body. As br_pushing_step() line by line; the poses agree to 1e-10 of the
/// body's size, except at corners (docs/explanation/sliders.md). Several pushes at a time where the surface is the ellipsoid (`surface`
/// NULL) or BR_LIMIT_SMOOTH, some 50 times faster than one by one with the exact surface; one by one with other
/// surfaces. Never fails, never allocates. No push depends on the others, NaN stays in its push.
/// @param mu             friction coefficient of tip and body, one for each push [-], >= 0 (count); NULL: that of `pushing`
/// @param tips           points of each path of a tip's centre, world frame [m] (count x (steps + 1))
/// @param[in,out] poses  poses of the bodies at these points (count x (steps + 1)) [m, m, rad]: the first of each
///                       push is given, the others are results
/// @param[out] pushes    may be NULL: what br_pushing_step() returns for each line (count x steps)
BR_API void br_pushing_rollout(const br_pushing* pushing, size_t count, size_t steps,
                               const double* mu, const br_vec2* tips, br_pose* poses,
                               br_push* pushes);

/// What the pose after a line depends on: columns of br_pushing_gradient.
typedef enum br_pushing_by {
    BR_PUSHING_BY_X,        ///< pose before, x [m]
    BR_PUSHING_BY_Y,        ///< pose before, y [m]
    BR_PUSHING_BY_THETA,    ///< pose before, angle [rad]
    BR_PUSHING_BY_FROM_X,   ///< start of the tip's centre, x [m]
    BR_PUSHING_BY_FROM_Y,   ///< start of the tip's centre, y [m]
    BR_PUSHING_BY_TO_X,     ///< end of the tip's centre, x [m]
    BR_PUSHING_BY_TO_Y,     ///< end of the tip's centre, y [m]
    BR_PUSHING_BY_MU,       ///< friction of tip and body [-]
    BR_PUSHING_BY_RADIUS,   ///< radius of the tip [m]
    BR_PUSHING_BY_CENTRE_X, ///< centre of friction, body frame, x [m]
    BR_PUSHING_BY_CENTRE_Y, ///< centre of friction, body frame, y [m]
    BR_PUSHING_BY_FORCE_X, ///< factor on the friction along x below the body, at 1 [-]; of an ellipsoid e_t times d/d(e_t)
    BR_PUSHING_BY_FORCE_Y, ///< factor on the friction along y, at 1 [-]; of an ellipsoid e_o times d/d(e_o)
    BR_PUSHING_BY_TORQUE, ///< factor on the friction torque, at 1 [-]; of an ellipsoid e_r times d/d(e_r)
    BR_PUSHING_BY_COUNT ///< number of columns
} br_pushing_by;

/// Derivatives of the pose after a line by all that it depends on.
typedef struct br_pushing_gradient {
    double by[3][BR_PUSHING_BY_COUNT]; ///< rows x, y [m], theta [rad]; columns br_pushing_by
    int changes; ///< sub-steps in which the tip changed between sticking, sliding left or right, moving away, or
        ///< between an edge and a corner. The pose has a kink where such a change moves from one sub-step to
        ///< the next; the derivative is that of the branches that were taken
    int corners; ///< sub-steps in a concave corner, where the tip touched two edges
} br_pushing_gradient;

/// br_pushing_step() and its derivatives: exact ones of the sub-steps that it takes, sticking,
/// sliding and in concave corners, for surfaces with a Hessian. These are all but BILINEAR, GRID
/// and PUBLISHED, for which it is that of the interpolant. The number of sub-steps is held. Never
/// fails, never allocates; NaN in gives NaN out.
/// @param[in,out] pose  pose of the body frame in the world [m, m, rad]
/// @param from,to       start and end of the tip's centre, world frame [m]
/// @param[out] out      the derivatives; 0 by `from`, `to` and parameters where the tip does not touch
/// @return what br_pushing_step() returns
BR_API br_push br_pushing_step_gradient(const br_pushing* pushing, br_pose* pose, br_vec2 from,
                                        br_vec2 to, br_pushing_gradient* out);

/// Derivatives of a number L by what a path of pushes depends on; results of br_pushing_path_vjp().
typedef struct br_pushing_adjoint {
    double pose[3];    ///< by the first pose [1/m, 1/m, 1/rad] times the unit of L
    double mu;         ///< by the friction of tip and body
    double radius;     ///< by the radius of the tip [1/m]
    double centre[2];  ///< by the centre of friction, body frame [1/m]
    double factors[3]; ///< by the factors on the friction along x, y and on its torque, at 1
} br_pushing_adjoint;

/// Sweep back over a path of lines: from dL/d(pose after each line) to dL/d(first pose, tips, parameters).
/// Never fails, never allocates.
/// @param gradients    of the lines, in order, by br_pushing_step_gradient() (steps)
/// @param poses_bar    dL/d(pose), of the first pose and of that after each line (steps + 1)
/// @param[out] tips    dL/d(tip), world frame (steps + 1); may be NULL
/// @param[out] out     dL/d(first pose, parameters)
BR_API void br_pushing_path_vjp(size_t steps, const br_pushing_gradient* gradients,
                                const br_pose* poses_bar, br_vec2* tips, br_pushing_adjoint* out);

/// Sweep forward over a path of lines: from changes of the first pose, the tips and the parameters to those of
/// the pose after each line. Never fails, never allocates.
/// @param gradients   of the lines, in order, by br_pushing_step_gradient() (steps)
/// @param change      changes of the first pose and the parameters
/// @param tips        changes of the tips, world frame (steps + 1) [m]; NULL: 0
/// @param[out] poses  changes of the first pose and of that after each line (steps + 1)
BR_API void br_pushing_path_jvp(size_t steps, const br_pushing_gradient* gradients,
                                const br_pushing_adjoint* change, const br_vec2* tips,
                                br_pose* poses);

#ifdef __cplusplus
}
#endif

#endif
