/*
 * Tables of keys: what a mapping of a scenario file may hold. One table drives reading and its messages, units, the
 * help, the manual page and the JSON Schema.
 */
#ifndef BRISTLE_SCENARIO_KEYS_H
#define BRISTLE_SCENARIO_KEYS_H

#include "bristle/profile.h"
#include "bristle/scenario.h"
#include "scenario/node.h"

// The kind of a value, and the C type that it is read into; with `maps` it may also be one of these mappings, with
// `words` one of these words.
typedef enum key_kind {
    KEY_NUMBER, // a number in `allowed`; double
    KEY_COUNT,  // a whole number in `allowed`; size_t
    KEY_FLAG,   // true or false; bool
    KEY_WORD,   // one of `words`; int or an enum: its value of `values`, else its position
    KEY_TEXT,   // any text; const char*
    KEY_FILE,   // the name of a file that can be read; const char*, its path
    KEY_NUMBERS, // a list of `count` numbers in `allowed`, double[count]; 0: of any length, number_list
    KEY_ROWS,    // a list of lists of `count` numbers (0: as many as the first has); number_rows
    KEY_PROFILE, // a number in `allowed`, over time; br_profile
    KEY_PROFILES, // a list of `count` of these, or of `maps`, br_profile[count]; 0: of any length, profile_list
    KEY_PATCH,    // a contact patch; patch_input
    KEY_MAP,      // one of `maps`; their struct, or with IS_NEW a pointer to a new one
    KEY_MAPS,     // a list of these; struct_list
    KEY_MAP_EACH, // one of `maps`, or a list of these; struct_list
    KEY_KEYS,     // a map of keys of the scenario, each with a text or a list; sweep_entries
    KEY_TEXTS     // a text with commas, or a list of texts; names
} key_kind;

// Lists, in the memory of the context; {NULL, 0}: not given, or with an error.
typedef struct number_list {
    double* at; // (count)
    size_t count;
} number_list;
typedef struct number_rows {
    double* at; // row by row (rows x columns)
    size_t rows, columns;
} number_rows;
typedef struct profile_list {
    br_profile* at; // (count)
    size_t count;
} profile_list;
typedef struct struct_list {
    void* at; // structs of the mapping (count)
    size_t count;
} struct_list;

typedef struct mapping mapping;

typedef struct map_key {
    const char* name;
    names older; // former names, which are read as this one; NULL: none
    key_kind kind;
    const char* unit; // "": none
    range allowed;
    const char* default_value; // REQUIRED; DEFAULT: what the struct holds; or a text; "": none
    const char* help;          // a line
    size_t at;                 // 1 + its offset in the struct; 0: code reads it, not the table
    bool is_common;            // that struct is the br_scenario
    bool is_tag;               // its word chooses the mapping
    bool is_new;               // KEY_MAP: a pointer to a new struct
    bool is_flag;              // KEY_WORD: of two words, read into a bool
    names words;
    const int* values;          // of the words; NULL: their positions
    names refused;              // pairs of a word that other keys accept and why this one does not
    names meanings;             // pairs of a word that people write and the one that they mean
    const mapping* const* maps; // ended by NULL
    size_t count;
    const char* hint; // follows the error of a list of another length; NULL: none
} map_key;

// A mapping: its name for the help and the schema, its keys, and the struct that it is read into.
struct mapping {
    const char* name;
    const map_key* keys;
    size_t count;
    bool has_law; // the parameters of laws follow, br_law_get_parameter(); the reader requires them

    size_t size;                   // of its struct [bytes]; 0: it has none
    void (*set_default)(void* to); // defaults of keys that are not given; NULL: zeros
    // After its keys: checks and values that depend on several of them. `is_good`: the map has had no error so far.
    void (*finish)(const node* map, void* to, bool is_good);
};

// A text that only the help and the schema print: left out of a program that has neither.
#ifdef BRISTLE_NO_HELP
#define FOR_HELP(text) (0 ? (text) : "")
#else
#define FOR_HELP(text) text
#endif

extern const char bri_required[], bri_default[];
#define REQUIRED bri_required
#define DEFAULT  bri_default

// Ranges of numbers: the ends, and whether each is open.
#define IN_ANY          -HUGE_VAL, HUGE_VAL, true, true
#define IN_POSITIVE     0, HUGE_VAL, true, true
#define IN_NOT_NEGATIVE 0, HUGE_VAL, false, true
#define IN_FRACTION     0, 1, false, true
#define IN(low, high)   low, high, false, false

// A row of a table; the last arguments are AT(), OF_SCENARIO() or BY_HAND(), and further members for the kind.
#define KEY(name_, kind_, unit_, allowed_, default_, help_, ...)                                   \
    {                                                                                              \
        .name = name_, .kind = KEY_##kind_, .unit = unit_, .allowed = {allowed_},                  \
        .default_value = default_, .help = FOR_HELP(help_), __VA_ARGS__                            \
    }
// One without unit and range.
#define PLAIN_KEY(name_, kind_, default_, help_, ...)                                              \
    KEY(name_, kind_, "", IN_ANY, default_, help_, __VA_ARGS__)
// The first key of a mapping, whose word chooses it; TAG_AT() stores `value_`.
#define TAG(name_, word_, help_)                                                                   \
    PLAIN_KEY(name_, WORD, REQUIRED, help_, WORDS(word_), .is_tag = true)
#define TAG_AT(name_, word_, help_, type, field, value_)                                           \
    PLAIN_KEY(name_, WORD, REQUIRED, help_, AT(type, field), WORDS(word_), VALUES(value_),         \
              .is_tag = true)

