/*
 * The inside of a sweep.
 */
#ifndef BRISTLE_SWEEP_SWEEP_INTERNAL_H
#define BRISTLE_SWEEP_SWEEP_INTERNAL_H

#include "bristle/sweep.h"
#include "scenario/kind.h"
#include "sweep/sobol_points.h"
#include "sweep/spec.h"
#include "sweep/want.h"

enum { MOST_AXES = 32 };

// A key that changes.
typedef struct sweep_value {
    const char* key;
    spec values;
    size_t axis;
    uint32_t (*directions)
        [SOBOL_BITS]; // of a drawn one by Sobol' points: for A, and for B; NULL elsewhere
} sweep_value;

struct br_sweep {
    reading in;
    const br_scenario* scenario;
    size_t shape[MOST_AXES];
    size_t axis_count;
    size_t case_count;
    bool has_samples;
    sweep_value* inputs; // varied ones, then drawn ones (input_count)
    br_sweep_column* input_columns;
    size_t input_count, drawn_count;
    want* wants; // (want_count)
    br_sweep_column* want_columns;
    size_t want_count;
    unsigned needs; // of some want: see bri_want_needs()
    size_t samples;
    br_sweep_sampling sampling;
    uint64_t seed;
    bool has_indices;
    const char* text;
};

// The unit of a key of the sweep's scenario, by the tables of keys; "" where it is not known.
const char* bri_sweep_key_unit(br_sweep* sweep, const char* key);

// Read case `index` with these inputs; see br_scenario_read_case().
br_status bri_sweep_read_case(const br_sweep* sweep, const double* inputs, br_override* room,
                              br_scenario** out);

#endif
