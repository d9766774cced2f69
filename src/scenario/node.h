/*
 * The tree of a scenario: every value knows its line and its full key, so every message can name them.
 *
 * What is wrong is noted with the reading (reading.h), and reading goes on: functions that find something
 * take NULL for a value that is not there, or not what it should be, and give NULL.
 */
#ifndef BRISTLE_SCENARIO_NODE_H
#define BRISTLE_SCENARIO_NODE_H

#include <stdbool.h>
#include <stddef.h>

#include "scenario/reading.h"
#include "scenario/text.h"

typedef enum node_kind { NODE_SCALAR, NODE_LIST, NODE_MAP } node_kind;

// A value of a file or of an override.
typedef struct node {
    reading* in;
    node_kind kind;
    const char* origin; // the file, or "--set key=value"
    size_t line;        // in the file, from 1; 0: none
    size_t column;      // in that line, from 1; 0: none
    struct node* parent;
    const char* key;   // its name where the parent is a map, else NULL
    size_t index;      // its place in the parent
    const char* text;  // of a scalar
    bool is_number;    // a scalar that never was a text:
    bool reads_number; // or one whose text is a finite number:
    double number;     // its value
    const char* meant; // the key that an unknown one may have been meant to be; NULL: none
    bool is_unknown;   // its key has been told to be unknown
    bool lacks;        // a map whose missing keys have been told
    const struct node*
        base; // of a case: the value of the scenario that it is; NULL elsewhere, and of overrides
    bool is_changed; // of a case: an override stands here or below
    struct node** children;
    size_t count;    // of children
    size_t capacity; // of `children`
} node;

// A new value below `parent` (NULL: the root); `key` is NULL in a list.
node* bri_node_create(reading* in, node_kind kind, const char* origin, size_t line, node* parent,
                      const char* key);

// Put `fresh` where `old` is; `fresh` takes its name and place.
void bri_node_replace(node* old, node* fresh);

// A copy of a tree for another reading.
node* bri_node_copy(reading* in, const node* from, node* parent);

// The same for a case: texts are borrowed, `base` is set; a key `but` at the top is left out.
node* bri_node_share(reading* in, const node* from, const char* but);

// The value of `key` in a map, NULL if it is not there.
node* bri_node_find(const node* map, const char* key);

// The value of `key` in a map; if it is not there, that is a mistake.
node* bri_node_require(const node* map, const char* key);

// All of these keys must be there: the mistake names every one that is not. `way_out` may add what else
// would do, "; or ..."; NULL: nothing. Are they all there?
bool bri_node_require_all(const node* map, names keys, const char* way_out);

// Is there an unknown key that may have been meant to be one of these? Then it has been told.
bool bri_node_is_misspelt(const node* map, names keys);

// The root of its tree.
const node* bri_node_root(const node* value);

// The full key: "contact.patch.radius", "vertices[3]".
char* bri_node_path(const node* value);

// The file that the tree came from.
const char* bri_node_file(const node* value);

// Where it stands, for messages: "FILE:12: law.mu_c: ", or "--set law.mu_c=1: law.mu_c: ". The second in other
// memory than the tree's, as it is in use by many.
char* bri_node_place(const node* value);
char* bri_node_place_in(pool* to, const node* value);

// The same of a field below `map` such as "vertices[3]" or "pressure.k", as the library names them; where it
// is not in the file, the nearest value around it gives the line.
char* bri_node_field_place_in(pool* to, const node* map, const char* field);

// Note a mistake of this value.
void bri_node_fail(const node* value, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

// The same, with what is allowed and what may have been meant ("" each: nothing to say).
void bri_node_fail_with(const node* value, const char* allowed, const char* nearest,
                        const char* format, ...) __attribute__((format(printf, 4, 5)));

// The same for a field below `map`, see bri_node_field_place_in().
void bri_node_fail_field(const node* map, const char* field, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

// Must be a map with no other keys than these: others are mistakes with a suggestion. Is it a map?
bool bri_node_expect_keys(const node* map, names keys);

// Must be a map, which has `keys`; is it?
bool bri_node_expect_map(const node* map, names keys);

// "a list", "nothing", ... for messages.
const char* bri_node_describe(const node* value);

// How many mistakes were found so far, those that are told once but were met again included: where the
// number has not grown, all of what was read in between is good.
size_t bri_problems(const node* value);

#endif
