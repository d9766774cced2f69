/*
 * The tree of a scenario: making it, walking it, naming its places.
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
        parent->children = larger; // the old list may be a piece of a room: bri_node_share()
        parent->capacity = capacity;
    }
    child->index = parent->count;
    parent->children[parent->count++] = child;
}

node* bri_node_create(reading* in, node_kind kind, const char* origin, size_t line, node* parent,
                      const char* key)
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

node* bri_node_copy(reading* in, const node* from, node* parent)
{
    const char* key = from->key ? bri_format(in, "%s", from->key) : NULL;
    const char* origin = parent && parent->origin && strcmp(parent->origin, from->origin) == 0
                             ? parent->origin
                             : bri_format(in, "%s", from->origin);
    node* fresh = bri_node_create(in, from->kind, origin, from->line, parent, key);
    fresh->column = from->column;
    fresh->text = bri_format(in, "%s", from->text);
    fresh->is_number = from->is_number;
    fresh->reads_number = from->reads_number;
    fresh->number = from->number;
    for (size_t i = 0; i < from->count; i++) {
        bri_node_copy(in, from->children[i], fresh);
    }
    return fresh;
}

// Room for nodes and for lists of children, taken piece by piece.
typedef struct node_room {
    node* nodes;
    node** lists;
} node_room;

static size_t count_nodes(const node* from)
{
    size_t count = 1;
    for (size_t i = 0; i < from->count; i++) {
        count += count_nodes(from->children[i]);
    }
    return count;
}

static node* share(reading* in, const node* from, node* parent, node_room* room)
{
    node* fresh = room->nodes++;
    *fresh = *from;
    fresh->in = in;
    fresh->base = from;
    fresh->parent = parent;
    fresh->children = room->lists;
    fresh->capacity = from->count;
    fresh->is_changed = fresh->is_unknown = fresh->lacks = false;
    fresh->meant = NULL;
    room->lists += from->count;
    for (size_t i = 0; i < from->count; i++) {
        fresh->children[i] = share(in, from->children[i], fresh, room);
    }
    return fresh;
}

static void leave_out(node* map, const char* key)
{
    const node* found = bri_node_find(map, key);
    for (size_t i = found ? found->index + 1 : map->count; i < map->count; i++) {
        map->children[i]->index--;
        map->children[i - 1] = map->children[i];
    }
    map->count -= found != NULL;
}

node* bri_node_share(reading* in, const node* from, const char* but)
{
    const size_t count = count_nodes(from);
    node_room room = {bri_allocate(in, count, sizeof *room.nodes),
                      bri_allocate(in, count, sizeof *room.lists)};
    node* fresh = share(in, from, NULL, &room);
    leave_out(fresh, but);
    return fresh;
}

node* bri_node_find(const node* map, const char* key)
{
    for (size_t i = 0; map && i < map->count; i++) {
        if (map->children[i]->key && strcmp(map->children[i]->key, key) == 0) {
            return map->children[i];
        }
    }
    return NULL;
}

// Is there an unknown key that may have been meant to be this one? Then it has been told.
static bool is_misspelt(const node* map, const char* key)
{
    for (size_t i = 0; i < map->count; i++) {
        if (map->children[i]->meant && strcmp(map->children[i]->meant, key) == 0) {
            return true;
        }
    }
    return false;
}

bool bri_node_is_misspelt(const node* map, names keys)
{
    for (; *keys; keys++) {
        if (is_misspelt(map, *keys)) {
            return true;
        }
    }
    return false;
}

node* bri_node_require(const node* map, const char* key)
{
    node* found = bri_node_find(map, key);
    if (map && !found && !map->lacks && !is_misspelt(map, key)) {
        bri_node_fail_field(map, key, "is missing and has no default");
    }
    return found;
}

bool bri_node_require_all(const node* map, names keys, const char* way_out)
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
    const char* end = way_out ? way_out : "";
    ((node*)map)->lacks = !all; // nobody else's
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

// "FILE:12: KEY: ", of a key that stands at this value.
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

// The mistake of a key that stands at this value.
static void note(const node* at, const char* key, const char* text, const char* allowed,
                 const char* nearest)
{
    bri_note_mistake(at->in, (br_mistake){.file = at->origin,
                                          .line = at->line,
                                          .column = at->column,
                                          .key = key,
                                          .text = text,
                                          .allowed = allowed,
                                          .nearest = nearest});
}

void bri_node_fail(const node* value, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char* text = bri_pool_vformat(&value->in->memory, format, arguments);
    va_end(arguments);
    note(value, bri_node_path(value), text, "", "");
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

bool bri_node_expect_map(const node* map, names keys)
{
    if (map && map->kind != NODE_MAP) {
        const char* list = bri_text_join(&map->in->memory, keys);
        bri_node_fail_with(map, list, "", "must be a map with the keys %s; got %s", list,
                           bri_node_describe(map));
    }
    return map && map->kind == NODE_MAP;
}

static void fail_unknown(node* child, names keys)
{
    pool* memory = &child->in->memory;
    const char* list = bri_text_join(memory, keys);
    child->meant = bri_text_nearest(child->key, keys);
    bri_node_fail_with(child, list, child->meant ? child->meant : "",
                       "unknown key%s allowed here: %s",
                       bri_text_suggest(memory, child->key, keys, ";"), list);
}

bool bri_node_expect_keys(const node* map, names keys)
{
    if (!bri_node_expect_map(map, keys)) {
        return false;
    }
    for (size_t i = 0; i < map->count; i++) {
        node* child = map->children[i];
        if (!child->is_unknown && bri_text_find(child->key, keys) < 0) {
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

size_t bri_problems(const node* value)
{
    return value->in->problems;
}
