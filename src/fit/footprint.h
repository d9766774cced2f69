/*
 * A footprint: candidate supports of a body with weights, and its Coulomb friction.
 *
 *   D(v) = sum w_j s_j,   s_j = sqrt(|v_t + w z x rho_j|^2 + (h w)^2),   grad D, Hess D
 *
 * of a twist v at the frame's origin, per mu fn. h is the radius of gyration of the area of a candidate, without
 * which D has kinks. Lengths are over `unit`, so that spins and slips have equal weight: twists are (v_x, v_y, unit w),
 * wrenches (f_x, f_y, tau/unit).
 */
#ifndef BRISTLE_FIT_FOOTPRINT_H
#define BRISTLE_FIT_FOOTPRINT_H

#include "bristle/base.h"
#include "bristle/math.h"
#include "bristle/patch.h"

typedef struct footprint {
    size_t count;
    double *x, *y;  // candidates, over `unit` (count)
    double* prior;  // expected weights, sum 1 (count)
    double h;       // over `unit`
    double unit;    // [m]: root mean square distance of the prior from its centre
    double* memory; // of all the arrays
} footprint;

// D, its gradient and its Hessian (xx, xy, xw, yy, yw, ww).
typedef struct footprint_value {
    double D, slope[3], bend[6];
} footprint_value;

// The grid and the rim of an outline, `resolution` cells across; the prior is its own pressure, none on the rim.
br_status bri_footprint_of_outline(const br_patch* outline, size_t resolution, footprint* out,
                                   br_reason* why);

// Known supports; with a tolerance [m] > 0 each is surrounded by a ring of alternative positions.
br_status bri_footprint_of_supports(const br_patch* supports, double tolerance, footprint* out,
                                    br_reason* why);

// Change the unit of lengths [m].
void bri_footprint_set_unit(footprint* f, double unit);

void bri_footprint_destroy(footprint* f);

// Friction of weights (count).
footprint_value bri_footprint_eval(const footprint* f, const double* weights, const double v[3]);

// out = Hess D a, of footprint_value.bend.
void bri_footprint_bend(const double bend[6], const double a[3], double out[3]);

// Centre of pressure (x, y) and mean distance from it, r, of weights (count) that sum to 1 [m].
void bri_footprint_moments(const footprint* f, const double* weights, double out[3]);

// The direction (u_x, u_y, tau) of the friction of candidate j, d grad D/d w_j; returns s_j.
double bri_footprint_column(const footprint* f, size_t j, const double v[3], double g[3]);

// The twist of a load that slides: it minimises D^2/2 - load.v, where D grad D = load, so D is the load's gauge.
// v: start value unless it is 0. Returns 0 where it did not converge.
int bri_footprint_slide(const footprint* f, const double* weights, const double load[3],
                        double v[3]);

// The spin with the smallest D where the point c moves with a velocity. spin: start value.
int bri_footprint_stick(const footprint* f, const double* weights, br_vec2 c, br_vec2 velocity,
                        double* spin);

// Solve Hess (D^2/2) x = b, Hess (D^2/2) = grad D grad D^T + D Hess D.
void bri_footprint_solve(const footprint_value* at, const double b[3], double x[3]);

#endif
