/*
 * Memory that is freed all at once: blocks in a list; and the exit where there is none.
 */
#include "scenario/pool.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "bristle/base.h"

// The header of every block; its size keeps the block aligned for any type.
struct pool_block {
    pool_block* previous; // allocated later
    pool_block* next;     // allocated before
    size_t bytes;
    void (*destroy)(void* thing); // only in blocks that own something else
};

_Static_assert(sizeof(pool_block) % _Alignof(max_align_t) == 0, "what follows a block is aligned");

#ifdef __wasm__

// Call `what` with `user`; 1: it finished, 0: `leave` was called with this pool in it.
__attribute__((import_module("bristle"), import_name("attempt"))) int
host_attempt(pool* with, void (*what)(void* user), void* user);
__attribute__((import_module("bristle"), import_name("leave"))) void host_leave(pool* with);

bool bri_pool_run(pool* with, void (*what)(void* user), void* user)
{
    with->is_running = true;
    return host_attempt(with, what, user);
}

void bri_pool_fail(pool* from)
{
    BR_ASSERT(from->is_running);
    host_leave(from);
}

#else

bool bri_pool_run(pool* with, void (*what)(void* user), void* user)
{
    with->is_running = true;
    if (setjmp(with->exit)) {
        return false;
    }
    what(user);
    return true;
}

void bri_pool_fail(pool* from)
{
    BR_ASSERT(from->is_running);
    longjmp(from->exit, 1);
}

#endif

static void link_block(pool* to, pool_block* b)
{
    b->next = to->first;
    if (b->next) {
        b->next->previous = b;
    }
    to->first = b;
}

static void unlink_and_release(pool* from, pool_block* b)
{
    if (b->previous) {
        b->previous->next = b->next;
    } else {
        from->first = b->next;
    }
    if (b->next) {
        b->next->previous = b->previous;
    }
    br_release(b);
}

void* bri_pool_try(pool* from, size_t count, size_t bytes)
{
    const int fits = bytes == 0 || count <= (SIZE_MAX - sizeof(pool_block)) / bytes;
    pool_block* b = fits ? br_allocate(1, sizeof *b + count * bytes) : NULL;
    if (!b) {
        return NULL;
    }
    b->bytes = count * bytes;
    link_block(from, b);
    return b + 1;
}

// As bri_pool_try(), but leaves bri_pool_run() where there is no memory.
void* bri_pool_allocate(pool* from, size_t count, size_t bytes)
{
    void* memory = bri_pool_try(from, count, bytes);
    if (!memory) {
        bri_pool_fail(from);
    }
    return memory;
}

void* bri_pool_try_grow(pool* from, void* memory, size_t count, size_t bytes)
{
    void* larger = bri_pool_try(from, count, bytes);
    if (larger && memory) {
        memcpy(larger, memory, ((pool_block*)memory - 1)->bytes);
        bri_pool_release(from, memory);
    }
    return larger;
}

void* bri_pool_grow(pool* from, void* memory, size_t count, size_t bytes)
{
    void* larger = bri_pool_try_grow(from, memory, count, bytes);
    if (!larger) {
        bri_pool_fail(from);
    }
    return larger;
}

void bri_pool_release(pool* from, void* memory)
{
    if (memory) {
        unlink_and_release(from, (pool_block*)memory - 1);
    }
}

char* bri_pool_text(pool* from, const char* text, size_t length)
{
    return memcpy(bri_pool_allocate(from, length + 1, 1), text, length);
}

char* bri_pool_vformat(pool* from, const char* format, va_list arguments)
{
    char brief[128]; // most texts are written once
    va_list again;
    va_copy(again, arguments);
    const size_t length = (size_t)vsnprintf(brief, sizeof brief, format, again);
    va_end(again);
    if (length < sizeof brief) {
        return bri_pool_text(from, brief, length);
    }
    char* text = bri_pool_allocate(from, length + 1, 1);
    vsnprintf(text, length + 1, format, arguments);
    return text;
}

char* bri_pool_format(pool* from, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char* text = bri_pool_vformat(from, format, arguments);
    va_end(arguments);
    return text;
}

void* bri_pool_own(pool* from, void* thing, void (*destroy)(void* thing))
{
    void** held = bri_pool_try(from, 1, sizeof thing);
    if (!held) {
        destroy(thing);
        bri_pool_fail(from);
        return NULL;
    }
    *held = thing;
    ((pool_block*)held - 1)->destroy = destroy;
    return held;
}

static void end_block(pool* from, pool_block* b)
{
    if (b->destroy) {
        b->destroy(*(void**)(b + 1));
    }
    unlink_and_release(from, b);
}

void bri_pool_end(pool* from, void* held)
{
    if (held) {
        end_block(from, (pool_block*)held - 1);
    }
}

void bri_pool_clear(pool* from)
{
    while (from->first) {
        end_block(from, from->first);
    }
}
