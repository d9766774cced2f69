/*
 * Completion for shells, on stdout: what the help says, in their languages.
 */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include <stddef.h>

#include "command.h"

void completion_write_bash(const command* commands, size_t count);
void completion_write_zsh(const command* commands, size_t count);

#endif
