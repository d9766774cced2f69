/*
 * Reading by tables of keys.
 */
#include "scenario/keys.h"

#include <string.h>

#include "bristle/law.h"
#include "scenario/kind.h"
#include "scenario/read_contact.h"

// Compared by address. Arrays, since equal string constants may have one address.
const char bri_required[] = "required", bri_default[] = "default";

enum { MAX_KEYS = 48 };

static const char* name_of(const mapping* keys, size_t index)
{
    return index < keys->count ? keys->keys[index].name
                               : br_law_get_parameter(index - keys->count)->name;
}

bool bri_keys_expect(const node* map, const mapping* keys)
{
    const char* list[MAX_KEYS + 1] = {NULL};
    for (size_t i = 0; i < bri_keys_count(keys) && i < MAX_KEYS; i++) {
        list[i] = name_of(keys, i);
    }
    return bri_node_expect_keys(map, list);
}

// Are all required keys there?
static bool has_required(const node* map, const mapping* keys)
{
    const char* list[MAX_KEYS + 1] = {NULL};
    size_t count = 0;
    for (size_t i = 0; i < keys->count && i < MAX_KEYS; i++) {
        if (keys->keys[i].default_value == bri_required) {
            list[count++] = keys->keys[i].name;
        }
    }
    return bri_node_require_all(map, list, NULL);
}

void* bri_keys_create(pool* memory, const mapping* keys)
{
    void* fresh = bri_pool_allocate(memory, 1, keys->size);
    if (keys->set_default) {
        keys->set_default(fresh);
    }
    return fresh;
}

// --- choosing a mapping ---------------------------------------------------------------------------

bool bri_key_is_map(const map_key* k)
{
    return k->kind == KEY_MAP || k->kind == KEY_MAPS || k->kind == KEY_MAP_EACH ||
           k->kind == KEY_PATCH;
}

static const map_key* tag_of(const mapping* m)
{
    return m->count > 0 && m->keys[0].is_tag ? &m->keys[0] : NULL;
}

const char** bri_keys_list_tags(pool* memory, const mapping* const* maps)
{
    const char** list = bri_pool_allocate(memory, MAX_KEYS + 1, sizeof *list);
    size_t count = 0;
    for (; *maps; maps++) {
        const map_key* tag = tag_of(*maps);
        for (size_t i = 0; tag && tag->words[i] && count < MAX_KEYS; i++) {
            list[count++] = tag->words[i];
        }
    }
    return list;
}

const mapping* bri_keys_find_tagged(const mapping* const* maps, const node* word)
{
    for (; *maps; maps++) {
        const map_key* tag = tag_of(*maps);
        if (tag && word->kind == NODE_SCALAR && br_text_find(word->text, tag->words) >= 0) {
            return *maps;
        }
    }
    return NULL;
}

// Is it a word that this key refuses? Then note why.
static bool refuse(const node* value, const map_key* k)
{
    for (names pair = k->refused; pair && *pair; pair += 2) {
        if (value->kind == NODE_SCALAR && strcmp(value->text, pair[0]) == 0) {
            bri_node_fail(value, "%s", pair[1]);
            return true;
        }
    }
    return false;
}

static const mapping* choose_by_tag(const node* map, const mapping* const* maps, const map_key* tag)
{
    pool* memory = &map->in->memory;
    const node* word = bri_node_find(map, tag->name);
    if (!word && tag->default_value != bri_required) {
        return maps[0];
    }
    const mapping* found = word ? bri_keys_find_tagged(maps, word) : NULL;
    if (map->kind != NODE_MAP) {
        const char* list = bri_text_join(memory, bri_keys_list_tags(memory, maps));
        bri_node_fail(map, "must be a map that starts with %s, one of %s; got %s", tag->name, list,
                      bri_node_describe(map));
    } else if (!found && (!word || !refuse(word, tag))) {
        bri_value_required_choice(map, tag->name, bri_keys_list_tags(memory, maps));
    }
    return found;
}

