/*
 * The values that a key takes: "0.2:0.6:41", "log:0.1:1:11", "[1, 2, 5]", "normal:0.4:0.05".
 */
#ifndef BRISTLE_SWEEP_SPEC_H
#define BRISTLE_SWEEP_SPEC_H

#include "scenario/reading.h"
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
    names words;          // of a list of words, ended by NULL; values are places in it
} spec;

// Read it; a mistake is one of `what`, "vary friction.mu".
spec bri_spec_read(reading* in, const char* what, const char* text, bool is_drawn);

// Value `index` < count.
double bri_spec_value(const spec* s, size_t index);

// The value at the share u in (0, 1) of its distribution.
double bri_spec_draw(const spec* s, double u);

#endif
