/*
 * One set of candidate supports, fitted to pairs of wrench and twist: what br_fit_pressure_create() chooses from.
 *
 *   min  sum of whitened errors of the pairs + lambda n m |w - p|^2,   w >= 0, sum w = 1
 *
 * over the weights w of m candidates, p being the prior (supports.h). A quasi-static pair has f = mu fn grad D(v), linear
 * in the weights; the sizes of f and v determine mu fn alone. So each pair gives its error across v, the part of
 * grad D(v) = sum w_j g_j that f does not explain once it is scaled to the same dissipation,
 *
 *   rho = B^T (grad D - f D/(f.v)),   B: two unit vectors across v            homogeneous in the weights
 *
 * Both f and v are measured. An error df of the wrench's direction moves rho by df, an error dv of the twist's by
 * H dv, H = B^T Hess D B; with equal errors the covariance of rho is  1 + H^2, which whitens the rows (orthogonal
 * regression to first order). H depends on the weights, so the rows are whitened again for each lambda, at the weights
 * that it starts from; so are the weights of rows that fit badly (Cauchy's loss). Errors of pairs that are left out
 * are angles of their twists.
 */
#ifndef BRISTLE_FIT_PRESSURE_TRIAL_H
#define BRISTLE_FIT_PRESSURE_TRIAL_H

#include "bristle/fit_pressure.h"
#include "fit/supports.h"

typedef struct trial {
    supports s;     // first: the solver gets its address
    double* v;      // unit twists (rows x 3)
    double* f;      // wrenches, as measured over feet.unit (rows x 3)
    double* power;  // f.v (rows)
    double* across; // B, two vectors (rows x 6)
    double* rho;    // columns of rho, x row then y row (rows x 2 x m)
    double* gram;   // of each block (blocks x m x m)
    double* basis;  // of a family: w = basis c, c >= 0 (width x m); NULL: w itself
    size_t width;   // unknowns of the family
    double *reduced, *unknown, *scratch; // (m x m), (m), (4 m)
    double *at, *best_at; // weights that the rows were whitened at, now and for the best (m)
    double score;         // mean angle of pairs that were left out [rad]; NaN: stopped before
} trial;

// Create a trial. Takes ownership of `feet` and `basis` (width x feet.count, width <= feet.count; NULL: none), also
// on failure.
br_status bri_trial_create(const br_fit_pair* pairs, size_t count, footprint feet, double* basis,
                           size_t width, const br_fit_watch* watch, trial* out, br_reason* why);
void bri_trial_destroy(trial* t);

// Keep the prior weights, without a fit.
void bri_trial_keep_prior(trial* t);

// Fit for each lambda and keep the best; where the watch stops it (s.is_stopped), the best so far, or the prior.
void bri_trial_run(trial* t);

// Weights without each block of pairs.
void bri_trial_leave_out(trial* t);

#endif
