/*
 * CSV files as numbers.
 */
#ifndef CLI_CSV_H
#define CLI_CSV_H

#include <stddef.h>

#include "text.h"

// Columns of a CSV file.
typedef struct csv {
    size_t rows;
    double** columns; // in the order they were asked for; NULL for an optional one that is missing
} csv;

// Read columns of a CSV file with a header: the first `required` of `wanted` must be there. A column
// `t` must increase. Other columns are passed over. Errors end the command, with file and line.
csv csv_read(const char* path, names wanted, size_t required);

// Plain numbers.
typedef struct csv_grid {
    size_t rows, columns;
    double* values; // (rows x columns)
} csv_grid;

// Read numbers >= 0 without a header, every row as long as the first.
csv_grid csv_read_grid(const char* path);

#endif
