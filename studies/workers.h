/*
 * Items made side by side, each in a process of its own: one that fails does not stop the others.
 */
#ifndef STUDIES_WORKERS_H
#define STUDIES_WORKERS_H

#include "study.h"

// An item and what became of it.
typedef struct job {
    const item* item;
    const char* report;  // its part of the report
    const char* summary; // its verdict in words
    outcome outcome;
    double seconds;
} job;

// Make all items, `workers` at a time, those of great effort first. Says on stderr which is done, unless `quiet`.
void workers_run(job* jobs, size_t count, size_t workers, const char* folder, bool as_published,
                 bool quiet);

#endif
