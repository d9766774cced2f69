/*
 * What there is to know of a sweep besides its numbers: its columns and axes, the scenario, the version. Goes into
 * journals and, from there, into results.
 */
#ifndef PARTS_SWEEP_STORY_H
#define PARTS_SWEEP_STORY_H

#include <stdbool.h>
#include <stddef.h>

#include "bristle/sweep.h"

typedef struct sweep_story {
    const char* version;  // of bristle
    const char* name;     // of the scenario's file
    const char* scenario; // its text
    const char* set;      // what --set changed, a line each; ""
    const char* plan;     // br_sweep_get_text()
    const char* files;    // what other files the scenario has, a line each with a hash; ""
    const size_t* shape;  // (axis_count)
    size_t axis_count;
    size_t case_count;
    bool has_samples, has_indices;
    const br_sweep_column* columns; // inputs, then wants
    const size_t* axes;             // of the inputs
    size_t input_count, drawn_count, want_count;
} sweep_story;

// The story of a sweep; borrows from it.
sweep_story sweep_story_of(const br_sweep* sweep, const char* name, const char* scenario,
                           const char* set, const char* files, bool has_indices);

// As bytes for a journal, and back; NULL of the second: these bytes are none.
unsigned char* sweep_story_pack(const sweep_story* story, size_t* size);
const sweep_story* sweep_story_unpack(const unsigned char* bytes, size_t size);

#endif
