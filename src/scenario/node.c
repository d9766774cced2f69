/*
 * The tree of a scenario: building it, searching it, and the locations of its values in messages.
 */
#include "scenario/node.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_REQUIRED = 16 };

static void append(node* parent, node* child)
{
    if (parent->count == parent->capacity) {
        const size_t capacity = parent->capacity ? 2 * parent->capacity : 4;
        node** larger = bri_allocate(parent->in, capacity, sizeof *larger);
        if (parent->count > 0) {
            memcpy(larger, parent->children, parent->count * sizeof *larger);
        }
        parent->children = larger; // the old list may be a part of a larger one: bri_node_share()
        parent->capacity = capacity;
    }
    child->index = parent->count;
    parent->children[parent->count++] = child;
}

node* bri_node_create(parse_context* in, node_kind kind, const char* origin, size_t line,
                      node* parent, const char* key)
{
    node* fresh = bri_allocate(in, 1, sizeof *fresh);
    fresh->in = in;
    fresh->kind = kind;
    fresh->origin = origin;
    fresh->line = line;
    fresh->parent = parent;
    fresh->key = key;
    fresh->text = "";
    if (parent) {
        append(parent, fresh);
    }
    return fresh;
}

void bri_node_replace(node* old, node* fresh)
{
    fresh->parent = old->parent;
    fresh->key = old->key;
    fresh->index = old->index;
    if (old->parent) {
        old->parent->children[old->index] = fresh;
    }
}

// Memory for nodes and for lists of children, used piece by piece.
typedef struct node_memory {
    node* nodes;
    node** lists;
} node_memory;

static size_t count_nodes(const node* from)
{
    size_t count = 1;
    for (size_t i = 0; i < from->count; i++) {
        count += count_nodes(from->children[i]);
    }
    return count;
}

// A copy of a tree; texts are borrowed where it `shares` them with the tree, which becomes its base.
static node* copy(parse_context* in, const node* from, node* parent, bool shares, node_memory* rest)
{
    node* fresh = rest->nodes++;
    *fresh = *from;
    fresh->in = in;
    fresh->base = shares ? from : NULL;
    fresh->parent = parent;
    fresh->children = rest->lists;
    fresh->capacity = from->count;
    fresh->is_changed = fresh->is_unknown = fresh->lacks = false;
    fresh->meant = NULL;
    fresh->cache = NULL;
    if (!shares) {
        const bool has_origin = parent && strcmp(parent->origin, from->origin) == 0;
        fresh->origin = has_origin ? parent->origin : bri_format(in, "%s", from->origin);
        fresh->key = from->key ? bri_format(in, "%s", from->key) : NULL;
        fresh->text = bri_format(in, "%s", from->text);
    }
    rest->lists += from->count;
    for (size_t i = 0; i < from->count; i++) {
        fresh->children[i] = copy(in, from->children[i], fresh, shares, rest);
    }
    return fresh;
}

static node* copy_all(parse_context* in, const node* from, node* parent, bool shares)
{
    const size_t count = count_nodes(from);
    node_memory memory = {bri_allocate(in, count, sizeof *memory.nodes),
                          bri_allocate(in, count, sizeof *memory.lists)};
    return copy(in, from, parent, shares, &memory);
}

node* bri_node_copy(parse_context* in, const node* from, node* parent)
{
    node* fresh = copy_all(in, from, parent, false);
    if (parent) {
        append(parent, fresh);
    }
    return fresh;
}

void bri_node_leave_out(node* map, const node* found)
{
    for (size_t i = found ? found->index + 1 : map->count; i < map->count; i++) {
        map->children[i]->index--;
        map->children[i - 1] = map->children[i];
    }
    map->count -= found != NULL;
}

node* bri_node_share(parse_context* in, const node* from, const char* but)
{
    node* fresh = copy_all(in, from, NULL, true);
    bri_node_leave_out(fresh, bri_node_find(fresh, but));
    return fresh;
}

