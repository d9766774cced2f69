/*
 * `sweep` of a scenario: which keys change from case to case, and the results of each case.
 */
#include <stdint.h>
#include <string.h>

#include "scenario/mappings.h"
#include "scenario/source.h"

// the largest whole number of a double, if a size_t has it, too
#if SIZE_MAX > UINT32_MAX
#define LARGEST_SEED 9007199254740992.0
#else
#define LARGEST_SEED 4294967295.0
#endif

const char* const bri_sweep_samplings[] = {"random", "latin", "sobol", NULL};

static void finish(const node* map, void* to, bool is_good)
{
    (void)is_good;
    sweep_input* got = to;
    const node* cases = bri_node_find(map, "cases");
    got->has_seed = bri_node_find(map, "seed");
    if (cases) {
        got->cases = bri_source_beside(map->in, bri_node_file(map), bri_value_text(cases));
        bri_note_file(map->in, got->cases);
    }
}

static void set_default(void* to)
{
    static const char* const nothing[] = {NULL};
    ((sweep_input*)to)->outputs = nothing;
}

static const map_key sweep_keys[] = {
    PLAIN_KEY("vary", KEYS, "", "an axis each: a:b:n, log:a:b:n or a list", AT(sweep_input, vary)),
    PLAIN_KEY("zip", KEYS, "", "the same, but all of these go together, as one axis",
              AT(sweep_input, zip)),
    PLAIN_KEY("cases", FILE, "", "CSV whose columns are keys, a row a case; goes together with zip",
              BY_HAND("opened by the sweep alone")),
    PLAIN_KEY(
        "draw", KEYS, "",
        "at random: uniform:a:b, loguniform:a:b, normal:mean:sd, lognormal:median:sigma or a list",
        AT(sweep_input, draw)),
    KEY("samples", COUNT, "", IN(1, BR_SWEEP_MOST_SAMPLES), "", "draws for each point of the grid",
        AT(sweep_input, samples)),
    PLAIN_KEY("sampling", WORD, "random", "how the draws are distributed",
              AT(sweep_input, sampling), .words = bri_sweep_samplings,
              VALUES(SAMPLING_RANDOM, SAMPLING_LATIN, SAMPLING_SOBOL)),
    KEY("seed", COUNT, "", IN(0, LARGEST_SEED), DEFAULT, "of what is random",
        AT(sweep_input, seed)),
    PLAIN_KEY("sobol", FLAG, DEFAULT, "draw for Sobol' indices", AT(sweep_input, indices)),
    PLAIN_KEY("want", TEXTS, "", "what each case gives", AT(sweep_input, outputs))};
const mapping bri_keys_sweep = MAPPING_OF("sweep", sweep_keys, sweep_input, set_default, finish);

// A number or a text, or a list of these as "[1, 2]".
static const char* spec_of(const node* value)
{
    if (value->kind == NODE_SCALAR) {
        return bri_value_text(value);
    }
    if (value->kind == NODE_MAP || value->count == 0) {
        bri_node_fail(value, "must be a text such as 0.2:0.6:41, or a list of values; got %s",
                      bri_node_describe(value));
        return "";
    }
    const char* joined = "";
    for (size_t i = 0; i < value->count; i++) {
        if (value->children[i]->kind != NODE_SCALAR) {
            bri_node_fail(value->children[i], "must be a number or a word; got %s",
                          bri_node_describe(value->children[i]));
            return "";
        }
        joined = bri_format(value->in, "%s%s%s", joined, i ? ", " : "", value->children[i]->text);
    }
    return bri_format(value->in, "[%s]", joined);
}

sweep_entries bri_read_entries(const node* list)
{
    if (list->kind != NODE_MAP) {
        bri_node_fail(list, "must be a map of keys, such as {friction.mu: 0.2:0.6:41}; got %s",
                      bri_node_describe(list));
        return (sweep_entries){NULL, 0};
    }
    sweep_entry* entries = bri_allocate(list->in, list->count, sizeof *entries);
    for (size_t i = 0; i < list->count; i++) {
        entries[i] = (sweep_entry){list->children[i]->key, spec_of(list->children[i])};
    }
    return (sweep_entries){entries, list->count};
}

names bri_sweep_split(pool* to, const char* text)
{
    const char** parts = bri_pool_allocate(to, strlen(text) + 2, sizeof *parts);
    size_t count = 0;
    while (*text) {
        text += strspn(text, " ");
        const char* end = text;
        for (int depth = 0; *end && (depth > 0 || *end != ','); end++) {
            depth += (*end == '(' || *end == '[') - (*end == ')' || *end == ']');
        }
        parts[count++] = bri_pool_text(to, text, (size_t)(end - text));
        text = end + (*end == ',');
    }
    return parts;
}

names bri_read_texts(const node* value)
{
    if (value->kind == NODE_SCALAR) {
        return bri_sweep_split(&value->in->memory, bri_value_text(value));
    }
    const size_t count = bri_value_list(value, 0);
    const char** list = bri_allocate(value->in, count + 1, sizeof *list);
    for (size_t i = 0; i < count; i++) {
        list[i] = bri_value_text(value->children[i]);
    }
    return list;
}