// Mappings without tags, none of which has its first key in the map: the last, unless it needs that.
static const mapping* choose_last(const node* map, const mapping* const* maps)
{
    const char *keys[MAX_KEYS + 1] = {NULL}, *first[MAX_KEYS + 1] = {NULL};
    size_t count = 0, i = 0;
    for (; maps[i]; i++) {
        first[i] = maps[i]->keys[0].name;
        for (size_t k = 0; k < maps[i]->count && count < MAX_KEYS; k++) {
            if (br_text_find(maps[i]->keys[k].name, keys) < 0) {
                keys[count++] = maps[i]->keys[k].name;
            }
        }
    }
    if (i > 1 && !bri_node_expect_keys(map, keys)) {
        return NULL;
    }
    if (i > 1 && maps[i - 1]->keys[0].default_value == bri_required) {
        if (!bri_node_is_misspelt(map, first)) {
            bri_node_fail(map, "must have one of %s", bri_text_join(&map->in->memory, first));
        }
        return NULL;
    }
    return maps[i - 1];
}

const mapping* bri_keys_choose(const node* map, const mapping* const* maps)
{
    const map_key* tag = NULL;
    for (size_t i = 0; maps[i]; i++) {
        const map_key* key = tag_of(maps[i]);
        if (!key && maps[1] && bri_node_find(map, maps[i]->keys[0].name)) {
            return maps[i];
        }
        tag = !tag || (key && key->default_value != bri_required) ? key : tag;
    }
    return tag ? choose_by_tag(map, maps, tag) : choose_last(map, maps);
}

// --- values ---------------------------------------------------------------------------------------

static void fill_map(const node* value, const map_key* k, void* to)
{
    const mapping* chosen = bri_keys_choose(value, k->maps);
    if (chosen && k->is_new) {
        *(void**)to = bri_keys_create(&value->in->memory, chosen);
        to = *(void**)to;
    }
    if (chosen) {
        bri_keys_read(value, chosen, to);
    }
}

// A list of maps, or one alone; each may be of any mapping of the key that has the same struct.
static struct_list read_maps(const node* value, const map_key* k)
{
    const bool is_one = k->kind == KEY_MAP_EACH && value->kind != NODE_LIST;
    const size_t count = is_one ? 1 : bri_value_list(value, 0), size = k->maps[0]->size;
    char* all = bri_allocate(value->in, count, size);
    for (size_t i = 0; i < count; i++) {
        if (k->maps[0]->set_default) {
            k->maps[0]->set_default(all + i * size);
        }
        fill_map(is_one ? value : value->children[i], k, all + i * size);
    }
    return (struct_list){all, count};
}

static void fill_word(const node* value, const map_key* k, void* to)
{
    const mapping* meant = k->maps ? bri_keys_find_tagged(k->maps, value) : NULL;
    if (meant && br_text_find(value->text, k->words) < 0) {
        bri_keys_expect(value, meant); // reports the name of a map in place of the map
        return;
    }
    names words = k->maps && !meant ? bri_keys_list_tags(&value->in->memory, k->maps) : k->words;
    const int index = bri_value_choice(value, words, k->meanings);
    if (k->is_flag) {
        *(bool*)to = index == 1 || !k->words[1]; // the second word, or the only one
    } else {
        *(int*)to = k->values ? k->values[index] : index;
    }
}

static number_rows read_rows(const node* value, const map_key* k)
{
    number_rows got = {.rows = bri_value_list(value, 0), .columns = k->count};
    if (got.rows > 0 && k->count == 0) {
        got.columns = bri_value_list(value->children[0], 0);
    }
    got.at = bri_allocate(value->in, got.rows * got.columns, sizeof *got.at);
    for (size_t i = 0; i < got.rows && got.columns > 0; i++) {
        bri_value_fill(value->children[i], got.columns, k->allowed, got.at + i * got.columns);
    }
    return got;
}

static void fill_numbers(const node* value, const map_key* k, void* to)
{
    if (k->count > 0) {
        bri_value_fill(value, k->count, k->allowed, to);
    } else {
        number_list* list = to;
        list->at = bri_value_numbers(value, 0, k->allowed);
        list->count = list->at ? value->count : 0;
    }
}

