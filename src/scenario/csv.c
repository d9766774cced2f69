/*
 * CSV files as numbers, or as numbers and words.
 */
#include "scenario/source.h"

#include <math.h>
#include <string.h>

#include "bristle/csv.h"

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

// A field in quotes, which may hold commas and "" for a quote (RFC 4180): removes the quotes in place.
// `rest` is behind the first quote; returns the end of the field.
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

static reader* open_reader(parse_context* in, const char* path)
{
    reader* r = bri_allocate(in, 1, sizeof *r);
    r->from = bri_source_open(in, path);
    return r;
}

static void close_reader(reader* r)
{
    parse_context* in = r->from.in;
    bri_source_close(&r->from);
    bri_pool_release(&in->memory, r);
}

static bool is_sound(const reader* r)
{
    return !r->from.is_broken && r->from.errors == 0;
}

// A file without any line, unless there are other errors.
static void fail_empty(reader* r, const char* needed)
{
    if (is_sound(r)) {
        bri_fail_file(r->from.in, r->from.path, 0, "is empty: %s", needed);
        r->from.is_broken = true;
    }
}

static const char* separator_name(char c)
{
    return c == '\t' ? "tabs" : c == ';' ? "semicolons" : "blanks";
}

// With the separators of other programs the header is one long name.
static void check_separator(reader* r)
{
    const char* found = r->count == 1 ? strpbrk(r->fields[0], "\t;") : NULL;
    if (found) {
        bri_source_fail(&r->from, "the columns are separated by %s; commas are needed",
                        separator_name(*found));
    }
}

