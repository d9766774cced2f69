/*
 * A table of named columns of numbers, written as CSV.
 */
#include "table.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "digits.h"
#include "memory.h"
#include "message.h"
#include "system.h"

table table_create(names columns)
{
    table fresh = {.columns = columns};
    while (columns[fresh.width]) {
        fresh.width++;
    }
    return fresh;
}

_Noreturn static void fail_to_keep(const table* t)
{
    message_fail(EXIT_COMPUTATION, "%s: cannot keep %zu rows there until the end: %s", t->folder,
                 t->rows, strerror(errno));
}

static void close_spool(void* thing)
{
    spool_close(thing);
}

static void open_spool(table* t)
{
    if (!t->folder) {
        t->folder = system_temporary_folder();
    }
    t->spooled = memory_allocate(1, sizeof *t->spooled);
    if (!spool_open(t->spooled, t->folder)) {
        fail_to_keep(t);
    }
    memory_own(t->spooled, close_spool);
}

// The largest number of rows in memory.
static size_t max_rows_in_memory(const table* t)
{
    enum { MOST_BYTES = 1 << 20 };
    const size_t rows = MOST_BYTES / (t->width * sizeof(double));
    return rows > 0 ? rows : 1;
}

static void reserve_row(table* t)
{
    const size_t max = max_rows_in_memory(t);
    if (t->capacity < max) {
        const size_t wanted = t->capacity ? 2 * t->capacity : 256;
        t->capacity = wanted < max ? wanted : max;
        t->values = memory_grow(t->values, t->capacity, t->width * sizeof *t->values);
        return;
    }
    if (t->has_last_only) {
        t->begin = t->rows;
        return;
    }
    if (!t->spooled) {
        open_spool(t);
    }
    if (!spool_append(t->spooled, t->values, (t->rows - t->begin) * t->width)) {
        fail_to_keep(t);
    }
    t->begin = t->rows;
}

const names* table_words_at_end(names columns, names words)
{
    const size_t width = table_create(columns).width;
    names* lists = memory_allocate(width, sizeof *lists);
    lists[width - 1] = words;
    return lists;
}

void table_append(table* to, const double* row)
{
    if (to->rows - to->begin == to->capacity) {
        reserve_row(to);
    }
    memcpy(to->values + (to->rows++ - to->begin) * to->width, row, to->width * sizeof *row);
}

const double* table_row(const table* from, size_t index)
{
    if (index >= from->begin) {
        return from->values + (index - from->begin) * from->width;
    }
    const double* spooled = spool_values(from->spooled);
    if (!spooled) {
        fail_to_keep(from);
    }
    return spooled + index * from->width;
}

size_t table_column(const table* from, const char* name)
{
    size_t i = 0;
    while (i < from->width && strcmp(from->columns[i], name) != 0) {
        i++;
    }
    return i;
}

double table_value(const table* from, size_t index, const char* name)
{
    return table_row(from, index)[table_column(from, name)];
}

void table_release(const table* from)
{
    if (from->spooled) {
        spool_release(from->spooled);
    }
}

names table_words(const table* from, size_t column)
{
    return from->words ? from->words[column] : NULL;
}

const char* table_word(const table* from, size_t index, size_t column)
{
    const names words = table_words(from, column);
    return words ? words[(size_t)table_row(from, index)[column]] : NULL;
}

void table_release_seldom(const table* from, size_t index)
{
    enum { SELDOM = 4096 };
    if (index % SELDOM == 0) {
        table_release(from);
    }
}

// Write a value at `at`. Returns the position of the next one.
static char* write_value(const table* from, const double* row, size_t column, char* at)
{
    const names words = table_words(from, column);
    if (words) {
        const char* word = words[(size_t)row[column]];
        const size_t length = strlen(word);
        return (char*)memcpy(at, word, length) + length;
    }
    return at + digits_write(row[column], at);
}

// Upper bound for the size of a row [bytes].
static size_t max_row_size(const table* from)
{
    size_t longest = DIGITS_SIZE;
    for (size_t i = 0; i < from->width; i++) {
        for (names word = table_words(from, i); word && *word; word++) {
            longest = strlen(*word) > longest ? strlen(*word) : longest;
        }
    }
    return from->width * (longest + 1);
}

static char* write_row(const table* from, const double* row, char* at)
{
    for (size_t i = 0; i < from->width; i++) {
        at = write_value(from, row, i, at);
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

    // many rows at a time: calls of the stream cost more than formatting
    enum { BATCH = 1 << 16 }; // [bytes]
    char* text = memory_allocate(BATCH + max_row_size(from), 1);
    char* at = text;
    for (size_t r = 0; r < from->rows && !ferror(to); r++) {
        at = write_row(from, table_row(from, r), at);
        if (at >= text + BATCH) {
            fwrite(text, 1, (size_t)(at - text), to);
            at = text;
            table_release(from);
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
