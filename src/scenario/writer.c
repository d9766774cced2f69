/*
 * A text that grows, in a pool.
 */
#include "scenario/writer.h"

#include <stdarg.h>
#include <stdio.h>

void bri_write(writer* to, const char* format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const size_t more = (size_t)vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (to->length + more + 1 > to->capacity) {
        to->capacity = 2 * (to->length + more + 1);
        to->text = bri_pool_grow(to->memory, to->text, to->capacity, 1);
    }
    vsnprintf(to->text + to->length, more + 1, format, arguments);
    to->length += more;
    va_end(arguments);
}
