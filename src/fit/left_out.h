/*
 * What pressures from pushes learn from rows that they leave out: how sure a number is, and whether one pressure
 * predicts better than another.
 */
#ifndef BRISTLE_FIT_LEFT_OUT_H
#define BRISTLE_FIT_LEFT_OUT_H

#include "bristle/fit.h"
#include "fit/footprint.h"

enum {
    BLOCKS = 20,
    FOLDS = 5
}; // of rows: the jackknife leaves out a block, cross-validation a fold

// Numbers as the rows but one block would have them.
typedef struct jackknife {
    const double* numbers; // (blocks x stride)
    size_t stride, blocks;
} jackknife;

// The block of a row of `count`.
size_t bri_block_of(size_t row, size_t count, size_t blocks);

// Blocks that a fold leaves out, as bits: each fifth.
unsigned bri_blocks_of_fold(size_t fold, size_t blocks);

// Standard error of the number at a place of each block's.
double bri_jackknife_error(const jackknife* without, size_t place);

// A number of the data with its error and its 95 % interval; `scale` is what it is measured by.
br_fit_estimate bri_jackknife_estimate(const char* name, const char* unit, double value,
                                       double scale, const jackknife* without, size_t place);

// Keep the first of rows that are the same to the last bit: others tell nothing, and would predict each other.
br_status bri_drop_doubles(void* rows, size_t* count, size_t size, br_reason* why);

// Candidates that carry something, and the errors of their weights (NULL: not wanted). Returns how many.
size_t bri_collect_supports(const footprint* feet, const double* weights, const jackknife* without,
                            br_support_point* points, double* errors);

// Is the mean of `count` numbers above 0 by more than so many of its standard errors? From their sum and the sum of
// their squares.
int bri_is_gain(double sum, double square, size_t count, double errors);

// Say what is wrong with a row: "pairs[3]: must be finite".
br_status bri_refuse_row(const char* rows, size_t row, const char* text, br_reason* why);

#endif
