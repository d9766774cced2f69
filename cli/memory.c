/*
 * Memory of the command: blocks hang in a list that is freed at exit.
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

// Stands before every block; its size keeps the block fit for any type.
typedef struct block {
    struct block* previous;
    struct block* next;
    size_t bytes;
    void (*destroy)(void* thing); // only in blocks that own something else
} block;

_Static_assert(sizeof(block) % _Alignof(max_align_t) == 0, "what follows a block is aligned");

static block blocks = {&blocks, &blocks, 0, NULL};

static void unlink_and_release(block* b)
{
    b->previous->next = b->next;
    b->next->previous = b->previous;
    br_release(b);
}

static void release_all(void)
{
    while (blocks.next != &blocks) {
        block* b = blocks.next;
        if (b->destroy) {
            b->destroy(*(void**)(b + 1));
        }
        unlink_and_release(b);
    }
}

static void link_block(block* b)
{
    static bool armed = false;
    if (!armed) {
        armed = true;
        atexit(release_all);
    }
    b->previous = &blocks;
    b->next = blocks.next;
    b->next->previous = b;
    blocks.next = b;
}

void* memory_allocate(size_t count, size_t bytes)
{
    const bool fits = bytes == 0 || count <= (SIZE_MAX - sizeof(block)) / bytes;
    block* b = fits ? br_allocate(1, sizeof(block) + count * bytes) : NULL;
    if (!b) {
        message_fail(EXIT_COMPUTATION, "out of memory");
    }
    b->bytes = count * bytes;
    link_block(b);
    return b + 1;
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
        unlink_and_release((block*)memory - 1);
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
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);

    char* text = memory_allocate((size_t)length + 1, 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

void memory_own(void* thing, void (*destroy)(void* thing))
{
    void** held = memory_allocate(1, sizeof thing);
    *held = thing;
    ((block*)held - 1)->destroy = destroy;
}
