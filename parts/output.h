/*
 * Files that the command writes: whole or not at all.
 *
 * A regular file is written under another name beside the target and renamed at the end. Anything
 * else that exists (/dev/null, a pipe) is written straight into; "-" is stdout.
 */
#ifndef PARTS_OUTPUT_H
#define PARTS_OUTPUT_H

#include <limits.h>
#include <stdio.h>

typedef struct output {
    const char* name;         // as the user wrote it
    FILE* stream;             // write here
    int problem;              // errno of the first output_write() that failed; 0: none
    char target[PATH_MAX];    // the file in the end
    char temporary[PATH_MAX]; // its name until then; "" if written straight
} output;

// Open for writing, or say why not and end the command.
output* output_open(const char* name);

// The folder that a file of this name is in.
char* output_folder(const char* path);

// Write bytes; a failure is remembered for output_commit(), and what follows it is dropped.
void output_write(output* to, const void* bytes, size_t count);

// All is written: make it count. A write error ends the command and leaves the older file.
void output_commit(output* to);

// Make sure that what went to stdout has arrived, else end the command.
void output_check_stdout(void);

#endif
