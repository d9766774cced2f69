/// @file rigid.h
/// Friction of bristle in any rigid-body engine: bodies and contact points in, changes of velocity out.
///
/// The engine finds contact points and normal impulses, with its own friction set to 0. The layer finds the
/// friction of all pairs of shapes together, sliding and spin over a patch, and how normal forces and joints respond
/// to it. In each step:
///
///     brg_before(world, h, count, impulse);  // the last friction, 6 numbers for each body: apply these impulses
///     ...                                    // the engine's step, or its solve
///     brg_after(world, h, bodies, count, points, point_count, rows, row_count, change);
///     ...                                    // velocity += change; if the engine has moved bodies already: move them
///                                            // again from their pose before the step, with the new velocity
///
/// World axes, SI units. Matrices are stored row by row. All structs consist of doubles, then of 32-bit integers, so
/// that they have the same layout on all 64-bit processors and in WebAssembly.
#ifndef BRISTLE_RIGID_H
#define BRISTLE_RIGID_H

#include "bristle/base.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Definition of a layer. Start from brg_def_default(), which suits all engines that were tried.
typedef struct brg_def {
    size_t size;  ///< set by the default function; do not touch
    double touch; ///< gap below which a point belongs to the patch [m], >= 0; default 2e-4
    /// radius of the patch of a single point [m], >= 0; default 0: no resistance to spin
    double radius;
    /// softness of normal rows over their inverse mass [-], > 0; default 1e-5. It acts on the difference from the last
    /// step's normal forces only: bodies at rest do not depend on it. 1e-7 to 1e-5 hold all scenes that were tried
    double softness;
    /// share of a penetration that normal rows remove in a step [-], in [0, 1]; default 0.2. The speed is not limited:
    /// bound brg_point.gap
    double correction;
    /// penetration that is left alone [m], >= 0; default 1e-5: engines lose points of shapes that just touch
    double slop;
    int32_t rounds; ///< largest number of rounds of friction and normal forces, >= 1; default 8
    int32_t keep;   ///< steps that a point is kept for after the engine dropped it, >= 0; default 4
    /// contacts of the largest island that is solved at once, >= 1; default 120. Larger ones are split into parts
    /// that are solved one after the other: they give way more while they settle, and may creep
    int32_t largest;
    int32_t reserved; ///< 0
    /// static over sliding friction mu_s/mu_c [-], >= 1; default 1. More lets bodies on springs stick and slip in turns
    double static_ratio;
    double v_stribeck; ///< speed at which most of the difference is lost [m/s], > 0; default 1e-3
} brg_def;

/// A body.
typedef struct brg_body {
    double
        inv_mass[3]; ///< per world axis; locked axes are 0; all 0: static or kinematic [1/kg], >= 0
    double inv_inertia[9]; ///< world axes [1/(kg m^2)]; all 0: it does not turn
    double x[3];           ///< centre of mass, in the pose that the points were found in [m]
    double R[9];           ///< rotation from body to world axes, in the same pose [-]
    double v[3];           ///< velocity of the centre of mass after the engine's solve [m/s]
    double w[3];           ///< angular velocity after the engine's solve [rad/s]
    int32_t
        asleep; ///< 1: it slept when the step began, and did not get the impulse of brg_before(), even if it woke in
                ///< the step; islands that sleep as a whole are left alone
    int32_t reserved; ///< 0
} brg_body;

/// A contact point of two bodies.
typedef struct brg_point {
    double x[3]; ///< position [m]
    double
        n[3]; ///< unit normal, pushes b away from a [-]; a length off by more than 1 % is an error
    double impulse; ///< normal impulse of this step [N s], >= 0
    /// distance of the surfaces; < 0: penetration [m]. Normal rows leave a penetration at correction (-gap - slop)/h,
    /// without a limit: bound deep ones here, as the engine bounds its own
    double gap;
    double
        mu; ///< coefficient of sliding friction of the pair [-], >= 0; the same in all points of a pair. Above 1e6, and
            ///< INFINITY: 1e6
    double
        disc; ///< > 0: the patch is a disc of this radius about the CoP [m]; 0: the hull of the points
    uint64_t pair; ///< key of the two shapes, constant as long as they touch
    int32_t a; ///< first body, -1: the world; a and b may change places, and n its sign with them
    int32_t
        b; ///< second body, -1: the world; not a, but both may be the world: then the point is left out
    int32_t
        bounces; ///< 1: restitution: if it has an impulse, it leaves with the engine's normal velocity
    int32_t reserved; ///< 0
} brg_point;

/// A constraint row of the engine besides contacts: joint, limit or motor. Its velocity is ja.(v_a, w_a) + jb.(v_b, w_b).
typedef struct brg_row {
    double ja[6]; ///< linear and angular part of a
    double jb[6]; ///< linear and angular part of b
    double
        impulse; ///< impulse of this step [N s or N m s]; 0: unknown, then both limits must be infinite
    double lower;    ///< smallest impulse [N s or N m s], < INFINITY, may be -INFINITY
    double upper;    ///< largest impulse, >= lower, > -INFINITY, may be INFINITY
    double target;   ///< velocity that it holds [m/s or rad/s]; NaN: the one that the engine left
    double softness; ///< velocity = target - softness impulse [1/kg or 1/(kg m^2)], >= 0
    int32_t a;       ///< first body, -1: the world
    int32_t b;       ///< second body, -1: the world
} brg_row;

