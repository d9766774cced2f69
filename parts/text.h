/*
 * Texts of options, and lists of words for messages.
 */
#ifndef PARTS_TEXT_H
#define PARTS_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "bristle/text.h"

// A NULL-terminated list of names.
typedef const char* const* names;

// "; did you mean NAME?", or `default_text` if no name is similar.
const char* text_suggest(const char* word, names list, const char* default_text);

// "a, b, c"
const char* text_join(names list);

// The index of `word` in the list. If it is not there, ends the command with a message that starts with the option's
// name ("--method") and suggests a similar word.
int text_choose(const char* option, const char* word, names list);

// An integer from `low` to `high` as value of an option; anything else ends the command.
size_t text_read_whole(const char* option, const char* text, double low, double high);

// A file's name without its folder and its suffix: "in_hand" of "scenarios/in_hand.yaml".
char* text_stem(const char* path);

// Does `text` end with `suffix`?
bool text_ends_with(const char* text, const char* suffix);

#endif
