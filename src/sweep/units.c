/*
 * Units of keys, from the tables that scenarios are read by.
 */
#include <stdlib.h>
#include <string.h>

#include "scenario/keys.h"
#include "scenario/mappings.h"
#include "sweep/sweep_internal.h"

// The key of this name in any of these mappings; a key without a name: not found.
static map_key find_key(const mapping* const* maps, const char* name, size_t length, pool* memory)
{
    map_key found = {.name = NULL};
    for (; maps && *maps && !found.name; maps++) {
        found = bri_keys_find(*maps, name, length, memory);
    }
    return found;
}

const char* bri_sweep_key_unit(br_sweep* sweep, const char* key)
{
    return bri_key_unit(&sweep->in.memory, sweep->scenario->kind, key);
}

const char* bri_key_unit(pool* memory, const scenario_kind* kind, const char* key)
{
    if (!kind) {
        return "";
    }
    const mapping* roots[] = {kind->keys, kind->also, NULL};
    const mapping* const* maps = roots;
    const mapping* const* profiles = NULL;
    const char* unit = "";
    for (const char* at = key; *at;) {
        const size_t length = strcspn(at, ".[");
        map_key k = find_key(profiles, at, length, memory);
        k = k.name ? k : find_key(maps, at, length, memory);
        if (!k.name) {
            return "";
        }
        const bool is_profile = k.kind == KEY_PROFILE || k.kind == KEY_PROFILES;
        unit = bri_quantity_unit(memory, &k, unit);
        maps = k.maps;
        profiles = is_profile ? bri_keys_profiles : NULL;
        at += length;
        const char* entry = NULL; // for rows the last index decides
        while (*at == '[') {
            entry = at + 1;
            at += strcspn(at, "]");
            at += *at == ']';
        }
        unit = entry ? bri_quantity_entry(memory, unit, strtoul(entry, NULL, 10)) : unit;
        at += *at == '.';
    }
    return unit;
}
