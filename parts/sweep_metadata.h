/*
 * Metadata of a sweep: columns and axes, the scenario, the version. Stored in journals and copied from there into
 * results.
 */
#ifndef PARTS_SWEEP_METADATA_H
#define PARTS_SWEEP_METADATA_H

#include <stdbool.h>
#include <stddef.h>

#include "bristle/sweep.h"

typedef struct sweep_metadata {
    const char* version;  // of bristle
    const char* name;     // of the scenario's file
    const char* scenario; // its text
    const char* set;      // the values of --set, one line each; "": none
    const char* plan;     // br_sweep_get_text()
    const char* files;    // other files of the scenario, one line each with a checksum; "": none
    const size_t* shape;  // (axis_count)
    size_t axis_count;
    size_t case_count;
    bool has_samples, has_indices;
    const br_sweep_column* columns; // inputs, then outputs
    const size_t* axes;             // of the inputs
    size_t input_count, drawn_count, output_count;
} sweep_metadata;

// The metadata of a sweep; borrows from it.
sweep_metadata sweep_metadata_of(const br_sweep* sweep, const char* name, const char* scenario,
                                 const char* set, const char* files);

// Convert to bytes for a journal, and back; unpack returns NULL if the bytes are invalid.
unsigned char* sweep_metadata_pack(const sweep_metadata* metadata, size_t* size);
const sweep_metadata* sweep_metadata_unpack(const unsigned char* bytes, size_t size);

#endif
