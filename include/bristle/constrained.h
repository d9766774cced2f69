/// @file constrained.h
/// Friction in a constrained mechanism at one instant, in generalised coordinates.
///
/// Huang et al. (H+), sections II-V. A mechanism with coordinates q (n) moves by
///
///     M qdd = Q + A^T lambda + J^T F,      A qdd = b
///
/// where A (m x n) contains the constraints and F is friction at a contact point p with velocity J qd,
/// against its velocity over the surface, which may move.
/// br_constrained_eval() computes the paper's equations (8)-(28). Their normal force is the
/// frictionless one, and their stick test is wrong in one of six random cases (docs/explanation/equations.md,
/// H-19, H-26); br_constrained_slide() and br_constrained_hold() compute both correctly.
///
/// SI units; generalised forces in N or N m as the coordinates are m or rad. Matrices are row-major.
/// No function allocates; scratch memory comes from the caller.
#ifndef BRISTLE_CONSTRAINED_H
#define BRISTLE_CONSTRAINED_H

#include <stdbool.h>

#include "bristle/law.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Maximum number n of coordinates.
#define BR_CONSTRAINED_MOST 64
/// Maximum number m of rows of A: more than can be independent.
#define BR_CONSTRAINED_ROWS 256

/// A constrained system at one instant. All pointers are borrowed. Set unused members to 0.
typedef struct br_constrained {
    size_t n;           ///< number of coordinates, 1 to BR_CONSTRAINED_MOST
    size_t m;           ///< number of rows of A, 0 to BR_CONSTRAINED_ROWS; they may be dependent
    size_t d;           ///< dimensions of the contact point, 2 or 3
    const double* M;    ///< mass matrix (n x n), symmetric, positive definite
    const double* Q;    ///< applied force, with centrifugal and Coriolis terms (n)
    const double* A;    ///< constraints (m x n)
    const double* b;    ///< right-hand side of A qdd = b (m)
    const double* J;    ///< contact point's Jacobian (d x n), of rank at least 1
    const double* qd;   ///< velocity (n)
    const double* C;    ///< force that does work on the constraint, (9) (n), or NULL: none
    const double* bias; ///< Jd qd, the contact point's acceleration at qdd = 0 (d), or NULL: 0
    /// velocity of the surface at the contact point [m/s] (d), or NULL: 0
    const double* surface_velocity;
    /// acceleration of the surface's particle at the contact point [m/s^2] (d), or NULL: 0
    const double* surface_acceleration;
    /// number of contact normals: 0 (not given), 1 (a surface), 2 (a wire in space)
    size_t normals;
    /// Unit normals (normals x d); row `contact` + i of A is parallel to normal_i J
    const double* normal;
    size_t contact; ///< first row of A that constrains the contact point; other rows that depend on
                    ///< these count as the contact's, too
    double mu;      ///< Coulomb coefficient [-], >= 0
    double mu_s;    ///< static coefficient [-], >= mu
} br_constrained;

/// Results of the equations of H+. Arrays have n, m or d entries, as noted.
typedef struct br_constrained_value {
    size_t rank;                           ///< rank of A M^(-1/2), singular values cut off at 1e-12
    double inconsistency;                  ///< share of b outside the range of A [-], 0 to 1
    double q_id[BR_CONSTRAINED_MOST];      ///< ideal constraint force (8) (n)
    double lambda[BR_CONSTRAINED_ROWS];    ///< multipliers of smallest norm, Q_id = A^T lambda (m)
    double qdd_ideal[BR_CONSTRAINED_MOST]; ///< acceleration without friction and C (n)
    double q_nid[BR_CONSTRAINED_MOST];     ///< part of C admitted by A (9), 0 without C (n)
    double qdd_with_c[BR_CONSTRAINED_MOST]; ///< acceleration (10) (n)
    double q_p[BR_CONSTRAINED_MOST];        ///< Q perpendicular to the constraint (12) (n)
    double q_t[BR_CONSTRAINED_MOST];        ///< Q along it (13) (n)
    double f_n[3];                          ///< frictionless normal force (19) [N] (d)
    double f_t[3];                          ///< tangential force (20) [N] (d)
    double f_c[3];                          ///< Coulomb friction (21), 0 at rest [N] (d)
    double q_c[BR_CONSTRAINED_MOST];        ///< the same, generalised (24) (n)
    bool stick;                             ///< true: |F_t| <= mu_s |F_n|, the threshold of (25)
    double f_s[3];                          ///< stiction (26) [N] (d)
    double q_s[BR_CONSTRAINED_MOST];        ///< the same, generalised (27) (n)
} br_constrained_value;

/// Normal force that friction is proportional to.
typedef enum br_normal {
    BR_NORMAL_GEOMETRIC, ///< the normal force with the effect of friction on it: correct
    BR_NORMAL_PAPER      ///< the frictionless normal force of (19): as printed
} br_normal;

/// Friction on the body at the contact point: |F_N| per_normal + fixed.
typedef struct br_resistance {
    double per_normal[3]; ///< per newton of normal force [-] (d)
    double fixed[3];      ///< independent of the normal force [N] (d)
} br_resistance;

