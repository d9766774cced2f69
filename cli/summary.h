/*
 * Summary of a run, as text or JSON.
 */
#ifndef CLI_SUMMARY_H
#define CLI_SUMMARY_H

#include <stdio.h>

#include "result.h"

// Print the table's file and the cost of the run as text; `kind`: kind of scenario.
void summary_print_text(const char* kind, const result* got, const char* name, FILE* to);

// Print the summary as one JSON object.
void summary_print_json(const char* kind, const result* got, FILE* to);

#endif
