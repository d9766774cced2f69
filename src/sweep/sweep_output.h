/*
 * Outputs of each case: a summary value, an extreme of a column, an event, or a formula of these.
 */
#ifndef BRISTLE_SWEEP_OUTPUT_H
#define BRISTLE_SWEEP_OUTPUT_H

#include "bristle/scenario.h"
#include "scenario/parse_context.h"
#include "scenario/text.h"

typedef struct formula formula;

typedef enum sweep_output_kind {
    OUTPUT_VALUE, // of the summary
    OUTPUT_MIN,
    OUTPUT_MAX,
    OUTPUT_FIRST, // of events
    OUTPUT_LAST,
    OUTPUT_COUNT,
    OUTPUT_FORMULA
} sweep_output_kind;

typedef struct sweep_output {
    const char* name; // as given, or the name of the formula
    sweep_output_kind kind;
    const char* subject; // the path, the column, or the kind of event
    size_t contact;      // contact of an event, from 1; 0: any
    formula* formula;
} sweep_output;

// Read one; `keys` are the inputs that a formula may name. Errors are reported for "want".
sweep_output bri_sweep_output_read(parse_context* in, const char* text, names keys);

// Data of a run that an output needs besides its end and its events; flags.
typedef enum sweep_output_need { NEEDS_ROWS = 1, NEEDS_LOADS = 2 } sweep_output_need;

unsigned bri_sweep_output_needs(const sweep_output* w);

// Its value after a run with these inputs. NaN if it does not exist; then `missing` gets its name,
// unless it is an event that did not happen.
double bri_sweep_output_eval(const sweep_output* w, const br_table* table, const double* inputs,
                             const char** missing);

// Its unit if known; else "".
const char* bri_sweep_output_unit(const sweep_output* w, const br_scenario* scenario);

#endif
