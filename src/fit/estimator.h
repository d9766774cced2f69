/*
 * One estimator for fits with few parameters: from a table of parameters and a model with derivatives to estimates,
 * intervals and notes. br_fit_law() and br_fit_contact() are models of it.
 *
 *   unknowns theta, any number:   LOGARITHM p = e^theta     LOGIT p = 1/(1 + e^-theta)     LINEAR p = theta
 *
 * mu_s >= mu_c, sigma >= 0, s_ba >= 0 and passivity are active sets: where a solution leaves one of them, the fit
 * continues on its edge (docs/explanation/equations.md, F-5). A parameter that runs into a bound is held there (F-16).
 */
#ifndef BRISTLE_FIT_ESTIMATOR_H
#define BRISTLE_FIT_ESTIMATOR_H

#include "bristle/fit_law.h"
#include "math/symmetric.h"

enum { MOST_PARAMETERS = SYMMETRIC_MOST };

#define BIT(name) (1u << BR_FIT_##name) // of a parameter in a set

typedef enum fit_scale { LINEAR, LOGARITHM, LOGIT } fit_scale;

// Properties of a parameter.
typedef struct fit_parameter {
    const char *name, *unit;
    fit_scale scale;
    double edge;              // a smaller value is set to 0 and held there; < 0: no such edge
    double low, high;         // p is clamped to this range, and held at its ends; both 0: none
    const char* reason;       // why the data may not identify it
    const char* reason_above; // the same where there is only an upper bound; NULL: `reason`
} fit_parameter;

// A point of a fit: the parameters, which of them are unknown, the cost.
typedef struct fit_point {
    double p[MOST_PARAMETERS];
    unsigned estimated;  // bits of the unknowns
    unsigned at_bound;   // bits of those that are held at a bound
    int mu_is_tied;      // mu_s = mu_c + mu_peak: an edge
    int is_at_passivity; // sigma2 = sigma1 (mu_s - mu_c)/mu_c: an edge
    double cost;         // sum of squares, Huber's where that is on; HUGE_VAL: unknown
    int is_converged;
} fit_point;

// The first parameters are those of the friction law in the order of br_law_get_parameter(), BR_FIT_MU_C to
// BR_FIT_V_DAMPING; `own` has the others.
typedef struct estimator {
    // set by the model
    const fit_parameter* own;
    int count; // parameters
    br_law_kind kind;
    size_t rows;    // residuals of all columns
    size_t columns; // series of residuals over time, one after the other; 0: no series
    size_t used;    // residuals that count
    // Residuals at at.p into `residual` and, where `wanted` has bits, derivatives by these parameters into the
    // columns d[k] (rows). Counts `evaluations`.
    void (*eval)(struct estimator* e, unsigned wanted);
    void (*project)(struct estimator* e, double* column); // apply to each derivative; NULL: none
    double* residual;
    const double* d[MOST_PARAMETERS];
    double lower[MOST_PARAMETERS], upper[MOST_PARAMETERS]; // bounds that the data set
    double mu_c_edge;      // a smaller mu_c is held there; 0: no such edge
    double slow_speed;     // v_s where mu_s = mu_c [m/s]; 0: unchanged
    double tolerance;      // of the last solution
    size_t most_solutions; // max evaluations of one least-squares solution
    int is_passive;        // passivity is required
    size_t eliminated;     // coefficients that the model eliminates: they count as unknowns
    double level;          // of the intervals
    int profile;           // intervals by profiles, else by the Jacobian
    const br_fit_watch* watch;
    br_fit_estimate* estimates; // of the result (count)
    double* correlation;        // of the result (count x count)
    // during a fit
    fit_point at;
    unsigned unknown; // bits that are estimated unless an edge or a bound holds them
    unsigned at_edge; // bits of unknowns that profiles keep constant
    double mu_peak;   // 0 except while its bound is searched
    double huber;     // residuals beyond this weigh less [unit of f]; 0: none
    double lag;       // correlation of neighbouring residuals
    int is_white;
    double widening; // errors and intervals are multiplied by this [-], >= 1
    size_t evaluations;
    double fraction;  // of the work, estimated
    double best_rms;  // of all evaluations
    int is_stopped;   // the watch has stopped the fit
    int lacks_memory; // an allocation failed: the fit ends with BR_ERR_MEMORY
} estimator;

