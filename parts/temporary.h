/*
 * Files that must not outlive the command, however it ends (kill -9 apart).
 */
#ifndef PARTS_TEMPORARY_H
#define PARTS_TEMPORARY_H

// Remove temporary files at exit and on signals; call it once, first.
void temporary_arm(void);

// From now on the first SIGINT, SIGTERM or SIGHUP only makes temporary_signal() tell its number, so that the
// work can be ended in good order; a second one ends the command.
void temporary_await_signal(void);

// The signal that has come since then; 0: none.
int temporary_signal(void);

// Say `message` and end the command with `status` once `seconds` have passed, whatever it does by then;
// infinite: never. temporary_carry_on() takes that back.
void temporary_end_after(double seconds, const char* message, int status);
void temporary_carry_on(void);

// Make an empty file of a new name in `folder` and open it.
// `path` (at least PATH_MAX long) gets its name. -1 and errno on failure.
int temporary_create(const char* folder, char* path);

// The file at `path` got its final name: leave it alone from now on.
void temporary_forget(const char* path);

#endif
