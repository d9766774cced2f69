/// @file engine.h
/// What physics engines take for the friction of a patch, and how far from the exact limit surface that is.
///
/// An engine's contact is a point with a sliding coefficient mu and, in some, a torsional one that is a length
/// times mu. Both budgets are met exactly here: mu fn by a body that slides, mu r fn by one that spins. What an
/// engine does where a body slides and spins is its own: `br_engine_form`. Formulas and their sources:
/// docs/engines.md. SI units; twists and wrenches are those of limit.h: at the patch's centre of pressure (CoP),
/// per mu fn.
#ifndef BRISTLE_ENGINE_H
#define BRISTLE_ENGINE_H

#include "bristle/base.h"
#include "bristle/limit.h"
#include "bristle/math.h"
#include "bristle/patch.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The engines, written once: enumerator, name as the command spells it.
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

/// Which wrenches an engine's friction can hold, per mu fn.
typedef enum br_engine_form {
    BR_FORM_ELLIPSOID, ///< fx^2 + fy^2 + (tau/r)^2 <= 1: elliptic cones of MuJoCo and Genesis
    BR_FORM_PYRAMID,   ///< |fx| + |fy| + |tau|/r <= 1: their pyramidal cones
    BR_FORM_CYLINDER, ///< fx^2 + fy^2 <= 1 and |tau| <= r, independent: Bullet, Gazebo's cone_model
    BR_FORM_BOX,      ///< |fx| <= 1, |fy| <= 1 and |tau| <= r, independent: Gazebo's pyramid_model
    BR_FORM_FACES     ///< Coulomb friction in each face of a mesh: Drake's hydroelastic contact
} br_engine_form;

/// What is to be converted. Start from br_engine_def_default().
typedef struct br_engine_def {
    size_t size;           ///< set by the default function; do not touch
    br_engine_kind kind;   ///< the engine
    const br_patch* patch; ///< borrowed; must outlive the engine
    double mu;             ///< coefficient of friction [-], > 0
    double fn;             ///< normal force [N], > 0; a patch that depends on it is the one at fn
    int flat; ///< 1: the engine's cone has flat sides (pyramidal, pyramid_model), 0: it is round; without
              ///< effect on Drake, and on Bullet, whose multibodies would have no spinning friction
    size_t faces; ///< Drake: faces of the mesh across the patch, 1..256; a grid has its own
} br_engine_def;

/// A number that an engine takes.
typedef struct br_engine_number {
    const char* name; ///< as the engine spells it; a constant
    const char* unit; ///< "m", "Pa", "-", ...; a constant
    double value;     ///< in that unit
} br_engine_number;

enum {
    BR_ENGINE_NUMBERS = 4 ///< most numbers of an engine
};

/// How far an engine's limit surface is from the exact one, over mu fn [-]; torques over r. Over some 4000
/// directions that are spread evenly over the sphere, and those of axes and corners.
typedef struct br_engine_error {
    double max;  ///< largest difference in what is held, over directions of load (fx, fy, tau/r)
    double mean; ///< mean of it, of its absolute value
    /// Largest |h - h_exact| of a body that slides, h = (fx, fy, tau/r), over directions of its twist
    /// (vx, vy, r w); a jump counts as far as samples come near.
    double slide_max;
    double slide_mean; ///< mean of it
} br_engine_error;

/// An engine's friction on a patch. Immutable after creation; one may serve many threads.
typedef struct br_engine br_engine;

/// The name the command uses for an engine, e.g. "mujoco"; never NULL.
BR_API const char* br_engine_name(br_engine_kind kind);

/// mu = 1, fn = 1 N, 8 faces; flat for Gazebo, whose default it is and which sets it for a whole world, round for
/// the others. `patch` is to be set.
BR_API br_engine_def br_engine_def_default(br_engine_kind kind);

/// Convert a patch.
/// @param[out] out  the engine, or NULL on failure; free it with br_engine_destroy()
/// @param[out] why  may be NULL; filled when the result is not BR_OK
/// @return BR_OK, BR_ERR_DEF (also where the patch has no area and the engine needs one: Drake) or
///         BR_ERR_MEMORY
BR_API br_status br_engine_create(const br_engine_def* def, br_engine** out, br_reason* why);

/// Free an engine; NULL is allowed.
BR_API void br_engine_destroy(br_engine* engine);

/// The definition it was made from.
BR_API br_engine_def br_engine_get_def(const br_engine* engine);

/// Which wrenches it holds.
BR_API br_engine_form br_engine_get_form(const br_engine* engine);

/// The exact limit surface of the patch at fn; belongs to the engine.
BR_API const br_limit* br_engine_get_exact(const br_engine* engine);

/// What the engine takes.
/// @param[out] numbers  room for BR_ENGINE_NUMBERS
/// @return how many there are
BR_API size_t br_engine_get_numbers(const br_engine* engine, br_engine_number* numbers);

/// Dissipation and wrench of a twist as the engine's cone has them: of all wrenches that it can hold the one that
/// takes most power. Where there are many, the smallest (torque over r). Never fails, never allocates; v = 0
/// gives 0, NaN gives NaN.
/// @param v  twist at the CoP [m/s, m/s, rad/s]
BR_API br_limit_value br_engine_eval(const br_engine* engine, br_twist v);

/// The gauge of a wrench: < 1 the engine holds it, 1 on its limit surface, > 1 it does not. Never fails,
/// never allocates.
/// @param load  wrench at the CoP per mu fn [-, -, m]
BR_API double br_engine_gauge(const br_engine* engine, br_wrench load);

/// How far it is from the exact limit surface; takes milliseconds, for points and grids longer.
BR_API br_engine_error br_engine_get_error(const br_engine* engine);

#ifdef __cplusplus
}
#endif

#endif
