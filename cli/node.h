/*
 * The tree of a YAML file: every value knows its line and its full key, so every message can name
 * them.
 */
#ifndef CLI_NODE_H
#define CLI_NODE_H

#include <stdbool.h>
#include <stddef.h>

#include "text.h"

typedef enum node_kind { NODE_SCALAR, NODE_LIST, NODE_MAP } node_kind;

// A value of a YAML file or of --set.
typedef struct node {
    node_kind kind;
    const char* origin; // the file, or "--set key=value"
    size_t line;        // in the file, from 1; 0 for --set
    struct node* parent;
    const char* key;  // its name where the parent is a map, else NULL
    size_t index;     // its place in the parent
    const char* text; // of a scalar
    struct node** children;
    size_t count;    // of children
    size_t capacity; // of `children`
} node;

// A new value below `parent` (NULL: the root); `key` is NULL in a list.
node* node_create(node_kind kind, const char* origin, size_t line, node* parent, const char* key);

// Put `fresh` where `old` is; `fresh` takes its name and place.
void node_replace(node* old, node* fresh);

// The value of `key` in a map, NULL if it is not there.
node* node_find(const node* map, const char* key);

// The value of `key` in a map; if it is not there, that is an error.
node* node_require(const node* map, const char* key);

// All of these keys must be there: an error names every one that is not. `way_out` may add what else
// would do, "; or ..."; NULL: nothing.
void node_require_all(const node* map, names keys, const char* way_out);

// The full key: "contact.patch.radius", "vertices[3]".
char* node_path(const node* value);

// The YAML file that the tree came from.
const char* node_file(const node* value);

// Where it stands, for messages: "FILE:12: law.mu_c: ", or "--set law.mu_c=1: law.mu_c: ".
char* node_place(const node* value);

// Say `FILE:LINE: KEY: ...` and end the command with EXIT_USAGE.
_Noreturn void node_fail(const node* value, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

// The same for a field below `map` such as "vertices[3]" or "pressure.k", as the library names
// them; where it is not in the file, the nearest value around it gives the line.
_Noreturn void node_fail_field(const node* map, const char* field, const char* text);

// Must be a map with no other keys than these: others are errors with a suggestion.
void node_expect_keys(const node* map, names keys);

// "a number", "a list", ... for messages.
const char* node_describe(const node* value);

#endif
