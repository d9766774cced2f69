/*
 * What the two files for Windows share: paths and errors.
 */
#ifndef PARTS_WIDE_H
#define PARTS_WIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <wchar.h>

enum { WIDE_PATH = 4096 }; // longest path, with its end [characters]

// The path in UTF-16; one that is long with the prefix that lifts the limit of 260 characters. "" where it is not
// UTF-8 or too long: no file has this name.
const wchar_t* windows_widen(const char* path, wchar_t to[WIDE_PATH]);

// A text in UTF-8. False: it does not fit.
bool windows_narrow(const wchar_t* text, char* to, size_t size);

// Set errno to what GetLastError() says. Returns false.
bool windows_fail(void);

// Append an argument to a command line, quoted as the C library of the other program reads it. False: it does not fit.
bool windows_append_argument(wchar_t* line, size_t size, const char* argument);

#endif