#define AT(type, field)    .at = offsetof(type, field) + 1
#define OF_SCENARIO(field) AT(br_scenario, field), .is_common = true
// Read by code, not by the table, for this reason; test/scenario/by_hand.sh counts them.
#define BY_HAND(reason) .at = 0
#define IS_NEW          .is_new = true
#define IS_FLAG         .is_flag = true
#define COUNT(n)        .count = n
#define HINT(text)      .hint = text
#define VALUES(...)                                                                                \
    .values = (const int[])                                                                        \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define WORDS(...)   .words = LIST_OF(const char*, __VA_ARGS__)
#define REFUSED(...) .refused = LIST_OF(const char*, __VA_ARGS__)
#define OLDER(...)   .older = LIST_OF(const char*, __VA_ARGS__)
#define MAPS(...)    .maps = LIST_OF(const mapping*, __VA_ARGS__)
#define LIST_OF(type, ...)                                                                         \
    (type const[])                                                                                 \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

// A mapping with its struct, and the two functions, which may be NULL.
#define MAPPING(name_, table, type) MAPPING_OF(name_, table, type, NULL, NULL)
#define MAPPING_OF(name_, table, type, set_default_, finish_)                                      \
    {                                                                                              \
        .name = FOR_HELP(name_), .keys = table, .count = sizeof(table) / sizeof *(table),          \
        .size = sizeof(type), .set_default = set_default_, .finish = finish_                       \
    }
// One without a struct, with the parameters of laws.
#define MAPPING_WITH_LAW(name_, table)                                                             \
    {                                                                                              \
        .name = FOR_HELP(name_), .keys = table, .count = sizeof(table) / sizeof *(table),          \
        .has_law = true                                                                            \
    }

// Must be a map with the keys of the mapping, the required ones included; they are read into the struct `to`, which
// holds the defaults, then `finish` is called. Has it no error?
bool bri_keys_read(const node* map, const mapping* keys, void* to);

// A new struct with the defaults of a mapping.
void* bri_keys_create(pool* memory, const mapping* keys);

// The mapping of a list (ended by NULL) for a map: one without a tag whose first key is in the map; the one of its tag;
// else the last. NULL: an unknown or missing tag, which is noted.
const mapping* bri_keys_choose(const node* map, const mapping* const* maps);

// The mapping whose tag has this word; NULL: none.
const mapping* bri_keys_find_tagged(const mapping* const* maps, const node* word);

// The words of the tags of mappings, ended by NULL, with space for more.
const char** bri_keys_list_tags(pool* memory, const mapping* const* maps);

// Is its value a map, or a list of maps?
bool bri_key_is_map(const map_key* k);

// Parts of bri_keys_read(): no other keys than these; the values of the mapping's struct, or (`is_common`) those of the
// br_scenario `to`.
bool bri_keys_expect(const node* map, const mapping* keys);
void bri_keys_fill(const node* map, const mapping* keys, void* to, bool is_common);

// Has a mapping this key, those of laws aside?
bool bri_keys_have(const mapping* keys, const char* name);

// How many keys there are, the parameters of laws included, and key `index` with its default in words, in `memory`
// where they are not constant.
size_t bri_keys_count(const mapping* keys);
map_key bri_keys_get(const mapping* keys, size_t index, pool* memory);

// The key that has or had this name, of `length` characters, the parameters of laws included; one without a name: there
// is none.
map_key bri_keys_find(const mapping* keys, const char* name, size_t length, pool* memory);

// Mappings without duplicates, in the order in which they were added.
enum { MAX_MAPPINGS = 128 };
typedef struct mapping_list {
    const mapping* at[MAX_MAPPINGS];
    size_t count;
} mapping_list;

// Is a mapping in the list? Add it; false: it was there already.
bool bri_mapping_list_has(const mapping_list* in, const mapping* one);
bool bri_mapping_list_add(mapping_list* to, const mapping* one);

// --- numbers with a unit, "30 deg", "12 mm" -------------------------------------------------------

// They become numbers in the unit of their key (SI) right after a tree is read, so that later code sees only numbers.

// Result of reading a text as a number with a unit.
typedef enum quantity_verdict {
    QUANTITY_NONE, // not a number that is followed by a word
    QUANTITY_GOOD,
    QUANTITY_WRONG // the unit is unknown, or not one of this key
} quantity_verdict;

// Read a text such as "12 mm" as a number in the unit `unit` of a key, "m"; "" and "-": the key has none.
quantity_verdict bri_quantity_read(const char* text, const char* unit, double* out);

// The units that a key with this unit accepts, its own first: "m, km, cm, mm, um"; "" for one that has none.
const char* bri_quantity_list(pool* to, const char* unit);

// The units of keys of a profile that follow the key of the profile: its unit, or that per second.
#define UNIT_OF_KEY      "the key's"
#define UNIT_OF_KEY_BY_S "the key's/s"
bool bri_quantity_follows(const char* unit);

// The unit of key `k` below a key with the unit `above`.
const char* bri_quantity_unit(pool* to, const map_key* k, const char* above);

// The unit of entry `index` of a list with this unit: "rad" of "m, m, rad" and 2.
const char* bri_quantity_entry(pool* to, const char* unit, size_t index);

// Was this number, or one of the list, given with a unit?
bool bri_quantity_is_given(const node* value);

// Replace all quantities by numbers, and older names of keys by the present ones, in a tree that one of `maps` (ended by
// NULL) describes; a unit that a key does not accept is an error.
void bri_quantity_resolve(node* root, const mapping* const* maps);

#endif
