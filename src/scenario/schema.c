/*
 * The JSON Schema (draft 7) of scenario files, from the tables of keys.
 *
 * Every mapping is a definition; a file is one of the kinds of scenarios. What depends on more than one key, such
 * as which parameters a law needs, a schema does not say; the reader does.
 */
#include "scenario/schema.h"

#include <ctype.h>
#include <string.h>

#include "scenario/mappings.h"

bool bri_mapping_list_add(mapping_list* to, const mapping* one)
{
    for (size_t i = 0; i < to->count; i++) {
        if (to->at[i] == one) {
            return false;
        }
    }
    if (to->count < MOST_MAPPINGS) {
        to->at[to->count++] = one;
    }
    return true;
}

static void write_text(writer* to, const char* text)
{
    bri_write(to, "\"");
    for (; *text; text++) {
        bri_write(to, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    }
    bri_write(to, "\"");
}

// A name that may stand in a reference.
static void write_name(writer* to, const mapping* m)
{
    for (const char* c = m->name; *c; c++) {
        bri_write(to, "%c", isalnum((unsigned char)*c) ? *c : '-');
    }
}

static void write_reference(writer* to, const mapping* m)
{
    bri_write(to, "{\"$ref\": \"#/definitions/");
    write_name(to, m);
    bri_write(to, "\"}");
}

static void write_number(writer* to, range allowed, const char* type)
{
    bri_write(to, "{\"type\": \"%s\"", type);
    if (!isinf(allowed.low)) {
        bri_write(to, ", \"%s\": %.15g", allowed.low_open ? "exclusiveMinimum" : "minimum",
                  allowed.low);
    }
    if (!isinf(allowed.high)) {
        bri_write(to, ", \"%s\": %.15g", allowed.high_open ? "exclusiveMaximum" : "maximum",
                  allowed.high);
    }
    bri_write(to, "}");
}

static void write_words(writer* to, names words)
{
    bri_write(to, "{\"enum\": [");
    for (size_t i = 0; words[i]; i++) {
        bri_write(to, "%s", i ? ", " : "");
        write_text(to, words[i]);
    }
    bri_write(to, "]}");
}

// A list of `count` (0: of one or more) of what `items` writes.
static void write_list(writer* to, const map_key* k, size_t count,
                       void (*items)(writer* to, const map_key* k))
{
    bri_write(to, "{\"type\": \"array\", \"minItems\": %zu, ", count ? count : 1);
    if (count) {
        bri_write(to, "\"maxItems\": %zu, ", count);
    }
    bri_write(to, "\"items\": ");
    items(to, k);
    bri_write(to, "}");
}

static void write_plain_number(writer* to, const map_key* k)
{
    write_number(to, k->allowed, "number");
}

static void write_row(writer* to, const map_key* k)
{
    write_list(to, k, k->count, write_plain_number);
}

static void write_maps(writer* to, const mapping* const* maps)
{
    for (size_t i = 0; maps && maps[i]; i++) {
        bri_write(to, "%s", i ? ", " : "");
        write_reference(to, maps[i]);
    }
}

static void write_profile(writer* to, const map_key* k)
{
    bri_write(to, "{\"anyOf\": [");
    write_plain_number(to, k);
    bri_write(to, ", ");
    write_maps(to, bri_keys_profiles);
    bri_write(to, "]}");
}

static void write_one_map(writer* to, const map_key* k)
{
    bri_write(to, "{\"anyOf\": [");
    write_maps(to, k->maps);
    bri_write(to, "]}");
}

// What a value is, but for the mappings and words that it may be besides.
static void write_kind(writer* to, const map_key* k)
{
    switch (k->kind) {
    case KEY_NUMBER:
        write_plain_number(to, k);
        break;
    case KEY_COUNT:
        write_number(to, k->allowed, "integer");
        break;
    case KEY_FLAG:
        bri_write(to, "{\"type\": \"boolean\"}");
        break;
    case KEY_WORD:
        write_words(to, k->words);
        break;
    case KEY_TEXT:
    case KEY_FILE:
        bri_write(to, "{\"type\": \"string\"}");
        break;
    case KEY_NUMBERS:
        write_list(to, k, k->count, write_plain_number);
        break;
    case KEY_ROWS:
        write_list(to, k, 0, write_row);
        break;
    case KEY_PROFILE:
        write_profile(to, k);
        break;
    case KEY_PROFILES:
        write_list(to, k, k->count, write_profile);
        break;
    case KEY_MAP:
        write_one_map(to, k);
        break;
    case KEY_MAPS:
        write_list(to, k, 0, write_one_map);
        break;
    case KEY_TEXTS:
        bri_write(to, "{\"type\": [\"string\", \"array\"], \"items\": {\"type\": \"string\"}}");
        break;
    case KEY_KEYS:
        bri_write(to, "{\"type\": \"object\"}");
        break;
    case KEY_MAP_EACH:
        bri_write(to, "{\"anyOf\": [");
        write_one_map(to, k);
        bri_write(to, ", ");
        write_list(to, k, 0, write_one_map);
        bri_write(to, "]}");
        break;
    }
}

static bool is_map(const map_key* k)
{
    return k->kind == KEY_MAP || k->kind == KEY_MAPS || k->kind == KEY_MAP_EACH;
}

static void write_value(writer* to, const map_key* k)
{
    bri_write(to, "\"anyOf\": [");
    write_kind(to, k);
    if (k->words && k->kind != KEY_WORD) {
        bri_write(to, ", ");
        write_words(to, k->words);
    }
    if (k->maps && !is_map(k)) {
        bri_write(to, ", ");
        write_maps(to, k->maps);
    }
    bri_write(to, "]");
}

static void write_key(writer* to, const map_key* k)
{
    bri_write(to, "        ");
    write_text(to, k->name);
    bri_write(to, ": {\"description\": ");
    write_text(to, *k->unit ? bri_pool_format(to->memory, "%s [%s]", k->help, k->unit) : k->help);
    bri_write(to, ", ");
    write_value(to, k);
    bri_write(to, "}");
}

static void write_required(writer* to, const mapping* m)
{
    const char* before = "";
    bri_write(to, "      \"required\": [");
    for (size_t i = 0; i < m->count; i++) {
        if (m->keys[i].otherwise == bri_required) {
            bri_write(to, "%s", before);
            write_text(to, m->keys[i].name);
            before = ", ";
        }
    }
    bri_write(to, "],\n");
}

static void write_definition(writer* to, const mapping* m)
{
    bri_write(to, "    \"");
    write_name(to, m);
    bri_write(to, "\": {\n      \"type\": \"object\",\n      \"additionalProperties\": false,\n");
    write_required(to, m);
    bri_write(to, "      \"properties\": {\n");
    for (size_t i = 0; i < bri_keys_count(m); i++) {
        const map_key k = bri_keys_get(m, i, to->memory);
        bri_write(to, "%s", i ? ",\n" : "");
        write_key(to, &k);
    }
    bri_write(to, "\n      }\n    }");
}

// All mappings below this one.
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

void bri_schema_write(writer* to)
{
    mapping_list all = {.count = 0};
    bri_write(to, "{\n  \"$schema\": \"http://json-schema.org/draft-07/schema#\",\n"
                  "  \"title\": \"a scenario of bristle\",\n  \"anyOf\": [");
    for (size_t i = 0; bri_scenario_kinds[i]; i++) {
        const mapping* roots[] = {bri_scenario_kinds[i]->keys, bri_scenario_kinds[i]->also, NULL};
        bri_write(to, "%s", i ? ", " : "");
        write_maps(to, roots);
        gather(&all, roots[0]);
        gather(&all, roots[1]);
    }
    bri_write(to, "],\n  \"definitions\": {\n");
    for (size_t i = 0; i < all.count; i++) {
        bri_write(to, "%s", i ? ",\n" : "");
        write_definition(to, all.at[i]);
    }
    bri_write(to, "\n  }\n}\n");
}

static void write_schema(void* text)
{
    bri_schema_write(text);
}

br_status br_scenario_create_schema(char** out)
{
    *out = NULL;
    escape way_out;
    pool memory = {.no_memory = bri_escape_leave, .user = &way_out};
    writer text = {.memory = &memory};
    if (bri_escape_run(&way_out, write_schema, &text)) {
        *out = br_allocate(text.length + 1, 1);
    }
    if (*out) {
        memcpy(*out, text.text, text.length);
    }
    bri_pool_clear(&memory);
    return *out ? BR_OK : BR_ERR_MEMORY;
}
