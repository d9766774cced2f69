/// @file fit_contact.h
/// Fits a planar contact to measured twists and wrenches, e.g. of a force-torque sensor in a finger: law, size
/// of the patch and exponent of the pressure.
///
/// The model is that of contact.h: blocks or cells of a patch with LuGre's or the elasto-plastic law, the twist linear
/// between rows; docs/explanation/equations.md, F-7. Twists and wrenches are taken at the patch's centre of pressure, in the
/// axes of the contact frame. Friction may be anisotropic, with a known ratio and angle or with estimated ones. The wrench acts on the body, so fx < 0 where vx > 0. With `flip_force` it acts on the
/// ground: fx > 0 where vx > 0. Data of the other sign are an error.
#ifndef BRISTLE_FIT_CONTACT_H
#define BRISTLE_FIT_CONTACT_H

#include <stdbool.h>

#include "bristle/anisotropy.h"
#include "bristle/contact.h"
#include "bristle/fit.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Parameters that can be estimated: those of laws in the order of br_law_get_parameter(), then those of the patch.
enum {
    BR_FIT_CONTACT_MU_C,   ///< [-]
    BR_FIT_CONTACT_MU_S,   ///< [-]
    BR_FIT_CONTACT_V_S,    ///< [m/s]
    BR_FIT_CONTACT_GAMMA,  ///< [-]; always 2 in contacts, never in `has`
    BR_FIT_CONTACT_SIGMA0, ///< [1/m]
    BR_FIT_CONTACT_SIGMA1, ///< [s/m]
    BR_FIT_CONTACT_SIGMA2, ///< [s/m]
    BR_FIT_CONTACT_S_BA,   ///< of the elasto-plastic law [-]
    BR_FIT_CONTACT_ALPHA,  ///< of Dahl's law, not used in contacts [-]
    BR_FIT_CONTACT_V_DAMPING, ///< v_damping of the law [m/s]; never estimated: fixed, or 0 (constant damping)
    BR_FIT_CONTACT_RADIUS, ///< radius of discs and rings [m]
    BR_FIT_CONTACT_SCALE,  ///< other shapes: all lengths over those of the given patch [-]
    BR_FIT_CONTACT_K,      ///< exponent of a power pressure [-]; large: uniform
    BR_FIT_CONTACT_RATIO,  ///< ratio of the anisotropy [-]; known unless it is in `free`
    BR_FIT_CONTACT_ANGLE,  ///< angle of the anisotropy [rad]; known unless it is in `free`
    BR_FIT_CONTACT_COUNT   ///< number of parameters
};

/// Measurements. All arrays are borrowed and have `count` entries.
typedef struct br_fit_contact_data {
    size_t count;      ///< number of rows
    const double* t;   ///< time [s], increasing
    const double* vx;  ///< velocity along x [m/s]
    const double* vy;  ///< velocity along y [m/s]
    const double* w;   ///< spin [rad/s]
    const double* fx;  ///< force along x [N]
    const double* fy;  ///< force along y [N]
    const double* tau; ///< torque [N m]
    const double* fn;  ///< normal force [N], > 0
} br_fit_contact_data;

/// Definition of a fit. Start from br_fit_contact_def_default().
typedef struct br_fit_contact_def {
    size_t size;              ///< set by the default function; do not touch
    br_fit_contact_data data; ///< measurements
    br_law_kind law;          ///< BR_LAW_LUGRE or BR_LAW_ELASTO_PLASTIC
    br_method method;         ///< BR_METHOD_BLOCKS or BR_METHOD_DISTRIBUTED
    /// Shape and pressure of the patch, borrowed; its size is fitted, and k of a power pressure. It must not depend on
    /// the force. NULL: a disc under a power pressure
    const br_patch* patch;
    size_t resolution; ///< blocks across (1..16) or cells across (2..64); 0: 5 blocks, 13 cells
    unsigned fixed;    ///< bits 1 << BR_FIT_CONTACT_... of known parameters
    double values[BR_FIT_CONTACT_COUNT]; ///< values of known parameters
    double level;                        ///< confidence level of the intervals [-], in (0, 1)
    bool flip_force;                     ///< true: fx, fy, tau act on the ground, not on the body
    /// true: intervals by profile likelihood, as in br_fit_law(); false: from the Jacobian alone
    bool profile;
    /// Anisotropic friction, with axes of the body; 1 and 0 by default: isotropic. mu_c, mu_s and sigma0 to sigma2 are those
    /// along the second axis, v_s and v_damping are compared with |A v|: anisotropy.h. Start values where `free` has bits
    br_anisotropy anisotropy;
    /// bits of parameters that are estimated in addition: 1 << BR_FIT_CONTACT_RATIO, and BR_FIT_CONTACT_ANGLE, which needs
    /// the ratio to be free or not 1
    unsigned free;
} br_fit_contact_def;

