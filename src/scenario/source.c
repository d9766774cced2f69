/*
 * Files: their lines with the checks that every text file needs.
 */
#include "scenario/source.h"

#include <string.h>

// --- lines ----------------------------------------------------------------------------------------

enum { LONGEST_LINE = 1 << 20 };

source bri_source_open(parse_context* in, const char* path)
{
    source from = {.in = in, .path = path, .text = bri_allocate(in, LONGEST_LINE + 2, 1)};
    bri_note_file(in, path);
    const char* why = "";
    from.bytes = bri_stream_open(&in->memory, path, &why);
    if (from.bytes) {
        from.held = bri_pool_own(&in->memory, from.bytes, bri_stream_close);
    } else {
        bri_fail_file(in, path, 0, "%s", why);
        from.is_broken = true;
    }
    return from;
}

void bri_source_close(source* from)
{
    bri_pool_end(&from->in->memory, from->held);
    bri_pool_release(&from->in->memory, from->text);
}

void bri_source_note_up_to(source* from, size_t max_errors, const char* format, ...)
{
    if (!from->is_broken) {
        va_list arguments;
        va_start(arguments, format);
        const char* text = bri_pool_vformat(&from->in->memory, format, arguments);
        va_end(arguments);
        bri_fail_file(from->in, from->path, from->line, "%s", text);
        from->errors++;
    }
    from->is_broken |= from->errors >= max_errors;
}

static bool is_text(int c)
{
    return (c >= ' ' && c != 0x7f) || c == '\t' || c == '\r';
}

// Remove the CR of a line end CRLF and the byte order mark of the file.
static void trim(source* from)
{
    if (from->length > 0 && from->text[from->length - 1] == '\r') {
        from->length--;
    }
    from->text[from->length] = '\0';
    if (from->line == 1 && strncmp(from->text, "\xEF\xBB\xBF", 3) == 0) {
        from->length -= 3;
        memmove(from->text, from->text + 3, from->length + 1);
    }
}

// Append a byte to the line; one that is not text breaks the source.
static void append(source* from, int c)
{
    if (!is_text(c)) {
        bri_source_fail(from, "is not a text file: byte 0x%02x", (unsigned)c);
    } else if (from->length == LONGEST_LINE) {
        bri_source_fail(from, "the line is longer than %d bytes", (int)LONGEST_LINE);
    } else {
        from->text[from->length++] = (char)c;
    }
}

int bri_source_next(source* from)
{
    if (from->is_broken) {
        return 0;
    }
    from->line++;
    from->length = 0;
    int c;
    while ((c = bri_stream_get(from->bytes)) >= 0 && c != '\n' && !from->is_broken) {
        append(from, c);
    }
    const char* error = bri_stream_error(from->bytes);
    if (error) {
        bri_source_fail(from, "cannot be read: %s", error);
    }
    const bool ended = (c < 0 && from->length == 0) || from->is_broken;
    trim(from);
    return !ended;
}

char* bri_source_beside(parse_context* in, const char* file, const char* name)
{
    const char* separator = bri_path_find_separator(file);
    if (bri_path_is_absolute(name) || !separator) {
        return bri_format(in, "%s", name);
    }
    char* beside = bri_format(in, "%.*s%s", (int)(separator + 1 - file), file, name);
    const bool is_here = !bri_stream_exists(beside) && bri_stream_exists(name);
    return is_here ? bri_format(in, "%s", name) : beside;
}
