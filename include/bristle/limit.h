/// @file limit.h
/// Limit surfaces: Coulomb friction of a sliding and spinning patch.
///
/// Everything follows from one convex, positively homogeneous function, the dissipation
///
///     D(v) = int |v(rho)| p dA,     wrench = -grad D(v),     D(v) = -wrench . v
///
/// of a twist v at the patch's centre of pressure (CoP), with mu = 1 and normal force 1. Multiply
/// wrenches and dissipation by mu fn. With anisotropic friction D(v) = int |A v(rho)| p dA (anisotropy.h). Axes are those of the contact frame. W&K = Waltersson &
/// Karayiannidis, sections III-D, IV-D, V; numbers in brackets are that paper's equations.
#ifndef BRISTLE_LIMIT_H
#define BRISTLE_LIMIT_H

#include <stdbool.h>

#include "bristle/anisotropy.h"
#include "bristle/base.h"
#include "bristle/math.h"
#include "bristle/patch.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How a limit surface is computed.
typedef enum br_limit_method {
    BR_LIMIT_EXACT,  ///< closed form or exact integral at every call; error 1e-14 to 1e-13 however
                     ///< thin the patch, for thin grids some 1e-16 times length over width
    BR_LIMIT_SMOOTH, ///< smooth (C1) table of D from the exact surface: passive, symmetric, convex
                     ///< except near the ends of a line or thin patch. It rounds off the kinks of
                     ///< points and rings: use the exact surface for those
    BR_LIMIT_BILINEAR, ///< W&K's table h(r, v), (33)-(42), nodes from the exact surface
    BR_LIMIT_GRID,     ///< the same, nodes from W&K's grid with correct corner interpolation (21)
    BR_LIMIT_PUBLISHED, ///< the same as the published code computes it, with truncation at the border
                        ///< and bilinear r; for reproduction only
    BR_LIMIT_ELLIPSOID, ///< ellipsoid (22) with the patch's r
    BR_LIMIT_FITTED,    ///< ellipsoid fitted to the exact surface by least squares
    BR_LIMIT_CURVE      ///< one-dimensional curve of a disc or ring, not with linear pressure; use
                        ///< it if the form of the pressure changes with the force
} br_limit_method;

/// Definition of a limit surface. Start from br_limit_def_default().
typedef struct br_limit_def {
    size_t size;            ///< set by the default function; do not touch
    const br_patch* patch;  ///< the patch; may be destroyed after creation
    double fn;              ///< normal force [N], >= 0, for a patch that depends on it
    br_limit_method method; ///< how it is computed
    size_t n;               ///< N_ls of a table: nodes per quarter turn, 2..512
    size_t resolution;      ///< cells across for grid and published, see br_cells_create()
    /// friction that depends on the direction, with axes of the body; mu along its second axis is the mu of the wrenches
    br_anisotropy anisotropy;
} br_limit_def;

/// A limit surface. Immutable after creation; many threads may share one.
typedef struct br_limit br_limit;

/// Coulomb friction at one twist, per mu fn.
typedef struct br_limit_value {
    double dissipation; ///< D(v) [m/s]
    br_wrench wrench;   ///< on the body, at the CoP [-, -, m]
    bool set_valued; ///< true: a support point or the whole body is at rest, so that many wrenches
                     ///< are possible; this is the one of smallest norm (torque over r)
} br_limit_value;

/// Error of a surface against the exact one, over some 10,000 to 100,000 sampled directions of twist, denser
/// where surfaces are most curved; the true maximum of a narrow peak may be larger by half.
/// h = (fx, fy, tau/r) with the exact r; for a point the torque is not compared. With anisotropic friction forces are
/// A^-1 f, in which the surface is isotropic.
typedef struct br_limit_error {
    double max;       ///< largest |h - h_exact| [-]
    double rms;       ///< root mean square of |h - h_exact| [-]
    double max_angle; ///< largest angle between h and h_exact [rad]
    double max_size;  ///< largest ||h| - |h_exact|| [-]
} br_limit_error;

/// Default definition: exact, fn = 1, n = 20, resolution = 21; `patch` must be set.
BR_API br_limit_def br_limit_def_default(void);

/// Create a limit surface. BR_LIMIT_GRID and BR_LIMIT_PUBLISHED lay the cells of a disc that depends
/// on the force over its largest extent: the disc needs a largest radius.
/// @param[out] out  the surface, or NULL on failure; free it with br_limit_destroy()
/// @param[out] why  may be NULL
/// @return BR_OK, BR_ERR_DEF or BR_ERR_MEMORY
BR_API br_status br_limit_create(const br_limit_def* def, br_limit** out, br_reason* why);

