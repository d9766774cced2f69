/*
 * A friction law along measured motion as a model of the estimator.
 */
#ifndef BRISTLE_FIT_LAW_PROBLEM_H
#define BRISTLE_FIT_LAW_PROBLEM_H

#include "fit/estimator.h"
#include "fit/law_history.h"

// --- an offset that depends on the position: law_position.c ---

typedef struct law_position {
    size_t count;    // places; 0: the offset does not depend on the position
    size_t rows;     // that are fitted to
    double from, to; // [m]
    double* at;      // of each row, counted in places; borrowed (rows)
    double mean[BR_FIT_PLACES];
    double factor[BR_FIT_PLACES * BR_FIT_PLACES]; // Cholesky's of M (count x count), lower triangle
} law_position;

// Spread places over the displacements of `rows` rows. Returns 0, without places, where none are requested or nothing
// moves. scratch (rows): memory that `position` borrows.
int bri_position_set(law_position* position, const double* distance, size_t rows, size_t places,
                     double* scratch);

// column becomes P column (rows); map, where not NULL, the offset that was subtracted.
void bri_position_project(const law_position* position, double* column, br_fit_offset_map* map);

// The number of places that predicts residuals (rows) best, in cross-validation over ten blocks of rows; 0 where
// places are not better by a standard error, or are passed in one direction only.
size_t bri_position_choose(const double* distance, const double* v, const double* residual,
                           size_t rows);

// Add the offset by position to f (data->count).
void bri_position_add(const br_fit_offset_map* map, const br_fit_law_data* data, double* f);

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
    law_position position; // offset by position
    double* memory;        // of all arrays
    double* distance; // since the first row, then memory of `position` (2 x count); NULL: not used
    double* force;    // (count)
    double* jacobian; // (count x BR_FIT_COUNT)
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

// Use an offset by position with this number of places. Returns 0 where there are none.
int bri_law_set_position(law_problem* problem, size_t places);

// Huber's corner from the residuals at the estimator's point.
void bri_law_set_huber(law_problem* problem);

// Solve from the starts, on edges and with an offset by position; the best of all.
br_status bri_law_solve(law_problem* problem, br_reason* why);

// Widen intervals for the effect of noise in v (F-17).
br_status bri_law_widen_for_noise(law_problem* problem, const information* s,
                                  br_fit_law_result* out, br_reason* why);

#endif