/// A joint, for brg_joint_get_rows().
typedef struct brg_joint {
    double x[3];    ///< anchor [m]
    double axes[9]; ///< rows: three unit axes [-]
    int32_t a;      ///< first body, -1: the world
    int32_t b;      ///< second body, -1: the world
    int32_t
        locked; ///< bits 0..2: no motion of b over a along the axes; bits 3..5: no rotation about them
    int32_t reserved; ///< 0
} brg_joint;

/// Change of a body's velocity by friction, and by the normal forces that follow it.
typedef struct brg_change {
    double dv[3]; ///< of the centre of mass [m/s]
    double dw[3]; ///< of the angular velocity [rad/s]
} brg_change;

/// Contact of a pair in the last step.
typedef struct brg_contact {
    double fn;     ///< normal force [N]
    double cop[3]; ///< centre of pressure [m]
    double n[3];   ///< normal, towards the slider [-]
    double t[3];   ///< first tangent; the second one is n x t [-]
    double
        v[3]; ///< twist of the slider over the other body at the CoP, at the end [m/s, m/s, rad/s]
    double f[3];    ///< friction on the slider at the CoP, along t, n x t, and about n [N, N, N m]
    double r;       ///< rim radius of the patch [m]
    int32_t slider; ///< body that the patch moves with
    int32_t reserved; ///< 0
} brg_contact;

/// Statistics of the last step.
typedef struct brg_report {
    double stored;     ///< energy in the bristles [J]
    double dissipated; ///< heat of friction [J]
    double work;       ///< work of the bodies on their contacts [J]
    double
        gain; ///< largest energy that friction of an island gave beyond what its bristles held [J]
    int32_t islands;     ///< islands that were solved
    int32_t contacts;    ///< pairs with normal force
    int32_t rows;        ///< normal rows and rows of joints
    int32_t kept;        ///< points that the engine dropped and the layer kept
    int32_t rounds;      ///< sum over islands of rounds of friction and normal forces
    int32_t passes;      ///< passes over the bristles
    int32_t changed;     ///< patches that were created again, which allocates
    int32_t unsettled;   ///< islands whose normal rows still changed in the last round
    int32_t swept;       ///< solves of normal rows by sweeps, which end with an error
    int32_t unconverged; ///< islands where Newton's method for friction did not converge
    int32_t parts;       ///< parts that large islands were split into
    int32_t largest;     ///< contacts of the largest island
    int32_t refused;  ///< pairs that press without friction: their patch or its law is not possible
    int32_t reserved; ///< 0
} brg_report;

/// The layer: bristles of all pairs, and memory. For one world of the engine; one thread at a time.
typedef struct brg_world brg_world;

/// The default definition.
BR_API brg_def brg_def_default(void);

/// Create a layer.
/// @param def       NULL: the default
/// @param[out] out  the layer, or NULL on failure; free it with brg_destroy()
/// @param[out] why  may be NULL; filled when the result is not BR_OK
/// @return BR_OK, BR_ERR_DEF or BR_ERR_MEMORY
BR_API br_status brg_create(const brg_def* def, brg_world** out, br_reason* why);

/// Free a layer; NULL is allowed.
BR_API void brg_destroy(brg_world* world);

/// Forget all pairs: call it after bodies were moved by hand, or were removed so that indices changed.
BR_API void brg_reset(brg_world* world);

/// Impulses of the last step's friction, scaled to this step. Apply them to all bodies that are awake before the engine
/// solves: its normal impulses are then nearly right. Bodies that sleep get none.
/// @param h             step [s], > 0
/// @param count         number of bodies
/// @param[out] impulse  force and torque impulse of each body at its centre of mass [N s, N m s] (6 count)
/// @return BR_OK, or BR_ERR_ARG (h): impulses are 0
BR_API br_status brg_before(brg_world* world, double h, size_t count, double* impulse);

/// Friction of the step. Allocates where pairs appear, patches change or the scene grows. Bodies keep their index as
/// long as they touch.
/// @param h            step [s], > 0
/// @param bodies       (count)
/// @param points       (point_count), all of them, also those without impulse; may be NULL if there are none
/// @param rows         (row_count), joints, limits and motors of the engine; may be NULL if there are none
/// @param[out] change  (count) of the velocities
/// @return BR_OK; BR_ERR_ARG (h, an index, a number that is not finite or out of its range, one key for points of
///         different bodies; also numbers so large that a change is not finite: all pairs are then forgotten) or
///         BR_ERR_MEMORY: changes are 0, so that the step has the friction of brg_before() only, and the next
///         brg_before() gives none
BR_API br_status brg_after(brg_world* world, double h, const brg_body* bodies, size_t count,
                           const brg_point* points, size_t point_count, const brg_row* rows,
                           size_t row_count, brg_change* change);

/// Rows of a joint with locked axes, at the velocity that the engine left.
/// @param bodies    those of the step
/// @param[out] rows (6)
/// @return how many there are
BR_API size_t brg_joint_get_rows(const brg_joint* joint, const brg_body* bodies, brg_row* rows);

/// Contact of a pair in the last step.
/// @param[out] out  0 if there is none
/// @return 1: the pair touches
BR_API int brg_get_contact(const brg_world* world, uint64_t pair, brg_contact* out);

/// Statistics of the last step.
BR_API brg_report brg_get_report(const brg_world* world);

#ifdef __cplusplus
}
#endif

#endif
