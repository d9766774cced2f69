/*
 * CSV files as numbers, or as numbers and words.
 */
#ifndef BRISTLE_SCENARIO_CSV_H
#define BRISTLE_SCENARIO_CSV_H

#include <stddef.h>

#include "scenario/reading.h"
#include "scenario/text.h"

// Columns of a CSV file.
typedef struct csv {
    size_t rows;
    double** columns; // in the order they were asked for; NULL for an optional one that is missing
} csv;

// Read columns of a CSV file with a header: the first `required` of `wanted` must be there. A column
// `t` must increase. Other columns are passed over. The first mistake, told with file and line, leaves no
// rows at all.
csv bri_csv_read(reading* in, const char* path, names wanted, size_t required);

// A column of a file whose columns are not known before: of numbers (rows), or of words, ended by NULL; the
// other is NULL.
typedef struct csv_column {
    const char* name;
    double* numbers;
    const char** words;
} csv_column;

typedef struct csv_columns {
    size_t rows, count;
    csv_column* at; // (count)
} csv_columns;

// Read all columns of a CSV file with a header. The first row says which are of words; a number may be a word, but no
// word a number, and nothing is neither. A mistake leaves no rows at all.
csv_columns bri_csv_read_columns(reading* in, const char* path);

// Plain numbers.
typedef struct csv_grid {
    size_t rows, columns;
    double* values; // (rows x columns)
} csv_grid;

// Read numbers >= 0 without a header, every row as long as the first. A mistake leaves no rows at all.
csv_grid bri_csv_read_grid(reading* in, const char* path);

#endif
