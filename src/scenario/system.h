/*
 * What the library needs of the operating system: files, paths, threads and processors. Each system has its own file:
 * system_posix.c, system_windows.c, and system_wasm.c, whose host has the files and which has one thread. On Windows
 * names of files are UTF-8.
 */
#ifndef BRISTLE_SCENARIO_SYSTEM_H
#define BRISTLE_SCENARIO_SYSTEM_H

#include "scenario/pool.h"

// --- bytes: of the system's files, or in a WebAssembly module of those that its host has under these names ---

typedef struct stream stream;

// Open a file; NULL where it cannot be read, for the reason `why`.
stream* bri_stream_open(pool* memory, const char* path, const char** why);

// The next byte; -1 at the end.
int bri_stream_get(stream* from);

// The error while reading, in words; NULL: none.
const char* bri_stream_error(stream* from);

void bri_stream_close(void* from);

// Does a file of this name exist? Can it be read? If not, `why` is the reason.
bool bri_stream_exists(const char* path);
bool bri_stream_is_readable(const char* path, const char** why);

// --- paths ----------------------------------------------------------------------------------------

// The character after which the last name of a path starts: a slash, on Windows also a backslash or the colon of a
// drive. NULL: the path is a name alone.
const char* bri_path_find_separator(const char* path);

// Does the path start at the root of the file system (of a drive, on Windows)?
bool bri_path_is_absolute(const char* path);

// --- threads --------------------------------------------------------------------------------------

// A lock; NULL: there is no memory.
typedef struct system_lock system_lock;
system_lock* bri_lock_create(void);
void bri_lock_destroy(system_lock* lock);
void bri_lock_take(system_lock* lock);
void bri_lock_give(system_lock* lock);

// Call `work` with each of `count` items of `bytes` each, every one in its own thread, the first in the caller's; return
// when all have returned. The first item is always worked on; others may be left out where a thread cannot be created.
void bri_threads_run(void (*work)(void* item), void* items, size_t bytes, size_t count);

// Processors on which this process may run; at least 1.
size_t bri_system_count_processors(void);

#endif
