/// @file slider.h
/// A body that slides on a plane; its unknown pressure is gathered in an equivalent contact point.
///
/// X&C = Xie & Chakraborty, "Dynamic Models of Planar Sliding"; numbers in brackets are that
/// paper's equations. The body stands on its face, its centre of mass (CoM) `height` above the
/// plane. Friction brakes it at the equivalent contact point (ECP), which shifts from below the CoM
/// so that the body does not topple, with a force and a moment inside the ellipsoid (13). SI units,
/// world axes.
///
/// Deviations from print: docs/equations.md, X-7 (load at another height), X-21 (sticking), X-44.
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

/// Where a slider is and how it moves.
typedef struct br_slider_state {
    br_pose q;  ///< of the CoM [m, m, rad]
    br_twist v; ///< at the CoM [m/s, m/s, rad/s]
} br_slider_state;

/// What others do to a slider. {0}: nothing.
typedef struct br_slider_load {
    br_wrench f; ///< force and moment about the vertical through the CoM [N, N, N m]
    double lift; ///< height of the force above the CoM [m], >= -height; X&C have 0
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
    int iterations;      ///< of the solver
} br_slider_value;

/// Friction at one instant.
typedef struct br_slider_rate {
    br_wrench f;           ///< lambda_t, lambda_o, lambda_r at the ECP [N, N, N m]
    double sigma;          ///< e-weighted slip speed at the ECP [m/s], >= 0
    br_vec2 ecp;           ///< equivalent contact point (11), (12) [m]
    br_twist acceleration; ///< of the CoM, (5)-(7) [m/s^2, m/s^2, rad/s^2]
    br_slider_mode mode;   ///< stick: at rest, and stays
} br_slider_rate;

/// The slider of the paper's section 6: 0.5 kg, 50 mm square, mu = 0.31, e = (1, 1, 0.01 m).
BR_API br_slider br_slider_default(void);

/// Is every number in its range?
/// @param[out] why  may be NULL; `field` is the field's name; e_t, e_o, e_r are e[0], e[1], e[2]
/// @return BR_OK or BR_ERR_DEF
BR_API br_status br_slider_check(const br_slider* slider, br_reason* why);

/// Set the ellipsoid to that of a patch: e_t = e_o = 1, e_r = r of W&K (23), the moment that
/// uniform friction has in pure rotation. Mass and gravity must be set; they give the patch's
/// normal force.
/// @return BR_OK, or BR_ERR_ARG if the patch is a single point, which has no such moment
BR_API br_status br_slider_set_patch(br_slider* slider, const br_patch* patch, br_reason* why);

/// One step, (26)-(32), or stick where friction can hold the slider, (20). Never fails, never
/// allocates; NaN in gives NaN out. Kinetic energy never grows unless the load works. A load that
/// is lifted far (docs/sliders.md) may leave two solutions, of which one is taken.
/// @param[in,out] state  from the step's beginning to its end: q + h v with the new v
/// @param load           over the step
/// @param h              length of the step [s], > 0
BR_API br_slider_value br_slider_step(const br_slider* slider, br_slider_state* state,
                                      const br_slider_load* load, double h);

/// One step of pure translation, (41)-(49): the slider does not turn, whatever moment acts on it.
/// Never fails, never allocates.
BR_API br_slider_value br_slider_translation_step(const br_slider* slider, br_slider_state* state,
                                                  const br_slider_load* load, double h);

/// One step of a body that stands on many small supports instead, to compare with: a rigid body on ground that
/// gives way evenly, so that its pressure is linear in place and zero where a support has lifted off, with
/// Coulomb friction at each. Many are a patch; three carry what statics says (docs/sliders.md). Every call takes
/// time in proportion to `count`, some hundred times that of br_slider_step() for 441. Never allocates. The
/// ellipsoid is not used.
/// @param points         in the body frame, from the CoM [m]; weight: of the ground's stiffness, > 0. Not on a line
/// @param count          >= 3
/// @param[in,out] state  from the step's beginning to its end
/// @param[out] forces    normal force of each support at the step's end [N] (count)
/// @param[out] out       friction of the step; sigma is the mean speed of the supports, weighted by their force
/// @return BR_OK, or BR_ERR_CONVERGENCE where no forces that push can carry the body: it topples, the ECP is
///         outside the hull of the points, and some of `forces` are negative
BR_API br_status br_slider_supports_step(const br_slider* slider, const br_support_point* points,
                                         size_t count, br_slider_state* state,
                                         const br_slider_load* load, double h, double* forces,
                                         br_slider_value* out);

/// Friction, ECP and acceleration at an instant, (5)-(7), (11), (12), (22)-(25); at rest, whether
/// the load is held or how it breaks away. Never fails, never allocates; NaN in gives NaN out.
BR_API br_slider_rate br_slider_eval(const br_slider* slider, const br_slider_state* state,
                                     const br_slider_load* load);

#ifdef __cplusplus
}
#endif

#endif