/// Free a surface; NULL is allowed. Contacts that were created with it stay valid.
BR_API void br_limit_destroy(br_limit* surface);

/// Whether the patch depends on the normal force.
BR_API bool br_limit_depends_on_force(const br_limit* surface);

/// Size of the memory that br_limit_at_force() needs [bytes]; 0 if the patch does not depend on the force.
BR_API size_t br_limit_get_at_force_size(const br_limit* surface);

/// The surface at another normal force, in the caller's memory; `surface` does not change. Never
/// allocates, never fails.
///
/// If the force changes only the size of the patch, h = (fx, fy, tau/r) is the same function of
/// (vx, vy, r w). Only r, u and the CoP change. A table stays the one of the force it was created
/// at (a point, if the patch was one). If the force changes the exponent k of the pressure,
/// everything is computed again: a microsecond for BR_LIMIT_CURVE, BR_LIMIT_EXACT and
/// BR_LIMIT_ELLIPSOID, some milliseconds for a table or a fit.
/// @param fn               normal force [N], >= 0; NaN gives NaN wrenches
/// @param[in,out] memory   br_limit_get_at_force_size() bytes, aligned as malloc aligns, all 0 before the
///                         first call, unchanged between calls. May be NULL if that size is 0
/// @return the surface at fn: it is in `memory`, borrows from `surface` and is valid until the next
///         call with that memory; `surface` itself if it does not depend on the force
BR_API const br_limit* br_limit_at_force(const br_limit* surface, double fn, void* memory);

/// CoP (contact frame), r (23), u (27) and area. r is the one that the surface uses: for
/// BR_LIMIT_PUBLISHED the bilinear one of the published code. With anisotropic friction r and u are those of the stretched
/// patch: r is the torque of a spin about the CoP.
BR_API br_patch_value br_limit_get_patch_value(const br_limit* surface);

/// Dissipation and wrench of a twist. Never fails, never allocates; v = 0 gives 0, NaN gives NaN.
/// @param v  twist at the CoP [m/s, m/s, rad/s]; any size from 1e-300 to 1e300
BR_API br_limit_value br_limit_eval(const br_limit* surface, br_twist v);

/// Jacobian of the wrench, d wrench_i/d v_j = -Hess D: symmetric, negative semidefinite, with v in
/// its null space (tables BILINEAR, GRID, PUBLISHED: the derivative of the interpolant, without
/// these properties). 0 at v = 0. A support point at rest, where it is infinite, is left out. If the CoR
/// is on a line or ring, it is logarithmically infinite; a large number replaces it. Never fails, never allocates.
/// @param[out] jacobian  rows fx, fy, tau; columns vx, vy, w [s/m, s/m, s; ...]
BR_API void br_limit_jacobian_eval(const br_limit* surface, br_twist v, double jacobian[3][3]);

/// Gauge of a wrench: < 1 inside (friction can hold it), 1 on the surface, > 1 outside.
/// gauge(f) = max over v of f.v/D(v). Never fails, never allocates. For the exact surface (to 1e-9) and
/// ellipsoids. A table whose D is not convex (bilinear, grid, published; smooth on lines and points)
/// has other maxima, of which a near one is found: use the exact surface there.
/// @param load        wrench at the CoP per mu fn [-, -, m]
/// @param[out] slide  may be NULL: the twist with which the body slides under that load, scaled
///                    to D = 1 (the limit surface's outward normal); 0 for load = 0
BR_API double br_limit_gauge(const br_limit* surface, br_wrench load, br_twist* slide);

/// Spin centre p_s, W&K's Fig 16: the centre of rotation about which the patch turns with a torque and no force.
/// It minimises the mean distance G(c) = int |rho - c| p dA: the (geometric) median of the pressure, not its
/// mean, the CoP. Both coincide if the pressure is symmetric under a half turn. If many centres minimise it
/// (two equal pads: all between them), the result is the CoP if that is one of them. At a support point many
/// wrenches are possible, the pure torque among them. It is that of the exact surface for every method. Never
/// fails, never allocates.
/// @param[out] torque  may be NULL: G(p_s), the largest torque with no force, per mu fn [m]; <= r
/// @return p_s in the contact frame [m], accurate to 1e-12 r if there is pressure around it
BR_API br_vec2 br_limit_get_spin_centre(const br_limit* surface, double* torque);

/// Error against the exact surface; takes milliseconds.
BR_API br_limit_error br_limit_get_error(const br_limit* surface);

#ifdef __cplusplus
}
#endif

#endif
