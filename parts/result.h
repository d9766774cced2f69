/*
 * What a run gave: its rows, which may be more than memory holds, and what the library tells of it.
 */
#ifndef PARTS_RESULT_H
#define PARTS_RESULT_H

#include "progress.h"
#include "scenario/table.h"
#include "table.h"

typedef struct result {
    table rows;
    const br_table* told; // without its rows; NULL: nothing
    double wall;          // [s]
    progress bar;
    double deadline; // on the clock of progress.h: stop then [s]
    double fraction; // of the work that is done
} result;

// A table with the columns of a scenario.
table result_table(const br_column* columns, size_t count);

// Whom a run tells: rows become those of the result, its bar shows, it stops at its deadline or when a signal
// has come.
br_scenario_watch result_watch(result* to);

#endif
