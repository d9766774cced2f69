/*
 * Telling about a run.
 */
#ifndef CLI_SUMMARY_H
#define CLI_SUMMARY_H

#include <stdio.h>

#include "result.h"

// Where the table went, and what it cost; `kind` is that of the scenario.
void summary_print_text(const char* kind, const result* got, const char* name, FILE* to);

// One JSON object.
void summary_print_json(const char* kind, const result* got, FILE* to);

#endif
