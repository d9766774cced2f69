/*
 * Closed forms of rolling contact, which the prototype of rolling.h is compared with.
 */
#ifndef STUDIES_ROLLING_BRUSH_H
#define STUDIES_ROLLING_BRUSH_H

#include <stdbool.h>

#include "rolling.h"

// Slips of a wheel: speeds of the bristles' roots over the rolling speed [-].
typedef struct rolling_slip {
    double x, y;
} rolling_slip;

// Slips from practical ones: kappa = (V_r - V_x)/V_x, > -1, and the slip angle alpha [rad], tan alpha = V_y/V_x.
rolling_slip rolling_slip_of(double kappa, double alpha);

// Motion with these slips and no turning.
rolling_motion rolling_motion_of(rolling_slip slip, double speed);

// 1: rolling_steady() has a closed form for the wheel.
bool rolling_is_closed(const rolling* wheel);

// Steady wrench of a wheel with mu_s = mu_c, without turning.
br_wrench rolling_steady(const rolling* wheel, rolling_slip slip);

// Share of the steady lateral force and torque after a small step of the slip angle, at the distance u
// over the length of the patch [-]; u in [0, 1], 1 beyond.
double rolling_step_force(const rolling* wheel, double u);
double rolling_step_torque(double u); // stiffness of the tread

// Where rolling_step_force() is 1 - 1/e, stiffness of the tread: 1 - exp(-1/2), over the length [-].
double rolling_step_length(void);

// Steady lateral force of a small turn slip w/V_r [1/m], stiffness of the tread.
double rolling_turn_force(const rolling* wheel, double turn);

#endif
