/*
 * Numbers as text: the fewest decimal digits that read back to the same double.
 */
#ifndef PARTS_DIGITS_H
#define PARTS_DIGITS_H

#include <stddef.h>

enum {
    DIGITS_ROOM = 48
}; // bytes that digits_write() may touch; what it leaves is 25 of them or fewer

// Write `x` as a text, ended by 0, and give its length: the shortest digits that strtod() reads as `x`,
// of several the nearest to it; 0.95 or 1e-5, a point in any locale, no sign of zero; nan, inf, -inf.
// The first call makes a table: let it return before other threads begin to write numbers.
size_t digits_write(double x, char to[DIGITS_ROOM]);

#endif
