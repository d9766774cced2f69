/*
 * Gauss-Legendre quadrature.
 */
#ifndef BRISTLE_MATH_GAUSS_H
#define BRISTLE_MATH_GAUSS_H

// Points x (n) and weights w (n) on 0..1: exact for polynomials of degree 2n - 1.
void bri_gauss_legendre(int n, double* x, double* w);

#endif
