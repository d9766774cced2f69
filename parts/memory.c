/*
 * Memory of the command: a list of blocks that is freed at exit, newest first.
 */
#include "memory.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bristle/base.h"
#include "message.h"

// Precedes every block; its size keeps the block fit for any type.
typedef struct block {
    struct block *previous, *next; // allocated later, allocated before
    size_t bytes;
    void (*destroy)(void* thing); // if the block owns something else, its destructor, else NULL
} block;

_Static_assert(sizeof(block) % _Alignof(max_align_t) == 0, "what follows a block is aligned");

static block* newest;

static void unlink_block(block* b)
{
    *(b->previous ? &b->previous->next : &newest) = b->next;
    if (b->next) {
        b->next->previous = b->previous;
    }
    br_release(b);
}

static void release_all(void)
{
    while (newest) {
        block* b = newest;
        if (b->destroy) {
            b->destroy(*(void**)(b + 1));
        }
        unlink_block(b);
    }
}

_Noreturn static void fail(void)
{
    message_fail(EXIT_COMPUTATION, "out of memory");
}

// NULL: there is no memory.
static void* try_allocate(size_t count, size_t bytes)
{
    static bool is_armed = false;
    if (!is_armed) {
        is_armed = atexit(release_all) == 0;
    }
    const bool fits = bytes == 0 || count <= (SIZE_MAX - sizeof(block)) / bytes;
    block* b = fits && is_armed ? br_allocate(1, sizeof *b + count * bytes) : NULL;
    if (!b) {
        return NULL;
    }
    *b = (block){.next = newest, .bytes = count * bytes};
    if (newest) {
        newest->previous = b;
    }
    newest = b;
    return b + 1;
}

void* memory_allocate(size_t count, size_t bytes)
{
    void* memory = try_allocate(count, bytes);
    if (!memory) {
        fail();
    }
    return memory;
}

void* memory_grow(void* memory, size_t count, size_t bytes)
{
    void* larger = memory_allocate(count, bytes);
    if (memory) {
        memcpy(larger, memory, ((block*)memory - 1)->bytes);
        memory_release(memory);
    }
    return larger;
}

void memory_release(void* memory)
{
    if (memory) {
        unlink_block((block*)memory - 1);
    }
}

char* memory_text(const char* text, size_t length)
{
    return memcpy(memory_allocate(length + 1, 1), text, length);
}

char* memory_format(const char* format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const size_t length = (size_t)vsnprintf(NULL, 0, format, again);
    va_end(again);
    char* text = memory_allocate(length + 1, 1);
    vsnprintf(text, length + 1, format, arguments);
    va_end(arguments);
    return text;
}

void memory_own(void* thing, void (*destroy)(void* thing))
{
    void** held = try_allocate(1, sizeof thing);
    if (!held) {
        destroy(thing);
        fail();
    }
    *held = thing;
    ((block*)held - 1)->destroy = destroy;
}
