/// @file mujoco.h
/// Friction of bristle in MuJoCo: brm_step() replaces mj_step().
///
/// MuJoCo computes contact points and normal forces. For the listed pairs of geoms bristle computes sliding
/// friction and torsion together, over a patch: contacts do not creep, and sliding and spin share one
/// friction limit. All other contacts are left to MuJoCo. SI units, as in the model.
///
///     brm_pair pair = brm_pair_default();
///     pair.geom1 = "table", pair.geom2 = "puck", pair.mu = 0.2;
///     brm_adapter* adapter;
///     brm_create(m, &pair, 1, &adapter, &why);
///     brm_step(m, d, adapter);                       // instead of mj_step()
#ifndef BRISTLE_MUJOCO_H
#define BRISTLE_MUJOCO_H

#include "bristle/contact.h"

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Two geoms whose friction bristle computes. Start from brm_pair_default().
typedef struct brm_pair {
    const char* geom1; ///< name of the ground geom; read during creation
    const char* geom2; ///< name of the geom that slides on it; the patch turns with it
    /// coefficient of friction [-], >= 0, in all directions; 0: MuJoCo's own for the pair. Where its two tangential
    /// coefficients differ, friction is anisotropic: friction[0] along the first tangent of MuJoCo's contact frame,
    /// friction[1] along the second, each at least 1/1000 of the other (BR_ANISOTROPY_MAX)
    double mu;
    const br_law*
        law; ///< bristle law, copied, isotropic; NULL: br_law_from_mu() of mu, the patch's r
             ///< and the normal force of the first touch
    /// fixed patch, centred at the contact's CoP; borrowed, must outlive the adapter. NULL: computed from the contact
    /// points. Two different coefficients need cells, blocks or a disc; others are refused by brm_create() and, if the
    /// model changes after it, isotropic
    const br_patch* patch;
    double radius;     ///< radius of the patch of a single contact point [m], >= 0; 0: a point,
                       ///< without resistance to spin
    double axis[3];    ///< x axis of a fixed patch, in geom2's frame, projected onto the plane
    br_method method;  ///< method of a fixed patch; default: blocks
    size_t resolution; ///< of a fixed patch, see br_contact_def; 0: default of the method
} brm_pair;

/// Contact of a pair in the last step.
typedef struct brm_contact {
    int touches;          ///< 1: the normal force is > 0; 0: all other members are 0
    double fn;            ///< normal force [N]
    double cop[3];        ///< centre of pressure, world [m]
    double frame[9];      ///< rows: normal from geom1 to geom2, two tangents; world
    br_patch_value patch; ///< r, u of the patch; its CoP from geom2, along the tangents [m]
    br_twist v;  ///< twist of geom2 over geom1 at the CoP, along the tangents, about the normal, at
                 ///< the end of the step [m/s, m/s, rad/s]
    br_wrench f; ///< friction on geom2 at the CoP, along the tangents [N, N, N m]
    /// The contact, for br_contact_slip_eval() and others; owned by the adapter, valid until the next step; NULL
    /// without normal force
    const br_contact* contact;
    const double* z; ///< its bristles, owned by the adapter
} brm_contact;

/// Statistics of the last step.
typedef struct brm_report {
    size_t contacts;       ///< number of bristle's contacts with normal force
    int rounds;            ///< number of friction solves with updated normal forces, >= 1
    int solves;            ///< number of solves of MuJoCo's constraints, >= 1
    int passes;            ///< number of passes over the bristles
    int converged;         ///< 1: Newton's method converged
    int changed;           ///< number of patches that were created again, which allocates
    br_step_energy energy; ///< energy balance of all contacts
} brm_report;

/// Adapter: the pairs, their bristles and their memory; for one mjData at a time.
typedef struct brm_adapter brm_adapter;

/// Default pair: mu of MuJoCo, blocks, the patch from the contact points; the geoms must be set.
BR_API brm_pair brm_pair_default(void);

/// Create an adapter that computes the friction of pairs of geoms.
/// @param m         the model; its integrator must be Euler. Each step sets the condim of the pairs to 1, at
///                  a small cost if it is not: set condim="1" in the model
/// @param pairs     the pairs (count); NULL: those defined in the model, by tuples whose name starts with
///                  "bristle" and whose elements are two geoms, the first with prm = mu (0: MuJoCo's own), the
///                  second with prm = radius
/// @param[out] out  the adapter, or NULL on failure; free it with brm_destroy()
/// @param[out] why  may be NULL; filled when the result is not BR_OK
/// @return BR_OK, BR_ERR_DEF (pairs, model) or BR_ERR_MEMORY
BR_API br_status brm_create(const mjModel* m, const brm_pair* pairs, size_t count,
                            brm_adapter** out, br_reason* why);

/// Free an adapter; NULL is allowed.
BR_API void brm_destroy(brm_adapter* adapter);

/// Reset all bristles: call it after mj_resetData(), or after bodies were moved.
BR_API void brm_reset(brm_adapter* adapter);

/// Advance the simulation by one step, as mj_step(). Does not change the caller's qfrc_applied. Allocates only when
/// a patch changes; without memory the contact keeps its last patch.
BR_API void brm_step(const mjModel* m, mjData* d, brm_adapter* adapter);

/// Number of pairs: those given, or found in the model.
BR_API size_t brm_get_count(const brm_adapter* adapter);

/// Contact of pair `index` in the last step.
BR_API brm_contact brm_get_contact(const brm_adapter* adapter, size_t index);

/// Statistics of the last step.
BR_API brm_report brm_get_report(const brm_adapter* adapter);

#ifdef __cplusplus
}
#endif

#endif
