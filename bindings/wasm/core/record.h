/*
 * What a run in time leaves: rows and events, read by JavaScript where they lie.
 */
#ifndef BRISTLE_WASM_RECORD_H
#define BRISTLE_WASM_RECORD_H

#include "bristle/run.h"

// Numbers row by row, that grow.
typedef struct record_table {
    double* numbers;
    size_t columns;
    size_t rows;
    size_t room; // rows that fit
} record_table;

typedef struct record {
    record_table rows;
    record_table events; // time, kind, contact
    br_integrator_cost cost;
    double report[8]; // of a mechanism
    int no_memory;
    int is_watched; // the host is asked whether to stop
} record;

// `n`: duration, every, step, rtol, atol, atol_z, max_step; rows at the times `at` if there are any
br_run_def record_run_def(const double* n, int method, const double* at, size_t at_count);

// A record for rows of so many numbers; NULL with the error noted.
record* record_create(size_t columns, int is_watched);

// Room for one more row, to be filled; NULL where there is no memory.
double* record_row(record* r);

// Fits br_run_watch.event and .stop, with the record as user.
void record_event(const br_run_event* event, void* user);
int record_stop(double t, void* user);

// The record of a run that ended; NULL, with the error noted, where it failed.
record* record_end(record* r, br_status status, const br_reason* why);

#endif
