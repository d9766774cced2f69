/*
 * The results of a run, while it is filled.
 *
 * Rows, events and warnings come from inside the runs of libbristle-sim, which must not be left by a jump: if there is no
 * memory for them, the table is `broken`, and the run is requested to stop.
 */
#ifndef BRISTLE_SCENARIO_TABLE_H
#define BRISTLE_SCENARIO_TABLE_H

#include <stdint.h>

#include "bristle/run.h"
#include "bristle/scenario.h"
#include "scenario/text.h"

// The noise of one column: normal, independent from row to row.
typedef struct noise {
    size_t column;
    double deviation; // in the column's unit
    double bias;      // in the column's unit
    uint64_t state;   // of the random numbers; in a scenario: their start
} noise;

struct br_table {
    pool memory;
    const br_column* columns;
    size_t width;    // number of columns
    size_t* indices; // positions of the columns in a row of the run (width)
    double* row;     // scratch (width)
    double* values;
    size_t rows, row_capacity;
    size_t rows_given; // including those that were not kept
    br_table_event* events;
    size_t event_count, event_capacity;
    br_table_value* sums;
    size_t sum_count, sum_capacity;
    const char** warnings;
    size_t warning_count, warning_capacity;
    writer text;
    br_integrator_cost cost;
    void* data;    // other results that its kind of scenario keeps for the summary; NULL: none
    noise* noises; // added to every row (noise_count)
    size_t noise_count;
    br_scenario_watch watch;
    bool is_broken; // no memory
};

// The columns, copied.
void bri_table_set_columns(br_table* to, const br_column* columns, size_t count);

// Add noise to a row; the states of the random numbers advance.
void bri_noise_add(noise* noises, size_t count, double* row);

// The columns of the run's rows, from which those of the table are taken by name, and a row of the run; `table` is a
// br_table.
void bri_table_start(const br_column* columns, size_t count, void* table);
void bri_table_add_row(const double* from, void* table);

// The last row; NULL if there is none. The value of a column in it.
const double* bri_table_last(const br_table* from);
double bri_table_last_of(const br_table* from, const char* name);

// Add an event; `kind` must be a constant.
void bri_table_add_event(br_table* to, double t, size_t contact, const char* kind);

// Add a warning, formatted as by printf.
void bri_table_warn(br_table* to, const char* format, ...) BR_PRINTF(2, 3);

// The callbacks of a run that fill the table and stop the run where necessary. `user` is the table.
br_run_watch bri_table_watch(br_table* to);

// Add a number to the summary; the path is formatted as by printf. Not from inside a run.
void bri_table_sum(br_table* to, double number, const char* path, ...) BR_PRINTF(3, 4);

// Append lines to the text. Not from inside a run.
void bri_table_print(br_table* to, const char* format, ...) BR_PRINTF(2, 3);

#endif
