/*
 * One set of candidate supports, fitted to pairs: what br_fit_pressure_create() chooses from.
 *
 *   least  sum of whitened errors of the pairs (pairs.h) + lambda n m |w - p|^2,   w >= 0, sum w = 1
 *
 * over the weights w of m candidates, p being what was expected. A path from strong to weak lambda; for each the
 * rows are made anew at the weights that it has, and five folds of the pairs are predicted from the others. The
 * lambda that predicts twists best counts.
 */
#ifndef BRISTLE_FIT_PRESSURE_TRIAL_H
#define BRISTLE_FIT_PRESSURE_TRIAL_H

#include "fit/nnls.h"
#include "fit/pairs.h"

typedef struct trial {
    footprint feet;
    pair_rows rows;
    nnls* solver;
    double* basis;   // of a family: w = basis c, c >= 0 (width x m); NULL: w itself
    size_t width;    // unknowns: m without a basis
    double* total;   // Gram matrix of the rows that count, with the prior (m x m)
    double* reduced; // the same in the unknowns (width x width)
    double *rhs, *unknown, *room, *weights; // (m), (m), (4 m), (m)
    double* best;                           // weights of the best lambda (m)
    double *at, *best_at;                   // weights that the rows were whitened at (m)
    double* without;                        // and of the pairs but one block (blocks x m)
    double* fold;                           // and of the pairs but one fold (FOLDS x m)
    double* trial_fold;                     // the same of the lambda at work (FOLDS x m)
    double *angle,
        *trial_angle; // of each pair that was left out, of the best and of the one at work [rad] (pairs)
    double strength;    // the best lambda; infinite: the prior as it is
    double score;       // mean angle of pairs that were left out [rad]
    double prior_score; // the same of the prior [rad]
    double* memory;
} trial;

// Make a trial. Takes `feet` and `basis` (width x feet.count, width <= feet.count; NULL: none) over, also where it
// fails.
br_status bri_trial_create(const br_fit_pair* pairs, size_t count, footprint feet, double* basis,
                           size_t width, trial* out, br_reason* why);
void bri_trial_destroy(trial* t);

// The prior as it is.
void bri_trial_keep_prior(trial* t);

// The best of a path. Returns 0 where it was stopped, with the best so far.
int bri_trial_run(trial* t, const br_fit_watch* watch);

// Weights without each block of pairs, at a lambda that hardly holds them: how sure the data are, and not the prior.
void bri_trial_leave_out(trial* t);

#endif
