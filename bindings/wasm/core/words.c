/*
 * Replacement of the C library's string functions and qsort, which are optimised for long data and five times this size.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

size_t strlen(const char* text)
{
    size_t length = 0;
    while (text[length]) {
        length++;
    }
    return length;
}

char* strcpy(char* restrict to, const char* restrict from)
{
    return memcpy(to, from, strlen(from) + 1);
}

void* memchr(const void* memory, int byte, size_t count)
{
    const unsigned char* at = memory;
    for (; count > 0; count--, at++) {
        if (*at == (unsigned char)byte) {
            return (void*)(size_t)at;
        }
    }
    return NULL;
}

char* strchr(const char* text, int c)
{
    return memchr(text, c, strlen(text) + 1); // the terminating 0 may be searched for
}

// Number of leading characters of `text` that are in `set`, or not.
static size_t span(const char* text, const char* set, bool is_in)
{
    size_t length = 0;
    while (text[length] && (strchr(set, text[length]) != NULL) == is_in) {
        length++;
    }
    return length;
}

size_t strspn(const char* text, const char* set)
{
    return span(text, set, true);
}

size_t strcspn(const char* text, const char* set)
{
    return span(text, set, false);
}

// A heap for qsort: element i does not precede its children, 2 i + 1 and 2 i + 2.
typedef struct heap {
    char* elements;
    size_t bytes; // of each
    int (*compare)(const void* a, const void* b);
} heap;

static int compare_at(const heap* h, size_t i, size_t j)
{
    return h->compare(h->elements + i * h->bytes, h->elements + j * h->bytes);
}

static void swap_at(const heap* h, size_t i, size_t j)
{
    char *a = h->elements + i * h->bytes, *b = h->elements + j * h->bytes;
    for (size_t k = 0; k < h->bytes; k++) {
        const char kept = a[k];
        a[k] = b[k];
        b[k] = kept;
    }
}

// Sift element i of `count` down.
static void sift_down(const heap* h, size_t i, size_t count)
{
    for (size_t below; (below = 2 * i + 1) < count; i = below) {
        if (below + 1 < count && compare_at(h, below, below + 1) < 0) {
            below++;
        }
        if (compare_at(h, i, below) >= 0) {
            return;
        }
        swap_at(h, i, below);
    }
}

void qsort(void* elements, size_t count, size_t bytes, int (*compare)(const void*, const void*))
{
    const heap h = {elements, bytes, compare};
    for (size_t i = count / 2; i-- > 0;) {
        sift_down(&h, i, count);
    }
    for (size_t left = count; left-- > 1;) {
        swap_at(&h, 0, left);
        sift_down(&h, 0, left);
    }
}