static void fill_profiles(const node* value, const map_key* k, void* to)
{
    if (k->hint && (value->kind != NODE_LIST || value->count != k->count)) {
        bri_node_fail(value, "must be a list of %zu: %s; got %s", k->count, k->hint,
                      value->kind == NODE_LIST ? bri_format(value->in, "%zu", value->count)
                                               : bri_node_describe(value));
        return;
    }
    const size_t count = bri_value_list(value, k->count);
    br_profile* profiles = to;
    if (k->count == 0) {
        profiles = bri_allocate(value->in, count, sizeof *profiles);
        *(profile_list*)to = (profile_list){profiles, count};
    }
    for (size_t i = 0; i < count; i++) {
        profiles[i] = bri_read_profile(value->children[i], k->allowed, k->maps);
    }
}

// Angles are numbers with the unit rad, or the last of several: [x, y, theta] in "m, m, rad".
static void check_angle(const node* value, const map_key* k)
{
    if (bri_text_ends_with(k->unit, "rad")) {
        const bool is_list = k->kind == KEY_NUMBERS && value->count > 0;
        bri_value_warn_of_degrees(is_list ? value->children[value->count - 1] : value);
    }
}

static void check_coefficient(const node* value, const map_key* k)
{
    if (k->kind == KEY_NUMBER && strcmp(k->name, "mu") == 0) {
        bri_value_warn_of_percent(value);
    }
}

static void fill_list(const node* value, const map_key* k, void* to)
{
    switch (k->kind) {
    case KEY_NUMBERS:
        fill_numbers(value, k, to);
        break;
    case KEY_ROWS:
        *(number_rows*)to = read_rows(value, k);
        break;
    case KEY_PROFILES:
        fill_profiles(value, k, to);
        break;
    case KEY_MAPS:
    case KEY_MAP_EACH:
        *(struct_list*)to = read_maps(value, k);
        break;
    case KEY_KEYS:
        *(sweep_entries*)to = bri_read_entries(value);
        break;
    default:
        *(names*)to = bri_read_texts(value);
        break;
    }
}

static void fill(const node* value, const map_key* k, void* to)
{
    check_angle(value, k);
    check_coefficient(value, k);
    if (refuse(value, k)) {
        return;
    }
    if (value->kind == NODE_MAP && k->maps && (k->kind == KEY_NUMBER || k->kind == KEY_WORD)) {
        fill_map(value, k, to);
        return;
    }
    switch (k->kind) {
    case KEY_NUMBER:
        *(double*)to = bri_value_number(value, k->allowed);
        break;
    case KEY_COUNT:
        *(size_t*)to = bri_value_count(value, (size_t)k->allowed.low, (size_t)k->allowed.high);
        break;
    case KEY_FLAG:
        *(bool*)to = bri_value_flag(value);
        break;
    case KEY_WORD:
        fill_word(value, k, to);
        break;
    case KEY_TEXT:
        *(const char**)to = bri_value_text(value);
        break;
    case KEY_FILE:
        *(const char**)to = bri_value_file(value);
        break;
    case KEY_PROFILE:
        *(br_profile*)to = bri_read_profile(value, k->allowed, k->maps);
        break;
    case KEY_PATCH:
        *(patch_input*)to = bri_read_patch(value);
        break;
    case KEY_MAP:
        fill_map(value, k, to);
        break;
    default:
        fill_list(value, k, to);
        break;
    }
}

void bri_keys_fill(const node* map, const mapping* keys, void* to, bool is_common)
{
    for (size_t i = 0; i < keys->count; i++) {
        const map_key* k = &keys->keys[i];
        const node* value =
            k->at > 0 && k->is_common == is_common ? bri_node_find(map, k->name) : NULL;
        if (value) {
            fill(value, k, (char*)to + k->at - 1);
        }
    }
}

bool bri_keys_read(const node* map, const mapping* keys, void* to)
{
    const size_t before = map ? bri_problems(map) : 0;
    if (!bri_keys_expect(map, keys)) {
        return false;
    }
    // a required key that is misspelt is noted once, as an unknown one
    const bool is_complete = has_required(map, keys);
    bri_keys_fill(map, keys, to, false);
    if (keys->finish) {
        keys->finish(map, to, is_complete && bri_problems(map) == before);
    }
    return is_complete && bri_problems(map) == before;
}

// --- the tables -----------------------------------------------------------------------------------

