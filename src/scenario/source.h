/*
 * Text files that come from outside, line by line, with the checks that every one of them needs.
 */
#ifndef BRISTLE_SCENARIO_SOURCE_H
#define BRISTLE_SCENARIO_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "scenario/reading.h"
#include "scenario/stream.h"

// A text file being read.
typedef struct source {
    reading* in;
    const char* path;
    stream* bytes;   // NULL: it could not be opened
    void* held;      // the same, as the memory keeps it
    size_t line;     // number of the line that was read last, from 1
    char* text;      // that line, without its line end
    size_t length;   // of that line
    size_t mistakes; // that were noted
    bool is_broken;  // there is nothing more to read
} source;

// Open a text file; where it cannot be read, that is a mistake, and it is broken.
source bri_source_open(reading* in, const char* path);

// Read the next line into `text`; 0 at the end, and where a line is too long or not text.
int bri_source_next(source* from);

// Close it and give its memory back.
void bri_source_close(source* from);

// Note what is wrong with the line that was read last; that breaks the source.
void bri_source_fail(source* from, const char* format, ...) __attribute__((format(printf, 2, 3)));

// The same, but reading goes on: what is wrong further down is told, too, until there is too much of it.
void bri_source_note(source* from, const char* format, ...) __attribute__((format(printf, 2, 3)));

// Where a file named inside another is: beside that one, else in the current folder.
char* bri_source_beside(reading* in, const char* file, const char* name);

#endif
