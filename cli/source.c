/*
 * Text files that come from outside, line by line, with the checks that every one of them needs.
 */
#include "source.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"
#include "message.h"

enum { LONGEST_LINE = 1 << 20 };

static void close_stream(void* stream)
{
    fclose(stream);
}

// The files opened so far.
static struct {
    dev_t device;
    ino_t number;
} * opened;
static size_t opened_count;

static void remember(const struct stat* status)
{
    opened = memory_grow(opened, opened_count + 1, sizeof *opened);
    opened[opened_count].device = status->st_dev;
    opened[opened_count++].number = status->st_ino;
}

bool source_is_open(const struct stat* status)
{
    for (size_t i = 0; i < opened_count; i++) {
        if (opened[i].device == status->st_dev && opened[i].number == status->st_ino) {
            return true;
        }
    }
    return false;
}

source source_open(const char* path)
{
    source from = {path, fopen(path, "rb"), 0, NULL, 0};
    if (!from.stream) {
        message_fail(EXIT_USAGE, "%s: cannot be read: %s", path, strerror(errno));
    }
    memory_own(from.stream, close_stream);

    // a directory can be opened but not read
    struct stat status = {0};
    if (fstat(fileno(from.stream), &status) == 0 && S_ISDIR(status.st_mode)) {
        message_fail(EXIT_USAGE, "%s: is a directory, not a file", path);
    }
    remember(&status);
    from.text = memory_allocate(LONGEST_LINE + 2, 1);
    return from;
}

void source_fail(const source* from, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char text[1024];
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    message_fail(EXIT_USAGE, "%s:%zu: %s", from->path, from->line, text);
}

static bool is_text(int c)
{
    return (c >= ' ' && c != 0x7f) || c == '\t' || c == '\r';
}

// Drop what belongs to the line's end (CR of CRLF) or the file's start (byte order mark).
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

int source_next(source* from)
{
    from->line++;
    from->length = 0;
    int c;
    while ((c = getc_unlocked(from->stream)) != EOF && c != '\n') {
        if (!is_text(c)) {
            source_fail(from, "is not a text file: byte 0x%02x", (unsigned)c);
        }
        if (from->length == LONGEST_LINE) {
            source_fail(from, "the line is longer than %d bytes", (int)LONGEST_LINE);
        }
        from->text[from->length++] = (char)c;
    }
    if (ferror(from->stream)) {
        source_fail(from, "cannot be read: %s", strerror(errno));
    }
    const bool ended = c == EOF && from->length == 0;
    trim(from);
    return !ended;
}

char* source_beside(const char* file, const char* name)
{
    const char* slash = strrchr(file, '/');
    if (name[0] == '/' || !slash) {
        return memory_format("%s", name);
    }
    char* beside = memory_format("%.*s/%s", (int)(slash - file), file, name);
    return access(beside, F_OK) == 0 || access(name, F_OK) != 0 ? beside
                                                                : memory_format("%s", name);
}
