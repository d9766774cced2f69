/*
 * Telling about a run.
 */
#ifndef CLI_SUMMARY_H
#define CLI_SUMMARY_H

#include "scenario.h"

// Where the table went, and what it cost.
void summary_print_text(const scenario* s, const result* got, const char* name, FILE* to);

// One JSON object.
void summary_print_json(const scenario* s, const result* got, FILE* to);

#endif