/// Result of a fit. Plain numbers; nothing to free.
typedef struct br_fit_contact_result {
    br_law law;                                                     ///< passes br_law_check()
    br_fit_estimate estimates[BR_FIT_CONTACT_COUNT];                ///< by BR_FIT_CONTACT_...
    double correlation[BR_FIT_CONTACT_COUNT][BR_FIT_CONTACT_COUNT]; ///< 0 where not estimated
    unsigned has; ///< bits of the parameters that this law and patch have, estimated or not
    /// bits of the estimated parameters; others are fixed, or at an end of their range
    unsigned estimated;
    /// length by which torques are divided to weigh them as forces, from their noise [m]
    double arm;
    double rms_force;  ///< root mean square residual of both force components [N]
    double rms_torque; ///< root mean square residual of the torque [N m]
    double widening;   ///< factor on errors and intervals for correlated residuals [-], >= 1
    double bic; ///< Bayesian information criterion, up to a constant of the data; smaller is better
    bool is_converged;  ///< false: the best so far
    size_t evaluations; ///< number of simulations of all rows
    /// standard deviations of the noise in vx, vy, w; 0: none found [m/s, m/s, rad/s]
    br_twist noise;
    /// true: the noise exceeds a tenth of v_s; intervals ignore it and are too narrow
    bool noise_is_felt;
} br_fit_contact_result;

/// Default definition: LuGre, blocks, a disc under a power pressure, 95 % intervals; `data` must be set.
BR_API br_fit_contact_def br_fit_contact_def_default(void);

/// Name of a parameter BR_FIT_CONTACT_...; NULL beyond the last.
BR_API const char* br_fit_contact_get_parameter_name(int parameter);

/// Fit a contact to measurements. Frees all memory that it allocates.
/// @param watch     may be NULL
/// @param[out] out  filled with BR_OK, and with the best so far for BR_ERR_STOPPED
/// @param[out] why  may be NULL; `field` is the column or member that is wrong
/// @return BR_OK, BR_ERR_DEF, BR_ERR_STOPPED, BR_ERR_MEMORY, or BR_ERR_ABSENT without cminpack
BR_API br_status br_fit_contact(const br_fit_contact_def* def, const br_fit_watch* watch,
                                br_fit_contact_result* out, br_reason* why);

/// Warn of a column that seems to be in other units, as br_fit_law_data_doubt(): degrees, millimetres, milliseconds.
/// @return a sentence, static; NULL: no warning
BR_API const char* br_fit_contact_data_doubt(const br_fit_contact_data* data);

/// Likelihood profile of a parameter, as br_fit_law_profile(): how much worse the fit gets when the parameter is fixed
/// at a value and all others are fitted again, in standard deviations.
/// @param parameter BR_FIT_CONTACT_..., with a bit in fit->estimated
/// @param value     values of the parameter, in its range (count)
/// @param[out] out  profile at each value (count)
/// @return BR_OK, BR_ERR_ARG, BR_ERR_DEF, BR_ERR_MEMORY or BR_ERR_ABSENT
BR_API br_status br_fit_contact_profile(const br_fit_contact_def* def,
                                        const br_fit_contact_result* fit, int parameter,
                                        const double* value, size_t count, double* out,
                                        br_reason* why);

/// Wrench of a fitted contact along data.
/// @param data         data of the fit or others; fx, fy, tau are not read
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
