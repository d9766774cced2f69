/*
 * Reading the stored reference tables: comments, one header line, numbers.
 */
#ifndef BRISTLE_TEST_TABLE_H
#define BRISTLE_TEST_TABLE_H

#include <stdio.h>
#include <string.h>

#include "check.h"

enum { TABLE_COLUMNS = 20, TABLE_ROWS = 2100 };

typedef struct table {
    size_t rows, columns;
    char name[TABLE_COLUMNS][48];
    double value[TABLE_ROWS][TABLE_COLUMNS];
} table;

static inline void table_header(table* t, char* line)
{
    for (char* name = strtok(line, ",\r\n"); name; name = strtok(NULL, ",\r\n")) {
        assert_true(t->columns < TABLE_COLUMNS);
        snprintf(t->name[t->columns++], sizeof t->name[0], "%s", name);
    }
}

static inline void table_row(table* t, char* line)
{
    assert_true(t->rows < TABLE_ROWS);
    char* rest = line;
    for (size_t i = 0; i < t->columns; i++) {
        t->value[t->rows][i] = strtod(rest, &rest); // a word counts as 0
        rest += strcspn(rest, ",");
        rest += *rest == ',';
    }
    t->rows++;
}

static inline void table_read(table* t, const char* folder, const char* file)
{
    char path[1024], line[4096];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    FILE* in = fopen(path, "r");
    if (!in) {
        fail_msg("cannot open %s", path);
        return;
    }
    t->rows = t->columns = 0;
    while (fgets(line, sizeof line, in)) {
        if (line[0] == '#' || line[0] == '\n') {
            continue;
        }
        if (t->columns == 0) {
            table_header(t, line);
        } else {
            table_row(t, line);
        }
    }
    fclose(in);
    assert_true(t->rows > 0);
}

static inline double table_get(const table* t, size_t row, const char* column)
{
    for (size_t i = 0; i < t->columns; i++) {
        if (strcmp(t->name[i], column) == 0) {
            return t->value[row][i];
        }
    }
    fail_msg("no column %s", column);
    return (double)NAN;
}

#endif
