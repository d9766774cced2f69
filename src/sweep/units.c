/*
 * Units of keys, by the tables that scenarios are read by.
 */
#include <string.h>

#include "bristle/law.h"
#include "scenario/mappings.h"
#include "sweep/sweep_internal.h"

// The key of this name in any of these mappings, parameters of laws included; one without a name: none.
static map_key find_key(const mapping* const* maps, const char* name, size_t length)
{
    for (; maps && *maps; maps++) {
        for (size_t i = 0; i < (*maps)->count; i++) {
            const map_key* k = &(*maps)->keys[i];
            if (strlen(k->name) == length && strncmp(k->name, name, length) == 0) {
                return *k;
            }
        }
        for (size_t i = 0; (*maps)->has_law && br_law_get_parameter(i); i++) {
            const br_law_parameter* p = br_law_get_parameter(i);
            if (strlen(p->name) == length && strncmp(p->name, name, length) == 0) {
                return (map_key){.name = p->name, .unit = p->unit};
            }
        }
    }
    return (map_key){.name = NULL};
}

// The part of "m, m, rad" that is for entry `index` of a list.
static const char* unit_of_entry(br_sweep* sweep, const char* unit, const char* index)
{
    const names parts = bri_sweep_split(&sweep->in.memory, unit);
    size_t i = 0;
    for (const char* at = index + 1; *at >= '0' && *at <= '9' && i < 100; at++) {
        i = 10 * i + (size_t)(*at - '0');
    }
    for (size_t k = 0; k <= i; k++) {
        if (!parts[k]) {
            return unit;
        }
    }
    return parts[1] ? parts[i] : unit;
}

const char* bri_sweep_key_unit(br_sweep* sweep, const char* key)
{
    const scenario_kind* kind = sweep->scenario->kind;
    if (!kind) {
        return "";
    }
    const mapping* roots[] = {kind->keys, kind->also, NULL};
    const mapping* const* maps = roots;
    const mapping* const* profiles = NULL;
    const char* unit = "";
    for (const char* at = key; *at;) {
        const size_t length = strcspn(at, ".[");
        map_key k = find_key(profiles, at, length);
        k = k.name ? k : find_key(maps, at, length);
        if (!k.name) {
            return "";
        }
        const bool is_profile = k.kind == KEY_PROFILE || k.kind == KEY_PROFILES;
        unit = k.unit && *k.unit ? k.unit : unit;
        maps = k.maps;
        profiles = is_profile ? bri_keys_profiles : NULL;
        at += length;
        while (*at == '[') {
            unit = unit_of_entry(sweep, unit, at);
            at += strcspn(at, "]");
            at += *at == ']';
        }
        at += *at == '.';
    }
    return unit;
}
