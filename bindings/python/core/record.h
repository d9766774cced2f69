// A run in time as Python asks for it: what to compute, and a table that takes its rows and events.
#ifndef BRISTLE_PYTHON_RECORD_H
#define BRISTLE_PYTHON_RECORD_H

#include "bristle/run.h"
#include "python.h"

// Numbers row by row, that grow.
typedef struct record_table {
    double* numbers;
    size_t columns;
    size_t rows;
    size_t room; // rows that fit
} record_table;

// What a run leaves. Rows and events may come while other threads of Python run.
typedef struct record {
    record_table rows;
    record_table events; // time, kind, contact
    int no_memory;
    int interrupted;  // an exception waits: the user's interrupt, or one of a callback
    double next_look; // when to look for the user's interrupt [s]
    br_run_def run;
    double* at;
} record;

// (duration, every, at or None, method, step, rtol, atol, atol_z, max_step). Returns 0 with an exception.
int record_begin(record* r, PyObject* run, size_t columns);

// Room for one more row, to be filled; NULL where there is no memory.
double* record_row(record* r);

// Fits br_run_watch.event and .stop, with the record as user.
void record_event(const br_run_event* event, void* user);
int record_stop(double t, void* user);

// (rows (n x columns), events (m x 3)), or an exception. Frees everything.
PyObject* record_end(record* r, br_status status, const br_reason* why);

#endif
