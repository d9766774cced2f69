/*
 * `sweep` of a scenario: which keys change from case to case, and what each case gives.
 */
#ifndef BRISTLE_SCENARIO_READ_SWEEP_H
#define BRISTLE_SCENARIO_READ_SWEEP_H

#include "scenario/node.h"

// In the order of bri_sweep_samplings; 0: not said.
typedef enum sweep_sampling {
    SAMPLING_UNSAID,
    SAMPLING_RANDOM,
    SAMPLING_LATIN,
    SAMPLING_SOBOL
} sweep_sampling;
extern const char* const bri_sweep_samplings[]; // ended by NULL

enum { MOST_SAMPLES = 1000000000 };

// A key that changes; how is for who runs sweeps to read from the text.
typedef struct sweep_entry {
    const char* key;
    const char* spec; // "0.2:0.6:41", "[1, 2]"
} sweep_entry;

typedef struct sweep_entries {
    const sweep_entry* at; // (count)
    size_t count;
} sweep_entries;

typedef struct sweep_input {
    sweep_entries vary, zip, draw;
    const char* cases; // a file; NULL: none
    size_t samples;    // 0: not said
    sweep_sampling sampling;
    bool has_seed;
    size_t seed;
    bool indices;
    names want; // ended by NULL
} sweep_input;

// `sweep` of a file; NULL where it has none.
const sweep_input* bri_read_sweep(const node* root);

// The parts of "a, b(c, d)" between commas that stand in no brackets, ended by NULL.
names bri_sweep_split(pool* to, const char* text);

#endif
