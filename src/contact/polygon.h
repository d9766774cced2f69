/*
 * Exact integrals of a linear pressure over a polygon, edge by edge.
 */
#ifndef BRISTLE_CONTACT_POLYGON_H
#define BRISTLE_CONTACT_POLYGON_H

#include <stddef.h>

#include "bristle/math.h"

// Pressure at + slope X, X from the apex along x.
typedef struct apex_pressure {
    double at;    // at the apex
    double slope; // [1/m]
} apex_pressure;

// Integrals of the pressure over a polygon, rho from the apex; negative for a clockwise one.
typedef struct polygon_moments {
    double area;     // int dA
    double mass;     // int p dA
    br_vec2 first;   // int p rho dA
    double distance; // int p |rho| dA
    double second;   // int p |rho|^2 dA
} polygon_moments;

polygon_moments polygon_integrate(const br_vec2* vertices, size_t count, br_vec2 apex,
                                  apex_pressure p);

// int |rho| dA over the upright rectangle with opposite corners `low` and `high`, rho from the
// origin.
double rectangle_distance(br_vec2 low, br_vec2 high);

#endif
