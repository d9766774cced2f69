/*
 * The operating system: the host of a WebAssembly module. It has the files; there is one thread.
 */
#include "scenario/system.h"

#include <string.h>

// --- bytes ----------------------------------------------------------------------------------------

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

// --- paths ----------------------------------------------------------------------------------------

const char* bri_path_find_separator(const char* path)
{
    return strrchr(path, '/');
}

bool bri_path_is_absolute(const char* path)
{
    return *path == '/';
}

// --- threads --------------------------------------------------------------------------------------

struct system_lock {
    char unused;
};

system_lock* bri_lock_create(void)
{
    static system_lock only;
    return &only;
}

void bri_lock_destroy(system_lock* lock)
{
    (void)lock;
}

void bri_lock_take(system_lock* lock)
{
    (void)lock;
}

void bri_lock_give(system_lock* lock)
{
    (void)lock;
}

void bri_threads_run(void (*work)(void* item), void* items, size_t bytes, size_t count)
{
    (void)bytes, (void)count;
    work(items);
}

size_t bri_system_count_processors(void)
{
    return 1;
}
