/// @file constrained.h
/// Friction in a constrained mechanism at one instant, in generalised coordinates.
///
/// Huang et al. (H+), sections II-V. A mechanism with coordinates q (n) moves by
///
///     M qdd = Q + A^T lambda + J^T F,      A qdd = b
///
/// where A (m x n) holds the constraints and F is friction at a contact point p with velocity J qd.
/// br_constrained_eval() gives what the paper's equations (8)-(28) give. Their normal force is the
/// frictionless one and their stick test is wrong in one of six random cases (docs/equations.md,
/// H-19, H-26); br_constrained_slide() and br_constrained_hold() are right.
///
/// SI units; generalised forces in N or N m as the coordinates are m or rad. Matrices are row-major.
/// No function allocates; scratch memory comes from the caller.
#ifndef BRISTLE_CONSTRAINED_H
#define BRISTLE_CONSTRAINED_H

#include "bristle/law.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The most coordinates n.
#define BR_CONSTRAINED_MOST 64
/// The most rows m of A: more than can be independent.
#define BR_CONSTRAINED_ROWS 256

/// A constrained system at one instant. All pointers are borrowed. Zero what is not used.
typedef struct br_constrained {
    size_t n;           ///< coordinates, 1 to BR_CONSTRAINED_MOST
    size_t m;           ///< rows of A, 0 to BR_CONSTRAINED_ROWS; they may depend on each other
    size_t d;           ///< dimensions of the contact point, 2 or 3
    const double* M;    ///< mass matrix (n x n), symmetric, positive definite
    const double* Q;    ///< applied force, with centrifugal and Coriolis terms (n)
    const double* A;    ///< constraints (m x n)
    const double* b;    ///< right-hand side of A qdd = b (m)
    const double* J;    ///< contact point's Jacobian (d x n), of rank 1 at least
    const double* qd;   ///< velocity (n)
    const double* C;    ///< force that does work on the constraint, (9) (n), or NULL: none
    const double* bias; ///< Jd qd, the contact point's acceleration at qdd = 0 (d), or NULL: 0
    size_t normals;     ///< of the contact: 0 (not told), 1 (a surface), 2 (a wire in space)
    const double*
        normal;     ///< unit normals (normals x d); row `contact` + i of A is along normal_i J
    size_t contact; ///< the first row of A that keeps the contact point where it may be; other rows
                    ///< that say the same count as the contact's, too
    double mu;      ///< Coulomb coefficient [-], >= 0
    double mu_s;    ///< static coefficient [-], >= mu
} br_constrained;

/// What the equations of H+ give. Arrays hold n, m or d numbers, as said.
typedef struct br_constrained_value {
    size_t rank;                            ///< of A M^(-1/2), singular values cut off at 1e-12
    double inconsistency;                   ///< share of b outside the range of A [-], 0 to 1
    double q_id[BR_CONSTRAINED_MOST];       ///< ideal constraint force (8) (n)
    double lambda[BR_CONSTRAINED_ROWS];     ///< multipliers of least norm, Q_id = A^T lambda (m)
    double qdd_ideal[BR_CONSTRAINED_MOST];  ///< acceleration without friction and C (n)
    double q_nid[BR_CONSTRAINED_MOST];      ///< C's part that A lets pass (9), 0 without C (n)
    double qdd_with_c[BR_CONSTRAINED_MOST]; ///< acceleration (10) (n)
    double q_p[BR_CONSTRAINED_MOST];        ///< Q perpendicular to the constraint (12) (n)
    double q_t[BR_CONSTRAINED_MOST];        ///< Q along it (13) (n)
    double f_n[3];                          ///< frictionless normal force (19) [N] (d)
    double f_t[3];                          ///< tangential force (20) [N] (d)
    double f_c[3];                          ///< Coulomb friction (21), 0 at rest [N] (d)
    double q_c[BR_CONSTRAINED_MOST];        ///< the same, generalised (24) (n)
    int stick;                              ///< |F_t| <= mu_s |F_n|, the threshold of (25)
    double f_s[3];                          ///< stiction (26) [N] (d)
    double q_s[BR_CONSTRAINED_MOST];        ///< the same, generalised (27) (n)
} br_constrained_value;

/// Which normal force friction is proportional to.
typedef enum br_normal {
    BR_NORMAL_GEOMETRIC, ///< the one with friction's own effect on it: right
    BR_NORMAL_PAPER      ///< the frictionless one of (19): as printed
} br_normal;

