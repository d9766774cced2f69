/// @file text.h
/// Parsing of user input: numbers, and words of a list.
///
/// In libbristle-scenario.
#ifndef BRISTLE_TEXT_H
#define BRISTLE_TEXT_H

#include "bristle/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Read a whole text as a decimal number (1e-3, .5, -1), with a decimal point in any locale.
/// @param text      at most 1000 characters, without blanks
/// @param[out] out  the number; undefined where the result is false
/// @return true if it is a finite number
BR_API bool br_text_read_number(const char* text, double* out);

/// Position of a word in a list, from 0, or -1.
/// @param list  terminated by NULL
BR_API int br_text_find(const char* word, const char* const* list);

/// The word of a list that was probably meant: at most one edit per four letters away, or `word` is an abbreviation of
/// it with three letters or more. Ignores case.
/// @param list  terminated by NULL
/// @return the word, or NULL if none is similar
BR_API const char* br_text_find_nearest(const char* word, const char* const* list);

#ifdef __cplusplus
}
#endif

#endif
