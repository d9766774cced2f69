/// @file limit.h
/// Limit surfaces: Coulomb friction of a sliding and spinning patch.
///
/// Everything follows from one convex, positively homogeneous function, the dissipation
///
///     D(v) = int |v(rho)| p dA,     wrench = -grad D(v),     D(v) = -wrench . v
///
/// of a twist v at the patch's centre of pressure (CoP), with mu = 1 and normal force 1. Multiply
/// wrenches and dissipation by mu fn. Axes are those of the contact frame. W&K = Waltersson &
/// Karayiannidis, sections III-D, IV-D, V; numbers in brackets are that paper's equations.
#ifndef BRISTLE_LIMIT_H
#define BRISTLE_LIMIT_H

#include "bristle/base.h"
#include "bristle/math.h"
#include "bristle/patch.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How a limit surface is computed.
typedef enum br_limit_method {
    BR_LIMIT_EXACT, ///< closed form or exact integral at every call; error 1e-14 to 1e-13 however thin
                    ///< a patch is, for thin grids some 1e-16 times length over width
    BR_LIMIT_SMOOTH, ///< smooth (C1) table of D from the exact surface: passive, symmetric; convex
                     ///< but near the ends of a line or thin patch, and for points and rings, whose
                     ///< kinks it rounds off: take the exact one for those
    BR_LIMIT_BILINEAR,  ///< W&K's table h(r, v), (33)-(42), nodes from the exact surface
    BR_LIMIT_GRID,      ///< the same, nodes by W&K's grid and corner interpolation (21), done right
    BR_LIMIT_PUBLISHED, ///< the same as the published code computes it, truncation at the border
                        ///< and bilinear r included; for reproduction only
    BR_LIMIT_ELLIPSOID, ///< ellipsoid (22) with the patch's r
    BR_LIMIT_FITTED,    ///< ellipsoid fitted to the exact surface by least squares
    BR_LIMIT_CURVE ///< the br_curve of a disc or ring, not with linear pressure; the one to take
                   ///< where the pressure changes its form with the force
} br_limit_method;

/// What a limit surface is made of. Start from br_limit_def_default().
typedef struct br_limit_def {
    size_t size;            ///< set by the default function; do not touch
    const br_patch* patch;  ///< borrowed; must outlive the surface
    double fn;              ///< normal force of a patch that depends on it [N], >= 0
    br_limit_method method; ///< how
    size_t n;               ///< N_ls of a table: nodes per quarter turn, 2..512
    size_t resolution;      ///< cells across for grid and published, see br_cells_create()
} br_limit_def;

/// Immutable after creation; one surface may serve many threads.
typedef struct br_limit br_limit;

/// Coulomb friction at one twist, per mu fn.
typedef struct br_limit_value {
    double dissipation; ///< D(v) [m/s]
    br_wrench wrench;   ///< on the body, at the CoP [-, -, m]
    int set_valued;     ///< 1: a support point or the whole body is at rest, so that many wrenches
                        ///< are possible; this is the one of smallest norm (torque over r)
} br_limit_value;

/// How far a surface is from the exact one, over some 10,000 to 100,000 sampled directions of twist, of
/// which more lie where surfaces bend most; the true maximum of a narrow peak may be larger by half.
/// h = (fx, fy, tau/r) with the exact r; a point has no torque to compare.
typedef struct br_limit_error {
    double max;       ///< largest |h - h_exact| [-]
    double rms;       ///< root mean square of it [-]
    double max_angle; ///< largest angle between h and h_exact [rad]
    double max_size;  ///< largest ||h| - |h_exact|| [-]
} br_limit_error;

/// Exact, fn = 1, n = 20, resolution = 21; `patch` is to be set.
BR_API br_limit_def br_limit_def_default(void);

/// Create a limit surface. BR_LIMIT_GRID and BR_LIMIT_PUBLISHED lay the cells of a disc that depends
/// on the force over its largest extent: it needs a largest radius.
/// @param[out] out  the surface, or NULL on failure; free it with br_limit_destroy()
/// @param[out] why  may be NULL
/// @return BR_OK, BR_ERR_DEF or BR_ERR_MEMORY
BR_API br_status br_limit_create(const br_limit_def* def, br_limit** out, br_reason* why);

/// Free a surface; NULL is allowed.
BR_API void br_limit_destroy(br_limit* surface);

/// Does the patch depend on the normal force?
BR_API int br_limit_depends_on_force(const br_limit* surface);

/// Bytes of the caller's memory that br_limit_spread() needs; 0 for a patch that does not depend on the
/// force.
BR_API size_t br_limit_get_spread_size(const br_limit* surface);

/// The surface as it is at another normal force, in memory of the caller; the one it is made from does
/// not change. Never allocates, never fails.
///
/// If the force changes the size of the patch alone, h = (fx, fy, tau/r) is the same function of
/// (vx, vy, r w): only r, u and the CoP change, and a table stays the one of the force it was made at
/// (a point, if the patch was one). If it changes the exponent k of the pressure, all is computed
/// anew: a microsecond for BR_LIMIT_CURVE, BR_LIMIT_EXACT and BR_LIMIT_ELLIPSOID, some milliseconds
/// for a table or a fit.
/// @param fn               normal force [N], >= 0; NaN gives NaN wrenches
/// @param[in,out] memory   br_limit_get_spread_size() bytes, aligned as malloc aligns, all 0 before the
///                         first call; then as the last call left it. May be NULL if that size is 0
/// @return the surface at fn: it lies in `memory`, borrows from `surface` and is valid until the next
///         call with that memory; `surface` itself if it does not depend on the force
BR_API const br_limit* br_limit_spread(const br_limit* surface, double fn, void* memory);

