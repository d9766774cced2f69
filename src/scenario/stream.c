/*
 * The bytes of files.
 */
#include "scenario/stream.h"

#ifdef __wasm__

struct stream {
    const unsigned char* text;
    size_t length;
    size_t place;
};

static const char absent[] = "no such file was given";
static const char cannot[] = "cannot be read: no such file was given";

// Bytes of a file; negative: there is none of this name. And a copy of them.
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
    return from->place < from->length ? from->text[from->place++] : -1;
}

const char* bri_stream_error(stream* from)
{
    (void)from;
    return NULL;
}

void bri_stream_close(void* from)
{
    (void)from; // the pool has it
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
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static FILE* file_of(stream* from)
{
    return (FILE*)(void*)from;
}

// It can be opened, but not read.
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
