/*
 * Texts: numbers, suggestions, lists of names, and a text that grows.
 */
#ifndef BRISTLE_SCENARIO_TEXT_H
#define BRISTLE_SCENARIO_TEXT_H

#include "bristle/text.h"
#include "scenario/pool.h"

// Result of reading a text as a number.
typedef enum number_verdict { NUMBER_GOOD, NUMBER_NONE, NUMBER_NOT_FINITE } number_verdict;

// Read all of `text` as a decimal number (1e-3, .5, -1), with a point in any locale.
number_verdict bri_text_number(const char* text, double* out);

// Are the texts the same, whatever the case of their letters?
bool bri_text_is_same(const char* a, const char* b);

// Names in a list that ends with NULL.
typedef const char* const* names;

// "a, b, c"
char* bri_text_join(pool* to, names list);

// A file's name without its folder and its suffix: "in_hand" of "scenarios/in_hand.yaml".
char* bri_text_stem(pool* to, const char* path);

// Does `text` end with `suffix`?
bool bri_text_ends_with(const char* text, const char* suffix);

// --- a text that grows ----------------------------------------------------------------------------

typedef struct writer {
    pool* memory;
    char* text; // ended by 0; NULL: nothing yet
    size_t length, capacity;
} writer;

// Append, formatted as by printf.
void bri_write(writer* to, const char* format, ...) BR_PRINTF(2, 3);
void bri_vwrite(writer* to, const char* format, va_list arguments) BR_PRINTF(2, 0);

// A text for callers of the library, to be freed by br_release(): what `write` appends; NULL: there is no memory.
char* bri_write_text(void (*write)(writer* to, const void* user), const void* user);

// The text, "" where nothing has been appended.
const char* bri_written(const writer* from);

#endif
