/*
 * The axisymmetric pressure (44) of W&K on a disc of radius 1, normalised:
 *
 *   p(rho) = C_k/pi (1 - rho^k)^(1/k),   C_k = k/(2 Beta(2/k, 1 + 1/k))
 *
 * k > 0; k -> 0 is a point at the centre, k -> infinity the uniform disc.
 */
#ifndef BRISTLE_PATCH_POWER_LAW_H
#define BRISTLE_PATCH_POWER_LAW_H

// Below this k every moment is smaller than the smallest double: all pressure is at the centre.
#define POWER_LAW_POINT_K 1e-4

// C_k, of any k >= POWER_LAW_POINT_K. Overflows to infinity for small k.
double bri_power_law_norm(double k);

// <rho^n>, of any k >= 0. Relative error below 1e-13 for k in 0.2 .. infinity.
double bri_power_law_moment(double k, int n);

// Pressure at rho in [0, 1] [1/m^2 per N]; `norm` is C_k.
double bri_power_law_pressure(double k, double norm, double rho);

// Share of the force within rho, in [0, 1]; `norm` is C_k.
double bri_power_law_inside(double k, double norm, double rho);

// The same from a table, several times faster: error below 2e-7 for k >= 1. Values and slopes at
// nodes s = i/(nodes - 1), rho = 1 - s^4, which are dense at the rim, where the share has a root.
enum { POWER_LAW_NODES = 129 };
typedef struct power_law_table {
    double k; // 0: not filled yet
    double value[POWER_LAW_NODES], slope[POWER_LAW_NODES];
} power_law_table;

void bri_power_law_table_fill(power_law_table* table, double k, double norm);
double bri_power_law_table_inside(const power_law_table* table, double rho);

#endif
