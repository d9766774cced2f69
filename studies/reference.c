/*
 * Published and reference numbers to compare with.
 */
#include "reference.h"

#include <string.h>

#include "memory.h"
#include "message.h"
#include "text.h"

static const reference_file* find(const char* name)
{
    const reference_file* file = reference_files;
    while (file->name && strcmp(file->name, name) != 0) {
        file++;
    }
    return file->name ? file : NULL;
}

int reference_exists(const char* name)
{
    return find(name) != NULL;
}

// Split a line at its commas and add the fields.
static void add_fields(reference* to, char* line)
{
    size_t count = 0;
    for (char* field = line; field; count++) {
        char* comma = strchr(field, ',');
        if (comma) {
            *comma++ = '\0';
        }
        const size_t index = to->rows * to->width + count;
        to->fields = memory_grow(to->fields, index + 1, sizeof *to->fields);
        to->fields[index] = field;
        field = comma;
    }
    to->width = count;
    to->rows++;
}

reference reference_read(const char* name)
{
    const reference_file* file = find(name);
    if (!file) {
        message_fail(EXIT_COMPUTATION, "no reference numbers of the name %s", name);
    }
    reference got = {0, 0, NULL};
    char* rest = memory_text(file->text, strlen(file->text));
    while (rest && *rest) {
        char* end = strchr(rest, '\n');
        if (end) {
            *end++ = '\0';
        }
        if (*rest && *rest != '#') {
            add_fields(&got, rest);
        }
        rest = end;
    }
    if (got.rows < 2) {
        message_fail(EXIT_COMPUTATION, "%s: no reference numbers", name);
    }
    got.rows--; // the header
    return got;
}

const char* reference_text(const reference* from, size_t row, const char* column)
{
    for (size_t i = 0; i < from->width; i++) {
        if (strcmp(from->fields[i], column) == 0) {
            return from->fields[(row + 1) * from->width + i];
        }
    }
    message_fail(EXIT_COMPUTATION, "no reference column of the name %s", column);
}

double reference_number(const reference* from, size_t row, const char* column)
{
    double number = 0;
    if (!br_text_read_number(reference_text(from, row, column), &number)) {
        message_fail(EXIT_COMPUTATION, "%s: not a number: %s", column,
                     reference_text(from, row, column));
    }
    return number;
}
