/*
 * Values of a YAML tree as C values, checked. What is wrong ends the command with file, line, key.
 */
#ifndef CLI_VALUE_H
#define CLI_VALUE_H

#include "node.h"

// Which numbers are allowed; the ends belong to it where they are not `open`.
typedef struct range {
    double low, high;
    bool low_open, high_open;
} range;

extern const range RANGE_ANY;
extern const range RANGE_POSITIVE;     // > 0
extern const range RANGE_NOT_NEGATIVE; // >= 0
extern const range RANGE_FRACTION;     // [0, 1)

// The value as a number in the range.
double value_number(const node* value, range allowed);

// The number of a required key.
double value_required(const node* map, const char* key, range allowed);

// The number of a key that may be missing.
double value_optional(const node* map, const char* key, range allowed, double otherwise);

// The value as a whole number in [low, high].
size_t value_count(const node* value, size_t low, size_t high);

// The value as true or false.
bool value_flag(const node* value);

// The value as text, not empty.
const char* value_text(const node* value);

// The value as one of these words: its place among them.
int value_choice(const node* value, names words);

// The same; `meanings` are pairs of a word that people write and the one of `words` that they mean.
int value_choice_meant(const node* value, names words, names meanings);

// A list of `count` values, or of at least one if `count` is 0; gives the number of them.
size_t value_list(const node* value, size_t count);

// A list of numbers, as value_list().
double* value_numbers(const node* value, size_t count, range allowed);

#endif
