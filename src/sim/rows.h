/*
 * Rows of a run: lists of columns, each with the expression of its value.
 *
 *     #define MAIN(X) X("t", "s", NULL, t), X("x", "m", NULL, y[0])
 *     static const br_column main_columns[] = {MAIN(COLUMN_ENTRY)};
 *     ...
 *     double* to = row->values;
 *     MAIN(COLUMN_VALUE);
 */
#ifndef BRISTLE_SIM_ROWS_H
#define BRISTLE_SIM_ROWS_H

#include "bristle/run.h"

#define COLUMN_ENTRY(name, unit, words, value)                                                     \
    {                                                                                              \
        name, unit, words                                                                          \
    }
#define COLUMN_VALUE(name, unit, words, value) *to++ = (value)

// Names of br_slip_state.
static const char* const contact_state_words[] = {"stick", "slip", "open", NULL};

// A group of adjacent columns, repeated for each of several things (contacts, joints).
typedef struct column_group {
    const br_column* columns;
    size_t count;
    br_column_set set;
    size_t things;   // number of repetitions; 0: one per contact of the run, numbered if several
    int is_numbered; // names end with the number of the thing, from 1
} column_group;

#define COLUMN_GROUP(columns, set, things)                                                         \
    {                                                                                              \
        columns, sizeof(columns) / sizeof *(columns), set, things, 0                               \
    }

// List the columns of the groups that are in `sets`, for a run with `each` things; `out` may be NULL. Returns their
// number.
size_t bri_columns_list(const column_group* groups, size_t group_count, size_t each, unsigned sets,
                        br_column* out);

// The row buffer of a run, filled again for each row.
typedef struct run_row {
    const br_run_watch* watch;
    unsigned sets; // requested sets of columns
    size_t count;
    double* values;     // (count)
    br_column* columns; // (count)
} run_row;

// Start the rows of a run: reports the columns to `watch`. Call bri_row_release() after a failure, too.
br_status bri_row_create(run_row* row, const column_group* groups, size_t group_count, size_t each,
                         const br_run_def* def, const br_run_watch* watch, br_reason* why);
void bri_row_release(run_row* row);

// Report the current row.
static inline void bri_row_emit(const run_row* row)
{
    row->watch->row(row->values, row->watch->user);
}

#endif