/// Result for a contact that slides.
typedef struct br_constrained_slide_value {
    double qdd[BR_CONSTRAINED_MOST]; ///< acceleration (n)
    double n_frictionless;           ///< normal force without friction [N], signed as `n`
    double n;           ///< normal force [N], signed along its normal; for two normals its size
    double friction[3]; ///< friction on the body [N] (d)
    double margin; ///< 1 - mu |W_np|/W_nn, the distance from the Painleve limit [-]; at 0 and below
                   ///< no normal force exists, or several: `n`, friction and qdd are NaN
                   ///< (with BR_NORMAL_PAPER exactly one exists)
    /// multipliers of smallest norm; their power is lambda^T A qd (m)
    double lambda[BR_CONSTRAINED_ROWS];
} br_constrained_slide_value;

/// Result for a contact point held in place on the surface: J qdd + Jd qd = surface_acceleration.
typedef struct br_constrained_hold_value {
    double qdd[BR_CONSTRAINED_MOST]; ///< acceleration of the rest of the mechanism (n)
    double force[3];                 ///< contact force that holds the point [N] (d)
    double n;           ///< its normal part [N], signed as in br_constrained_slide_value
    double tangential;  ///< size of its tangential part [N], >= 0
    double friction[3]; ///< its tangential part [N] (d)
    bool possible;      ///< false: no force can hold the point (J is rank-deficient)
    bool sticks;        ///< true: possible, and tangential <= mu_s |n|
    /// multipliers of the rows of A without the contact's, which are 0 (m)
    double lambda[BR_CONSTRAINED_ROWS];
} br_constrained_hold_value;

/// Number of doubles of scratch memory that the functions below need.
BR_API size_t br_constrained_get_work(size_t n, size_t m, size_t d);

/// Check a system: array shapes, M symmetric and positive definite, J not zero, mu and mu_s, normals
/// of unit length with their rows in A, b within the range of A.
/// @param work      scratch, br_constrained_get_work(n, m, d) doubles
/// @param[out] why  may be NULL; `field` is the name of the member
/// @return BR_OK or BR_ERR_DEF
BR_API br_status br_constrained_check(const br_constrained* system, double* work, br_reason* why);

/// Index of the row of A that is parallel to normal^T J; m if there is none.
BR_API size_t br_constrained_find_contact(const br_constrained* system, const double* normal);

/// Evaluate the equations of H+. Never fails; NaN if M is not positive definite.
/// @param work  scratch, br_constrained_get_work(n, m, d) doubles
BR_API void br_constrained_eval(const br_constrained* system, double* work,
                                br_constrained_value* out);

/// Velocity of the contact point over the surface, J qd - surface_velocity [m/s] (d), without its
/// components along the normals if these are given. Exactly 0 if the rest is only rounding.
BR_API void br_constrained_slip(const br_constrained* system, double* slip);

/// Coulomb friction of a sliding contact point: mu, opposite to br_constrained_slip(). All 0 at rest.
BR_API br_resistance br_constrained_coulomb(const br_constrained* system);

/// Normal force, friction and acceleration of a sliding contact. Needs `normals`. Never fails.
/// @param work  scratch, br_constrained_get_work(n, m, d) doubles
BR_API void br_constrained_slide(const br_constrained* system, const br_resistance* resistance,
                                 br_normal normal, double* work, br_constrained_slide_value* out);

/// Force that holds the contact point in place, and whether friction can provide it. Needs `normals`.
/// @param work  scratch, br_constrained_get_work(n, m, d) doubles
BR_API void br_constrained_hold(const br_constrained* system, double* work,
                                br_constrained_hold_value* out);

/// How Dahl's law (36) treats a point that moves in two or three dimensions.
typedef enum br_dahl_form {
    BR_DAHL_VECTOR, ///< the isotropic form with a guard (docs/explanation/equations.md, H-36): the default
    BR_DAHL_PER_AXIS,  ///< (36) for each axis, with the guard of law.h
    BR_DAHL_AS_PRINTED ///< (36) exactly as printed; can diverge for even exponents
} br_dahl_form;

/// Dahl's stiffness and exponent of each axis, (36), instead of the law's sigma0 and alpha. For
/// BR_DAHL_PER_AXIS and BR_DAHL_AS_PRINTED only: the vector form has no axes.
typedef struct br_dahl_axes {
    double sigma[3]; ///< [N/m], > 0 (d)
    double alpha[3]; ///< [-], > 0 (d)
} br_dahl_axes;

/// Friction of a law at a point with velocity v, as br_constrained_slide() needs it.
/// @param axes  for Dahl only; NULL: the law's own parameters for all axes
/// @param d     dimensions, 1 (along a line) to 3
/// @param z     state of the law [m] (d); ignored by memoryless laws
/// @param v     velocity over the support [m/s] (d)
BR_API br_resistance br_point_law_eval(const br_law* law, const br_dahl_axes* axes, size_t d,
                                       const double* z, const double* v);

/// Rate of the law's state; 0 for memoryless laws. Bristles as in planar contacts, W&K (10), (15)-(18).
/// @param form     for Dahl only
/// @param axes     see br_point_law_eval()
/// @param fn       normal force [N], >= 0
/// @param[out] dz  [m/s] (d)
BR_API void br_point_law_rate(const br_law* law, br_dahl_form form, const br_dahl_axes* axes,
                              size_t d, const double* z, const double* v, double fn, double* dz);

#ifdef __cplusplus
}
#endif

#endif
