/// @file engine.h
/// Friction parameters of a patch for physics engines, and their error against the exact limit surface.
///
/// An engine's contact is a point with a sliding coefficient mu and, in some engines, a torsional one that is a
/// length times mu. Both limits are exact here: mu fn in pure sliding, mu r fn in pure spin. How an engine combines
/// sliding and spin is given by `br_engine_form`. Formulas and their sources:
/// docs/explanation/engine_friction.md. SI units; twists and wrenches are those of limit.h: at the
/// patch's centre of pressure (CoP), per mu fn.
#ifndef BRISTLE_ENGINE_H
#define BRISTLE_ENGINE_H

#include <stdbool.h>

#include "bristle/base.h"
#include "bristle/limit.h"
#include "bristle/math.h"
#include "bristle/patch.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The list of engines: enumerator, name in commands.
#define BR_ENGINE_LIST(X)                                                                          \
    X(BR_ENGINE_MUJOCO, "mujoco")                                                                  \
    X(BR_ENGINE_DRAKE, "drake")                                                                    \
    X(BR_ENGINE_GAZEBO, "gazebo")                                                                  \
    X(BR_ENGINE_BULLET, "bullet")                                                                  \
    X(BR_ENGINE_GENESIS, "genesis")

/// Which engine.
typedef enum br_engine_kind {
#define BR_ENGINE_ENUM(kind, name) kind, ///< see BR_ENGINE_LIST
    BR_ENGINE_LIST(BR_ENGINE_ENUM)
#undef BR_ENGINE_ENUM
} br_engine_kind;

/// The set of wrenches that an engine's friction can hold, per mu fn.
typedef enum br_engine_form {
    BR_ENGINE_FORM_ELLIPSOID, ///< fx^2 + fy^2 + (tau/r)^2 <= 1: elliptic cones of MuJoCo and Genesis
    BR_ENGINE_FORM_PYRAMID,   ///< |fx| + |fy| + |tau|/r <= 1: their pyramidal cones
    BR_ENGINE_FORM_CYLINDER, ///< fx^2 + fy^2 <= 1 and |tau| <= r, independent: Bullet, Gazebo's cone_model
    BR_ENGINE_FORM_BOX, ///< |fx| <= 1, |fy| <= 1 and |tau| <= r, independent: Gazebo's pyramid_model
    BR_ENGINE_FORM_FACES ///< Coulomb friction in each face of a mesh: Drake's hydroelastic contact
} br_engine_form;

/// What to convert. Start from br_engine_def_default().
typedef struct br_engine_def {
    size_t size;           ///< set by the default function; do not touch
    br_engine_kind kind;   ///< the engine
    const br_patch* patch; ///< the patch; may be destroyed after creation
    double mu;             ///< coefficient of friction [-], > 0
    double fn;             ///< normal force [N], > 0, at which a patch that depends on it is taken
    /// True: the engine's friction cone has flat sides (pyramidal, pyramid_model), false: it is round. No effect on Drake,
    /// and on Bullet, whose multibodies would have no spinning friction
    bool flat;
    size_t faces; ///< Drake: number of mesh faces across the patch, 1..256; ignored for a grid
} br_engine_def;

/// A parameter of an engine.
typedef struct br_engine_number {
    const char* name; ///< as the engine spells it; a constant
    const char* unit; ///< "m", "Pa", "-", ...; a constant
    double value;     ///< in that unit
} br_engine_number;

enum {
    BR_ENGINE_NUMBERS = 4 ///< maximum number of parameters of an engine
};

/// Error of an engine's limit surface against the exact one, over mu fn [-]; torques over r. Sampled in some 4000
/// directions, uniformly distributed over the sphere, and in those of axes and corners; in fewer, at least 256, where
/// faces, corners or points of the patch are more than 250.
typedef struct br_engine_error {
    double max;  ///< largest difference of the limit, over directions of load (fx, fy, tau/r)
    double mean; ///< mean of its absolute value
    /// Largest |h - h_exact| of a sliding body, h = (fx, fy, tau/r), over directions of its twist
    /// (vx, vy, r w); at a jump, the largest difference of the samples near it.
    double slide_max;
    double slide_mean; ///< mean of |h - h_exact|
} br_engine_error;

/// An engine's friction on a patch. Immutable after creation; many threads may share one.
typedef struct br_engine br_engine;

/// Name of an engine in commands, e.g. "mujoco"; never NULL.
BR_API const char* br_engine_get_name(br_engine_kind kind);

/// Default definition: mu = 1, fn = 1 N, 8 faces; flat for Gazebo, as is its default for a whole world, round for
/// the others. `patch` must be set.
BR_API br_engine_def br_engine_def_default(br_engine_kind kind);

/// Compute an engine's parameters of a patch.
/// @param[out] out  the engine, or NULL on failure; free it with br_engine_destroy()
/// @param[out] why  may be NULL; filled when the result is not BR_OK
/// @return BR_OK, BR_ERR_DEF (also if the patch has no area and the engine needs one: Drake) or
///         BR_ERR_MEMORY
BR_API br_status br_engine_create(const br_engine_def* def, br_engine** out, br_reason* why);

/// Free an engine; NULL is allowed.
BR_API void br_engine_destroy(br_engine* engine);

/// The definition of the engine.
BR_API br_engine_def br_engine_get_def(const br_engine* engine);

/// The set of wrenches that it can hold.
BR_API br_engine_form br_engine_get_form(const br_engine* engine);

/// Exact limit surface of the patch at fn; owned by the engine.
BR_API const br_limit* br_engine_get_exact(const br_engine* engine);

/// Parameters of the engine.
/// @param[out] numbers  array of BR_ENGINE_NUMBERS
/// @return number of parameters
BR_API size_t br_engine_get_numbers(const br_engine* engine, br_engine_number* numbers);

/// Dissipation and wrench of a twist with the engine's friction: of all wrenches that it can hold, the one that
/// dissipates most power; of several, the smallest (torque over r). Never fails, never allocates; v = 0
/// gives 0, NaN gives NaN.
/// @param v  twist at the CoP [m/s, m/s, rad/s]
BR_API br_limit_value br_engine_eval(const br_engine* engine, br_twist v);

/// Gauge of a wrench: < 1 the engine holds it, 1 on its limit surface, > 1 it does not. Never fails, never allocates.
/// @param load  wrench at the CoP per mu fn [-, -, m]
BR_API double br_engine_gauge(const br_engine* engine, br_wrench load);

/// Error against the exact limit surface; takes milliseconds, for points and grids longer.
BR_API br_engine_error br_engine_get_error(const br_engine* engine);

#ifdef __cplusplus
}
#endif

#endif
