/*
 * The JSON Schema (draft 7) of scenario files, from the tables of keys.
 *
 * Every mapping is a definition; a file is one of the kinds of scenarios. Rules that depend on more than one key, such
 * as which parameters a law needs, are not in the schema; the reader checks them.
 */
#include <ctype.h>
#include <string.h>

#include "scenario/mappings.h"

// The functions below return JSON text in this memory.
typedef pool* json;

static const char* quote(json to, const char* text)
{
    writer out = {.memory = to};
    bri_write(&out, "\"");
    for (; *text; text++) {
        bri_write(&out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    }
    bri_write(&out, "\"");
    return out.text;
}

// "a, b", or the other where one is empty.
static const char* join(json to, const char* a, const char* b)
{
    return *a && *b ? bri_pool_format(to, "%s, %s", a, b) : *a ? a : b;
}

static const char* any_of(json to, const char* a, const char* b)
{
    return bri_pool_format(to, "{\"anyOf\": [%s]}", join(to, a, b));
}

// The name of a definition, without characters that a reference must not have.
static const char* name_of(json to, const mapping* m)
{
    char* name = bri_pool_text(to, m->name, strlen(m->name));
    for (char* c = name; *c; c++) {
        *c = (char)(isalnum((unsigned char)*c) ? *c : '-');
    }
    return name;
}

static const char* references(json to, const mapping* const* maps)
{
    const char* list = "";
    for (; maps && *maps; maps++) {
        list = join(to, list,
                    bri_pool_format(to, "{\"$ref\": \"#/definitions/%s\"}", name_of(to, *maps)));
    }
    return list;
}

static const char* number(json to, range allowed, const char* type)
{
    const char *low = "", *high = "";
    if (!isinf(allowed.low)) {
        low = bri_pool_format(to, ", \"%s\": %.15g",
                              allowed.low_open ? "exclusiveMinimum" : "minimum", allowed.low);
    }
    if (!isinf(allowed.high)) {
        high = bri_pool_format(to, ", \"%s\": %.15g",
                               allowed.high_open ? "exclusiveMaximum" : "maximum", allowed.high);
    }
    return bri_pool_format(to, "{\"type\": \"%s\"%s%s}", type, low, high);
}

static const char* words_of(json to, names words)
{
    const char* list = "";
    for (; *words; words++) {
        list = join(to, list, quote(to, *words));
    }
    return bri_pool_format(to, "{\"enum\": [%s]}", list);
}

// A list of `count` (0: of one or more) items.
static const char* list_of(json to, size_t count, const char* items)
{
    const char* most = count ? bri_pool_format(to, "\"maxItems\": %zu, ", count) : "";
    return bri_pool_format(to, "{\"type\": \"array\", \"minItems\": %zu, %s\"items\": %s}",
                           count ? count : 1, most, items);
}

// "12 mm": a number with one of the units of a list, as a regular expression in which blanks may be left out; where the
// key has no unit of its own, as in profiles, with any.
static const char* quantity(json to, const char* units)
{
    writer out = {.memory = to};
    bri_write(&out, "%s", *units ? "" : "[A-Za-z1][A-Za-z0-9 */^]*");
    for (const char* c = units; *c; c++) {
        const bool is_end = *c == ',';
        bri_write(&out, *c == ' ' ? "%c*" : *c == '^' ? "\\\\%c" : "%c", is_end ? '|' : *c);
        c += is_end && c[1] == ' ';
    }
    return bri_pool_format(to, "{\"type\": \"string\", \"pattern\": \"^[-+.0-9eE]+ *(%s)$\"}",
                           out.text);
}

// A number, alone or with a unit where the key accepts any.
static const char* plain_number(json to, const map_key* k, const char* unit)
{
    const char* units = bri_quantity_list(to, unit);
    const char* plain = number(to, k->allowed, "number");
    return *units || bri_quantity_follows(unit) ? any_of(to, plain, quantity(to, units)) : plain;
}

// The entries of a list, with the unit of each.
static const char* numbers(json to, const map_key* k)
{
    const char* list = "";
    if (!strchr(k->unit, ',')) {
        return list_of(to, k->count, plain_number(to, k, k->unit));
    }
    for (size_t i = 0; i < k->count; i++) {
        list = join(to, list, plain_number(to, k, bri_quantity_entry(to, k->unit, i)));
    }
    return list_of(to, k->count, bri_pool_format(to, "[%s]", list));
}

static const char* profile(json to, const map_key* k)
{
    const char* own = k->kind == KEY_PROFILES ? references(to, k->maps) : "";
    return any_of(to, plain_number(to, k, k->unit),
                  join(to, references(to, bri_keys_profiles), own));
}

// The value of a key, except for the mappings and words that it may be as well.
static const char* value_of(json to, const map_key* k)
{
    const char* map = any_of(to, references(to, k->maps), "");
    switch (k->kind) {
    case KEY_NUMBER:
        return plain_number(to, k, k->unit);
    case KEY_COUNT:
        return number(to, k->allowed, "integer");
    case KEY_FLAG:
        return "{\"type\": \"boolean\"}";
    case KEY_WORD:
        return words_of(to, k->words);
    case KEY_NUMBERS:
        return numbers(to, k);
    case KEY_ROWS:
        return list_of(to, 0, numbers(to, k));
    case KEY_PROFILE:
        return profile(to, k);
    case KEY_PROFILES:
        return list_of(to, k->count, profile(to, k));
    case KEY_MAP:
    case KEY_PATCH:
        return map;
    case KEY_MAPS:
        return list_of(to, 0, map);
    case KEY_MAP_EACH:
        return any_of(to, map, list_of(to, 0, map));
    case KEY_TEXTS:
        return "{\"type\": [\"string\", \"array\"], \"items\": {\"type\": \"string\"}}";
    case KEY_KEYS:
        return "{\"type\": \"object\"}";
    default:
        return "{\"type\": \"string\"}";
    }
}

static const char* key(json to, const map_key* k)
{
    const bool is_map = bri_key_is_map(k) || k->kind == KEY_PROFILES;
    const char* help = *k->unit ? bri_pool_format(to, "%s [%s]", k->help, k->unit) : k->help;
    const char* value =
        join(to, value_of(to, k), k->words && k->kind != KEY_WORD ? words_of(to, k->words) : "");
    return bri_pool_format(to, "        %s: {\"description\": %s, \"anyOf\": [%s]}",
                           quote(to, k->name), quote(to, help),
                           join(to, value, is_map ? "" : references(to, k->maps)));
}

static void write_definition(writer* to, const mapping* m)
{
    const char* required = "";
    for (size_t i = 0; i < m->count; i++) {
        if (m->keys[i].default_value == bri_required) {
            required = join(to->memory, required, quote(to->memory, m->keys[i].name));
        }
    }
    bri_write(to,
              "    \"%s\": {\n      \"type\": \"object\",\n      \"additionalProperties\": false,\n"
              "      \"required\": [%s],\n      \"properties\": {\n",
              name_of(to->memory, m), required);
    for (size_t i = 0; i < bri_keys_count(m); i++) {
        const map_key k = bri_keys_get(m, i, to->memory);
        bri_write(to, "%s%s", i ? ",\n" : "", key(to->memory, &k));
    }
    bri_write(to, "\n      }\n    }");
}

// Add a mapping and all below it.
static void gather(mapping_list* all, const mapping* m)
{
    if (!m || !bri_mapping_list_add(all, m)) {
        return;
    }
    for (size_t i = 0; i < m->count; i++) {
        const map_key* k = &m->keys[i];
        const bool has_profile = k->kind == KEY_PROFILE || k->kind == KEY_PROFILES;
        for (size_t n = 0; has_profile && bri_keys_profiles[n]; n++) {
            gather(all, bri_keys_profiles[n]);
        }
        for (size_t n = 0; k->maps && k->maps[n]; n++) {
            gather(all, k->maps[n]);
        }
    }
}

static void write_schema(writer* to, const void* user)
{
    (void)user;
    mapping_list all = {.count = 0};
    const char* kinds = "";
    for (size_t i = 0; bri_scenario_kinds[i]; i++) {
        const mapping* roots[] = {bri_scenario_kinds[i]->keys, bri_scenario_kinds[i]->also, NULL};
        kinds = join(to->memory, kinds, references(to->memory, roots));
        gather(&all, roots[0]);
        gather(&all, roots[1]);
    }
    bri_write(to,
              "{\n  \"$schema\": \"http://json-schema.org/draft-07/schema#\",\n"
              "  \"title\": \"a scenario of bristle\",\n  \"anyOf\": [%s],\n  \"definitions\": {\n",
              kinds);
    for (size_t i = 0; i < all.count; i++) {
        bri_write(to, "%s", i ? ",\n" : "");
        write_definition(to, all.at[i]);
    }
    bri_write(to, "\n  }\n}\n");
}

br_status br_scenario_create_schema(char** out)
{
    *out = bri_write_text(write_schema, NULL);
    return *out ? BR_OK : BR_ERR_MEMORY;
}
