/*
 * Memory of the command: everything is freed at exit, wherever the exit happens, so that any
 * function may report an error and exit.
 */
#ifndef PARTS_MEMORY_H
#define PARTS_MEMORY_H

#include <stddef.h>

#include "bristle/base.h"

// Zeroed memory for `count` things of `bytes` each; never NULL: out of memory ends the command.
void* memory_allocate(size_t count, size_t bytes);

// Grow a block to `count` things; keeps its contents.
void* memory_grow(void* memory, size_t count, size_t bytes);

// Free memory of memory_allocate() or memory_grow() before exit; NULL is allowed.
void memory_release(void* memory);

// A 0-terminated copy of the first `length` characters of `text`.
char* memory_text(const char* text, size_t length);

// A new text, formatted as by printf.
char* memory_format(const char* format, ...) BR_PRINTF(1, 2) __attribute__((nonnull(1)));

// Register an object with its destructor, which is called at exit; at once if there is no memory to note it.
void memory_own(void* thing, void (*destroy)(void* thing));

#endif
