/*
 * One implicit step of a bundle: three bristles that decay together, those of a block or of a
 * reduced model. Scaled so that all three are lengths: the third is zeta/sqrt(t) or z_tau/r.
 *
 *   z1_i = t_i/(1 + D_i x),   t = z0 + h y,   D = (1, 1, f),   x = h kappa >= 0
 *   kappa = sigma0 s/g                                                      LuGre
 *   kappa = alpha(Q) sigma0 rho (vn + y.D^-1 z1/zn)/(2 g)                   elasto-plastic
 *   zn = |z1|,  vn = |D^-1 y|,  rho = s/vn,  Q = sigma0 zn rho/g
 *
 * A cell of the distributed model is a bundle of two with f = rho = 1.
 */
#ifndef BRISTLE_PLANAR_BUNDLE_H
#define BRISTLE_PLANAR_BUNDLE_H

#include "bristle/law.h"

#include "planar/by_twist.h"
#include "planar/matrix3.h"
#include "planar/step_internal.h"

// How a bundle is moved, with derivatives with respect to a twist.
typedef struct bundle_motion {
    by_twist y[3]; // velocity that the bristles feel [m/s]
    by_twist vn;   // [m/s]
    by_twist rho;  // s/vn [-]; 1 at rest
    by_twist f;    // how much faster the third bristle decays [-]
    by_twist g;    // steady-state coefficient (2) [-]
} bundle_motion;

// What a step did to a bundle.
typedef struct bundle_step {
    double z0[3], z1[3]; // [m]
    double y[3];         // [m/s]
    double decay[3];     // h kappa of each bristle
    double sigma1;       // the damping that counts [s/m]
    double h;            // [s]
} bundle_step;

// x = h kappa of bristles that would come to t without decay.
double bundle_decay(const br_law* law, const bundle_motion* m, const double t[3], double h);

// Derivatives of x with respect to the twist.
void bundle_decay_slopes(const br_law* law, const bundle_motion* m, const double t[3], double h,
                         double x, double dx[3]);

// A pass over a bundle: what is asked.
typedef struct bundle_pass {
    const br_law* law;
    const bundle_motion* motion;
    double z0[3];
    double h;
} bundle_pass;

// Force of the bristles and its derivatives with respect to the twist. `memo` holds x, g, frozen x
// of this bundle, each `stride` apart.
void bundle_pass_eval(const bundle_pass* in, step_law kind, double* memo, size_t stride, vector3* f,
                      matrix3* f_v);

// Force per fn on the bristles, sigma0 z1 + sigma1 (z1 - z0)/h.
void bundle_force(const br_law* law, const bundle_step* step, double force[3]);

// Energy turned into heat per h fn, without that of sigma2:
// sum of sigma0 kappa z1^2 + sigma1 (zd^2 + kappa z1 zd) + sigma0 h zd^2/2,  zd = (z1 - z0)/h.
double bundle_heat(const br_law* law, const bundle_step* step);

// The largest sigma1 that cannot make the heat negative, (2 sigma0/kappa)(1 + sqrt(1 + kappa h/2)),
// or the law's if that is less; x = h kappa.
static inline double passive_sigma1(const br_law* law, double x, double h)
{
    const double most = 2.0 * law->sigma0 * h * (1.0 + sqrt(1.0 + 0.5 * x));
    return x * law->sigma1 > most ? most / x : law->sigma1;
}

#endif
