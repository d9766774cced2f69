/*
 * Numbers of a run's rows by the names of their columns.
 */
#ifndef STUDIES_ROWS_H
#define STUDIES_ROWS_H

#include "bristle/math.h"
#include "bristle/run.h"

// Columns of a run. Must be the first member of the struct that the `user` of the watch points to.
typedef struct row_columns {
    const br_column* list; // (count), valid until the run ends
    size_t count;
} row_columns;

// Fits br_run_watch.start.
static inline void rows_start(const br_column* columns, size_t count, void* user)
{
    *(row_columns*)user = (row_columns){columns, count};
}

static inline double row_number(const row_columns* of, const double* row, const char* name)
{
    return row[br_column_find(of->list, of->count, name)];
}

static inline br_pose row_pose(const row_columns* of, const double* row)
{
    return (br_pose){row_number(of, row, "x"), row_number(of, row, "y"),
                     row_number(of, row, "theta")};
}

static inline br_twist row_twist(const row_columns* of, const double* row)
{
    return (br_twist){row_number(of, row, "vx"), row_number(of, row, "vy"),
                      row_number(of, row, "w")};
}

static inline br_wrench row_wrench(const row_columns* of, const double* row)
{
    return (br_wrench){row_number(of, row, "fx"), row_number(of, row, "fy"),
                       row_number(of, row, "tau")};
}

#endif
