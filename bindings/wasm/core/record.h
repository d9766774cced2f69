/*
 * The record of a run: rows and events, which JavaScript reads in memory.
 */
#ifndef BRISTLE_WASM_RECORD_H
#define BRISTLE_WASM_RECORD_H

#include "bristle/run.h"

// A growing table of numbers, row by row.
typedef struct record_table {
    double* numbers;
    size_t columns;
    size_t rows;
    size_t capacity; // rows that fit
} record_table;

typedef struct record {
    br_column* columns; // of the rows (rows.columns)
    record_table rows;
    record_table events; // time, kind, contact
    br_integrator_cost cost;
    double report[9]; // of a mechanism
    int no_memory;
    int is_watched; // the host is asked whether to stop
} record;

// `n`: duration, every, step, rtol, atol, atol_z, max_step; rows at the times `at` if there are any
br_run_def record_run_def(const double* n, int method, const double* at, size_t at_count);

// Create a record; NULL and last_error() on failure.
record* record_create(int is_watched);

// The callbacks of a run.
br_run_watch record_watch(record* r);

// Returns the record of a run that has finished; if the run failed, NULL, and sets last_error().
record* record_end(record* r, br_status status, const br_reason* why);

#endif
