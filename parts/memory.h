/*
 * Memory of the command: everything is freed at exit, wherever the exit happens, so an error deep
 * inside may just say what is wrong and leave.
 */
#ifndef PARTS_MEMORY_H
#define PARTS_MEMORY_H

#include <stddef.h>

#include "scenario/pool.h"

// Where all of it comes from; out of memory ends the command.
pool* memory_pool(void);

// Zeroed memory for `count` things of `bytes` each; never NULL: out of memory ends the command.
void* memory_allocate(size_t count, size_t bytes);

// Make room for `count` things where there was room for fewer; keeps what is there.
void* memory_grow(void* memory, size_t count, size_t bytes);

// Give back early what memory_allocate() or memory_grow() gave; NULL is allowed.
void memory_release(void* memory);

// A copy of the first `length` characters of `text`, ended by 0.
char* memory_text(const char* text, size_t length);

// A new text made as printf makes it.
char* memory_format(const char* format, ...) __attribute__((format(printf, 1, 2), nonnull(1)));

// Hand over something that only its own function can free; it is called at exit.
void memory_own(void* thing, void (*destroy)(void* thing));

#endif
