/*
 * The help: keys of scenario files from their tables, a line each, with unit, range and default; and topics, which are a
 * kind of scenario, profiles, or any key or mapping by its name or path.
 */
#include <string.h>

#include "scenario/mappings.h"

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

static const char* join_words(pool* memory, names words)
{
    const char* joined = words[0];
    for (size_t i = 1; words[i]; i++) {
        joined = bri_pool_format(memory, "%s|%s", joined, words[i]);
    }
    return joined;
}

// Descriptions of values: the text before the count, the noun, and whether a count and the range are shown.
static const struct {
    const char *before, *noun;
    bool has_count, has_range;
} kind_words[] = {[KEY_NUMBER] = {"", "number", false, true},
                  [KEY_COUNT] = {"", "whole number", false, true},
                  [KEY_FLAG] = {"", "true|false", false, false},
                  [KEY_TEXT] = {"", "text", false, false},
                  [KEY_FILE] = {"", "file", false, false},
                  [KEY_NUMBERS] = {"", "numbers", true, true},
                  [KEY_ROWS] = {"rows of ", "numbers", true, true},
                  [KEY_PROFILE] = {"", "PROFILE", false, true},
                  [KEY_PROFILES] = {"", "PROFILEs", true, false},
                  [KEY_PATCH] = {"", "map", false, false},
                  [KEY_MAP] = {"", "map", false, false},
                  [KEY_MAPS] = {"", "list of maps", false, false},
                  [KEY_MAP_EACH] = {"", "map, or list of maps", false, false},
                  [KEY_KEYS] = {"", "map of keys", false, false},
                  [KEY_TEXTS] = {"", "text, or list of texts", false, false}};

static const char* describe_kind(pool* memory, const map_key* k)
{
    if (k->kind == KEY_WORD) {
        return join_words(memory, k->words);
    }
    const bool has_count = kind_words[k->kind].has_count && k->count > 0;
    const char* allowed =
        kind_words[k->kind].has_range ? bri_range_describe(memory, k->allowed) : "";
    return bri_pool_format(memory, "%s%s%s%s%s", kind_words[k->kind].before,
                           has_count ? bri_pool_format(memory, "%zu ", k->count) : "",
                           kind_words[k->kind].noun, *allowed ? " " : "", allowed);
}

static const char* describe_default(pool* memory, const map_key* k)
{
    if (k->default_value == bri_required) {
        return ", required";
    }
    return *k->default_value ? bri_pool_format(memory, " (%s)", k->default_value) : "";
}

static void write_line(writer* to, const map_key* k, size_t indent)
{
    pool* memory = to->memory;
    const bool has_word = k->words && k->kind != KEY_WORD;
    const char* head = bri_pool_format(memory, "%*s%s%s%s%s", (int)indent, "", k->name,
                                       *k->unit ? " [" : "", k->unit, *k->unit ? "]" : "");
    const char* body = bri_pool_format(
        memory, "%s%s%s%s%s: %s", describe_kind(memory, k), has_word ? "|" : "",
        has_word ? join_words(memory, k->words) : "",
        k->maps && !bri_key_is_map(k) ? " or map" : "", describe_default(memory, k), k->help);
    bri_write(to, "%s", head);
    write_wrapped(to, body, strlen(head), indent + 2 * DEEPER);
}

static void write_mapping(writer* to, const mapping* m, size_t indent, mapping_list* written);

// A key, and the mappings that it may be: those that are new in full, the others by name.
static void write_key(writer* to, const map_key* k, size_t indent, mapping_list* written)
{
    write_line(to, k, indent);
    indent += DEEPER;
    for (size_t i = 0; k->maps && k->maps[i]; i++) {
        if (!bri_mapping_list_add(written, k->maps[i])) {
            bri_write(to, "%*s%s: as above\n", (int)indent, "", k->maps[i]->name);
        } else {
            if (k->maps[1] || k->maps[i]->count == 0) {
                bri_write(to, "%*s%s:\n", (int)indent, "", k->maps[i]->name);
            }
            write_mapping(to, k->maps[i], indent + (k->maps[1] ? DEEPER : 0), written);
        }
    }
}

static void write_mapping(writer* to, const mapping* m, size_t indent, mapping_list* written)
{
    for (size_t i = 0; i < bri_keys_count(m); i++) {
        const map_key k = bri_keys_get(m, i, to->memory);
        write_key(to, &k, indent, written);
    }
}

