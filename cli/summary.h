/*
 * What a run gave, and telling about it.
 */
#ifndef CLI_SUMMARY_H
#define CLI_SUMMARY_H

#include "scenario.h"
#include "table.h"

typedef struct result {
    table rows;
    br_rig_event* events;
    size_t event_count;
    size_t event_capacity;
    br_integrator_cost cost;
    double wall; // [s]
} result;

void result_add_event(result* to, br_rig_event event);

// One line: where the table went, and what it cost.
void summary_print_text(const scenario* s, const result* got, const char* name, FILE* to);

// One JSON object.
void summary_print_json(const scenario* s, const result* got, FILE* to);

#endif