/// Friction on the body at the contact point: |F_N| per_normal + fixed.
typedef struct br_resistance {
    double per_normal[3]; ///< for each newton of normal force [-] (d)
    double fixed[3];      ///< whatever the normal force is [N] (d)
} br_resistance;

/// A contact that slides.
typedef struct br_constrained_slide_value {
    double qdd[BR_CONSTRAINED_MOST]; ///< acceleration (n)
    double n_frictionless;           ///< normal force without friction [N], signed as `n`
    double n;                        ///< normal force [N]: along its normal; for two its size
    double friction[3];              ///< friction on the body [N] (d)
    double margin; ///< 1 - mu |W_np|/W_nn, the distance from the Painleve limit [-]; at 0 and below
                   ///< there is no normal force or more than one: `n`, friction and qdd are NaN
                   ///< (with BR_NORMAL_PAPER there always is one)
} br_constrained_slide_value;

/// A contact point that is held where it is.
typedef struct br_constrained_hold_value {
    double qdd[BR_CONSTRAINED_MOST]; ///< acceleration of the rest of the mechanism (n)
    double force[3];                 ///< contact force that holds the point [N] (d)
    double n;           ///< its normal part, signed as br_constrained_slide_value's [N]
    double tangential;  ///< size of its tangential part [N], >= 0
    double friction[3]; ///< its tangential part [N] (d)
    int possible;       ///< 0: no force can hold the point (J has lost its rank)
    int sticks;         ///< possible, and tangential <= mu_s |n|
} br_constrained_hold_value;

/// Doubles of scratch memory that the functions below need.
BR_API size_t br_constrained_get_work(size_t n, size_t m, size_t d);

/// Check a system: shapes, M symmetric and positive definite, J not zero, mu and mu_s, normals of
/// unit length with their rows in A, b within the range of A.
/// @param work      scratch, br_constrained_get_work(n, m, d) doubles
/// @param[out] why  may be NULL; the field is the member's name
/// @return BR_OK or BR_ERR_DEF
BR_API br_status br_constrained_check(const br_constrained* system, double* work, br_reason* why);

/// The row of A that is along normal^T J, or m if there is none.
BR_API size_t br_constrained_find_contact(const br_constrained* system, const double* normal);

/// The equations of H+. Never fails; NaN where M is not positive definite.
/// @param work  scratch, br_constrained_get_work(n, m, d) doubles
BR_API void br_constrained_eval(const br_constrained* system, double* work,
                                br_constrained_value* out);

/// Coulomb friction of a contact point that moves: mu against J qd. All 0 at rest.
BR_API br_resistance br_constrained_coulomb(const br_constrained* system);

/// Normal force, friction and acceleration of a contact that slides. Needs `normals`. Never fails.
/// @param work  scratch, br_constrained_get_work(n, m, d) doubles
BR_API void br_constrained_slide(const br_constrained* system, const br_resistance* resistance,
                                 br_normal normal, double* work, br_constrained_slide_value* out);

/// The force that holds the contact point, and whether friction can give it. Needs `normals`.
/// @param work  scratch, br_constrained_get_work(n, m, d) doubles
BR_API void br_constrained_hold(const br_constrained* system, double* work,
                                br_constrained_hold_value* out);

/// How Dahl's law (36) treats a point that moves in two or three dimensions.
typedef enum br_dahl_form {
    BR_DAHL_VECTOR,    ///< the isotropic form with a guard (docs/equations.md, H-36): the default
    BR_DAHL_PER_AXIS,  ///< (36) for each axis, with the guard of law.h
    BR_DAHL_AS_PRINTED ///< (36) to the letter; can run away for even exponents
} br_dahl_form;

/// Friction of a law at a point with velocity v: what br_constrained_slide() asks for.
/// @param d  dimensions, 2 or 3
/// @param z  state of the law [m] (d); ignored by memoryless laws
/// @param v  velocity over the support [m/s] (d)
BR_API br_resistance br_point_law_eval(const br_law* law, size_t d, const double* z,
                                       const double* v);

/// Rate of the law's state; 0 for memoryless laws. Bristles as in planar contacts, W&K (10), (15)-(18).
/// @param form     for Dahl alone
/// @param fn       normal force [N], >= 0
/// @param[out] dz  [m/s] (d)
BR_API void br_point_law_rate(const br_law* law, br_dahl_form form, size_t d, const double* z,
                              const double* v, double fn, double* dz);

#ifdef __cplusplus
}
#endif

#endif
