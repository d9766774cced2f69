/*
 * The results of a sweep: one journal, or all its parts; as CSV, NPZ or HDF5.
 *
 * Results are read from disk as they are written: memory does not grow with the cases.
 */
#ifndef PARTS_SWEEP_RESULTS_H
#define PARTS_SWEEP_RESULTS_H

#include "journal.h"
#include "options.h"
#include "output.h"

typedef struct sweep_results {
    const sweep_metadata* metadata;
    journal** parts; // in the order of their shards (count)
    size_t count;
} sweep_results;

// Case `index`; see journal_read().
journal_case sweep_results_read(const sweep_results* r, size_t index);

// One number of a case: an input or, after the inputs, an output.
double sweep_results_number(const sweep_results* r, size_t index, size_t column);

// Statistics of all cases.
typedef struct sweep_sums {
    size_t failed;
    const char* first_failure; // NULL: none
    size_t first_failed;       // its index
    size_t longest_failure;    // length of the longest error text
} sweep_sums;
sweep_sums sweep_results_sum(const sweep_results* r);

// Statistics of one column, over cases that have a number there.
typedef struct sweep_moments {
    size_t count;
    double mean, deviation, least, most;
} sweep_moments;
sweep_moments sweep_results_moments(const sweep_results* r, size_t column);

// Sobol' indices of an output for the drawn inputs, into `indices` (drawn_count); `left_out` is the number of samples with
// a case that failed.
void sweep_results_indices(const sweep_results* r, size_t column, br_sobol_index* indices,
                           size_t* left_out);

// The file for the results of a sweep or of one part: .csv, .npz, .h5, .hdf5 or stdout. NULL: none.
// An unsupported suffix ends the command.
const char* sweep_results_name(const options* o);

// Write the results in the format of the output's suffix, and commit the output.
void sweep_results_write(const sweep_results* r, output* to);

// The formats NPZ and HDF5; sweep_hdf5_is_known(): does this build have HDF5?
void sweep_results_write_npz(const sweep_results* r, output* to);
bool sweep_hdf5_is_known(void);
void sweep_results_write_hdf5(const sweep_results* r, const output* to);

// The metadata as one JSON object.
void sweep_results_describe(const sweep_results* r, FILE* to);

#endif
