/*
 * Values of a tree as C values, checked.
 */
#include "scenario/value.h"

#include <string.h>
#include <strings.h>

// Stands in for a number that is wrong or missing.
static const double HARMLESS = 1;

static bool contains(range allowed, double x)
{
    const bool above = allowed.low_open ? x > allowed.low : x >= allowed.low;
    const bool below = allowed.high_open ? x < allowed.high : x <= allowed.high;
    return above && below;
}

// "> 0", "in [0, 1)"
static const char* describe(reading* in, range allowed)
{
    if (isinf(allowed.high)) {
        return bri_format(in, "%s %.15g", allowed.low_open ? ">" : ">=", allowed.low);
    }
    return bri_format(in, "in %c%.15g, %.15g%c", allowed.low_open ? '(' : '[', allowed.low,
                      allowed.high, allowed.high_open ? ')' : ']');
}

static number_verdict read_number(const node* value, double* x)
{
    if (value->is_number || value->reads_number) {
        *x = value->number;
        return isfinite(*x) ? NUMBER_GOOD : NUMBER_NOT_FINITE;
    }
    return value->kind == NODE_SCALAR ? bri_text_number(value->text, x) : NUMBER_NONE;
}

double bri_value_number(const node* value, range allowed)
{
    if (!value) {
        return HARMLESS;
    }
    double x = 0;
    const number_verdict verdict = read_number(value, &x);
    if (verdict == NUMBER_GOOD && contains(allowed, x)) {
        return x;
    }
    if (verdict == NUMBER_GOOD) {
        const char* list = describe(value->in, allowed);
        bri_node_fail_with(value, list, "", "must be %s; got %.15g", list, x);
    } else {
        bri_node_fail(value, "must be a %snumber; got %s", verdict == NUMBER_NONE ? "" : "finite ",
                      bri_node_describe(value));
    }
    return HARMLESS;
}

double bri_value_required(const node* map, const char* key, range allowed)
{
    return bri_value_number(bri_node_require(map, key), allowed);
}

double bri_value_optional(const node* map, const char* key, range allowed, double otherwise)
{
    const node* found = bri_node_find(map, key);
    return found ? bri_value_number(found, allowed) : otherwise;
}

size_t bri_value_count(const node* value, size_t low, size_t high)
{
    if (!value) {
        return low;
    }
    const size_t before = bri_problems(value);
    const double x = bri_value_number(value, RANGE_ANY);
    if (bri_problems(value) != before) {
        return low;
    }
    if (x != floor(x) || x < (double)low || x > (double)high) {
        bri_node_fail_with(value, bri_format(value->in, "%zu to %zu", low, high), "",
                           "must be a whole number from %zu to %zu; got %.15g", low, high, x);
        return low;
    }
    return (size_t)x;
}

const char* bri_value_text(const node* value)
{
    if (!value) {
        return "";
    }
    if (value->kind != NODE_SCALAR || !*value->text) {
        bri_node_fail(value, "must be a text; got %s", bri_node_describe(value));
        return "";
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
    return bri_text_nearest(text, words);
}

static void fail_choice(const node* value, const char* text, names words, names meanings)
{
    const char* meant = *text ? find_meant(text, words, meanings) : NULL;
    const char* list = bri_text_join(&value->in->memory, words);
    bri_node_fail_with(value, list, meant ? meant : "", "must be one of %s; got %s%s", list,
                       bri_node_describe(value),
                       meant ? bri_format(value->in, ": did you mean %s?", meant) : "");
}

int bri_value_choice_meant(const node* value, names words, names meanings)
{
    if (!value) {
        return 0;
    }
    const char* text = value->kind == NODE_SCALAR ? value->text : "";
    const int place = bri_text_find(text, words);
    if (place < 0) {
        fail_choice(value, text, words, meanings);
    }
    return place < 0 ? 0 : place;
}

int bri_value_choice(const node* value, names words)
{
    return bri_value_choice_meant(value, words, NULL);
}

size_t bri_value_list(const node* value, size_t count)
{
    if (!value) {
        return 0;
    }
    if (value->kind != NODE_LIST) {
        bri_node_fail(value, "must be a list; got %s", bri_node_describe(value));
        return 0;
    }
    if (count > 0 && value->count != count) {
        bri_node_fail(value, "must be a list of %zu; got %zu", count, value->count);
        return 0;
    }
    if (value->count == 0) {
        bri_node_fail(value, "must not be an empty list");
    }
    return value->count;
}

double* bri_value_numbers(const node* value, size_t count, range allowed)
{
    const size_t length = bri_value_list(value, count);
    if (length == 0) {
        return NULL;
    }
    double* numbers = bri_allocate(value->in, length, sizeof *numbers);
    bri_value_fill(value, length, allowed, numbers);
    return numbers;
}

void bri_value_fill(const node* value, size_t count, range allowed, double* to)
{
    const size_t length = bri_value_list(value, count);
    for (size_t i = 0; i < length; i++) {
        to[i] = bri_value_number(value->children[i], allowed);
    }
}

bool bri_value_flag(const node* value)
{
    static const char* const words[] = {"false", "true", NULL};
    return bri_value_choice(value, words) == 1;
}
