/*
 * Small work on texts: numbers, suggestions, lists of names.
 */
#ifndef CLI_TEXT_H
#define CLI_TEXT_H

#include <stdbool.h>
#include <stddef.h>

// What a text is, read as a number.
typedef enum number_verdict { NUMBER_GOOD, NUMBER_NONE, NUMBER_NOT_FINITE } number_verdict;

// Read all of `text` as a decimal number (1e-3, .5, -1); a point in any locale.
number_verdict text_number(const char* text, double* out);

// Names in a list that ends with NULL.
typedef const char* const* names;

// The name nearest to `word` by edits, for "did you mean"; NULL only for an empty list.
const char* text_nearest(const char* word, names list);

// The place of `word` in the list, or -1.
int text_find(const char* word, names list);

// "a, b, c"
char* text_join(names list);

// Does `text` end with `suffix`?
bool text_ends_with(const char* text, const char* suffix);

#endif
