/*
 * Small work on texts: numbers, suggestions, lists of names.
 */
#include "text.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "memory.h"

// NaN and Inf, as YAML, C and NumPy spell them.
static bool is_not_finite(const char* text)
{
    static const char* const spellings[] = {"nan", "inf", "infinity", NULL};
    text += *text == '-' || *text == '+';
    text += *text == '.';
    for (names s = spellings; *s; s++) {
        if (strcasecmp(text, *s) == 0) {
            return true;
        }
    }
    return false;
}

number_verdict text_number(const char* text, double* out)
{
    if (is_not_finite(text)) {
        return NUMBER_NOT_FINITE;
    }

    // strtod alone would also take blanks, 0x10 and infinity
    const size_t length = strlen(text);
    if (length == 0 || strspn(text, "+-.0123456789eE") != length) {
        return NUMBER_NONE;
    }
    char* end;
    *out = strtod(text, &end);
    if (*end) {
        return NUMBER_NONE;
    }
    return isfinite(*out) ? NUMBER_GOOD : NUMBER_NOT_FINITE;
}

enum { LONGEST_NAME = 64 };

static size_t min3(size_t a, size_t b, size_t c)
{
    const size_t ab = a < b ? a : b;
    return ab < c ? ab : c;
}

// Levenshtein's distance, row by row; only the first letters of long words count.
static size_t edits(const char* a, const char* b)
{
    size_t row[LONGEST_NAME + 1];
    const size_t length = strnlen(b, LONGEST_NAME);
    for (size_t j = 0; j <= length; j++) {
        row[j] = j;
    }
    for (size_t i = 0; a[i] && i < LONGEST_NAME; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < length; j++) {
            const size_t replaced = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = min3(replaced, row[j + 1] + 1, row[j] + 1);
        }
    }
    return row[length];
}

const char* text_nearest(const char* word, names list)
{
    const char* nearest = NULL;
    size_t least = SIZE_MAX;
    for (; *list; list++) {
        const size_t distance = edits(word, *list);
        if (distance < least) {
            least = distance;
            nearest = *list;
        }
    }
    return nearest;
}

int text_find(const char* word, names list)
{
    for (int i = 0; list[i]; i++) {
        if (strcmp(word, list[i]) == 0) {
            return i;
        }
    }
    return -1;
}

char* text_join(names list)
{
    char* joined = memory_format("%s", *list ? *list : "");
    while (*list && *++list) {
        joined = memory_format("%s, %s", joined, *list);
    }
    return joined;
}

bool text_ends_with(const char* text, const char* suffix)
{
    const size_t length = strlen(text), end = strlen(suffix);
    return length >= end && strcmp(text + length - end, suffix) == 0;
}
