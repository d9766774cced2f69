/*
 * Files that the command reads: all mistakes are told, then they end the command.
 */
#ifndef PARTS_INPUT_H
#define PARTS_INPUT_H

#include <stdbool.h>
#include <sys/stat.h>

#include "bristle/scenario.h"
#include "options.h"
#include "scenario/csv.h"
#include "scenario/node.h"

// A reading of its own for a file, freed when the command ends.
reading* input_create(const char* file);

// Tell the warnings and mistakes of a reading. Has it mistakes?
bool input_tell(const reading* in);

// The same; mistakes end the command.
void input_check(const reading* in);

// Read a YAML file with what --set changes; mistakes so far end the command, those of who reads the tree are
// to be checked for.
node* input_yaml(const char* file, const options* o);

// Read columns of a CSV file, see bri_csv_read(); mistakes end the command.
csv input_csv(const char* path, names wanted, size_t required);

// Read a scenario; mistakes end the command.
br_scenario* input_scenario(const options* o);

// The same, but mistakes are left to be told by input_check(&scenario->in).
br_scenario* input_scenario_unchecked(const options* o);

// Is the file with this status one that has been read?
bool input_is_open(const struct stat* status);

#endif
