/*
 * Core of a slider's step: solve for the slip speed sigma and the friction impulse.
 *
 * We scale by the ellipsoid, P_i = p_i/(e_i mu p_n) and V_i = e_i v_i, where v is the velocity at the
 * step's end without friction. The unknowns are P in the unit ball and the slip speed. With
 *
 *   d_i  = e_i^2 mu p_n/(m, m, I_z)    change of V by full friction
 *   k    = (e_o kappa_x, e_t kappa_y)/e_r     kappa: shift of the ECP by a load off the height of the CoM
 *   beta = mu q_z e_t e_o w            (29), (30): the spin moves the shifted ECP sideways
 *
 * equations (29)-(31) for a given sigma and beta are linear,
 *
 *   [ sigma + d_t + k_y^2 eta    beta - k_x k_y eta      ] [P_t]     [V_t - k_y omega]
 *   [ -beta - k_x k_y eta        sigma + d_o + k_x^2 eta ] [P_o] = - [V_o + k_x omega]
 *   (sigma + d_r) P_r = -V_r - d_r (k_x P_o - k_y P_t)
 *   omega = V_r sigma/(sigma + d_r),   eta = d_r sigma/(sigma + d_r)
 *
 * and by the slip law (31) e_r w = -sigma P_r, so that for k = 0 beta is a function of sigma.
 * One equation remains: (32), |P| = 1. The slider sticks if |P(0)| <= 1.
 */
#ifndef BRISTLE_SLIDER_SLIP_H
#define BRISTLE_SLIDER_SLIP_H

#include "bristle/slider.h"

typedef struct slip_problem {
    double v[3];    // V [m/s]
    double d[3];    // [m/s]
    double k[2];    // [-]
    double turning; // mu q_z e_t e_o/e_r, so that beta = turning e_r w [-]
} slip_problem;

typedef struct slip_solution {
    double sigma;   // [m/s], >= 0
    double p[3];    // P [-]
    int sticks;     // 1: sigma = 0 and |P| <= 1
    int iterations; // evaluations of P
} slip_solution;

// The solution of a step.
slip_solution bri_slip_solve(const slip_problem* problem);

// The solution of an instant, (22)-(25): d = 0, which has a closed form. V must not be 0.
slip_solution bri_slip_instant(const slip_problem* problem);

#endif
