/// @file blocks.h
/// Planar friction in blocks: a contact patch cut into a few pieces, three bristles in each.
///
/// A piece knows its weight, centroid and covariance, and so how its points slip past each other.
/// From one block to one per cell: the family between the reduced and the distributed model, many
/// times more accurate than the first and many times cheaper than the second (docs/models.md).
/// SI units. Twists and wrenches are taken at the patch's centre of pressure (CoP), in the axes of
/// the contact frame; the wrench is what the ground does to the body. The bristles' deflections are
/// in the patch's own axes (the same, unless the patch is placed at an angle).
#ifndef BRISTLE_BLOCKS_H
#define BRISTLE_BLOCKS_H

#include "bristle/law.h"
#include "bristle/math.h"
#include "bristle/patch.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a blocks model is made of. Start from br_blocks_def_default().
typedef struct br_blocks_def {
    size_t size;           ///< set by the default function; do not touch
    br_law law;            ///< BR_LAW_LUGRE or BR_LAW_ELASTO_PLASTIC
    const br_patch* patch; ///< used during creation only
    double fn;         ///< normal force at which a patch that depends on it is spread first [N],
                       ///< >= 0
    size_t resolution; ///< cells across from which the blocks are made, see br_cells_create()
    size_t blocks;     ///< blocks across, 1..256; a line takes twice as many
    int plain;         ///< 1: only the plain code, also where there is a fast path
} br_blocks_def;

/// Immutable after creation, but for br_blocks_spread() on a patch that depends on the force; one model
/// may serve many threads. State lives with the caller.
typedef struct br_blocks br_blocks;

/// One block of a model.
typedef struct br_blocks_block {
    br_vec2 position; ///< centroid from the CoP, patch axes [m]
    double weight;    ///< share of the normal force [-]; 0: padding, its deflections stay 0; some
                      ///< BR_CELLS_IDLE: carries nothing at the moment, but its bristles live on
    double xx;        ///< covariance of the pressure within the block, patch axes [m^2]
    double xy;        ///< [m^2]
    double yy;        ///< [m^2]
} br_blocks_block;

/// Table I of W&K (p = 1), elasto-plastic, 5 blocks across made of 120 cells; `patch` is to be set.
BR_API br_blocks_def br_blocks_def_default(void);

/// Create a model. A patch of no more cells or points than blocks gets one block for each and is the
/// distributed model. Blocks that carry next to nothing join their heaviest neighbour. A disc that
/// depends on the force needs a largest radius: there its cells are laid and cut into blocks.
/// @param[out] out  the model, or NULL on failure; free it with br_blocks_destroy()
/// @param[out] why  may be NULL; filled when the result is not BR_OK
/// @return BR_OK, BR_ERR_DEF, BR_ERR_ARG or BR_ERR_MEMORY
BR_API br_status br_blocks_create(const br_blocks_def* def, br_blocks** out, br_reason* why);

/// Free a model; NULL is allowed.
BR_API void br_blocks_destroy(br_blocks* model);

/// Number of blocks n, padding included. The state of a model is 3 n doubles: the x deflections of
/// all blocks [m], the y deflections [m], then the spin deflections (mean of rho x z about the
/// block's own centroid) [m^2]; all 0 at first.
BR_API size_t br_blocks_get_count(const br_blocks* model);

/// Block `index`, 0..count-1.
BR_API br_blocks_block br_blocks_get_block(const br_blocks* model, size_t index);

/// CoP (contact frame), r, u as sums over the cells the blocks are made of.
BR_API br_patch_value br_blocks_get_patch_value(const br_blocks* model);

/// Angle of the patch's axes in the contact frame [rad].
BR_API double br_blocks_get_angle(const br_blocks* model);

/// The bristle law of the model.
BR_API const br_law* br_blocks_get_law(const br_blocks* model);

/// Does the patch depend on the normal force?
BR_API int br_blocks_depends_on_force(const br_blocks* model);

/// Spread the pressure as it is at a normal force: the weights of the cells, and with them weight,
/// centroid and covariance of each block and the CoP; which cells belong to a block stays. Does
/// nothing for a patch that does not depend on the force, or at the force of the last call. Never
/// allocates, never fails. It changes the model: not while another thread uses it. The state stays as
/// it is, see docs/contact_changes.md.
/// @param fn  normal force [N], >= 0; NaN makes every later wrench NaN
BR_API void br_blocks_spread(br_blocks* model, double fn);

/// Deflection rates and wrench. Never allocates, never fails; NaN in gives NaN out.
/// @param z        state (3 n) [m, m, m^2]
/// @param v        twist of the body over the ground, at the CoP [m/s, m/s, rad/s]
/// @param fn       normal force [N], >= 0
/// @param[out] dz  rates of z (3 n) [m/s, m/s, m^2/s]; may not be z itself
/// @return wrench on the body at the CoP [N, N, N m]
BR_API br_wrench br_blocks_eval(const br_blocks* model, const double* z, br_twist v, double fn,
                                double* dz);

