/*
 * A friction law along measured motion as a model of the estimator.
 */
#ifndef BRISTLE_FIT_LAW_PROBLEM_H
#define BRISTLE_FIT_LAW_PROBLEM_H

#include "fit/estimator.h"
#include "fit/law_history.h"

// --- offset and friction that depend on the position: law_position.c ---

enum { POSITION_GAINS = 32, POSITION_MOST = BR_FIT_PLACES + POSITION_GAINS }; // most places

// Sums over rows: how many, r, F^2, hats; A^T A (lower triangle) and A^T r of hats without means. Doubles alone.
typedef struct position_sums {
    double rows, r, square, hat[POSITION_MOST], by_r[POSITION_MOST];
    double product[POSITION_MOST * POSITION_MOST];
} position_sums;

typedef struct law_position {
    // set before use
    size_t rows;         // that are fitted to
    const double* v;     // speed of each row [m/s] (rows)
    double rest;         // rows that are no faster do not count [m/s]; < 0: all count
    double* at;          // memory for the position of each row, a share of the range (rows)
    double* friction;    // F of each row [unit of f] (rows)
    double* factor;      // memory for Cholesky's of M (POSITION_MOST^2)
    position_sums* work; // memory
    // set by bri_position_set()
    size_t count;    // places of the offset; 0: it does not depend on the position
    size_t gains;    // the same of friction
    double from, to; // [m]
    double mean[POSITION_MOST];
} law_position;

// Spread places over the displacements of the rows. Returns 0, without places, where none are requested or nothing
// moves.
int bri_position_set(law_position* position, const double* distance, size_t places, size_t gains);

// column becomes P column (rows); offset and friction, where not NULL, what was subtracted.
void bri_position_project(const law_position* position, double* column, br_fit_offset_map* offset,
                          br_fit_offset_map* friction);

// The number of places of the offset that predicts residuals (rows) best, in cross-validation over twenty blocks of rows; 0
// where places are not better by a standard error, or are passed in one direction only. Then bri_position_set().
size_t bri_position_choose(law_position* position, const double* distance, const double* residual);

// The same of friction, after bri_position_choose() and beside the places of the offset that are set; residuals are
// those without both.
size_t bri_position_choose_gains(law_position* position, const double* residual);

// Add what depends on the position to f (data->count), offset included.
void bri_position_add(const br_fit_law_result* fit, const br_fit_law_data* data, double* f);

static inline int bri_position_is_on(const law_position* position)
{
    return position->count + position->gains > 0;
}

// --- the measured motion: law_check.c ---

typedef struct law_motion {
    double fastest;       // largest |v| [m/s]
    int is_one_direction; // 1: it slides in one direction only
    double direction;     // of most rows: 1 or -1
    int is_one_speed;     // 1: it slides at one speed only, as far as the noise shows
    int is_noisy;         // 1: its speeds differ, but by no more than their noise
    double speed;         // mean |v| of the rows that slide [m/s]
    double resistance; // mean force along the motion, without the offset if it has both directions
    double error;      // its standard error [unit of f]
} law_motion;

// noise: standard deviation of the noise in v; slower rows count as rest.
law_motion bri_law_motion(const br_fit_law_data* data, double noise);

// Refuse data whose force drives the motion. sign: 1, or -1 where the force is to be flipped; offset: the known one,
// which counts where the motion slides in one direction only.
br_status bri_law_check_sign(const br_fit_law_data* data, double sign, double offset,
                             br_reason* why);

// --- the problem ---

typedef struct law_problem {
    estimator e; // first: the model gets its address
    const br_fit_law_def* def;
    law_history history;   // of the rows that are fitted to
    unsigned inseparable;  // bits that one direction cannot separate from mu_c: held at 0
    unsigned one_speed;    // bits that one speed cannot separate from mu_c: held
    law_motion motion;     // of the rows that are fitted to
    double speed_noise;    // in v [m/s]
    double rest;           // rows that are no faster are at rest for a law without bristles [m/s]
    law_position position; // offset and friction by position
    double* memory;        // of all arrays
    double* distance;      // since the first row (count); NULL: not used
    double* force;         // (count)
    double* jacobian;      // (count x BR_FIT_COUNT)
} law_problem;

// The parameters beyond those of the law, for estimator.own.
extern const fit_parameter bri_law_nuisances[];

// Allocate and set what is estimated. Release problem->memory in the end, also on failure.
br_status bri_law_problem_create(law_problem* problem, const br_fit_law_def* def,
                                 const br_fit_watch* watch, br_reason* why);

// The bits that a law has.
unsigned bri_law_own(br_fit_law_kind kind);

// Fit and fill the result.
br_status bri_law_fit(law_problem* problem, br_fit_law_result* out, br_reason* why);

// Use an offset and a friction by position with these numbers of places, with the friction of the estimator's point.
// Returns 0 where there are none.
int bri_law_set_position(law_problem* problem, size_t places, size_t gains);

// Huber's corner from the residuals at the estimator's point.
void bri_law_set_huber(law_problem* problem);

// Solve from the starts, on edges and with an offset by position; the best of all.
br_status bri_law_solve(law_problem* problem, br_reason* why);

// Widen intervals for the effect of noise in v (F-17).
br_status bri_law_widen_for_noise(law_problem* problem, const information* s,
                                  br_fit_law_result* out, br_reason* why);

#endif
