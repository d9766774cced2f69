/// @file fit_contact.h
/// A planar contact from measured twists and wrenches, as a force-torque sensor in a finger gives them:
/// law, patch radius and pressure exponent.
///
/// The model is the distributed one with LuGre's law on a disc, in cells of equal angle, the pressure
/// (1 - (rho/a)^k)^(1/k) of BR_PRESSURE_POWER; docs/equations.md, F-7. Twists and wrenches are taken at
/// the disc's centre, the wrench is what the ground does to the body.
#ifndef BRISTLE_FIT_CONTACT_H
#define BRISTLE_FIT_CONTACT_H

#include "bristle/fit.h"
#include "bristle/law.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What is estimated.
enum {
    BR_FIT_CONTACT_MU_C,   ///< [-]
    BR_FIT_CONTACT_MU_S,   ///< [-]
    BR_FIT_CONTACT_V_S,    ///< [m/s]
    BR_FIT_CONTACT_SIGMA0, ///< [1/m]
    BR_FIT_CONTACT_SIGMA1, ///< [s/m]
    BR_FIT_CONTACT_SIGMA2, ///< [s/m]
    BR_FIT_CONTACT_RADIUS, ///< of the disc [m]
    BR_FIT_CONTACT_K,      ///< exponent of the pressure [-]; large: uniform
    BR_FIT_CONTACT_COUNT   ///< how many
};

/// Measurements; all borrowed (count).
typedef struct br_fit_contact_data {
    size_t count;      ///< rows
    const double* t;   ///< [s], increasing
    const double* vx;  ///< [m/s]
    const double* vy;  ///< [m/s]
    const double* w;   ///< [rad/s]
    const double* fx;  ///< [N]
    const double* fy;  ///< [N]
    const double* tau; ///< [N m]
    const double* fn;  ///< normal force [N], > 0
} br_fit_contact_data;

/// What to fit, and how. Start from br_fit_contact_def_default().
typedef struct br_fit_contact_def {
    size_t size;                         ///< set by the default function; do not touch
    br_fit_contact_data data;            ///< measurements
    unsigned fixed;                      ///< bits 1 << BR_FIT_CONTACT_... of what is known
    double values[BR_FIT_CONTACT_COUNT]; ///< its values
    double level;                        ///< of the intervals [-], in (0, 1)
    size_t rings;                        ///< cells along the radius, 2 to 32
} br_fit_contact_def;

/// What a fit gives. Plain numbers; nothing to free.
typedef struct br_fit_contact_result {
    br_law law;                                                     ///< LuGre
    double radius;                                                  ///< [m]
    double k;                                                       ///< [-]
    br_fit_estimate estimates[BR_FIT_CONTACT_COUNT];                ///< by BR_FIT_CONTACT_...
    double correlation[BR_FIT_CONTACT_COUNT][BR_FIT_CONTACT_COUNT]; ///< 0 where there are none
    double rms_force;   ///< of both components' residuals [N]
    double rms_torque;  ///< [N m]
    int is_converged;   ///< 0: the best so far
    size_t evaluations; ///< of the whole history
} br_fit_contact_result;

/// 95 % intervals, 6 rings; data are to be set.
BR_API br_fit_contact_def br_fit_contact_def_default(void);

/// Name of BR_FIT_CONTACT_...; NULL beyond the last.
BR_API const char* br_fit_contact_get_name(int parameter);

/// Fit. Allocates while it works; nothing stays.
/// @param watch     may be NULL
/// @param[out] out  filled with BR_OK and, with the best so far, BR_ERR_STOPPED
/// @param[out] why  may be NULL; field names the column or member at fault
/// @return BR_OK, BR_ERR_DEF, BR_ERR_STOPPED, BR_ERR_MEMORY, or BR_ERR_ABSENT without cminpack
BR_API br_status br_fit_contact(const br_fit_contact_def* def, const br_fit_watch* watch,
                                br_fit_contact_result* out, br_reason* why);

/// The wrench of a fit along data.
/// @param[out] wrench  fx, fy, tau one after the other, each (count)
/// @return BR_OK or BR_ERR_MEMORY
BR_API br_status br_fit_contact_eval(const br_fit_contact_result* fit,
                                     const br_fit_contact_data* data, size_t rings, double* wrench);

#ifdef __cplusplus
}
#endif

#endif
