/*
 * Numbers stored on disk instead of in memory.
 */
#ifndef PARTS_SPOOL_H
#define PARTS_SPOOL_H

#include <stdbool.h>
#include <stddef.h>

// Numbers in an unnamed file, which the system removes when the command ends.
typedef struct spool {
    int descriptor;
    size_t count;  // of numbers
    void* map;     // the file as memory; NULL: not mapped
    size_t mapped; // bytes of that
} spool;

// Create an empty spool on the disk of `folder`. Returns false and sets errno on failure.
bool spool_open(spool* s, const char* folder);

// Append numbers. Returns false and sets errno on failure.
bool spool_append(spool* s, const double* values, size_t count);

// All numbers (count); NULL and errno on failure. The pointer is valid until numbers are appended or
// spool_release() is called.
const double* spool_values(spool* s);

// Unmap the file; spool_values() maps it again.
void spool_release(spool* s);

// Close and remove the spool.
void spool_close(spool* s);

#endif
