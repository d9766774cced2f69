/*
 * Replacement of the C library's printf and strtod, which are ten times this size and depend on files. JavaScript
 * formats and parses numbers.
 *
 * Supported are the formats that bristle uses: %s %c %d %u %zu %x %g %%, with a width, zeros before it and a precision.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 32 }; // characters of a number

// `number` as printf("%.<digits>g") formats it, 0-terminated; and the number at the start of a text, whose length is
// written to `used` (0: none).
__attribute__((import_module("bristle"), import_name("spell"))) void
host_spell(double number, int digits, char* to);
__attribute__((import_module("bristle"), import_name("parse"))) double host_parse(const char* text,
                                                                                  size_t* used);

double strtod(const char* restrict text, char** restrict end)
{
    size_t used = 0;
    const double number = host_parse(text, &used);
    if (end) {
        *end = (char*)(size_t)(text + used);
    }
    return number;
}

// Destination of text; characters that do not fit are only counted.
typedef struct output {
    char* to;
    size_t size;
    size_t length;
} output;

static void write_char(output* out, char c)
{
    if (out->length + 1 < out->size) {
        out->to[out->length] = c;
    }
    out->length++;
}

// A conversion of a format: %[0][width][.precision]
typedef struct piece {
    bool has_zeros;
    int width;
    int precision; // negative: none
} piece;

static void write_text(output* out, const piece* how, const char* text)
{
    size_t length = strlen(text);
    if (how->precision >= 0 && length > (size_t)how->precision) {
        length = (size_t)how->precision;
    }
    for (size_t i = length; how->width > 0 && i < (size_t)how->width; i++) {
        write_char(out, how->has_zeros ? '0' : ' ');
    }
    for (size_t i = 0; i < length; i++) {
        write_char(out, text[i]);
    }
}

static void write_integer(output* out, piece how, unsigned long number, bool is_negative,
                          unsigned base)
{
    char digits[LONGEST];
    char* first = digits + sizeof digits - 1;
    *first = '\0';
    do {
        *--first = "0123456789abcdef"[number % base];
        number /= base;
    } while (number > 0);
    if (is_negative) {
        *--first = '-';
    }
    how.precision = -1;
    write_text(out, &how, first);
}

static void write_number(output* out, piece how, double number)
{
    char digits[LONGEST];
    host_spell(number, how.precision < 0 ? 6 : how.precision, digits);
    how.precision = -1;
    write_text(out, &how, digits);
}

// A number of a format, or * for one of the arguments.
static const char* read_size(const char* format, int* size, va_list* arguments)
{
    if (*format == '*') {
        *size = va_arg(*arguments, int);
        return format + 1;
    }
    for (*size = 0; *format >= '0' && *format <= '9'; format++) {
        *size = 10 * *size + (*format - '0');
    }
    return format;
}

static const char* read_piece(const char* format, piece* how, va_list* arguments)
{
    *how = (piece){.has_zeros = *format == '0', .precision = -1};
    format = read_size(format, &how->width, arguments);
    if (*format == '.') {
        format = read_size(format + 1, &how->precision, arguments);
    }
    return *format == 'z' ? format + 1 : format; // a size_t is as long as an unsigned
}

static void write_piece(output* out, char kind, const piece* how, va_list* arguments)
{
    if (kind == 's') {
        write_text(out, how, va_arg(*arguments, const char*));
    } else if (kind == 'g') {
        write_number(out, *how, va_arg(*arguments, double));
    } else if (kind == 'd') {
        const int number = va_arg(*arguments, int);
        const unsigned size = number < 0 ? 0U - (unsigned)number : (unsigned)number;
        write_integer(out, *how, size, number < 0, 10);
    } else if (kind == 'u' || kind == 'x') {
        write_integer(out, *how, va_arg(*arguments, unsigned), false, kind == 'x' ? 16 : 10);
    } else if (kind == 'c') {
        write_char(out, (char)va_arg(*arguments, int));
    } else if (kind == '%') {
        write_char(out, '%');
    } else {
        __builtin_trap(); // an unsupported format: add it above
    }
}

int vsnprintf(char* restrict to, size_t size, const char* restrict format, va_list arguments)
{
    output out = {to, size, 0};
    va_list rest;
    va_copy(rest, arguments);
    for (; *format; format++) {
        if (*format != '%') {
            write_char(&out, *format);
            continue;
        }
        piece how;
        format = read_piece(format + 1, &how, &rest);
        write_piece(&out, *format, &how, &rest);
    }
    va_end(rest);
    if (size > 0) {
        to[out.length < size ? out.length : size - 1] = '\0';
    }
    return (int)out.length;
}

int snprintf(char* restrict to, size_t size, const char* restrict format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(to, size, format, arguments);
    va_end(arguments);
    return length;
}
