/*
 * A table of named columns of numbers: what a command computes.
 */
#ifndef PARTS_TABLE_H
#define PARTS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "output.h"
#include "scenario/text.h"
#include "spool.h"

// Memory holds the last rows alone, 1 MiB of them; those before wait on disk.
typedef struct table {
    names columns; // borrowed
    size_t width;  // number of columns
    size_t rows;
    size_t begin;       // first row that is in memory
    size_t capacity;    // of memory [rows]
    double* values;     // of the rows from `begin` on (rows - begin x width)
    spool* spooled;     // the rows before; NULL: none
    const char* folder; // of a disk for them; NULL: $TMPDIR or /tmp. Set it before the first row.
    bool has_last_only; // rows that have no room in memory are dropped: nobody will ask for them
    const names* words; // borrowed (width); a column with a list holds places in it; NULL: numbers
} table;

// An empty table.
table table_create(names columns);

// The lists of words of a table whose last column alone holds words.
const names* table_words_at_end(names columns, names words);

// Add a row of `width` numbers.
void table_append(table* to, const double* row);

// Row `index` (width). It stays where it is until a row is added or table_release() is called.
const double* table_row(const table* from, size_t index);

// Give back the memory that reading rows has taken; for who walks through all of them, now and then. Rows
// got before are gone then.
void table_release(const table* from);

// The same, once in many rows: after row `index` of a walk.
void table_release_seldom(const table* from, size_t index);

// The words of a column; NULL where it holds numbers.
names table_words(const table* from, size_t column);

// The word of a column in a row; NULL where it is a number.
const char* table_word(const table* from, size_t index, size_t column);

// Write it as CSV: header, commas, shortest digits. Whether that worked, the stream knows.
void table_write_csv(const table* from, FILE* to);

// Write it in NumPy's NPZ format, one array per column.
void table_write_npz(const table* from, FILE* to);

// Write it in the format that the output's name asks for, and commit the output.
void table_write(const table* from, output* to);

#endif
