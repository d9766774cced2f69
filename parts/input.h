/*
 * Files that the command reads: all errors are reported, then they end the command.
 */
#ifndef PARTS_INPUT_H
#define PARTS_INPUT_H

#include <stdbool.h>

#include "bristle/csv.h"
#include "bristle/scenario.h"
#include "options.h"
#include "system.h"

// Report the warnings and errors of a file. Returns true if there are errors.
bool input_report(const br_scenario* s);

// The same; errors end the command.
void input_check(const br_scenario* s);

// The position of a key's value in its file, as the start of a message.
const char* input_place(const br_scenario* s, const char* key);

// Read a scenario; errors end the command.
br_scenario* input_scenario(const options* o);

// The same, but errors are left to be reported by input_check().
br_scenario* input_scenario_unchecked(const options* o);

// The same for a file with a patch, a constrained system, or any kind.
br_scenario* input_model_unchecked(const char* file, br_model_kind kind, const options* o);

// The same; errors end the command.
br_scenario* input_model(const char* file, br_model_kind kind, const options* o);

// The patch of a file of BR_MODEL_PATCH for a command that needs isotropic friction; else the command ends.
const br_patch* input_isotropic_patch(const br_scenario* file);

// The whole text of a file, 0-terminated; an error ends the command. "" for a pipe that was read before.
char* input_text(const char* path, size_t* size);

// Columns of a CSV file.
typedef struct csv {
    size_t rows;
    const double** columns; // in the order of `wanted`; NULL for an optional one that is missing
} csv;

// Read columns of a CSV file, see br_csv_read(); errors end the command.
csv input_csv(const char* path, names wanted, size_t required);

// Note a file that is read by other means, so that it is not overwritten.
void input_remember(const char* path);

// The paths of the files read so far (count).
names input_get_files(size_t* count);

// Has the file with this status been read?
bool input_is_open(const system_file* status);

#endif
