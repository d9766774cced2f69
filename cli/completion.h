/*
 * Shell completion on stdout, generated from the help texts.
 */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include <stdbool.h>
#include <stddef.h>

#include "command.h"
#include "text.h"

void completion_write_bash(const command* commands, size_t count);
void completion_write_zsh(const command* commands, size_t count);

// The topics of the help, NULL-terminated, see br_scenario_create_topics().
names completion_topics(bool all);

#endif
