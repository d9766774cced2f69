/*
 * Values of a YAML tree as C values, checked.
 */
#include "value.h"

#include <math.h>
#include <strings.h>

#include "memory.h"

const range RANGE_ANY = {-HUGE_VAL, HUGE_VAL, true, true};
const range RANGE_POSITIVE = {0, HUGE_VAL, true, true};
const range RANGE_NOT_NEGATIVE = {0, HUGE_VAL, false, true};
const range RANGE_FRACTION = {0, 1, false, true};

static bool contains(range allowed, double x)
{
    const bool above = allowed.low_open ? x > allowed.low : x >= allowed.low;
    const bool below = allowed.high_open ? x < allowed.high : x <= allowed.high;
    return above && below;
}

// "> 0", "in [0, 1)"
static const char* describe(range allowed)
{
    if (isinf(allowed.high)) {
        return memory_format("%s %.15g", allowed.low_open ? ">" : ">=", allowed.low);
    }
    return memory_format("in %c%.15g, %.15g%c", allowed.low_open ? '(' : '[', allowed.low,
                         allowed.high, allowed.high_open ? ')' : ']');
}

double value_number(const node* value, range allowed)
{
    double x = 0;
    const number_verdict verdict =
        value->kind == NODE_SCALAR ? text_number(value->text, &x) : NUMBER_NONE;
    if (verdict == NUMBER_NONE) {
        node_fail(value, "must be a number; got %s", node_describe(value));
    }
    if (verdict == NUMBER_NOT_FINITE) {
        node_fail(value, "must be a finite number; got %s", node_describe(value));
    }
    if (!contains(allowed, x)) {
        node_fail(value, "must be %s; got %.15g", describe(allowed), x);
    }
    return x;
}

double value_required(const node* map, const char* key, range allowed)
{
    return value_number(node_require(map, key), allowed);
}

double value_optional(const node* map, const char* key, range allowed, double otherwise)
{
    const node* found = node_find(map, key);
    return found ? value_number(found, allowed) : otherwise;
}

size_t value_count(const node* value, size_t low, size_t high)
{
    const double x = value_number(value, RANGE_ANY);
    if (x != floor(x) || x < (double)low || x > (double)high) {
        node_fail(value, "must be a whole number from %zu to %zu; got %.15g", low, high, x);
    }
    return (size_t)x;
}

const char* value_text(const node* value)
{
    if (value->kind != NODE_SCALAR || !*value->text) {
        node_fail(value, "must be a text; got %s", node_describe(value));
    }
    return value->text;
}

// The word that a text was meant to be, by its meaning or its letters; NULL: who knows.
static const char* find_meant(const char* text, names words, names meanings)
{
    for (names pair = meanings; pair && *pair; pair += 2) {
        if (strcasecmp(text, pair[0]) == 0) {
            return pair[1];
        }
    }
    return text_nearest(text, words);
}

int value_choice_meant(const node* value, names words, names meanings)
{
    const char* text = value->kind == NODE_SCALAR ? value->text : "";
    const int place = text_find(text, words);
    if (place < 0) {
        const char* meant = *text ? find_meant(text, words, meanings) : NULL;
        node_fail(value, "must be one of %s; got %s%s", text_join(words), node_describe(value),
                  meant ? memory_format(": did you mean %s?", meant) : "");
    }
    return place;
}

int value_choice(const node* value, names words)
{
    return value_choice_meant(value, words, NULL);
}

size_t value_list(const node* value, size_t count)
{
    if (value->kind != NODE_LIST) {
        node_fail(value, "must be a list; got %s", node_describe(value));
    }
    if (count > 0 && value->count != count) {
        node_fail(value, "must be a list of %zu; got %zu", count, value->count);
    }
    if (value->count == 0) {
        node_fail(value, "must not be an empty list");
    }
    return value->count;
}

double* value_numbers(const node* value, size_t count, range allowed)
{
    const size_t length = value_list(value, count);
    double* numbers = memory_allocate(length, sizeof *numbers);
    for (size_t i = 0; i < length; i++) {
        numbers[i] = value_number(value->children[i], allowed);
    }
    return numbers;
}

bool value_flag(const node* value)
{
    static const char* const words[] = {"false", "true", NULL};
    return value_choice(value, words) == 1;
}
