/*
 * Files that the command writes: complete or not at all.
 *
 * A regular file is written under another name beside the target and renamed at the end. Anything
 * else that exists (/dev/null, a pipe) is written directly; "-" is stdout.
 */
#ifndef PARTS_OUTPUT_H
#define PARTS_OUTPUT_H

#include <stdint.h>
#include <stdio.h>

#include "system.h"

typedef struct output {
    const char* name;            // as the user wrote it
    FILE* stream;                // write here
    int problem;                 // errno of the first output_write() that failed; 0: none
    char target[SYSTEM_PATH];    // the final file
    char temporary[SYSTEM_PATH]; // its name until then; "" if written directly
} output;

// Open for writing; an error ends the command.
output* output_open(const char* name);

// The folder that a file of this name is in.
char* output_folder(const char* path);

// End the command if this file is one of its inputs.
void output_check_name(const char* name);

// Write bytes; output_commit() reports a failure, after which further bytes are dropped.
void output_write(output* to, const void* bytes, size_t count);

// Continue at this offset of the file; a pipe has none, which output_commit() reports.
void output_seek(output* to, uint64_t offset);

// Finish the file and give it its final name. A write error ends the command and keeps the old file.
void output_commit(output* to);

// End the command if writing to stdout failed.
void output_check_stdout(void);

#endif
