/*
 * Numbers of a run's rows by the names of their columns: {.start = take_columns} in a br_run_watch, then number_of(row, "x").
 */
#ifndef BRISTLE_TEST_ROWS_H
#define BRISTLE_TEST_ROWS_H

#include "check.h"

#include "bristle/math.h"
#include "bristle/run.h"

#include <string.h>

enum { MOST_COLUMNS = 2048 };

// Of the last run of this thread.
static _Thread_local struct {
    br_column list[MOST_COLUMNS];
    size_t count;
} taken;

static inline void take_columns(const br_column* columns, size_t count, void* user)
{
    (void)user;
    assert_true(count <= MOST_COLUMNS);
    memcpy(taken.list, columns, count * sizeof *columns);
    taken.count = count;
}

static inline double number_of(const double* row, const char* name)
{
    const size_t place = br_column_find(taken.list, taken.count, name);
    assert_true(place < taken.count);
    return row[place];
}

// Of contact or coordinate i, from 0.
static inline double number_of_one(const double* row, const char* name, size_t i)
{
    const size_t place = br_column_find_numbered(taken.list, taken.count, name, i + 1);
    assert_true(place < taken.count);
    return row[place];
}

static inline br_pose pose_in(const double* row)
{
    return (br_pose){number_of(row, "x"), number_of(row, "y"), number_of(row, "theta")};
}

static inline br_twist twist_in(const double* row)
{
    return (br_twist){number_of(row, "vx"), number_of(row, "vy"), number_of(row, "w")};
}

static inline br_wrench wrench_in(const double* row, size_t contact)
{
    return (br_wrench){number_of_one(row, "fx", contact), number_of_one(row, "fy", contact),
                       number_of_one(row, "tau", contact)};
}

#endif
