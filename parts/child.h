/*
 * A child process that reads a file and whose output is read through a pipe.
 */
#ifndef PARTS_CHILD_H
#define PARTS_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct child {
    intptr_t process;
    int output; // the end of the pipe to read from
} child;

// A stream for reading and writing, removed when it is closed; NULL and errno on failure.
FILE* child_open_stream(void);

// Start a program that is searched for as the shell does. It reads `input` from its start and writes messages to
// `messages`. `arguments` ends with NULL. Returns 0 or errno, ENOENT: there is no such program.
int child_start(child* c, const char* const* arguments, FILE* input, FILE* messages);

// Read some bytes of its output until the time `end` of system_clock(). Returns how many, 0 at the end of the output,
// -1: time is up.
ptrdiff_t child_read(const child* c, void* bytes, size_t count, double end);

// Wait for its end until the time `end`. False: time is up. `status` is its exit status, negative: a signal ended it.
bool child_wait(const child* c, double end, int* status);

// End it at once.
void child_kill(const child* c);

// The same without waiting, by its process alone; may be called in a handler of requests to end.
void child_end(intptr_t process);

// Close the pipe; call it once.
void child_close(const child* c);

#endif
