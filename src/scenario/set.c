/*
 * --set key.path=value: override a value of a YAML tree.
 *
 *     --set law.mu_c=0.5    --set contact.patch.vertices[3][0]=0.1    --set rig.force.values.2=1
 */
#include "scenario/node.h"

#include <string.h>

enum { DEEPEST = 32 };

static const char usage[] = "must read key.path=value, such as law.mu_c=0.5 or vertices[3][0]=0.1";

// An assignment being applied.
typedef struct assignment {
    parse_context* in;
    const char* origin; // "--set a.b=3"
    bool is_broken;
} assignment;

static void fail(assignment* a, const char* what)
{
    bri_fail_file(a->in, a->origin, 0, "%s", what);
    a->is_broken = true;
}

static bool is_index(const char* part)
{
    return strspn(part, "0123456789") == strlen(part);
}

// The entry of a list that `part` names; entries are replaced, not added.
static node* find_entry(const node* list, const char* part, assignment* a)
{
    double index = 0;
    if (!is_index(part) || strlen(part) > 9 || bri_text_number(part, &index) != NUMBER_GOOD ||
        index >= (double)list->count) {
        fail(a,
             bri_format(a->in, "%s is a list of %zu (0 to %zu): it has no entry %s",
                        bri_node_path(list), list->count, list->count - (list->count > 0), part));
        return NULL;
    }
    return list->children[(size_t)index];
}

// The value that `part` names below `from`; a missing one is created as an empty map.
static node* step_down(node* from, const char* part, assignment* a)
{
    if (from->kind == NODE_LIST) {
        return find_entry(from, part, a);
    }
    if (from->kind == NODE_SCALAR) {
        fail(a, bri_format(a->in, "%s is %s, not a map: it has no key %s", bri_node_path(from),
                           bri_node_describe(from), part));
        return NULL;
    }
    if (is_index(part)) {
        fail(a, bri_format(a->in, "%s is no list here: it has no entry %s; give it whole",
                           bri_node_path(from), part));
        return NULL;
    }
    node* found = bri_node_find(from, part);
    a->in->adds_keys = a->in->adds_keys || !found;
    return found ? found
                 : bri_node_create(a->in, NODE_MAP, a->origin, 0, from,
                                   bri_format(a->in, "%s", part));
}

// Cut the next part off a path like "a.b[3].c"; NULL when there is none.
static const char* next_part(char** rest, assignment* a)
{
    char* part = *rest;
    if (!*part || a->is_broken) {
        return NULL;
    }
    const bool bracket = *part == '[';
    part += bracket || *part == '.';
    const size_t length = strcspn(part, ".[]");
    if (length == 0 || bracket != (part[length] == ']') || !strchr(".[", part[length + bracket])) {
        fail(a, usage);
        return NULL;
    }
    *rest = part + length + bracket;
    return bri_pool_text(&a->in->memory, part, length);
}

// The value that a path names, created where it is missing.
static node* walk(node* root, char* path, assignment* a)
{
    node* target = root;
    int depth = 0;
    for (const char* part; target && (part = next_part(&path, a));) {
        if (++depth > DEEPEST) {
            fail(a, "nested deeper than 32 levels");
            return NULL;
        }
        target = step_down(target, part, a);
    }
    return a->is_broken ? NULL : target;
}

// Cases must not share with their scenario what an override changes.
static void mark_changed(node* at)
{
    for (; at && !at->is_changed; at = at->parent) {
        at->is_changed = true;
    }
}

void bri_set_value(node* root, const br_override* value)
{
    parse_context* in = root->in;
    const char* text = value->text ? value->text : bri_format(in, "%.15g", value->number);
    assignment a = {in, bri_format(in, "--set %s=%s", value->key, text), false};
    node* target = walk(root, bri_pool_text(&in->memory, value->key, strlen(value->key)), &a);
    if (!target) {
        return;
    }
    node* fresh = bri_node_create(in, NODE_SCALAR, a.origin, 0, NULL, NULL);
    fresh->text = text;
    fresh->is_number = !value->text;
    fresh->number = value->number;
    bri_node_replace(target, fresh);
    mark_changed(fresh);
}

void bri_set_apply(node* root, const char* text)
{
    parse_context* in = root->in;
    assignment a = {in, bri_format(in, "--set %s", text), false};
    const char* equals = strchr(text, '=');
    if (!equals || equals == text || *text == '.' || *text == '[') {
        fail(&a, usage);
        return;
    }
    const char* given = equals[1] ? equals + 1 : "''";
    node* value = bri_document_parse_value(in, a.origin, given);
    char* path = bri_pool_text(&in->memory, text, (size_t)(equals - text));
    node* target = value ? walk(root, path, &a) : NULL;
    if (target) {
        bri_node_replace(target, value);
    }
}
