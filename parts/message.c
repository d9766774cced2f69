/*
 * Messages on stderr, and exit of the command.
 */
#include "message.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "memory.h"

enum { LONGEST = 4096, MOST_WARNINGS = 64 };

static const char* warnings[MOST_WARNINGS];
static size_t warning_count;

// Messages quote texts from files: control characters must not reach a terminal.
static void print_visible(char c)
{
    if (c == '\t') {
        fputs("\\t", stderr);
    } else {
        fputc(iscntrl((unsigned char)c) && c != '\n' ? '?' : c, stderr);
    }
}

static void print_message(const char* prefix, const char* format, va_list arguments)
{
    char text[LONGEST];
    vsnprintf(text, sizeof text, format, arguments);
    fprintf(stderr, "bristle: %s", prefix);
    for (const char* c = text; *c; c++) {
        print_visible(*c);
    }
    fputc('\n', stderr);
}

void message_fail(int status, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_message("", format, arguments);
    va_end(arguments);
    exit(status);
}

void message_print(const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_message("", format, arguments);
    va_end(arguments);
}

void message_end(int status)
{
    exit(status);
}

void message_warn(const char* format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    print_message("warning: ", format, arguments);
    va_end(arguments);

    if (warning_count < MOST_WARNINGS) {
        char text[LONGEST];
        vsnprintf(text, sizeof text, format, again);
        warnings[warning_count++] = memory_format("%s", text);
    }
    va_end(again);
}

size_t message_warning_count(void)
{
    return warning_count;
}

const char* message_warning(size_t index)
{
    return warnings[index];
}
