/*
 * What a run gives, while it is filled.
 *
 * Rows, events and warnings come from inside the runs of libbristle-sim, which nobody may jump out of: where
 * there is no memory for them, the table is `broken`, and the run is asked to stop.
 */
#ifndef BRISTLE_SCENARIO_TABLE_H
#define BRISTLE_SCENARIO_TABLE_H

#include "bristle/run.h"
#include "bristle/scenario.h"
#include "scenario/escape.h"
#include "scenario/noise.h"
#include "scenario/pool.h"

struct br_table {
    pool memory;
    escape way_out; // where there is no memory, outside of runs
    const br_column* columns;
    size_t width; // number of columns
    double* values;
    size_t rows, row_capacity;
    size_t rows_given; // those that were not kept included
    br_table_event* events;
    size_t event_count, event_capacity;
    br_table_value* sums;
    size_t sum_count, sum_capacity;
    const char* empty_list; // the path of a list that has no values; NULL: there is none
    const char** warnings;
    size_t warning_count, warning_capacity;
    const char* text;
    br_integrator_cost cost;
    void* data; // what else its kind of scenario keeps for its sums and its pictures; NULL: nothing
    noise* noises; // added to every row (noise_count)
    size_t noise_count;
    double* noisy; // (width) memory for a row with noise; NULL: there is none
    br_scenario_watch watch;
    bool is_broken; // no memory
};

// The columns, copied.
void bri_table_set_columns(br_table* to, const br_column* columns, size_t count);

// Noise for the rows that follow, from its beginning.
void bri_table_set_noise(br_table* to, const noise* noises, size_t count);

// A row of `width` numbers.
void bri_table_add_row(br_table* to, const double* row);

// The last row; NULL if there is none.
const double* bri_table_last(const br_table* from);

// An event; `kind` is borrowed for ever.
void bri_table_add_event(br_table* to, double t, size_t contact, const char* kind);

// A warning, as printf makes it.
void bri_table_warn(br_table* to, const char* format, ...) __attribute__((format(printf, 2, 3)));

// Whom a run tells: events become those of the table, and it stops where it must. The row is to be set.
// `user` is the table.
br_run_watch bri_table_watch(br_table* to);

// A number that sums up the run, or a word, which is borrowed for ever; the path is made as printf makes it.
// Not from inside a run.
void bri_table_sum(br_table* to, double number, const char* path, ...)
    __attribute__((format(printf, 3, 4)));
void bri_table_sum_word(br_table* to, const char* word, const char* path);

// More lines of the text. Not from inside a run.
void bri_table_say(br_table* to, const char* format, ...) __attribute__((format(printf, 2, 3)));

#endif
