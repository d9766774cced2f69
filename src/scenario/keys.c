/*
 * Tables of keys: reading by them.
 */
#include "scenario/keys.h"

#include <string.h>

#include "bristle/law.h"

const char bri_required[] = "required"; // no default: linkers give equal constants one place

enum { MOST_KEYS = 48 };

bool bri_keys_expect(const node* map, const mapping* keys)
{
    const char* list[MOST_KEYS + 1] = {NULL};
    size_t count = 0;
    for (size_t i = 0; i < keys->count && count < MOST_KEYS; i++) {
        list[count++] = keys->keys[i].name;
    }
    for (size_t i = 0; keys->has_law && br_law_get_parameter(i) && count < MOST_KEYS; i++) {
        list[count++] = br_law_get_parameter(i)->name;
    }
    return bri_node_expect_keys(map, list);
}

bool bri_keys_require(const node* map, const mapping* keys, const char* way_out)
{
    const char* list[MOST_KEYS + 1] = {NULL};
    size_t count = 0;
    for (size_t i = 0; i < keys->count && i < MOST_KEYS; i++) {
        if (keys->keys[i].otherwise == bri_required) {
            list[count++] = keys->keys[i].name;
        }
    }
    return bri_node_require_all(map, list, way_out);
}

static void fill_number(const node* value, const map_key* k, double* to)
{
    double x;
    if (value) {
        *to = bri_value_number(value, k->allowed);
    } else if (bri_text_number(k->otherwise, &x) == NUMBER_GOOD) {
        *to = x;
    }
}

static void fill_count(const node* value, const map_key* k, size_t* to)
{
    double x;
    if (value) {
        *to = bri_value_count(value, (size_t)k->allowed.low, (size_t)k->allowed.high);
    } else if (bri_text_number(k->otherwise, &x) == NUMBER_GOOD) {
        *to = (size_t)x;
    }
}

static void fill_word(const node* value, const map_key* k, int* to)
{
    const int otherwise = bri_text_find(k->otherwise, k->words);
    if (value) {
        *to = bri_value_choice(value, k->words);
    } else if (otherwise >= 0) {
        *to = otherwise;
    }
}

static void fill(const node* value, const map_key* k, void* to)
{
    switch (k->kind) {
    case KEY_NUMBER:
        fill_number(value, k, to);
        break;
    case KEY_COUNT:
        fill_count(value, k, to);
        break;
    case KEY_FLAG:
        *(bool*)to = value ? bri_value_flag(value) : strcmp(k->otherwise, "true") == 0;
        break;
    case KEY_WORD:
        fill_word(value, k, to);
        break;
    case KEY_NUMBERS:
        bri_value_fill(value, k->count, k->allowed, to);
        break;
    default:
        break; // read by hand
    }
}

void bri_keys_fill(const node* map, const mapping* keys, void* to)
{
    for (size_t i = 0; i < keys->count; i++) {
        const map_key* k = &keys->keys[i];
        if (k->at > 0) {
            fill(bri_node_find(map, k->name), k, (char*)to + k->at - 1);
        }
    }
}

bool bri_keys_read(const node* map, const mapping* keys, void* to)
{
    if (!bri_keys_expect(map, keys)) {
        return false;
    }
    const size_t before = bri_problems(map);
    bri_keys_require(map, keys, NULL);
    bri_keys_fill(map, keys, to);
    return bri_problems(map) == before;
}

static size_t count_parameters(void)
{
    size_t count = 0;
    while (br_law_get_parameter(count)) {
        count++;
    }
    return count;
}

size_t bri_keys_count(const mapping* keys)
{
    return keys->count + (keys->has_law ? count_parameters() : 0);
}

map_key bri_keys_get(const mapping* keys, size_t index, pool* memory)
{
    if (index < keys->count) {
        return keys->keys[index];
    }
    const br_law_parameter* p = br_law_get_parameter(index - keys->count);
    return (map_key){.name = p->name,
                     .kind = KEY_NUMBER,
                     .unit = p->unit,
                     .allowed = {p->low, p->high, !p->may_be_low, true},
                     .otherwise = p->is_required ? "" : bri_pool_format(memory, "%g", p->otherwise),
                     .help = p->text};
}
