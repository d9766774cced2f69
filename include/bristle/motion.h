/// @file motion.h
/// A contact patch under an imposed planar motion: the friction wrench over time.
///
/// The twist is that of the body over the ground, at the patch's centre of pressure (CoP), in the axes of
/// the contact frame; the wrench acts on the body, at the CoP. Bristles start undeflected, and are reset
/// when the normal force is 0.
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

/// An imposed motion. One of `contact` and `coulomb` is set; both are borrowed, and many runs may share them. Start
/// from br_motion_default(), or from {.size = sizeof(br_motion)}.
typedef struct br_motion {
    size_t size;               ///< sizeof(br_motion)
    const br_contact* contact; ///< contact with bristles
    const br_limit* coulomb;   ///< memoryless: mu_c fn times the limit surface
    double mu_c;               ///< friction coefficient of `coulomb` [-], > 0
    br_profile vx;             ///< velocity along x [m/s]
    br_profile vy;             ///< velocity along y [m/s]
    br_profile w;              ///< spin [rad/s]
    br_profile normal_force;   ///< normal force [N], >= 0
} br_motion;

/// Default motion: at rest, normal force 1 N, mu_c 1; `contact` or `coulomb` must be set.
BR_API br_motion br_motion_default(void);

/// Columns of the rows of a motion:
/// - t: time [s]
/// - vx, vy, w: twist at the CoP [m/s, m/s, rad/s]
/// - fx, fy, tau: wrench on the body at the CoP [N, N, N m]
/// - fn: normal force [N]
///
/// BR_COLUMNS_SLIP:
/// - state: see br_contact_slip_eval(); for `coulomb` slip whenever it moves
/// - slip: slip rate [m/s]; for `coulomb` the mean speed over the patch
/// - load: share of the friction limit, see br_contact_load_eval() [-]; for `coulomb` at rest 0
/// @param sets      sum of br_column_set
/// @param[out] out  the columns; may be NULL
/// @return number of columns
BR_API size_t br_motion_get_columns(unsigned sets, br_column* out);

/// Run a motion. The result is the force, sigma0 z + sigma1 dz, and an error of z appears in dz multiplied by
/// sigma0 |v|/g: with W&K's parameters, at 15 mm/s, 1e-10 m become 1e-3 fn. So the steps use tighter
/// tolerances than requested, at little cost without reversals: `rtol`/100 and `atol_z`/1000 (`reduced`:
/// `atol_z`/10^4), down to 1e-9 and 1e-15 m. With the defaults the forces of W&K's Fig 5 are accurate to 1e-6 fn.
/// @param def        adaptive, without `atol`: only bristles are integrated
/// @param watch      `event` is not used
/// @param[out] cost  may be NULL
/// @param[out] why   may be NULL
/// @return BR_OK, BR_ERR_DEF, BR_ERR_MEMORY, BR_ERR_ABSENT, BR_ERR_STOPPED or BR_ERR_CONVERGENCE
BR_API br_status br_motion_run(const br_motion* motion, const br_run_def* def,
                               const br_run_watch* watch, br_integrator_cost* cost, br_reason* why);

#ifdef __cplusplus
}
#endif

#endif