// The header as a list of names; an empty one where the source is broken.
static names read_header(reader* r)
{
    parse_context* in = r->from.in;
    if (!next(r)) {
        fail_empty(r, "a header line is needed");
        r->count = 0;
    }
    check_separator(r);
    const char** header = bri_allocate(in, r->count + 1, sizeof *header);
    for (size_t i = 0; i < r->count; i++) {
        if (br_text_find(r->fields[i], header) >= 0) {
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

// The position of each wanted column in the header; -1 for an optional one that is missing.
static int* find_columns(reader* r, names header, names wanted, size_t required)
{
    int* indices = bri_allocate(r->from.in, length_of(wanted), sizeof *indices);
    for (size_t i = 0; wanted[i]; i++) {
        indices[i] = br_text_find(wanted[i], header);
        if (indices[i] < 0 && i < required) {
            bri_source_note(&r->from, "%s: the column is missing; columns here: %.400s", wanted[i],
                            bri_text_join(&r->from.in->memory, header));
        }
    }
    return indices;
}

// A field as a number; NaN, which passes all later comparisons, if it is none. Without a name it is a cell.
static double read_field(reader* r, size_t index, const char* name)
{
    double x = 0;
    const char* text = r->fields[index];
    const number_verdict verdict = bri_text_number(text, &x);
    if (verdict != NUMBER_GOOD && !name) {
        name = bri_format(r->from.in, "cell %zu", index + 1);
    }
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

// The next row, of as many fields as the `first` has; false at the end.
static bool next_row(reader* r, size_t fields, const char* first)
{
    while (next(r)) {
        if (r->count == fields) {
            return true;
        }
        bri_source_note(&r->from, "%zu fields where %s has %zu", r->count, first, fields);
    }
    return false;
}

// A list with memory for item `row` and a zero behind it; it doubles where `row` is a power of two.
static void* reserve(reader* r, void* list, size_t row, size_t bytes)
{
    enum { FIRST = 256 };
    const bool is_full = row == 0 || (row >= FIRST && (row & (row - 1)) == 0);
    const size_t wanted = row ? 2 * row : FIRST;
    return is_full ? bri_pool_grow(&r->from.in->memory, list, wanted + 1, bytes) : list;
}

static void read_row(reader* r, csv* table, names wanted, const int* indices)
{
    const size_t row = table->rows++;
    for (size_t i = 0; wanted[i]; i++) {
        if (indices[i] < 0) {
            continue;
        }
        double* column = reserve(r, table->columns[i], row, sizeof *column);
        table->columns[i] = column;
        column[row] = read_field(r, (size_t)indices[i], wanted[i]);
        if (row > 0 && strcmp(wanted[i], "t") == 0 && column[row] <= column[row - 1]) {
            bri_source_note(&r->from, "t: must increase; got %.15g after %.15g", column[row],
                            column[row - 1]);
        }
    }
}

static void read_rows(reader* r, csv* table, names wanted, const int* indices)
{
    const size_t fields = r->count;
    while (next_row(r, fields, "the header")) {
        read_row(r, table, wanted, indices);
    }
    if (table->rows == 0 && is_sound(r)) {
        bri_source_fail(&r->from, "no rows below the header");
    }
}

csv bri_csv_read(parse_context* in, const char* path, names wanted, size_t required)
{
    csv table = {0, bri_allocate(in, length_of(wanted), sizeof(double*))};
    reader* r = open_reader(in, path);
    names header = read_header(r);
    if (!r->from.is_broken) {
        const int* indices = find_columns(r, header, wanted, required);
        read_rows(r, &table, wanted, indices);
    }
    table.rows = is_sound(r) ? table.rows : 0;
    close_reader(r);
    return table;
}

// --- all columns ----------------------------------------------------------------------------------

static csv_columns lay_columns(reader* r, names header)
{
    parse_context* in = r->from.in;
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

static void read_values(reader* r, csv_columns* to)
{
    const size_t row = to->rows++;
    for (size_t i = 0; i < to->count; i++) {
        csv_column* c = &to->at[i];
        double x;
        const bool is_word =
            row > 0 ? c->words != NULL : bri_text_number(r->fields[i], &x) == NUMBER_NONE;
        if (!*r->fields[i]) {
            bri_source_fail(&r->from, "%s: there is no value", c->name);
        } else if (is_word) {
            c->words = reserve(r, c->words, row, sizeof *c->words);
            c->words[row] = bri_format(r->from.in, "%s", r->fields[i]);
        } else {
            c->numbers = reserve(r, c->numbers, row, sizeof *c->numbers);
            c->numbers[row] = read_field(r, i, c->name);
        }
    }
}

csv_columns bri_csv_read_columns(parse_context* in, const char* path)
{
    reader* r = open_reader(in, path);
    csv_columns table = lay_columns(r, read_header(r));
    while (next_row(r, table.count, "the header")) {
        read_values(r, &table);
    }
    if (table.rows == 0 && is_sound(r)) {
        bri_source_fail(&r->from, "no rows below the header");
    }
    table.rows = is_sound(r) ? table.rows : 0;
    close_reader(r);
    return table;
}

// --- grids ----------------------------------------------------------------------------------------

static void read_grid_row(reader* r, csv_grid* grid)
{
    const size_t bytes = grid->columns * sizeof *grid->values;
    grid->values = reserve(r, grid->values, grid->rows, bytes);
    for (size_t i = 0; i < grid->columns; i++) {
        const double cell = read_field(r, i, NULL);
        if (cell < 0) {
            bri_source_note(&r->from, "cell %zu: must be >= 0; got %.15g", i + 1, cell);
        }
        grid->values[grid->rows * grid->columns + i] = cell;
    }
    grid->rows++;
}

// The first row shows other separators, which may come with decimal commas, and a header: one message for all rows.
static void check_first_row(reader* r)
{
    size_t words = 0;
    double x;
    for (size_t i = 0; i < r->count; i++) {
        const char* found = strpbrk(r->fields[i], "\t; ");
        if (found) {
            bri_source_fail(&r->from, "the cells are separated by %s; commas are needed%s",
                            separator_name(*found),
                            r->count > 1 ? ", and a point for decimals" : "");
            return;
        }
        words += bri_text_number(r->fields[i], &x) == NUMBER_NONE && *r->fields[i];
    }
    if (words == r->count) {
        bri_source_fail(&r->from,
                        "\"%.60s\" is not a number; a grid has no header: every line is a row of "
                        "cells, from the top",
                        r->fields[0]);
    }
}

csv_grid bri_csv_read_grid(parse_context* in, const char* path)
{
    csv_grid grid = {0, 0, NULL};
    reader* r = open_reader(in, path);
    if (next(r)) {
        check_first_row(r);
        grid.columns = r->count;
    }
    for (bool more = !r->from.is_broken && r->count > 0; more;
         more = next_row(r, grid.columns, "the first row")) {
        read_grid_row(r, &grid);
    }
    if (grid.rows == 0) {
        fail_empty(r, "rows of numbers are needed");
    }
    grid.rows = is_sound(r) ? grid.rows : 0;
    close_reader(r);
    return grid;
}

// --- for callers of the library -------------------------------------------------------------------

struct br_csv {
    parse_context in;
    csv table;
};

// Arguments of read_csv().
typedef struct csv_call {
    br_csv* into;
    const char* path;
    names wanted;
    size_t required;
} csv_call;

static void read_csv(void* call)
{
    const csv_call* with = call;
    with->into->table = bri_csv_read(&with->into->in, with->path, with->wanted, with->required);
}

br_status br_csv_read(const char* path, const char* const* wanted, size_t required, br_csv** out)
{
    *out = br_allocate(1, sizeof **out);
    if (!*out) {
        return BR_ERR_MEMORY;
    }
    parse_context* in = &(*out)->in;
    if (!bri_parse_context_run(in, read_csv, &(csv_call){*out, path, wanted, required})) {
        br_csv_destroy(*out);
        *out = NULL;
        return BR_ERR_MEMORY;
    }
    return in->problems > 0 ? BR_ERR_DEF : BR_OK;
}

size_t br_csv_get_error_count(const br_csv* file)
{
    return file->in.error_count;
}

const br_scenario_error* br_csv_get_error(const br_csv* file, size_t index)
{
    BR_ASSERT(index < file->in.error_count);
    return &file->in.errors[index];
}

size_t br_csv_get_row_count(const br_csv* file)
{
    return file->table.rows;
}

const double* br_csv_get_column(const br_csv* file, size_t index)
{
    return file->table.columns[index];
}

void br_csv_destroy(br_csv* file)
{
    if (file) {
        bri_pool_clear(&file->in.memory);
        br_release(file);
    }
}
