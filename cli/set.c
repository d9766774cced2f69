/*
 * --set key.path=value: override a value of a YAML tree.
 *
 *     --set law.mu_c=0.5    --set contact.patch.vertices[3][0]=0.1    --set rig.force.values.2=1
 */
#include "set.h"

#include <string.h>

#include "document.h"
#include "memory.h"
#include "message.h"

enum { DEEPEST = 32 };

static const char usage[] = "must read key.path=value, such as law.mu_c=0.5 or vertices[3][0]=0.1";

_Noreturn static void fail(const char* origin, const char* what)
{
    message_fail(EXIT_USAGE, "%s: %s", origin, what);
}

// The entry of a list that `part` names; entries are replaced, not added.
static node* find_entry(const node* list, const char* part, const char* origin)
{
    const bool digits = strspn(part, "0123456789") == strlen(part) && strlen(part) < 10;
    double index = 0;
    if (!digits || text_number(part, &index) != NUMBER_GOOD || index >= (double)list->count) {
        fail(origin,
             memory_format("%s is a list of %zu (0 to %zu): it has no entry %s", node_path(list),
                           list->count, list->count - (list->count > 0), part));
    }
    return list->children[(size_t)index];
}

// The value that `part` names below `from`; made, as an empty map, where it is missing.
static node* step_down(node* from, const char* part, const char* origin)
{
    if (from->kind == NODE_LIST) {
        return find_entry(from, part, origin);
    }
    if (from->kind == NODE_SCALAR) {
        fail(origin, memory_format("%s is %s, not a map: it has no key %s", node_path(from),
                                   node_describe(from), part));
    }
    node* found = node_find(from, part);
    return found ? found : node_create(NODE_MAP, origin, 0, from, memory_format("%s", part));
}

// Cut the next part off a path like "a.b[3].c"; NULL when there is none.
static const char* next_part(char** rest, const char* origin)
{
    char* part = *rest;
    if (!*part) {
        return NULL;
    }
    const bool bracket = *part == '[';
    part += bracket || *part == '.';
    const size_t length = strcspn(part, ".[]");
    *rest = part + length + bracket;
    if (length == 0 || bracket != (part[length] == ']') || !strchr(".[", **rest)) {
        fail(origin, usage);
    }
    return memory_text(part, length);
}

void set_apply(node* root, const char* assignment)
{
    const char* origin = memory_format("--set %s", assignment);
    const char* equals = strchr(assignment, '=');
    if (!equals || equals == assignment || *assignment == '.' || *assignment == '[') {
        fail(origin, usage);
    }
    const char* text = equals[1] ? equals + 1 : "''";
    node* value = document_parse(origin, text, strlen(text), false);

    node* target = root;
    char* rest = memory_text(assignment, (size_t)(equals - assignment));
    int depth = 0;
    for (const char* part; (part = next_part(&rest, origin));) {
        if (++depth > DEEPEST) {
            fail(origin, "nested deeper than 32 levels");
        }
        target = step_down(target, part, origin);
    }
    node_replace(target, value);
}
