/*
 * Temporary files, removed however the command ends. Files left by kill -9 are removed by the next command that
 * writes the same target.
 */
#ifndef PARTS_TEMPORARY_H
#define PARTS_TEMPORARY_H

#include <stdint.h>

// Remove temporary files at exit and on signals; call it once, first.
void temporary_arm(void);

// From now on the first SIGINT, SIGTERM or SIGHUP is only stored for temporary_signal(), so that the work
// can stop in order; a second one ends the command.
void temporary_await_signal(void);

// The signal received since then; 0: none.
int temporary_signal(void);

// Print `message` and end the command with `status` after `seconds`; infinite: never.
// temporary_cancel_end() cancels this.
void temporary_end_after(double seconds, const char* message, int status);
void temporary_cancel_end(void);

// Create and open an empty file with a new name in `folder`, and remove files that killed commands left there for the
// same `target` (a file name without folder); files of running writers stay. Writes its name to `path` (at least
// SYSTEM_PATH long). Returns -1 and sets errno on failure.
int temporary_create(const char* folder, const char* target, char* path);

// Remove temporary files for the target that killed commands left.
void temporary_remove_stale(const char* folder, const char* target);

// The file at `path` got its final name: do not remove it.
void temporary_forget(const char* path);

// A process (child.process) that is ended with this one, whatever ends it (not kill -9), until it is forgotten.
void temporary_note_child(intptr_t process);
void temporary_forget_child(intptr_t process);

// Call this in a forked process: its siblings are not its own.
void temporary_become_child(void);

#endif
