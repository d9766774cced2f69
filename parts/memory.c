/*
 * Memory of the command: one pool that is freed at exit.
 */
#include "memory.h"

#include <stdarg.h>
#include <stdlib.h>

#include "message.h"

static void no_memory(void* user)
{
    (void)user;
    message_fail(EXIT_COMPUTATION, "out of memory");
}

static pool all = {.no_memory = no_memory};

static void release_all(void)
{
    bri_pool_clear(&all);
}

pool* memory_pool(void)
{
    static int armed = 0;
    if (!armed) {
        armed = 1;
        atexit(release_all);
    }
    return &all;
}

void* memory_allocate(size_t count, size_t bytes)
{
    return bri_pool_allocate(memory_pool(), count, bytes);
}

void* memory_grow(void* memory, size_t count, size_t bytes)
{
    return bri_pool_grow(memory_pool(), memory, count, bytes);
}

void memory_release(void* memory)
{
    bri_pool_release(memory_pool(), memory);
}

char* memory_text(const char* text, size_t length)
{
    return bri_pool_text(memory_pool(), text, length);
}

char* memory_format(const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char* text = bri_pool_vformat(memory_pool(), format, arguments);
    va_end(arguments);
    return text;
}

void memory_own(void* thing, void (*destroy)(void* thing))
{
    bri_pool_own(memory_pool(), thing, destroy);
}
