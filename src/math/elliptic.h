/*
 * Complete elliptic integrals of the first and second kind.
 */
#ifndef BRISTLE_MATH_ELLIPTIC_H
#define BRISTLE_MATH_ELLIPTIC_H

// K(m) and E(m) with the parameter m = k^2 in [0, 1], given as its complement mc = 1 - m so that
// m close to 1 loses no digits. K is INFINITY at mc = 0. Relative error a few units of rounding.
typedef struct elliptic {
    double K;
    double E;
} elliptic;

elliptic bri_elliptic_eval(double mc);

// The same split into parts that lose no digits for small m (Bulirsch):
//   B = (E - mc K)/m,   D = (K - E)/m,   C = (D - B)/m;   K = B + D,   E = B + mc D
typedef struct elliptic_parts {
    double E;
    double B;
    double C;
    double D;
} elliptic_parts;

// m and mc = 1 - m, both in [0, 1]. At mc = 0, where C and D are infinite, those of mc = 1e-32.
elliptic_parts bri_elliptic_parts_eval(double m, double mc);

#endif
