/// @file rig.h
/// One-dimensional friction over time: a law under an imposed motion, and a mass on friction pulled by a spring.
///
///     imposed motion:  v(t), fn(t) given                 -> f, z
///     rig:             m x'' = k (pull t - x) + force(t) - f,  v = x'
///
/// Laws with bristles are integrated directly. Memoryless laws are set-valued at rest: the rig
/// switches between stick and slip at located instants.
#ifndef BRISTLE_RIG_H
#define BRISTLE_RIG_H

#include "bristle/law.h"
#include "bristle/profile.h"
#include "bristle/run.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A law under an imposed motion, starting from z = 0. Start from
/// br_imposed_default(), or from {.size = sizeof(br_imposed)}.
typedef struct br_imposed {
    size_t size;             ///< sizeof(br_imposed)
    br_law law;              ///< checked by br_imposed_run()
    br_profile velocity;     ///< velocity [m/s]
    br_profile normal_force; ///< normal force [N], >= 0
} br_imposed;

/// A mass on friction, at rest at x = 0 with z = 0 at the start. Start from
/// br_rig_default(), or from {.size = sizeof(br_rig)}.
typedef struct br_rig {
    size_t size;             ///< sizeof(br_rig)
    double mass;             ///< [kg], > 0
    double stiffness;        ///< stiffness of the spring [N/m], >= 0 (0: no spring)
    double pull;             ///< speed of the spring's far end [m/s]
    br_law law;              ///< checked by br_rig_run()
    br_profile force;        ///< applied force [N]
    br_profile normal_force; ///< normal force [N], >= 0
} br_rig;

/// Default imposed motion: Coulomb's law at rest, br_law_default(), with a normal force of 1 N.
BR_API br_imposed br_imposed_default(void);

/// Default rig: 1 kg without spring and force, Coulomb's law, br_law_default(), with a normal force of 1 N.
BR_API br_rig br_rig_default(void);

/// Columns of the rows of an imposed motion: t [s]; v [m/s]; f, resistance of the law along +v [N]; z, state of the
/// law [m]; BR_COLUMNS_MORE: x, distance travelled since t = 0 [m].
/// @param sets      sum of br_column_set
/// @param[out] out  the columns; may be NULL
/// @return number of columns
BR_API size_t br_imposed_get_columns(unsigned sets, br_column* out);

/// Columns of the rows of a rig: t [s]; x, position [m]; v [m/s]; f, z and parameters as br_imposed_get_columns().
BR_API size_t br_rig_get_columns(unsigned sets, br_column* out);

/// Run a law under an imposed motion. It has no events.
/// @param[out] cost  may be NULL
/// @param[out] why   may be NULL
/// @return BR_OK, BR_ERR_DEF, BR_ERR_MEMORY, BR_ERR_ABSENT, BR_ERR_STOPPED or BR_ERR_CONVERGENCE
BR_API br_status br_imposed_run(const br_imposed* imposed, const br_run_def* def,
                                const br_run_watch* watch, br_integrator_cost* cost,
                                br_reason* why);

/// Run a rig; as br_imposed_run(). Memoryless laws have events where they stick and slip.
BR_API br_status br_rig_run(const br_rig* rig, const br_run_def* def, const br_run_watch* watch,
                            br_integrator_cost* cost, br_reason* why);

/// A rig with a stateful law as a system of three states (x [m], v [m/s], z [m]), for an integration or events
/// of the caller.
typedef struct br_rig_system {
    const br_rig*
        rig;       ///< borrowed; read at every evaluation, so its size must be that of this header
    double within; ///< a time inside the smooth piece of the profiles to evaluate [s]
} br_rig_system;

/// The equations of `system`, which is borrowed; without events.
BR_API br_ode br_rig_ode(br_rig_system* system);

#ifdef __cplusplus
}
#endif

#endif
