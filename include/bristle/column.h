/// @file column.h
/// Columns: name and unit of the numbers in a row, for runs (run.h) and tables (scenario.h).
///
///     static size_t x;                                              // position of a column
///     static void start(const br_column* columns, size_t count, void* user) { x = br_column_find(columns, count, "x"); }
///     static void row(const double* row, void* user) { printf("%g %g\n", row[0], row[x]); }
#ifndef BRISTLE_COLUMN_H
#define BRISTLE_COLUMN_H

#include "bristle/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Size of the buffer for a name, terminating 0 included.
#define BR_COLUMN_NAME 24

/// A column of a row or of a table.
typedef struct br_column {
    /// name, "fx"; with several contacts or coordinates "fx1", "fx2", ...
    char name[BR_COLUMN_NAME];
    const char* unit; ///< unit, "N"; "-" for pure numbers; static
    /// NULL-terminated list: the column's numbers are indices into it, from 0; NULL: plain numbers
    const char* const* words;
} br_column;

/// Sets of columns. br_run_def.columns is a sum of these; a run leaves out columns that it does not have.
typedef enum br_column_set {
    BR_COLUMNS_MAIN = 1,      ///< time, motion, forces; required; t is the first
    BR_COLUMNS_ENERGY = 2,    ///< energies and works of bodies and mechanisms
    BR_COLUMNS_COP = 4,       ///< torque of a body's contacts at their centres of pressure
    BR_COLUMNS_SLIP = 8,      ///< state, slip rate and load of contacts
    BR_COLUMNS_PUSHER = 16,   ///< force of a body's pusher
    BR_COLUMNS_MORE = 32,     ///< further columns, see the get_columns function of each run
    BR_COLUMNS_CENTRES = 64,  ///< centres of pressure and of friction of a body's contacts
    BR_COLUMNS_ALL = 127,     ///< all of the above
    BR_COLUMNS_WORLD = 128,   ///< bodies: fx and fy of contacts in world axes, not in the contact's
    BR_COLUMNS_BRISTLES = 256 ///< bodies: the state of all bristles, not in BR_COLUMNS_ALL
} br_column_set;

/// Position of a column by its name; `count` if there is none. Never fails.
BR_API size_t br_column_find(const br_column* columns, size_t count, const char* name);

/// Position of a column of one of several contacts or coordinates: "fx2" for "fx" and 2; for number 1 also "fx", its
/// name if there is only one. `count` if there is none. Never fails.
/// @param number  from 1
BR_API size_t br_column_find_numbered(const br_column* columns, size_t count, const char* name,
                                      size_t number);

#ifdef __cplusplus
}
#endif

#endif
