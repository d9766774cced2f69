/*
 * Write JSON.
 */
#include "json.h"

#include <math.h>

#include "digits.h"

static void write_text(FILE* to, const char* text)
{
    fputc('"', to);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') {
            fprintf(to, "\\%c", c);
        } else if (c < 0x20 || c == 0x7f) {
            fprintf(to, "\\u%04x", c);
        } else {
            fputc(c, to);
        }
    }
    fputc('"', to);
}

static void lead_in(json* out, const char* key)
{
    if (out->comma) {
        fputs(", ", out->to);
    }
    out->comma = true;
    if (key) {
        write_text(out->to, key);
        fputs(": ", out->to);
    }
}

void json_begin(json* out, const char* key, char bracket)
{
    lead_in(out, key);
    fputc(bracket, out->to);
    out->comma = false;
}

void json_end(json* out, char bracket)
{
    fputc(bracket, out->to);
    out->comma = true;
}

void json_number(json* out, const char* key, double value)
{
    lead_in(out, key);
    if (isfinite(value)) {
        char text[DIGITS_SIZE];
        digits_write(value, text);
        fputs(text, out->to);
    } else {
        fputs("null", out->to);
    }
}

void json_count(json* out, const char* key, size_t value)
{
    lead_in(out, key);
    fprintf(out->to, "%zu", value);
}

void json_text(json* out, const char* key, const char* value)
{
    lead_in(out, key);
    write_text(out->to, value);
}

void json_flag(json* out, const char* key, bool value)
{
    lead_in(out, key);
    fputs(value ? "true" : "false", out->to);
}

void json_numbers(json* out, const char* key, const double* values, size_t count)
{
    json_begin(out, key, '[');
    for (size_t i = 0; i < count; i++) {
        json_number(out, NULL, values[i]);
    }
    json_end(out, ']');
}
