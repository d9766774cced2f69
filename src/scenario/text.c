/*
 * Texts: numbers, suggestions, lists of names, and a text that grows.
 */
#include "scenario/text.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bristle/base.h"
#include "scenario/system.h"

static bool is_same_letter(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

// Are the first `length` characters the same, whatever their case?
static bool starts_alike(const char* a, const char* b, size_t length)
{
    size_t i = 0;
    while (i < length && a[i] && is_same_letter(a[i], b[i])) {
        i++;
    }
    return i == length || (!a[i] && !b[i]);
}

bool bri_text_is_same(const char* a, const char* b)
{
    return starts_alike(a, b, SIZE_MAX);
}

// NaN and Inf, as YAML, C and NumPy spell them.
static bool is_not_finite(const char* text)
{
    static const char* const spellings[] = {"nan", "inf", "infinity", NULL};
    text += *text == '-' || *text == '+';
    text += *text == '.';
    for (names s = spellings; *s; s++) {
        if (bri_text_is_same(text, *s)) {
            return true;
        }
    }
    return false;
}

enum { LONGEST_NUMBER = 1000 };

// The number as strtod expects it where the host of the library has set another locale.
static void localise(const char* text, char* to)
{
    const char point = *localeconv()->decimal_point;
    for (; *text; text++) {
        *to++ = *text == '.' ? point : *text;
    }
    *to = '\0';
}

number_verdict bri_text_number(const char* text, double* out)
{
    if (is_not_finite(text)) {
        return NUMBER_NOT_FINITE;
    }

    // strtod alone would also accept blanks, 0x10 and infinity
    const size_t length = strlen(text);
    if (length == 0 || strspn(text, "+-.0123456789eE") != length) {
        return NUMBER_NONE;
    }
    char local[LONGEST_NUMBER + 1];
    if (length > LONGEST_NUMBER) {
        return NUMBER_NONE;
    }
    localise(text, local);
    char* end;
    *out = strtod(local, &end);
    if (*end) {
        return NUMBER_NONE;
    }
    return isfinite(*out) ? NUMBER_GOOD : NUMBER_NOT_FINITE;
}

bool br_text_read_number(const char* text, double* out)
{
    return bri_text_number(text, out) == NUMBER_GOOD;
}

enum { LONGEST_NAME = 64 };

static size_t min2(size_t a, size_t b)
{
    return a < b ? a : b;
}

// Letters to add, drop, replace or swap with their neighbour: the distance of Damerau and Levenshtein
// (each letter edited once), row by row. Case is ignored, and so are letters behind the first ones.
static size_t edits(const char* a, const char* b)
{
    size_t rows[3][LONGEST_NAME + 1];
    size_t *before = rows[0], *last = rows[1], *row = rows[2];
    const size_t length = strnlen(b, LONGEST_NAME);
    for (size_t j = 0; j <= length; j++) {
        row[j] = j;
    }
    for (size_t i = 1; i <= strnlen(a, LONGEST_NAME); i++) {
        size_t* oldest = before;
        before = last;
        last = row;
        row = oldest;
        row[0] = i;
        for (size_t j = 1; j <= length; j++) {
            const size_t replaced = last[j - 1] + !is_same_letter(a[i - 1], b[j - 1]);
            row[j] = min2(replaced, min2(last[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && is_same_letter(a[i - 1], b[j - 2]) &&
                is_same_letter(a[i - 2], b[j - 1])) {
                row[j] = min2(row[j], before[j - 2] + 1);
            }
        }
    }
    return row[length];
}

// How many edits count as a typing error: one in four letters, at least one.
static size_t max_edits(const char* word)
{
    return (strlen(word) + 3) / 4;
}

static bool is_prefix(const char* word, const char* name)
{
    enum { MIN_LETTERS = 3 }; // fewer are ambiguous
    const size_t length = strlen(word);
    return length >= MIN_LETTERS && starts_alike(word, name, length);
}

const char* br_text_find_nearest(const char* word, names list)
{
    const char* nearest = NULL;
    size_t best = max_edits(word) + 1;
    for (; *list; list++) {
        const size_t distance = is_prefix(word, *list) ? 1 : edits(word, *list);
        if (distance < best) {
            best = distance;
            nearest = *list;
        }
    }
    return nearest;
}

int br_text_find(const char* word, names list)
{
    for (int i = 0; list[i]; i++) {
        if (*word == *list[i] && strcmp(word, list[i]) == 0) {
            return i;
        }
    }
    return -1;
}

char* bri_text_join(pool* to, names list)
{
    char* joined = bri_pool_format(to, "%s", *list ? *list : "");
    while (*list && *++list) {
        joined = bri_pool_format(to, "%s, %s", joined, *list);
    }
    return joined;
}

char* bri_text_stem(pool* to, const char* path)
{
    const char* separator = bri_path_find_separator(path);
    const char* name = separator ? separator + 1 : path;
    const char* dot = strrchr(name, '.');
    return bri_pool_text(to, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

bool bri_text_ends_with(const char* text, const char* suffix)
{
    const size_t length = strlen(text), end = strlen(suffix);
    return length >= end && strcmp(text + length - end, suffix) == 0;
}

// --- a text that grows ----------------------------------------------------------------------------

const char* bri_written(const writer* from)
{
    return from->text ? from->text : "";
}

void bri_vwrite(writer* to, const char* format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const size_t more = (size_t)vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (to->length + more + 1 > to->capacity) {
        to->capacity = 2 * (to->length + more + 1);
        to->text = bri_pool_grow(to->memory, to->text, to->capacity, 1);
    }
    vsnprintf(to->text + to->length, more + 1, format, arguments);
    to->length += more;
}

void bri_write(writer* to, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    bri_vwrite(to, format, arguments);
    va_end(arguments);
}

// Arguments of write_all().
typedef struct writing_call {
    writer to;
    void (*write)(writer* to, const void* user);
    const void* user;
} writing_call;

static void write_all(void* call)
{
    writing_call* with = call;
    with->write(&with->to, with->user);
}

char* bri_write_text(void (*write)(writer* to, const void* user), const void* user)
{
    pool memory = {.first = NULL};
    writing_call call = {{.memory = &memory}, write, user};
    const bool is_written = bri_pool_run(&memory, write_all, &call);
    char* text = is_written ? br_allocate(call.to.length + 1, 1) : NULL;
    if (text) {
        memcpy(text, bri_written(&call.to), call.to.length);
    }
    bri_pool_clear(&memory);
    return text;
}
