/// @file csv.h
/// Reads columns of CSV files, such as measurements: a header line, then numbers. Blank lines and lines that
/// start with # are skipped.
///
///     static const char* const wanted[] = {"t", "v", "f", NULL};
///     br_csv* file;
///     if (br_csv_read("sweep.csv", wanted, 3, &file) == BR_OK) { const double* v = br_csv_get_column(file, 1); ... }
///     br_csv_destroy(file);
///
/// In libbristle-scenario.
#ifndef BRISTLE_CSV_H
#define BRISTLE_CSV_H

#include "bristle/scenario.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A CSV file that has been read. Immutable.
typedef struct br_csv br_csv;

/// Read columns of a CSV file. A column `t` must increase; columns not in `wanted` are skipped.
/// @param path      path of the file
/// @param wanted    names of columns, terminated by NULL
/// @param required  number of names at the start of `wanted` that must be in the file
/// @param[out] out  the file, NULL only for BR_ERR_MEMORY: a file with errors has no rows, and
///                  br_csv_get_error() reports them; free it with br_csv_destroy()
/// @return BR_OK, BR_ERR_DEF (see br_csv_get_error()) or BR_ERR_MEMORY
BR_API br_status br_csv_read(const char* path, const char* const* wanted, size_t required,
                             br_csv** out);

/// Number of errors; 0 after BR_OK.
BR_API size_t br_csv_get_error_count(const br_csv* file);

/// An error, in the order of the lines; owned by `file`. `index` < br_csv_get_error_count().
BR_API const br_scenario_error* br_csv_get_error(const br_csv* file, size_t index);

/// Number of rows; 0 if there are errors.
BR_API size_t br_csv_get_row_count(const br_csv* file);

/// Numbers of a column (row_count), owned by `file`. `index`: position in `wanted`; NULL: not in the file.
BR_API const double* br_csv_get_column(const br_csv* file, size_t index);

/// Free a file; NULL is allowed.
BR_API void br_csv_destroy(br_csv* file);

#ifdef __cplusplus
}
#endif

#endif
