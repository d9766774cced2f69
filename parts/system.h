/*
 * What the programs need of the operating system: files, time, the terminal, requests to end, the program itself. Each
 * system has its own file, system_posix.c and system_windows.c. Names of files and arguments are UTF-8 on Windows.
 * Functions that return false or a negative number on failure set errno.
 */
#ifndef PARTS_SYSTEM_H
#define PARTS_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// --- the program ----------------------------------------------------------------------------------

// Call it first: makes the arguments UTF-8 and writes line ends to stdout as they are.
void system_start(int* argc, char*** argv);

// Longest path, with its end [bytes].
enum { SYSTEM_PATH = 4096 };

// The path of the program that runs.
bool system_find_program(char path[SYSTEM_PATH]);

// Continue as another program, with its exit status as ours; without a folder it is searched for as the shell does.
// Returns only where it cannot be started.
void system_become(const char* path, char** argv);

// --- time and terminal ----------------------------------------------------------------------------

// Seconds of a clock that never jumps; may be called in a handler of requests to end.
double system_clock(void);

void system_sleep(double seconds);

// Is this a terminal that understands escape sequences?
bool system_is_terminal(FILE* stream);

// --- requests to end: signals, on Windows events of the console -----------------------------------

// Call `on_end` with the number of a signal, unless the caller of the program wants that one ignored. It may be called
// between any two instructions, on Windows in another thread. `can_wait`: the program may end later.
void system_on_end(void (*on_end)(int number, bool can_wait));

// End the program by this signal, so that a shell's loop sees the cause.
_Noreturn void system_end_by(int number);

// Between hold and release, on_end() is not called.
void system_hold_end(void);
void system_release_end(void);

// Call `on_time_up` after `seconds` > 0, in the same manner; NULL cancels it.
void system_alarm(double seconds, void (*on_time_up)(void));

// Write to stderr and end at once, inside such a function.
_Noreturn void system_quit(const char* message, int status);

// --- paths ----------------------------------------------------------------------------------------

// The character after which the last name of a path starts: a slash, on Windows also a backslash or the colon of a
// drive. NULL: the path is a name alone.
const char* system_find_separator(const char* path);

// The last name of a path.
const char* system_name(const char* path);

bool system_is_absolute(const char* path);

bool system_current_folder(char path[SYSTEM_PATH]);

// The folder for temporary files.
const char* system_temporary_folder(void);

// --- files by name --------------------------------------------------------------------------------

// What is known of a file or folder.
typedef struct system_file {
    bool is_regular, is_folder;
    uint64_t device, number; // together they identify it, however its path is spelt
    uint64_t size;           // [bytes]
    unsigned mode;           // permissions; 0 on Windows
} system_file;

// Look at what a path leads to; false: nothing.
bool system_look(const char* path, system_file* out);

bool system_exists(const char* path);
bool system_is_writable(const char* path);

// Is this a regular file, not a link, that was not written to for this time [s]?
bool system_is_older(const char* path, double seconds);

// fopen()
FILE* system_open_stream(const char* path, const char* mode);

// Rename a file; one with the new name is replaced, at no time is there none.
bool system_replace(const char* from, const char* to);

// Rename a file; one with the new name is an error.
bool system_rename_new(const char* from, const char* to);

bool system_remove(const char* path);

// Succeeds where the folder exists.
bool system_make_folder(const char* path);

// Follow links to the file, which need not exist.
bool system_resolve(const char* name, char target[SYSTEM_PATH]);

// Call `each` with the names in a folder.
void system_list(const char* folder, void (*each)(const char* name, void* user), void* user);

// --- descriptors ----------------------------------------------------------------------------------

// Create an empty file whose name ends with six letters instead of XXXXXX, for reading and writing.
int system_create_unique(char* path);

// Create a file that must not exist; open one, not a link if `direct`. A file may be renamed and removed while it is open.
int system_create(const char* path);
int system_open(const char* path, bool is_read_only, bool direct);

// Close a file.
void system_close(int descriptor);

// fdopen(descriptor, "wb")
FILE* system_to_stream(int descriptor);

// Lock a file until its descriptor is closed or the process ends. False: another process has the lock, or, after
// waiting for it, an error.
bool system_lock(int descriptor, bool waits);

// Has the file lost its name?
bool system_is_removed(int descriptor);

// Give a file the permissions of an older one; NULL: those of any new file.
void system_set_mode(int descriptor, const system_file* older);

uint64_t system_size(int descriptor);

// Write bytes at an offset, or read them: returns how many, 0 at the end of the file.
bool system_write_at(int descriptor, const void* bytes, size_t count, uint64_t offset);
ptrdiff_t system_read_at(int descriptor, void* bytes, size_t count, uint64_t offset);

// Wait until the file is on the disk.
bool system_sync(int descriptor);
bool system_sync_stream(FILE* stream);

// A file as memory, to be read; NULL on failure.
void* system_map(int descriptor, size_t bytes);
void system_unmap(void* map, size_t bytes);

#endif
