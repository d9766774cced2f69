/*
 * Published and reference numbers to compare with; they are built into the program.
 */
#ifndef STUDIES_REFERENCE_H
#define STUDIES_REFERENCE_H

#include <stddef.h>

// A CSV file with a header, as text; comments start with #.
typedef struct reference_file {
    const char* name; // "wk/surfaces": folder and file, without .csv
    const char* text;
} reference_file;

// The files of folders of test/golden, written by the build; ends with a row of zeros.
extern const reference_file reference_files[];

// A file, split into its fields.
typedef struct reference {
    size_t width;
    size_t rows;   // without the header
    char** fields; // header, then the rows (1 + rows) x width
} reference;

// Read a file by its name; it must exist.
reference reference_read(const char* name);

// Is there a file of this name?
int reference_exists(const char* name);

// A field as a number, or as text; the column must exist.
double reference_number(const reference* from, size_t row, const char* column);
const char* reference_text(const reference* from, size_t row, const char* column);

#endif
