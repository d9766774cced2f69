/*
 * A table of named columns of numbers, and its form as CSV.
 */
#include "table.h"

#include <stdbool.h>
#include <string.h>

#include "digits.h"
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

// A value at `at`; gives where the next goes.
static char* put_value(const table* from, const double* row, size_t column, char* at)
{
    const bool is_word = from->words && column + 1 == from->width;
    if (is_word) {
        const char* word = from->words[(size_t)row[column]];
        const size_t length = strlen(word);
        return (char*)memcpy(at, word, length) + length;
    }
    return at + digits_write(row[column], at);
}

// Bytes that any row fits into.
static size_t row_room(const table* from)
{
    size_t longest = DIGITS_ROOM;
    for (names word = from->words; word && *word; word++) {
        longest = strlen(*word) > longest ? strlen(*word) : longest;
    }
    return from->width * (longest + 1);
}

static char* put_row(const table* from, const double* row, char* at)
{
    for (size_t i = 0; i < from->width; i++) {
        at = put_value(from, row, i, at);
        *at++ = ',';
    }
    at[-1] = '\n';
    return at;
}

void table_write_csv(const table* from, FILE* to)
{
    for (size_t i = 0; i < from->width; i++) {
        fprintf(to, "%s%s", i ? "," : "", from->columns[i]);
    }
    fputc('\n', to);

    // many rows at a time: the stream costs more than the digits
    enum { BATCH = 1 << 16 }; // [bytes]
    char* text = memory_allocate(BATCH + row_room(from), 1);
    char* at = text;
    for (size_t r = 0; r < from->rows && !ferror(to); r++) {
        at = put_row(from, table_row(from, r), at);
        if (at >= text + BATCH) {
            fwrite(text, 1, (size_t)(at - text), to);
            at = text;
        }
    }
    fwrite(text, 1, (size_t)(at - text), to);
    memory_release(text);
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
