/*
 * Small work on texts: numbers, suggestions, lists of names.
 */
#ifndef BRISTLE_SCENARIO_TEXT_H
#define BRISTLE_SCENARIO_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "scenario/pool.h"

// What a text is, read as a number.
typedef enum number_verdict { NUMBER_GOOD, NUMBER_NONE, NUMBER_NOT_FINITE } number_verdict;

// Read all of `text` as a decimal number (1e-3, .5, -1); a point in any locale.
number_verdict bri_text_number(const char* text, double* out);

// Names in a list that ends with NULL.
typedef const char* const* names;

// The name that `word` may have been meant to be, a slip of the pen away or begun; NULL: none is near.
const char* bri_text_nearest(const char* word, names list);

// "; did you mean NAME?", or `otherwise` where no name is near.
const char* bri_text_suggest(pool* to, const char* word, names list, const char* otherwise);

// The place of `word` in the list, or -1.
int bri_text_find(const char* word, names list);

// "a, b, c"
char* bri_text_join(pool* to, names list);

// A file's name without its folder and its suffix: "in_hand" of "scenarios/in_hand.yaml".
char* bri_text_stem(pool* to, const char* path);

// Does `text` end with `suffix`?
bool bri_text_ends_with(const char* text, const char* suffix);

#endif
