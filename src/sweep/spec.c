/*
 * The values of a key.
 */
#include "sweep/spec.h"

#include <math.h>
#include <string.h>

#include "scenario/keys.h"
#include "scenario/kind.h"
#include "sweep/random.h"

enum { MAX_PARTS = 4, MAX_VALUES = 1000000000 };

static void fail(parse_context* in, const char* what, const char* text, const char* allowed)
{
    bri_fail_file(in, what, 0, "%s: must be %s", text, allowed);
}

// --- numbers --------------------------------------------------------------------------------------

// The key whose values are being read.
typedef struct subject {
    parse_context* in;
    const char* what;     // name of the key in messages
    const char* unit;     // of the key
    size_t with, without; // numbers other than 0 that had a unit, and that had none
} subject;

// Is a text a number, with or without a unit? `out` is in the unit of the key.
static bool is_number(subject* of, const char* text, double* out)
{
    if (bri_text_number(text, out) == NUMBER_GOOD) {
        of->without += *out != 0;
        return true;
    }
    const char* list = bri_quantity_list(&of->in->memory, of->unit);
    const quantity_verdict verdict = bri_quantity_read(text, of->unit, out);
    if (!*list || verdict == QUANTITY_NONE) {
        return false;
    }
    if (verdict == QUANTITY_WRONG) {
        bri_fail_file(of->in, of->what, 0, "%s: must be a number, alone or in one of the units %s",
                      text, list);
        *out = 1;
    }
    of->with++;
    return true;
}

// "10:30 deg:3" is an error: 10 could be in deg or in rad.
static void check_units(const subject* of, const char* text)
{
    if (of->with > 0 && of->without > 0) {
        fail(of->in, of->what, text, "given with a unit on every value, or on none");
    }
}

// --- lists ----------------------------------------------------------------------------------------

// Remove spaces and quotes around a word.
static char* trim(parse_context* in, const char* word)
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

static spec read_list(subject* of, const char* text)
{
    parse_context* in = of->in;
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
        has_word = has_word || !is_number(of, words[i], &values[i]);
    }
    if (is_empty) {
        fail(in, of->what, text, "a list of one value or more, none of them empty");
    }
    return (spec){.kind = SPEC_LIST,
                  .count = count,
                  .values = has_word ? NULL : values,
                  .words = has_word ? words : NULL};
}

// --- forms ----------------------------------------------------------------------------------------

// Split "name:1:2" at the colons; returns the number of parts.
static size_t split(parse_context* in, const char* text, const char* parts[MAX_PARTS + 1])
{
    size_t count = 0;
    for (const char* at = text; count <= MAX_PARTS; count++) {
        const size_t length = strcspn(at, ":");
        parts[count] = bri_pool_text(&in->memory, at, length);
        if (!at[length]) {
            return count + 1;
        }
        at += length + 1;
    }
    return count;
}

static spec read_grid(subject* of, const char* text)
{
    const char* parts[MAX_PARTS + 1];
    const size_t count = split(of->in, text, parts);
    const bool is_log = strcmp(parts[0], "log") == 0;
    const char** given = parts + is_log;
    double a = 0, b = 0, n = 0;
    const bool has_numbers = count == 3 + (size_t)is_log && is_number(of, given[0], &a) &&
                             is_number(of, given[1], &b) &&
                             bri_text_number(given[2], &n) == NUMBER_GOOD;
    if (!has_numbers || !(n >= 1 && n <= MAX_VALUES && n == floor(n))) {
        fail(of->in, of->what, text, "a:b:n, log:a:b:n with n whole, 1 to 1e9, or [v1, v2, ...]");
    } else if (is_log && !(a > 0 && b > 0)) {
        fail(of->in, of->what, text, "log:a:b:n with a and b > 0");
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

static const char allowed_draws[] = // short enough to fit into a br_reason with a key and a spec
    "uniform:a:b (a < b), loguniform:a:b (0 < a < b), normal:mean:sd, lognormal:median:sigma (> 0), or [v1, v2]";

// The sigma of a lognormal distribution is that of the logarithm, a number without unit.
static bool read_second(subject* of, const form* f, const char* text, double* out)
{
    return f->kind == SPEC_LOG_NORMAL ? bri_text_number(text, out) == NUMBER_GOOD
                                      : is_number(of, text, out);
}

static spec read_draw(subject* of, const char* text)
{
    const char* parts[MAX_PARTS + 1];
    const size_t count = split(of->in, text, parts);
    spec got = {.count = 0};
    for (size_t i = 0; i < sizeof forms / sizeof *forms && count == 3; i++) {
        const form* f = &forms[i];
        if (strcmp(parts[0], f->name) == 0 && is_number(of, parts[1], &got.a) &&
            read_second(of, f, parts[2], &got.b) && (!f->first_is_positive || got.a > 0) &&
            (f->second_is_spread ? got.b >= 0 : got.b > got.a)) {
            got.kind = f->kind;
            return got;
        }
    }
    fail(of->in, of->what, text, allowed_draws);
    return got;
}

spec bri_spec_read(parse_context* in, const char* what, const char* unit, const char* text,
                   bool is_drawn)
{
    subject of = {.in = in, .what = what, .unit = unit};
    const size_t length = strlen(text);
    const bool is_list = length >= 2 && text[0] == '[' && text[length - 1] == ']';
    const spec got = is_list    ? read_list(&of, text)
                     : is_drawn ? read_draw(&of, text)
                                : read_grid(&of, text);
    check_units(&of, text);
    return got;
}

// --- values ---------------------------------------------------------------------------------------

double bri_spec_value(const spec* s, size_t index)
{
    if (s->kind == SPEC_LIST) {
        return s->words ? (double)index : s->values[index];
    }
    if (index == 0 || index + 1 == s->count) {
        return index == 0 ? s->a : s->b; // the exact ends
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
