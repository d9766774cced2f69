/*
 * Tables of sliding friction, in the units of their law: x = |v|/v_stribeck.
 */
#ifndef BRISTLE_LAW_CURVE_H
#define BRISTLE_LAW_CURVE_H

#include "bristle/law.h"

// (g - mu_c)/(mu_s - mu_c) at x >= 0; slope by x, may be NULL. NaN gives NaN.
double bri_curve_share(const br_curve* curve, double x, double* slope);

#endif
