/*
 * YAML text into a tree of nodes.
 */
#ifndef CLI_DOCUMENT_H
#define CLI_DOCUMENT_H

#include "node.h"

// Read a YAML file, or say what is wrong with it and end the command.
node* document_read(const char* path);

// The tree of a YAML text that came with an option; `origin` names it in messages.
node* document_parse(const char* origin, const char* text, size_t length, bool has_lines);

#endif
