/*
 * Nodes of a limit_curve, and the numbers that all curves share.
 *
 * The dissipation of an axisymmetric patch of radius 1 that turns about a point at the distance d
 * from its centre is a function of one variable. Three pieces, each with a variable y in [0, 1]:
 *
 *   near the centre   d = y/2          D = |w| g(d)
 *   near the rim      d = 1 - y/2      D = |w| g(d)
 *   outside           e = 1/d = 1 - y  D = |v_t| k(e),  k(e) = e g(1/e)
 *
 * The nodes y = (i/CURVE_CELLS)^4 are dense where d is near 0 and near 1: there the pressure of a
 * power law has fractional powers, and so have g and k.
 */
#ifndef BRISTLE_LIMIT_CURVE_H
#define BRISTLE_LIMIT_CURVE_H

#include "bristle/limit.h"

enum {
    CURVE_CELLS = 20 // cells of each of the three pieces of a limit_curve
};

// The limit surface of an axisymmetric patch (disc with uniform or power-law pressure, ring) as a
// curve that is cheap to compute again when the pressure changes with the force. Caller-owned, filled
// by bri_curve_init(). Error 2e-8 of mu fn for power laws with k >= 0.4 and the uniform disc, 5e-6 for
// a ring. Below k = 0.3 a coarse sum of rings replaces the steep pressure (5e-2, not quite convex),
// below 0.05 a point does; the wrench jumps at these limits. Keep k above them, or use the exact
// surface.
typedef struct limit_curve {
    double radius; // [m]
    double r;      // (23) [m]
    double u;      // (27) [m^2]
    // Dissipation, its slopes and its curvatures at the nodes; private.
    double number[3 * 3 * (CURVE_CELLS + 1)];
} limit_curve;

// Integrals that all curves share, computed once. Immutable; one may serve many threads.
typedef struct curve_basis curve_basis;

// Create the basis of all curves; takes some 10 ms.
// @param[out] out  the basis, or NULL on failure; free it with bri_curve_basis_destroy()
// @param[out] why  may be NULL
// @return BR_OK or BR_ERR_MEMORY
br_status bri_curve_basis_create(curve_basis** out, br_reason* why);

// Free a basis; NULL is allowed. Existing curves do not need it.
void bri_curve_basis_destroy(curve_basis* basis);

// Compute the curve of a patch at a normal force in microseconds; never allocates. Errors relative
// to mu fn (torque: mu fn R): 2e-8 for a uniform disc and power laws with k >= 0.4, 2e-7 down to
// k = 0.3, 5e-6 for a ring. A steeper power law is a sum of rings (0.05), below k = 0.05 a point.
// @param fn  normal force [N], >= 0
// @return BR_OK, or BR_ERR_ARG if the patch is not axisymmetric
br_status bri_curve_init(const curve_basis* basis, const br_patch* patch, double fn,
                         limit_curve* out);

// Dissipation and wrench of a twist, from a curve.
br_limit_value bri_curve_eval(const limit_curve* curve, br_twist v);

// Jacobian of the wrench, as br_limit_jacobian_eval().
void bri_curve_jacobian_eval(const limit_curve* curve, br_twist v, double jacobian[3][3]);

enum {
    CURVE_PIECES = 3,
    CURVE_WIDTH = CURVE_CELLS + 1,
    CURVE_NODES = CURVE_PIECES * CURVE_WIDTH,
    CURVE_RINGS = 32 // radii where a pressure is sampled; a multiple of 4
};

typedef enum curve_piece { CENTRE, RIM, OUTSIDE } curve_piece;

// d, or e for the outside, at y.
static inline double curve_argument(curve_piece piece, double y)
{
    return piece == CENTRE ? 0.5 * y : piece == RIM ? 1.0 - 0.5 * y : 1.0 - y;
}

// y of a node.
static inline double curve_node(size_t i)
{
    const double s = (double)i / CURVE_CELLS;
    return s * s * s * s;
}

// Numbers that a curve holds: value, slope and curvature of g or k at every node.
typedef double curve_numbers[3][CURVE_NODES];

struct curve_basis {
    double log_rho[CURVE_RINGS];       // radii rho_j of the samples: log rho_j
    double weight[CURVE_RINGS];        // of the samples in int p 2 pi rho drho, times pi
    curve_numbers sample[CURVE_RINGS]; // contribution of the sample at rho_j to the numbers
    curve_numbers rings[CURVE_RINGS];  // the numbers of a ring of radius rho_j
    curve_numbers uniform;             // of the uniform disc
    curve_numbers ring;                // of the ring
};

#endif