static void write_profiles(writer* to, mapping_list* written)
{
    bri_write(
        to,
        "Numbers are in the unit that is shown, or have another one: 30 deg, 12 mm, 300 g, 5 ms, "
        "2 kN, 10 mm/s\n\n");
    bri_write(to, "PROFILE: a number, or a map of one of these kinds\n");
    for (size_t i = 0; bri_keys_profiles[i]; i++) {
        bri_mapping_list_add(written, bri_keys_profiles[i]);
        bri_write(to, "%*s%s:\n", DEEPER, "", bri_keys_profiles[i]->name);
        write_mapping(to, bri_keys_profiles[i], 2 * DEEPER, written);
    }
}

static void write_kind(writer* to, const scenario_kind* kind, mapping_list* written)
{
    bri_write(to, "%s", kind->help);
    write_mapping(to, kind->keys, DEEPER, written);
    if (kind->also) {
        bri_write(to, "%*sor\n", DEEPER, "");
        write_mapping(to, kind->also, DEEPER, written);
    }
}

// --- topics ---------------------------------------------------------------------------------------

enum { MAX_MATCHES = 128, MAX_NAMES = 512 };

// A key that a topic names: its path, and the kinds of scenarios that have it.
typedef struct match {
    map_key key;
    const char* path;
    const char* kinds;
    const char* last_kind;
} match;

// A walk through the tables, and what it does with each key.
typedef struct walk {
    pool* memory;
    const char* kind; // the present kind of scenario
    void (*visit)(struct walk* w, const char* path, const map_key* k);

    const char* word; // of a topic: keys of this name or path
    match matches[MAX_MATCHES];
    size_t match_count;

    bool maps_only;                   // of names: those of keys that are maps
    const char* names[MAX_NAMES + 1]; // each once, ended by NULL
    size_t name_count;
} walk;

static void walk_mapping(walk* w, const mapping* m, const char* above)
{
    for (size_t i = 0; i < bri_keys_count(m); i++) {
        const map_key k = bri_keys_get(m, i, w->memory);
        const char* path = *above ? bri_pool_format(w->memory, "%s.%s", above, k.name) : k.name;
        w->visit(w, path, &k);
        for (size_t j = 0; k.maps && k.maps[j]; j++) {
            walk_mapping(w, k.maps[j], path);
        }
    }
}

static void walk_all(walk* w)
{
    for (size_t i = 0; bri_scenario_kinds[i]; i++) {
        w->kind = bri_scenario_kinds[i]->name;
        walk_mapping(w, bri_scenario_kinds[i]->keys, "");
        if (bri_scenario_kinds[i]->also) {
            walk_mapping(w, bri_scenario_kinds[i]->also, "");
        }
    }
    w->kind = "profiles";
    for (size_t i = 0; bri_keys_profiles[i]; i++) {
        walk_mapping(w, bri_keys_profiles[i], "PROFILE");
    }
}

// --- keys of a name -------------------------------------------------------------------------------

static bool is_same_list(const mapping* const* a, const mapping* const* b)
{
    while (a && b && *a && *a == *b) {
        a++;
        b++;
    }
    return a && b ? *a == *b : a == b;
}

static bool is_same_key(const match* m, const char* path, const map_key* k)
{
    return m->key.kind == k->kind && strcmp(m->path, path) == 0 &&
           strcmp(m->key.help, k->help) == 0 &&
           strcmp(m->key.default_value, k->default_value) == 0 &&
           is_same_list(m->key.maps, k->maps);
}

static void add_match(walk* w, const char* path, const map_key* k)
{
    for (size_t i = 0; i < w->match_count; i++) {
        match* known = &w->matches[i];
        if (is_same_key(known, path, k)) {
            if (strcmp(known->last_kind, w->kind) != 0) {
                known->kinds = bri_pool_format(w->memory, "%s, %s", known->kinds, w->kind);
                known->last_kind = w->kind;
            }
            return;
        }
    }
    if (w->match_count < MAX_MATCHES) {
        w->matches[w->match_count++] = (match){*k, path, w->kind, w->kind};
    }
}

