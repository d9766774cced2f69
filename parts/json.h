/*
 * Write JSON: keys in order, numbers exact, NaN and Inf as null.
 */
#ifndef PARTS_JSON_H
#define PARTS_JSON_H

#include <stdbool.h>
#include <stdio.h>

typedef struct json {
    FILE* to;
    bool comma; // the next value on this level needs a comma before it
} json;

// Start and end an object ('{', '}') or a list ('[', ']'); `key` is NULL inside lists.
void json_begin(json* out, const char* key, char bracket);
void json_end(json* out, char bracket);

void json_number(json* out, const char* key, double value);
void json_count(json* out, const char* key, size_t value);
void json_text(json* out, const char* key, const char* value);
void json_flag(json* out, const char* key, bool value);
void json_numbers(json* out, const char* key, const double* values, size_t count);

#endif
