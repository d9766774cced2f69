/*
 * Where the nodes of a br_curve lie, and the numbers that all curves share.
 *
 * The dissipation of an axisymmetric patch of radius 1 that turns about a point at the distance d
 * from its centre is a function of one variable. Three pieces, each with a variable y in [0, 1]:
 *
 *   near the centre   d = y/2          D = |w| g(d)
 *   near the rim      d = 1 - y/2      D = |w| g(d)
 *   outside           e = 1/d = 1 - y  D = |v_t| k(e),  k(e) = e g(1/e)
 *
 * Nodes y = (i/BR_CURVE_CELLS)^4 lie close where d is near 0 and near 1: there the pressure of a
 * power law has fractional powers, and so have g and k.
 */
#ifndef BRISTLE_LIMIT_CURVE_H
#define BRISTLE_LIMIT_CURVE_H

#include "bristle/limit.h"

enum {
    CURVE_PIECES = 3,
    CURVE_WIDTH = BR_CURVE_CELLS + 1,
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
    const double s = (double)i / BR_CURVE_CELLS;
    return s * s * s * s;
}

// Numbers that a curve holds: value, slope and curvature of g or k at every node.
typedef double curve_numbers[3][CURVE_NODES];

struct br_curve_basis {
    double log_rho[CURVE_RINGS];       // radii rho_j of the samples: log rho_j
    double weight[CURVE_RINGS];        // of the samples in int p 2 pi rho drho, times pi
    curve_numbers sample[CURVE_RINGS]; // what the sample at rho_j does to the numbers
    curve_numbers rings[CURVE_RINGS];  // the numbers of a ring of radius rho_j
    curve_numbers uniform;             // of the uniform disc
    curve_numbers ring;                // of the ring
};

#endif