// One of several mappings that a key may be, such as disc of contact.patch.
static map_key only(walk* w, const map_key* k, const mapping* one)
{
    const mapping** maps = bri_pool_allocate(w->memory, 2, sizeof *maps);
    maps[0] = one;
    map_key alone = *k;
    alone.maps = maps;
    alone.help = bri_pool_format(w->memory, "%s: %s", one->name, k->help);
    return alone;
}

// Is the topic the end of a path: mu, friction.mu?
static bool is_end(const char* path, const char* word)
{
    const size_t all = strlen(path), length = strlen(word);
    return bri_text_ends_with(path, word) && (length == all || path[all - length - 1] == '.');
}

static void match_key(walk* w, const char* path, const map_key* k)
{
    if (is_end(path, w->word)) {
        add_match(w, path, k);
        return;
    }
    for (size_t i = 0; k->maps && k->maps[i]; i++) {
        if (strcmp(k->maps[i]->name, w->word) == 0) {
            const map_key alone = only(w, k, k->maps[i]);
            add_match(w, path, &alone);
        }
    }
}

static void write_keys(writer* to, const char* word, mapping_list* written)
{
    walk* w = bri_pool_allocate(to->memory, 1, sizeof *w);
    *w = (walk){.memory = to->memory, .visit = match_key, .word = word};
    walk_all(w);
    const mapping_list before = *written; // in the kinds that have been written
    for (size_t i = 0; i < w->match_count; i++) {
        map_key k = w->matches[i].key;
        if (k.maps && bri_mapping_list_has(&before, k.maps[0])) {
            continue;
        }
        k.name = bri_pool_format(to->memory, "%s (%s)", w->matches[i].path, w->matches[i].kinds);
        write_key(to, &k, 0, written);
    }
}

static void write_kinds(writer* to, const char* word, mapping_list* written)
{
    bool found = false;
    for (size_t i = 0; bri_scenario_kinds[i]; i++) {
        if (br_text_find(word, bri_scenario_kinds[i]->blocks) >= 0) {
            bri_write(to, "%s", found ? "\n" : "");
            write_kind(to, bri_scenario_kinds[i], written);
            found = true;
        }
    }
}

static void write_topic(writer* to, const char* word)
{
    mapping_list written = {.count = 0};
    if (br_text_find(word, (const char* const[]){"profile", "profiles", "PROFILE", NULL}) >= 0) {
        write_profiles(to, &written);
        return;
    }
    write_kinds(to, word, &written);
    write_keys(to, word, &written);
    if (strstr(bri_written(to), "PROFILE")) {
        bri_write(to, "\nPROFILE: a number, or a map; see: bristle help profiles\n");
    }
}

static void write_all(writer* to)
{
    mapping_list written = {.count = 0};
    write_profiles(to, &written);
    for (int i = 0; bri_scenario_kinds[i]; i++) {
        bri_write(to, "\n");
        write_kind(to, bri_scenario_kinds[i], &written);
    }
}

static void write_help(writer* to, const void* topic)
{
    if (topic) {
        write_topic(to, topic);
    } else {
        write_all(to);
    }
}

br_status br_scenario_create_help(const char* topic, char** out)
{
    *out = bri_write_text(write_help, topic);
    if (*out && !**out) {
        br_release(*out);
        *out = NULL;
        return BR_ERR_ARG;
    }
    return *out ? BR_OK : BR_ERR_MEMORY;
}

// --- names of topics ------------------------------------------------------------------------------

static void gather_name(walk* w, const char* path, const map_key* k)
{
    (void)path;
    if ((bri_key_is_map(k) || !w->maps_only) && w->name_count < MAX_NAMES &&
        br_text_find(k->name, w->names) < 0) {
        w->names[w->name_count++] = k->name;
    }
}

static void write_topics(writer* to, const void* all)
{
    walk* w = bri_pool_allocate(to->memory, 1, sizeof *w);
    *w = (walk){.memory = to->memory, .visit = gather_name, .maps_only = !*(const bool*)all};
    w->names[w->name_count++] = "profiles";
    walk_all(w);
    for (size_t i = 0; i < w->name_count; i++) {
        bri_write(to, "%s\n", w->names[i]);
    }
}

br_status br_scenario_create_topics(bool all, char** out)
{
    *out = bri_write_text(write_topics, &all);
    return *out ? BR_OK : BR_ERR_MEMORY;
}
