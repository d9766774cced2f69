/*
 * The tree of a scenario: every value has its line and its full key, so that every message can name them.
 *
 * Errors are noted in the context (parse_context.h), and reading goes on: functions that look for a value accept NULL,
 * for a value that is missing or of the wrong kind, and return NULL.
 */
#ifndef BRISTLE_SCENARIO_NODE_H
#define BRISTLE_SCENARIO_NODE_H

#include <math.h>

#include "scenario/parse_context.h"
#include "scenario/text.h"

typedef enum node_kind { NODE_SCALAR, NODE_LIST, NODE_MAP } node_kind;

// A value of a file or of an override.
typedef struct node {
    parse_context* in;
    node_kind kind;
    const char* origin; // the file, or "--set key=value"
    size_t line;        // in the file, from 1; 0: none
    size_t column;      // in that line, from 1; 0: none
    struct node* parent;
    const char* key;   // its name where the parent is a map, else NULL
    size_t index;      // its position in the parent
    const char* text;  // of a scalar
    bool is_number;    // a scalar that never was a text:
    bool reads_number; // or one whose text is a finite number:
    double number;     // its value
    const char* meant; // the known key that an unknown one resembles; NULL: none
    bool is_unknown;   // its key has been reported as unknown
    bool lacks;        // a map whose missing keys have been reported
    const struct node*
        base;            // of a case: the value of its scenario; NULL elsewhere, and of overrides
    bool is_changed;     // of a case: this value or one below is an override
    cached_model* cache; // models that were built from it (model_cache.c)
    struct node** children;
    size_t count;    // of children
    size_t capacity; // of `children`
} node;

// --- trees ----------------------------------------------------------------------------------------

// A new value below `parent` (NULL: the root); `key` is NULL in a list.
node* bri_node_create(parse_context* in, node_kind kind, const char* origin, size_t line,
                      node* parent, const char* key);

// Replace `old` by `fresh`, which gets its name and position.
void bri_node_replace(node* old, node* fresh);

// A copy of a tree for another context, below `parent` (NULL: the root).
node* bri_node_copy(parse_context* in, const node* from, node* parent);

// The same for a case: texts are borrowed, `base` is set; the key `but` at the top is left out.
node* bri_node_share(parse_context* in, const node* from, const char* but);

// Remove a child (NULL: none) from a map.
void bri_node_leave_out(node* map, const node* child);

// Do two trees have the same contents, wherever they are?
bool bri_node_is_equal(const node* a, const node* b);

// The tree of a YAML file; of a YAML text that must be a map, with `name` in place of the file; and of the value of an
// option, whose name in messages is `origin`. NULL: with errors. A build without libyaml (document_absent.c) reads no
// texts.
node* bri_document_read(parse_context* in, const char* path);
node* bri_document_read_text(parse_context* in, const char* name, const char* text, size_t length);
node* bri_document_parse_value(parse_context* in, const char* origin, const char* text);

// Does this build read YAML?
bool bri_document_is_known(void);

// A copy of a tree that the caller built; NULL: with errors.
node* bri_tree_read(parse_context* in, const char* name, const br_tree* tree);

// Apply one "key.path=value" of --set; missing maps are created. An impossible path is an error.
void bri_set_apply(node* root, const char* assignment);

// Set a key to a number or a word alike. For cases: everything above it is marked as changed.
void bri_set_value(node* root, const br_override* value);

// Older words of files, which `bristle upgrade` rewrites. Give a value the newer name of its key (OLDER() in tables of
// keys). If the map has both names, an override has precedence and the other value is removed; without an override that
// is an error. Is the value still there?
bool bri_rename(node* value, const char* newer);

// Note the older names of functions in a formula, which are read all the same.
void bri_rename_functions(const node* formula);

// --- finding --------------------------------------------------------------------------------------

// The value of `key` in a map, NULL if it is not there.
node* bri_node_find(const node* map, const char* key);

// The value of `key` in a map; if it is not there, that is an error.
node* bri_node_require(const node* map, const char* key);

// All of these keys must be there: one error lists those that are missing. `remedy` is appended to it, "; or ...";
// NULL: nothing. Are they all there?
bool bri_node_require_all(const node* map, names keys, const char* remedy);

// Has an unknown key been reported that resembles one of these?
bool bri_node_is_misspelt(const node* map, names keys);

// The root of its tree.
const node* bri_node_root(const node* value);

