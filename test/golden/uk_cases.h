/*
 * Reading the stored cases of constrained systems: one value a line, `name numbers...`.
 */
#ifndef BRISTLE_TEST_UK_CASES_H
#define BRISTLE_TEST_UK_CASES_H

#include <stdio.h>
#include <string.h>

#include "check.h"

enum { UK_VALUES = 40, UK_NUMBERS = 64, UK_CASES = 64 };

typedef struct uk_value {
    char name[32];
    size_t count;
    double number[UK_NUMBERS];
} uk_value;

typedef struct uk_case {
    size_t n, m, d, rank;
    int contact;
    size_t values;
    uk_value value[UK_VALUES];
} uk_case;

static inline void uk_read_value(uk_case* c, char* line)
{
    assert_true(c->values < UK_VALUES);
    uk_value* v = &c->value[c->values++];
    char* rest = strchr(line, ' ');
    assert_non_null(rest);
    snprintf(v->name, sizeof v->name, "%.*s", (int)(rest - line), line);
    v->count = 0;
    for (char* end = rest;; rest = end) {
        const double number = strtod(rest, &end);
        if (end == rest) {
            break;
        }
        assert_true(v->count < UK_NUMBERS);
        v->number[v->count++] = number;
    }
}

// All cases of the file; their number.
static inline size_t uk_read(uk_case* cases, const char* folder)
{
    char path[1024];
    static char line[65536];
    snprintf(path, sizeof path, "%s/uk_cases.txt", folder);
    FILE* in = fopen(path, "r");
    if (!in) {
        fail_msg("cannot open %s", path);
        return 0;
    }
    size_t count = 0;
    while (fgets(line, sizeof line, in)) {
        if (strncmp(line, "case ", 5) == 0) {
            assert_true(count < UK_CASES);
            uk_case* c = &cases[count++];
            assert_int_equal(
                sscanf(line, "case %zu %zu %zu %zu %d", &c->n, &c->m, &c->d, &c->rank, &c->contact),
                5);
            c->values = 0;
        } else if (line[0] != '#' && count > 0) {
            uk_read_value(&cases[count - 1], line);
        }
    }
    fclose(in);
    return count;
}

static inline const double* uk_get(const uk_case* c, const char* name)
{
    for (size_t i = 0; i < c->values; i++) {
        if (strcmp(c->value[i].name, name) == 0) {
            return c->value[i].number;
        }
    }
    fail_msg("no value %s", name);
    return NULL;
}

#endif
