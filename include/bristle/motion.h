/// @file motion.h
/// A contact patch under an imposed planar motion: the wrench that friction exerts over time.
///
/// The twist is the body's over the ground, at the patch's centre of pressure (CoP), in the axes of
/// the contact frame; the wrench is on the body, at the CoP. Bristles start undeflected, and again
/// after the normal force was 0 for a while.
#ifndef BRISTLE_MOTION_H
#define BRISTLE_MOTION_H

#include "bristle/contact.h"
#include "bristle/limit.h"
#include "bristle/profile.h"
#include "bristle/run.h"
#include "bristle/step.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What moves. One of `contact` and `coulomb` is set; both are borrowed, and may serve many runs.
typedef struct br_motion {
    const br_contact* contact; ///< with bristles
    const br_limit* coulomb;   ///< memoryless: mu_c fn times the limit surface
    double mu_c;               ///< of `coulomb` [-], > 0
    br_profile vx;             ///< [m/s]
    br_profile vy;             ///< [m/s]
    br_profile w;              ///< [rad/s]
    br_profile normal_force;   ///< [N], >= 0
} br_motion;

/// One row of the result.
typedef struct br_motion_row {
    double t;               ///< [s]
    br_twist v;             ///< at the CoP [m/s, m/s, rad/s]
    br_wrench f;            ///< on the body, at the CoP [N, N, N m]
    double fn;              ///< normal force [N]
    br_contact_state state; ///< see br_contact_slip_eval(); `coulomb` slips where it moves
    double slip_rate;       ///< [m/s]; of `coulomb` the mean speed over the patch
    double
        load; ///< share of what friction can hold, see br_contact_load_eval() [-]; of `coulomb` at
              ///< rest, where it holds whatever is asked for, 0
} br_motion_row;

/// Run a motion. What counts here is the force, sigma0 z + sigma1 dz, and dz takes an error of z times
/// sigma0 |v|/g: with W&K's numbers, at 15 mm/s, 1e-10 m become 1e-3 fn. So the steps keep tolerances
/// well inside those asked for, which costs little where nothing moves back: `rtol`/100 and
/// `atol_z`/1000 (`reduced`: `atol_z`/10^4), down to 1e-9 and 1e-15 m. With the defaults the forces of
/// W&K's Fig 5 are right to 1e-6 fn.
/// @param def        adaptive, without `atol`: nothing is integrated but bristles
/// @param watch      without `event`
/// @param[out] cost  may be NULL
/// @param[out] why   may be NULL
/// @return BR_OK, BR_ERR_DEF, BR_ERR_MEMORY, BR_ERR_ABSENT, BR_ERR_STOPPED or BR_ERR_CONVERGENCE
BR_API br_status br_motion_run(const br_motion* motion, const br_run_def* def,
                               const br_run_watch* watch, br_integrator_cost* cost, br_reason* why);

#ifdef __cplusplus
}
#endif

#endif