// The full key: "contact.patch.radius", "vertices[3]".
char* bri_node_path(const node* value);

// The file that the tree came from.
const char* bri_node_file(const node* value);

// The location for messages: "FILE:12: law.mu_c: ", or "--set law.mu_c=1: law.mu_c: ". The second allocates in `to`, for
// trees that several threads use.
char* bri_node_place(const node* value);
char* bri_node_place_in(pool* to, const node* value);

// The same for a field below `map` such as "vertices[3]" or "pressure.k", as the library names them; the nearest value
// around a field that is not in the file gives the line.
char* bri_node_field_place_in(pool* to, const node* map, const char* field);

// --- errors ---------------------------------------------------------------------------------------

// Note an error of this value; the second with the allowed values and the nearest of them ("" each: none).
#define bri_node_fail(value, ...) bri_node_fail_with(value, "", "", __VA_ARGS__)
void bri_node_fail_with(const node* value, const char* allowed, const char* nearest,
                        const char* format, ...) BR_PRINTF(4, 5);

// The same for a field below `map`, see bri_node_field_place_in().
void bri_node_fail_field(const node* map, const char* field, const char* format, ...)
    BR_PRINTF(3, 4);

// The result of a function of the library that took its arguments from `map`: note its error. Is it BR_OK? Does not
// return if there was no memory.
bool bri_node_accept(const node* map, br_status status, const br_reason* why);

// Must be a map with no other keys than these: others are errors with a suggestion. Is it a map?
bool bri_node_expect_keys(const node* map, names keys);

// "a list", "nothing", ... for messages.
const char* bri_node_describe(const node* value);

// Is there a value of this key in a map without an error of its own?
bool bri_node_is_good(const node* map, const char* key);

// The number of errors so far, repeated ones included: where it has not grown, all that was read in between is good.
size_t bri_problems(const node* value);

// --- values, checked ------------------------------------------------------------------------------

// Errors are noted with file, line and key, and a harmless value is returned, also for one that is missing (NULL),
// which the caller has reported if it is required.

// Which numbers are allowed; the ends are included where they are not `open`.
typedef struct range {
    double low, high;
    bool low_open, high_open;
} range;

static const range RANGE_ANY = {-HUGE_VAL, HUGE_VAL, true, true};
static const range RANGE_POSITIVE = {0, HUGE_VAL, true, true};
static const range RANGE_NOT_NEGATIVE = {0, HUGE_VAL, false, true};

// "> 0", "in [0, 1)"; "" for any number.
const char* bri_range_describe(pool* to, range allowed);

// Is it the infinity of YAML, ".inf", or a number that is infinite?
bool bri_value_is_infinite(const node* value);

// The value as a number in the range.
double bri_value_number(const node* value, range allowed);

// The number of an optional key.
double bri_value_optional(const node* map, const char* key, range allowed, double default_value);

// The value as a whole number in [low, high].
size_t bri_value_count(const node* value, size_t low, size_t high);

// The value as true or false.
bool bri_value_flag(const node* value);

// Is it a number that was given without a unit? One with a unit is taken as it is; `x` gets both.
bool bri_value_is_plain(const node* value, double* x);

// Warn if an angle [rad] is more than a turn: it is most likely in degrees.
void bri_value_warn_of_degrees(const node* value);

// Warn if a coefficient of friction is most likely in percent; `value` may be NULL. Was there a warning?
bool bri_value_warn_of_percent(const node* value);

// The value as text, not empty.
const char* bri_value_text(const node* value);

// The path of the file that it names, beside its own file or in the current folder; NULL where it cannot be read.
const char* bri_value_file(const node* value);

// The value as one of these words: its position among them. `meanings` (NULL: none) are pairs of a word that people
// write and the one of `words` that they mean.
int bri_value_choice(const node* value, names words, names meanings);

// The word of a required key of a map. Where it is missing, the error lists the words.
int bri_value_required_choice(const node* map, const char* key, names words);

// A list of `count` values, or of at least one if `count` is 0; returns their number, 0 if it is not such a list.
size_t bri_value_list(const node* value, size_t count);

// A list of numbers (bri_value_list()); NULL if it is not such a list.
double* bri_value_numbers(const node* value, size_t count, range allowed);

// A list of `count` numbers into `to`, which stays as it is if it is not such a list.
void bri_value_fill(const node* value, size_t count, range allowed, double* to);

#endif
