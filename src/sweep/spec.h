/*
 * The values of a key: "0.2:0.6:41", "log:0.1:1:11", "[1, 2, 5]", "normal:0.4:0.05".
 */
#ifndef BRISTLE_SWEEP_SPEC_H
#define BRISTLE_SWEEP_SPEC_H

#include "scenario/parse_context.h"
#include "scenario/text.h"

typedef enum spec_kind {
    SPEC_LINEAR,
    SPEC_LOG,
    SPEC_LIST,
    SPEC_UNIFORM,
    SPEC_LOG_UNIFORM,
    SPEC_NORMAL,
    SPEC_LOG_NORMAL
} spec_kind;

typedef struct spec {
    spec_kind kind;
    double a, b;          // ends; or mean or median, and spread
    size_t count;         // of values; 0: drawn from a distribution
    const double* values; // of a list of numbers (count)
    names words;          // of a list of words, ended by NULL; values are indices in it
} spec;

// Read a spec; errors are reported for `what`, e.g. "vary friction.mu". Numbers with a unit are
// converted to `unit`, the key's.
spec bri_spec_read(parse_context* in, const char* what, const char* unit, const char* text,
                   bool is_drawn);

// Value `index` < count.
double bri_spec_value(const spec* s, size_t index);

// The quantile of its distribution at u in (0, 1).
double bri_spec_draw(const spec* s, double u);

#endif
