/*
 * Prototype of rolling contact: bristles that the patch carries from its leading to its trailing edge.
 *
 * docs/explanation/rolling.md has the equations and what is missing of a scenario kind. SI units. The
 * patch is a line along x, from x = a (leading) to x = -a; y is to the left, torque turns x towards y.
 * The wrench is what the ground does to the wheel, at the middle of the patch.
 */
#ifndef STUDIES_ROLLING_H
#define STUDIES_ROLLING_H

#include <stddef.h>

#include "bristle/law.h"
#include "bristle/math.h"

typedef enum rolling_pressure { ROLLING_UNIFORM, ROLLING_PARABOLIC } rolling_pressure;

// Stiffness of the bristles along the patch.
typedef enum rolling_stiffness {
    ROLLING_OF_TREAD,   // the same everywhere, as in brush models of tyres
    ROLLING_OF_PRESSURE // proportional to the pressure, as in the planar contacts of this library
} rolling_stiffness;

typedef enum rolling_bristle {
    ROLLING_BRUSH, // a spring up to the friction limit
    ROLLING_LUGRE  // dz/dt = v - |v| z/z_max
} rolling_bristle;

// A wheel on the ground: `cells` cells between cells + 1 nodes, node 0 at the leading edge.
typedef struct rolling {
    rolling_pressure pressure;
    rolling_stiffness stiffness;
    rolling_bristle bristle;
    br_law law;         // g(v), and sigma0 [1/m], the stiffness of all bristles per normal force
    double half_length; // a [m], > 0
    double fn;          // normal force [N], >= 0
    size_t cells;       // >= 1
} rolling;

// Motion over a step.
typedef struct rolling_motion {
    br_twist
        slip; // of the bristles' roots over the ground, at the middle of the patch [m/s, m/s, rad/s]
    double
        rolling; // speed of the roots from the leading to the trailing edge, V_r [m/s]; < 0: backwards
} rolling_motion;

// Advance the deflections z (cells + 1) [m, m] by h [s] > 0, of any size; an upwind sweep. Never allocates.
void rolling_advance(const rolling* wheel, rolling_motion motion, double h, br_vec2* z);

// Wrench of the ground on the wheel [N, N, N m].
br_wrench rolling_wrench(const rolling* wheel, const br_vec2* z);

// Elastic energy of the bristles [J].
double rolling_energy(const rolling* wheel, const br_vec2* z);

#endif
