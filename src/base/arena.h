/*
 * Copies of a model's parts in the caller's memory, one after the other.
 *
 * The same code also measures the size: an arena without memory only counts the bytes.
 */
#ifndef BRISTLE_BASE_ARENA_H
#define BRISTLE_BASE_ARENA_H

#include <stddef.h>
#include <string.h>

enum { ARENA_ALIGNMENT = 16 }; // of every copy, as malloc aligns

typedef struct arena {
    char* memory; // aligned as malloc aligns; NULL: only count
    size_t used;  // bytes
} arena;

// The next `bytes`, not filled; NULL while counting.
static inline void* arena_take(arena* to, size_t bytes)
{
    void* at = to->memory ? to->memory + to->used : NULL;
    to->used += (bytes + ARENA_ALIGNMENT - 1) / ARENA_ALIGNMENT * ARENA_ALIGNMENT;
    return at;
}

// A copy of `bytes` of `from`. While counting it returns `from` itself, so that the caller can go on: it may
// be read, not written.
static inline void* arena_copy(arena* to, const void* from, size_t bytes)
{
    void* at = arena_take(to, bytes);
    return at && bytes > 0 ? memcpy(at, from, bytes) : (void*)from; // `from` may be NULL
}

#endif
