/*
 * Complete elliptic integrals of the first and second kind.
 */
#ifndef BRISTLE_MATH_ELLIPTIC_H
#define BRISTLE_MATH_ELLIPTIC_H

// K(m) and E(m) with the parameter m = k^2 in [0, 1], given as its complement mc = 1 - m so that
// m close to 1 loses nothing. K is INFINITY at mc = 0. Relative error a few units of rounding.
typedef struct elliptic {
    double K;
    double E;
} elliptic;

elliptic elliptic_eval(double mc);

#endif
