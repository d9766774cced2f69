/*
 * Messages on stderr, and exit of the command.
 */
#ifndef PARTS_MESSAGE_H
#define PARTS_MESSAGE_H

#include <stddef.h>

#include "bristle/base.h"

// Exit statuses of the command.
enum {
    EXIT_DONE = 0,
    EXIT_COMPUTATION = 1, // the computation could not be finished, or its result not written
    EXIT_USAGE = 2        // bad usage or bad input
};

// Print `bristle: ...` and end the command with `status`.
_Noreturn void message_fail(int status, const char* format, ...) BR_PRINTF(2, 3);

// Print `bristle: ...`.
void message_print(const char* format, ...) BR_PRINTF(1, 2);

// End the command with `status`; its errors have been printed before.
_Noreturn void message_end(int status);

// Print `bristle: warning: ...` and store it for the summary.
void message_warn(const char* format, ...) BR_PRINTF(1, 2);

// The warnings printed so far.
size_t message_warning_count(void);
const char* message_warning(size_t index);

#endif
