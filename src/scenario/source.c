/*
 * Files: their bytes, and their lines with the checks that every text file needs.
 */
#include "scenario/source.h"

#include <string.h>

// --- bytes ----------------------------------------------------------------------------------------

#ifdef __wasm__

struct stream {
    const unsigned char* text;
    size_t length;
    size_t position;
};

static const char absent[] = "no such file was given";
static const char cannot[] = "cannot be read: no such file was given";

// The size of a file [bytes], negative: there is none of this name; and a copy of its bytes.
__attribute__((import_module("bristle"), import_name("file_size"))) int
host_file_size(const char* path);
__attribute__((import_module("bristle"), import_name("file_read"))) void
host_file_read(const char* path, void* to);

stream* bri_stream_open(pool* memory, const char* path, const char** why)
{
    const int size = host_file_size(path);
    if (size < 0) {
        *why = cannot;
        return NULL;
    }
    stream* from = bri_pool_allocate(memory, 1, sizeof *from + (size_t)size);
    *from = (stream){(const unsigned char*)(from + 1), (size_t)size, 0};
    host_file_read(path, from + 1);
    return from;
}

int bri_stream_get(stream* from)
{
    return from->position < from->length ? from->text[from->position++] : -1;
}

const char* bri_stream_error(stream* from)
{
    (void)from;
    return NULL;
}

void bri_stream_close(void* from)
{
    (void)from; // the pool frees it
}

bool bri_stream_exists(const char* path)
{
    return host_file_size(path) >= 0;
}

bool bri_stream_is_readable(const char* path, const char** why)
{
    *why = absent;
    return bri_stream_exists(path);
}

#else

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static FILE* file_of(stream* from)
{
    return (FILE*)(void*)from;
}

// A directory can be opened, but not read.
static bool is_directory(const char* path)
{
    struct stat status = {0};
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

stream* bri_stream_open(pool* memory, const char* path, const char** why)
{
    FILE* file = fopen(path, "rb");
    if (!file) {
        *why = bri_pool_format(memory, "cannot be read: %s", strerror(errno));
        return NULL;
    }

    if (is_directory(path)) {
        fclose(file);
        *why = "is a directory, not a file";
        return NULL;
    }
    return (stream*)(void*)file;
}

int bri_stream_get(stream* from)
{
    const int c = getc_unlocked(file_of(from));
    return c == EOF ? -1 : c;
}

const char* bri_stream_error(stream* from)
{
    return ferror(file_of(from)) ? strerror(errno) : NULL;
}

void bri_stream_close(void* from)
{
    fclose(file_of(from));
}

bool bri_stream_exists(const char* path)
{
    return access(path, F_OK) == 0;
}

bool bri_stream_is_readable(const char* path, const char** why)
{
    if (access(path, R_OK) != 0) {
        *why = strerror(errno);
        return false;
    }
    *why = is_directory(path) ? "it is a directory" : "";
    return !**why;
}

#endif

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
    const char* slash = strrchr(file, '/');
    if (name[0] == '/' || !slash) {
        return bri_format(in, "%s", name);
    }
    char* beside = bri_format(in, "%.*s/%s", (int)(slash - file), file, name);
    const bool is_here = !bri_stream_exists(beside) && bri_stream_exists(name);
    return is_here ? bri_format(in, "%s", name) : beside;
}
