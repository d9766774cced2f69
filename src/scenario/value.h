/*
 * Values of a tree as C values, checked. What is wrong is noted with file, line, key; a harmless value stands
 * in for it, and for one that is not there (NULL), whose absence whoever required it has told.
 */
#ifndef BRISTLE_SCENARIO_VALUE_H
#define BRISTLE_SCENARIO_VALUE_H

#include <math.h>

#include "scenario/node.h"

// Which numbers are allowed; the ends belong to it where they are not `open`.
typedef struct range {
    double low, high;
    bool low_open, high_open;
} range;

static const range RANGE_ANY = {-HUGE_VAL, HUGE_VAL, true, true};
static const range RANGE_POSITIVE = {0, HUGE_VAL, true, true};
static const range RANGE_NOT_NEGATIVE = {0, HUGE_VAL, false, true};
static const range RANGE_FRACTION = {0, 1, false, true}; // [0, 1)

// The value as a number in the range.
double bri_value_number(const node* value, range allowed);

// The number of a required key.
double bri_value_required(const node* map, const char* key, range allowed);

// The number of a key that may be missing.
double bri_value_optional(const node* map, const char* key, range allowed, double otherwise);

// The value as a whole number in [low, high].
size_t bri_value_count(const node* value, size_t low, size_t high);

// The value as true or false.
bool bri_value_flag(const node* value);

// The value as text, not empty.
const char* bri_value_text(const node* value);

// The value as one of these words: its place among them.
int bri_value_choice(const node* value, names words);

// The same; `meanings` are pairs of a word that people write and the one of `words` that they mean.
int bri_value_choice_meant(const node* value, names words, names meanings);

// A list of `count` values, or of at least one if `count` is 0; gives the number of them, 0 if it is not
// such a list.
size_t bri_value_list(const node* value, size_t count);

// A list of numbers (bri_value_list()); NULL if it is not such a list.
double* bri_value_numbers(const node* value, size_t count, range allowed);

// A list of `count` numbers into `to`, which stays as it is if it is not such a list.
void bri_value_fill(const node* value, size_t count, range allowed, double* to);

#endif
