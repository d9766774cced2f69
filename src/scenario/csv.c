/*
 * CSV files as numbers, or as numbers and words.
 */
#include "scenario/csv.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "scenario/source.h"

enum { MOST_FIELDS = 4096 };

// A CSV file being read: the fields of the line that was read last.
typedef struct reader {
    source from;
    char* fields[MOST_FIELDS];
    size_t count;
} reader;

static char* trim(char* text)
{
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t", text[length - 1])) {
        length--;
    }
    text[length] = '\0';
    return text;
}

// A field in quotes, which may hold commas and "" for a quote (RFC 4180): takes the quotes away, in
// place. `rest` is behind the first quote; gives the end of the field.
static char* unquote(reader* r, char* rest)
{
    char* to = rest;
    for (; *rest && (*rest != '"' || rest[1] == '"'); rest++) {
        rest += *rest == '"';
        *to++ = *rest;
    }
    if (!*rest) {
        bri_source_fail(&r->from, "field %zu: the quote is not closed", r->count + 1);
        return rest;
    }
    char* end = rest + 1 + strspn(rest + 1, " \t");
    if (*end && *end != ',') {
        bri_source_fail(&r->from, "field %zu: a comma must follow the quotes", r->count + 1);
    }
    *to = '\0';
    return r->from.is_broken ? end + strlen(end) : end;
}

static void split(reader* r)
{
    r->count = 0;
    for (char* rest = r->from.text; rest;) {
        if (r->count == MOST_FIELDS) {
            bri_source_fail(&r->from, "more than %d fields", (int)MOST_FIELDS);
            return;
        }
        char* field = rest + strspn(rest, " \t");
        const bool is_quoted = *field == '"';
        field += is_quoted;
        char* end = is_quoted ? unquote(r, field) : field + strcspn(field, ",");
        rest = *end ? end + 1 : NULL;
        *end = '\0';
        r->fields[r->count++] = is_quoted ? field : trim(field);
    }
}

// The next line that is neither blank nor a comment; 0 at the end.
static int next(reader* r)
{
    while (bri_source_next(&r->from)) {
        const char first = r->from.text[strspn(r->from.text, " \t")];
        if (first != '\0' && first != '#') {
            split(r);
            return !r->from.is_broken;
        }
    }
    return 0;
}

static reader* open_reader(reading* in, const char* path)
{
    reader* r = bri_allocate(in, 1, sizeof *r);
    r->from = bri_source_open(in, path);
    return r;
}

static void close_reader(reader* r)
{
    reading* in = r->from.in;
    bri_source_close(&r->from);
    bri_pool_release(&in->memory, r);
}

static bool is_sound(const reader* r)
{
    return !r->from.is_broken && r->from.mistakes == 0;
}

// There is no line at all, where nothing worse has been told.
static void fail_empty(reader* r, const char* needed)
{
    if (is_sound(r)) {
        bri_fail_file(r->from.in, r->from.path, 0, "is empty: %s", needed);
        r->from.is_broken = true;
    }
}

// What other programs put between columns makes one long name of the header.
static void check_separator(reader* r)
{
    if (r->count == 1 && strpbrk(r->fields[0], "\t;")) {
        bri_source_fail(&r->from, "the columns are separated by %s; commas are needed",
                        strchr(r->fields[0], '\t') ? "tabs" : "semicolons");
    }
}

// The header as a list of names; an empty one where the source is broken.
static names read_header(reader* r)
{
    reading* in = r->from.in;
    if (!next(r)) {
        fail_empty(r, "a header line is needed");
        r->count = 0;
    }
    check_separator(r);
    const char** header = bri_allocate(in, r->count + 1, sizeof *header);
    for (size_t i = 0; i < r->count; i++) {
        if (bri_text_find(r->fields[i], header) >= 0) {
            bri_source_note(&r->from, "%.60s: the column is there twice", r->fields[i]);
        }
        header[i] = bri_format(in, "%s", r->fields[i]);
    }
    return header;
}

static size_t length_of(names list)
{
    size_t length = 0;
    while (list[length]) {
        length++;
    }
    return length;
}

// Where each wanted column stands in the header; -1 for a missing one that may be.
static int* find_columns(reader* r, names header, names wanted, size_t required)
{
    int* places = bri_allocate(r->from.in, length_of(wanted), sizeof *places);
    for (size_t i = 0; wanted[i]; i++) {
        places[i] = bri_text_find(wanted[i], header);
        if (places[i] < 0 && i < required) {
            bri_source_note(&r->from, "%s: the column is missing; columns here: %.400s", wanted[i],
                            bri_text_join(&r->from.in->memory, header));
        }
    }
    return places;
}

// A field as a number; NaN, which no comparison finds wrong once more, if it is none.
static double read_field(reader* r, size_t place, const char* name)
{
    double x = 0;
    const char* text = r->fields[place];
    const number_verdict verdict = bri_text_number(text, &x);
    if (verdict == NUMBER_NONE) {
        bri_source_note(&r->from, "%s: must be a number; got \"%.60s\"", name, text);
        return (double)NAN;
    }
    if (verdict == NUMBER_NOT_FINITE) {
        bri_source_note(&r->from, "%s: must be a finite number; got %.60s", name, text);
        return (double)NAN;
    }
    return x;
}

static void make_room(reading* in, csv* table, names wanted, const int* places, size_t* capacity)
{
    if (table->rows < *capacity) {
        return;
    }
    *capacity = *capacity ? 2 * *capacity : 256;
    for (size_t i = 0; wanted[i]; i++) {
        if (places[i] >= 0) {
            table->columns[i] =
                bri_pool_grow(&in->memory, table->columns[i], *capacity, sizeof(double));
        }
    }
}

