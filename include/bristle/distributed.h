/// @file distributed.h
/// Distributed planar friction: a bristle in every cell of a contact patch.
///
/// Section IV of Waltersson & Karayiannidis (W&K); numbers in brackets are that paper's equations.
/// SI units. Twists and wrenches are taken at the patch's centre of pressure (CoP), in the axes of
/// the contact frame; the wrench is what the ground does to the body. The bristles' deflections are
/// in the patch's own axes (the same, unless the patch is placed at an angle).
#ifndef BRISTLE_DISTRIBUTED_H
#define BRISTLE_DISTRIBUTED_H

#include "bristle/law.h"
#include "bristle/math.h"
#include "bristle/patch.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a distributed model is made of. Start from br_distributed_def_default().
typedef struct br_distributed_def {
    size_t size;           ///< set by the default function; do not touch
    br_law law;            ///< BR_LAW_LUGRE or BR_LAW_ELASTO_PLASTIC
    const br_patch* patch; ///< used during creation only
    double fn;         ///< normal force at which a patch that depends on it is spread first [N],
                       ///< >= 0
    size_t resolution; ///< cells across, see br_cells_create()
    int plain;         ///< 1: only the plain code, also where there is a fast path
} br_distributed_def;

/// Immutable after creation, but for br_distributed_spread() on a patch that depends on the force; one model
/// may serve many threads. State lives with the caller.
typedef struct br_distributed br_distributed;

/// One cell of a model.
typedef struct br_distributed_cell {
    br_vec2 position; ///< from the CoP, patch axes [m]
    double weight;    ///< share of the normal force [-]; 0: padding, its deflection stays 0;
                      ///< BR_CELLS_IDLE: carries nothing at the moment, but its bristle lives on
} br_distributed_cell;

/// What one cell does at an instant, for pictures: place and vectors in the contact frame.
typedef struct br_distributed_cell_value {
    br_vec2 position; ///< [m]
    br_vec2 v;        ///< velocity over the ground [m/s]
    br_vec2 z;        ///< deflection of the bristle [m]
    br_vec2 dz;       ///< its rate [m/s]
    br_vec2 f;        ///< force on the body [N]; 0 in padding
} br_distributed_cell_value;

/// Table I of W&K (p = 1), elasto-plastic, 21 cells across; `patch` is to be set.
BR_API br_distributed_def br_distributed_def_default(void);

/// Create a model. The cells of a disc that depends on the force stay in place: it needs a largest
/// radius.
/// @param[out] out  the model, or NULL on failure; free it with br_distributed_destroy()
/// @param[out] why  may be NULL; filled when the result is not BR_OK
/// @return BR_OK, BR_ERR_DEF, BR_ERR_ARG or BR_ERR_MEMORY
BR_API br_status br_distributed_create(const br_distributed_def* def, br_distributed** out,
                                       br_reason* why);

/// Free a model; NULL is allowed.
BR_API void br_distributed_destroy(br_distributed* model);

/// Number of cells n, padding included. The state of a model is 2 n doubles: the x deflections of
/// all cells, then the y deflections [m]; all 0 at first.
BR_API size_t br_distributed_get_count(const br_distributed* model);

/// Cell `index`, 0..count-1.
BR_API br_distributed_cell br_distributed_get_cell(const br_distributed* model, size_t index);

/// CoP (contact frame), r, u as sums over the cells.
BR_API br_patch_value br_distributed_get_patch_value(const br_distributed* model);

/// Angle of the patch's axes in the contact frame [rad].
BR_API double br_distributed_get_angle(const br_distributed* model);

/// The bristle law of the model.
BR_API const br_law* br_distributed_get_law(const br_distributed* model);

/// Does the patch depend on the normal force?
BR_API int br_distributed_depends_on_force(const br_distributed* model);

/// Spread the pressure as it is at a normal force: the cells' weights, the CoP and with it the cells'
/// places from it. Does nothing for a patch that does not depend on the force, or at the force of the
/// last call. Never allocates, never fails. It changes the model: not while another thread uses it.
/// The state stays as it is, see docs/contact_changes.md.
/// @param fn  normal force [N], >= 0; NaN makes every later wrench NaN
BR_API void br_distributed_spread(br_distributed* model, double fn);

/// Deflection rates (10), (15) and wrench (19), (20). Never allocates, never fails; NaN in gives NaN
/// out.
/// @param z        state (2 n) [m]
/// @param v        twist of the body over the ground, at the CoP [m/s, m/s, rad/s]
/// @param fn       normal force [N], >= 0
/// @param[out] dz  rates of z (2 n) [m/s]; may not be z itself
/// @return wrench on the body at the CoP [N, N, N m]
BR_API br_wrench br_distributed_eval(const br_distributed* model, const double* z, br_twist v,
                                     double fn, double* dz);

/// The part of cell `index` (0..count-1) in br_distributed_eval(): the forces of all cells sum to the
/// wrench. Never allocates, never fails.
BR_API br_distributed_cell_value br_distributed_cell_eval(const br_distributed* model,
                                                          const double* z, br_twist v, double fn,
                                                          size_t index);

