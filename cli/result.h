/*
 * What a run gave.
 */
#ifndef CLI_RESULT_H
#define CLI_RESULT_H

#include "bristle/run.h"
#include "progress.h"
#include "table.h"

// Something that happened at an instant.
typedef struct result_event {
    double t;         // [s]
    size_t contact;   // from 1; 0: there is but one thing it can happen to
    const char* kind; // "stick", "slip", ...; borrowed
} result_event;

typedef struct result {
    table rows;
    result_event* events;
    size_t event_count;
    size_t event_capacity;
    br_integrator_cost cost;
    double wall; // [s]
    void* data;  // what else its kind of scenario has to tell; NULL: nothing
    progress bar;
    double deadline; // on the clock of progress.h: stop then [s]
    double fraction; // of the work that is done
} result;

void result_add_event(result* to, result_event event);

// Whom a run tells: events become those of the result, its bar shows, it stops at its deadline or when a signal
// has come. The row is to be set. `user` is the result.
br_run_watch result_watch(result* to);

#endif
