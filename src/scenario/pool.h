/*
 * Memory that comes back all at once: whoever reads may stop anywhere, and nothing is lost.
 */
#ifndef BRISTLE_SCENARIO_POOL_H
#define BRISTLE_SCENARIO_POOL_H

#include <stdarg.h>
#include <stddef.h>

typedef struct pool_block pool_block;

typedef struct pool {
    pool_block* first;
    // Called where there is no memory; must not return.
    void (*no_memory)(void* user);
    void* user;
} pool;

// Zeroed memory for `count` things of `bytes` each; NULL: there is none.
void* bri_pool_try(pool* from, size_t count, size_t bytes);

// The same; never NULL.
void* bri_pool_allocate(pool* from, size_t count, size_t bytes);

// Room for `count` things where there was room for fewer; keeps what is there. The first gives NULL, and
// leaves the memory as it is, where there is none.
void* bri_pool_try_grow(pool* from, void* memory, size_t count, size_t bytes);
void* bri_pool_grow(pool* from, void* memory, size_t count, size_t bytes);

// Give back early what one of these gave; NULL is allowed.
void bri_pool_release(pool* from, void* memory);

// A copy of the first `length` characters of `text`, ended by 0.
char* bri_pool_text(pool* from, const char* text, size_t length);

// A new text made as printf makes it.
char* bri_pool_format(pool* from, const char* format, ...) __attribute__((format(printf, 2, 3)));
char* bri_pool_vformat(pool* from, const char* format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

// Hand over something that only its own function can free; where there is no memory to note that, it is
// freed at once. Gives what bri_pool_end() takes.
void* bri_pool_own(pool* from, void* thing, void (*destroy)(void* thing));

// Free early what was handed over; NULL is allowed.
void bri_pool_end(pool* from, void* held);

// Free everything, the last first.
void bri_pool_clear(pool* from);

#endif
