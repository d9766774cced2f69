/*
 * What is wanted of each case: a value of its summary, an extreme of a column, an event, or a formula of these.
 */
#ifndef BRISTLE_SWEEP_WANT_H
#define BRISTLE_SWEEP_WANT_H

#include "bristle/scenario.h"
#include "scenario/reading.h"
#include "scenario/text.h"

typedef struct formula formula;

typedef enum want_kind {
    WANT_VALUE, // of the summary
    WANT_MIN,
    WANT_MAX,
    WANT_FIRST, // of events
    WANT_LAST,
    WANT_COUNT,
    WANT_FORMULA
} want_kind;

typedef struct want {
    const char* name; // as given, or of the formula
    want_kind kind;
    const char* subject; // the path, the column, or the kind of event
    size_t contact;      // that an event must be of, from 1; 0: any
    formula* formula;
} want;

// Read one; `keys` are the inputs that a formula may name. A mistake is one of "want".
want bri_want_read(reading* in, const char* text, names keys);

// What of a run somebody must look at for it, besides its ends and its events; sums of these.
typedef enum want_need { NEEDS_ROWS = 1, NEEDS_LOADS = 2 } want_need;

unsigned bri_want_needs(const want* w);

// Its value after a run with these inputs. NaN where it is not there; then `missing` gets its name, unless it is an
// event that may yet come.
double bri_want_eval(const want* w, const br_table* table, const double* inputs,
                     const char** missing);

// Its unit, as far as that is known; "" elsewhere.
const char* bri_want_unit(const want* w, const br_scenario* scenario);

#endif