/// Where steady sliding has the bristles: the state at which all rates are 0 while the twist stays;
/// blocks at rest and padding at 0. Never allocates, never fails.
/// @param[out] z  state (3 n) [m, m, m^2]
BR_API void br_blocks_steady_state_eval(const br_blocks* model, br_twist v, double* z);

/// Derivatives of br_blocks_eval(), in the arrowhead form that an implicit solver needs: a block
/// depends on its own bristles Z = (z_x, z_y, zeta) and on its own motion
/// V = (vx - w y, vy + w x, w) alone. In the patch's axes. Entry (row, column) of block i is at
/// (3 row + column) n + i.
typedef struct br_blocks_gradient {
    double* dz_z; ///< caller's: d(rate of Z)/dZ of each block [1/s; m between z and zeta] (9 n)
    double* dz_v; ///< caller's: d(rate of Z)/dV of each block [-; column w: m, m, m^2] (9 n)
} br_blocks_gradient;

/// Fill the derivatives. Defined at v = 0 and z = 0: at a kink each column is the mean of both sides
/// along its axis of the patch. Never allocates, never fails.
BR_API void br_blocks_gradient_eval(const br_blocks* model, const double* z, br_twist v,
                                    const br_blocks_gradient* out);

/// Carry the bristles of one model to another when the contact changes at equal normal force, as
/// br_distributed_carry() does with cells; the spin of a block keeps its angle. Elastic force and
/// torque are the same to rounding. Never allocates, never fails.
/// @param z         state of `from` (3 n of it) [m, m, m^2]
/// @param[out] out  state of `to` (3 n of it) [m, m, m^2]; may not be z itself
BR_API void br_blocks_carry(const br_blocks* from, const double* z, const br_blocks* to,
                            double* out);

/// Derivatives of the wrench of br_blocks_eval(): rows fx, fy, tau, in the axes of the contact frame.
/// With A = (1, 0, -y; 0, 1, x; 0, 0, 1) and t the trace of the covariance they are
/// f_z = -weight fn A^T (sigma0 + sigma1 dz_z),
/// f_v = -sum weight fn A^T (sigma1 dz_v + sigma2 diag(1, 1, t)) A.
typedef struct br_blocks_wrench_gradient {
    double f_v[3][3]; ///< by vx, vy, w [N s/m, N s/m, N s; ...; N s, N s, N m s]
    double f_fn[3];   ///< by the normal force [-, -, m]
    double* f_z;      ///< caller's, may be NULL: by each entry of the state [N/m, N/m, N/m^2; ...;
                      ///< N, N, N/m] (3 x 3 n)
} br_blocks_wrench_gradient;

/// Fill the derivatives of the wrench, with the same means at kinks. Never allocates, never fails.
/// @param[in,out] out  its f_z says where the derivatives by the state go, or NULL
BR_API void br_blocks_wrench_gradient_eval(const br_blocks* model, const double* z, br_twist v,
                                           double fn, br_blocks_wrench_gradient* out);

/// Derivatives of br_blocks_eval() with respect to the parameters of its law (BR_BY_MU_C..), for
/// identification; per unit of the parameter.
typedef struct br_blocks_sensitivity {
    double f[BR_BY_COUNT][3]; ///< of the wrench fx, fy, tau
    double* dz;               ///< caller's, may be NULL: of the rates (BR_BY_COUNT x 3 n)
} br_blocks_sensitivity;

/// Fill the derivatives. Never allocates, never fails.
/// @param[in,out] out  its dz says where those of the rates go, or NULL
BR_API void br_blocks_sensitivity_eval(const br_blocks* model, const double* z, br_twist v,
                                       double fn, br_blocks_sensitivity* out);

/// br_blocks_eval() of many contacts that share a model, with the same results bit for bit. The
/// contacts do not depend on each other: threads may take a part each. Never allocates, never fails.
/// @param contacts  how many
/// @param z         states, contact after contact (contacts x 3 n) [m, m, m^2]
/// @param v         twists (contacts) [m/s, m/s, rad/s]
/// @param fn        normal forces (contacts) [N], >= 0
/// @param[out] dz   rates of z (contacts x 3 n) [m/s, m/s, m^2/s]; may not be z itself
/// @param[out] f    wrenches on the bodies (contacts) [N, N, N m]
BR_API void br_blocks_batch_eval(const br_blocks* model, size_t contacts, const double* z,
                                 const br_twist* v, const double* fn, double* dz, br_wrench* f);

/// Advance the bristles over a step of any size with the twist held, by implicit Euler: bounded and
/// passive for any h, of order 1. Where the damping sigma1 would give energy back that nobody put in
/// (parameters that miss the condition of br_law_passivity_margin()), it is limited in this step.
/// fn = 0 gives no force and forgets the deflections. Never allocates, never fails.
/// @param[in,out] z     state (3 n) [m, m, m^2]
/// @param h             step [s], > 0
/// @param[out] energy   may be NULL
/// @return wrench on the body at the CoP over the step [N, N, N m]: its impulse is h times that
BR_API br_wrench br_blocks_step(const br_blocks* model, double* z, br_twist v, double fn, double h,
                                br_step_energy* energy);

#ifdef __cplusplus
}
#endif

#endif