// J^T J at the best fit and derived quantities, in the unknowns theta.
typedef struct information {
    size_t n;                                       // unknowns
    int parameter[MOST_PARAMETERS];                 // of unknown i
    double theta[MOST_PARAMETERS];                  // the best
    double matrix[SYMMETRIC_MOST][SYMMETRIC_MOST];  // J^T J
    double inverse[SYMMETRIC_MOST][SYMMETRIC_MOST]; // of it
    double cost;                                    // of the best fit
    double variance;                                // of the noise, Huber's correction included
    double unit;      // increase of the cost at one standard deviation of a profile
    double quantile;  // of the intervals, in standard deviations, widened
    int is_surpassed; // a profile has found a better fit, now in the estimator
} information;

// --- parameters: estimator.c ---

const fit_parameter* bri_parameter(const estimator* e, int k);
const char* bri_parameter_name(const fit_parameter* own, int k);
unsigned bri_parameters_of(br_law_kind law); // bits
double bri_to_theta(const estimator* e, int k, double p);
double bri_from_theta(const estimator* e, int k, double theta);
double bri_slope(const estimator* e, int k, double p); // dp/dtheta
int bri_has_zero(const estimator* e, int k);           // is 0 its lowest value?
void bri_get_theta(const estimator* e, double* theta);

// Bit k of the unknowns.
static inline int bri_is_estimated(const estimator* e, int k)
{
    return (int)(e->at.estimated >> k & 1);
}

// Set p[k], where it is an unknown.
void bri_set_unknown(estimator* e, int k, double value);

size_t bri_unknowns(const estimator* e);
double bri_freedom(const estimator* e); // residuals less unknowns, at least 1

// The law of the parameters, with those that rounding left out of range made valid.
br_law bri_fitted_law(const estimator* e);

// Sum of squares at at.p, Huber's where that is on; `residual` is that of at.p then.
double bri_cost(estimator* e);

// Derivatives of the residuals by the unknowns theta, column by column, without Huber's weights.
void bri_jacobian(estimator* e, const double* theta, double* jacobian);

// Least squares from at.p, which becomes the best found; at.cost and at.is_converged follow.
br_status bri_solve(estimator* e, double tolerance, br_reason* why);

// The same, again on each edge and bound that a solution crosses.
br_status bri_solve_with_edges(estimator* e, br_reason* why);

// --- how certain: interval.c ---

// Fill the information at at.p.
void bri_inform(estimator* e, information* s);

// (J^T J)^-1; where it is singular, the entries of parameters that are not identifiable are large.
void bri_invert(double matrix[SYMMETRIC_MOST][SYMMETRIC_MOST], size_t n,
                double out[SYMMETRIC_MOST][SYMMETRIC_MOST]);

// Continue from the estimates of a result.
void bri_restore(estimator* e, const br_fit_estimate* estimates, unsigned estimated);

// The profile of a parameter at values (count), of the fit that at.p is. BR_ERR_ARG where it was not estimated.
br_status bri_profile_values(estimator* e, int parameter, const double* value, size_t count,
                             double* out, br_reason* why);

// Set is_white, lag and widening from `residual`.
void bri_judge_residuals(estimator* e);

// Set names, units and values, without errors and intervals.
void bri_describe(estimator* e);

// Estimates with errors, correlations, intervals and notes; solves again where a profile finds a better fit.
br_status bri_judge(estimator* e, information* s, br_reason* why);

// Error and one end, side +1 or -1, of a parameter that is held at an edge, by the profile to that side. With the
// two-sided quantile the interval contains the truth at least as often as requested.
br_status bri_bound(estimator* e, const information* s, int k, double side, br_reason* why);

// Notes and ends of parameters that are held at edges, except mu_s and those with a range.
br_status bri_bound_edges(estimator* e, const information* s, br_reason* why);

// Mark an estimate as not identifiable: its interval, and the reason.
void bri_not_identifiable(br_fit_estimate* estimate, double low, double high, const char* note);

// The same for parameters in `bits`, without bounds.
void bri_unbounded(estimator* e, unsigned bits, const char* note);

// Estimates of a fit that was stopped before intervals were known.
void bri_describe_stopped(estimator* e);

#endif
