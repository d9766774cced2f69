/*
 * The results of a sweep: one journal, or the parts that make it whole; as CSV, NPZ or HDF5.
 *
 * Results are read from disk as they are written: memory does not grow with the cases.
 */
#ifndef PARTS_SWEEP_RESULTS_H
#define PARTS_SWEEP_RESULTS_H

#include "journal.h"
#include "output.h"

typedef struct sweep_results {
    const sweep_story* story;
    journal** parts; // in the order of their shards (count)
    size_t count;
} sweep_results;

// Case `index`; see journal_read().
journal_case sweep_results_read(const sweep_results* r, size_t index);

// One number of a case: an input or, behind them, a want.
double sweep_results_number(const sweep_results* r, size_t index, size_t column);

// What can be told of all cases.
typedef struct sweep_sums {
    size_t failed;
    const char* first_failure; // NULL: none
    size_t first_failed;       // its index
    size_t longest_failure;    // letters
} sweep_sums;
sweep_sums sweep_results_sum(const sweep_results* r);

// What can be told of one column, over cases with a number there.
typedef struct sweep_moments {
    size_t count;
    double mean, deviation, least, most;
} sweep_moments;
sweep_moments sweep_results_moments(const sweep_results* r, size_t column);

// Sobol' indices of a want by the drawn inputs, into `indices` (drawn_count); `left_out` is the number of samples with
// a case that failed.
void sweep_results_indices(const sweep_results* r, size_t column, br_sobol_index* indices,
                           size_t* left_out);

// Is the name one that we can write (.csv, .npz, .h5, .hdf5, -)? If not, say so and end the command.
void sweep_results_check_name(const char* name);

// Write them in the format that the output's name asks for, and commit it.
void sweep_results_write(const sweep_results* r, output* to);

// Parts of it: NPZ and HDF5; whether the second is known is told by sweep_hdf5_is_known().
void sweep_results_write_npz(const sweep_results* r, FILE* to);
bool sweep_hdf5_is_known(void);
void sweep_results_write_hdf5(const sweep_results* r, const output* to);

// All but the numbers, as one JSON object.
void sweep_results_describe(const sweep_results* r, FILE* to);

#endif
