/*
 * A table of named columns of numbers: what a command computes.
 */
#ifndef PARTS_TABLE_H
#define PARTS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "output.h"
#include "spool.h"
#include "text.h"

// Memory holds only the last rows (1 MiB); earlier rows are on disk.
typedef struct table {
    names columns; // borrowed
    size_t width;  // number of columns
    size_t rows;
    size_t begin;       // first row that is in memory
    size_t capacity;    // of `values` [rows]
    double* values;     // of the rows from `begin` on (rows - begin x width)
    spool* spooled;     // the earlier rows; NULL: none
    const char* folder; // for the earlier rows; NULL: $TMPDIR or /tmp. Set it before the first row.
    bool has_last_only; // earlier rows are dropped instead of stored on disk
    const names* words; // borrowed (width); a column with a list has indices into it; NULL: numbers
} table;

// An empty table.
table table_create(names columns);

// The lists of words of a table in which only the last column contains words.
const names* table_words_at_end(names columns, names words);

// Add a row of `width` numbers.
void table_append(table* to, const double* row);

// Row `index` (width). The pointer is valid until a row is added or table_release() is called.
const double* table_row(const table* from, size_t index);

// The index of a column by its name, or the width if there is none; and its value in row `index`.
size_t table_column(const table* from, const char* name);
double table_value(const table* from, size_t index, const char* name);

// Free the memory used by reading rows; call it now and then in a loop over all rows. It invalidates pointers
// to rows.
void table_release(const table* from);

// The same, but only once in many rows: call it after each row `index` of a loop.
void table_release_seldom(const table* from, size_t index);

// The words of a column; NULL if it contains numbers.
names table_words(const table* from, size_t column);

// The word of a column in a row; NULL if it is a number.
const char* table_word(const table* from, size_t index, size_t column);

// Write it as CSV: header, commas, shortest digits. Check the stream for errors.
void table_write_csv(const table* from, FILE* to);

// Write it in NumPy's NPZ format, one array per column.
void table_write_npz(const table* from, FILE* to);

// Write it in the format of the output's suffix, and commit the output.
void table_write(const table* from, output* to);

#endif
