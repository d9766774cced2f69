/*
 * The result of a run: its rows, which may be more than memory holds, and the library's report.
 */
#ifndef PARTS_RESULT_H
#define PARTS_RESULT_H

#include "bristle/scenario.h"
#include "progress.h"
#include "table.h"

typedef struct result {
    table rows;
    const br_table* report; // the library's report, without rows; NULL: none
    double wall;            // [s]
    progress bar;
    double deadline; // when to stop, on the clock of progress.h [s]
    double fraction; // of the work that is done
} result;

// A table with the columns of a scenario.
table result_table(const br_column* columns, size_t count);

// Callbacks for a run: they store its rows, update the progress bar, and stop it at the deadline or after a
// signal.
br_scenario_watch result_watch(result* to);

#endif
