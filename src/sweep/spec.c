/*
 * The values that a key takes.
 */
#include "sweep/spec.h"

#include <math.h>
#include <string.h>

#include "scenario/read_sweep.h"
#include "sweep/random.h"

enum { MOST_PARTS = 4, MOST_VALUES = 1000000000 };

static void fail(reading* in, const char* what, const char* text, const char* allowed)
{
    bri_fail_file(in, what, 0, "%s: must be %s", text, allowed);
}

// --- lists ----------------------------------------------------------------------------------------

// Without spaces around it, and quotes.
static char* trim(reading* in, const char* word)
{
    word += strspn(word, " \t");
    size_t length = strlen(word);
    while (length > 0 && strchr(" \t", word[length - 1])) {
        length--;
    }
    if (length >= 2 && strchr("'\"", word[0]) && word[length - 1] == word[0]) {
        word++;
        length -= 2;
    }
    return bri_pool_text(&in->memory, word, length);
}

static spec read_list(reading* in, const char* what, const char* text)
{
    const size_t length = strlen(text);
    names parts = bri_sweep_split(&in->memory, bri_pool_text(&in->memory, text + 1, length - 2));
    size_t count = 0;
    while (parts[count]) {
        count++;
    }
    const char** words = bri_allocate(in, count + 1, sizeof *words);
    double* values = bri_allocate(in, count, sizeof *values);
    bool has_word = false, is_empty = count == 0;
    for (size_t i = 0; i < count; i++) {
        words[i] = trim(in, parts[i]);
        is_empty = is_empty || !*words[i];
        has_word = has_word || bri_text_number(words[i], &values[i]) != NUMBER_GOOD;
    }
    if (is_empty) {
        fail(in, what, text, "a list of one value or more, none of them empty");
    }
    return (spec){.kind = SPEC_LIST,
                  .count = count,
                  .values = has_word ? NULL : values,
                  .words = has_word ? words : NULL};
}

// --- forms ----------------------------------------------------------------------------------------

// "name:1:2": what stands between colons; gives how many.
static size_t split(reading* in, const char* text, const char* parts[MOST_PARTS + 1])
{
    size_t count = 0;
    for (const char* at = text; count <= MOST_PARTS; count++) {
        const size_t length = strcspn(at, ":");
        parts[count] = bri_pool_text(&in->memory, at, length);
        if (!at[length]) {
            return count + 1;
        }
        at += length + 1;
    }
    return count;
}

static bool is_number(const char* text, double* out)
{
    return bri_text_number(text, out) == NUMBER_GOOD;
}

static spec read_grid(reading* in, const char* what, const char* text)
{
    const char* parts[MOST_PARTS + 1];
    const size_t count = split(in, text, parts);
    const bool is_log = strcmp(parts[0], "log") == 0;
    const char** given = parts + is_log;
    double a = 0, b = 0, n = 0;
    const bool has_numbers = count == 3 + (size_t)is_log && is_number(given[0], &a) &&
                             is_number(given[1], &b) && is_number(given[2], &n);
    if (!has_numbers || !(n >= 1 && n <= MOST_VALUES && n == floor(n))) {
        fail(in, what, text, "a:b:n, log:a:b:n with n whole, 1 to 1e9, or [v1, v2, ...]");
    } else if (is_log && !(a > 0 && b > 0)) {
        fail(in, what, text, "log:a:b:n with a and b > 0");
    }
    return (spec){.kind = is_log ? SPEC_LOG : SPEC_LINEAR, .a = a, .b = b, .count = (size_t)n};
}

typedef struct form {
    const char* name;
    spec_kind kind;
    bool first_is_positive, second_is_spread;
} form;

static const form forms[] = {{"uniform", SPEC_UNIFORM, false, false},
                             {"loguniform", SPEC_LOG_UNIFORM, true, false},
                             {"normal", SPEC_NORMAL, false, true},
                             {"lognormal", SPEC_LOG_NORMAL, true, true}};

static const char allowed_draws[] = // fits with a key and a spec into a br_reason
    "uniform:a:b (a < b), loguniform:a:b (0 < a < b), normal:mean:sd, lognormal:median:sigma (> 0), or [v1, v2]";

static spec read_draw(reading* in, const char* what, const char* text)
{
    const char* parts[MOST_PARTS + 1];
    const size_t count = split(in, text, parts);
    spec got = {.count = 0};
    for (size_t i = 0; i < sizeof forms / sizeof *forms && count == 3; i++) {
        const form* f = &forms[i];
        if (strcmp(parts[0], f->name) == 0 && is_number(parts[1], &got.a) &&
            is_number(parts[2], &got.b) && (!f->first_is_positive || got.a > 0) &&
            (f->second_is_spread ? got.b >= 0 : got.b > got.a)) {
            got.kind = f->kind;
            return got;
        }
    }
    fail(in, what, text, allowed_draws);
    return got;
}

spec bri_spec_read(reading* in, const char* what, const char* text, bool is_drawn)
{
    const size_t length = strlen(text);
    if (length >= 2 && text[0] == '[' && text[length - 1] == ']') {
        return read_list(in, what, text);
    }
    return is_drawn ? read_draw(in, what, text) : read_grid(in, what, text);
}

// --- values ---------------------------------------------------------------------------------------

double bri_spec_value(const spec* s, size_t index)
{
    if (s->kind == SPEC_LIST) {
        return s->words ? (double)index : s->values[index];
    }
    if (index == 0 || index + 1 == s->count) {
        return index == 0 ? s->a : s->b; // the ends as they were given
    }
    const double share = (double)index / (double)(s->count - 1);
    return s->kind == SPEC_LOG ? s->a * pow(s->b / s->a, share) : s->a + (s->b - s->a) * share;
}

double bri_spec_draw(const spec* s, double u)
{
    switch (s->kind) {
    case SPEC_UNIFORM:
        return s->a + (s->b - s->a) * u;
    case SPEC_LOG_UNIFORM:
        return s->a * pow(s->b / s->a, u);
    case SPEC_NORMAL:
        return s->a + s->b * bri_normal_quantile(u);
    case SPEC_LOG_NORMAL:
        return s->a * exp(s->b * bri_normal_quantile(u));
    default: // a list, each of its values equally likely
        return bri_spec_value(s, (size_t)(u * (double)s->count));
    }
}
