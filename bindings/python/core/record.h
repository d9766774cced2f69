// A run requested by Python: what to compute, and tables of its rows and events.
#ifndef BRISTLE_PYTHON_RECORD_H
#define BRISTLE_PYTHON_RECORD_H

#include "bristle/run.h"
#include "python.h"

// A growing table of numbers, row by row.
typedef struct record_table {
    double* numbers;
    size_t columns;
    size_t rows;
    size_t capacity; // rows that fit
} record_table;

// The record of a run. Rows and events may be added while other Python threads run.
typedef struct record {
    br_column* columns; // of the rows (rows.columns)
    record_table rows;
    record_table events; // time, kind, contact
    int no_memory;
    int interrupted;  // an exception is pending: Ctrl-C, or one of a callback
    double next_look; // time of the next check for Ctrl-C [s]
    br_run_def run;
    double* at;
} record;

// (duration, every, at or None, method, step, rtol, atol, atol_z, max_step). Returns 0 with an exception.
int record_start(record* r, PyObject* run);

// The callbacks of a run.
br_run_watch record_watch(record* r);

// For br_run_watch.stop, with the record as user.
bool record_stop(double t, void* user);

// [(name, unit, words)]
PyObject* record_columns(const br_column* columns, size_t count);

// (columns, rows (n x columns), events (m x 3)), or an exception. Frees everything.
PyObject* record_end(record* r, br_status status, const br_reason* why);

#endif