/// Derivatives of br_distributed_eval(), in the arrowhead form that an implicit solver needs: a cell
/// depends on its own bristle and on its own velocity v_t = (vx - w y, vy + w x) alone. In the
/// patch's axes.
typedef struct br_distributed_gradient {
    double* dz_z; ///< caller's: d(dz)/dz of each cell [1/s]: xx, xy, yx, yy, each (n) (4 n)
    double* dz_v; ///< caller's: d(dz)/dv_t of each cell [-]: as dz_z (4 n)
} br_distributed_gradient;

/// Fill the derivatives. Defined at v = 0 and z = 0, where kinks take the mean of both sides. Never
/// allocates, never fails.
BR_API void br_distributed_gradient_eval(const br_distributed* model, const double* z, br_twist v,
                                         const br_distributed_gradient* out);

/// Derivatives of the wrench of br_distributed_eval(): rows fx, fy, tau, in the axes of the contact
/// frame. With w the cell's weight and A = (1, 0, -y; 0, 1, x) they are
/// f_z = -w fn A^T (sigma0 + sigma1 dz_z), f_v = -sum w fn A^T (sigma1 dz_v + sigma2) A.
typedef struct br_distributed_wrench_gradient {
    double f_v[3][3]; ///< by vx, vy, w [N s/m, N s/m, N s; ...; N s, N s, N m s]
    double f_fn[3];   ///< by the normal force [-, -, m]
    double* f_z;      ///< caller's, may be NULL: by each entry of the state [N/m; N/m; N] (3 x 2 n)
} br_distributed_wrench_gradient;

/// Fill the derivatives of the wrench, with the same means at kinks. Never allocates, never fails.
/// @param[in,out] out  its f_z says where the derivatives by the state go, or NULL
BR_API void br_distributed_wrench_gradient_eval(const br_distributed* model, const double* z,
                                                br_twist v, double fn,
                                                br_distributed_wrench_gradient* out);

/// Derivatives of br_distributed_eval() with respect to the parameters of its law (BR_BY_MU_C..), for
/// identification; per unit of the parameter.
typedef struct br_distributed_sensitivity {
    double f[BR_BY_COUNT][3]; ///< of the wrench fx, fy, tau
    double* dz;               ///< caller's, may be NULL: of the rates (BR_BY_COUNT x 2 n)
} br_distributed_sensitivity;

/// Fill the derivatives. Never allocates, never fails.
/// @param[in,out] out  its dz says where those of the rates go, or NULL
BR_API void br_distributed_sensitivity_eval(const br_distributed* model, const double* z,
                                            br_twist v, double fn, br_distributed_sensitivity* out);

/// Advance the bristles over a step of any size with the twist held, by implicit Euler: bounded and
/// passive for any h, of order 1. Where the damping sigma1 would give energy back that nobody put in
/// (parameters that miss the condition of br_law_passivity_margin()), it is limited in this step.
/// fn = 0 gives no force and forgets the deflections. Never allocates, never fails.
/// @param[in,out] z     state (2 n) [m]
/// @param h             step [s], > 0
/// @param[out] energy   may be NULL
/// @return wrench on the body at the CoP over the step [N, N, N m]: its impulse is h times that
BR_API br_wrench br_distributed_step(const br_distributed* model, double* z, br_twist v, double fn,
                                     double h, br_step_energy* energy);

/// Carry the bristles of one model to another when the contact changes at equal normal force: another
/// shape, another place in the same contact frame, another number of cells. Each cell takes the bristle
/// of the nearest one, then all are moved by one small rigid motion so that the elastic force and torque
/// (those of sigma0 z) are the same to rounding; a patch of one cell cannot keep a torque. See
/// docs/contact_changes.md. Takes cells times cells; never allocates, never fails.
/// @param z         state of `from` (2 n of it) [m]
/// @param[out] out  state of `to` (2 n of it) [m]; may not be z itself
BR_API void br_distributed_carry(const br_distributed* from, const double* z,
                                 const br_distributed* to, double* out);

/// Steady-state wrench (12), (19), (20): every bristle at its own z* (11). A cell at rest (to
/// rounding) resists nothing. Never allocates, never fails.
BR_API br_wrench br_distributed_steady_eval(const br_distributed* model, br_twist v, double fn);

/// Where steady sliding has the bristles: every one at its own z* (11); those of cells at rest (to
/// rounding) and of padding at 0. Never allocates, never fails.
/// @param[out] z  state (2 n) [m]
BR_API void br_distributed_steady_state_eval(const br_distributed* model, br_twist v, double* z);

/// Steady-state wrench by (21): where the centre of rotation lies in a cell, between those of
/// rotations about the cell's corners, so that it does not jump from cell to cell. A patch whose
/// cells make no lattice (line, ring, points) is not interpolated. Four times the cost. Never
/// allocates, never fails.
/// @param published  0: as the paper says; 1: as the published code does, which extrapolates up to a
///                   cell beyond the left and lower border (docs/equations.md, W-21)
BR_API br_wrench br_distributed_steady_bilinear_eval(const br_distributed* model, br_twist v,
                                                     double fn, int published);

#ifdef __cplusplus
}
#endif

#endif
