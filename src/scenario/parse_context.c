/*
 * A file being read: its memory, errors and warnings.
 */
#include "scenario/parse_context.h"

#include <string.h>

// Limits of one file.
enum { MAX_ERRORS = 100, MAX_WARNINGS = 64 };

// The list, with memory for one more item of `bytes`.
static void* reserve(parse_context* in, void* list, size_t count, size_t* capacity, size_t bytes)
{
    if (count < *capacity) {
        return list;
    }
    *capacity = *capacity ? 2 * *capacity : 4;
    return bri_pool_grow(&in->memory, list, *capacity, bytes);
}

// Append `item` to the list `name`s of the context.
#define APPEND(in, name, item)                                                                     \
    ((in)->name##s = reserve(in, (in)->name##s, (in)->name##_count, &(in)->name##_capacity,        \
                             sizeof *(in)->name##s),                                               \
     (in)->name##s[(in)->name##_count++] = (item))

// Has this error been noted? Values that several contacts share are read with each of them.
static bool is_known(const parse_context* in, const br_scenario_error* error)
{
    for (size_t i = 0; i < in->error_count; i++) {
        const br_scenario_error* known = &in->errors[i];
        if (known->line == error->line && strcmp(known->file, error->file) == 0 &&
            strcmp(known->key, error->key) == 0 && strcmp(known->text, error->text) == 0) {
            return true;
        }
    }
    return false;
}

void bri_note_error(parse_context* in, br_scenario_error error)
{
    in->problems++;
    if (in->error_count < MAX_ERRORS && !is_known(in, &error)) {
        APPEND(in, error, error);
    }
}

void bri_fail_file(parse_context* in, const char* file, size_t line, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char* text = bri_pool_vformat(&in->memory, format, arguments);
    va_end(arguments);
    bri_note_error(in, (br_scenario_error){.file = bri_format(in, "%s", file),
                                           .line = line,
                                           .key = "",
                                           .text = text,
                                           .allowed = "",
                                           .nearest = ""});
}

bool bri_may_warn(const parse_context* in)
{
    return in->warning_count < MAX_WARNINGS;
}

void bri_warn(parse_context* in, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char* text = bri_pool_vformat(&in->memory, format, arguments);
    va_end(arguments);
    if (bri_may_warn(in)) {
        APPEND(in, warning, text);
    }
}

void bri_note_edit(parse_context* in, text_edit edit)
{
    APPEND(in, edit, edit);
}

void bri_note_file(parse_context* in, const char* path)
{
    APPEND(in, file, bri_format(in, "%s", path));
}
