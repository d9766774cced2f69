/*
 * Internal structures of a sweep.
 */
#ifndef BRISTLE_SWEEP_SWEEP_INTERNAL_H
#define BRISTLE_SWEEP_SWEEP_INTERNAL_H

#include "bristle/sweep.h"
#include "scenario/kind.h"
#include "sweep/sobol_points.h"
#include "sweep/spec.h"
#include "sweep/sweep_output.h"

enum { MAX_AXES = 32 };

// A key whose value changes from case to case.
typedef struct sweep_value {
    const char* key;
    spec values;
    size_t axis;
    uint32_t (*directions)
        [SOBOL_BITS]; // of an input drawn by Sobol' points: for A, and for B; NULL elsewhere
} sweep_value;

struct br_sweep {
    parse_context in;
    const br_scenario* scenario;
    size_t shape[MAX_AXES];
    size_t axis_count;
    size_t case_count;
    bool has_samples;
    sweep_value* inputs; // varied ones, then drawn ones (input_count)
    br_sweep_column* input_columns;
    size_t input_count, drawn_count;
    sweep_output* outputs; // (output_count)
    br_sweep_column* output_columns;
    size_t output_count;
    unsigned needs; // of all outputs: see bri_sweep_output_needs()
    size_t samples;
    br_sweep_sampling sampling;
    uint64_t seed;
    bool has_indices;
    const char* text;
};

// The unit of a key of the sweep's scenario, from the tables of keys; "" if unknown.
const char* bri_sweep_key_unit(br_sweep* sweep, const char* key);
const char* bri_key_unit(pool* memory, const scenario_kind* kind, const char* key);

// Read case `index` with these inputs; see br_scenario_read_case().
br_status bri_sweep_read_case(const br_sweep* sweep, const double* inputs, br_override* overrides,
                              br_scenario** out);

#endif