/// CoP (contact frame), r (23), u (27), area. r is the one the surface uses: for
/// BR_LIMIT_PUBLISHED the bilinear one of the published code.
BR_API br_patch_value br_limit_get_patch_value(const br_limit* surface);

/// Dissipation and wrench of a twist. Never fails, never allocates; v = 0 gives 0, NaN gives NaN.
/// @param v  twist at the CoP [m/s, m/s, rad/s]; any size from 1e-300 to 1e300
BR_API br_limit_value br_limit_eval(const br_limit* surface, br_twist v);

/// Jacobian of the wrench, d wrench_i/d v_j = -Hess D: symmetric, negative semidefinite, with v in
/// its null space (tables BILINEAR, GRID, PUBLISHED: the derivative of the interpolant, without
/// these properties). 0 at v = 0. Where a support point is at rest it is infinite: that point is left
/// out. Where the CoR lies on a line or ring it is infinite as a logarithm: a large number stands for
/// it. Never fails, never allocates.
/// @param[out] jacobian  rows fx, fy, tau; columns vx, vy, w [s/m, s/m, s; ...]
BR_API void br_limit_jacobian_eval(const br_limit* surface, br_twist v, double jacobian[3][3]);

/// The gauge of a wrench: < 1 inside (friction can hold it), 1 on the surface, > 1 outside.
/// gauge(f) = max over v of f.v/D(v). Never fails, never allocates. For the exact surface (to 1e-9) and
/// ellipsoids; a table whose D is not convex (bilinear, grid, published; smooth on lines and points)
/// has other maxima, of which a near one is found: use the exact surface there.
/// @param load        wrench at the CoP per mu fn [-, -, m]
/// @param[out] slide  may be NULL: the twist towards which the body slides under that load, scaled
///                    to D = 1 (the limit surface's outward normal); 0 for load = 0
BR_API double br_limit_gauge(const br_limit* surface, br_wrench load, br_twist* slide);

/// p_s, W&K's Fig 16: the centre of rotation about which the patch turns with a torque and no force. It is
/// where the mean distance G(c) = int |rho - c| p dA is least, the (geometric) median of the pressure, not its
/// mean, the CoP: both coincide where the pressure is its own image under a half turn. Where many centres do
/// (two equal pads: all between them) it is the CoP, if that is one of them. At a support point many wrenches
/// are possible, the pure torque among them. Of the exact surface, whatever the method. Never fails, never
/// allocates.
/// @param[out] torque  may be NULL: G(p_s), the largest torque with no force, per mu fn [m]; <= r
/// @return p_s in the contact frame [m], to 1e-12 of r where there is pressure around it
BR_API br_vec2 br_limit_get_spin_centre(const br_limit* surface, double* torque);

/// How far the surface is from the exact one; takes milliseconds.
BR_API br_limit_error br_limit_get_error(const br_limit* surface);

enum {
    BR_CURVE_CELLS = 20 ///< cells of each of the three pieces of a br_curve
};

/// The limit surface of an axisymmetric patch (disc with uniform or power-law pressure, ring) as a
/// curve that is cheap to make anew when the pressure changes with the force. Caller-owned, filled
/// by br_curve_init(). Error 2e-8 of mu fn for power laws with k >= 0.4 and the uniform disc, 5e-6 for
/// a ring. Below k = 0.3 a coarse heap of rings stands for the steep pressure (5e-2, not quite
/// convex), below 0.05 a point; the wrench jumps where they change. Keep k above, or use the exact
/// surface.
typedef struct br_curve {
    double radius; ///< [m]
    double r;      ///< (23) [m]
    double u;      ///< (27) [m^2]
    /// Dissipation, its slopes and its curvatures at the nodes; private.
    double number[3 * 3 * (BR_CURVE_CELLS + 1)];
} br_curve;

/// What all curves share: integrals that are computed once. Immutable; one may serve many threads.
typedef struct br_curve_basis br_curve_basis;

/// Create the basis of all curves; takes some 10 ms.
/// @param[out] out  the basis, or NULL on failure; free it with br_curve_basis_destroy()
/// @param[out] why  may be NULL
/// @return BR_OK or BR_ERR_MEMORY
BR_API br_status br_curve_basis_create(br_curve_basis** out, br_reason* why);

/// Free a basis; NULL is allowed. Curves do not need it once they are made.
BR_API void br_curve_basis_destroy(br_curve_basis* basis);

/// Make the curve of a patch at a normal force; takes microseconds, never allocates. Errors relative
/// to mu fn (torque: mu fn R): 2e-8 for a uniform disc and power laws with k >= 0.4, 2e-7 down to
/// k = 0.3, 5e-6 for a ring. A steeper power law is a heap of rings (0.05), below k = 0.05 a point.
/// @param fn  normal force [N], >= 0
/// @return BR_OK, or BR_ERR_ARG if the patch is not axisymmetric
BR_API br_status br_curve_init(const br_curve_basis* basis, const br_patch* patch, double fn,
                               br_curve* out);

/// Dissipation and wrench of a twist, from a curve.
BR_API br_limit_value br_curve_eval(const br_curve* curve, br_twist v);

/// Jacobian of the wrench, as br_limit_jacobian_eval().
BR_API void br_curve_jacobian_eval(const br_curve* curve, br_twist v, double jacobian[3][3]);

#ifdef __cplusplus
}
#endif

#endif
