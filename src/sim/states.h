/*
 * What an integrator does with whole states, fast (CMakeLists.txt lets the compiler reorder the sums).
 */
#ifndef BRISTLE_SIM_STATES_H
#define BRISTLE_SIM_STATES_H

#include <stddef.h>

// out = base + sum over j < terms of weight_j u_j, u_j = u + j n (n); terms <= 5; out may be base
void bri_states_combine(size_t n, int terms, const double* weight, const double* u,
                        const double* base, double* out);

// The same twice, without a base: out (2 x n) by the rows of weight (2 x 5)
void bri_states_combine_twice(size_t n, const double weight[2][5], const double* u, double* out);

// Root mean square over n of x/(atol + rtol max(|y|, |y1|))
double bri_states_norm(size_t n, const double* x, const double* y, const double* y1,
                       const double* atol, double rtol);

// y1 = base + x, and that root mean square
double bri_states_close(size_t n, const double* x, const double* base, const double* y, double* y1,
                        const double* atol, double rtol);

// y = (1-x) y0 + x (y1 + (1-x) (d_1 + x d_2)), dense = (d_1, d_2) (2 x n)
void bri_states_between(size_t n, double x, const double* y0, const double* y1, const double* dense,
                        double* y);

#endif
