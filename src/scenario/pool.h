/*
 * Memory that is freed all at once, and the exit from deep calls when there is no memory: a reader may stop
 * anywhere without a leak.
 */
#ifndef BRISTLE_SCENARIO_POOL_H
#define BRISTLE_SCENARIO_POOL_H

#ifndef __wasm__
#include <setjmp.h>
#endif
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "bristle/base.h"

typedef struct pool_block pool_block;

typedef struct pool {
    pool_block* first;
    bool is_running; // inside bri_pool_run()
#ifndef __wasm__ // which has no setjmp: there the host that runs the module unwinds, by its own exception
    jmp_buf exit;
#endif
} pool;

// Call `what`, which allocates in the pool, with `user`. False: there was no memory, and bri_pool_fail() ended it. The
// frames that this leaves clean up nothing: all that they own must be in the pool.
bool bri_pool_run(pool* with, void (*what)(void* user), void* user);

// There is no memory: leave bri_pool_run(), which must have been called. Does not return.
void bri_pool_fail(pool* from);

// Zeroed memory for `count` items of `bytes` each; NULL: there is none.
void* bri_pool_try(pool* from, size_t count, size_t bytes);

// The same; never NULL.
void* bri_pool_allocate(pool* from, size_t count, size_t bytes);

// Memory for `count` items that keeps the contents of `memory`. The first returns NULL, and leaves `memory` as it
// is, where there is none.
void* bri_pool_try_grow(pool* from, void* memory, size_t count, size_t bytes);
void* bri_pool_grow(pool* from, void* memory, size_t count, size_t bytes);

// Free early what one of these returned; NULL is allowed.
void bri_pool_release(pool* from, void* memory);

// A copy of the first `length` characters of `text`, ended by 0.
char* bri_pool_text(pool* from, const char* text, size_t length);

// A new text, formatted as by printf.
char* bri_pool_format(pool* from, const char* format, ...) BR_PRINTF(2, 3);
char* bri_pool_vformat(pool* from, const char* format, va_list arguments) BR_PRINTF(2, 0);

// Hand over an object that only its own function can free; it is freed at once if there is no memory to note
// that. Returns the handle for bri_pool_end().
void* bri_pool_own(pool* from, void* thing, void (*destroy)(void* thing));

// Free early what was handed over; NULL is allowed.
void bri_pool_end(pool* from, void* held);

// Free everything, the last first.
void bri_pool_clear(pool* from);

#endif
