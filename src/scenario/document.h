/*
 * YAML text into a tree of nodes. In a build without libyaml (document_absent.c) there are no texts.
 */
#ifndef BRISTLE_SCENARIO_DOCUMENT_H
#define BRISTLE_SCENARIO_DOCUMENT_H

#include "scenario/node.h"

// The tree of a YAML file; NULL where something is wrong with it.
node* bri_document_read(reading* in, const char* path);

// The tree of a YAML text that must be a map; `name` stands for the file.
node* bri_document_read_text(reading* in, const char* name, const char* text, size_t length);

// The value of an option; `origin` names it in messages. NULL where something is wrong with it.
node* bri_document_parse_value(reading* in, const char* origin, const char* text);

// Does this build know YAML?
bool bri_document_is_known(void);

#endif
