/*
 * Numbers as text: the fewest decimal digits that read back to the same double.
 */
#ifndef PARTS_DIGITS_H
#define PARTS_DIGITS_H

#include <stddef.h>

enum { DIGITS_SIZE = 48 }; // bytes that digits_write() may write to; the text has at most 25

// Write `x` as a 0-terminated text and return its length: the shortest digits that strtod() reads as `x`,
// the nearest to it if there are several; 0.95 or 1e-5, a point in any locale, zero without sign; nan, inf,
// -inf. The first call builds a table: it must return before other threads call this function.
size_t digits_write(double x, char to[DIGITS_SIZE]);

#endif
