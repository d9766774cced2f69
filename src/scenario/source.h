/*
 * Files that scenarios name: their lines with the checks that every text file needs, and CSV.
 */
#ifndef BRISTLE_SCENARIO_SOURCE_H
#define BRISTLE_SCENARIO_SOURCE_H

#include "scenario/parse_context.h"
#include "scenario/system.h"
#include "scenario/text.h"

// --- lines ----------------------------------------------------------------------------------------

// A text file being read.
typedef struct source {
    parse_context* in;
    const char* path;
    stream* bytes;  // NULL: it could not be opened
    void* held;     // the same, as the pool keeps it
    size_t line;    // number of the line that was read last, from 1
    char* text;     // that line, without its line end
    size_t length;  // of that line
    size_t errors;  // that were noted
    bool is_broken; // there is nothing more to read
} source;

// Open a text file; one that cannot be read is an error, and broken.
source bri_source_open(parse_context* in, const char* path);

// Read the next line into `text`; 0 at the end, and where a line is too long or not text.
int bri_source_next(source* from);

// Close it and free its memory.
void bri_source_close(source* from);

// Note an error in the line that was read last. The first breaks the source; after the second reading goes on, until
// there are too many errors.
#define bri_source_fail(from, ...) bri_source_note_up_to(from, 0, __VA_ARGS__)
#define bri_source_note(from, ...) bri_source_note_up_to(from, SOURCE_MAX_ERRORS, __VA_ARGS__)
enum { SOURCE_MAX_ERRORS = 20 };
void bri_source_note_up_to(source* from, size_t max_errors, const char* format, ...)
    BR_PRINTF(3, 4);

// The path of a file that is named in another: beside that one, else in the current folder.
char* bri_source_beside(parse_context* in, const char* file, const char* name);

// --- CSV ------------------------------------------------------------------------------------------

// Columns of a CSV file.
typedef struct csv {
    size_t rows;
    double** columns; // in the requested order; NULL for an optional one that is missing
} csv;

// Read columns of a CSV file with a header: the first `required` of `wanted` must be there, other columns are
// skipped. A column `t` must increase. A file with an error gives no rows.
csv bri_csv_read(parse_context* in, const char* path, names wanted, size_t required);

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

// Read all columns of a CSV file with a header. The first row decides which columns are of words: these may contain
// numbers, but no column of numbers may contain a word, and no value may be empty. A file with an error gives no rows.
csv_columns bri_csv_read_columns(parse_context* in, const char* path);

// Plain numbers.
typedef struct csv_grid {
    size_t rows, columns;
    double* values; // (rows x columns)
} csv_grid;

// Read numbers >= 0 without a header, every row as long as the first. A file with an error gives no rows.
csv_grid bri_csv_read_grid(parse_context* in, const char* path);

#endif
