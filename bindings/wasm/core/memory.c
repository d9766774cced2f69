/*
 * Memory in place of the C library's, at a twentieth of its size.
 *
 * Blocks have one of four sizes per power of two. What is given back waits in the list of its size for the next of that
 * size; blocks are never cut or joined. So a quarter of a block is wasted at most, and memory stays with the size that
 * had most of it at once.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 65536, SIZES = 112 };

// What stands before memory that is in use: its size's place in the lists; before what is not: the next one.
typedef union block {
    size_t place;
    union block* next;
    max_align_t aligned;
} block;

extern unsigned char __heap_base; // of the linker: nothing lies from here on

static block* given_back[SIZES];
static uintptr_t top, end; // of what was never taken

// The smallest size that holds `wanted` blocks, and its place: q 2^k at 4 k + q - 1, with q from 5 to 8, or up to 8
// where k is 0.
static size_t size_for(size_t wanted, size_t* place)
{
    const int k = wanted > 4 ? 29 - __builtin_clz((unsigned)(wanted - 1)) : 0;
    const size_t q = ((wanted - 1) >> k) + 1;
    *place = 4 * (size_t)k + q - 1;
    return q << k;
}

// Memory that was never taken; NULL: there is no more.
static block* take(size_t bytes)
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
    size_t place;
    const size_t count = size_for((bytes + sizeof(block) - 1) / sizeof(block) + 1, &place);
    block* head = given_back[place];
    if (head) {
        given_back[place] = head->next;
    } else if (!(head = take(count * sizeof *head))) {
        return NULL;
    }
    head->place = place;
    return head + 1;
}

void free(void* memory)
{
    if (memory) {
        block* head = (block*)memory - 1;
        const size_t place = head->place;
        head->next = given_back[place];
        given_back[place] = head;
    }
}

// what the compiler makes of malloc and memset
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
