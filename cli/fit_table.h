/*
 * bristle fit law --table.
 */
#ifndef CLI_FIT_TABLE_H
#define CLI_FIT_TABLE_H

#include "bristle/fit_law.h"
#include "options.h"

// Fit g(v) as a table to rows with a speed. Returns the exit status.
int fit_table(const options* o, const br_fit_law_data* given);

#endif
