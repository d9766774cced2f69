/*
 * The tree of a YAML file: making it, walking it, naming its places.
 */
#include "node.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "memory.h"
#include "message.h"

enum { MOST_REQUIRED = 16 };

static void append(node* parent, node* child)
{
    if (parent->count == parent->capacity) {
        parent->capacity = parent->capacity ? 2 * parent->capacity : 4;
        parent->children =
            memory_grow(parent->children, parent->capacity, sizeof *parent->children);
    }
    child->index = parent->count;
    parent->children[parent->count++] = child;
}

node* node_create(node_kind kind, const char* origin, size_t line, node* parent, const char* key)
{
    node* fresh = memory_allocate(1, sizeof *fresh);
    fresh->kind = kind;
    fresh->origin = origin;
    fresh->line = line;
    fresh->parent = parent;
    fresh->key = key;
    if (parent) {
        append(parent, fresh);
    }
    return fresh;
}

void node_replace(node* old, node* fresh)
{
    fresh->parent = old->parent;
    fresh->key = old->key;
    fresh->index = old->index;
    if (old->parent) {
        old->parent->children[old->index] = fresh;
    }
}

node* node_find(const node* map, const char* key)
{
    for (size_t i = 0; i < map->count; i++) {
        if (map->children[i]->key && strcmp(map->children[i]->key, key) == 0) {
            return map->children[i];
        }
    }
    return NULL;
}

node* node_require(const node* map, const char* key)
{
    node* found = node_find(map, key);
    if (!found) {
        node_fail_field(map, key, "is missing and has no default");
    }
    return found;
}

void node_require_all(const node* map, names keys, const char* way_out)
{
    const char* missing[MOST_REQUIRED + 1] = {NULL};
    size_t count = 0;
    for (; *keys && count < MOST_REQUIRED; keys++) {
        if (!node_find(map, *keys)) {
            missing[count++] = *keys;
        }
    }
    const char* end = way_out ? way_out : "";
    if (count == 1) {
        node_fail_field(map, missing[0], memory_format("is missing and has no default%s", end));
    }
    if (count > 1) {
        node_fail(map, "%s are missing and have no default%s", text_join(missing), end);
    }
}

char* node_path(const node* value)
{
    if (!value->parent) {
        return memory_format("%s", "");
    }
    const char* above = node_path(value->parent);
    if (!value->key) {
        return memory_format("%s[%zu]", above, value->index);
    }
    return memory_format("%s%s%s", above, *above ? "." : "", value->key);
}

const char* node_file(const node* value)
{
    while (value->parent) {
        value = value->parent;
    }
    return value->origin;
}

// "FILE:12", or "--set a.b=3"
static char* place(const node* value)
{
    return value->line ? memory_format("%s:%zu", value->origin, value->line)
                       : memory_format("%s", value->origin);
}

char* node_place(const node* value)
{
    const char* path = node_path(value);
    return memory_format("%s: %s%s", place(value), path, *path ? ": " : "");
}

void node_fail(const node* value, const char* format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    message_fail(EXIT_USAGE, "%s%s", node_place(value), text);
}

// One step of a path like "a.b[3].c": the child that its first part names. Moves `path` behind it.
static const node* step_down(const node* from, const char** path)
{
    char part[128];
    const size_t length = strcspn(*path, ".[]");
    snprintf(part, sizeof part, "%.*s", (int)length, *path);
    *path += length + strspn(*path + length, ".[]");

    double index;
    if (from->kind == NODE_LIST && text_number(part, &index) == NUMBER_GOOD) {
        return index >= 0 && index < (double)from->count ? from->children[(size_t)index] : NULL;
    }
    return node_find(from, part);
}

void node_fail_field(const node* map, const char* field, const char* text)
{
    // as far down as the file goes
    const node* nearest = map;
    for (const char* rest = field; *rest;) {
        const node* next = step_down(nearest, &rest);
        if (!next) {
            break;
        }
        nearest = next;
    }
    const char* above = node_path(map);
    message_fail(EXIT_USAGE, "%s: %s%s%s%s%s", place(nearest), above, *above && *field ? "." : "",
                 field, *above || *field ? ": " : "", text);
}

void node_expect_keys(const node* map, names keys)
{
    if (map->kind != NODE_MAP) {
        node_fail(map, "must be a map with the keys %s; got %s", text_join(keys),
                  node_describe(map));
    }
    for (size_t i = 0; i < map->count; i++) {
        const char* key = map->children[i]->key;
        if (text_find(key, keys) < 0) {
            node_fail(map->children[i], "unknown key%s allowed here: %s",
                      text_suggest(key, keys, ";"), text_join(keys));
        }
    }
}

const char* node_describe(const node* value)
{
    if (value->kind == NODE_LIST) {
        return "a list";
    }
    if (value->kind == NODE_MAP) {
        return "a map";
    }
    return *value->text ? memory_format("\"%.60s\"", value->text) : "nothing";
}
