/*
 * `sweep` of a scenario.
 */
#include "scenario/read_sweep.h"

#include <stdint.h>
#include <string.h>

#include "scenario/mappings.h"
#include "scenario/source.h"

// what a double counts to, where a size_t does, too
#if SIZE_MAX > UINT32_MAX
static const size_t largest_seed = (size_t)1 << 53;
#else
static const size_t largest_seed = SIZE_MAX;
#endif

const char* const bri_sweep_samplings[] = {"random", "latin", "sobol", NULL};

static const map_key sweep_keys[] = {
    KEY("vary", KEYS, "", IN_ANY, "", "an axis each: a:b:n, log:a:b:n or a list", BY_HAND),
    KEY("zip", KEYS, "", IN_ANY, "", "the same, but all of these go together, as one axis",
        BY_HAND),
    KEY("cases", FILE, "", IN_ANY, "",
        "CSV whose columns are keys, a row a case; goes together with zip", BY_HAND),
    KEY("draw", KEYS, "", IN_ANY, "",
        "at random: uniform:a:b, loguniform:a:b, normal:mean:sd, lognormal:median:sigma or a list",
        BY_HAND),
    KEY("samples", COUNT, "", IN(1, MOST_SAMPLES), "", "draws for each point of the grid",
        AT(sweep_input, samples)),
    KEY("sampling", WORD, "", IN_ANY, "random", "how the draws lie", BY_HAND,
        .words = bri_sweep_samplings),
    KEY("seed", COUNT, "", IN(0, 9007199254740992.0), "0", "of what is random", BY_HAND),
    KEY("sobol", FLAG, "", IN_ANY, "false", "draw for Sobol' indices", AT(sweep_input, indices)),
    KEY("want", TEXTS, "", IN_ANY, "", "what each case gives", BY_HAND)};
const mapping bri_keys_sweep = MAPPING("sweep", sweep_keys);

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

static sweep_entries read_entries(const node* map, const char* key)
{
    const node* list = bri_node_find(map, key);
    if (!list) {
        return (sweep_entries){NULL, 0};
    }
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

// A text with commas, or a list of texts.
static names read_want(const node* value)
{
    static const char* const nothing[] = {NULL};
    if (!value) {
        return nothing;
    }
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

const sweep_input* bri_read_sweep(const node* root)
{
    const node* map = bri_node_find(root, "sweep");
    if (!map || !bri_keys_expect(map, &bri_keys_sweep)) {
        return NULL;
    }
    sweep_input* got = bri_allocate(root->in, 1, sizeof *got);
    bri_keys_fill(map, &bri_keys_sweep, got);
    got->vary = read_entries(map, "vary");
    got->zip = read_entries(map, "zip");
    got->draw = read_entries(map, "draw");
    const node* sampling = bri_node_find(map, "sampling");
    const node* seed = bri_node_find(map, "seed");
    const node* cases = bri_node_find(map, "cases");
    got->sampling = sampling ? SAMPLING_RANDOM + bri_value_choice(sampling, bri_sweep_samplings)
                             : SAMPLING_UNSAID;
    got->has_seed = seed;
    got->seed = seed ? bri_value_count(seed, 0, largest_seed) : 0;
    got->cases =
        cases ? bri_source_beside(root->in, bri_node_file(root), bri_value_text(cases)) : NULL;
    got->want = read_want(bri_node_find(map, "want"));
    return got;
}