static void read_row(reader* r, csv* table, names wanted, const int* places)
{
    const size_t row = table->rows++;
    for (size_t i = 0; wanted[i]; i++) {
        if (places[i] < 0) {
            continue;
        }
        double* column = table->columns[i];
        column[row] = read_field(r, (size_t)places[i], wanted[i]);
        if (row > 0 && strcmp(wanted[i], "t") == 0 && column[row] <= column[row - 1]) {
            bri_source_note(&r->from, "t: must increase; got %.15g after %.15g", column[row],
                            column[row - 1]);
        }
    }
}

static void read_rows(reader* r, csv* table, names wanted, const int* places)
{
    const size_t fields = r->count;
    size_t capacity = 0;
    while (next(r)) {
        if (r->count != fields) {
            bri_source_note(&r->from, "%zu fields where the header has %zu", r->count, fields);
            continue;
        }
        make_room(r->from.in, table, wanted, places, &capacity);
        read_row(r, table, wanted, places);
    }
    if (table->rows == 0 && is_sound(r)) {
        bri_source_fail(&r->from, "no rows below the header");
    }
}

csv bri_csv_read(reading* in, const char* path, names wanted, size_t required)
{
    csv table = {0, bri_allocate(in, length_of(wanted), sizeof(double*))};
    reader* r = open_reader(in, path);
    names header = read_header(r);
    if (!r->from.is_broken) {
        const int* places = find_columns(r, header, wanted, required);
        read_rows(r, &table, wanted, places);
    }
    table.rows = is_sound(r) ? table.rows : 0;
    close_reader(r);
    return table;
}

// --- all columns ----------------------------------------------------------------------------------

static csv_columns lay_columns(reader* r, names header)
{
    reading* in = r->from.in;
    csv_columns out = {0, length_of(header), NULL};
    out.at = bri_allocate(in, out.count, sizeof *out.at);
    for (size_t i = 0; i < out.count; i++) {
        out.at[i].name = header[i];
        if (!*header[i]) {
            bri_source_fail(&r->from, "column %zu has no name", i + 1);
        }
    }
    return out;
}

static void read_value(reader* r, csv_column* to, size_t place, size_t row)
{
    if (!*r->fields[place]) {
        bri_source_fail(&r->from, "%s: there is no value", to->name);
    } else if (to->words) {
        to->words[row] = bri_format(r->from.in, "%s", r->fields[place]);
    } else {
        to->numbers[row] = read_field(r, place, to->name);
    }
}

static void read_values(reader* r, csv_columns* to, size_t* capacity)
{
    pool* memory = &r->from.in->memory;
    const size_t row = to->rows++;
    const bool has_room = row < *capacity;
    *capacity = has_room ? *capacity : row ? 2 * row : 256;
    for (size_t i = 0; i < to->count; i++) {
        csv_column* c = &to->at[i];
        double x;
        const bool is_word =
            row > 0 ? c->words != NULL : bri_text_number(r->fields[i], &x) == NUMBER_NONE;
        if (!has_room && is_word) {
            c->words = bri_pool_grow(memory, c->words, *capacity + 1, sizeof *c->words);
        } else if (!has_room) {
            c->numbers = bri_pool_grow(memory, c->numbers, *capacity, sizeof *c->numbers);
        }
        read_value(r, c, i, row);
    }
}

csv_columns bri_csv_read_columns(reading* in, const char* path)
{
    reader* r = open_reader(in, path);
    csv_columns table = lay_columns(r, read_header(r));
    size_t capacity = 0;
    while (!r->from.is_broken && next(r)) {
        if (r->count != table.count) {
            bri_source_fail(&r->from, "%zu fields where the header has %zu", r->count, table.count);
        } else {
            read_values(r, &table, &capacity);
        }
    }
    if (table.rows == 0) {
        bri_source_fail(&r->from, "no rows below the header");
    }
    table.rows = r->from.is_broken ? 0 : table.rows;
    close_reader(r);
    return table;
}

// --- grids ----------------------------------------------------------------------------------------

static void read_grid_row(reader* r, csv_grid* grid, size_t* capacity)
{
    const size_t end = (grid->rows + 1) * grid->columns;
    if (end > *capacity) {
        *capacity = 2 * end;
        grid->values =
            bri_pool_grow(&r->from.in->memory, grid->values, *capacity, sizeof *grid->values);
    }
    for (size_t i = 0; i < grid->columns; i++) {
        const double cell = read_field(r, i, "cell");
        if (cell < 0) {
            bri_source_note(&r->from, "cell %zu: must be >= 0; got %.15g", i + 1, cell);
        }
        grid->values[grid->rows * grid->columns + i] = cell;
    }
    grid->rows++;
}

csv_grid bri_csv_read_grid(reading* in, const char* path)
{
    csv_grid grid = {0, 0, NULL};
    reader* r = open_reader(in, path);
    size_t capacity = 0;
    while (next(r)) {
        grid.columns = grid.rows ? grid.columns : r->count;
        if (r->count != grid.columns) {
            bri_source_note(&r->from, "%zu fields where the first row has %zu", r->count,
                            grid.columns);
            continue;
        }
        read_grid_row(r, &grid, &capacity);
    }
    if (grid.rows == 0) {
        fail_empty(r, "rows of numbers are needed");
    }
    grid.rows = is_sound(r) ? grid.rows : 0;
    close_reader(r);
    return grid;
}
