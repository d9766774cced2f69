/// @file slider.h
/// A body that slides on a plane; an equivalent contact point represents its unknown pressure.
///
/// X&C = Xie & Chakraborty, "Dynamic Models of Planar Sliding"; numbers in brackets are that
/// paper's equations. The body stands on its face, its centre of mass (CoM) `height` above the
/// plane. Friction acts at the equivalent contact point (ECP), which shifts from below the CoM so
/// that the moments balance, with a force and a moment inside the ellipsoid (13). SI units, world axes.
///
/// Deviations from print: docs/explanation/equations.md, X-7 (load at another height), X-21 (sticking), X-44.
#ifndef BRISTLE_SLIDER_H
#define BRISTLE_SLIDER_H

#include "bristle/base.h"
#include "bristle/math.h"
#include "bristle/patch.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A slider. Start from br_slider_default(); any number of threads may use one.
typedef struct br_slider {
    double mass;    ///< m [kg], > 0
    double inertia; ///< I_z about the vertical through the CoM [kg m^2], > 0
    double height;  ///< q_z, height of the CoM above the plane [m], >= 0
    double mu;      ///< coefficient of friction [-], >= 0
    double e_t;     ///< friction ellipsoid (13) along x [-], > 0
    double e_o;     ///< friction ellipsoid (13) along y [-], > 0
    double e_r;     ///< friction ellipsoid (13) about the vertical [m], > 0
    double gravity; ///< g [m/s^2], > 0
} br_slider;

/// Position and velocity of a slider.
typedef struct br_slider_state {
    br_pose q;  ///< pose of the CoM [m, m, rad]
    br_twist v; ///< velocity at the CoM [m/s, m/s, rad/s]
} br_slider_state;

/// External load on a slider. {0}: none.
typedef struct br_slider_load {
    br_wrench f; ///< force and moment about the vertical through the CoM [N, N, N m]
    double lift; ///< height of the force above the CoM [m], >= -height; 0 in X&C
} br_slider_load;

/// Whether a slider moves.
typedef enum br_slider_mode {
    BR_SLIDER_SLIDE, ///< friction is on the ellipsoid
    BR_SLIDER_STICK  ///< friction holds the slider
} br_slider_mode;

/// Friction over one step.
typedef struct br_slider_value {
    double pt;           ///< impulse along x [N s]
    double po;           ///< impulse along y [N s]
    double pr;           ///< angular impulse at the ECP [N m s]
    double sigma;        ///< e-weighted slip speed at the ECP at the step's end [m/s], >= 0
    br_vec2 ecp;         ///< equivalent contact point (11), (12) at the step's end [m]
    br_slider_mode mode; ///< whether it slid
    int iterations;      ///< iterations of the solver
} br_slider_value;

/// Friction at one instant.
typedef struct br_slider_rate {
    br_wrench f;           ///< lambda_t, lambda_o, lambda_r at the ECP [N, N, N m]
    double sigma;          ///< e-weighted slip speed at the ECP [m/s], >= 0
    br_vec2 ecp;           ///< equivalent contact point (11), (12) [m]
    br_twist acceleration; ///< of the CoM, (5)-(7) [m/s^2, m/s^2, rad/s^2]
    br_slider_mode mode;   ///< stick: at rest, and stays at rest
} br_slider_rate;

/// Default slider, of the paper's section 6: 0.5 kg, 50 mm square, mu = 0.31, e = (1, 1, 0.01 m).
BR_API br_slider br_slider_default(void);

/// Check that every number is in its range.
/// @param[out] why  may be NULL; `field` is the field's name; e_t, e_o, e_r are e[0], e[1], e[2]
/// @return BR_OK or BR_ERR_DEF
BR_API br_status br_slider_check(const br_slider* slider, br_reason* why);

/// Set the ellipsoid to that of a patch: e_t = e_o = 1, e_r = r of W&K (23), the moment of
/// uniform friction in pure rotation. Mass and gravity must be set; they determine the patch's normal force.
/// @return BR_OK, or BR_ERR_ARG if the patch is a single point, which has no such moment
BR_API br_status br_slider_set_patch(br_slider* slider, const br_patch* patch, br_reason* why);

/// One step, (26)-(32), or stick if friction can hold the slider, (20). Never fails, never
/// allocates; NaN in gives NaN out. Kinetic energy never grows unless the load does work. For a load
/// high above the CoM (docs/explanation/sliders.md) two solutions may exist, of which one is taken.
/// @param[in,out] state  from the start of the step to its end: q + h v with the new v
/// @param load           over the step
/// @param h              length of the step [s], > 0
BR_API br_slider_value br_slider_step(const br_slider* slider, br_slider_state* state,
                                      const br_slider_load* load, double h);

/// One step of pure translation, (41)-(49): the slider does not turn under any moment. Never fails, never allocates.
BR_API br_slider_value br_slider_translation_step(const br_slider* slider, br_slider_state* state,
                                                  const br_slider_load* load, double h);

/// One step of a body on many small supports, for comparison: a rigid body on ground of uniform
/// stiffness, with Coulomb friction at each support. Its pressure is linear in position, and zero
/// where a support has lifted off. Many supports represent a patch; three carry the forces of
/// statics (docs/explanation/sliders.md). The time is proportional to `count`, some hundred times
/// that of br_slider_step() for 441. Never allocates. The ellipsoid is not used.
/// @param points         supports in the body frame, from the CoM [m]; weight: of the ground's stiffness, > 0. Not on a line
/// @param count          number of supports, >= 3
/// @param[in,out] state  from the start of the step to its end
/// @param[out] forces    normal force of each support at the step's end [N] (count)
/// @param[out] out       friction of the step; sigma is the mean speed of the supports, weighted by their force
/// @return BR_OK, or BR_ERR_CONVERGENCE if no pressing forces can carry the body: it topples, the ECP is
///         outside the hull of the points, and some of `forces` are negative
BR_API br_status br_slider_supports_step(const br_slider* slider, const br_support_point* points,
                                         size_t count, br_slider_state* state,
                                         const br_slider_load* load, double h, double* forces,
                                         br_slider_value* out);

/// Friction, ECP and acceleration at an instant, (5)-(7), (11), (12), (22)-(25); at rest, whether the
/// load is held or how the slider breaks away. Never fails, never allocates; NaN in gives NaN out.
BR_API br_slider_rate br_slider_eval(const br_slider* slider, const br_slider_state* state,
                                     const br_slider_load* load);

#ifdef __cplusplus
}
#endif

#endif
