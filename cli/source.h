/*
 * Text files that come from outside, line by line, with the checks that every one of them needs.
 */
#ifndef CLI_SOURCE_H
#define CLI_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>

// A text file being read.
typedef struct source {
    const char* path;
    FILE* stream;
    size_t line;   // number of the line that was read last, from 1
    char* text;    // that line, without its line end
    size_t length; // of that line
} source;

// Open a text file, or say why not and end the command. It is closed when the command ends.
source source_open(const char* path);

// Is the file with this status one that has been opened?
bool source_is_open(const struct stat* status);

// Read the next line into `text`; 0 at the end. A line that is too long or not text ends the
// command.
int source_next(source* from);

// Say what is wrong with the line that was read last, and end the command.
_Noreturn void source_fail(const source* from, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

// Where a file named inside another is: beside that one, else in the current folder.
char* source_beside(const char* file, const char* name);

#endif
