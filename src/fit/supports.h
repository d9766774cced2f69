/*
 * One solver for pressures: the weights w of m candidate supports, and other unknowns, from rows that are linear in them.
 *
 *   min  |rows x - targets|^2 + lambda n m |w - p|^2,   x >= 0, sum w = 1      x: w, then others;  p: the prior
 *
 * by non-negative least squares of the normal equations. Pairs of wrench and twist (pressure_trial.h) and pushes
 * (fit_pushes.c) are models of it. Lambda goes from strong to weak; five folds of the rows are predicted from the others,
 * and the lambda that predicts them best counts. How certain numbers are: a jackknife over blocks of rows.
 */
#ifndef BRISTLE_FIT_SUPPORTS_H
#define BRISTLE_FIT_SUPPORTS_H

#include "bristle/fit.h"
#include "fit/footprint.h"
#include "math/nnls.h"

// Of rows: the jackknife leaves out a block, cross-validation a fold.
enum { BLOCKS = 20, FOLDS = 5 };

typedef struct supports {
    // set by the model
    footprint feet;
    size_t rows;    // measured
    size_t per_row; // numbers of a row's error, 1 or 3
    size_t unknowns;
    // Normal equations of the rows, except blocks with bits in `left_out`: upper triangle of `gram`, and `rhs`.
    void (*sum)(struct supports* s, unsigned left_out);
    // Add the prior of the unknowns after the weights; NULL: there are none. trace: of the weights' gram.
    void (*expect)(struct supports* s, double trace, double damping);
    // Solve gram x = rhs for x >= 0; NULL: all unknowns are free.
    void (*solve)(struct supports* s, double* x);
    // Errors of the rows of blocks with bits, as x predicts them, into `held`.
    void (*predict)(struct supports* s, const double* x, unsigned blocks);
    const br_fit_watch* watch;
    // set by bri_supports_create()
    size_t blocks; // min(BLOCKS, rows)
    nnls solver;
    double *memory, *gram, *rhs; // (unknowns x unknowns), (unknowns)
    double* x;                   // now (unknowns)
    double* start;               // prior (unknowns); the weights are those of feet
    double *held, *best_held;    // errors of rows that were left out (rows x per_row)
    double *fold, *best_fold;    // x without each fold (FOLDS x unknowns)
    double* best;                // x of the best lambda (unknowns)
    double* without;             // and without each block (blocks x unknowns)
    double strength;             // the best lambda; infinite: the prior
    int is_stopped;              // by the watch: what was computed since is not complete
    int has_errors;              // `without` is complete, and of `best`
} supports;

// Memory, with `more` doubles for the model at *memory. Destroy it also on failure: it owns `feet`.
br_status bri_supports_create(supports* s, size_t more, double** memory, br_reason* why);
void bri_supports_destroy(supports* s);

// Ask the watch, at least after each unknowns^2 operations: must the fit stop?
int bri_supports_stops(supports* s);

// The block of a row.
size_t bri_supports_block(const supports* s, size_t row);

// Blocks that a fold leaves out, as bits: each fifth.
unsigned bri_blocks_of_fold(size_t fold, size_t blocks);

// Solve for x from the rows that are not left out, starting at x. An infinite lambda holds the weights at the prior,
// damping holds x at s->x.
void bri_supports_solve(supports* s, double lambda, double damping, unsigned left_out, double* x);

// Predict each fold from the other rows, at this lambda.
void bri_supports_predict_folds(supports* s, double lambda);

// Keep s->x as the best so far.
void bri_supports_keep(supports* s, double lambda);

// x without each block, at a small lambda: the scatter of the data, without the prior. Where the fit is stopped before
// all are computed, no number has an error.
void bri_supports_leave_out(supports* s);

// Are errors of rows that were left out smaller than others, by more than `errors` standard errors?
int bri_is_better(const supports* s, const double* held, const double* other, double errors);

// Numbers, each without one block of rows.
typedef struct jackknife {
    const double* numbers; // (blocks x stride)
    size_t stride, blocks;
} jackknife;

// Standard error of the number at an index of each block's.
double bri_jackknife_error(const jackknife* without, size_t index);

// A number with its error and 95 % interval; `scale` is its typical size. without->numbers NULL: the fit was stopped
// before they were computed.
br_fit_estimate bri_jackknife_estimate(const char* name, const char* unit, double value,
                                       double scale, const jackknife* without, size_t index);

// Centre of pressure and r of the best, with errors.
void bri_supports_moments(const supports* s, br_fit_estimate cop[2], br_fit_estimate* r);

// A result of `size` bytes followed by the candidates that carry load and the errors of their weights. NULL: no memory.
void* bri_supports_result(const supports* s, size_t size, size_t* count,
                          const br_support_point** points, const double** errors);

// Points of weights (m) that carry load, and the errors of the best weights unless NULL (infinite where the fit was
// stopped before they were computed); their number.
size_t bri_supports_points(const supports* s, const double* weights, br_support_point* points,
                           double* errors);

// Create a patch of points.
br_status bri_points_patch(const br_support_point* points, size_t count, br_patch** out,
                           br_reason* why);

// Drop repeated rows, equal to the last bit: they add no information, and would predict each other.
br_status bri_drop_doubles(void* rows, size_t* count, size_t size, br_reason* why);

// Is the mean of `count` numbers above 0 by more than `errors` standard errors? From their sum and sum of squares.
int bri_is_gain(double sum, double square, size_t count, double errors);

// BR_ERR_ARG and its reason for a row: "pairs[3]: must be finite".
br_status bri_refuse_row(const char* rows, size_t row, const char* text, br_reason* why);

#endif
