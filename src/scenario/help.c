/*
 * The keys of scenario files in words, from their tables: a line each, with unit, range and default.
 */
#include <string.h>

#include "scenario/mappings.h"
#include "scenario/schema.h"

enum { WIDTH = 100, DEEPER = 2 };

// Words of a text from column `at` on, the following lines indented.
static void write_wrapped(writer* to, const char* text, size_t at, size_t indent)
{
    while (*text) {
        const size_t length = strcspn(text, " ");
        if (at + 1 + length > WIDTH) {
            bri_write(to, "\n%*s", (int)indent, "");
            at = indent;
        } else {
            bri_write(to, " ");
            at++;
        }
        bri_write(to, "%.*s", (int)length, text);
        at += length;
        text += length + strspn(text + length, " ");
    }
    bri_write(to, "\n");
}

// "> 0", "in [0, 1)"; "" for any number
static const char* describe_range(pool* memory, range r)
{
    if (isinf(r.low)) {
        return "";
    }
    if (isinf(r.high)) {
        return bri_pool_format(memory, " %s %.15g", r.low_open ? ">" : ">=", r.low);
    }
    return bri_pool_format(memory, " in %c%.15g, %.15g%c", r.low_open ? '(' : '[', r.low, r.high,
                           r.high_open ? ')' : ']');
}

static const char* join_words(pool* memory, names words)
{
    const char* joined = words[0];
    for (size_t i = 1; words[i]; i++) {
        joined = bri_pool_format(memory, "%s|%s", joined, words[i]);
    }
    return joined;
}

static const char* describe_kind(pool* memory, const map_key* k)
{
    const char* in = describe_range(memory, k->allowed);
    const char* count = k->count ? bri_pool_format(memory, "%zu ", k->count) : "";
    switch (k->kind) {
    case KEY_NUMBER:
        return bri_pool_format(memory, "number%s", in);
    case KEY_COUNT:
        return bri_pool_format(memory, "whole number%s", in);
    case KEY_FLAG:
        return "true|false";
    case KEY_WORD:
        return join_words(memory, k->words);
    case KEY_TEXT:
        return "text";
    case KEY_FILE:
        return "file";
    case KEY_NUMBERS:
        return bri_pool_format(memory, "%snumbers%s", count, in);
    case KEY_ROWS:
        return bri_pool_format(memory, "rows of %snumbers%s", count, in);
    case KEY_PROFILE:
        return bri_pool_format(memory, "PROFILE%s", in);
    case KEY_PROFILES:
        return bri_pool_format(memory, "%sPROFILEs", count);
    case KEY_MAP:
        return "map";
    case KEY_MAPS:
        return "list of maps";
    case KEY_MAP_EACH:
        return "map, or list of maps";
    case KEY_KEYS:
        return "map of keys";
    case KEY_TEXTS:
        return "text, or list of texts";
    }
    return "";
}

static const char* describe_default(pool* memory, const map_key* k)
{
    if (k->otherwise == bri_required) {
        return ", required";
    }
    return *k->otherwise ? bri_pool_format(memory, " (%s)", k->otherwise) : "";
}

static void write_line(writer* to, const map_key* k, size_t indent)
{
    pool* memory = to->memory;
    const bool has_word = k->words && k->kind != KEY_WORD;
    const bool is_map = k->kind == KEY_MAP || k->kind == KEY_MAPS || k->kind == KEY_MAP_EACH;
    const char* head = bri_pool_format(memory, "%*s%s%s%s%s", (int)indent, "", k->name,
                                       *k->unit ? " [" : "", k->unit, *k->unit ? "]" : "");
    const char* body =
        bri_pool_format(memory, "%s%s%s%s%s: %s", describe_kind(memory, k), has_word ? "|" : "",
                        has_word ? join_words(memory, k->words) : "",
                        k->maps && !is_map ? " or map" : "", describe_default(memory, k), k->help);
    bri_write(to, "%s", head);
    write_wrapped(to, body, strlen(head), indent + 2 * DEEPER);
}

static void write_mapping(writer* to, const mapping* m, size_t indent, mapping_list* told);

// The mappings that a key may be: those that are new in full, the others by name.
static void write_below(writer* to, const map_key* k, size_t indent, mapping_list* told)
{
    for (size_t i = 0; k->maps && k->maps[i]; i++) {
        const bool is_new = bri_mapping_list_add(told, k->maps[i]);
        if (!is_new) {
            bri_write(to, "%*s%s: as above\n", (int)indent, "", k->maps[i]->name);
        } else {
            if (k->maps[1] || k->maps[i]->count == 0) {
                bri_write(to, "%*s%s:\n", (int)indent, "", k->maps[i]->name);
            }
            write_mapping(to, k->maps[i], indent + (k->maps[1] ? DEEPER : 0), told);
        }
    }
}

static void write_mapping(writer* to, const mapping* m, size_t indent, mapping_list* told)
{
    for (size_t i = 0; i < bri_keys_count(m); i++) {
        const map_key k = bri_keys_get(m, i, to->memory);
        write_line(to, &k, indent);
        write_below(to, &k, indent + DEEPER, told);
    }
}

void bri_help_write_profiles(writer* to, mapping_list* told)
{
    bri_write(to, "PROFILE: a number, or a map of one of these kinds\n");
    for (size_t i = 0; bri_keys_profiles[i]; i++) {
        bri_mapping_list_add(told, bri_keys_profiles[i]);
        bri_write(to, "%*s%s:\n", DEEPER, "", bri_keys_profiles[i]->name);
        write_mapping(to, bri_keys_profiles[i], 2 * DEEPER, told);
    }
}

void bri_help_write_kind(writer* to, const scenario_kind* kind, mapping_list* told)
{
    bri_write(to, "%s", kind->help);
    write_mapping(to, kind->keys, DEEPER, told);
    if (kind->also) {
        bri_write(to, "%*sor\n", DEEPER, "");
        write_mapping(to, kind->also, DEEPER, told);
    }
}
