/*
 * A law's fit as least squares: unknowns theta that may be any numbers, parameters p that may not.
 *
 *   positive ones  p = e^theta        s_ba  p = 1/(1 + e^-theta)        others  p = theta
 *
 * mu_s >= mu_c, sigma1 >= 0, sigma2 >= 0 and passivity are active sets: where a fit without them leaves them,
 * it is done anew on their edge (docs/equations.md, F-5).
 */
#ifndef BRISTLE_FIT_LAW_PROBLEM_H
#define BRISTLE_FIT_LAW_PROBLEM_H

#include "fit/law_history.h"
#include "fit/law_position.h"
#include "fit/least_squares.h"

typedef struct law_problem {
    const br_fit_law_def* def;
    const br_fit_watch* watch;
    law_history history;   // of the rows that are fitted to
    size_t used;           // rows that count: those at rest tell nothing of a law without bristles
    unsigned estimated;    // bits of the unknowns
    unsigned at_edge;      // bits of unknowns that profiles keep where they are
    int mu_is_tied;        // mu_s = mu_c + mu_peak: an edge
    double mu_peak;        // 0, but where it is asked how high it may be
    int is_at_passivity;   // sigma2 = sigma1 (mu_s - mu_c)/mu_c: an edge
    law_position position; // what the offset depends on
    double* way;  // since the first row, and room for `position` (2 x count); NULL: no need
    double huber; // residuals beyond this count less [unit of f]; 0: none
    double p[BR_FIT_COUNT]; // of the last evaluation, and what is not estimated
    double* force;          // (count)
    double* jacobian;       // (count x BR_FIT_COUNT)
    size_t evaluations;
    double fraction; // of the work that is done, as far as one knows
    double best_rms; // of all evaluations
    int is_stopped;  // somebody asked for it
} law_problem;

// Memory and what is estimated. What it took is freed by bri_law_problem_end().
br_status bri_law_problem_begin(law_problem* problem, const br_fit_law_def* def,
                                const br_fit_watch* watch, br_reason* why);
void bri_law_problem_end(law_problem* problem);

// The bits that a law has.
unsigned bri_law_own(br_fit_law_kind kind);

size_t bri_law_unknowns(const law_problem* problem);

// Unknowns from parameters and back; dp/dtheta of one.
void bri_law_theta(const law_problem* problem, double* theta);
void bri_law_parameters(law_problem* problem, const double* theta);
double bri_law_slope(int parameter, double p);
double bri_law_from_theta(int parameter, double theta);
double bri_law_to_theta(int parameter, double p);
int bri_law_is_log(int parameter);

// Rows less unknowns, places included; at least 1.
double bri_law_freedom(const law_problem* problem);

// Sum of squares at problem->p, Huber's where it is on; no derivatives.
double bri_law_cost(law_problem* problem);

// Residuals (count) and their derivatives by theta, for least squares; user is the problem.
int bri_law_eval(const double* theta, double* residual, double* jacobian, void* user);

// Least squares from problem->p, which become the best found; `cost` is the least sum of squares.
br_status bri_law_solve(law_problem* problem, double tolerance, double* cost, int* is_converged,
                        br_reason* why);

// Starting values into problem->p: solved from several of them; the best.
br_status bri_law_start(law_problem* problem, double* cost, int* is_converged, br_reason* why);

#endif
