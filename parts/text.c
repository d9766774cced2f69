/*
 * Texts of options, and lists of words for messages.
 */
#include "text.h"

#include <math.h>
#include <string.h>

#include "memory.h"
#include "message.h"
#include "system.h"

const char* text_suggest(const char* word, names list, const char* default_text)
{
    const char* nearest = br_text_find_nearest(word, list);
    return nearest ? memory_format("; did you mean %s?", nearest) : default_text;
}

const char* text_join(names list)
{
    const char* joined = "";
    for (names name = list; *name; name++) {
        joined = memory_format("%s%s%s", joined, name == list ? "" : ", ", *name);
    }
    return joined;
}

int text_choose(const char* option, const char* word, names list)
{
    const int position = br_text_find(word, list);
    if (position < 0) {
        message_fail(EXIT_USAGE, "%s %s: must be one of %s%s", option, word, text_join(list),
                     text_suggest(word, list, ""));
    }
    return position;
}

size_t text_read_whole(const char* option, const char* text, double low, double high)
{
    double x;
    if (!br_text_read_number(text, &x) || !(x >= low && x <= high) || x != floor(x)) {
        message_fail(EXIT_USAGE, "%s %s: must be a whole number from %.15g to %.15g", option, text,
                     low, high);
    }
    return (size_t)x;
}

char* text_stem(const char* path)
{
    const char* name = system_name(path);
    const char* dot = strrchr(name, '.');
    return memory_text(name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

bool text_ends_with(const char* text, const char* suffix)
{
    const size_t length = strlen(text), end = strlen(suffix);
    return length >= end && strcmp(text + length - end, suffix) == 0;
}