bool bri_keys_have(const mapping* keys, const char* name)
{
    for (size_t i = 0; i < keys->count; i++) {
        if (*keys->keys[i].name == *name && strcmp(keys->keys[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

size_t bri_keys_count(const mapping* keys)
{
    size_t count = keys->count;
    while (keys->has_law && br_law_get_parameter(count - keys->count)) {
        count++;
    }
    return count;
}

static map_key get(const mapping* keys, size_t index, pool* memory)
{
    if (index < keys->count) {
        return keys->keys[index];
    }
    const br_law_parameter* p = br_law_get_parameter(index - keys->count);
    return (map_key){.name = p->name,
                     .kind = KEY_NUMBER,
                     .unit = p->unit,
                     .allowed = {p->low, p->high, !p->may_be_low, true},
                     .default_value =
                         p->is_required ? "" : bri_pool_format(memory, "%g", p->default_value),
                     .help = p->text};
}

// A number as people write it: 1e-6, not 1e-06; "" for infinity, which is no limit.
static const char* write_number(pool* memory, double x)
{
    char* text = isfinite(x) ? bri_pool_format(memory, "%g", x) : bri_pool_text(memory, "", 0);
    char* zero = strstr(text, "e-0");
    if (zero) {
        memmove(zero + 2, zero + 3, strlen(zero + 2));
    }
    return text;
}

// "[0, 0]" of `count` numbers that are `stride` bytes apart.
static const char* write_numbers(pool* memory, const char* at, size_t count, size_t stride)
{
    const char* list = "[";
    for (size_t i = 0; i < count; i++) {
        const double x = *(const double*)(at + i * stride);
        list = bri_pool_format(memory, "%s%s%s", list, i ? ", " : "", write_number(memory, x));
    }
    return count > 0 ? bri_pool_format(memory, "%s]", list) : "";
}

static const char* write_word(const map_key* k, int value)
{
    for (int i = 0; k->words[i]; i++) {
        if (value == (k->values ? k->values[i] : i)) {
            return k->words[i];
        }
    }
    return "";
}

// The default of a key: the value in a struct with the defaults of its mapping.
static const char* write_default(pool* memory, const mapping* keys, const map_key* k)
{
    const char* at = (const char*)bri_keys_create(memory, keys) + k->at - 1;
    switch (k->kind) {
    case KEY_NUMBER:
        return write_number(memory, *(const double*)at);
    case KEY_COUNT:
        return bri_pool_format(memory, "%zu", *(const size_t*)at);
    case KEY_FLAG:
        return *(const bool*)at ? "true" : "false";
    case KEY_WORD:
        return write_word(k, k->is_flag ? *(const bool*)at : *(const int*)at);
    case KEY_NUMBERS:
        return write_numbers(memory, at, k->count, sizeof(double));
    case KEY_PROFILE:
        return write_number(memory, ((const br_profile*)at)->mean);
    case KEY_PROFILES:
        at += offsetof(br_profile, mean);
        return write_numbers(memory, at, k->count, sizeof(br_profile));
    default:
        return "";
    }
}

map_key bri_keys_get(const mapping* keys, size_t index, pool* memory)
{
    map_key k = get(keys, index, memory);
    if (k.default_value == bri_default) {
        k.default_value = write_default(memory, keys, &k);
    }
    return k;
}

static bool is_name(const char* own, const char* name, size_t length)
{
    return *own == *name && strncmp(own, name, length) == 0 && own[length] == '\0';
}

static bool is_older(names older, const char* name, size_t length)
{
    while (older && *older && !is_name(*older, name, length)) {
        older++;
    }
    return older && *older;
}

map_key bri_keys_find(const mapping* keys, const char* name, size_t length, pool* memory)
{
    for (size_t i = 0; i < bri_keys_count(keys); i++) {
        if (is_name(name_of(keys, i), name, length) ||
            (i < keys->count && is_older(keys->keys[i].older, name, length))) {
            return get(keys, i, memory);
        }
    }
    return (map_key){.name = NULL};
}

bool bri_mapping_list_has(const mapping_list* in, const mapping* one)
{
    size_t i = 0;
    while (i < in->count && in->at[i] != one) {
        i++;
    }
    return i < in->count;
}

bool bri_mapping_list_add(mapping_list* to, const mapping* one)
{
    const bool is_new = !bri_mapping_list_has(to, one);
    if (is_new && to->count < MAX_MAPPINGS) {
        to->at[to->count++] = one;
    }
    return is_new;
}
