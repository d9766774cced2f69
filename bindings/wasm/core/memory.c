/*
 * Replacement of the C library's malloc, with a twentieth of its code size.
 *
 * Blocks have one of four sizes per power of two. Freed blocks are kept in a list for each size and reused; blocks are
 * never split or joined. So at most a quarter of a block is wasted, but memory of one size is never reused for another.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 65536, SIZES = 112 };

// Header of a block: in use, the index of its size in the lists; free, the next free block.
typedef union block {
    size_t index;
    union block* next;
    max_align_t aligned;
} block;

extern unsigned char __heap_base; // from the linker: memory from here on is unused

static block* given_back[SIZES];
static uintptr_t top, end; // range that was never allocated

// The smallest size of at least `wanted` blocks, and its index: q 2^k at 4 k + q - 1, with q from 5 to 8, or up to 8
// if k is 0.
static size_t size_for(size_t wanted, size_t* index)
{
    const int k = wanted > 4 ? 29 - __builtin_clz((unsigned)(wanted - 1)) : 0;
    const size_t q = ((wanted - 1) >> k) + 1;
    *index = 4 * (size_t)k + q - 1;
    return q << k;
}

// Get memory that was never allocated; NULL: out of memory.
static block* take_fresh(size_t bytes)
{
    if (end == 0) {
        top = ((uintptr_t)&__heap_base + sizeof(block) - 1) / sizeof(block) * sizeof(block);
        end = __builtin_wasm_memory_size(0) * PAGE;
    }
    if (bytes > end - top) {
        const size_t pages = (bytes - (end - top) + PAGE - 1) / PAGE;
        if (__builtin_wasm_memory_grow(0, pages) == SIZE_MAX) {
            return NULL;
        }
        end += pages * PAGE;
    }
    top += bytes;
    return (block*)(top - bytes);
}

void* malloc(size_t bytes)
{
    if (bytes > SIZE_MAX / 2) {
        return NULL;
    }
    size_t index;
    const size_t count = size_for((bytes + sizeof(block) - 1) / sizeof(block) + 1, &index);
    block* head = given_back[index];
    if (head) {
        given_back[index] = head->next;
    } else if (!(head = take_fresh(count * sizeof *head))) {
        return NULL;
    }
    head->index = index;
    return head + 1;
}

void free(void* memory)
{
    if (memory) {
        block* head = (block*)memory - 1;
        const size_t index = head->index;
        head->next = given_back[index];
        given_back[index] = head;
    }
}

// the compiler may replace malloc and memset by a call of calloc
void* calloc(size_t count, size_t bytes)
{
    void* memory = count > 0 && bytes > SIZE_MAX / count ? NULL : malloc(count * bytes);
    return memory ? memset(memory, 0, count * bytes) : NULL;
}

// one instruction each
void* memcpy(void* restrict to, const void* restrict from, size_t bytes)
{
    return __builtin_memcpy(to, from, bytes);
}

void* memset(void* to, int byte, size_t bytes)
{
    return __builtin_memset(to, byte, bytes);
}
