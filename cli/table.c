/*
 * A table of named columns of numbers, and its form as CSV.
 */
#include "table.h"

#include <stdbool.h>
#include <string.h>

#include "memory.h"

table table_create(names columns)
{
    table fresh = {.columns = columns};
    while (columns[fresh.width]) {
        fresh.width++;
    }
    return fresh;
}

void table_append(table* to, const double* row)
{
    if (to->rows == to->capacity) {
        to->capacity = to->capacity ? 2 * to->capacity : 256;
        to->values = memory_grow(to->values, to->capacity, to->width * sizeof *to->values);
    }
    memcpy(to->values + to->rows++ * to->width, row, to->width * sizeof *row);
}

const double* table_row(const table* from, size_t index)
{
    return from->values + index * from->width;
}

const char* table_word(const table* from, size_t index, size_t column)
{
    const bool is_word = from->words && column + 1 == from->width;
    return is_word ? from->words[(size_t)table_row(from, index)[column]] : NULL;
}

static void write_value(const table* from, size_t index, size_t column, FILE* to)
{
    const char* word = table_word(from, index, column);
    if (word) {
        fputs(word, to);
    } else {
        fprintf(to, "%.17g", table_row(from, index)[column]);
    }
}

void table_write_csv(const table* from, FILE* to)
{
    for (size_t i = 0; i < from->width; i++) {
        fprintf(to, "%s%s", i ? "," : "", from->columns[i]);
    }
    fputc('\n', to);
    for (size_t r = 0; r < from->rows && !ferror(to); r++) {
        for (size_t i = 0; i < from->width; i++) {
            fputs(i ? "," : "", to);
            write_value(from, r, i, to);
        }
        fputc('\n', to);
    }
}

void table_write(const table* from, output* to)
{
    if (text_ends_with(to->name, ".npz")) {
        table_write_npz(from, to->stream);
    } else {
        table_write_csv(from, to->stream);
    }
    output_commit(to);
}
