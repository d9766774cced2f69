/*
 * How sure a fitted law is.
 */
#ifndef BRISTLE_FIT_LAW_SURE_H
#define BRISTLE_FIT_LAW_SURE_H

#include "fit/law_problem.h"
#include "fit/symmetric.h"

// What the Jacobian at the best fit tells, in the unknowns theta.
typedef struct law_sureness {
    size_t n;                                           // unknowns
    int parameter[BR_FIT_COUNT];                        // which is unknown i
    double theta[BR_FIT_COUNT];                         // the best
    double information[SYMMETRIC_MOST][SYMMETRIC_MOST]; // J^T J
    double inverse[SYMMETRIC_MOST][SYMMETRIC_MOST];     // of it
    double variance;                                    // of the noise, Huber's correction included
    double unit;      // so much more cost is one standard deviation squared of a profile
    double quantile;  // of the intervals, in standard deviations, widened
    int is_surpassed; // a profile has found a better fit, now in problem->p
} law_sureness;

// Fill the information at problem->p.
void bri_law_inform(law_problem* problem, law_sureness* s);

// (J^T J)^-1 of any such matrix; where it is singular, what is not told comes out large.
void bri_law_invert(double information[SYMMETRIC_MOST][SYMMETRIC_MOST], size_t n,
                    double out[SYMMETRIC_MOST][SYMMETRIC_MOST]);

// Whiteness, noise, outliers of the residuals in problem->force.
void bri_law_judge_residuals(law_problem* problem, double cost, br_fit_law_result* out);

// Errors, correlations, intervals, words.
br_status bri_law_estimate(law_problem* problem, double cost, br_fit_law_result* out,
                           law_sureness* s, br_reason* why);

// The profile at unknown i held at `theta`, in standard deviations, all others solved anew from `from`, which
// becomes where they ended.
br_status bri_law_profile(law_problem* problem, const law_sureness* s, size_t i, double theta,
                          double cost, double from[BR_FIT_COUNT], double* out, br_reason* why);

// Error and upper end of a parameter that is held at its lower edge, by the profile to the one side that there is. The
// quantile is that of two sides: the interval holds the truth at least as often as asked. `s` is that of the others.
br_status bri_law_bound(law_problem* problem, const law_sureness* s, int parameter, double cost,
                        br_fit_law_result* out, br_reason* why);

// What to measure next.
void bri_law_next(law_problem* problem, const law_sureness* s, br_fit_law_result* out);

#endif
