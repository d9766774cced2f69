/*
 * A file being read: its memory, mistakes and warnings.
 */
#include "scenario/reading.h"

#include <string.h>

// Of one file: what is beyond helps nobody.
enum { MOST_MISTAKES = 100, MOST_WARNINGS = 64 };

void* bri_allocate(reading* in, size_t count, size_t bytes)
{
    return bri_pool_allocate(&in->memory, count, bytes);
}

char* bri_format(reading* in, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char* text = bri_pool_vformat(&in->memory, format, arguments);
    va_end(arguments);
    return text;
}

// A list with room for one more thing of `bytes`.
static void* make_room(reading* in, void* list, size_t count, size_t* capacity, size_t bytes)
{
    if (count < *capacity) {
        return list;
    }
    const size_t wanted = *capacity ? 2 * *capacity : 4;
    list = bri_pool_grow(&in->memory, list, wanted, bytes);
    *capacity = wanted;
    return list;
}

static bool is_same(const br_mistake* a, const br_mistake* b)
{
    return a->line == b->line && strcmp(a->file, b->file) == 0 && strcmp(a->key, b->key) == 0 &&
           strcmp(a->text, b->text) == 0;
}

// What several contacts share is read with each of them.
static bool is_known(const reading* in, const br_mistake* mistake)
{
    for (size_t i = 0; i < in->mistake_count; i++) {
        if (is_same(&in->mistakes[i], mistake)) {
            return true;
        }
    }
    return false;
}

void bri_note_mistake(reading* in, br_mistake mistake)
{
    in->problems++;
    if (in->mistake_count == MOST_MISTAKES || is_known(in, &mistake)) {
        return;
    }
    in->mistakes =
        make_room(in, in->mistakes, in->mistake_count, &in->mistake_capacity, sizeof *in->mistakes);
    in->mistakes[in->mistake_count++] = mistake;
}

void bri_fail_file(reading* in, const char* file, size_t line, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char* text = bri_pool_vformat(&in->memory, format, arguments);
    va_end(arguments);
    bri_note_mistake(in, (br_mistake){.file = bri_format(in, "%s", file),
                                      .line = line,
                                      .key = "",
                                      .text = text,
                                      .allowed = "",
                                      .nearest = ""});
}

void bri_warn(reading* in, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char* text = bri_pool_vformat(&in->memory, format, arguments);
    va_end(arguments);
    if (in->warning_count == MOST_WARNINGS) {
        return;
    }
    in->warnings =
        make_room(in, in->warnings, in->warning_count, &in->warning_capacity, sizeof *in->warnings);
    in->warnings[in->warning_count++] = text;
}

void bri_note_file(reading* in, const char* path)
{
    in->files = make_room(in, in->files, in->file_count, &in->file_capacity, sizeof *in->files);
    in->files[in->file_count++] = bri_format(in, "%s", path);
}

void bri_no_memory(reading* in)
{
    in->memory.no_memory(in->memory.user);
}
