/*
 * The bytes of files that scenarios name: those of the system, or in a module of WebAssembly those that its host
 * has under these names.
 */
#ifndef BRISTLE_SCENARIO_STREAM_H
#define BRISTLE_SCENARIO_STREAM_H

#include <stdbool.h>

#include "scenario/pool.h"

typedef struct stream stream;

// Open a file; NULL where it cannot be read, and `why` says so in words.
stream* bri_stream_open(pool* memory, const char* path, const char** why);

// The next byte; -1 at the end.
int bri_stream_get(stream* from);

// What went wrong while it was read, in words; NULL: nothing.
const char* bri_stream_error(stream* from);

void bri_stream_close(void* from);

// Is there a file of this name? May it be read? Where not, `why` says so in words.
bool bri_stream_exists(const char* path);
bool bri_stream_is_readable(const char* path, const char** why);

#endif
