/*
 * A text that grows, in a pool.
 */
#ifndef BRISTLE_SCENARIO_WRITER_H
#define BRISTLE_SCENARIO_WRITER_H

#include "scenario/pool.h"

typedef struct writer {
    pool* memory;
    char* text; // ended by 0; NULL: nothing yet
    size_t length, capacity;
} writer;

// Add to it, as printf makes it.
void bri_write(writer* to, const char* format, ...) __attribute__((format(printf, 2, 3)));

#endif
