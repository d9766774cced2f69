/*
 * A table of named columns of numbers: what a command computes.
 */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include <stddef.h>
#include <stdio.h>

#include "output.h"
#include "text.h"

typedef struct table {
    names columns; // borrowed
    size_t width;  // number of columns
    size_t rows;
    size_t capacity;
    double* values; // (rows x width)
    names words;    // borrowed; the last column holds places among these; NULL: it holds numbers
} table;

// An empty table.
table table_create(names columns);

// Add a row of `width` numbers.
void table_append(table* to, const double* row);

// Row `index` (width).
const double* table_row(const table* from, size_t index);

// The word of a column in a row; NULL where it is a number.
const char* table_word(const table* from, size_t index, size_t column);

// Write it as CSV: header, commas, shortest digits. Whether that worked, the stream knows.
void table_write_csv(const table* from, FILE* to);

// Write it in NumPy's NPZ format, one array per column.
void table_write_npz(const table* from, FILE* to);

// Write it in the format that the output's name asks for, and commit the output.
void table_write(const table* from, output* to);

#endif
