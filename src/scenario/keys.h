/*
 * Tables of keys: what a mapping of a scenario file may hold. One table drives reading and its messages, the
 * help, the manual page and the JSON Schema.
 */
#ifndef BRISTLE_SCENARIO_KEYS_H
#define BRISTLE_SCENARIO_KEYS_H

#include "scenario/value.h"

// What a value is; with `maps` it may also be one of these mappings, with `words` one of these words.
typedef enum key_kind {
    KEY_NUMBER,   // a number in `allowed`; read into a double
    KEY_COUNT,    // a whole number in `allowed`; size_t
    KEY_FLAG,     // true or false; bool
    KEY_WORD,     // one of `words`; int, its place
    KEY_TEXT,     // any text
    KEY_FILE,     // the name of a file
    KEY_NUMBERS,  // a list of `count` numbers in `allowed` (0: of any length); double[count]
    KEY_ROWS,     // a list of lists of `count` numbers (0: of any length)
    KEY_PROFILE,  // a number in `allowed`, over time
    KEY_PROFILES, // a list of `count` of these (0: of any length)
    KEY_MAP,      // one of `maps`
    KEY_MAPS,     // a list of these
    KEY_MAP_EACH, // one of `maps`, or a list of these
    KEY_KEYS,     // a map of keys of the scenario, each with a text or a list
    KEY_TEXTS     // a text, or a list of texts
} key_kind;

typedef struct mapping mapping;

typedef struct map_key {
    const char* name;
    key_kind kind;
    const char* unit; // "" for what has none
    range allowed;
    const char*
        otherwise;    // REQUIRED; or the default, in words where it is no number; "": there is none
    const char* help; // a line
    size_t at;        // 1 + where in a struct it is read to; 0: read by hand
    names words;
    const mapping* const* maps; // ended by NULL
    size_t count;
} map_key;

// A mapping: its name for the help and the schema, and its keys.
struct mapping {
    const char* name;
    const map_key* keys;
    size_t count;
    bool
        has_law; // after these the parameters of laws, br_law_get_parameter(), which whoever reads them requires
};

// What only the help and the schema tell: stays out of a program that has neither.
#ifdef BRISTLE_NO_HELP
#define FOR_HELP(text) (0 ? (text) : "")
#else
#define FOR_HELP(text) text
#endif

extern const char bri_required[];
#define REQUIRED bri_required

#define IN_ANY                                                                                     \
    {                                                                                              \
        -HUGE_VAL, HUGE_VAL, true, true                                                            \
    }
#define IN_POSITIVE                                                                                \
    {                                                                                              \
        0, HUGE_VAL, true, true                                                                    \
    }
#define IN_NOT_NEGATIVE                                                                            \
    {                                                                                              \
        0, HUGE_VAL, false, true                                                                   \
    }
#define IN_FRACTION                                                                                \
    {                                                                                              \
        0, 1, false, true                                                                          \
    }
#define IN(low, high)                                                                              \
    {                                                                                              \
        low, high, false, false                                                                    \
    }

// A row of a table; the last arguments are AT() or BY_HAND, and WORDS(), MAPS(), COUNT() where they are needed.
#define KEY(name_, kind_, unit_, allowed_, otherwise_, help_, ...)                                 \
    {                                                                                              \
        .name = name_, .kind = KEY_##kind_, .unit = unit_, .allowed = allowed_,                    \
        .otherwise = otherwise_, .help = FOR_HELP(help_), __VA_ARGS__                              \
    }
#define AT(type, field) .at = offsetof(type, field) + 1
#define BY_HAND         .at = 0
#define WORDS(...)                                                                                 \
    .words = (const char* const[])                                                                 \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }
#define MAPS(...)                                                                                  \
    .maps = (const mapping* const[])                                                               \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }
#define COUNT(n) .count = n

#define MAPPING(name_, table)                                                                      \
    {                                                                                              \
        FOR_HELP(name_), table, sizeof(table) / sizeof *(table), false                             \
    }
#define MAPPING_WITH_LAW(name_, table)                                                             \
    {                                                                                              \
        FOR_HELP(name_), table, sizeof(table) / sizeof *(table), true                              \
    }

// Must be a map with the keys of the mapping, all that are required among them; what is not read by hand is read
// into the struct `to` (NULL: there is nothing to be read), defaults that are numbers, flags or words included.
// `way_out` as in bri_node_require_all(). Is all of it good?
bool bri_keys_read(const node* map, const mapping* keys, void* to);

// Parts of it: no other keys than these; the required ones; the values.
bool bri_keys_expect(const node* map, const mapping* keys);
bool bri_keys_require(const node* map, const mapping* keys, const char* way_out);
void bri_keys_fill(const node* map, const mapping* keys, void* to);

// How many keys there are, the parameters of laws included, and key `index`, whose texts are in `memory` where
// they are not constant.
size_t bri_keys_count(const mapping* keys);
map_key bri_keys_get(const mapping* keys, size_t index, pool* memory);

#endif
