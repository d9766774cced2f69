/*
 * Numbers that wait on disk instead of in memory.
 */
#ifndef PARTS_SPOOL_H
#define PARTS_SPOOL_H

#include <stdbool.h>
#include <stddef.h>

// Numbers in a file without a name, which is gone with the command however that ends.
typedef struct spool {
    int descriptor;
    size_t count;  // of numbers
    void* map;     // the file as memory; NULL: not mapped
    size_t mapped; // bytes of that
} spool;

// Begin an empty one on the disk that `folder` is on; false and errno where that cannot be.
bool spool_open(spool* s, const char* folder);

// Add numbers at the end; false and errno where that cannot be.
bool spool_append(spool* s, const double* values, size_t count);

// All numbers (count); NULL and errno where that cannot be. They stay there until more are appended or
// spool_release() is called.
const double* spool_values(spool* s);

// Give back the memory that reading has taken; spool_values() takes it again.
void spool_release(spool* s);

// Let it go.
void spool_close(spool* s);

#endif
