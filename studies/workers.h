/*
 * Items computed in parallel, each in its own process: one that fails does not stop the others.
 */
#ifndef STUDIES_WORKERS_H
#define STUDIES_WORKERS_H

#include "study.h"

// An item and its result.
typedef struct job {
    const item* item;
    const char* report;  // its part of the report
    const char* summary; // its verdict in words
    outcome outcome;
    double seconds;
} job;

// Compute all items, `workers` at a time, longest first. Progress on stderr, unless `quiet`.
void workers_run(job* jobs, size_t count, size_t workers, const char* folder, bool as_published,
                 bool quiet);

#endif
