/*
 * A file being read: its memory, and what is to be said of it, mistakes and warnings, all of them.
 *
 * A mistake does not end the reading. Who reads a value that is wrong gets a harmless one in its place and
 * goes on; nothing is made of a mapping with a mistake in it, so that one mistake does not bring others.
 */
#ifndef BRISTLE_SCENARIO_READING_H
#define BRISTLE_SCENARIO_READING_H

#include <stdbool.h>

#include "bristle/scenario.h"
#include "scenario/escape.h"
#include "scenario/pool.h"

typedef struct made_model made_model;

typedef struct reading {
    pool memory;
    br_mistake* mistakes;
    size_t mistake_count, mistake_capacity;
    size_t problems; // mistakes, those that were met again included
    const char** warnings;
    size_t warning_count, warning_capacity;
    const char** files; // opened, by their paths
    size_t file_count, file_capacity;
    made_model* made; // models, for cases (made.h)
    escape way_out;   // where there is no memory
} reading;

// Memory for `count` things of `bytes` each that lives as long as the reading.
void* bri_allocate(reading* in, size_t count, size_t bytes);

// A text that lives as long as the reading, made as printf makes it.
char* bri_format(reading* in, const char* format, ...) __attribute__((format(printf, 2, 3)));

// Note a mistake, once; its texts live as long as the reading. Of very many not all are noted.
void bri_note_mistake(reading* in, br_mistake mistake);

// Note a mistake of a file, or of one of its lines (0: of no line), in words.
void bri_fail_file(reading* in, const char* file, size_t line, const char* format, ...)
    __attribute__((format(printf, 4, 5)));

// Note a warning.
void bri_warn(reading* in, const char* format, ...) __attribute__((format(printf, 2, 3)));

// Note that a file was opened.
void bri_note_file(reading* in, const char* path);

// There is no memory: does not return.
void bri_no_memory(reading* in);

#endif
