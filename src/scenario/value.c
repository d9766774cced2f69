/*
 * Values of a tree as C values, checked.
 */
#include "scenario/node.h"

#include <string.h>

#include "scenario/source.h"

// Replaces a number that is wrong or missing.
static const double HARMLESS = 1;

static bool contains(range allowed, double x)
{
    const bool above = allowed.low_open ? x > allowed.low : x >= allowed.low;
    const bool below = allowed.high_open ? x < allowed.high : x <= allowed.high;
    return above && below;
}

const char* bri_range_describe(pool* to, range r)
{
    if (isinf(r.low)) {
        return "";
    }
    if (isinf(r.high)) {
        return bri_pool_format(to, "%s %.15g", r.low_open ? ">" : ">=", r.low);
    }
    return bri_pool_format(to, "in %c%.15g, %.15g%c", r.low_open ? '(' : '[', r.low, r.high,
                           r.high_open ? ')' : ']');
}

static number_verdict read_number(const node* value, double* x)
{
    if (value->is_number || value->reads_number) {
        *x = value->number;
        return isfinite(*x) ? NUMBER_GOOD : NUMBER_NOT_FINITE;
    }
    return value->kind == NODE_SCALAR ? bri_text_number(value->text, x) : NUMBER_NONE;
}

bool bri_value_is_infinite(const node* value)
{
    if (value->is_number || value->reads_number) {
        return value->number == HUGE_VAL;
    }
    return value->kind == NODE_SCALAR && bri_text_is_same(value->text, ".inf");
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
        const char* list = bri_range_describe(&value->in->memory, allowed);
        bri_node_fail_with(value, list, "", "must be %s; got %.15g", list, x);
    } else {
        bri_node_fail(value, "must be a %snumber; got %s", verdict == NUMBER_NONE ? "" : "finite ",
                      bri_node_describe(value));
    }
    return HARMLESS;
}

double bri_value_optional(const node* map, const char* key, range allowed, double default_value)
{
    const node* found = bri_node_find(map, key);
    return found ? bri_value_number(found, allowed) : default_value;
}

bool bri_value_is_plain(const node* value, double* x)
{
    double alone;
    return value && read_number(value, x) == NUMBER_GOOD &&
           (!value->is_number || !value->text ||
            bri_text_number(value->text, &alone) == NUMBER_GOOD);
}

void bri_value_warn_of_degrees(const node* value)
{
    const double turn = 6.283185307179586;
    double x = 0;
    if (bri_value_is_plain(value, &x) && fabs(x) > turn && bri_may_warn(value->in)) {
        bri_warn(value->in,
                 "%s%.6g rad is %.3g turns: angles are in radians; for degrees write %.6g deg",
                 bri_node_place(value), x, fabs(x) / turn, x);
    }
}

bool bri_value_warn_of_percent(const node* value)
{
    const double most = 5;
    double x = 0;
    if (!bri_value_is_plain(value, &x) || !(x > most)) {
        return false;
    }
    bri_warn(value->in, "%s%.6g: dry friction has about 0.1 to 1.5; did you mean %.6g?",
             bri_node_place(value), x, 0.01 * x);
    return true;
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

// The word that a text was meant to be, by its meaning or its letters; NULL: not known.
static const char* find_meant(const char* text, names words, names meanings)
{
    for (names pair = meanings; pair && *pair; pair += 2) {
        if (bri_text_is_same(text, pair[0])) {
            return pair[1];
        }
    }
    return br_text_find_nearest(text, words);
}

static void fail_choice(const node* value, const char* text, names words, names meanings)
{
    const char* meant = *text ? find_meant(text, words, meanings) : NULL;
    const char* list = bri_text_join(&value->in->memory, words);
    bri_node_fail_with(value, list, meant ? meant : "", "must be one of %s; got %s%s", list,
                       bri_node_describe(value),
                       meant ? bri_format(value->in, ": did you mean %s?", meant) : "");
}

int bri_value_choice(const node* value, names words, names meanings)
{
    if (!value) {
        return 0;
    }
    const char* text = value->kind == NODE_SCALAR ? value->text : "";
    const int index = br_text_find(text, words);
    if (index < 0) {
        fail_choice(value, text, words, meanings);
    }
    return index < 0 ? 0 : index;
}

int bri_value_required_choice(const node* map, const char* key, names words)
{
    const char* const keys[] = {key, NULL};
    const node* found = bri_node_find(map, key);
    if (map && !found && !map->lacks) {
        bri_node_require_all(
            map, keys,
            bri_format(map->in, "; must be one of %s", bri_text_join(&map->in->memory, words)));
    }
    return bri_value_choice(found, words, NULL);
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
    return bri_value_choice(value, words, NULL) == 1;
}

const char* bri_value_file(const node* value)
{
    const char* name = bri_value_text(value);
    if (!*name) {
        return NULL;
    }
    const char* path = bri_source_beside(value->in, bri_node_file(value), name);
    const char* why;
    if (!bri_stream_is_readable(path, &why)) {
        bri_node_fail(value, "cannot read %s: %s", path, why);
        return NULL;
    }
    return path;
}
