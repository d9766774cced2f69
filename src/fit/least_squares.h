/*
 * Nonlinear least squares: minimise |r(x)|^2 by Levenberg and Marquardt's method with a Jacobian that the
 * problem gives, cminpack's lmder.
 */
#ifndef BRISTLE_FIT_LEAST_SQUARES_H
#define BRISTLE_FIT_LEAST_SQUARES_H

#include "bristle/fit.h"

// A problem of m residuals and n <= m unknowns.
typedef struct least_squares {
    size_t m, n;
    // Residuals (m) at x (n) and, where `jacobian` is not NULL, their derivatives, column by column: that
    // of residual i by unknown j at [j m + i]. Nonzero ends the solution, with BR_ERR_STOPPED.
    int (*eval)(const double* x, double* residual, double* jacobian, void* user);
    void* user;
    double tolerance;   // relative, of the sum of squares and of x
    size_t evaluations; // at most
} least_squares;

// Solve from x (n), which becomes the best that was found, also where the solution was stopped; cost: |r|^2 there.
// BR_OK also where the evaluations ran out; BR_ERR_STOPPED, BR_ERR_MEMORY, BR_ERR_ABSENT.
br_status bri_least_squares(const least_squares* problem, double* x, double* cost,
                            int* is_converged, br_reason* why);

#endif
