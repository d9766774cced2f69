/// @file mujoco.h
/// Friction of bristle in MuJoCo: brm_step() in place of mj_step().
///
/// MuJoCo finds contact points and normal forces; for the pairs of geoms that are named here bristle
/// finds sliding friction and torsion together, over a patch, so that nothing creeps and spin and slide
/// share one limit. All other contacts stay MuJoCo's. SI units, as the model's.
///
///     brm_pair pair = brm_pair_default();
///     pair.geom1 = "table", pair.geom2 = "puck", pair.mu = 0.2;
///     brm_adapter* adapter;
///     brm_create(m, &pair, 1, &adapter, &why);
///     brm_step(m, d, adapter);                       // as often as mj_step() before
#ifndef BRISTLE_MUJOCO_H
#define BRISTLE_MUJOCO_H

#include "bristle/contact.h"

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Two geoms whose friction is bristle's. Start from brm_pair_default().
typedef struct brm_pair {
    const char* geom1; ///< the ground's name; used during creation
    const char* geom2; ///< the name of the one that slides on it and that the patch turns with
    double mu;         ///< coefficient of friction [-], >= 0; 0: MuJoCo's own for the pair
    const br_law* law; ///< the bristles, copied; NULL: br_law_from_mu() of mu, the patch's r and
                       ///< the force of the first touch
    const br_patch* patch; ///< given in advance, its CoP where the contact's is; borrowed, must
                           ///< outlive the adapter. NULL: taken from the contact points
    double radius;         ///< of the patch where there is one contact point [m], >= 0; 0: a point,
                           ///< which resists no spin
    double axis[3];        ///< x of a given patch, in geom2's frame, put into the contact's plane
    br_method method;      ///< how bristles stand for a given patch: any; blocks at first
    size_t resolution;     ///< of a given patch, as in br_contact_def; 0: what suits
} brm_pair;

/// What a pair's contact did in the last step.
typedef struct brm_contact {
    int touches;          ///< 1: it presses; 0: all else is 0
    double fn;            ///< normal force [N]
    double cop[3];        ///< centre of pressure, world [m]
    double frame[9];      ///< rows: normal from geom1 to geom2, two tangents; world
    br_patch_value patch; ///< r, u of the patch; its CoP from geom2's centre, in the tangents [m]
    br_twist v;  ///< of geom2 over geom1 at the CoP, along the tangents, about the normal, at
                 ///< the step's end [m/s, m/s, rad/s]
    br_wrench f; ///< of friction on geom2, at the CoP, along the tangents [N, N, N m]
    const br_contact*
        contact;     ///< the contact, for br_contact_slip_eval() and others; the adapter's,
                     ///< valid until the next step; NULL where nothing presses
    const double* z; ///< its bristles, the adapter's
} brm_contact;

/// What the last step says of itself.
typedef struct brm_report {
    size_t contacts;       ///< of bristle that press
    int rounds;            ///< solves of friction with normal forces found anew, >= 1
    int solves;            ///< of MuJoCo's constraints, >= 1
    int passes;            ///< over the bristles
    int converged;         ///< 1: Newton came to its end
    int changed;           ///< patches that were made anew, which allocates
    br_step_energy energy; ///< of all contacts
} brm_report;

/// The pairs, their bristles and their memory; for one mjData at a time.
typedef struct brm_adapter brm_adapter;

/// Any two geoms: mu of MuJoCo, blocks, the patch from the contact points.
BR_API brm_pair brm_pair_default(void);

/// Take over the friction of pairs of geoms.
/// @param m         the model; Euler's integrator is asked for. Pairs whose condim is not 1 are made so
///                  in every step, which costs a little: set condim="1"
/// @param pairs     (count); NULL: those that the model itself names, by a tuple whose name begins with
///                  "bristle" and whose elements are two geoms, the first with prm = mu (0: MuJoCo's own), the
///                  second with prm = radius
/// @param[out] out  the adapter, or NULL on failure; free it with brm_destroy()
/// @param[out] why  may be NULL; filled when the result is not BR_OK
/// @return BR_OK, BR_ERR_DEF (pairs, model) or BR_ERR_MEMORY
BR_API br_status brm_create(const mjModel* m, const brm_pair* pairs, size_t count,
                            brm_adapter** out, br_reason* why);

/// Free an adapter; NULL is allowed.
BR_API void brm_destroy(brm_adapter* adapter);

/// Let all bristles go: after mj_resetData(), or where bodies were put elsewhere.
BR_API void brm_reset(brm_adapter* adapter);

/// One step, as mj_step() would: what the caller set in qfrc_applied stays. Allocates only where a
/// patch changes; without memory the contact keeps the patch it had.
BR_API void brm_step(const mjModel* m, mjData* d, brm_adapter* adapter);

/// Number of pairs: those given, or found in the model.
BR_API size_t brm_get_count(const brm_adapter* adapter);

/// What pair `index` did in the last step.
BR_API brm_contact brm_get_contact(const brm_adapter* adapter, size_t index);

/// What the last step says of itself.
BR_API brm_report brm_get_report(const brm_adapter* adapter);

#ifdef __cplusplus
}
#endif

#endif
