/*
 * A file being read: its memory, and all errors and warnings.
 *
 * An error does not stop the reading. The reader of a wrong value gets a harmless one instead and goes on; nothing is
 * built from a mapping with an error, so that one error does not cause others.
 */
#ifndef BRISTLE_SCENARIO_PARSE_CONTEXT_H
#define BRISTLE_SCENARIO_PARSE_CONTEXT_H

#include "bristle/scenario.h"
#include "scenario/pool.h"

typedef struct cached_model cached_model;

// The last few models.
enum { MOST_RECENT = 64 };
typedef struct recent_models {
    const cached_model* at[MOST_RECENT];
    size_t count; // of all so far
} recent_models;

// What `bristle upgrade` writes in place of an older word, at or behind a position of the file.
typedef struct text_edit {
    size_t line, column; // of the key, or of the value that contains the word; from 1
    const char *older, *newer;
    bool is_function; // a name in a formula
} text_edit;

typedef struct parse_context {
    pool memory;
    br_scenario_error* errors;
    size_t error_count, error_capacity;
    size_t problems; // errors, repeated ones included
    const char** warnings;
    size_t warning_count, warning_capacity;
    const char** files; // opened, by their paths
    size_t file_count, file_capacity;
    text_edit* edits; // in the order of the file
    size_t edit_count, edit_capacity;
    bool adds_keys;       // an override has a key that the file has not
    recent_models recent; // for values that are equal (model_cache.c)
} parse_context;

// Call `what`, which reads into it, with `user`. False: there was no memory.
#define bri_parse_context_run(in, ...) bri_pool_run(&(in)->memory, __VA_ARGS__)

// Memory for `count` items of `bytes` each, and a text formatted as by printf; both live as long as the context.
#define bri_allocate(in, count, bytes) bri_pool_allocate(&(in)->memory, count, bytes)
#define bri_format(in, ...)            bri_pool_format(&(in)->memory, __VA_ARGS__)

// Note an error, once; its texts must live as long as the context. The number of noted errors is limited.
void bri_note_error(parse_context* in, br_scenario_error error);

// Note an error of a file, or of one of its lines (0: of no line).
void bri_fail_file(parse_context* in, const char* file, size_t line, const char* format, ...)
    BR_PRINTF(4, 5);

// False: enough warnings have been noted, so that there is no need to compute another.
bool bri_may_warn(const parse_context* in);

// Note a warning.
void bri_warn(parse_context* in, const char* format, ...) BR_PRINTF(2, 3);

// Note a word of the file that has a newer one.
void bri_note_edit(parse_context* in, text_edit edit);

// Note that a file was opened.
void bri_note_file(parse_context* in, const char* path);

// There is no memory: does not return.
#define bri_no_memory(in) bri_pool_fail(&(in)->memory)

#endif
