/// @file fit_contact.h
/// A planar contact from measured twists and wrenches, as a force-torque sensor in a finger gives them:
/// law, size of the patch and exponent of the pressure.
///
/// The model is that of contact.h: blocks or cells of a patch under LuGre's or the elasto-plastic law, the twist linear
/// between rows; docs/equations.md, F-7. Twists and wrenches are taken at the patch's centre of pressure, in the
/// axes of the contact frame; the wrench is what the ground does to the body.
#ifndef BRISTLE_FIT_CONTACT_H
#define BRISTLE_FIT_CONTACT_H

#include "bristle/contact.h"
#include "bristle/fit.h"

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
    BR_FIT_CONTACT_S_BA,   ///< of the elasto-plastic law [-]
    BR_FIT_CONTACT_RADIUS, ///< of discs and rings [m]
    BR_FIT_CONTACT_SCALE,  ///< of other shapes: all lengths over those of the given patch [-]
    BR_FIT_CONTACT_K,      ///< exponent of a power pressure [-]; large: uniform
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
    size_t size;              ///< set by the default function; do not touch
    br_fit_contact_data data; ///< measurements
    br_law_kind law;          ///< BR_LAW_LUGRE or BR_LAW_ELASTO_PLASTIC
    br_method method;         ///< BR_METHOD_BLOCKS or BR_METHOD_DISTRIBUTED
    const br_patch*
        patch; ///< its shape and pressure, borrowed; the size is fitted, and k of a power pressure.
               ///< It must not depend on the force. NULL: a disc under a power pressure
    size_t resolution; ///< blocks across (1..16) or cells across (2..64); 0: 5 blocks, 13 cells
    unsigned fixed;    ///< bits 1 << BR_FIT_CONTACT_... of what is known
    double values[BR_FIT_CONTACT_COUNT]; ///< its values
    double level;                        ///< of the intervals [-], in (0, 1)
} br_fit_contact_def;

/// What a fit gives. Plain numbers; nothing to free.
typedef struct br_fit_contact_result {
    br_law law;                                                     ///< passes br_law_check()
    br_fit_estimate estimates[BR_FIT_CONTACT_COUNT];                ///< by BR_FIT_CONTACT_...
    double correlation[BR_FIT_CONTACT_COUNT][BR_FIT_CONTACT_COUNT]; ///< 0 where there are none
    unsigned has;      ///< bits of what this law and patch have, estimated or not
    double rms_force;  ///< of both components' residuals [N]
    double rms_torque; ///< [N m]
    double
        widening; ///< errors and intervals were multiplied by this for residuals that repeat [-], >= 1
    double bic;         ///< Schwarz's criterion, up to a constant of the data; less is better
    int is_converged;   ///< 0: the best so far
    size_t evaluations; ///< of the whole history
} br_fit_contact_result;

/// LuGre, blocks, a disc under a power pressure, 95 % intervals; data are to be set.
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
/// @param def          of the fit
/// @param data         its own or others; fx, fy, tau are not read
/// @param[out] wrench  fx, fy, tau one after the other, each (data->count)
/// @return BR_OK, BR_ERR_DEF or BR_ERR_MEMORY
BR_API br_status br_fit_contact_eval(const br_fit_contact_def* def,
                                     const br_fit_contact_result* fit,
                                     const br_fit_contact_data* data, double* wrench,
                                     br_reason* why);

#ifdef __cplusplus
}
#endif

#endif
