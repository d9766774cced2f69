/// @file grasp.h
/// Grasp force: the smallest normal force with which friction carries a load.
///
/// A patch holds a load while its gauge (limit.h) per mu fn is at most 1; the gauge grows in
/// proportion to the load, so the smallest force is gauge/mu. A point is a patch of one support
/// point: it carries no torque about its normal.
#ifndef BRISTLE_GRASP_H
#define BRISTLE_GRASP_H

#include "bristle/base.h"
#include "bristle/limit.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The smallest normal force with which one patch holds a load, in closed form from the gauge. Never
/// fails, never allocates; NaN in gives NaN out.
/// @param surface  exact or ellipsoid, of a patch that does not depend on the force
/// @param mu       friction coefficient [-], > 0
/// @param load     wrench on the body at the CoP [N, N, N m], of either sign: the sets are symmetric
/// @return [N]; INFINITY where no force is enough (torque on a point)
BR_API double br_grasp_one_patch(const br_limit* surface, double mu, br_wrench load);

/// The same for a patch whose size or pressure depends on the force, such as a soft fingertip: a
/// search in one unknown, since more force holds more. Creates a limit surface for each trial.
/// @param mu        friction coefficient [-], > 0
/// @param load      wrench on the body at the CoP [N, N, N m], finite
/// @param[out] fn   [N], to a relative 1e-9; INFINITY where 1e12 N are not enough; 0 on failure
/// @param[out] why  may be NULL
/// @return BR_OK, BR_ERR_ARG, BR_ERR_DEF or BR_ERR_MEMORY
BR_API br_status br_grasp_patch_get_force(const br_patch* patch, double mu, br_wrench load,
                                          double* fn, br_reason* why);

/// Two fingers that face each other along z, their centres of pressure on that axis: finger 0 at
/// z = -half_gap pushes along +z, finger 1 at z = +half_gap along -z. Both surfaces in the axes x, y of the grasp.
typedef struct br_grasp {
    const br_limit* surface[2]; ///< borrowed
    double mu[2];               ///< friction coefficients [-], > 0
    double half_gap;            ///< half the distance between the contacts [m], > 0
} br_grasp;

/// Forces of a grasp that holds a load.
typedef struct br_grasp_value {
    double fn[2];        ///< smallest normal forces [N]; INFINITY if no force is enough
    br_wrench wrench[2]; ///< friction of each finger on the body, at its CoP [N, N, N m]
} br_grasp_value;

/// Smallest normal forces that hold a load. Balance of forces and of moments about x and y
/// determines what each finger carries. The torque about z is shared at the lowest cost, found by a
/// search in one unknown over a convex function. The difference of the normal forces is the load
/// along z. Never fails, never allocates; NaN in gives NaN out.
/// @param load  forces and torques on the body at the midpoint between the contacts: fx, fy, fz, tx,
///              ty, tz [N, N, N, N m, N m, N m]
BR_API br_grasp_value br_grasp_eval(const br_grasp* grasp, const double load[6]);

#ifdef __cplusplus
}
#endif

#endif
