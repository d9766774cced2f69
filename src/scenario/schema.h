/*
 * What the tables of keys say, for people and for editors.
 */
#ifndef BRISTLE_SCENARIO_SCHEMA_H
#define BRISTLE_SCENARIO_SCHEMA_H

#include "scenario/kind.h"
#include "scenario/writer.h"

// Mappings that have been met, in the order in which they were.
enum { MOST_MAPPINGS = 128 };
typedef struct mapping_list {
    const mapping* at[MOST_MAPPINGS];
    size_t count;
} mapping_list;

// Add one; false: it is there already.
bool bri_mapping_list_add(mapping_list* to, const mapping* one);

// The JSON Schema of scenario files.
void bri_schema_write(writer* to);

// The keys of a kind of scenario, a line each; what `told` has is named alone. Profiles are told with
// bri_help_write_profiles().
void bri_help_write_kind(writer* to, const scenario_kind* kind, mapping_list* told);
void bri_help_write_profiles(writer* to, mapping_list* told);

#endif