static bool is_equal_text(const char* a, const char* b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

bool bri_node_is_equal(const node* a, const node* b)
{
    bool is_equal = a->kind == b->kind && a->count == b->count && a->is_number == b->is_number &&
                    (!a->is_number || a->number == b->number) && is_equal_text(a->text, b->text);
    for (size_t i = 0; is_equal && i < a->count; i++) {
        is_equal = is_equal_text(a->children[i]->key, b->children[i]->key) &&
                   bri_node_is_equal(a->children[i], b->children[i]);
    }
    return is_equal;
}

node* bri_node_find(const node* map, const char* key)
{
    for (size_t i = 0; map && i < map->count; i++) {
        const char* own = map->children[i]->key;
        if (own && *own == *key && strcmp(own, key) == 0) {
            return map->children[i];
        }
    }
    return NULL;
}

bool bri_node_is_misspelt(const node* map, names keys)
{
    for (size_t i = 0; i < map->count; i++) {
        if (map->children[i]->meant && br_text_find(map->children[i]->meant, keys) >= 0) {
            return true;
        }
    }
    return false;
}

static bool is_misspelt(const node* map, const char* key)
{
    return bri_node_is_misspelt(map, (const char* const[]){key, NULL});
}

node* bri_node_require(const node* map, const char* key)
{
    node* found = bri_node_find(map, key);
    if (map && !found && !map->lacks && !is_misspelt(map, key)) {
        bri_node_fail_field(map, key, "is missing and has no default");
    }
    return found;
}

bool bri_node_require_all(const node* map, names keys, const char* remedy)
{
    const char* missing[MOST_REQUIRED + 1] = {NULL};
    size_t count = 0;
    bool all = true;
    for (; *keys && count < MOST_REQUIRED; keys++) {
        const bool there = bri_node_find(map, *keys);
        all = all && there;
        if (!there && !is_misspelt(map, *keys)) {
            missing[count++] = *keys;
        }
    }
    const char* end = remedy ? remedy : "";
    ((node*)map)->lacks = !all; // which only this reading uses
    if (count == 1) {
        bri_node_fail_field(map, missing[0], "is missing and has no default%s", end);
    }
    if (count > 1) {
        bri_node_fail(map, "%s are missing and have no default%s",
                      bri_text_join(&map->in->memory, missing), end);
    }
    return all;
}

const node* bri_node_root(const node* value)
{
    while (value->parent) {
        value = value->parent;
    }
    return value;
}

static char* path_in(pool* to, const node* value)
{
    if (!value->parent) {
        return bri_pool_format(to, "%s", "");
    }
    const char* above = path_in(to, value->parent);
    if (!value->key) {
        return bri_pool_format(to, "%s[%zu]", above, value->index);
    }
    return bri_pool_format(to, "%s%s%s", above, *above ? "." : "", value->key);
}

char* bri_node_path(const node* value)
{
    return path_in(&value->in->memory, value);
}

const char* bri_node_file(const node* value)
{
    return bri_node_root(value)->origin;
}

// "FILE:12: KEY: ", of a key at this value.
static char* place_in(pool* to, const node* at, const char* key)
{
    const char* colon = *key ? ": " : "";
    return at->line ? bri_pool_format(to, "%s:%zu: %s%s", at->origin, at->line, key, colon)
                    : bri_pool_format(to, "%s: %s%s", at->origin, key, colon);
}

char* bri_node_place_in(pool* to, const node* value)
{
    return place_in(to, value, path_in(to, value));
}

char* bri_node_place(const node* value)
{
    return bri_node_place_in(&value->in->memory, value);
}

// The error of a key at this value.
static void note(const node* at, const char* key, const char* text, const char* allowed,
                 const char* nearest)
{
    bri_note_error(at->in, (br_scenario_error){.file = at->origin,
                                               .line = at->line,
                                               .column = at->column,
                                               .key = key,
                                               .text = text,
                                               .allowed = allowed,
                                               .nearest = nearest});
}

void bri_node_fail_with(const node* value, const char* allowed, const char* nearest,
                        const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char* text = bri_pool_vformat(&value->in->memory, format, arguments);
    va_end(arguments);
    note(value, bri_node_path(value), text, allowed, nearest);
}

// One step of a path like "a.b[3].c": the child that its first part names. Moves `path` behind it.
static const node* step_down(const node* from, const char** path)
{
    char part[128];
    const size_t length = strcspn(*path, ".[]");
    snprintf(part, sizeof part, "%.*s", (int)length, *path);
    *path += length + strspn(*path + length, ".[]");

    double index;
    if (from->kind == NODE_LIST && bri_text_number(part, &index) == NUMBER_GOOD) {
        return index >= 0 && index < (double)from->count ? from->children[(size_t)index] : NULL;
    }
    return bri_node_find(from, part);
}

// The value that a field names, as far down as the file goes, and its full key.
static const node* find_field(pool* to, const node* map, const char* field, const char** key)
{
    const node* nearest = map;
    for (const char* rest = field; *rest;) {
        const node* next = step_down(nearest, &rest);
        if (!next) {
            break;
        }
        nearest = next;
    }
    const char* above = path_in(to, map);
    const char* dot = *above && *field && *field != '[' ? "." : "";
    *key = bri_pool_format(to, "%s%s%s", above, dot, field);
    return nearest;
}

char* bri_node_field_place_in(pool* to, const node* map, const char* field)
{
    const char* key;
    const node* at = find_field(to, map, field, &key);
    return place_in(to, at, key);
}

void bri_node_fail_field(const node* map, const char* field, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char* text = bri_pool_vformat(&map->in->memory, format, arguments);
    va_end(arguments);
    const char* key;
    const node* at = find_field(&map->in->memory, map, field, &key);
    note(at, key, text, "", "");
}

bool bri_node_accept(const node* map, br_status status, const br_reason* why)
{
    if (status == BR_ERR_MEMORY) {
        bri_no_memory(map->in);
    }
    if (status != BR_OK) {
        bri_node_fail_field(map, why->field, "%s", why->text);
    }
    return status == BR_OK;
}

// "1,5" in {a: 1,5} gives a the value 1 and a key 5 without value. The text that was meant; NULL: another case.
static const char* decimal_comma(const node* child)
{
    const node* map = child->parent;
    size_t at = 0;
    while (at < map->count && map->children[at] != child) {
        at++;
    }
    const node* before = at > 0 && at < map->count ? map->children[at - 1] : NULL;
    const bool is_digits = *child->key && strspn(child->key, "0123456789") == strlen(child->key);
    const bool is_empty = child->kind == NODE_SCALAR && !*child->text;
    return is_digits && is_empty && before && before->reads_number && before->line == child->line
               ? bri_format(child->in, "%s: %s.%s", before->key, before->text, child->key)
               : NULL;
}

// The path of the only map beside an unknown key that has this key; NULL: none, or several.
static const char* deeper_path(const node* child)
{
    const node* found = NULL;
    size_t count = 0;
    for (size_t i = 0; i < child->parent->count; i++) {
        const node* beside = child->parent->children[i];
        const node* same = beside->kind == NODE_MAP ? bri_node_find(beside, child->key) : NULL;
        found = same ? same : found;
        count += same != NULL;
    }
    return count == 1 ? bri_node_path(found) : NULL;
}

static void fail_unknown(node* child, names keys)
{
    const char* decimal = decimal_comma(child);
    const char* deeper = deeper_path(child);
    if (decimal) {
        bri_node_fail_with(child, "", "", "unknown key; a number has a decimal point: %s", decimal);
        return;
    }
    const char* list = bri_text_join(&child->in->memory, keys);
    const char* near = child->meant = br_text_find_nearest(child->key, keys);
    const char* meant = deeper ? deeper : near;
    bri_node_fail_with(child, list, meant ? meant : "", "unknown key;%s allowed here: %s",
                       meant ? bri_format(child->in, " did you mean %s?", meant) : "", list);
}

bool bri_node_expect_keys(const node* map, names keys)
{
    if (map && map->kind != NODE_MAP) {
        const char* list = bri_text_join(&map->in->memory, keys);
        bri_node_fail_with(map, list, "", "must be a map with the keys %s; got %s", list,
                           bri_node_describe(map));
    }
    if (!map || map->kind != NODE_MAP) {
        return false;
    }
    for (size_t i = 0; i < map->count; i++) {
        node* child = map->children[i];
        if (!child->is_unknown && br_text_find(child->key, keys) < 0) {
            child->is_unknown = true;
            fail_unknown(child, keys);
        }
    }
    return true;
}

const char* bri_node_describe(const node* value)
{
    if (value->kind == NODE_LIST) {
        return "a list";
    }
    if (value->kind == NODE_MAP) {
        return "a map";
    }
    return *value->text ? bri_format(value->in, "\"%.60s\"", value->text) : "nothing";
}

bool bri_node_is_good(const node* map, const char* key)
{
    const node* value = bri_node_find(map, key);
    const char* path = value && bri_problems(value) > 0 ? bri_node_path(value) : "";
    for (size_t i = 0; value && i < value->in->error_count; i++) {
        if (strcmp(value->in->errors[i].key, path) == 0) {
            return false;
        }
    }
    return value;
}

size_t bri_problems(const node* value)
{
    return value->in->problems;
}
